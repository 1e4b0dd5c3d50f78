package foreign

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/authoring/draft"
	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// settings loads a policy.
func settings(t testing.TB, yaml []byte) *policy.Settings {
	t.Helper()
	l, err := config.Load(policy.Defaults(), config.File{Layer: "policy", Name: "p", Data: yaml, Admit: config.Everything})
	if err != nil {
		t.Fatalf("%v\n%s", err, yaml)
	}
	return &l.Settings
}

// somePolicy makes a policy of permissions.
func somePolicy(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("version: 1\ntools:\n  mcp__db__drop: {kind: mcp, risk: high}\n  mcp__git__list: {kind: mcp, risk: high}\npermissions:\n")
	seen := map[string]bool{}
	for range 1 + r.IntN(7) {
		match, except := "", ""
		switch r.IntN(9) {
		case 0:
			match = "write " + pick(r, "src/*", "docs/*", "go.mod", "*/a.key", "/home/dev/shop/src/gen/*")
		case 1:
			match = "fetch https://" + pick(r, "docs.example.org", "evil.example") + "/*"
		case 2:
			match = pick(r, "mcp__docs__*", "mcp__db__drop", "mcp__git__list")
		case 3:
			words := strings.Join(somePrefix(r), " ")
			match, except = "shell "+words+" *", "shell "+words+" "+pick(r, "a", "b")+" *"
		default:
			match = "shell " + strings.Join(somePrefix(r), " ") + pick(r, " *", " *", "")
		}
		if seen[match] {
			continue
		}
		seen[match] = true
		action := pick(r, "allow", "ask", "deny")
		fmt.Fprintf(&b, "  - match: %q\n    action: %s\n", match, action)
		if except != "" && action != "allow" {
			fmt.Fprintf(&b, "    except: [%q]\n", except)
		}
	}
	return b.String()
}

// noted reports whether a note is about one permission.
func noted(notes []draft.Note, start string) bool {
	for _, n := range notes {
		if strings.HasPrefix(n.Differs, start) && !strings.HasPrefix(n.Entry, "all of it") {
			return true
		}
	}
	return false
}

// TestExportLaw makes policies, and shows that what is exported never answers
// more loosely than the policy does, for the agent itself and imported again; and
// where every permission could be said, that it answers the same.
func TestExportLaw(t *testing.T) {
	seed.Slow(t)
	for _, a := range Agents {
		t.Run(a.Name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(17, 19))
			whole, calls, same := 0, 0, 0
			for range shapes {
				yaml := somePolicy(r)
				e := engine(t, []byte(yaml))
				text, notes := a.Write(settings(t, []byte(yaml)), nil)
				o := oracles[a.Name](t, string(text))
				p, err := again(a, text)
				if err != nil {
					t.Fatalf("%v\n%s", err, text)
				}
				back := (*policy.Engine)(nil)
				if p != nil {
					back = engine(t, p.YAML())
				}
				unenforced := Unenforced(notes) > 0
				exact := !unenforced && !noted(notes, "left out") && !noted(notes, "wider") && !noted(notes, "it ")
				if exact {
					whole++
				}
				for range 14 {
					tool, value := someCall(r)
					ours, theirs := answer(t, e, tool+" "+value), answerLine(o, tool, value)
					if theirs == "allow" && ours != "allow" || ours == "deny" && theirs != "deny" && !unenforced {
						t.Errorf("%s: %s %s: the agent says %s, the policy %s\n%s\n%s", yaml, tool, value, theirs, ours, text, notesOf(notes))
					}
					if back == nil {
						continue
					}
					again := answer(t, back, tool+" "+value)
					if again == "allow" && ours != "allow" || ours == "deny" && again != "deny" && !unenforced {
						t.Errorf("%s: %s %s: imported again %s, at first %s\n%s\n%s", yaml, tool, value, again, ours, text, p.YAML())
					}
					if exact && ours != "ask" {
						calls++
						if again == ours {
							same++
						} else {
							t.Logf("%s: %s %s: %s, again %s\n%s\n%s", yaml, tool, value, ours, again, text, p.YAML())
						}
					}
				}
			}
			t.Logf("%d policies said in full, %d of %d calls answered the same again", whole, same, calls)
			if whole < fewest[a.Name] || same*100 < calls*95 {
				t.Errorf("%d policies said in full, %d of %d calls answered the same again: too few", whole, same, calls)
			}
		})
	}
}

// fewest are the numbers of policies that an agent has to say in full.
var fewest = map[string]int{"claude": 60, "qwen": 60, "codex": 20, "gemini": 60, "opencode": 100, "cursor": 20, "copilot": 20}

// again imports what was exported; nothing where nothing was said.
func again(a *Agent, text []byte) (*draft.Policy, error) {
	p, _, err := Read(Source{Agent: a.Name, Path: names[a.Name], Data: text, Root: root, Scope: Project})
	if err != nil && strings.Contains(err.Error(), "nothing to import") {
		return nil, nil
	}
	return p, err
}

// TestImportAgainLaw makes files of each agent, and shows that a file which is
// imported and exported again answers no call more loosely than at first, and
// mostly the same.
func TestImportAgainLaw(t *testing.T) {
	seed.Slow(t)
	for _, a := range Agents {
		t.Run(a.Name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(23, 29))
			calls, same := 0, 0
			for range shapes {
				text := someFile(r, a.Name)
				first := oracles[a.Name](t, text)
				p := read(t, a.Name, names[a.Name], text)
				out, notes := a.Write(settings(t, p.YAML()), nil)
				second := oracles[a.Name](t, string(out))
				for range 14 {
					tool, value := someCall(r)
					before, after := answerLine(first, tool, value), answerLine(second, tool, value)
					if after == "allow" && before != "allow" || before == "deny" && after != "deny" && Unenforced(notes) == 0 {
						t.Errorf("%s: %s %s: %s, and exported again %s\n%s\n%s%s", text, tool, value, before, after, out, p.YAML(), notesOf(notes))
					}
					if before != "ask" {
						calls++
						if after == before {
							same++
						}
					}
				}
			}
			t.Logf("%d of %d calls answered the same again", same, calls)
			if same*100 < calls*leastAgain[a.Name] {
				t.Errorf("%d of %d calls answered the same again: too few", same, calls)
			}
		})
	}
}

// leastAgain are the percentages of calls that have to be answered the same.
var leastAgain = map[string]int{"claude": 80, "qwen": 80, "codex": 95, "gemini": 80, "opencode": 70, "cursor": 80, "copilot": 70}
