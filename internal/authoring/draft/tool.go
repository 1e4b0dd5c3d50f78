package draft

import (
	"maps"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/policy"
)

// asksAnyway is said of an ask about all calls of a tool, of which others allow
// some.
const asksAnyway = "the same: what nothing allows asks"

// mcp imports a rule for a server, or for one of its tools.
func (b *builder) mcp(e *Entry) {
	name := e.Tool
	if e.Action == policy.Ask && len(e.Except) > 0 && strings.Contains(name, "*") {
		b.drop(e, asksAnyway)
		return
	}
	parts := strings.SplitN(strings.TrimPrefix(name, "mcp__"), "__", 2)
	switch {
	case e.Action == policy.Allow && strings.Contains(parts[0], "*"):
		b.drop(e, "stricter: it asks, since the name of the server is not written out")
		return
	case e.Spec != "" && e.Action == policy.Allow:
		b.drop(e, "stricter: it asks, since rules of MCP tools have no specifier")
		return
	case len(parts) == 1 && !strings.HasSuffix(name, "*"):
		name += "__*"
	case !strings.Contains(name, "*"):
		var ok bool
		if name, ok = b.declare(e, Tool{Kind: "mcp", Risk: "high"}); !ok {
			return
		}
	}
	b.add(e, name, pattern{})
	if e.Spec != "" {
		b.note(e, "stricter: every call, since rules of MCP tools have no specifier")
	}
}

// same are the tools that policyctl knows as tools of their own. Of others it
// may know only that they do what a wider tool does.
const same = " WebSearch BashOutput KillShell TodoWrite Task Agent "

// other imports a rule for any other tool, of which the arguments do not
// count.
func (b *builder) other(e *Entry) {
	if strings.TrimSpace(e.Tool) == "" {
		b.drop(e, "the same: no tool has an empty name")
		return
	}
	name, known := canonical(e.Tool)
	wild := strings.Contains(e.Tool, "*")
	if wild && e.Action == policy.Allow && b.in.Agent.ToolGlobs && e.Spec == "" && strings.TrimRight(e.Tool, "*") != "" {
		b.add(e, name, pattern{subject: "*"})
		return
	}
	if wild && e.Action == policy.Ask && len(e.Except) > 0 {
		b.drop(e, asksAnyway)
		return
	}
	wider := known && !strings.Contains(same, " "+e.Tool+" ")
	switch {
	case e.Action == policy.Allow && (e.Spec != "" || wild || wider):
		b.drop(e, "stricter: it asks, since policyctl does not tell these calls from others")
		return
	case !known && !wild:
		var ok bool
		if name, ok = b.declare(e, Tool{Kind: "other", Risk: "high"}); !ok {
			return
		}
	}
	b.add(e, name, pattern{subject: "*"})
	if e.Spec != "" || wider {
		b.note(e, "stricter: every call of the tool, since policyctl does not tell these from others")
	}
}

// declare declares the tool of a rule, so that a policy may name it. Names that
// differ only in case cannot stand beside each other: then a deny or an ask is
// of all names that begin so, and an allow is dropped.
func (b *builder) declare(e *Entry, t Tool) (name string, ok bool) {
	taken := slices.Collect(maps.Keys(b.out.Tools))
	for _, b := range policy.BuiltinTools() {
		taken = append(append(taken, b.Name), b.Aliases...)
	}
	if !slices.ContainsFunc(taken, func(n string) bool { return n != e.Tool && strings.EqualFold(n, e.Tool) }) {
		b.out.Tools[e.Tool] = t
		return e.Tool, true
	}
	if e.Action == policy.Allow {
		b.drop(e, "stricter: it asks, since another tool has this name in another case")
		return "", false
	}
	return e.Tool + "*", true
}

// canonical returns what policies call a tool.
func canonical(tool string) (name string, known bool) {
	for _, t := range policy.BuiltinTools() {
		if t.Name == tool || slices.Contains(t.Aliases, tool) {
			return t.Name, true
		}
	}
	return tool, false
}

// guard adds what keeps the permissions from being looser than those of the
// agent.
func (b *builder) guard() {
	if b.writes {
		for _, path := range b.in.Agent.Protected {
			b.out.Permissions = append(b.out.Permissions, Permission{
				policy.Permission{Match: "write " + path, Action: policy.Ask, EveryTime: true},
				"paths that " + b.in.Agent.Title + " protects whatever is allowed",
			})
		}
	}
	if !b.reads || !b.in.Agent.Searches {
		return
	}
	b.out.Notes = append(b.out.Notes, Note{
		"all rules of Read that deny or ask", "the same for searches",
		"a search of Grep that would read such a file is answered as reading it, where " +
			b.in.Agent.Title + " leaves the file out; looser: Glob and LS still show the names of what lies below where they look",
	})
}
