package claude

import (
	"errors"
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/internal/authoring/draft"
	"github.com/policyctl/policyctl/internal/support/spelling"
)

// tools are the tools of Claude Code, to find misspelt ones.
var tools = []string{
	"Agent", "AskUserQuestion", "Bash", "BashOutput", "Edit", "EnterWorktree", "ExitPlanMode", "ExitWorktree", "Glob", "Grep",
	"KillShell", "LS", "LSP", "Monitor", "MultiEdit", "NotebookEdit", "NotebookRead", "PowerShell", "Read", "Skill",
	"SlashCommand", "Task", "TodoRead", "TodoWrite", "WebFetch", "WebSearch", "Write",
}

// parse reads the text of an entry, "Tool" or "Tool(specifier)".
func (r reader) parse(e *draft.Entry) error {
	spec, ok := "", false
	e.Tool, spec, ok = strings.Cut(e.Text, "(")
	switch {
	case draft.Hidden(e.Text):
		return errors.New("has characters that cannot be seen: remove them")
	case strings.TrimSpace(e.Text) == "":
		return errors.New("is empty: remove it, or write a tool such as Bash")
	case ok && !strings.HasSuffix(spec, ")"):
		return errors.New("has no closing parenthesis at its end: write it as Tool(specifier)")
	case !isName(e.Tool):
		return errors.New("does not begin with the name of a tool: write it as Tool or Tool(specifier)")
	}
	e.Tool = r.tool(e.Tool)
	if near := misnamed(e.Tool); near != "" {
		return fmt.Errorf("is not a tool of %s: did you mean %s?", r.form.Agent.Title, near)
	}
	r.specify(e, strings.TrimSuffix(spec, ")"))
	return nil
}

// tool returns the name that Claude Code has for a tool of the agent.
func (r reader) tool(name string) string {
	if r.form.names == nil {
		return name
	}
	if known := r.form.names[strings.TrimSuffix(name, "Tool")]; known != "" {
		return known
	}
	return name
}

// specify sets the pattern of an entry.
func (r reader) specify(e *draft.Entry, spec string) {
	e.Spec = strings.NewReplacer(`\(`, "(", `\)`, ")").Replace(spec)
	if t := strings.TrimSpace(e.Spec); t == "*" || t == ":*" || t == "" {
		e.Spec, e.All = "", t == "*"
	}
	if r.form.hosts && e.Tool == "WebFetch" && e.Spec != "" && !strings.HasPrefix(e.Spec, "domain:") {
		e.Spec = "domain:" + e.Spec
	}
}

// mend returns what an entry that cannot be read means at least, for a deny or an ask; it is
// false where nothing shows the tool.
func (r reader) mend(e draft.Entry) (draft.Entry, bool) {
	tool, spec, _ := strings.Cut(e.Text, "(")
	tool = r.tool(tool)
	if near := misnamed(tool); near != "" {
		tool = near
	}
	if tool == "" || !isName(tool) {
		return e, false
	}
	e.Tool = tool
	spec = strings.TrimSuffix(strings.TrimSpace(spec), ")")
	r.specify(&e, strings.Join(strings.FieldsFunc(spec, func(c rune) bool { return c != '\n' && draft.Hidden(string(c)) }), "*"))
	return e, true
}

func isName(s string) bool {
	for _, c := range s {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.ContainsRune("_-.*", c)) {
			return false
		}
	}
	return s != ""
}

// misnamed returns the tool that was probably meant, "" for a tool that exists
// and for one that may.
func misnamed(tool string) string {
	if strings.HasPrefix(tool, "mcp__") {
		return ""
	}
	near := ""
	for _, t := range tools {
		switch {
		case t == tool:
			return ""
		case strings.EqualFold(t, tool), len(t) > 3 && spelling.Distance(strings.ToLower(tool), strings.ToLower(t)) <= 1:
			near = t
		}
	}
	return near
}
