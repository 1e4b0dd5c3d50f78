package shell

// SameSet reports whether two sets are one and the same, by looking at no value.
func SameSet(a, b *Set) bool {
	return len(a.Values) == len(b.Values) && a.Open == b.Open && a.Glob == b.Glob && a.Prefix == b.Prefix && a.Started == b.Started &&
		(len(a.Values) == 0 || &a.Values[0] == &b.Values[0])
}

// Union returns what is in a or in b.
func Union(a, b Set) Set {
	if a.Names != b.Names {
		return Set{Open: true}
	}
	if len(a.Values) == 1 && len(b.Values) == 1 && a.Values[0] == b.Values[0] && a.Open == b.Open && a.Glob == b.Glob {
		return a
	}
	if a.Open == b.Open && a.Glob == b.Glob && a.Number == b.Number && a.Started == b.Started && a.Prefix == b.Prefix && len(a.Values) >= len(b.Values) && a.hasAll(b) {
		return a
	}
	out := Set{Open: a.Open || b.Open, Glob: a.Glob || b.Glob, Number: a.Number && b.Number, Started: a.Started && b.Started, Names: a.Names}
	out.Values = append(out.Values, a.Values...)
	for _, v := range b.Values {
		if !out.Has(v) {
			out.Values = append(out.Values, v)
		}
	}
	if len(out.Values) > MaxValues {
		out.Values, out.Open = out.Values[:MaxValues], true
	}
	out.Prefix = CommonPrefix(a.Beginning(), b.Beginning())
	return out
}

func (s Set) hasAll(other Set) bool {
	for _, v := range other.Values {
		if !s.Has(v) {
			return false
		}
	}
	return true
}

// prefix returns the literal text with which every value begins.
func (s Set) Beginning() string {
	if s.Open || s.Glob {
		return s.Prefix
	}
	if len(s.Values) == 0 {
		return ""
	}
	p := s.Values[0]
	for _, v := range s.Values[1:] {
		p = CommonPrefix(p, v)
	}
	return p
}

func CommonPrefix(a, b string) string {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return a[:i]
		}
	}
	return a[:n]
}
