package foreign

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/policyctl/policyctl/internal/authoring/draft"
	"github.com/policyctl/policyctl/pkg/policy"
)

// geminiWords are the decisions of rules.
var geminiWords = map[policy.Decision]string{policy.Deny: "deny", policy.Ask: "ask_user", policy.Allow: "allow"}

// writeGemini writes a file of rules.
func writeGemini(x *export) []byte {
	var b strings.Builder
	b.WriteString("# Written by policyctl. The rule of the highest priority that matches counts.\n")
	plain := func(it *item) bool { return !x.excepts(it) }
	late := func(it *item) bool { return !x.early(it) }
	for _, level := range []struct {
		action   policy.Decision
		priority int
		which    func(*item) bool
	}{
		{policy.Deny, 900, plain}, {policy.Ask, 800, plain}, {policy.Deny, 500, x.excepts}, {policy.Ask, 400, x.excepts},
		{policy.Allow, 700, late}, {policy.Allow, 300, x.early},
	} {
		for _, rule := range x.sayOf(level.action, level.which, x.geminiPhrase) {
			decision, priority := geminiWords[level.action], level.priority
			if excepted, ok := strings.CutPrefix(rule, "\x00"); ok {
				decision, priority, rule = geminiWords[policy.Ask], priority+50, excepted
			}
			fmt.Fprintf(&b, "\n[[rule]]\n%s\ndecision = %q\npriority = %d\n", rule, decision, priority)
		}
	}
	if x.rest == policy.Denied {
		b.WriteString("\n[[rule]]\ntoolName = \"*\"\ndecision = \"deny\"\npriority = 1\n")
	}
	return []byte(b.String())
}

// shellRule is how a rule for commands begins.
const shellRule = "toolName = \"run_shell_command\"\n"

// geminiPhrase returns the conditions of the rules for an item. What it excepts
// asks, and begins with a NUL.
func (x *export) geminiPhrase(it *item) phrase {
	refuses := it.action != policy.Allow
	switch it.aim {
	case aimCommand:
		return x.geminiCommand(it)
	case aimServer:
		server, name, _ := strings.Cut(strings.TrimPrefix(it.tool, "mcp__"), "__")
		if it.glob != "*" || strings.Contains(server, "*") {
			return phrase{why: "its rules name a server, without arguments"}
		}
		rule := "mcpName = " + jsonText(server)
		if name != "*" && name != "" {
			if strings.Contains(name, "*") {
				return phrase{why: "its rules name a tool in full"}
			}
			rule += "\ntoolName = " + jsonText(name)
		}
		return phrase{entries: []string{rule}}
	case aimFetch:
		if it.glob == "*" {
			return phrase{entries: []string{`toolName = "web_fetch"`}}
		}
		h, ok := hostOf(it, true)
		if !refuses || !ok {
			return phrase{why: "its tool takes several URLs in a text"}
		}
		rule := "toolName = \"web_fetch\"\nargsPattern = " + jsonText(`[/.@"\s]`+regexp.QuoteMeta(h.name))
		return phrase{entries: []string{rule}, wider: "wider: every call of the tool that mentions the host"}
	case aimRead, aimWrite:
		return geminiPath(it)
	}
	name := geminiName(it.tool)
	if it.glob != "*" || name == "" {
		return phrase{why: "its rules do not say it"}
	}
	return phrase{entries: []string{"toolName = " + jsonText(name)}}
}

// geminiTools are Gemini CLI's names of tools, by those of entries.
var geminiTools = map[string]string{
	"Bash": "run_shell_command", "Read": "read_file", "Edit": "replace", "MultiEdit": "replace", "Write": "write_file", "Grep": "grep_search",
	"Glob": "glob", "LS": "list_directory", "WebFetch": "web_fetch", "WebSearch": "google_web_search", "TodoWrite": "write_todos",
}

func geminiName(tool string) string {
	if known := draft.ToolOf(tool); known != "" {
		return geminiTools[known]
	}
	if strings.ContainsAny(tool, ":") {
		return ""
	}
	return tool
}

