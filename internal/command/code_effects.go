package command

import (
	"github.com/policyctl/policyctl/internal/lang/script"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/support/sed"
)

// HasCode reports whether the command may evaluate code in another language than the
// shell's.
func (c *Command) HasCode() bool { return c.code != nil || c.orders != nil }

// CodeEffects calls yield with what the code that a command evaluates does to the files
// that it names, until that returns false. home is the home directory, "" where it is
// unknown.
func (c *Command) CodeEffects(home string, yield func(Effect) bool) {
	for _, code := range c.Code() {
		if !c.codeEffects(&code, home, yield) {
			return
		}
	}
	for _, e := range c.Escapes() {
		if e.Kind == Rough {
			code := Code{Program: e.Code(), Span: e.Span}
			if !c.codeEffects(&code, home, yield) {
				return
			}
		}
	}
}

func (c *Command) codeEffects(code *Code, home string, yield func(Effect) bool) (more bool) {
	if code.Program == nil {
		return c.sedEffects(code, yield)
	}
	more = true
	c.Calls(code.Program, home, func(at *Command, call *script.Call) bool {
		kind, ok := effectOfAct(call.Act)
		if !ok {
			return true
		}
		for _, v := range call.Values {
			for i, path := range v.Texts {
				if path == "" || !script.IsKnown(path) {
					continue
				}
				e := Effect{Kind: kind, Target: shell.Set{Values: v.Texts[i : i+1 : i+1], Glob: v.Each}, Dir: at.Dir, Span: code.Span}
				e.Recursive = kind == Deletes || kind == Moves
				if more = yield(e); !more {
					return false
				}
			}
		}
		return true
	})
	return more
}

// sedEffects yields the files that a script of sed names; it is false once yield is.
func (c *Command) sedEffects(code *Code, yield func(Effect) bool) bool {
	for _, cmd := range sed.Read(code.Text) {
		if cmd.Writes != "" && !yield(Effect{Kind: Writes, Target: shell.Set{Values: []string{cmd.Writes}}, Dir: c.Dir, Span: code.Span}) ||
			cmd.Reads != "" && !yield(Effect{Kind: Reads, Target: shell.Set{Values: []string{cmd.Reads}}, Dir: c.Dir, Span: code.Span}) {
			return false
		}
	}
	return true
}

// effectOfAct returns what a call of code does to files.
func effectOfAct(a script.Act) (EffectKind, bool) {
	switch a {
	case script.Reads, script.Loads:
		return Reads, true
	case script.Writes:
		return Writes, true
	case script.Deletes:
		return Deletes, true
	case script.Moves:
		return Moves, true
	case script.Requests:
		return Connects, true
	}
	return 0, false
}
