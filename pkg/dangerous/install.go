package dangerous

import (
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

func installRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "npm-global-install", Class: "install", Kind: "installs-globally",
			Why:     "installs for all projects and runs the package's scripts",
			Instead: "Add it to the project (`npm install --save-dev`), or run it once with `npx`.",
			Match:   match(acts("installs-globally")),
			Hit:     []string{"npm install -g typescript", "npm i --global pnpm", "yarn global add a", "pnpm add -g a", "npm uninstall -g a"},
			Miss:    []string{"npm install", "npm install typescript", "npm ls -g", "pnpm add a", "npm run install -- -g"},
		},
		{
			ID: "pip-system-install", Class: "install", Kind: "breaks-packages",
			Why:     "installs into the system's Python, bypassing its protection",
			Instead: "Make a virtual environment (`python3 -m venv .venv`) and install there.",
			Match:   match(acts("breaks-packages")),
			Hit:     []string{"pip install --break-system-packages requests", "pip3 install requests --break-system-packages", "uv pip install --system requests", "python3 -m pip install --break-system-packages a"},
			Miss:    []string{"pip install requests", "pip install --user requests", "uv pip install requests", "pip list"},
		},
		{
			ID: "install-unverified", Class: "install", Programs: program.Names(program.Installs), Kind: "trusts-sources",
			Why:     "installs without verifying where the package comes from, or trusts another source",
			Instead: "Install from the configured sources with their signatures checked.",
			Match: match(either(says("--allow-unauthenticated", "--nogpgcheck", "--no-gpg-checks", "--allow-untrusted", "--nosignature", "--force-yes", "--trusted-host", "--allow-insecure-repositories", "--no-gpg-check"),
				argument(hasPrefix("--trusted-host=")), acts("trusts-sources"))),
			Hit:  []string{"apt-get install --allow-unauthenticated a", "dnf install --nogpgcheck a.rpm", "apk add --allow-untrusted a.apk", "pip install --trusted-host x.example a", "apt-key add k.gpg", "add-apt-repository ppa:a/b"},
			Miss: []string{"apt-get install a", "dnf install a", "pip install a", "apt-key list", "brew install jq"},
		},
	}
}
