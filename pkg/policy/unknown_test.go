package policy_test

import (
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// TestHandedOn shows that a program of which nothing is known is judged by the command that
// its words may be, where that is denied or asked about, and never allowed for it.
func TestHandedOn(t *testing.T) {
	const denies = "deny shell git push --force*|deny shell git add -A*|deny shell sudo *|deny shell git branch -D *|deny read .env|ask shell npm publish*"
	for _, tt := range []struct {
		want   policy.Decision
		policy string
		lines  []string
	}{
		{policy.Deny, denies + "|allow shell *", []string{
			"rtk git push --force origin main", "gitwrap git push --force", "./scripts/x.sh git push --force", "git-retry git add -A", "rtk sudo ls", "rtk git branch -D main",
			"mywrap -v --level=3 -- git push --force", "mywrap test git push --force", "npx wrap git push --force", "bunx wrap git add -A", "uvx wrap sudo ls", "go run ./cmd/wrap git push --force",
			"cargo run -- git push --force", "npm run wrap -- git push --force", "yarn wrap git add -A", "python3 wrap.py sudo ls", "python3 -m wrap git push --force", "bash wrap.sh git push --force",
			"mywrap sh -c 'git push --force'", "mywrap env A=1 git push --force", "X=--force; mywrap git push $X", "ssh host mywrap git push --force", "mywrap cat .env", "mywrap /usr/bin/git push --force",
			"for r in a b; do mywrap git push --force $r; done", "npx git@1 push --force",
		}},
		{policy.Ask, denies + "|allow shell *", []string{"mywrap npm publish", "npx wrap npm publish --tag x"}},
		{policy.Allow, denies + "|allow shell *", []string{
			"./deploy.sh rm", "mytool add git", "mytool note 'git push --force'", "mytool --message 'sudo ls'", "mytool echo git push --force", "pass git add -A", "todo add sudo ls", "mywrap git push",
			"npx eslint npm publish", "npm install sudo", "mytool git status", "cowsay sudo ls",
		}},
		{policy.Ask, "", []string{"mywrap ls", "./scripts/x.sh git status", "mywrap cat README.md", "npx wrap ls", "rtk ./p", "rtk rm build/x"}},
		{policy.Allow, "", []string{"rtk ls -la", "rtk grep foo src", "rtk wc README.md", "rtk proxy cat README.md", "rtk -v ls"}},
	} {
		e := engine(t, tt.policy, nil)
		for _, line := range tt.lines {
			if v := decide(t, e, nil, call(line)); v.Decision != tt.want {
				t.Errorf("%s by %s %s, want %s under %q: %s", v.Decision, v.Stage, v.Rule, tt.want, tt.policy, line)
			}
		}
	}
}

// TestHandedOnAsks shows that a dangerous pattern counts behind a program of which nothing
// is known, and that what a permission allows stays allowed.
func TestHandedOnAsks(t *testing.T) {
	if v := decide(t, engine(t, "", nil), nil, call("mywrap rm -rf ../other")); v.Decision != policy.Ask || len(v.Dangers) == 0 {
		t.Errorf("%s, dangers %v", v.Decision, v.Dangers)
	}
	if v := decide(t, engine(t, "allow shell mywrap *", nil), nil, call("mywrap rm -rf ../other")); v.Decision != policy.Allow {
		t.Errorf("%s by %s %s: the permission allows it", v.Decision, v.Stage, v.Rule)
	}
}

// TestLoadedAtStart shows that the floor follows what interpreters load of the environment
// as they start. A program that clears that loads nothing.
func TestLoadedAtStart(t *testing.T) {
	e := engine(t, "", yolo)
	for _, line := range []string{
		"printf 'import shutil\\nshutil.rmtree(\"/\")\\n' > sitecustomize.py; PYTHONPATH=. python3 -c 1",
		"printf 'import shutil; shutil.rmtree(\"/\")' > usercustomize.py; PYTHONPATH=. python3 -c 1",
		"echo 'import os; os.system(\"rm -rf ~\")' > lib/sitecustomize.py; PYTHONPATH=lib python3 x.py",
		"export PYTHONPATH=.; echo 'import os; os.system(\"rm -rf /\")' > sitecustomize.py; python3 x.py",
		"echo 'import os; os.system(\"rm -rf /\")' > json.py; PYTHONPATH=. python3 -c 'import json'",
		"echo 'require(\"fs\").rmSync(\"/\",{recursive:true})' > x.js; NODE_OPTIONS='-r ./x.js' npm test",
		"PYTHONSTARTUP=x.py python3 -i; echo 'import os; os.system(\"rm -rf /\")' > s.py; PYTHONSTARTUP=s.py python3",
	} {
		if v := decide(t, e, nil, call(line)); v.Decision != policy.Deny || v.Stage != policy.StageHardline {
			t.Errorf("%s by %s %s: %s", v.Decision, v.Stage, v.Rule, line)
		}
	}
	for _, line := range []string{
		"printf 'import shutil\nshutil.rmtree(\"build\")\n' > sitecustomize.py; PYTHONPATH=. python3 -c 1", "PYTHONPATH=src python3 -m app", "printf 'import shutil\nshutil.rmtree(\"/\")\n' > sitecustomize.py; PYTHONPATH=src python3 -c 1",
	} {
		if v := decide(t, e, nil, call(line)); v.Decision == policy.Deny {
			t.Errorf("%s by %s %s: %s", v.Decision, v.Stage, v.Rule, line)
		}
	}
}
