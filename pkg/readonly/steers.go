package readonly

import (
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/program"
)

// active reports whether setting a variable may change what later commands run,
// load or write, or run what it is set to.
func (v *attempt) active(name string) bool { return command.Steers(name, v.p.Shell) }

// setsHarmless refuses a variable that steers later commands, which an assignment,
// the head of a loop or an expansion sets.
func (v *attempt) setsHarmless() bool {
	for i := range v.c.Assigns {
		a := &v.c.Assigns[i]
		switch {
		case !a.Steers:
		case v.c.Name == "for":
			v.failf(v.c.Span, "the loop sets the variable %s, which changes what later commands do", a.Name)
			return v.instead("give the variable another name")
		default:
			return v.failf(a.Span, "the variable %s changes what later commands do", a.Name)
		}
	}
	return true
}

// harmless reports whether an assignment before a command changes no more than how
// it prints, or where read splits a line. The C library takes a language, a
// terminal or a time zone for a path where it is one.
func (v *attempt) harmless(a *command.Assign) bool {
	t, ok := a.Value.Literal()
	switch {
	case !ok || a.Span.From > v.c.Words[0].Span.From:
		return false
	case a.Name == "IFS":
		return v.c.How("sets") == "words"
	case a.Name == "PAGER" || a.Name == "GIT_PAGER":
		return t == "cat"
	case a.Name == "TZ":
		return !strings.Contains(t, "..") && (t == "" || t[0] != '/' && t[0] != ':')
	}
	return program.HarmlessVariable(a.Name) && !strings.Contains(t, "/")
}
