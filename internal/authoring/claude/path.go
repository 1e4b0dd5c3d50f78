package claude

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/policy"
)

// reader imports a rule for tools that read files.
func (im *importer) reader(action policy.Decision, r rule) {
	switch {
	case r.spec == "" && action == policy.Allow && r.tool == "Read":
		im.add(action, r, "read", pattern{subject: "*"})
	case action == policy.Allow && r.tool != "Read":
		im.drop(action, r, "the same: searching and listing are not asked about")
	case r.spec == "" && r.tool == "Read":
		im.treat(action, r, "read", "grep", "glob", "list")
	case r.spec == "":
		im.treat(action, r, map[string]string{"Grep": "grep", "Glob": "glob", "LS": "list", "NotebookRead": "read"}[r.tool])
	case action == policy.Allow:
		im.allowPath(r, "read")
	default:
		if im.refusePath(action, r, "read") {
			im.reads = true
			im.note(action, r, "stricter: "+anywhere(r.spec)+"shell commands that read it")
		}
	}
}

// writer imports a rule for tools that edit files.
func (im *importer) writer(action policy.Decision, r rule) {
	all := []string{"edit", "multi_edit", "write", "apply_patch"}
	own := map[string][]string{"Edit": all, "Write": {"write"}, "MultiEdit": {"multi_edit"}, "NotebookEdit": {"edit"}}[r.tool]
	switch {
	case r.spec == "" && action != policy.Allow:
		im.treat(action, r, own...)
	case r.spec == "" && r.tool == "Edit":
		im.writes = true
		im.add(action, r, "write", pattern{subject: "*"})
	case r.spec == "" && r.tool == "NotebookEdit":
		im.drop(action, r, "stricter: it asks, since policyctl knows it as the tool edit, which is wider")
	case r.spec == "":
		im.writes = true
		im.treat(action, r, own...)
	case action == policy.Allow && r.tool != "Edit":
		im.drop(action, r, "the same: Claude Code reads paths from Edit(…) only")
	case action == policy.Allow:
		im.writes = im.allowPath(r, "write") || im.writes
	default:
		if im.refusePath(action, r, "write") {
			im.note(action, r, "stricter: "+anywhere(r.spec)+"shell commands that write it")
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

// treat treats whole tools; of several treatments the strictest stays.
func (im *importer) treat(action policy.Decision, r rule, tools ...string) {
	to := map[policy.Decision]policy.Treatment{policy.Deny: policy.Denied, policy.Ask: policy.Supervised, policy.Allow: policy.Allowed}[action]
	for _, t := range tools {
		if old, ok := im.policy.Treated[t]; !ok || to < old {
			im.policy.Treated[t] = to
		}
	}
	if len(tools) > 1 || action == policy.Ask || strings.HasPrefix(r.tool, "Notebook") {
		im.policy.Notes = append(im.policy.Notes, Note{
			entry(action, r), "tool_policy " + to.String() + " for " + strings.Join(tools, ", "),
			"it names the tools, and an approval that is stored answers an ask",
		})
	}
}
