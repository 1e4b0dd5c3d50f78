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

// Depth returns how deep the brackets of a text nest at most.
func Depth(data []byte) int {
	depth, most := 0, 0
	for _, c := range data {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		most = max(most, depth)
	}
	return most
}

// deepest is how deep JSON with comments may nest.
const deepest = 1000

// Uncommented returns JSON without the comments and trailing commas that some
// agents take, all else in its place. What cannot be read is returned as it is.
func Uncommented(data []byte) []byte {
	if Depth(data) > deepest {
		return data // hujson knows no bound, and whoever reads JSON does
	}
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
