package readonly

import "github.com/policyctl/policyctl/pkg/shell"

// active reports whether setting a variable may change what later commands run,
// load or write, or run what it is set to.
func (v *attempt) active(name string) bool { return shell.Steers(name, v.p.Shell) }

// loopVariable checks the name that a for or select loop sets.
func (v *attempt) loopVariable() bool {
	for i := range v.c.Assigns {
		v.failf(v.c.Span, "the loop sets the variable %s, which changes what later commands do", v.c.Assigns[i].Name)
		return v.instead("give the variable another name")
	}
	return true
}
