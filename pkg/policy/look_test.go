package policy_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/world"
)

// searchProject is a project with secrets in it: one setting a line, and others.
func searchProject(t *testing.T) (root string) {
	root = t.TempDir()
	for name, text := range map[string]string{
		".env": "API_KEY=abcdef\nexport OTHER=1\n", "web/prod.env": "TOKEN=abcdef\n# fixme later\n", "src/a.go": "package a // TODO\n",
		"keys/id_ed25519": "TODO\n", "wide/.env.local": "NAME=\xc3\xa9\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// TestSearchBesideSecrets: a search for one plain word passes where no secret has it;
// every other one is asked about.
func TestSearchBesideSecrets(t *testing.T) {
	root := searchProject(t)
	for _, row := range []struct {
		want  policy.Decision
		lines string
	}{
		{policy.Allow, "grep -rn TODO web ; grep -rn TODO web src ; grep -rni todo web ; grep -rl import web ; rg -n --hidden TODO web ; rg --hidden 'import' web ; grep -rn -e TODO web ; grep -rnw func web ; grep -rc TODO web"},
		{policy.Allow, "grep -rn KEY src ; grep -rn -e KEY src ; grep -rn FIXME src ; cd web && grep -rn TODO ."},
		{policy.Ask, "grep -rn FIXME web ; grep -rni fixme web ; grep -rn KEY web ; grep -rn '' web ; grep -rn TODO keys ; grep -rn TODO . ; grep -rn TODO wide ; grep -rn export ."},
		{policy.Ask, "grep -rnv TODO web ; grep -rn -A1 TODO web ; grep -rn -B1 TODO web ; grep -rn -C1 TODO web ; grep -rn -5 TODO web ; grep -rnz TODO web ; grep -rnL TODO web ; grep -rna TODO web ; grep -rn TODO web --context=3"},
		{policy.Ask, "grep -rn -e TODO -e TOKEN web ; grep -rn -e TOKEN -e TODO web ; grep -rnE 'TODO|TOKEN' web ; grep -rn 'TODO.*' web ; grep -rnf words web ; grep -rn TOD web ; grep -rn TODOS web ; grep -rnP TODO web ; grep -rn \"$X\" web"},
		{policy.Ask, "rg --hidden --passthru TODO web ; rg --hidden -U TODO web ; rg --hidden -r x TODO web ; rg --hidden -A1 TODO web ; rg --hidden --pre x TODO web ; rg --hidden -E utf-16 TODO web ; rg --hidden -z TODO web ; rg --hidden -v TODO web ; rg --hidden --files-without-match TODO web"},
		{policy.Ask, "grep -n TODO web/prod.env ; grep -n TODO .env ; cat web/* ; grep -rn --include='*.env' TODO web ; GREP_OPTIONS=-v grep -rn TODO web ; find web -type f | xargs grep TODO"},
	} {
		for line := range strings.SplitSeq(row.lines, " ; ") {
			c := policy.Shell(line, root)
			c.Home = home
			expect(t, engineIn(t, world.New(nil), "", nil), c, row.want)
		}
	}
}

// TestLeaveOut: who is told to leave secrets out passes by doing what the message says.
func TestLeaveOut(t *testing.T) {
	root := searchProject(t)
	for _, denied := range []string{"", "deny read **/.env", "deny read *.env|deny read **/prod.env"} {
		e := engineIn(t, world.New(nil), denied, nil)
		for _, line := range []string{"grep -rn KEY .", "grep -rn KEY", "grep -rni key . web", "rg --hidden KEY", "rg --hidden KEY .", "rg -uu KEY . src", "grep -rn -C2 TODO .", "grep -rn --include='*' KEY .",
			"grep -r KEY . | head", "cd web && grep -rn KEY ."} {
			call := policy.Shell(line, root)
			call.Home = home
			v := decide(t, e, nil, call)
			_, rest, _ := strings.Cut(v.Message(), "Add ")
			options, _, ok := strings.Cut(rest, " to leave it out.")
			if v.Decision == policy.Allow || !ok {
				t.Errorf("%s: %s: %s %s", denied, v.Decision, line, v.Message())
				continue
			}
			first, pipe, piped := strings.Cut(line, " |")
			if line = first + " " + options; piped {
				line += " |" + pipe
			}
			call = policy.Shell(line, root)
			call.Home = home
			expect(t, e, call, policy.Allow)
		}
	}
}

// TestSearchTools: the tools that search are told the same as the line that does what
// they do.
func TestSearchTools(t *testing.T) {
	root := searchProject(t)
	for _, denied := range []string{"", "deny read **/prod.env|deny read .env"} {
		e := engineIn(t, world.New(nil), denied, nil)
		refused := policy.Ask
		if denied != "" {
			refused = policy.Deny
		}
		for in, want := range map[string]policy.Decision{
			`{"tool":"Grep","input":{"pattern":"KEY","path":"web"}}`:                                    refused,
			`{"tool":"Grep","input":{"pattern":"KEY","path":"web","output_mode":"files_with_matches"}}`: refused,
			`{"tool":"Grep","input":{"pattern":"KEY","path":"web","glob":"*.env"}}`:                     refused,
			`{"tool":"Grep","input":{"pattern":"KEY","path":"web","glob":"!prod.env"}}`:                 policy.Allow,
			`{"tool":"Grep","input":{"pattern":"KEY","path":"web","glob":"*.go"}}`:                      policy.Allow,
			`{"tool":"Grep","input":{"pattern":"KEY","path":"src"}}`:                                    policy.Allow,
			`{"tool":"Grep","input":{"pattern":"KEY","path":"` + root + `/src"}}`:                       policy.Allow,
			`{"tool":"Grep","input":{"pattern":"TODO","path":"web"}}`:                                   policy.Allow,
			`{"tool":"Grep","input":{"pattern":"TODO","path":"web","-C":3}}`:                            refused,
			`{"tool":"Grep","input":{"pattern":"TODO","path":"web","multiline":true}}`:                  refused,
			`{"tool":"Grep","input":{"pattern":"TODO|TOKEN","path":"web"}}`:                             refused,
			`{"tool":"Grep","input":{"pattern":"FIXME","path":"web"}}`:                                  refused,
			`{"tool":"grep_search","input":{"query":"KEY","path":"web"}}`:                               refused,
			`{"tool":"Glob","input":{"pattern":"**/*.env"}}`:                                            policy.Allow,
			`{"tool":"Glob","input":{"pattern":"**/*","path":"web"}}`:                                   policy.Allow,
		} {
			if denied != "" && strings.Contains(in, "Glob") {
				continue // of the names a denial may be about too
			}
			c, err := policy.DecodeCall([]byte(in))
			if err != nil {
				t.Fatal(err)
			}
			c.Home, c.Dir, c.ProjectDir = home, root, root
			expect(t, e, c, want)
			if v := decide(t, e, nil, c); v.Decision != policy.Allow && !strings.Contains(in, `"glob"`) {
				if !strings.Contains(v.Message(), `"!prod.env" to leave it out.`) {
					t.Errorf("%s: %s", in, v.Message())
				}
			}
		}
	}
}
