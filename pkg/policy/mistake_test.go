package policy_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A deny that can deny nothing is an error that names the form that was meant, and that
// form denies.
func TestDenyOfNothing(t *testing.T) {
	for match, want := range map[string]struct{ form, line string }{
		"Bash(git push:*)":                {"shell git push *", "git push origin main"},
		"Bash (git push:*)":               {"shell git push *", "git push origin main"},
		"shell (rm *)":                    {"shell rm *", "rm x"},
		"Bash(git push *)":                {"shell git push *", "git push"},
		"Bash(*)":                         {"shell *", "ls"},
		"Bash()":                          {"shell *", "ls"},
		"bash(rm:*)":                      {"shell rm *", "rm x"},
		"Shell(git)":                      {"shell git", "git"},
		"shell(git push)":                 {"shell git push", "git push"},
		"run_shell_command(npm publish)":  {"shell npm publish", "npm publish"},
		"Read(./.env)":                    {"read .env", "cat .env"},
		"shell git push :*":               {"shell git push *", "git push -f"},
		"shell git push:*":                {"shell git push *", "git push -f"},
		"bash git push:*":                 {"shell git push *", "git push -f"},
		"shell git :*":                    {"shell git *", "git push"},
		"shell git:*":                     {"shell git *", "git push"},
		"shell git remote add:*":          {"shell git remote add *", "git remote add x y"},
		"shell docker compose up :*":      {"shell docker compose up *", "docker compose up -d"},
		"shell FOO=1 make":                {"shell make", "FOO=1 make"},
		"shell CI=* npm publish *":        {"shell npm publish *", "CI=1 npm publish"},
		"shell make x && make y":          {"shell make x", "make x && make y"},
		"shell curl * | sh":               {"shell curl *", "curl x | sh"},
		`shell git commit -m "wip"`:       {"shell git commit -m wip", `git commit -m "wip"`},
		"shell git commit -m 'a b'":       {"shell git commit -m a b", "git commit -m 'a b'"},
		"  Bash(git  push:*) ":            {"shell git push *", "git push x"},
		"WebFetch(domain:example.com)":    {"fetch *example.com*", "curl https://example.com/x"},
		"run_shell_command( git push:* )": {"shell git push *", "git push x"},
	} {
		for _, action := range []policy.Decision{policy.Deny, policy.Ask} {
			s := policy.Defaults()
			s.Permissions = []policy.Permission{{Match: match, Action: action}}
			if _, err := policy.New(s, policy.Options{}); err == nil || !strings.Contains(err.Error(), `write "`+want.form+`"`) {
				t.Errorf("%s %q: %v, want the form %s", action, match, err, want.form)
			}
		}
		s := policy.Defaults()
		s.Permissions = []policy.Permission{{Match: want.form, Action: policy.Deny}}
		e, err := policy.New(s, policy.Options{})
		if err != nil {
			t.Errorf("%q: %v", want.form, err)
			continue
		}
		if v, err := e.Decide(t.Context(), nil, policy.Shell(want.line, "/w")); err != nil || v.Decision != policy.Deny {
			t.Errorf("%q, meant by %q, does not deny %s: %v %v", want.form, match, want.line, v.Decision, err)
		}
	}
}

// A deny that can deny something is none.
func TestDenyOfSomething(t *testing.T) {
	for match, line := range map[string]string{
		"shell make":                   "make",
		"deploy":                       "",
		"mcp__github__*":               "",
		"* x":                          "",
		"shell git push origin :*":     "git push origin :main",
		"shell npm run test:*":         "npm run test:unit",
		"shell make build:*":           "make build:all",
		"shell docker run -p :*":       "docker run -p :80",
		"shell psql -c * ; *":          "psql -c 'DROP ; x'",
		"shell jq .a | .b":             "jq '.a | .b'",
		"shell jq .a | length":         "jq '.a | length'",
		"shell env A=1 make":           "env A=1 make",
		"shell make CC=gcc":            "make CC=gcc",
		`shell curl -d {"a":"b"} *`:    `curl -d '{"a":"b"}' x.example`,
		"shell f(x)":                   "'f(x)'",
		"shell echo (x)":               "echo '(x)'",
		"read a(1).txt":                "cat 'a(1).txt'",
		"shell awk $1 > 5 *":           "awk '$1 > 5' x",
		"shell git commit -m don't *":  `git commit -m "don't x"`,
		"shell find * -exec rm {} ; *": "find . -exec rm {} ';'",
	} {
		s := policy.Defaults()
		s.Permissions = []policy.Permission{{Match: match, Action: policy.Deny}}
		e, err := policy.New(s, policy.Options{})
		if err != nil {
			t.Errorf("%q: %v", match, err)
			continue
		}
		if line == "" {
			continue
		}
		if v, err := e.Decide(t.Context(), nil, policy.Shell(line, "/w")); err != nil || v.Rule != match {
			t.Errorf("%q does not decide %s: %s by %s, %v", match, line, v.Decision, v.Rule, err)
		}
	}
}