// geminiPath returns the rule for paths, which are compared as they are written.
func geminiPath(it *item) phrase {
	tools := map[aim]string{
		aimRead: `toolName = ["read_file", "read_many_files"]`, aimWrite: `toolName = ["write_file", "replace"]`,
	}[it.aim]
	if it.glob == "*" && len(it.except) == 0 {
		return phrase{entries: []string{tools}}
	}
	if it.action == policy.Allow {
		return phrase{why: "its rules compare a path as it is written, upwards too"}
	}
	wider := "it compares the path as the call has it"
	if len(it.except) > 0 {
		wider = "wider: it also refuses what the permission excepts"
	}
	glob := it.glob
	if glob == "*" {
		return phrase{entries: []string{tools}, wider: wider}
	}
	start := `"`
	switch {
	case strings.HasPrefix(glob, "~/"):
		start, glob = `/`, glob[2:]
	case strings.HasPrefix(glob, "*/"):
		start, glob = `["/]`, glob[2:]
	case !strings.HasPrefix(glob, "/"):
		start = `["/]`
	}
	expr, ok := globRegexp(glob, `.*`)
	if !ok {
		return phrase{why: "its rules do not say it"}
	}
	end := `"`
	if strings.HasSuffix(glob, "*") {
		end = ""
	}
	return phrase{entries: []string{tools + "\nargsPattern = " + jsonText(start+expr+end)}, wider: wider}
}

// globRegexp returns the expression for a pattern in the JSON of arguments, with
// what its stars stand for; false where it has characters that JSON escapes.
func globRegexp(glob, star string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; {
		case c == '\\' && i+1 < len(glob) && glob[i+1] != '\\':
			i++
			b.WriteString(regexp.QuoteMeta(glob[i : i+1]))
		case c == '\\', c == '"', c < ' ', c > '~':
			return "", false
		case c == '*':
			b.WriteString(star)
		case c == '?':
			b.WriteString(".")
		case c == ' ':
			b.WriteString(`\s+`)
		default:
			b.WriteString(regexp.QuoteMeta(string(c)))
		}
	}
	return b.String(), true
}

// geminiCommand returns the rules for commands.
func (x *export) geminiCommand(it *item) phrase {
	if it.glob == "*" && len(it.except) == 0 {
		return phrase{entries: []string{strings.TrimSuffix(shellRule, "\n")}}
	}
	out, why := geminiCommands(it.glob, it.action)
	if why != "" {
		return phrase{why: why}
	}
	if it.action != policy.Allow && len(it.except) > 0 && !x.excepts(it) {
		return phrase{entries: out, wider: "wider: it also refuses what the permission excepts"}
	}
	for _, glob := range it.except {
		// What an allow excepts may be more, and what a refusal excepts may be less.
		narrow := map[bool]policy.Decision{true: policy.Ask, false: policy.Allow}[it.action == policy.Allow]
		excepted, why := geminiCommands(glob, narrow)
		if why != "" && it.action == policy.Allow {
			return phrase{why: "its rules do not say what the permission excepts"}
		}
		for _, e := range excepted {
			out = append(out, "\x00"+e)
		}
	}
	return phrase{entries: out}
}

// geminiCommands returns the conditions for a pattern of commands.
func geminiCommands(glob string, action policy.Decision) (out []string, why string) {
	if glob == "*" {
		return []string{strings.TrimSuffix(shellRule, "\n")}, ""
	}
	c := commandOf(glob)
	if c.isPrefix() || c.isExact() && action != policy.Allow && !c.isAlone() {
		out = append(out, shellRule+"commandPrefix = "+jsonText(c.text()))
		if before, options := c.options(); len(options) > 0 && action != policy.Allow {
			head, ok1 := globRegexp(quotedText(before), "")
			tail, ok2 := globRegexp(quotedText(options), "")
			if ok1 && ok2 {
				out = append(out, shellRule+"commandRegex = "+jsonText(head+`\s.*`+tail+`[\s"]`))
			}
		}
		return out, ""
	}
	star := `.*`
	if action == policy.Allow {
		star = `[^"]*`
	}
	body, tail := strings.CutSuffix(glob, " *")
	expr, ok := globRegexp(body, star)
	if !ok {
		return nil, "its expressions compare JSON, in which this is written otherwise"
	}
	end := `"`
	switch {
	case tail:
		end = `[\s"]`
	case strings.HasSuffix(glob, "*"):
		end = ""
	case action != policy.Allow && !c.isAlone():
		end = `[\s"]`
	}
	return []string{shellRule + "commandRegex = " + jsonText(expr+end)}, ""
}
