package differ

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/dangerous"
	"github.com/policyctl/policyctl/pkg/hardline"
	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
	"github.com/policyctl/policyctl/pkg/sensitive"
)

// Where calls are made that are made up.
const (
	dir  = "/home/dev/project"
	home = "/home/dev"
)

// once tries a call unless the same one was tried already.
func (d *Differ) once(c *policy.Call, s Sample) {
	c.Dir, c.Home = dir, home
	key, err := json.Marshal(c)
	if err != nil || d.tried[string(key)] {
		return
	}
	d.tried[string(key)] = true
	d.Try(c, s)
}

// Tables tries what the built-in tables have as examples.
func (d *Differ) Tables() {
	for _, table := range [][]hazard.Rule{hardline.Rules(), dangerous.Rules()} {
		for i := range table {
			for _, line := range slices.Concat(table[i].Hit, table[i].Miss) {
				d.once(policy.Shell(line, dir), Sample{Table, table[i].ID, line})
			}
		}
	}
	entries := sensitive.Entries()
	for i := range entries {
		for _, path := range slices.Concat(entries[i].Hit, entries[i].Miss) {
			for _, tool := range []string{"read", "write"} {
				c := &policy.Call{Tool: tool, Input: map[string]any{"file_path": path}}
				d.once(c, Sample{Table, entries[i].ID, tool + " " + path})
			}
		}
	}
	for _, line := range everyday {
		d.once(policy.Shell(line, dir), Sample{Table, "everyday", line})
	}
}

// everyday are lines that nothing is known of, that read, and that cannot be
// known.
var everyday = []string{"ls", "git status", "git push", "make build", "npm test", "./run.sh", `"$program" x`, "curl https://example.com"}

// A Policy is one of the two, with what calls are made up from.
type Policy struct {
	Settings policy.Settings
	Rules    []*pattern.Rule
}

// Policy tries calls that the rules, the permissions and the tools of a policy
// speak of.
func (d *Differ) Policy(p *Policy) {
	tools := slices.Concat(policy.BuiltinTools(), p.Settings.Tools)
	for i := range tools {
		d.tool(&tools[i], "x", Sample{Kind: Table, At: "tool " + tools[i].Name})
	}
	d.rules(p.Rules)
	d.permissions(tools, p.Settings.Permissions, "")
	for _, agent := range slices.Sorted(maps.Keys(p.Settings.Agents)) {
		d.permissions(tools, p.Settings.Agents[agent], agent)
	}
	for _, e := range p.Settings.Allowlist {
		d.once(policy.Shell(e.Text, dir), Sample{Witness, "allowlist entry", e.Text})
		d.once(policy.Shell(e.Text+" x", dir), Sample{Witness, "allowlist entry", e.Text + " x"})
	}
}

// recordTool is the tool of a call that is nothing but a record. No tool has
// the name, so that only the rules and the mode decide.
const recordTool = "record"

// record tries a record within a scope.
func (d *Differ) record(scope pattern.Scope, rec *record.Record, s Sample) {
	text, err := json.Marshal(rec)
	if err != nil {
		return
	}
	c, err := policy.DecodeCall(fmt.Appendf(nil, `{"tool":%q,"record":%s}`, recordTool, text))
	if err != nil {
		return
	}
	c.Scope = policy.Scope(scope)
	d.mixer.note(c.Record, c.Scope)
	s.Text = string(text)
	d.once(c, s)
}

// permissions tries, for each permission, a call that it may be about.
func (d *Differ) permissions(tools []policy.Tool, list []policy.Permission, agent string) {
	for _, p := range list {
		for _, match := range append([]string{p.Match}, p.Except...) {
			name, subject, _ := strings.Cut(match, " ")
			for i := range tools {
				if tools[i].Name != name && !strings.ContainsAny(name, "*?") {
					continue
				}
				for _, fill := range []string{"x", ""} {
					s := Sample{Kind: Witness, At: fmt.Sprintf("permission %q", p.Match)}
					d.toolOf(&tools[i], strings.TrimSpace(filled(subject, fill)), agent, s)
				}
			}
		}
	}
}

// filled returns a pattern with a text in place of each wildcard.
func filled(pattern, fill string) string {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\' && i+1 < len(pattern):
			i++
			b.WriteByte(pattern[i])
		case c == '*':
			b.WriteString(fill)
		case c == '?':
			b.WriteByte('x')
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func (d *Differ) tool(t *policy.Tool, subject string, s Sample) { d.toolOf(t, subject, "", s) }

// toolOf tries a call of a tool by an agent.
func (d *Differ) toolOf(t *policy.Tool, subject, agent string, s Sample) {
	c := &policy.Call{Tool: t.Name, Input: map[string]any{}, Agent: agent}
	s.Text = strings.TrimSpace(t.Name + " " + subject)
	if len(t.Subject) > 0 && !strings.ContainsAny(t.Subject[0], "|[.") {
		c.Input[t.Subject[0]] = subject
	}
	if t.Kind == policy.KindShell {
		s.Text = subject
	}
	d.once(c, s)
}
