package dangerous

import (
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

func installRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "npm-global-install", Class: "install", Programs: "npm pnpm yarn bun",
			Why:     "installs for all projects and runs the package's scripts",
			Instead: "Add it to the project (`npm install --save-dev`), or run it once with `npx`.",
			Match:   match(either(both(either(option("g", "global", "location"), says("-g", "--global")), verbs("install", "i", "add", "update", "up", "upgrade", "link", "uninstall", "remove", "rm", "un")), both(named("yarn"), verbs("global add", "global remove", "global upgrade")))),
			Hit:     []string{"npm install -g typescript", "npm i --global pnpm", "yarn global add a", "pnpm add -g a", "npm uninstall -g a"},
			Miss:    []string{"npm install", "npm install typescript", "npm ls -g", "pnpm add a", "npm run install -- -g"},
		},
		{
			ID: "pip-system-install", Class: "install", Programs: "pip uv python",
			Why:     "installs into the system's Python, bypassing its protection",
			Instead: "Make a virtual environment (`python3 -m venv .venv`) and install there.",
			Match:   match(says("install", "uninstall", "sync"), either(says("--break-system-packages", "--system"), argument(is("--prefix=/usr", "--prefix=/usr/local", "--target=/usr/lib")))),
			Hit:     []string{"pip install --break-system-packages requests", "pip3 install requests --break-system-packages", "uv pip install --system requests", "python3 -m pip install --break-system-packages a"},
			Miss:    []string{"pip install requests", "pip install --user requests", "uv pip install requests", "pip list"},
		},
		{
			ID: "install-unverified", Class: "install", Programs: program.Names(program.Installs) + " apt-key add-apt-repository",
			Why:     "installs without verifying where the package comes from, or trusts another source",
			Instead: "Install from the configured sources with their signatures checked.",
			Match: match(either(says("--allow-unauthenticated", "--nogpgcheck", "--no-gpg-checks", "--allow-untrusted", "--nosignature", "--force-yes", "--trusted-host", "--allow-insecure-repositories", "--no-gpg-check"), argument(hasPrefix("--trusted-host=")), both(named("apt-key"), verbs("add", "adv", "del")), both(named("add-apt-repository"), arguments(1)), both(named("brew"), verbs("tap")),
				both(named("apk"), says("--repository", "-X")))),
			Hit:  []string{"apt-get install --allow-unauthenticated a", "dnf install --nogpgcheck a.rpm", "apk add --allow-untrusted a.apk", "pip install --trusted-host x.example a", "apt-key add k.gpg", "add-apt-repository ppa:a/b"},
			Miss: []string{"apt-get install a", "dnf install a", "pip install a", "apt-key list", "brew install jq"},
		},
	}
}
