package foreign

import (
	"github.com/policyctl/policyctl/internal/authoring/draft"
	"github.com/policyctl/policyctl/pkg/policy"
)

// fileTools are the tools of entries whose argument is a path.
var fileTools = map[string]bool{"Read": true, "Edit": true, "Write": true, "MultiEdit": true}

// argued says what becomes of a rule that compares arguments: a deny of paths or
// of pages is one, and another one asks about the whole tool.
func (r *geminiRule) argued(tool, expr string) {
	if r.entry.Action == policy.Allow || tool == "shell" || tool == "*" || !plainName(tool) {
		r.leave("a policy does not compare the arguments of a tool with an expression")
		return
	}
	e := r.entry
	if e.Tool = draft.ToolOf(tool); e.Tool == "" {
		e.Tool = tool
	}
	patterns, ok := fromPathRegexp(expr)
	if e.Tool == "WebFetch" {
		patterns, ok = fromURLRegexp(expr)
	}
	if ok && (fileTools[e.Tool] || e.Tool == "WebFetch") {
		e.Flat, e.Rough = true, true
		for _, p := range patterns {
			e.Spec = p
			r.in.Add(e)
		}
		return
	}
	e.Action, e.Rough = policy.Ask, true
	r.in.Add(e)
	r.in.Note(r.name, "an ask about every call of the tool", place(r.node.Line, r.source)+
		"a policy does not compare its arguments with an expression; a call that was denied asks, and so do others")
}
