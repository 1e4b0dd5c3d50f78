package draft

import (
	"strings"
	"unicode"
)

// Hidden reports whether a text has characters that a reader does not see.
func Hidden(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool {
		return unicode.In(c, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co)
	})
}

// tools are the names of tools in entries, by policyctl's.
var tools = map[string]string{
	"shell": "Bash", "read": "Read", "write": "Write", "edit": "Edit", "multi_edit": "MultiEdit", "grep": "Grep", "glob": "Glob",
	"list": "LS", "fetch": "WebFetch", "web_search": "WebSearch", "task": "Task", "todo": "TodoWrite", "skill": "Skill",
}

// ToolOf returns what entries call the tool of any agent, "" for one that
// policyctl does not know by that name.
func ToolOf(name string) string {
	own, known := canonical(name)
	if !known {
		return ""
	}
	return tools[own]
}
