package foreign

import (
	"strings"

	"github.com/policyctl/policyctl/internal/authoring/draft"
	"github.com/policyctl/policyctl/pkg/policy"
)

// writeClaude writes settings of Claude Code, or of Qwen Code.
func writeClaude(x *export) []byte {
	o := &object{}
	lists := &object{}
	for _, action := range []policy.Decision{policy.Deny, policy.Ask, policy.Allow} {
		entries := x.say(action, x.claudePhrase)
		if action != policy.Deny {
			entries = append(entries, x.asksBeside(action)...)
		}
		lists.set(action.String(), entries)
	}
	x.restUnsaid()
	o.set("permissions", lists)
	return o.bytes()
}

// asksBeside returns asks for what an allow excepts.
func (x *export) asksBeside(action policy.Decision) []string {
	var out []string
	for i := range x.items {
		it := &x.items[i]
		if action != policy.Ask || it.action != policy.Allow || it.aim != aimCommand {
			continue
		}
		for _, glob := range it.except {
			excepted := item{action: policy.Ask, match: it.match, tool: it.tool, aim: it.aim, glob: glob}
			out = append(out, x.claudePhrase(&excepted).entries...)
		}
	}
	return out
}

// restUnsaid notes that tools without a permission are treated in a way that
// the agent cannot say.
func (x *export) restUnsaid() {
	if x.rest != policy.Unset {
		differs := keepHook + "the agent itself decides about what no entry names"
		x.notes = append(x.notes, draft.Note{Entry: "tool_policy.default " + x.rest.String(), Differs: differs})
	}
}

// claudePhrase returns the entry for an item.
func (x *export) claudePhrase(it *item) phrase {
	refuses := it.action != policy.Allow
	wider := ""
	if refuses && len(it.except) > 0 {
		if it.glob == "*" && it.action == policy.Ask {
			return phrase{why: "what nothing allows asks there anyway, but for what " + x.agent.Title + " itself allows"}
		}
		wider = "wider: it also refuses what the permission excepts"
	}
	switch it.aim {
	case aimCommand:
		return x.claudeCommand(it, wider)
	case aimRead, aimWrite:
		tool := map[aim]string{aimRead: "Read", aimWrite: "Edit"}[it.aim]
		if it.glob == "*" {
			return phrase{entries: []string{tool}, wider: wider}
		}
		paths, ok := ignored(it, refuses)
		if !ok {
			return phrase{why: "no pattern of paths there says it"}
		}
		return phrase{entries: called(tool, paths), wider: wider}
	case aimFetch:
		return x.hostPhrase(it, wider, func(h host) []string {
			switch {
			case h.all:
				return []string{"WebFetch"}
			case h.below:
				return []string{"WebFetch(domain:*." + h.name + ")"}
			}
			return []string{"WebFetch(domain:" + h.name + ")"}
		})
	case aimServer:
		if it.glob != "*" {
			return phrase{why: "rules of MCP tools have no arguments there"}
		}
		return phrase{entries: []string{it.tool}}
	}
	name := claudeTool(it.tool)
	if it.glob != "*" || strings.Contains(name, "*") {
		return phrase{why: "no rule there says it"}
	}
	return phrase{entries: []string{name}, wider: wider}
}

// claudeTool returns what Claude Code calls a tool.
func claudeTool(name string) string {
	if known := draft.ToolOf(name); known != "" {
		return known
	}
	return name
}

// called returns NAME(ARGUMENT) for each argument.
func called(name string, args []string) []string {
	var out []string
	for _, a := range args {
		out = append(out, name+"("+strings.NewReplacer("(", `\(`, ")", `\)`).Replace(a)+")")
	}
	return out
}

// claudeCommand returns the entries for commands.
func (x *export) claudeCommand(it *item, wider string) phrase {
	globs, w, why := spellings(it)
	if wider == "" {
		wider = w
	}
	if why != "" {
		return phrase{why: why}
	}
	for i := range globs {
		if globs[i] == "*" {
			return phrase{entries: []string{"Bash"}, wider: wider}
		}
	}
	return phrase{entries: called("Bash", globs), wider: wider}
}

// spellings returns the patterns that say a permission of commands in a language
// in which a star stands for any text, and is the only wildcard. A refusal means
// what follows its words too, and its options also behind others.
func spellings(it *item) (globs []string, wider, why string) {
	glob, changed := starred(it.glob)
	c := commandOf(it.glob)
	if it.action == policy.Allow {
		if changed {
			return nil, "", "it has a question mark"
		}
		return []string{glob}, "", ""
	}
	if changed {
		wider = "wider: a star in place of a question mark"
	}
	if !c.isPrefix() && !c.isExact() {
		return []string{glob}, wider, ""
	}
	if c.isAlone() {
		return []string{quotedText(c.words)}, wider, ""
	}
	before, options := c.options()
	head, tail := quotedText(before), quotedText(options)
	if len(options) == 0 {
		if c.isPrefix() && head == "" {
			return []string{"*"}, wider, ""
		}
		return []string{head + " *"}, wider, ""
	}
	return []string{head + " " + tail + " *", head + " * " + tail, head + " * " + tail + " *"}, wider, ""
}

// quotedText returns words as a pattern without wildcards.
func quotedText(words []string) string {
	var out []string
	for _, w := range words {
		out = append(out, escapedStars(w))
	}
	return strings.Join(out, " ")
}

// hostPhrase returns the entries for hosts.
func (x *export) hostPhrase(it *item, wider string, entries func(host) []string) phrase {
	if it.action == policy.Allow {
		h, ok := x.hostAllowed(it)
		if !ok {
			return phrase{why: "permissions there are of hosts, with every page and both schemes"}
		}
		return phrase{entries: entries(h)}
	}
	h, ok := hostOf(it, true)
	if !ok {
		return phrase{why: "permissions there are of hosts"}
	}
	out := entries(h)
	if !h.all && !h.below && strings.HasPrefix(it.glob, "*") {
		out = append(out, entries(host{name: h.name, below: true})...)
	}
	if !h.all && wider == "" {
		wider = "it means every page of the host, and no other URL that mentions it"
	}
	return phrase{entries: out, wider: wider}
}
