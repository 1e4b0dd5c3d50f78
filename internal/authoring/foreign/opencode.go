package foreign

import (
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/internal/authoring/draft"
	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/policy"
)

// OpenCode has permissions by tool and pattern, of which the last that matches
// wins: "permission", an object, up to version 1, and "permissions", a list of
// rules, from version 2. A star stands for any text, slashes included. Read in
// anomalyco/opencode (packages/web/src/content/docs/permissions.mdx,
// packages/opencode/src/permission) and at https://opencode.ai/docs/permissions.
var openCode = &Agent{
	user:    []string{".config/opencode/opencode.json", ".config/opencode/opencode.jsonc"},
	project: []string{"opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"},
	Agent:   &draft.Agent{Name: "opencode", Title: "OpenCode", Shell: "commands", ToolAlone: true, ToolGlobs: true, OptionalEnd: true},
	read:    readOpenCode, write: writeOpenCode, Written: "opencode.json",
	Exact:    "commands, paths, URLs and tools by pattern; the order, as exceptions of what a later rule allows",
	Stricter: "denied and asked paths count for shell commands too; a wide deny also counts where a later allow cannot be said exactly",
	Left: "permissions of single agents; patterns of `glob`, `grep`, `list`, `task` and `skill`; `external_directory` and `doom_loop`, " +
		"which policyctl has its own ways for",
}

func readOpenCode(s *Source, in *draft.Input) error {
	top, err := parseJSON(s)
	if err != nil {
		return err
	}
	r := &openCodeReader{source: s, in: in, rank: projectRank(s)}
	if n := top.Entry("tools"); n != nil && n.Kind == document.Map {
		r.switches(n)
	}
	permission, rules := top.Entry("permission"), top.Entry("permissions")
	if permission != nil {
		r.permission(permission)
	}
	if rules != nil {
		r.rules(rules)
	}
	r.agents(top)
	if len(in.Entries) > 0 && in.Rest == policy.Unset {
		in.Note("calls that no rule matches", "what policyctl's own stages say", "stricter: OpenCode allows them")
	}
	if len(in.Entries) == 0 && len(in.Notes) == 0 {
		return fmt.Errorf("%s: has no permission: %w", s.Path, draft.ErrNothing)
	}
	return nil
}

// projectRank is where the ranks of a file begin: what a project says wins over
// what a user says.
func projectRank(s *Source) int {
	if s.Root != "" {
		return 1 << 20
	}
	return 0
}

// An openCodeReader reads rules, of which each wins over those before it.
type openCodeReader struct {
	source *Source
	in     *draft.Input
	rank   int
}

// openCodeActions are what rules do.
var openCodeActions = map[string]policy.Decision{"allow": policy.Allow, "ask": policy.Ask, "deny": policy.Deny}

// switches reads the older object that turns tools off.
func (r *openCodeReader) switches(n *document.Node) {
	for i := range n.Keys {
		if n.Items[i].Kind == document.Bool && n.Items[i].Text == "false" {
			r.rule(n.Keys[i].Text, "*", policy.Deny, "tools "+clipped(n.Keys[i].Text)+" false")
		}
	}
}

// permission reads the object, or the one word for all tools.
func (r *openCodeReader) permission(n *document.Node) {
	if n.Kind == document.Text {
		r.one("*", "*", n)
		return
	}
	if n.Kind != document.Map {
		r.leave("permission", n.Line, "it is neither a word nor an object", false)
		return
	}
	for i := range n.Keys {
		tool, value := n.Keys[i].Text, &n.Items[i]
		if value.Kind != document.Map {
			r.one(tool, "*", value)
			continue
		}
		for j := range value.Keys {
			r.one(tool, value.Keys[j].Text, &value.Items[j])
		}
	}
}

// rules reads the list of rules.
func (r *openCodeReader) rules(n *document.Node) {
	if n.Kind != document.List {
		r.leave("permissions", n.Line, "they are no list of rules", false)
		return
	}
	for i := range n.Items {
		item := &n.Items[i]
		tool, resource, effect := text(item.Entry("action")), text(item.Entry("resource")), item.Entry("effect")
		if item.Kind != document.Map || tool == "" || resource == "" || effect == nil {
			r.leave(fmt.Sprintf("rule %d", i+1), item.Line, "it has no action, resource and effect", false)
			continue
		}
		r.one(tool, resource, effect)
	}
}

// one reads what is to happen where a pattern matches.
func (r *openCodeReader) one(tool, pattern string, action *document.Node) {
	entry := clipped(tool + " " + pattern)
	d, ok := openCodeActions[text(action)]
	if !ok {
		r.leave(entry, action.Line, "it says neither allow nor ask nor deny", false)
		return
	}
	if draft.Hidden(tool) || draft.Hidden(pattern) {
		r.leave(d.String()+" "+entry, action.Line, "it has characters that cannot be seen", d == policy.Allow)
		return
	}
	r.rule(tool, pattern, d, entry)
}

func (r *openCodeReader) leave(entry string, line int, why string, allows bool) {
	leave(r.in, r.source, entry, line, why, allows)
}

