package pattern

// needs says what of a record some rules look at, so that the rest need not be
// derived.
type needs uint16

const (
	needSensitivity needs = 1 << iota
	needFile
	needHTTP
	needSSH
	needSQL
	needK8s
	needTool
	needPaths     // shell.writes and shell.reads
	needHosts     // shell.hosts
	needDangerous // shell.dangerous
	needOther     // the rest of shell, and what costs nothing

	everything needs = 1<<16 - 1
)

var facetNeeds = map[string]needs{
	"file": needFile, "http": needHTTP, "ssh": needSSH, "sql": needSQL, "k8s": needK8s, "tool": needTool,
}

// secondary are the facets that a shell command has beside that of the shell.
const secondary = needFile | needHTTP | needSSH | needSQL | needK8s

// needsOf returns what a condition looks at.
func needsOf(c *Condition) needs {
	if c.op == test {
		return needsOfPath(&c.leaf.path)
	}
	var n needs
	for i := range c.kids {
		n |= needsOf(&c.kids[i])
	}
	return n
}

func needsOfPath(p *Path) needs {
	if p.facet == "" && p.field == "sensitivity" {
		return needSensitivity
	}
	if n, ok := facetNeeds[p.facet]; ok {
		return n
	}
	if p.facet == "shell" {
		switch p.field {
		case "writes", "reads":
			return needPaths
		case "hosts":
			return needHosts
		case "dangerous":
			return needDangerous
		}
	}
	return needOther
}

// looksAt reports whether a condition tests a field, or with field "" any of a
// facet.
func looksAt(c *Condition, facet, field string) bool {
	if c.op == test {
		p := &c.leaf.path
		return p.facet == facet && (field == "" || p.field == field)
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
