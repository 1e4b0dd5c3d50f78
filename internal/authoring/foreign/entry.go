package foreign

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/authoring/draft"
	"github.com/policyctl/policyctl/pkg/policy"
)

// place says where an entry is.
func place(line int, s *Source) string {
	if line == 0 {
		return s.Path + ": "
	}
	return fmt.Sprintf("line %d of %s: ", line, s.Path)
}

// clipped returns a text on one line, and of a long one the beginning.
func clipped(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > 100 {
		text = string(runes[:99]) + "…"
	}
	return draft.Visible(text)
}

// leave notes that an entry is left out.
func leave(in *draft.Input, s *Source, entry string, line int, why string, allows bool) {
	differs := "LOOSER: left out; "
	if allows {
		differs = "stricter: left out; "
	}
	in.Note(entry, "", differs+place(line, s)+why)
}

// shown returns a value that is one of those that exist: any other may be a
// secret that got to the wrong place.
func shown(value string, known []string, otherwise string) string {
	if slices.Contains(known, value) {
		return value
	}
	return otherwise
}

// mcpTool returns the name of an MCP tool in entries, of all tools of a server
// where the tool is "", and "" for what is no name.
func mcpTool(server, tool string) string {
	for _, c := range server + tool {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.ContainsRune("_-.*", c)) {
			return ""
		}
	}
	switch {
	case server == "":
		return ""
	case tool == "":
		return "mcp__" + server + "__*"
	}
	return "mcp__" + server + "__" + tool
}

// prefixed returns the pattern of commands that begin with a text.
func prefixed(s string) string {
	s = strings.TrimSpace(s)
	if strings.HasSuffix(s, " *") || s == "*" {
		return s
	}
	return strings.TrimSuffix(s, ":*") + " *"
}

// workspacePath returns a pattern of paths as entries have it: a relative one
// begins at the workspace.
func workspacePath(p string) string {
	switch {
	case p == "", strings.HasPrefix(p, "~/"), strings.HasPrefix(p, "./"):
		return p
	case path.IsAbs(p):
		return "/" + p
	}
	return "./" + p
}

// setTool sets the tool of an entry, known as such or by its name. What another
// agent calls a tool allows nothing, and refuses what was probably meant.
func setTool(e *draft.Entry, name, known string) (why string) {
	other := draft.ToolOf(name)
	switch {
	case known != "":
		e.Tool = known
	case other != "" && e.Action == policy.Allow:
		return "the agent has no tool of this name"
	case other != "":
		e.Tool = other
	default:
		e.Tool = name
	}
	return ""
}
