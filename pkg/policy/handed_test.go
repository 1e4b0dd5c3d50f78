package policy_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/pkg/policy"
)

// TestDeniedElsewhere shows that a deny holds for what other shells run, and programs in a
// language of their own: editors, debuggers, clients of databases, build tools.
func TestDeniedElsewhere(t *testing.T) {
	e := engine(t, "deny shell rm *|deny shell cargo run *", yolo)
	for want, lines := range map[policy.Decision][]string{
		policy.Deny: {
			`vim -c '!rm -rf x'`,
			`vim -c '!rm -rf x' -c q f`,
			`ex -sc '!rm -rf x' f`,
			`vim +'!rm -rf x' f`,
			`nvim --headless -c '!rm -rf x' -c q`,
			`vi -c ':!rm -rf x'`,
			`vim -c 'call system("rm -rf x")'`,
			`vim -es -c 'silent !rm -rf x' -c 'q'`,
			`printf '!rm -rf x\n' | ed f`,
			`echo '!rm -rf x' | ed -s f`,
			`less +'!rm -rf x' f`,
			`gdb -ex 'shell rm -rf x' -batch`,
			`gdb -batch -ex '!rm -rf x'`,
			`lldb -o 'platform shell rm -rf x' -b`,
			`expect -c 'spawn rm -rf x; expect eof'`,
			`expect -c 'system rm -rf x'`,
			`tclsh <<< 'exec rm -rf x'`,
			`cargo +nightly run`,
			`sqlite3 db '.shell rm -rf x'`,
			`sqlite3 db '.system rm -rf x'`,
			`psql -c '\! rm -rf x'`,
			`mysql -e 'system rm -rf x'`,
			`mysql -e '\! rm -rf x'`,
			`emacs --batch --eval '(shell-command "rm -rf x")'`,
			`gnuplot -e 'system("rm -rf x")'`,
			`dc -e '!rm -rf x'`,
			`octave --eval 'system("rm -rf x")'`,
			`R -e 'system("rm -rf x")'`,
			`Rscript -e 'system("rm -rf x")'`,
			"julia -e 'run(`rm -rf x`)'",
			`guile -c '(system "rm -rf x")'`,
			`echo '* * * * * rm -rf x' | crontab -`,
			`make -f - <<< 'all: ; rm -rf x'`,
			`lf -command '!rm -rf x'`,
			`ranger --cmd='shell rm -rf x'`,
			`expect <<< 'spawn rm -rf x'`,
			`socat EXEC:'rm -rf x' -`,
			"m4 <<< 'syscmd(`rm -rf x'\"'\"')'",
			`yash -c 'rm -rf x'`,
			`nu -c 'rm -rf x'`,
			`xonsh -c 'rm -rf x'`,
			`elvish -c 'rm -rf x'`,
			`osh -c 'rm -rf x'`,
			`rc -c 'rm -rf x'`,
			`es -c 'rm -rf x'`,
			`pwsh -c 'rm -rf x'`,
			`zellij run -- rm -rf x`,
			`screen -S x -X stuff 'rm -rf x'`,
			`cmake -E env rm -rf x`,
			`cmake -E time rm -rf x`,
			`ansible localhost -m shell -a 'rm -rf x'`,
			`ansible localhost -a 'rm -rf x'`,
			`deno task --eval 'rm -rf x'`,
			`socat - EXEC:'rm -rf x'`,
			`socat - SYSTEM:'rm -rf x'`,
			`make --eval 'x: ; rm -rf x' x`,
			`make --eval '$(shell rm -rf x)'`,
			`printf 'all:\n\trm -rf x\n' > Makefile; make`,
			`printf 'all:\n\trm -rf x\n' | make -f -`,
			`cmd /c rm -rf x`,
			`powershell -Command "rm -Recurse x"`,
			`bun x rm x`,
			`bun exec 'rm -rf x'`,
			`cargo +stable --locked run`,
		},
		policy.Allow: {
			`vim -c '%s/rm x/true/'`,
			`vim rm`,
			`psql -c "select 'rm x'"`,
			`sqlite3 db "insert into t values ('!rm x')"`,
			`gdb -ex 'break rm' ./a`,
			`less +/rm f`,
			`make rm`,
			`make -n x`,
			`cmake -E echo rm x`,
			`cmake -E remove_directory build`,
			`ansible localhost -m ping`,
			`julia -e 'println("rm x")'`,
			`expect -c 'send rm'`,
			`expect -c 'spawn ssh h'`,
			`echo '* * * * * ls' | crontab -`,
			`printf 'all:\n\techo rm\n' | make -f -`,
			`screen -ls`,
			`tmux ls`,
			`emacs notes.org`,
			`R -e 'print("rm x")'`,
			`ex -sc 'g/rm x/d' -c x f`,
			`ed f <<< 'g/rm x/d'`,
			`m4 <<< 'define(x, rm x)'`,
			`mysql -e 'select 1'`,
			`osascript -e 'say "rm x"'`,
			`nodemon --exec 'ls'`,
			`cargo +nightly build`,
			`cargo runner`,
			`mongosh --eval 'db.rm.find()'`,
			`getent passwd rm`,
			`pass rm x`,
			`jira issue create -b 'rm x'`,
		},
	} {
		for _, line := range lines {
			if v := decide(t, e, nil, call(line)); v.Decision != want {
				t.Errorf("%s by %s %s, want %s: %s", v.Decision, v.Stage, v.Rule, want, line)
			}
		}
	}
}