// openCodeTools are what entries call OpenCode's tools. What another agent calls
// a tool means nothing there.
var openCodeTools = map[string]string{
	"bash": "Bash", "shell": "Bash", "read": "Read", "edit": "Edit", "glob": "Glob", "grep": "Grep", "list": "LS", "webfetch": "WebFetch",
	"websearch": "WebSearch", "codesearch": "WebSearch", "task": "Task", "subagent": "Task", "todowrite": "TodoWrite", "todoread": "TodoWrite",
}

// whole are the tools whose patterns the import does not read.
var whole = map[string]bool{"Grep": true, "Glob": true, "LS": true, "Task": true, "skill": true, "TodoWrite": true, "WebSearch": true}

// rule adds the entries of a rule.
func (r *openCodeReader) rule(tool, pattern string, d policy.Decision, entry string) {
	r.rank++
	e := draft.Entry{Action: d, Text: entry, Rank: r.rank, Flat: true}
	switch tool {
	case "*":
		r.all(e, pattern)
		return
	case "external_directory", "doom_loop":
		r.own(tool, pattern, e)
		return
	}
	if why := setTool(&e, tool, openCodeTools[tool]); why != "" {
		r.leave(d.String()+" "+entry, 0, why, true)
		return
	}
	switch {
	case pattern == "*" || pattern == "**":
		pattern, e.All = "", true
	case whole[e.Tool] && d == policy.Allow:
		r.in.Note(d.String()+" "+entry, "", "stricter: left out; policyctl does not tell these calls of the tool from others")
		return
	case whole[e.Tool]:
		pattern, e.Rough = "", true
		r.in.Note(d.String()+" "+entry, "all calls of the tool", "stricter: policyctl does not tell these calls from others")
	}
	e.Spec = openCodeSpec(e.Tool, pattern)
	r.in.Add(e)
	if server, name, ok := strings.Cut(e.Tool, "_"); ok && e.Tool == tool && draft.ToolOf(tool) == "" {
		r.server(e, server, name)
	}
}

// server adds the entry of a tool of an MCP server, which OpenCode calls
// SERVER_TOOL. Where the name of the server ends is certain only if there is one
// underscore.
func (r *openCodeReader) server(e draft.Entry, server, name string) {
	if e.Tool = mcpTool(server, name); e.Tool == "" || e.Action == policy.Allow && strings.Contains(name, "_") {
		return
	}
	e.Spec = ""
	r.in.Add(e)
}

// openCodeSpec returns a pattern as entries have it.
func openCodeSpec(tool, pattern string) string {
	if rest, ok := strings.CutPrefix(pattern, "$HOME"); ok {
		pattern = "~" + rest
	}
	if tool == "Bash" && strings.ContainsAny(pattern, "\\") {
		return strings.ReplaceAll(pattern, `\`, `\\`)
	}
	return pattern
}

// all adds the entries of a rule for all tools.
func (r *openCodeReader) all(e draft.Entry, pattern string) {
	if pattern != "*" && pattern != "**" {
		r.leave(e.Action.String()+" "+e.Text, 0, "it is about any tool with this pattern", e.Action == policy.Allow)
		return
	}
	if len(r.in.Entries) > 0 {
		r.in.Note("the rules before "+e.Text, "", "the same: the last rule that matches wins, and this one matches everything")
		r.in.Entries = nil
	}
	e.All = true
	for _, tool := range everyTool {
		e.Tool = tool
		r.in.Add(e)
	}
	r.in.Rest = policy.Unset
	if e.Action != policy.Allow {
		r.in.Rest = draft.Treatment(e.Action)
	}
}

// everyTool are the tools of entries that stand for all.
var everyTool = []string{"Bash", "Read", "Grep", "Glob", "LS", "Edit", "WebFetch", "WebSearch", "Task"}

// own says what becomes of what policyctl has its own ways for.
func (r *openCodeReader) own(tool, pattern string, e draft.Entry) {
	named := pattern != "*" && pattern != "**"
	switch {
	case tool == "external_directory" && named && e.Action != policy.Allow:
		for _, t := range []string{"Read", "Edit"} {
			e.Tool, e.Spec = t, openCodeSpec(t, pattern)
			r.in.Add(e)
		}
		return
	case tool == "external_directory" && e.Action == policy.Deny:
		r.leave("deny "+e.Text, 0, "no permission means all directories beside the project; writing there asks", false)
	default:
		r.in.Note(e.Action.String()+" "+e.Text, "", "policyctl has its own way: it asks about writing beside the project, and stops calls that repeat")
	}
}

// agents says what becomes of permissions of single agents.
func (r *openCodeReader) agents(top *document.Node) {
	for _, key := range []string{"agent", "agents", "mode"} {
		agents := top.Entry(key)
		if agents == nil || agents.Kind != document.Map {
			continue
		}
		for i := range agents.Keys {
			for _, name := range []string{"permission", "permissions"} {
				if n := agents.Items[i].Entry(name); n != nil {
					r.leave("the permissions of the agent "+clipped(agents.Keys[i].Text), n.Line, "a policy knows no agent's own permissions", false)
				}
			}
		}
	}
}
