package foreign

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/internal/authoring/draft"
	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/policy"
)

// Gemini CLI has rules with priorities in files of TOML, of which the highest
// that matches wins, and older lists in settings.json. Read in
// google-gemini/gemini-cli (docs/reference/policy-engine.md,
// packages/core/src/policy).
//
// A rule for commands compares the JSON of the arguments: a prefix ends at a
// blank or at the end of the command, and an expression begins with the command
// and has no end.
var gemini = &Agent{
	user:    []string{".gemini/policies/*.toml", ".gemini/settings.json"},
	project: []string{".gemini/policies/*.toml", ".gemini/settings.json"},
	Agent: &draft.Agent{
		Name: "gemini", Title: "Gemini CLI", Shell: "commands", ToolAlone: true, ToolGlobs: true,
		Commands: "; Gemini CLI itself asks about a line with a redirection, unless the rule allows it",
	},
	read: readGemini, write: writeGemini, Written: "a file of ~/.gemini/policies",
	Exact: "`commandPrefix`, tools, `mcpName`, simple `commandRegex`; priorities, as exceptions of what a higher rule allows; " +
		"`tools.allowed` and `tools.exclude`",
	Stricter: "a deny with `modes`, `subagent`, `interactive` or `toolAnnotations` counts always; another `commandRegex` that denies " +
		"becomes a rule about the line; a deny with other arguments (`argsPattern`) asks about the whole tool",
	Left: "an allow with such a condition, or for a mode other than `default`; what counts in the mode `plan` alone",
}

func readGemini(s *Source, in *draft.Input) error {
	if path.Ext(s.Path) == ".json" {
		return readGeminiSettings(s, in)
	}
	top, err := parseTOML(s, in)
	if err != nil {
		return err
	}
	rules := top.Entry("rule")
	if rules == nil && len(in.Notes) == 0 {
		return fmt.Errorf("%s: has no [[rule]]: %w", s.Path, draft.ErrNothing)
	}
	if rules == nil {
		return nil
	}
	if rules.Kind != document.List {
		return fmt.Errorf("%s:%d: rule is no list: write [[rule]]", s.Path, rules.Line)
	}
	for i := range rules.Items {
		r := &geminiRule{node: &rules.Items[i], source: s, in: in, at: i}
		r.read()
	}
	return nil
}

// A geminiRule reads one rule.
type geminiRule struct {
	node   *document.Node
	source *Source
	in     *draft.Input
	at     int
	// entry is what the entries of the rule have in common.
	entry draft.Entry
	// name is what people read of the rule.
	name string
}

// geminiDecisions are the decisions of rules.
var geminiDecisions = map[string]policy.Decision{"allow": policy.Allow, "deny": policy.Deny, "ask_user": policy.Ask}

// geminiKeys are the keys of a rule. Any other may be a condition.
var geminiKeys = []string{
	"toolName", "mcpName", "commandPrefix", "commandRegex", "argsPattern", "decision", "priority", "modes", "interactive", "subagent",
	"toolAnnotations", "denyMessage", "deny_message", "allowRedirection", "allow_redirection", "name", "description",
}

func (r *geminiRule) leave(why string) {
	leave(r.in, r.source, r.name, r.node.Line, why, r.entry.Action == policy.Allow)
}

// read adds the entries of the rule.
func (r *geminiRule) read() {
	r.name = fmt.Sprintf("rule %d", r.at+1)
	if r.node.Kind != document.Map {
		r.leave("it is no table")
		return
	}
	decision, known := geminiDecisions[text(r.node.Entry("decision"))]
	if !known {
		r.leave("its decision is neither allow nor deny nor ask_user")
		return
	}
	r.entry.Action = decision
	tools, okTools := stringList(r.node.Entry("toolName"))
	prefixes, okPrefixes := stringList(r.node.Entry("commandPrefix"))
	parts := append(slices.Concat(tools, prefixes), text(r.node.Entry("mcpName")), text(r.node.Entry("commandRegex")))
	r.entry.Text = strings.TrimSpace(clipped(strings.Join(parts, " ")))
	r.name = decision.String() + " " + r.entry.Text
	if !okTools || !okPrefixes {
		r.leave("toolName and commandPrefix are texts or lists of texts")
		return
	}
	if draft.Hidden(strings.Join(slices.Concat(tools, prefixes), "") + text(r.node.Entry("mcpName"))) {
		r.leave("it has characters that cannot be seen")
		return
	}
	priority, err := strconv.Atoi(number(r.node.Entry("priority")))
	if err != nil || priority < 0 || priority > 999 {
		r.leave("its priority is no number from 0 to 999")
		return
	}
	tier := 4
	if r.source.Root != "" {
		tier = 3
	}
	r.entry.Rank = (tier*1000+priority)*10000 + max(0, 9999-r.at)
	if !r.conditions() {
		return
	}
	r.entries(tools, prefixes)
}

// conditions reports whether the rule counts here. A condition that a policy
// does not have keeps an allow from counting, and leaves a deny or an ask
// without it.
func (r *geminiRule) conditions() bool {
	var has []string
	for i := range r.node.Keys {
		if key := r.node.Keys[i].Text; !slices.Contains(geminiKeys, key) {
			has = append(has, clipped(key))
		}
	}
	for _, key := range []string{"interactive", "subagent", "toolAnnotations"} {
		if r.node.Entry(key) != nil {
			has = append(has, key)
		}
	}
	modes, ok := stringList(r.node.Entry("modes"))
	if len(modes) == 1 && modes[0] == "plan" {
		r.in.Note(r.name, "", place(r.node.Line, r.source)+"it counts in the mode plan alone")
		return false
	}
	if !ok || len(modes) > 0 && (r.entry.Action != policy.Allow || !slices.Contains(modes, "default")) {
		has = append(has, "modes")
	}
	if len(has) == 0 {
		return true
	}
	if r.entry.Action == policy.Allow {
		r.leave("a policy does not know its condition " + strings.Join(has, ", "))
		return false
	}
	r.entry.Rough = true
	r.in.Note(r.name, "the same without a condition", "stricter: "+place(r.node.Line, r.source)+"a policy does not know "+strings.Join(has, ", "))
	return true
}