// TestFilesDeniedElsewhere shows that a deny about files holds for what code on the line
// does to them, what it runs, and the scripts that the line runs.
func TestFilesDeniedElsewhere(t *testing.T) {
	e := engine(t, "deny read .env|deny write kept.txt", yolo)
	for want, lines := range map[policy.Decision][]string{
		policy.Deny: {
			`python3 -c "print(open('.env').read())"`, `python3 -c "import shutil; shutil.copy('.env', 'x')"`, `python3 -c "import os; os.system('cat .env')"`, `python3 -c "from pathlib import Path; print(Path('.env').read_text())"`,
			`node -e "console.log(fs.readFileSync('.env', 'utf8'))"`, `ruby -e 'puts File.read(".env")'`, `perl -e 'open F, ".env"; print <F>'`, `perl -e 'open(my $f, "<", ".env")'`, `php -r 'echo file_get_contents(".env");'`,
			`python3 -c "import os; os.chdir('..'); open('project/.env')"`, "vim -c '!cat .env'", "make --eval 'x: ; cat .env' x", ". ./.env", "bash .env", "make -f .env", "psql -f .env", "mv .env x", "sed 's/a/b/w kept.txt' f",
			`python3 -c "open('kept.txt', 'w')"`, `python3 -c "import os; os.remove('kept.txt')"`, `python3 -c "import os; os.system('echo x > kept.txt')"`, `node -e "fs.writeFileSync('kept.txt', 'x')"`, `awk '{print > "kept.txt"}' x`, "gdb -ex 'shell echo x > kept.txt'",
		},
		policy.Allow: {
			`python3 -c "print(open('.env.example').read())"`, `python3 -c "open('.env', 'w')"`, `python3 -c "print('.env')"`, `python3 -c "print(open('kept.txt').read())"`, "vim -c '!ls' kept.md", "./.env", "bash kept.txt", "sed 's/a/b/w x' kept.txt",
			`node -e "fs.writeFileSync('x', '.env kept.txt')"`, `python3 -c "import os; os.system('echo .env')"`, "mv x y",
		},
	} {
		for _, line := range lines {
			if v := decide(t, e, nil, call(line)); v.Decision != want {
				t.Errorf("%s by %s %s, want %s: %s", v.Decision, v.Stage, v.Rule, want, line)
			}
		}
	}
}

// A curlSource denies curl, asks about wget, and fails at nc.
type curlSource struct{}

func (curlSource) Judge(_ context.Context, in *policy.Input) (policy.Answer, error) {
	runs := func(name string) bool {
		return slices.ContainsFunc(in.Line.Commands, func(c command.Command) bool { return c.Name == name })
	}
	switch {
	case runs("curl"):
		return policy.Answer{Decision: policy.Deny, Certain: true, Rule: "no-curl", Why: "no"}, nil
	case runs("wget"):
		return policy.Answer{Decision: policy.Ask, Certain: true, Rule: "wget", Why: "who knows"}, nil
	case runs("nc"):
		return policy.Answer{}, errors.New("out of order")
	}
	return policy.Answer{Silent: true}, nil
}

// TestSourcesElsewhere shows that sources judge what code on the line runs, each as a call
// of its own.
func TestSourcesElsewhere(t *testing.T) {
	settings := policy.Defaults()
	settings.Mode = policy.Skip
	e, err := policy.New(settings, policy.Options{Sources: []policy.Source{curlSource{}}})
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"curl a": "deny no-curl", `python3 -c 'import os; os.system("cd x && curl a")'`: "deny no-curl", "vim -c '!curl a'": "deny no-curl", `python3 -c 'import os; os.system("perl -e \"system(q(curl a))\"")'`: "deny no-curl",
		"wget a": "ask wget", `ruby -e 'system("wget", "a")'`: "ask wget",
		"nc a": "deny uncertain", `ruby -e 'system("nc", "a")'`: "deny uncertain",
		"ls": "allow ", `python3 -c 'import os; os.system("ls")'`: "allow ", `python3 -c 'print("curl a")'`: "allow ", "vim -c '!curl a' -c '('": "deny no-curl",
	} {
		v := decide(t, e, nil, call(line))
		if got := v.Decision.String() + " " + v.Rule; !strings.HasPrefix(got, want) {
			t.Errorf("%s by %s: %s, want %s: %s", got, v.Stage, v.Why, want, line)
		}
	}
	many := ""
	for i := range 100 {
		many += fmt.Sprintf("os.system('ls %d')\n", i)
	}
	if v := decide(t, e, nil, call("python3 - <<'E'\nimport os\n"+many+"E")); v.Decision != policy.Deny || !strings.Contains(v.Why, "more commands") {
		t.Errorf("%s by %s: %s", v.Decision, v.Stage, v.Why)
	}
	if v := decide(t, e, nil, call("python3 - <<'E'\nimport os\n"+strings.Repeat("os.system('ls -a')\n", 100)+"E")); v.Decision != policy.Allow {
		t.Errorf("%s by %s: %s", v.Decision, v.Stage, v.Why)
	}
}
