package extent_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/authoring/extent"
	"github.com/policyctl/policyctl/pkg/policy"
)

// doubts are permissions, each with the call of its doubt: "-" for none, and with ! before
// it for a note.
var doubts = map[string]string{
	"deny shell git push -f*":                        "-",
	"deny shell git push --force":                    "-",
	"deny shell rm -rf *":                            "-",
	"deny shell npm i *":                             "-",
	"deny shell docker image rm *":                   "-",
	"deny shell python3 *":                           "python x",
	"deny shell python3 * except shell python3 -m *": "-",
	"allow shell git * except shell git push *":      "-",
	"deny shell python *":                            "-",
	"deny shell node -e *":                           "-",
	"deny shell cat .env":                            "head -n 5 .env",
	"deny shell cat secrets/*":                       "head -n 5 secrets/a",
	"deny shell cat *":                               "-",
	"deny shell curl *":                              "-",
	"ask shell git push *":                           "-",
	"ask shell python3 *":                            "-",
	"deny read secrets":                              "read secrets/x",
	"deny read .env":                                 "-",
	"deny read **/.env":                              "-",
	"deny write dist/*":                              "-",
	"allow shell *":                                  "./x",
	"allow shell * --help":                           "./x --help",
	"allow shell git *":                              "git config x",
	"allow shell git log *":                          "-",
	"allow shell git log*":                           "!git logx",
	"allow shell npm *":                              "npm config set x",
	"allow shell npm run *":                          "-",
	"allow shell npm run build":                      "-",
	"allow shell npm test*":                          "!npm testx",
	"allow shell npm test *":                         "-",
	"allow shell npm test --script-shell*":           "npm test --script-shell=./x",
	"allow shell npm run lint:*":                     "-",
	"allow shell docker *":                           "docker run -v /:/x x",
	"allow shell docker run *":                       "docker run -v /:/x x",
	"allow shell docker run --rm alpine *":           "-",
	"allow shell docker ps *":                        "-",
	"allow shell make *":                             "-",
	"allow shell pytest *":                           "-",
	"allow shell pytest -p *":                        "pytest -p ./x",
	"allow shell pytest -p no:cacheprovider *":       "-",
	"allow shell python3 *":                          "python3 -c x",
	"allow shell python3 scripts/*":                  "-",
	"allow shell python3 -m pytest *":                "-",
	"allow shell node *":                             "node -e x",
	"allow shell bash *":                             "bash ./x y",
	"allow shell kubectl *":                          "kubectl exec x",
	"allow shell kubectl get *":                      "-",
	"allow shell aws *":                              "aws x",
	"allow shell npx *":                              "npx x",
	"allow shell npx jest *":                         "-",
	"allow shell rg *":                               "-",
	"allow shell tar *":                              "-",
	"allow shell sed *":                              "-",
	"allow shell ls *":                               "-",
	"allow shell mytool *":                           "!",
	"allow shell mytool run *":                       "!",
	"allow shell mytool build":                       "-",
	"allow shell ./scripts/*":                        "-",
	"allow write src":                                "write src/x",
	"allow write src/*":                              "-",
	"allow write Makefile":                           "-",
	"allow fetch https://example.org/*":              "-",
	"allow mcp__db__query":                           "-",
}

func TestDoubts(t *testing.T) {
	for text, want := range doubts {
		p := permissionOf(t, text)
		s := policy.Defaults()
		s.Permissions = []policy.Permission{p}
		list, err := extent.Doubts(s, policy.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := "-"
		if len(list) == 1 {
			if got = list[0].Call; list[0].Note {
				got = "!" + got
			}
			if list[0].Text == "" || list[0].Next == "" {
				t.Errorf("%s: it does not say what to do: %+v", text, list[0])
			}
		}
		if got != want || len(list) > 1 {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestDoubtsBeside shows that the other permissions count, and that one program is named once.
func TestDoubtsBeside(t *testing.T) {
	for _, row := range []struct {
		list string
		want int
	}{
		{"deny shell python3 *|deny shell python *", 0},
		{"deny shell cat .env|deny read .env", 0},
		{"allow shell *|allow shell git *", 2},
		{"allow shell git *|deny shell git *", 0},
		{"allow shell mytool *|allow shell mytool run *", 1},
	} {
		s := policy.Defaults()
		for text := range strings.SplitSeq(row.list, "|") {
			s.Permissions = append(s.Permissions, permissionOf(t, text))
		}
		list, err := extent.Doubts(s, policy.Options{})
		if err != nil || len(list) != row.want {
			t.Errorf("%s: %d doubts, want %d: %v", row.list, len(list), row.want, err)
		}
	}
}

func permissionOf(t *testing.T, text string) policy.Permission {
	t.Helper()
	action, match, _ := strings.Cut(text, " ")
	match, except, _ := strings.Cut(match, " except ")
	p := policy.Permission{Match: match}
	if except != "" {
		p.Except = []string{except}
	}
	if err := p.Action.UnmarshalText([]byte(action)); err != nil {
		t.Fatal(err)
	}
	return p
}
