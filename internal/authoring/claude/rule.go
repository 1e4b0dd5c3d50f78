package claude

import (
	"errors"
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/internal/support/spelling"
)

// A rule is one entry of the permissions, "Tool" or "Tool(specifier)".
type rule struct {
	text string
	tool string
	// spec is the specifier, "" for all calls of the tool: "Tool()" and
	// "Tool(*)" mean them too. star says that it was the latter.
	spec string
	star bool
}

// tools are the tools of Claude Code, to find misspelt ones.
var tools = []string{
	"Agent", "AskUserQuestion", "Bash", "BashOutput", "Edit", "EnterWorktree", "ExitPlanMode", "ExitWorktree", "Glob", "Grep",
	"KillShell", "LS", "LSP", "Monitor", "MultiEdit", "NotebookEdit", "NotebookRead", "PowerShell", "Read", "Skill",
	"SlashCommand", "Task", "TodoRead", "TodoWrite", "WebFetch", "WebSearch", "Write",
}

func parseRule(text string) (rule, error) {
	r := rule{text: text}
	spec, ok := "", false
	r.tool, spec, ok = strings.Cut(text, "(")
	switch {
	case hidden(text):
		return r, errors.New("has characters that cannot be seen: remove them")
	case strings.TrimSpace(text) == "":
		return r, errors.New("is empty: remove it, or write a tool such as Bash")
	case ok && !strings.HasSuffix(spec, ")"):
		return r, errors.New("has no closing parenthesis at its end: write it as Tool(specifier)")
	case !isName(r.tool):
		return r, errors.New("does not begin with the name of a tool: write it as Tool or Tool(specifier)")
	}
	if near := misnamed(r.tool); near != "" {
		return r, fmt.Errorf("is not a tool of Claude Code: did you mean %s?", near)
	}
	spec = strings.TrimSuffix(spec, ")")
	r.spec = strings.NewReplacer(`\(`, "(", `\)`, ")").Replace(spec)
	if t := strings.TrimSpace(r.spec); t == "*" || t == ":*" || t == "" {
		r.spec, r.star = "", t == "*"
	}
	return r, nil
}

// mend returns what a rule that cannot be read means at least, for a deny or an ask; it is
// false where nothing shows the tool.
func mend(r rule) (rule, bool) {
	tool, spec, _ := strings.Cut(r.text, "(")
	if near := misnamed(tool); near != "" {
		tool = near
	}
	if tool == "" || !isName(tool) {
		return r, false
	}
	spec = strings.TrimSuffix(strings.TrimSpace(spec), ")")
	spec = strings.Join(strings.FieldsFunc(spec, func(c rune) bool { return c != '\n' && hidden(string(c)) }), "*")
	r.tool, r.spec = tool, strings.NewReplacer(`\(`, "(", `\)`, ")").Replace(spec)
	if t := strings.TrimSpace(r.spec); t == "*" || t == ":*" || t == "" {
		r.spec, r.star = "", t == "*"
	}
	return r, true
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
