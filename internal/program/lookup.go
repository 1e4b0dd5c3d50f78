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

// Find returns the row of a program by its base name, however that is spelt, also one
// without a grammar; nil if the table has none.
func Find(name string) *Program {
	if name == Declared {
		return declared
	}
	if p := row(name); p != nil {
		return p
	}
	return row(Listed(name))
}

// row returns the row that has a name, nil if none has.
func row(name string) *Program {
	at := rows()
	for i := slot(name); at[i] != 0; i = (i + 1) % slots {
		if p := programs[at[i]-1]; p.Names == name || HasWord(p.Names, name) {
			return p
		}
	}
	return nil
}

// slots are far more than names, so that most are where they are looked for.
const slots = 1 << 12

// rows has for each name the number of its row from one on, at its slot or the
// next that was free: a program that decides one call makes the table for it,
// and a map takes ten times as long.
var rows = sync.OnceValue(func() *[slots]uint16 {
	at := new([slots]uint16)
	for n, p := range programs {
		for rest := p.Names; rest != ""; {
			var name string
			name, rest, _ = strings.Cut(rest, " ")
			i := slot(name)
			for at[i] != 0 {
				i = (i + 1) % slots
			}
			at[i] = uint16(n + 1)
		}
	}
	return at
})

// slot is where a name is looked for first.
func slot(name string) uint32 {
	h := uint32(2166136261) // FNV-1a
	for i := range len(name) {
		h = (h ^ uint32(name[i])) * 16777619
	}
	return h % slots
}

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
