package policy_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// wrapped are lines with programs that a policy declares wrappers, each behind what the
// policy says of it: denied under yolo too, not allowed, allowed, or not denied under yolo.
var wrapped = []string{
	`deny rtk rm -rf /`,
	`allow cd src; inenv ls`,
	`allow cd src; ~/bin/withenv ls`,
	`notallow cd src; ../scripts/in-env.sh ls`,
	`deny cd src; ../scripts/in-env.sh git push -f`,
	`deny rtk git push --force`,
	`deny rtk -x git push --force`,
	`deny rtk rtk git push -f`,
	`deny rtk -v rtk rm -rf ~`,
	`deny sudo rtk git push -f`,
	`deny inenv rm -rf /`,
	`deny inenv git push --force`,
	`deny inenv -x git push --force`,
	`deny inenv -x y git push --force`,
	`deny inenv inenv git push -f`,
	`deny inenv rtk inenv git push -uf origin main`,
	`deny sudo inenv git push -f`,
	`deny /usr/bin/inenv git push -f`,
	`deny /tmp/inenv git push -f`,
	`deny INENV git push -f`,
	`deny inenv.exe git push -f`,
	`deny ./scripts/in-env.sh git push -f`,
	`deny ./scripts/in-env.sh bash -c 'git push -f'`,
	`deny bash -c './scripts/in-env.sh git push -f'`,
	`deny cd src && ../scripts/in-env.sh git push -f`,
	`deny bash ./scripts/in-env.sh git push -f`,
	`deny ~/bin/withenv git push -f`,
	`deny /home/dev/bin/withenv rm -rf /`,
	`deny inenv -- git push -f`,
	`deny A=b inenv git push -f`,
	`deny inenv A=b git push -f`,
	`deny inenv env A=b git push -f`,
	`deny xargs inenv git push -f`,
	`deny find . -exec inenv git push -f \;`,
	`deny python3 -c 'import os; os.system("inenv git push -f")'`,
	`deny "inenv" 'git' push -"f"`,
	`deny alias g=inenv; g git push -f`,
	`deny inenv $(echo git) push -f`,
	`deny echo 'git push -f' | inenv bash`,
	`notallow /tmp/inenv npm test`,
	`notallow ./inenv npm test`,
	`notallow inenv --pre ./x npm test`,
	`notallow inenv -x npm test`,
	`notallow cd src && ./scripts/in-env.sh npm test`,
	`notallow scripts/../evil/in-env.sh npm test`,
	`notallow inenv`,
	`notallow inenv npm test --script-shell=./p`,
	`notallow inenv npm install`,
	`notallow PATH=./evil:$PATH inenv npm test`,
	`notallow LD_PRELOAD=./x.so inenv npm test`,
	`notallow inenv() { ./evil; }; inenv npm test`,
	`notallow inenv npm test > ~/.bashrc`,
	`notallow inenv ./evil npm test`,
	`notallow ./scripts/in-env.sh make -f /tmp/x`,
	`notallow bash ./scripts/in-env.sh npm test; ./evil`,
	`notallow cd $X; ./scripts/in-env.sh npm test`,
	`notallow inenv sudo npm test`,
	`notallow INENV npm test`,
	`notallow echo "rm -rf src" > scripts/in-env.sh; ./scripts/in-env.sh ls`,
	`deny inenv sh -c "git push -f"`,
	`notallow inenv -c npm test`,
	`allow rtk npm test`,
	`allow inenv npm test`,
	`allow inenv ls -la`,
	`allow ./scripts/in-env.sh npm test`,
	`allow scripts/in-env.sh npm test -- --watch=false`,
	`allow ~/bin/withenv ls -la`,
	`allow inenv inenv npm test`,
	`allow inenv git log --oneline | head -3`,
	`allow ./scripts/in-env.sh make all`,
	`allow timeout 60 inenv npm test`,
	`allow inenv timeout 60 npm test`,
	`allow CI=1 inenv npm test`,
	`allow /usr/bin/inenv ls`,
	`allow cd src && ../scripts/in-env.sh ls`,
	`allow inenv ls && inenv npm test`,
	`pass inenv git push`,
	`pass inenv`,
	`pass ./scripts/in-env.sh ./build.sh`,
}

// wrapping declares the wrappers of those lines.
func wrapping(s *policy.Settings) {
	for _, name := range []string{"rtk", "inenv", "./scripts/in-env.sh", "~/bin/withenv"} {
		s.Wrappers = append(s.Wrappers, policy.Entry{Text: name})
	}
}

func TestDeclaredWrappers(t *testing.T) {
	const permissions = "allow shell npm test*|deny shell git push --force*|allow shell ./scripts/in-env.sh make *|deny shell inenv go mod edit -json*"
	e := engineIn(t, nil, permissions, wrapping)
	yolo := engineIn(t, nil, permissions, func(s *policy.Settings) { wrapping(s); s.Yolo = true })
	for _, row := range append(wrapped, "deny inenv go mod edit -json", "pass go mod edit -json", "deny inenv go mod edit -v -json") {
		want, line, _ := strings.Cut(row, " ")
		c := policy.Shell(line, "/home/dev/project")
		c.Home, c.ProjectDir = "/home/dev", c.Dir
		v, lax := decide(t, e, nil, c), decide(t, yolo, nil, c)
		ok := map[string]bool{
			"deny": lax.Decision == policy.Deny, "pass": lax.Decision != policy.Deny,
			"allow": v.Decision == policy.Allow, "notallow": v.Decision != policy.Allow,
		}
		if !ok[want] {
			t.Errorf("%s: want %s, got %s at %s by %q, under yolo %s: %s", line, want, v.Decision, v.Stage, v.Rule, lax.Decision, v.Why)
		}
	}
}

// TestUndeclaredWrappers shows that no more than what is declared becomes a wrapper.
func TestUndeclaredWrappers(t *testing.T) {
	e := engineIn(t, nil, "allow shell npm test*", func(s *policy.Settings) { s.Wrappers = []policy.Entry{{Text: "inenv"}} })
	for _, line := range []string{"other npm test", "./scripts/in-env.sh npm test", "declared/wrapper npm test", "wrapper npm test"} {
		c := policy.Shell(line, "/home/dev/project")
		if v := decide(t, e, nil, c); v.Decision == policy.Allow {
			t.Errorf("%s is allowed", line)
		}
	}
}

func TestNoWrappers(t *testing.T) {
	for text, want := range map[string]string{
		"":               "names no program",
		"rm":             "is a program that policyctl knows",
		"./scripts/git":  "is a program that policyctl knows",
		"BASH":           "is a program that policyctl knows",
		"sudo":           "is a program that policyctl knows",
		"in env":         "is no program as a line starts it",
		"in*":            "is no program as a line starts it",
		"-x":             "is no program as a line starts it",
		"$HOME/w":        "is no program as a line starts it",
		"./scripts/":     "names a directory",
		"..":             "names a directory",
		"inenv":          "",
		"timeout":        "",
		"./scripts/x.sh": "",
	} {
		s := policy.Defaults()
		s.Wrappers = []policy.Entry{{Text: text}}
		_, err := policy.New(s, policy.Options{})
		if got := errorText(err); (want == "") != (err == nil) || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
