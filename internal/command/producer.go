package command

import (
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// Produced returns the paths that a program prints of what lies below its operands, as
// its row has it: those operands, where it leaves most of that in. It is open and empty
// for others.
func (c *Command) Produced() shell.Set {
	p := c.Args.Program
	if p == nil || !c.given(p.Paths, p.PathsNot) || !c.recursive() || c.leavesOut(p) {
		return shell.Set{Open: true}
	}
	var roots []shell.Word
	for _, o := range c.Args.Operands {
		if o.Role == program.RoleRead || p.Operands == "data*" && o.Role == program.RoleData {
			roots = append(roots, c.Words[o.At])
		}
	}
	for k := range c.Args.Options {
		if o := &c.Args.Options[k]; o.Is("search-path") && o.HasArg {
			roots = append(roots, o.Arg)
		}
	}
	switch {
	case p.Is("", "index"):
		return indexed(roots)
	case len(roots) == 0:
		roots = []shell.Word{{Set: shell.Set{Values: []string{"."}}}}
	}
	if shell.Globbed(roots) {
		return shell.Patterns(roots)
	}
	out := shell.Set{Open: true}
	for i := range roots {
		out.Values = append(out.Values, roots[i].Values...)
	}
	return out
}

// indexed returns what a program prints that finds the paths of the whole machine which
// contain one of some texts.
func indexed(texts []shell.Word) shell.Set {
	out := shell.Set{Open: true}
	for i := range texts {
		for _, v := range texts[i].Values {
			switch {
			case anything(v) || v == "/":
				out.Values = append(out.Values, "/")
			case strings.HasPrefix(v, "/"):
				out.Values = append(out.Values, v)
			}
		}
	}
	return out
}

// leavesOut reports whether a program that prints paths leaves out all but some files,
// by their names or by what they hold.
func (c *Command) leavesOut(p *program.Program) bool {
	if c.Args.HasAny(p.Walk.Types) || c.Args.HasAny(p.Walk.Extensions) {
		return true
	}
	inverse := c.Args.Has("L", "v", "files-without-match", "invert-match") && p.Output == program.Contents
	for k := range c.Args.Options {
		o := &c.Args.Options[k]
		switch {
		case !o.HasArg:
		case p.Walk.Only != "" && o.isAny(p.Walk.Only):
			if !All(o.Arg.Set, func(v string) bool { return strings.HasPrefix(v, "!") || strings.Trim(v, "*/") == "" }) {
				return true
			}
		case o.Is("e") || o.Is("g") && p.Walk.Only == "":
			if !inverse && !All(o.Arg.Set, anything) {
				return true
			}
		}
	}
	if inverse || p.Is("", "index") || !strings.HasPrefix(p.Operands, "data ") {
		return false
	}
	for _, o := range c.Args.Operands {
		if o.Role == program.RoleData {
			return !All(c.Words[o.At].Set, anything)
		}
	}
	return false
}

// anything reports whether a pattern fits nearly all texts: what it spells is at most
// one letter.
func anything(pattern string) bool { return len(strings.Trim(pattern, `^$.*+?()[]\/`)) <= 1 }

// fillNames puts names that are listed in the place for them in a text, as a pattern:
// those of the directory that the text before the place names.
func fillNames(text, place string, item *shell.Word, dir shell.Set) (out shell.Set, ok bool) {
	before, after, found := strings.Cut(text, place)
	start := strings.LastIndexAny(before, " \t=>'\"(:;") + 1
	names := NamesBehind(item.Set, before[start:], dir)
	if !found || len(names.Values) == 0 {
		return shell.Set{}, false
	}
	out = shell.Set{Open: true, Glob: start == len(before) || !strings.ContainsAny(before+after, " \t;"), Prefix: before}
	for _, v := range names.Values {
		out.Values = append(out.Values, before[:start]+v+strings.ReplaceAll(after, place, "*"))
	}
	return out, true
}
