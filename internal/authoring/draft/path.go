package draft

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/policy"
)

// reader imports a rule for tools that read files.
func (b *builder) reader(e *Entry) {
	switch {
	case e.Spec == "" && e.Action == policy.Allow && e.Tool == "Read":
		b.add(e, "read", pattern{subject: "*"})
	case e.Spec == "" && b.excepts(e, "read"):
		b.reads = true
		b.add(e, "read", pattern{subject: "*"})
		b.note(e, "stricter: also shell commands that read other files")
	case e.Action == policy.Allow && e.Tool != "Read":
		b.drop(e, "the same: searching and listing are not asked about")
	case e.Spec == "" && e.Tool == "Read":
		b.treat(e, "read", "grep", "glob", "list")
	case e.Spec == "":
		b.treat(e, map[string]string{"Grep": "grep", "Glob": "glob", "LS": "list", "NotebookRead": "read"}[e.Tool])
	case e.Action == policy.Allow:
		b.allowPath(e, "read")
	default:
		if b.refusePath(e, "read") {
			b.reads = true
			b.note(e, "stricter: "+anywhere(e.Spec)+"shell commands that read it")
		}
	}
}

// writer imports a rule for tools that edit files.
func (b *builder) writer(e *Entry) {
	all := []string{"edit", "multi_edit", "write", "apply_patch"}
	own := map[string][]string{"Edit": all, "Write": {"write"}, "MultiEdit": {"multi_edit"}, "NotebookEdit": {"edit"}}[e.Tool]
	switch {
	case e.Spec == "" && e.Action == policy.Ask && b.excepts(e, "write"):
		b.drop(e, asksAnyway)
	case e.Spec == "" && b.excepts(e, "write"):
		b.add(e, "write", pattern{subject: "*"})
		b.note(e, "stricter: also shell commands that write other files")
	case e.Spec == "" && e.Action != policy.Allow:
		b.treat(e, own...)
	case e.Spec == "" && e.Tool == "Edit":
		b.writes = true
		b.add(e, "write", pattern{subject: "*"})
	case e.Spec == "" && e.Tool == "NotebookEdit":
		b.drop(e, "stricter: it asks, since policyctl knows it as the tool edit, which is wider")
	case e.Spec == "":
		b.writes = true
		b.treat(e, own...)
	case e.Action == policy.Allow && e.Tool != "Edit" && b.in.Agent.PathsOfEdit:
		b.drop(e, "the same: "+b.in.Agent.Title+" reads paths from Edit(…) only")
	case e.Action == policy.Allow && e.Tool != "Edit" && b.in.Agent.WritesApart:
		b.drop(e, "stricter: it asks, since policyctl does not tell writing a file from editing it")
	case e.Action == policy.Allow:
		b.writes = b.allowPath(e, "write") || b.writes
	default:
		if b.refusePath(e, "write") {
			b.note(e, "stricter: "+anywhere(e.Spec)+"shell commands that write it")
		}
	}
}

// anywhere says where a refused path counts beside the place that the rule
// means.
func anywhere(spec string) string {
	if strings.HasPrefix(spec, "//") || strings.HasPrefix(spec, "~") {
		return "also "
	}
	return "such a path in any directory, and "
}

// Treatment returns what a tool policy says for a decision.
func Treatment(d policy.Decision) policy.Treatment {
	switch d {
	case policy.Allow:
		return policy.Allowed
	case policy.Ask:
		return policy.Supervised
	}
	return policy.Denied
}

// treat treats whole tools; of several treatments the strictest stays.
func (b *builder) treat(e *Entry, tools ...string) {
	to := Treatment(e.Action)
	for _, t := range tools {
		if old, ok := b.out.Treated[t]; !ok || to < old {
			b.out.Treated[t] = to
		}
	}
	if len(tools) > 1 || e.Action == policy.Ask || strings.HasPrefix(e.Tool, "Notebook") {
		b.out.Notes = append(b.out.Notes, Note{
			named(e), "tool_policy " + to.String() + " for " + strings.Join(tools, ", "),
			"it names the tools, and an approval that is stored answers an ask",
		})
	}
}
