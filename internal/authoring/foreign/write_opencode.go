package foreign

import (
	"strings"

	"github.com/policyctl/policyctl/internal/authoring/draft"
	"github.com/policyctl/policyctl/pkg/policy"
)

// writeOpenCode writes a configuration of OpenCode. The last rule that matches
// wins there, so that what allows comes first; what nothing allows asks.
func writeOpenCode(x *export) []byte {
	t := &openCodeTables{tools: map[string]*object{}}
	if x.rest == policy.Denied {
		t.rule("*", "*", "deny")
	} else {
		t.rule("*", "*", "ask")
		for _, name := range []string{"glob", "list", "todoread", "todowrite"} {
			t.rule(name, "*", "allow") // they show names alone, where read may show a secret
		}
	}
	plain := func(it *item) bool { return !x.excepts(it) }
	late := func(it *item) bool { return !x.early(it) }
	denied, asked := x.sayOf(policy.Deny, plain, x.openCodePhrase), x.sayOf(policy.Ask, plain, x.openCodePhrase)
	deniedBut, askedBut := x.sayOf(policy.Deny, x.excepts, x.openCodePhrase), x.sayOf(policy.Ask, x.excepts, x.openCodePhrase)
	early, allowed := x.sayOf(policy.Allow, x.early, x.openCodePhrase), x.sayOf(policy.Allow, late, x.openCodePhrase)
	for _, entries := range [][]string{early, askedBut, deniedBut, allowed, asked, denied} {
		t.all(entries)
	}
	o := &object{}
	o.set("$schema", "https://opencode.ai/config.json")
	o.set("permission", t.object())
	return o.bytes()
}

// An openCodeTables is the rules by tool, each in the order in which they count.
type openCodeTables struct {
	order []string
	tools map[string]*object
}

// all adds entries.
func (t *openCodeTables) all(entries []string) {
	for _, e := range entries {
		tool, glob, _ := strings.Cut(e, " ")
		glob, does, _ := strings.Cut(glob, "\x00")
		t.rule(tool, glob, does)
	}
}

// rule adds a rule behind the others of its tool; an older one of the same
// pattern goes.
func (t *openCodeTables) rule(tool, glob, does string) {
	table := t.tools[tool]
	if table == nil {
		table = &object{}
		t.tools[tool], t.order = table, append(t.order, tool)
	}
	for i, key := range table.keys {
		if key == glob {
			table.keys = append(table.keys[:i], table.keys[i+1:]...)
			table.values = append(table.values[:i], table.values[i+1:]...)
			break
		}
	}
	table.set(glob, does)
}

// object returns the tables, of which one rule for all calls is a word.
func (t *openCodeTables) object() *object {
	o := &object{}
	for _, tool := range t.order {
		table := t.tools[tool]
		if len(table.keys) == 1 && table.keys[0] == "*" {
			o.set(tool, table.values[0])
			continue
		}
		o.set(tool, table)
	}
	return o
}

// openCodePhrase returns "TOOL PATTERN\x00ACTION" for an item, and the same of
// what it excepts, which asks.
func (x *export) openCodePhrase(it *item) phrase {
	does := it.action.String()
	var out []string
	add := func(tool, glob, does string) { out = append(out, tool+" "+glob+"\x00"+does) }
	tool := map[aim]string{aimCommand: "bash", aimRead: "read", aimWrite: "edit", aimFetch: "webfetch"}[it.aim]
	switch it.aim {
	case aimServer:
		if it.glob != "*" {
			return phrase{why: "its rules of MCP tools have no arguments"}
		}
		server, name, _ := strings.Cut(strings.TrimPrefix(it.tool, "mcp__"), "__")
		add(server+"_"+name, "*", does)
		return phrase{entries: out}
	case aimTool:
		name := openCodeName(it.tool)
		if it.glob != "*" || name == "" {
			return phrase{why: "its rules do not say it"}
		}
		add(name, "*", does)
		return phrase{entries: out}
	}
	if strings.Contains(it.glob, `\`) {
		return phrase{why: "its patterns have no quoted stars"}
	}
	globs := []string{it.glob}
	if it.aim == aimCommand && it.action != policy.Allow {
		globs = plainSpellings(it)
	}
	why := ""
	if refuses := it.action != policy.Allow; refuses && (it.aim == aimRead || it.aim == aimWrite) {
		if rest, ok := strings.CutPrefix(it.glob, "*/"); ok {
			globs = append(globs, rest) // a path in the project is relative to it
		}
		if strings.HasPrefix(it.glob, "/") {
			why = "a path in the project is compared as one relative to it"
		}
	}
	for _, glob := range globs {
		add(tool, glob, does)
	}
	if why != "" {
		return phrase{entries: out, why: why}
	}
	if it.action != policy.Allow && !x.excepts(it) && len(it.except) > 0 {
		return phrase{entries: out, wider: "wider: it also refuses what the permission excepts"}
	}
	for _, glob := range it.except {
		add(tool, glob, "ask")
	}
	return phrase{entries: out}
}

// plainSpellings returns the patterns of a refusal of commands in a language
// without quoting.
func plainSpellings(it *item) []string {
	c := commandOf(it.glob)
	before, options := c.options()
	if !c.isPrefix() && !c.isExact() || c.isAlone() {
		return []string{it.glob}
	}
	head, tail := strings.Join(before, " "), strings.Join(options, " ")
	switch {
	case head == "":
		return []string{"*"}
	case tail == "":
		return []string{head + " *"}
	}
	return []string{head + " " + tail + " *", head + " * " + tail, head + " * " + tail + " *"}
}

// openCodeName returns what OpenCode calls a tool, "" for none.
func openCodeName(tool string) string {
	switch draft.ToolOf(tool) {
	case "Grep":
		return "grep"
	case "Glob":
		return "glob"
	case "LS":
		return "list"
	case "Task":
		return "task"
	case "WebSearch":
		return "websearch"
	case "Read":
		return "read"
	case "Edit", "Write", "MultiEdit":
		return "edit"
	case "WebFetch":
		return "webfetch"
	case "Bash":
		return "bash"
	case "TodoWrite":
		return "todowrite"
	case "Skill":
		return "skill"
	}
	if strings.ContainsAny(tool, ".:") {
		return ""
	}
	return tool
}
