package foreign

import (
	"strings"

	"github.com/policyctl/policyctl/internal/authoring/draft"
	"github.com/policyctl/policyctl/pkg/policy"
)

// An aim is what an item is about.
type aim int

const (
	aimCommand aim = iota
	aimRead
	aimWrite
	aimFetch
	aimServer // a tool of an MCP server
	aimTool   // any other tool
)

// An item is one permission of a policy.
type item struct {
	action policy.Decision
	// match is the permission as the policy has it.
	match string
	aim   aim
	// tool is the tool's name, and glob the subject, "*" for all calls.
	tool, glob string
	// except are the globs that it does not match.
	except []string
}

// aimOf returns what permissions of a tool are about.
func aimOf(tool string) aim {
	if strings.HasPrefix(tool, "mcp__") {
		return aimServer
	}
	switch draft.ToolOf(tool) {
	case "Bash":
		return aimCommand
	case "Read":
		return aimRead
	case "Edit", "Write", "MultiEdit":
		return aimWrite
	case "WebFetch":
		return aimFetch
	}
	return aimTool
}

// meets reports whether two items may mean the same call. Commands of one
// program may always: a refusal means it in other spellings too.
func (r *item) meets(it *item) bool {
	if r.tool == "*" {
		return true
	}
	if r.aim != it.aim {
		return (r.aim == aimTool || it.aim == aimTool) && aimOf(r.tool) == aimOf(it.tool)
	}
	switch r.aim {
	case aimCommand:
		a, b := program(r.glob), program(it.glob)
		return a == b || strings.ContainsAny(a+b, "*?")
	case aimServer, aimTool:
		return globsMeet(r.tool, it.tool)
	}
	return globsMeet(r.glob, it.glob)
}

// program returns the first word of a pattern of commands.
func program(glob string) string {
	first, _, _ := strings.Cut(glob, " ")
	return first
}

// globsMeet reports whether two patterns match a common text.
func globsMeet(a, b string) bool {
	reach := make([]bool, len(b)+1)
	reach[0] = true
	for j := 0; j < len(b) && b[j] == '*'; j++ {
		reach[j+1] = true
	}
	for i := range len(a) {
		next := make([]bool, len(b)+1)
		next[0] = a[i] == '*' && reach[0]
		for j := range len(b) {
			switch {
			case a[i] == '*' || b[j] == '*':
				next[j+1] = reach[j] || reach[j+1] && a[i] == '*' || next[j] && b[j] == '*' || reach[j+1] && b[j] == '*' || next[j] && a[i] == '*'
			default:
				next[j+1] = reach[j] && (a[i] == b[j] || a[i] == '?' || b[j] == '?')
			}
		}
		reach = next
	}
	return reach[len(b)]
}
