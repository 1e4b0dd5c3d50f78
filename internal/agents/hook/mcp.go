package hook

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/policy"
)

// mcpPrefix and mcpMiddle make the one name of a tool of an MCP server:
// mcp__SERVER__TOOL.
const (
	mcpPrefix = "mcp__"
	mcpMiddle = "__"
)

// A joining is how an agent makes one name of an MCP server and its tool; with the zero
// value it uses the one name.
type joining struct{ prefix, between string }

// mcpName returns the one name of a tool, and where it was joined in another way the name
// as the agent has it, without the prefix. What joins them may stand in the names of
// servers and of tools as well, so that the place of the right one is a guess: the first,
// but of hyphens before the first underscore the last, since names of tools are written
// with underscores more often than those of servers. [Event.Spell] knows better.
func (a *Agent) mcpName(tool string) (name, joined string) {
	between := a.mcp.between
	rest, ok := strings.CutPrefix(tool, a.mcp.prefix)
	at := strings.Index(rest, between)
	if between == "" || !ok || at < 1 || strings.HasPrefix(tool, mcpPrefix) {
		return tool, ""
	}
	if _, own := policy.ToolNamed(tool); own {
		return tool, ""
	}
	if head, _, ok := strings.Cut(rest, "_"); ok && between == "-" {
		at = max(at, strings.LastIndexByte(head, '-'))
	}
	if at+len(between) == len(rest) {
		return tool, ""
	}
	return mcpPrefix + rest[:at] + mcpMiddle + rest[at+len(between):], rest
}

// Spell gives the tool of an MCP server the name that a policy has for it, of
// those that it has for tools. Agents join the names of server and tool in
// their own ways, and write other characters for some: the server docs-api is
// docs_api in Codex. A name of the policy that fits as a whole wins, and else
// the longest server that fits.
func (e *Event) Spell(names []string) {
	rest, ok := strings.CutPrefix(e.Call.Tool, mcpPrefix)
	if !ok || e.joined == "" && slices.Contains(names, e.Call.Tool) {
		return
	}
	best := ""
	for _, name := range names {
		own, ok := strings.CutPrefix(name, mcpPrefix)
		server, tool, parted := strings.Cut(own, mcpMiddle)
		if !ok || !parted || server == "" || strings.ContainsAny(server, "*?") {
			continue
		}
		if !strings.ContainsAny(tool, "*?") && plain(own) == plain(rest) ||
			e.joined != "" && plain(server+e.between+tool) == plain(e.joined) {
			e.Call.Tool = name
			return
		}
		if len(server) > len(best) && e.isOf(server, rest) {
			best = server
		}
	}
	switch {
	case best == "":
	case e.joined != "":
		e.Call.Tool = mcpPrefix + best + mcpMiddle + e.joined[len(best)+len(e.between):]
	default:
		e.Call.Tool = mcpPrefix + best + rest[len(best):]
	}
}

// isOf reports whether the tool of the call is one of a server. rest is its
// name after the prefix.
func (e *Event) isOf(server, rest string) bool {
	name, middle := rest, mcpMiddle
	if e.joined != "" {
		name, middle = e.joined, e.between
	}
	n := len(server)
	return len(name) > n+len(middle) && plain(name[:n]) == plain(server) && name[n:n+len(middle)] == middle
}

// plain writes an underscore for what some agent replaces in names.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '.' || r == '/' || r == ' ' {
			return '_'
		}
		return r
	}, name)
}
