package readonly

import (
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// unlisted proves NAME --version and NAME --help of programs that print and
// leave, whatever directory they run in, and says of others why they are not proved.
func (v *attempt) unlisted(name string, w shell.Word) bool {
	if v.printsOnly(name) {
		return true
	}
	if v.p.Script != nil {
		why, ok := v.p.Script(v.line, v.index)
		if ok {
			return true
		}
		if why != "" && v.p.Reasons {
			v.fail(v.c.Span, why)
			return v.instead(program.Instead(name))
		}
	}
	if !v.p.Reasons {
		return v.fail(w.Span, notProved)
	}
	if why := program.Why(name); why != "" {
		v.failf(w.Span, "%s %s", name, why)
		if t := program.Instead(name); t != "" {
			return v.instead(t)
		}
		if program.Declarable(name) {
			return v.instead("declare the forms of it that only read in approvals.readonly_commands")
		}
		return false
	}
	v.failf(w.Span, "%s is not on the list of programs that only read", name)
	return v.instead("policyctl readonly lists those programs; add others with approvals.readonly_commands")
}

// printsOnly reports whether the command is a program with one option, after
// which it prints and leaves.
func (v *attempt) printsOnly(name string) bool {
	if len(v.c.Words) != 2 || len(v.c.Assigns) > 0 {
		return false
	}
	t, ok := v.c.Words[1].Literal()
	if !ok {
		return false
	}
	p := program.Find(name)
	if p == nil || !program.Means(name, v.c.Name) {
		return false
	}
	tells, pure := p.Tell(v.c.Name, t)
	return tells && pure
}
