package command

import (
	"strings"

	"github.com/policyctl/policyctl/internal/program"
)

// customary yields what a program without a grammar writes, as far as its options
// have the names that most programs give to such ones. It is false once yield is.
func (c *Command) customary(yield func(Effect) bool) bool {
	if c.Keyword || c.Function {
		return true
	}
	for i := 1; i < len(c.Words); i++ {
		w := &c.Words[i]
		v := DashValue(w)
		if len(v) < 2 || v[0] != '-' {
			continue
		}
		spec, from := customOption(v)
		switch {
		case spec == nil:
		case spec.Repeated.Set:
			if !c.rewrites(yield) {
				return false
			}
		case from > 0:
			if arg := CutFront(w, from); !yield(Effect{Kind: Writes, Target: arg.Set, Dir: c.Dir, Span: arg.Span}) {
				return false
			}
		case i+1 < len(c.Words):
			i++
			if arg := &c.Words[i]; !yield(Effect{Kind: Writes, Target: arg.Set, Dir: c.Dir, Span: arg.Span}) {
				return false
			}
		}
	}
	return true
}

// customOption returns what an option means by custom, nil where that says
// nothing, and where its attached argument begins, 0 where it has none.
func customOption(v string) (*program.Option, int) {
	name := strings.TrimLeft(v, "-")
	dashes := len(v) - len(name)
	name, _, attached := strings.Cut(name, "=")
	from := 0
	if attached {
		from = dashes + len(name) + 1
	}
	if attached && strings.HasSuffix(name, "_out") {
		name = "out" // of the code that protoc makes
	}
	if spec := program.Customary(customName(name)); spec != nil {
		return spec, from
	}
	if dashes == 1 && v[1] == 'o' && strings.ContainsAny(v[2:], "/~") {
		return program.Customary("o"), len("-o")
	}
	return nil, 0
}

// customName returns the name of an option as [program.Customary] has it.
func customName(name string) string {
	return strings.ToLower(strings.ReplaceAll(name, "_", "-"))
}

// rewrites yields every operand of a program that writes to what it is given. It
// is false once yield is.
func (c *Command) rewrites(yield func(Effect) bool) bool {
	for i := range c.Words[1:] {
		w := &c.Words[i+1]
		if DashValue(w) == "" && !yield(Effect{Kind: Writes, Target: w.Set, Dir: c.Dir, Span: w.Span}) {
			return false
		}
	}
	return true
}

// unlisted yields what an option writes that the grammar does not know, if it
// has the name that most programs give to such ones. It is false once yield is.
func (c *Command) unlisted(o *Option, yield func(Effect) bool) bool {
	if len(o.Name) < 2 {
		return true
	}
	spec := program.Customary(customName(o.Name))
	switch {
	case spec == nil:
		return true
	case spec.Repeated.Set:
		return c.rewrites(yield)
	case o.HasArg:
		return yield(Effect{Kind: Writes, Target: o.Arg.Set, Dir: c.optionDir(o), Span: o.Arg.Span})
	case o.End < len(c.Words):
		arg := &c.Words[o.End]
		return yield(Effect{Kind: Writes, Target: arg.Set, Dir: c.optionDir(o), Span: arg.Span})
	}
	return true
}

// changesByCustom reports whether an option of the command means, by custom, that
// it writes something.
func (c *Command) changesByCustom() bool {
	return !c.customary(func(Effect) bool { return false })
}
