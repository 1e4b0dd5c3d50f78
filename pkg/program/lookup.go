package program

import (
	"strings"
	"sync"
)

// All returns the table.
func All() []*Program { return programs }

// Lookup returns the row of a program with a grammar by its base name, nil if
// the table has none.
func Lookup(name string) *Program {
	if p := Find(name); p != nil && !p.Opaque {
		return p
	}
	return nil
}

// Find returns the row of a program by its base name, also one without a
// grammar, nil if the table has none.
func Find(name string) *Program {
	if p := table()[name]; p != nil {
		return p
	}
	if bare := Unversioned(name); bare != name {
		return table()[bare]
	}
	if strings.HasPrefix(name, "mkfs.") {
		return table()["mkfs"]
	}
	return nil
}

var table = sync.OnceValue(func() map[string]*Program {
	m := make(map[string]*Program, 2*len(programs))
	for _, p := range programs {
		for n := range strings.FieldsSeq(p.Names) {
			m[n] = p
		}
	}
	return m
})

// Names returns the names of the programs for which a fact holds, blanks between
// them, in the order of the table.
func Names(fact func(*Program) bool) string {
	var out []string
	for _, p := range programs {
		if fact(p) {
			out = append(out, p.Names)
		}
	}
	return strings.Join(out, " ")
}

// Has reports whether a fact holds for the program of a base name.
func Has(name string, fact func(*Program) bool) bool {
	p := Find(name)
	return p != nil && fact(p)
}
