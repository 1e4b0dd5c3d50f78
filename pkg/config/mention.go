package config

import (
	"maps"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/internal/support/spelling"
	"github.com/policyctl/policyctl/pkg/permission"
	"go.yaml.in/yaml/v3"
)

// A mention is a name of a tool or a group outside the section tools.
type mention struct {
	n    *yaml.Node
	what subject
	text string
	// match is the pattern to which an exception belongs.
	match string
	// allows says that a pattern is of an allow.
	allows bool
}

// A subject is what a mention names.
type subject int

const (
	aTool subject = iota
	aGroup
	aPermission // a pattern that begins with a tool
	anExcept    // the same, of an exception
)

func (d *decoder) mention(n *yaml.Node, what subject, text, match string) {
	d.mentions = append(d.mentions, mention{n: n, what: what, text: text, match: match})
}

// checkMentions warns of names that nothing has: such an entry does nothing.
func (d *decoder) checkMentions(known *names) {
	tools, groups := known.sorted(), slices.Sorted(maps.Keys(known.groups))
	for _, m := range d.mentions {
		if len(d.problems) > maxProblems {
			tools, groups = nil, nil // nobody reads so many hints, and each takes its time
		}
		switch m.what {
		case aTool:
			d.checkName(m, known, tools)
		case aGroup:
			d.checkGroup(m, known, groups)
		case aPermission:
			d.checkPermission(m, known, tools)
		case anExcept:
			d.checkExcept(m, known)
		}
	}
}

func (d *decoder) checkName(m mention, known *names, all []string) {
	_, ok := known.owner(m.text)
	switch {
	case strings.ContainsAny(m.text, "*?"):
		d.fail(m.n, "%s is not a single tool: wildcards work under permissions only", clip.Quote(m.text))
	case !ok:
		d.warn(m.n, spelling.Nearest(m.text, all), "%s is not a known tool; if an agent has it, declare it under tools", clip.Line(m.text))
	}
}

func (d *decoder) checkGroup(m mention, known *names, all []string) {
	if !known.groups[m.text] {
		d.warn(m.n, spelling.Nearest(m.text, all), "no tool belongs to the group %s", clip.Quote(m.text))
	}
}

// checkPermission takes fewer words for misspelt tools than elsewhere, because
// most are programs.
func (d *decoder) checkPermission(m mention, known *names, all []string) {
	word := firstWord(m.text)
	owner, ok := known.owner(word)
	why := permission.Mistake(m.text, func(name string) (permission.Tool, bool) {
		owner, ok := known.owner(name)
		return permission.Tool{Name: owner}, ok
	})
	switch {
	case why != "" && m.allows && !ok:
		d.warn(m.n, "", "%s allows nothing: %s", clip.Quote(m.text), why)
		return
	case why != "" && !m.allows:
		d.fail(m.n, "%s denies nothing and asks about nothing: %s", clip.Quote(m.text), why)
		return
	case word == fileSystem:
		d.checkOperation(m)
		return
	case ok && owner == shellTool && !m.allows:
		d.checkBare(m)
		return
	case ok || strings.ContainsAny(word, "*?"):
		return
	}
	tools := slices.DeleteFunc(slices.Clone(all), func(name string) bool {
		return !strings.HasPrefix(spelling.Fold(name), spelling.Fold(word[:1]))
	})
	if hint := spelling.Alike(word, tools, len(word)/3); hint != "" {
		d.warn(m.n, hint, "%s is not a known tool; if an agent has it, declare it under tools", clip.Line(word))
		return
	}
	d.warn(m.n, "", "%s is not a known tool, so that only calls of a tool with that name match; to match the shell command write `shell %s`", clip.Line(word), clip.Line(m.text))
}

// shellTool is the tool whose subject is a command.
const shellTool = "shell"

// checkBare warns of a deny or an ask that names a program without arguments.
func (d *decoder) checkBare(m mention) {
	_, subject, _ := strings.Cut(strings.TrimSpace(m.text), " ")
	if words := strings.Fields(subject); len(words) == 1 && !strings.ContainsAny(words[0], "*?") {
		d.warn(m.n, "", "%s covers the call without arguments alone; to cover it with arguments too, write `shell %s *`", clip.Quote(m.text), clip.Line(words[0]))
	}
}

// checkOperation checks the word that follows file_system.
func (d *decoder) checkOperation(m mention) {
	operations := []string{"read", "write", "edit"}
	op := firstWord(strings.TrimLeft(strings.TrimPrefix(m.text, fileSystem), " "))
	if !slices.Contains(operations, op) {
		d.suggest(m.n, spelling.Nearest(op, operations), "file_system is followed by one of %s and a path, not by %s",
			strings.Join(operations, ", "), clip.Quote(op))
	}
}

func (d *decoder) checkExcept(m mention, known *names) {
	tool := firstWord(m.match)
	want, _ := known.owner(tool)
	got, _ := known.owner(firstWord(m.text))
	switch {
	case !strings.Contains(m.text, " "):
		d.fail(m.n, "the exception %s has no subject: write it like match, with a tool and a pattern", clip.Quote(m.text))
	case got != want && tool != "*":
		d.warn(m.n, "", "the exception `%s` does not begin with the tool of its permission: write `%s %s`",
			clip.Line(m.text), clip.Line(tool), clip.Line(m.text))
	}
}

func firstWord(pattern string) string {
	word, _, _ := strings.Cut(pattern, " ")
	return word
}
