package program

import "strings"

// Clause returns what stands behind the first of some entries of [Program.Kinds] that is of
// a kind and holds for a name of the program, and the entries behind it: nothing, = and a
// value, or ? and a clause.
func Clause(entries, name, kind string) (rest, behind string, ok bool) {
	if !strings.Contains(entries, kind) {
		return "", "", false
	}
	for entries != "" {
		entry := entries
		entry, entries, _ = strings.Cut(entries, " ")
		if at := strings.IndexAny(entry, "=?"); at >= 0 {
			entry, rest = entry[:at], entry[at:]
		} else {
			rest = ""
		}
		names := ""
		if at := strings.LastIndexByte(entry, ':'); at >= 0 {
			names, entry = entry[:at], entry[at+1:]
		}
		if entry == kind && (names == "" || inCommas(names, name)) {
			return rest, entries, true
		}
	}
	return "", "", false
}

// Is reports whether the program is of a kind under one of its names.
func (p *Program) Is(name, kind string) bool {
	_, _, is := Clause(p.Kinds, name, kind)
	return is
}

// How returns the value of a kind under a name of the program, "" where it has none.
func (p *Program) How(name, kind string) string {
	rest, _, _ := Clause(p.Kinds, name, kind)
	return strings.TrimPrefix(rest, "=")
}

// EachKind yields the kinds of all rows, with = and the value where there is one, and the
// names of which a row says so, blanks or commas between them.
func EachKind(yield func(kind, names string)) {
	for _, p := range programs {
		for entry := range strings.FieldsSeq(p.Kinds) {
			entry, _, _ = strings.Cut(entry, "?")
			head, _, _ := strings.Cut(entry, "=")
			if at := strings.LastIndexByte(head, ':'); at >= 0 {
				yield(entry[at+1:], entry[:at])
			} else {
				yield(entry, p.Names)
			}
		}
	}
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

// NamesOf returns the names that are of one of some kinds, of which KIND=VALUE wants that
// value, blanks between them, in the order of the table.
func NamesOf(kinds ...string) string {
	var out []string
	for _, p := range programs {
		for name := range strings.FieldsSeq(p.Names) {
			for _, kind := range kinds {
				kind, value, valued := strings.Cut(kind, "=")
				if p.Kinds != "" && p.Is(name, kind) && (!valued || p.How(name, kind) == value) {
					out = append(out, name)
					break
				}
			}
		}
	}
	return strings.Join(out, " ")
}
