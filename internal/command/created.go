package command

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// created yields the files that a command makes under names that none of its
// arguments spells: those in a directory that it copies to or unpacks in, and
// those with a suffix. It is false once yield is.
func (c *Command) created(yield func(Effect) bool) bool {
	p := c.Args.Program
	if p.Into && !c.entries(yield) || p.Fills != "" && !c.fills(yield) || p.Suffix != "" && !c.packs(yield) {
		return false
	}
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		if o.Spec == nil || o.Spec.Repeated.Role != program.RoleWrite || !o.HasArg {
			continue // no sed -i.bak
		}
		for _, operand := range c.Args.Operands {
			w := &c.Words[operand.At]
			if operand.Role == program.RoleWrite && !yield(Effect{Kind: Writes, Target: suffixed(w.Set, o.Arg.Text()), Dir: c.DirAt(operand.At), Span: w.Span}) {
				return false
			}
		}
	}
	return true
}

// entries yields the files of a directory to which operands are written under
// their own names. Whether the last operand is one is unknown: its own
// effect stands for where it is not.
func (c *Command) entries(yield func(Effect) bool) bool {
	if c.Args.Has("no-target-directory") {
		return true
	}
	to, last, ok := c.destination()
	if !ok {
		return true
	}
	if isRemote := c.remotePaths(); isRemote != nil && (to.Open || slices.ContainsFunc(to.Values, isRemote)) {
		return true
	}
	perhaps := last > 0 && c.Words[last].Span == to.Span && len(c.Args.Operands) == 2 && !spellsDirectory(to.Set)
	for _, o := range c.Args.Operands {
		if o.At == last || o.Role != program.RoleRead && o.Role != program.RoleMove && o.Role != program.RoleWrite {
			continue
		}
		w := &c.Words[o.At]
		e := Effect{Kind: Writes, Target: entryOf(to.Set, w.Set, c.keepsPaths()), Dir: c.DirAt(last), Recursive: c.recursive(), Span: w.Span, Perhaps: perhaps}
		if !e.Target.IsEmpty() && !yield(e) {
			return false
		}
	}
	return true
}

// keepsPaths reports whether the command writes its operands under their whole
// paths.
func (c *Command) keepsPaths() bool {
	return c.Does("whole")
}

// spellsDirectory reports whether a path can only be a directory.
func spellsDirectory(s shell.Set) bool {
	v, ok := s.Literal()
	return ok && (strings.HasSuffix(v, "/") || v == "." || v == ".." || strings.HasSuffix(v, "/.") || strings.HasSuffix(v, "/.."))
}

// entryOf returns the paths in one of several directories that have the base
// names of others, or their whole paths.
func entryOf(dir, from shell.Set, whole bool) shell.Set {
	var out shell.Set
	if from.Open || len(dir.Values)*len(from.Values) > shell.MaxValues {
		out.Open, out.Prefix = true, strings.TrimSuffix(dir.Beginning(), "/")+"/"
	}
	if dir.Open || dir.Glob {
		return shell.Set{} // what it may be holds what lies in it
	}
	for _, d := range dir.Values {
		for _, v := range from.Values {
			base := v[strings.LastIndexAny(strings.TrimRight(v, "/"), "/:")+1:]
			if whole {
				base = shell.Clean("/" + v[strings.LastIndex(v, "/./")+1:])[1:]
			}
			base = strings.TrimRight(base, "/")
			if base == "" || base == "." || base == ".." || out.Open {
				continue
			}
			out.Values = append(out.Values, strings.TrimSuffix(d, "/")+"/"+base)
		}
	}
	out.Glob = from.Glob && len(out.Values) > 0
	return out
}

