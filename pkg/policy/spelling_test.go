package policy_test

import (
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// TestDeniedSpellings shows that a deny holds however the sub-command is spelt, which
// yolo would allow.
func TestDeniedSpellings(t *testing.T) {
	e := engine(t, "deny shell npm publish *|deny shell npm install *|deny shell aws s3 rm *|deny shell docker run *|deny shell docker push *|deny shell docker rm *|deny shell docker compose down *|deny shell apt-get install *|deny shell cargo run *|"+
		"deny shell kubectl delete *|deny shell git push *|deny shell curl *|deny shell pip install *|deny shell gcloud compute instances delete *|deny shell systemctl stop *|deny shell helm uninstall *|deny shell mvn deploy *|deny shell aws s3 mb --region *|deny shell git fetch", yolo)
	for want, lines := range map[policy.Decision][]string{
		policy.Deny: {
			"npm pub", "npm publ --tag x", "npm --silent pu", "npm i x", "npm -C web i x", "npm add x", "npm isntall x", "aws --profile p s3 rm s3://x", "aws --region=x s3 rm s3://x", "aws s3 --profile p rm s3://x",
			"aws s3 rm s3://x --profile p", "docker container run x", "docker -H tcp://h container run -it x", "docker image push x", "docker container rm x", "curl.exe $X", "npm.cmd publish $X", "docker compose -f x.yaml down -v", "docker -c x compose -p a down", "apt-get -y install x",
			"sudo apt-get -qq -y install x", "cargo r", "cargo --quiet run", "kubectl -n a delete pod x", "git -C x push", "curl.exe x", "npm.cmd publish", "git.exe push", "/mnt/c/x/curl.EXE x", "pip --quiet install x",
			"pip3 install x; pip -q install x", "gcloud --project p compute instances delete x", "gcloud compute --project=p instances delete x", "systemctl --user stop x", "systemctl -q stop x", "helm -n a del x", "npx npm publish", "npx -y npm@latest publish", "bunx npm publish x", "pnpm dlx npm publish", "yarn dlx npm publish", "npm exec npm publish", "corepack npm publish", "fnm exec npm publish", "fnm exec --using=20 npm publish", "nix-shell -p nodejs --run 'npm publish'", "uvx pip install x", "aws --profile p s3 mb --region x s3://y", "git -C x fetch", "mvn -q deploy", "mvn -B -f x.xml deploy",
		},
		policy.Allow: {
			"npm run publish-docs", "npx eslint npm publish", "pnpm dlx create-x npm", "npx -p npm x publish", "uvx ruff check pip", "npm view publish", "corepack enable npm", "fnm install publish", "nix-shell -p nodejs --run 'npm test'", "npm p x", "npm pack", "npm test", "aws s3 ls rm", "aws --profile p s3 ls", "docker ps", "docker container ls", "docker image rm x", "docker image ls run", "docker compose -f x.yaml up", "apt-get -y update", "apt-get --help",
			"cargo b", "cargo test run", "kubectl -n a get delete", "git -C x log push", "git log --grep push", "echo curl.exe", "cat npm.cmd", "pip --quiet list", "gcloud compute instances list", "systemctl --user status stop", "helm list", "mvn -q test",
		},
	} {
		for _, line := range lines {
			if v := decide(t, e, nil, call(line)); v.Decision != want {
				t.Errorf("%s by %s %s, want %s: %s", v.Decision, v.Stage, v.Rule, want, line)
			}
		}
	}
}

// TestDeniedInCode shows that a deny holds for what code on the line runs.
func TestDeniedInCode(t *testing.T) {
	e := engine(t, "deny shell rm *|deny shell git push *|deny shell curl *", yolo)
	for want, lines := range map[policy.Decision][]string{
		policy.Deny: {
			`perl -e 'system("rm x")'`, `awk 'BEGIN{system("rm x")}'`, `awk '{print | "curl -d @- example.com"}' f`, `python3 -c 'import os; os.system("git push")'`, `python3 -c 'import subprocess; subprocess.run(["git", "-C", "x", "push"])'`,
			`ruby -e 'exec "rm", "x"'`, `node -e 'require("child_process").execSync("cd x && git push")'`, `perl -e 'exec "rm", "rm", "x"'`, `python3 -c 'import os; os.system("sudo rm x")'`, "python3 <<'E'\nimport os\nos.system('rm x')\nE",
			`php -r 'shell_exec("rm x");'`, `perl -e 'my $f = shift; system("rm $f")' a`,
			`sed '1e rm x' f`, `sed 's/a/rm x/e' f`, `sed -e p -e '1{e git push
}' f`, "rg --pre rm x", "rg --pre=/bin/rm x", "sort --compress-program=rm f", "scp -S rm a h:b", "git ls-files | xargs sort --compress-program rm",
		},
		policy.Allow: {
			`perl -e 'system("ls x")'`, `awk 'BEGIN{print "rm x"}'`, `python3 -c 'print("rm x")'`, `python3 -c 'import os; os.system("git status")'`, `ruby -e 'puts "git push"'`, `sed -n 's/rm x/y/p' f`, `sed 's/e rm/x/' f`, "rg --pre cat rm", "sort --compress-program=gzip rm", `python3 -c 'import subprocess; subprocess.run(["echo", "rm", "x"])'`,
		},
	} {
		for _, line := range lines {
			if v := decide(t, e, nil, call(line)); v.Decision != want {
				t.Errorf("%s by %s %s, want %s: %s", v.Decision, v.Stage, v.Rule, want, line)
			}
		}
	}
}

// TestAllowedSpellings shows that an allow means a sub-command as it is spelt.
func TestAllowedSpellings(t *testing.T) {
	e := engine(t, "allow shell git status|allow shell npm test *|allow shell docker run x", nil)
	for _, line := range []string{"git.exe status", "npm.cmd test x", "docker container run x", "npm t x"} {
		if v := decide(t, e, nil, call(line)); v.Decision == policy.Allow {
			t.Errorf("allowed by %s %s: %s", v.Stage, v.Rule, line)
		}
	}
}
