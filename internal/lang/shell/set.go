package shell

import (
	"strings"
)

// An Oddity is a character that a human reader does not see or cannot tell
// from another: a control, a terminal escape, a zero-width or a directional
// mark.
type Oddity struct {
	Why  string
	Span Span
}

// A Set is what a word, a variable or a directory may be. The zero value is
// the empty set: nothing is possible, nothing is known.
//
// To deny, one value that matches is enough; to allow, every value must match
// and the set must not be open.
type Set struct {
	// Values are the possible values that are known.
	Values []string
	// Open says that other values are possible too.
	Open bool
	// Glob says that the values are patterns that the shell replaces by file
	// names: * ? and [ stand for themselves only after a backslash, and ** may
	// be several directories.
	Glob bool
	// Number says that every possible value is a decimal integer.
	Number bool
	// Started says, beside Number, that every possible value is the id of the
	// process that the line itself has last started in the background.
	Started bool
	// Names says that the word is only the last element of what the values
	// match, as ls prints it.
	Names bool
	// Partial is the text of a value of which only a part is known, with
	// [UnknownText] in the place of the rest; "" for others.
	Partial string
	// Digits says, beside Partial, that what is unknown of it are decimal integers.
	Digits bool
	// Prefix is literal text with which every possible value begins, also
	// those not in Values; it is set for open sets and patterns.
	Prefix string
}

// Literal returns the one value of a set that is neither open nor a pattern.
func (s Set) Literal() (value string, ok bool) {
	if len(s.Values) != 1 || s.Open || s.Glob {
		return "", false
	}
	return s.Values[0], true
}

// Known reports whether the values are all there can be and none is a pattern.
func (s Set) Known() bool { return len(s.Values) > 0 && !s.Open && !s.Glob }

// IsStarted reports whether the set is the id of a process that the line itself has
// started in the background.
func (s Set) IsStarted() bool { return s.Started && s.Number && !s.Glob && len(s.Values) == 0 }

// Has reports whether value is among the values that are known.
func (s Set) Has(value string) bool {
	for _, v := range s.Values {
		if v == value {
			return true
		}
	}
	return false
}

// A Word is one argument of a command.
type Word struct {
	Set
	Span Span
	// Many says that the word may become no argument or several.
	Many bool
	// Splits says that the shell splits at blanks what is unknown of the
	// word, so that any text may follow as further arguments; Prefix is then
	// that of the first one.
	Splits bool
	// Secret says that the word holds a variable of the environment whose name
	// says that it is a secret.
	Secret bool
	// Quoted says that the source spells the word with quotes, escapes or
	// expansions, so that its text differs from its value.
	Quoted bool
}

// UnknownText stands for what is unknown in [Set.Partial]: an expansion of a
// variable that no line binds.
const UnknownText = "${__}"

// Text returns what is known of the text of a word.
func (w *Word) Text() string {
	switch {
	case len(w.Values) > 0:
		return w.Values[0]
	case w.Partial != "":
		return w.Partial
	}
	return UnknownText
}

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

// Beginning returns the literal text with which every value begins.
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

// CommonPrefix returns the text with which both texts begin.
func CommonPrefix(a, b string) string {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return a[:i]
		}
	}
	return a[:n]
}

// IsEmpty reports whether the set has no value, known or not.
func (s Set) IsEmpty() bool { return len(s.Values) == 0 && !s.Open }

// Parts returns what is known of the texts of a set, in part where no more is.
func (s Set) Parts() []string {
	if len(s.Values) == 0 && s.Partial != "" {
		return []string{s.Partial}
	}
	return s.Values
}

// AllNumbers reports whether all values are known, and decimal integers.
func AllNumbers(s Set) bool {
	for _, v := range s.Values {
		if !IsNumber(v) {
			return false
		}
	}
	return !s.Open && len(s.Values) > 0
}

// Patterns returns the paths that words name, as patterns.
func Patterns(words []Word) Set {
	out := Set{Open: true, Glob: true}
	for i := range words {
		w := &words[i]
		for _, v := range w.Values {
			if strings.HasPrefix(v, "-") || strings.HasPrefix(v, "%") {
				continue // an option or a format
			}
			if !w.Glob {
				v = EscapePattern(v)
			}
			out.Values = append(out.Values, v)
		}
	}
	return out
}

// Globbed reports whether one of the words is a pattern.
func Globbed(words []Word) bool {
	for i := range words {
		if words[i].Glob {
			return true
		}
	}
	return false
}
