package policy

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/permission"
	"github.com/policyctl/policyctl/pkg/program"
	"github.com/policyctl/policyctl/pkg/sensitive"
	"github.com/policyctl/policyctl/pkg/shell"
)

// autoApproved reports whether auto-approve patterns match all of the call.
func (r *run) autoApproved() bool {
	if len(r.e.settings.AutoApprove) == 0 || r.barred() || r.perilous() {
		return false
	}
	if r.line == nil {
		for i := range r.e.settings.AutoApprove {
			if r.autoApprovesSubjects(&r.e.settings.AutoApprove[i]) {
				return true
			}
		}
		return false
	}
	for i := range r.line.Commands {
		if ok, _ := r.autoApprovesCommand(i); !ok && !r.parts.isGlue(i) {
			return false
		}
	}
	return len(r.line.Commands) > 0
}

// autoApprovesCommand reports whether an auto-approve pattern matches one simple
// command, within the conditions of an allow.
func (r *run) autoApprovesCommand(i int) (bool, Origin) {
	c := &r.line.Commands[i]
	name := program.BareName(c.Path)
	if len(r.e.settings.AutoApprove) == 0 || name == "" || c.Function || r.barrier(c, nil) != "" {
		return false, Origin{}
	}
	for k := range r.e.settings.AutoApprove {
		a := &r.e.settings.AutoApprove[k]
		if !r.isTool(a.Tool) || a.Path != nil || a.URL != nil || a.Command == nil && a.Args == nil {
			continue
		}
		if a.Args != nil && !r.argsMatch(a, i) {
			continue
		}
		if a.Command != nil && !(commandMatches(a, name, c) && commandMatches(a, name, r.view.Resolved(c))) {
			continue
		}
		if r.stopped(a.prefix(), i) == "" {
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
func (r *run) argsMatch(a *AutoApprove, i int) bool {
	if !a.Args.MatchString(canonical(r.tool, r.call.Input)) {
		return false
	}
	c := &r.line.Commands[i]
	if c.Span.From == 0 {
		return true
	}
	input := maps.Clone(r.call.Input)
	for _, field := range r.tool.Subject {
		if _, ok := input[field]; ok {
			input[field] = r.line.Source[c.Span.From:c.Span.To]
		}
	}
	return a.Args.MatchString(canonical(r.tool, input))
}

func commandMatches(a *AutoApprove, name string, c *shell.Command) bool {
	all := true
	unsure := permission.Spellings(c.Words[1:], "", func(text string, known bool) bool {
		line := name
		if len(c.Words) > 1 {
			line += " " + permission.Spaced(text)
		}
		// A command without arguments still ends its first word: patterns
		// are commonly written as "^(ls|cat) ".
		all = known && (a.Command.MatchString(line) || len(c.Words) == 1 && a.Command.MatchString(line+" "))
		return all
	})
	return all && !unsure
}

func (r *run) isTool(name string) bool {
	t, ok := r.e.tools.lookup(name)
	return ok && t.Name == r.tool.Name || name == r.tool.Name
}

// autoApprovesSubjects reports whether a pattern matches a call of a tool other
// than the shell. Like the beginning of a command it covers no sensitive path,
// and a pattern of URLs names no request that changes something.
func (r *run) autoApprovesSubjects(a *AutoApprove) bool {
	if !r.isTool(a.Tool) || a.Command != nil || r.namesRisk() {
		return false
	}
	if a.Args != nil && !a.Args.MatchString(canonical(r.tool, r.call.Input)) {
		return false
	}
	if a.Path == nil && a.URL == nil {
		return a.Args != nil
	}
	if len(r.view.Subjects) == 0 || a.URL != nil && a.Args == nil && r.tool.Kind == KindFetch && !r.toolReads() {
		return false
	}
	for _, s := range r.view.Subjects {
		if at := r.view.Subject(s); a.Path != nil && !(at.Sure && a.Path.MatchString(at.Text) && a.Path.MatchString(at.Real)) {
			return false
		}
		if a.URL != nil && !r.view.CoversText(s, a.URL.MatchString) {
			return false
		}
	}
	return true
}

// namesRisk reports whether a call of a tool other than the shell names a
// sensitive path: as its subject, where it looks, or in any argument of a tool
// of which nothing is known.
func (r *run) namesRisk() bool {
	if r.tool.isFile() && slices.ContainsFunc(r.view.Subjects, func(s string) bool { return r.riskyFile(s) != "" }) {
		return true
	}
	if slices.ContainsFunc(r.view.Looks, func(s string) bool { return r.riskyLook(s) != "" }) || r.riskyPick() != "" {
		return true
	}
	if r.tool.isFile() || r.tool.Kind == KindFetch || r.tool.Kind == KindSearch {
		return false
	}
	return slices.ContainsFunc(r.view.Subjects, func(s string) bool {
		return !strings.ContainsAny(s, "\n\x00") && r.sensitiveAt(shell.Set{Values: []string{r.call.Dir}}, permission.ExpandHome(s, r.call.Home), false, sensitive.Secret|sensitive.Trigger) != nil
	})
}
