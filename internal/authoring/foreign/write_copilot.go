package foreign

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/policy"
)

// writeCopilot writes options for a command line: only there can Copilot's CLI
// deny a tool.
func writeCopilot(x *export) []byte {
	var options []string
	for _, e := range x.say(policy.Deny, x.copilotPhrase) {
		options = append(options, copilotWord("--deny-", e))
	}
	x.say(policy.Ask, func(*item) phrase {
		return phrase{why: "its options allow and deny; what neither names asks"}
	})
	for _, e := range x.say(policy.Allow, x.copilotPhrase) {
		options = append(options, copilotWord("--allow-", e))
	}
	x.restUnsaid()
	return []byte(strings.Join(append([]string{"copilot"}, options...), " \\\n  ") + "\n")
}

// copilotWord returns an option in the quotes of a shell.
func copilotWord(option, entry string) string {
	kind, value, _ := strings.Cut(entry, " ")
	return option + kind + "='" + strings.ReplaceAll(value, "'", `'\''`) + "'"
}

// copilotPhrase returns "tool VALUE" or "url VALUE" for an item.
func (x *export) copilotPhrase(it *item) phrase {
	wider := ""
	if len(it.except) > 0 && it.aim != aimFetch {
		if it.action == policy.Allow {
			return phrase{why: "its options have no exceptions"}
		}
		wider = "wider: it also refuses what the permission excepts"
	}
	switch it.aim {
	case aimCommand:
		return copilotShell(it, wider)
	case aimRead, aimWrite:
		kind := map[aim]string{aimRead: "read", aimWrite: "write"}[it.aim]
		switch {
		case it.glob == "*":
			return phrase{entries: []string{"tool " + kind}, wider: wider}
		case hasWildcard(it.glob), strings.ContainsAny(it.glob, `(),\`):
			return phrase{why: "a path there has no wildcards"}
		}
		return phrase{entries: []string{"tool " + kind + "(" + it.glob + ")"}, wider: wider}
	case aimFetch:
		return x.hostPhrase(it, wider, func(h host) []string {
			switch {
			case h.all:
				return []string{"tool url"}
			case h.below:
				return []string{"url *." + h.name}
			}
			return []string{"url " + h.name}
		})
	case aimServer:
		server, tool, _ := strings.Cut(strings.TrimPrefix(it.tool, "mcp__"), "__")
		switch {
		case it.glob != "*" || strings.Contains(server, "*") || server == "":
			return phrase{why: "its options name a server, without arguments"}
		case tool == "*":
			return phrase{entries: []string{"tool " + server}}
		case strings.Contains(tool, "*"):
			return phrase{why: "its options name a tool in full"}
		}
		return phrase{entries: []string{"tool " + server + "(" + tool + ")"}}
	}
	return phrase{why: "its options do not name such a tool"}
}

// copilotShell returns the option for commands: words, or words and what follows
// them.
func copilotShell(it *item, wider string) phrase {
	c := commandOf(it.glob)
	switch {
	case it.glob == "*":
		return phrase{entries: []string{"tool shell"}, wider: wider}
	case len(c.words) == 0, !c.isPrefix() && !c.isExact():
		return phrase{why: "a star there stands at the end alone"}
	case strings.ContainsAny(c.text(), "(),"):
		return phrase{why: "its options have no parentheses and commas in a command"}
	case c.isExact() && it.action == policy.Allow, c.isAlone():
		return phrase{entries: []string{"tool shell(" + c.text() + ")"}}
	}
	return phrase{entries: []string{"tool shell(" + c.text() + ":*)"}, wider: wider}
}