// entries adds the entries of the rule for its tools.
func (r *geminiRule) entries(tools, prefixes []string) {
	server := r.node.Entry("mcpName")
	regex, args := r.node.Entry("commandRegex"), r.node.Entry("argsPattern")
	switch {
	case server != nil:
		if args != nil && r.entry.Action == policy.Allow {
			r.leave("a policy does not compare the arguments of a tool with an expression")
			return
		}
		if len(tools) == 0 {
			tools = []string{"*"}
		}
		for _, tool := range tools {
			r.server(text(server), tool)
		}
	case len(prefixes) > 0 || regex != nil:
		if len(tools) != 1 || tools[0] != "run_shell_command" {
			r.leave("commandPrefix and commandRegex are for toolName = \"run_shell_command\"")
			return
		}
		invalid := r.node.Entry("toolName").Kind != document.Text || regex != nil && len(prefixes) > 0 || args != nil
		if invalid && r.entry.Action == policy.Allow {
			r.leave("Gemini CLI refuses a rule with commands beside a list of tools, an expression or other arguments")
			return
		}
		for _, prefix := range prefixes {
			r.prefix(prefix)
		}
		if regex != nil {
			r.regex(text(regex))
		}
	case len(tools) == 0:
		r.leave("it has neither toolName nor mcpName")
	default:
		for _, tool := range tools {
			r.tool(tool, args)
		}
	}
}

// prefix adds the entry of a prefix, which ends at a blank or with the command.
func (r *geminiRule) prefix(prefix string) {
	e := r.entry
	e.Tool = "Bash"
	if e.Spec = escapedStars(strings.TrimRight(prefix, " ")) + " *"; strings.TrimSpace(prefix) == "" {
		r.leave("its commandPrefix is empty")
		return
	}
	r.in.Add(e)
}

// regex adds what an expression means: the patterns that say the same, or a rule
// about the line.
func (r *geminiRule) regex(expr string) {
	patterns, exact := fromRegexp(expr, r.entry.Action == policy.Allow)
	narrow, _ := fromRegexp(expr, true)
	e := r.entry
	e.Tool, e.Rough = "Bash", e.Rough || !slices.Equal(patterns, narrow)
	switch {
	case exact:
		for _, p := range patterns {
			e.Spec, e.More = strings.CutSuffix(p, " ?*")
			if e.More {
				e.Spec += " *"
			}
			r.in.Add(e)
		}
	case e.Action == policy.Allow:
		r.leave("no pattern says the same as this expression")
	default:
		if e.Line = lineRegexp(expr); e.Line == "" {
			r.leave("a rule cannot say this expression")
			return
		}
		e.Spec = expr
		r.in.Add(e)
	}
}

// server adds the entry of a tool of an MCP server, by the name that Gemini CLI
// has for it and by the one that all agents share.
func (r *geminiRule) server(server, tool string) {
	if tool == "*" {
		tool = ""
	}
	e := r.entry
	if server == "*" && tool == "" {
		if e.Action == policy.Allow {
			r.leave("it names no server")
			return
		}
		for _, all := range []string{"mcp__*", "mcp_*"} {
			e.Tool = all
			r.in.Add(e)
		}
		return
	}
	if e.Tool = mcpTool(server, tool); e.Tool == "" {
		r.leave("it names no tool of a server")
		return
	}
	r.in.Add(e)
	if tool == "" {
		tool = "*"
	}
	e.Tool = "mcp_" + server + "_" + tool
	r.in.Add(e)
}

// tool adds the entry of a tool.
func (r *geminiRule) tool(name string, args *document.Node) {
	e := r.entry
	known := geminiTool(name)
	rest, own := strings.CutPrefix(name, "mcp_")
	switch {
	case name == "run_shell_command" && args != nil:
		expr, ok := strings.CutPrefix(text(args), `"command":"`)
		if !ok {
			r.argued("shell", "")
			return
		}
		r.regex(expr)
		return
	case args != nil:
		r.argued(name, text(args))
		return
	case name == "*":
		for _, tool := range everyTool {
			e.Tool = tool
			r.in.Add(e)
		}
		if e.Action != policy.Allow {
			r.in.Rest = draft.Treatment(e.Action)
		}
		return
	case own:
		server, tool, _ := strings.Cut(rest, "_")
		r.server(server, tool)
		return
	case strings.Contains(name, "__"):
		server, tool, _ := strings.Cut(name, "__")
		r.server(server, tool)
		return
	case known == "" && !plainName(name):
		r.leave("it names no tool")
		return
	default:
		if why := setTool(&e, name, known); why != "" {
			r.leave(why)
			return
		}
	}
	r.in.Add(e)
}

// geminiTool returns what entries call a tool of Gemini CLI, "" for another
// agent's name: it means nothing there.
func geminiTool(name string) string {
	if strings.ToLower(name) != name || !strings.Contains(name, "_") && name != "replace" && name != "glob" {
		return ""
	}
	return draft.ToolOf(name)
}

// plainName reports whether a text may name a tool.
func plainName(s string) bool { return s != "*" && mcpTool("x", s) != "" && s != "" }
