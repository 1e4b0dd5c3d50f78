package policy

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/permission"
	"github.com/policyctl/policyctl/pkg/sensitive"
)

// The autoApprovals are what the auto-approve patterns say of a call.
type autoApprovals struct{ *facts }

// coversCall reports whether auto-approve patterns match all of the call.
func (p autoApprovals) coversCall() bool {
	if len(p.e.settings.AutoApprove) == 0 || p.barred() || p.risks().perilOfGuises() != nil {
		return false
	}
	if p.line == nil {
		for i := range p.e.settings.AutoApprove {
			if p.coversSubjects(&p.e.settings.AutoApprove[i]) {
				return true
			}
		}
		return false
	}
	for i := range p.line.Commands {
		if ok, _ := p.coversCommand(i); !ok && !p.parts.isGlue(i) {
			return false
		}
	}
	return len(p.line.Commands) > 0
}

// coversCommand reports whether an auto-approve pattern matches one simple
// command, within the conditions of an allow.
func (p autoApprovals) coversCommand(i int) (bool, Origin) {
	c := &p.line.Commands[i]
	name := program.BareName(c.Path)
	if len(p.e.settings.AutoApprove) == 0 || name == "" || c.Function || p.barrier(c, nil) != "" {
		return false, Origin{}
	}
	for k := range p.e.settings.AutoApprove {
		a := &p.e.settings.AutoApprove[k]
		if !p.isTool(a.Tool) || a.Path != nil || a.URL != nil || a.Command == nil && a.Args == nil {
			continue
		}
		if a.Args != nil && !p.argsMatch(a, i) {
			continue
		}
		if a.Command != nil && !(commandMatches(a, name, c) && commandMatches(a, name, p.view.Resolved(c))) {
			continue
		}
		if a.prefix().stopped(p.facts, i) == "" {
			return true, a.Origin
		}
	}
	return false, Origin{}
}

// prefix returns what the pattern names of a command.
func (a *AutoApprove) prefix() *prefix {
	var texts []string
	for _, re := range [2]*regexp.Regexp{a.Command, a.Args} {
		if re != nil {
			texts = append(texts, re.String())
		}
	}
	return &prefix{names: namesOf(texts...)}
}

// argsMatch reports whether a pattern of arguments matches those of a call of one
// command of the line alone: it says nothing of those behind it.
func (p autoApprovals) argsMatch(a *AutoApprove, i int) bool {
	if !a.Args.MatchString(canonical(p.tool, p.call.Input)) {
		return false
	}
	c := &p.line.Commands[i]
	if c.Span.From == 0 {
		return true
	}
	input := maps.Clone(p.call.Input)
	for _, field := range p.tool.Subject {
		if _, ok := input[field]; ok {
			input[field] = p.line.Source[c.Span.From:c.Span.To]
		}
	}
	return a.Args.MatchString(canonical(p.tool, input))
}

func commandMatches(a *AutoApprove, name string, c *command.Command) bool {
	all := true
	unsure := permission.Spelled(c.Words[1:], func(text string, known bool) bool {
		line := name
		if len(c.Words) > 1 {
			line += " " + text
		}
		// A command without arguments still ends its first word: patterns
		// are commonly written as "^(ls|cat) ".
		all = known && (a.Command.MatchString(line) || len(c.Words) == 1 && a.Command.MatchString(line+" "))
		return all
	})
	return all && !unsure
}

func (p autoApprovals) isTool(name string) bool {
	t, ok := p.e.tools.lookup(name)
	return ok && t.Name == p.tool.Name || name == p.tool.Name
}

// coversSubjects reports whether a pattern matches a call of a tool other
// than the shell. Like the beginning of a command it covers no sensitive path,
// and a pattern of URLs names no request that changes something.
func (p autoApprovals) coversSubjects(a *AutoApprove) bool {
	if !p.isTool(a.Tool) || a.Command != nil || p.risks().namesRisk() {
		return false
	}
	if a.Args != nil && !a.Args.MatchString(canonical(p.tool, p.call.Input)) {
		return false
	}
	if a.Path == nil && a.URL == nil {
		return a.Args != nil
	}
	if len(p.view.Subjects) == 0 || a.URL != nil && a.Args == nil && p.tool.Kind == KindFetch && !p.toolReads() {
		return false
	}
	for _, s := range p.view.Subjects {
		if at := p.view.Subject(s); a.Path != nil && !(at.Sure && a.Path.MatchString(at.Text) && a.Path.MatchString(at.Real)) {
			return false
		}
		if a.URL != nil && !p.view.CoversText(s, a.URL.MatchString) {
			return false
		}
	}
	return true
}

// namesRisk reports whether a call of a tool other than the shell names a
// sensitive path: as its subject, where it looks, or in any argument of a tool
// of which nothing is known.
func (k risks) namesRisk() bool {
	if k.tool.isFile() && slices.ContainsFunc(k.view.Subjects, func(s string) bool { return k.ofFile(s) != "" }) {
		return true
	}
	if slices.ContainsFunc(k.view.Looks, func(s string) bool { return k.ofLook(s) != "" }) || k.ofPick() != "" {
		return true
	}
	if k.tool.isFile() || k.tool.Kind == KindFetch || k.tool.Kind == KindSearch {
		return false
	}
	return slices.ContainsFunc(k.view.Subjects, func(s string) bool {
		return !strings.ContainsAny(s, "\n\x00") && k.sensitiveAt(shell.Set{Values: []string{k.call.Dir}}, permission.ExpandHome(s, k.call.Home), false, sensitive.Secret|sensitive.Trigger) != nil
	})
}