// fills yields the effect of a program that writes files below a directory
// whose names its arguments do not tell.
func (c *Command) fills(yield func(Effect) bool) bool {
	p := c.Args.Program
	if p.FillsIf != "" && !c.Args.HasAny(p.FillsIf) || p.FillsNot != "" && c.Args.HasAny(p.FillsNot) || c.Args.Inert() {
		return true
	}
	for _, o := range c.Args.Operands {
		if o.Role == program.RoleWrite {
			return true // it says what is written
		}
	}
	e := Effect{Kind: Writes, Target: shell.Set{Values: []string{"."}}, Dir: c.Dir, Recursive: true, Span: c.Span}
	if v := c.Args.Verb; v > 0 {
		e.Dir = c.DirAt(v)
	}
	if c.How("speaks") == "git" {
		e.Spares = ".git"
	}
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		if !o.HasArg || o.Spec == nil || !o.isAny(p.Fills) {
			continue
		}
		if e.Span != c.Span {
			e.Dir = within(e.Dir, e.Target)
		}
		e.Target, e.Span = o.Arg.Set, o.Arg.Span
	}
	return yield(e) && c.members(e, yield)
}

// Mirrors reports whether the command deletes what it has not written below the
// directory that it writes.
func (c *Command) Mirrors() bool {
	return c.Args.Program != nil && c.given(c.Args.Program.Mirrors, c.Args.Program.MirrorsNot)
}

// given reports whether one of several options is given, as the rows have them: "."
// stands for none that is needed, and there may be others with which they do not
// count.
func (c *Command) given(options, not string) bool {
	if options == "" || not != "" && c.Args.HasAny(not) {
		return false
	}
	return options == "." || c.Args.HasAny(options)
}

// members yields the files that a program is told by name to write below a
// directory. It is false once yield is.
func (c *Command) members(below Effect, yield func(Effect) bool) bool {
	if c.How("speaks") == "git" { // its operands are revisions, patches or what they are to hold
		return true
	}
	dir := within(below.Dir, below.Target)
	for _, o := range c.Args.Operands {
		w := &c.Words[o.At]
		isMember := o.Role == program.RoleData || o.Role == program.RoleRead && c.Of("members")
		if isMember && !yield(Effect{Kind: Writes, Target: w.Set, Dir: dir, Recursive: true, Span: w.Span}) {
			return false
		}
	}
	return true
}

// packs yields the files that a program makes of its operands, with a suffix
// or without.
func (c *Command) packs(yield func(Effect) bool) bool {
	for _, o := range c.Args.Operands {
		w := &c.Words[o.At]
		if o.Role == program.RoleWrite && !w.Has("-") && !yield(Effect{Kind: Writes, Target: packedNames(w.Set, c.Args.Program.Suffix), Dir: c.Dir, Span: w.Span}) {
			return false
		}
	}
	return true
}

// suffixed returns a set with a suffix on every value.
func suffixed(s shell.Set, suffix string) shell.Set {
	out := shell.Set{Open: s.Open, Glob: s.Glob, Prefix: s.Prefix}
	for _, v := range s.Values {
		out.Values = append(out.Values, v+suffix)
	}
	return out
}

// packedNames returns what a program makes of files: it takes the suffix from those
// that have it, and adds it to others.
func packedNames(s shell.Set, suffix string) shell.Set {
	out := shell.Set{Open: s.Open, Glob: s.Glob, Prefix: s.Prefix}
	for _, v := range s.Values {
		name, ok := strings.CutSuffix(v, suffix)
		if !ok {
			name = v + suffix
		}
		out.Values = append(out.Values, name)
	}
	return out
}

// remotePaths returns what reports whether an operand names a path of another
// host or of a container; nil for programs that take none.
func (c *Command) remotePaths() func(string) bool {
	switch {
	case c.Is(program.NamesAway):
		return isHostPath
	case !isCopy(c.Args.Sub):
	case c.Is(program.IsEngine):
		return isContainerPath
	case c.Is(program.IsCluster):
		return isPodPath
	}
	return nil
}

// recursive reports whether the command means what lies below its operands.
func (c *Command) recursive() bool {
	p := c.Args.Program
	if c.Is(program.GoesDown) || p.Recursive || c.Args.Has("recursive", "recurse-paths", "archive") {
		return true
	}
	if r := p.Reads; r != nil && r.Recursive != "" && (r.Recursive == "*" || c.Args.HasAny(r.Recursive)) {
		return true
	}
	if c.Args.Open && c.Of("deletes") {
		for _, o := range c.Args.Options {
			if strings.Contains(o.Name, "r") {
				return true
			}
		}
	}
	return false
}
