package draft

import (
	"strings"
	"unicode"

	"github.com/tailscale/hujson"
)

// Hidden reports whether a text has characters that a reader does not see.
func Hidden(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool {
		return unicode.In(c, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co)
	})
}

// Uncommented returns JSON without the comments and trailing commas that some
// agents take, all else in its place. What cannot be read is returned as it is.
func Uncommented(data []byte) []byte {
	plain, err := hujson.Standardize([]byte(string(data) + "\n")) // a comment ends with its line
	if err != nil {
		return data
	}
	return plain
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
