package pattern

import "github.com/policyctl/policyctl/pkg/record"

// needsOf returns what a condition looks at.
func needsOf(c *Condition) record.Needs {
	if c.op == test {
		return c.leaf.path.Needs()
	}
	var n record.Needs
	for i := range c.kids {
		n |= needsOf(&c.kids[i])
	}
	return n
}

// looksAt reports whether a condition tests a field, or with field "" any of a
// facet.
func looksAt(c *Condition, facet, field string) bool {
	if c.op == test {
		p := &c.leaf.path
		return p.Facet() == facet && (field == "" || p.Field() == field)
	}
	for i := range c.kids {
		if looksAt(&c.kids[i], facet, field) {
			return true
		}
	}
	return false
}

// LooksAtLine reports whether a rule tests the whole line, which a rule that
// allows must not: what one command of a line may do does not follow from the
// line.
func (r *Rule) LooksAtLine() bool { return looksAt(&r.When, "shell", "line") }

// AllowsCommands reports whether a rule that allows can allow a simple command:
// not where it tests the whole line, or other facets without the words of the
// command.
func (r *Rule) AllowsCommands() bool {
	return !r.LooksAtLine() && (needsOf(&r.When)&record.BesideShell == 0 || looksAt(&r.When, "shell", ""))
}
