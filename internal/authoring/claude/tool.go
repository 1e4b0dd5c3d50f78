package claude

import (
	"maps"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/policy"
)

// mcp imports a rule for a server, or for one of its tools.
func (im *importer) mcp(action policy.Decision, r rule) {
	name := r.tool
	parts := strings.SplitN(strings.TrimPrefix(name, "mcp__"), "__", 2)
	switch {
	case action == policy.Allow && strings.Contains(parts[0], "*"):
		im.drop(action, r, "stricter: it asks, since the name of the server is not written out")
		return
	case r.spec != "" && action == policy.Allow:
		im.drop(action, r, "stricter: it asks, since rules of MCP tools have no specifier")
		return
	case len(parts) == 1 && !strings.HasSuffix(name, "*"):
		name += "__*"
	case !strings.Contains(name, "*"):
		var ok bool
		if name, ok = im.declare(action, r, Tool{Kind: "mcp", Risk: "high"}); !ok {
			return
		}
	}
	im.add(action, r, name, pattern{})
	if r.spec != "" {
		im.note(action, r, "stricter: every call, since rules of MCP tools have no specifier")
	}
}

// same are the tools that policyctl knows as tools of their own. Of others it
// may know only that they do what a wider tool does.
const same = " WebSearch BashOutput KillShell TodoWrite Task Agent "

// other imports a rule for any other tool, of which the arguments do not
// count.
func (im *importer) other(action policy.Decision, r rule) {
	name, known := canonical(r.tool)
	wild := strings.Contains(r.tool, "*")
	wider := known && !strings.Contains(same, " "+r.tool+" ")
	switch {
	case action == policy.Allow && (r.spec != "" || wild || wider):
		im.drop(action, r, "stricter: it asks, since policyctl does not tell these calls from others")
		return
	case !known && !wild:
		var ok bool
		if name, ok = im.declare(action, r, Tool{Kind: "other", Risk: "high"}); !ok {
			return
		}
	}
	im.add(action, r, name, pattern{subject: "*"})
	if r.spec != "" || wider {
		im.note(action, r, "stricter: every call of the tool, since policyctl does not tell these from others")
	}
}

// declare declares the tool of a rule, so that a policy may name it. Names that
// differ only in case cannot stand beside each other: then a deny or an ask is
// of all names that begin so, and an allow is dropped.
func (im *importer) declare(action policy.Decision, r rule, t Tool) (name string, ok bool) {
	taken := slices.Collect(maps.Keys(im.policy.Tools))
	for _, b := range policy.BuiltinTools() {
		taken = append(append(taken, b.Name), b.Aliases...)
	}
	if !slices.ContainsFunc(taken, func(n string) bool { return n != r.tool && strings.EqualFold(n, r.tool) }) {
		im.policy.Tools[r.tool] = t
		return r.tool, true
	}
	if action == policy.Allow {
		im.drop(action, r, "stricter: it asks, since another tool has this name in another case")
		return "", false
	}
	return r.tool + "*", true
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

// protected are the paths that Claude Code asks about whatever is allowed.
var protected = []string{
	"*/.git", "*/.git/*", "*/.claude/*", "*/.vscode/*", "*/.idea/*", "*/.husky/*", "*/.gitconfig", "*/.gitmodules", "*/.bashrc", "*/.bash_profile",
	"*/.zshrc", "*/.zprofile", "*/.profile", "*/.mcp.json", "*/.claude.json",
}

// guard adds what keeps the imported permissions from being looser than those
// of Claude Code.
func (im *importer) guard() {
	if im.writes {
		for _, path := range protected {
			im.policy.Permissions = append(im.policy.Permissions, Permission{
				policy.Permission{Match: "write " + path, Action: policy.Ask, EveryTime: true},
				"paths that Claude Code protects whatever is allowed",
			})
		}
	}
	if !im.reads {
		return
	}
	im.policy.Notes = append(im.policy.Notes, Note{
		"all rules of Read that deny or ask", "the same for searches",
		"a search of Grep that would read such a file is answered as reading it, where Claude Code leaves the file out; looser: Glob and LS still show the names of what lies below where they look",
	})
}
