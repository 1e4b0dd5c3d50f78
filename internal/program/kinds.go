package program

import "strings"

// kindOf yields what stands behind a kind in the entries of [Program.Kinds] that hold
// for a name of the program: nothing, = and a value, or ? and a clause.
func (p *Program) kindOf(name, kind string, yield func(rest string) bool) {
	if !strings.Contains(p.Kinds, kind) {
		return
	}
	for entry := range strings.FieldsSeq(p.Kinds) {
		rest := ""
		if at := strings.IndexAny(entry, "=?"); at >= 0 {
			entry, rest = entry[:at], entry[at:]
		}
		names := ""
		if at := strings.LastIndexByte(entry, ':'); at >= 0 {
			names, entry = entry[:at], entry[at+1:]
		}
		if entry == kind && (names == "" || inCommas(names, name)) && !yield(rest) {
			return
		}
	}
}

// Is reports whether the program is of a kind under one of its names.
func (p *Program) Is(name, kind string) (is bool) {
	p.kindOf(name, kind, func(string) bool { is = true; return false })
	return is
}

// How returns the value of a kind under a name of the program, "" where it has none.
func (p *Program) How(name, kind string) (value string) {
	p.kindOf(name, kind, func(rest string) bool { value = strings.TrimPrefix(rest, "="); return false })
	return value
}

// When yields the clauses under which the program, by one of its names, does what a kind
// says; an empty one always holds.
func (p *Program) When(name, kind string, yield func(clause string) bool) {
	p.kindOf(name, kind, func(rest string) bool { return yield(strings.TrimPrefix(rest, "?")) })
}

// OfKind reports whether the program of a base name is of a kind.
func OfKind(name, kind string) bool {
	name = Resolve(name)
	p := row(name)
	return p != nil && p.Is(name, kind)
}

// KindOf returns the value that a kind has for the program of a base name.
func KindOf(name, kind string) string {
	name = Resolve(name)
	if p := row(name); p != nil {
		return p.How(name, kind)
	}
	return ""
}

// NamesOf returns the names that are of one of some kinds, blanks between them, in the
// order of the table.
func NamesOf(kinds ...string) string {
	var out []string
	for _, p := range programs {
		for name := range strings.FieldsSeq(p.Names) {
			for _, kind := range kinds {
				if p.Is(name, kind) {
					out = append(out, name)
					break
				}
			}
		}
	}
	return strings.Join(out, " ")
}
