package readonly

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/sensitive"
)

// globs checks the patterns by which a program chooses the files of which it
// shows the contents: rg -g, grep --include and their like.
func (v *attempt) globs(options string) bool {
	if !v.hasAny(options) {
		return true
	}
	for i := 1; i < len(v.c.Words); i++ {
		t, ok := v.c.Words[i].Literal()
		if !ok || len(t) < 2 || t[0] != '-' {
			continue
		}
		arg, last := globArgument(t, options)
		args := []string{arg}
		if last && i+1 < len(v.c.Words) {
			args = v.c.Words[i+1].Values
		}
		for _, arg := range args {
			if e, found := v.namedSecret(arg); found {
				return v.failf(v.c.Words[i].Span, "the pattern %s names a file that %s", arg, e.Why)
			}
		}
	}
	return true
}

// globArgument returns the argument of the option of a word that is one of
// several, and whether it is the next word.
func globArgument(t, options string) (arg string, next bool) {
	for name := range strings.FieldsSeq(options) {
		if len(name) > 1 {
			if t == "--"+name {
				return "", true
			}
			if arg, ok := strings.CutPrefix(t, "--"+name+"="); ok {
				return arg, false
			}
			continue
		}
		if i := strings.Index(t, name); t[1] != '-' && i > 0 {
			return t[i+1:], i+1 == len(t)
		}
	}
	return "", false
}

// namedSecret returns the entry of a secret that a pattern spells, so that it
// is looked for: .env*, *.pem or *.{key,crt}, where * and *.json name none.
func (v *attempt) namedSecret(glob string) (*sensitive.Entry, bool) {
	return NamedSecret(glob, v.p.Home)
}

// NamedSecret returns the entry of a secret that a pattern of names spells, so
// that it is looked for: .env*, *.pem or *.{key,crt}, where * and *.json name
// none.
func NamedSecret(glob, home string) (*sensitive.Entry, bool) {
	if glob == "" || glob[0] == '!' || plainName(glob) {
		return nil, false
	}
	if before, list, after, ok := braces(glob); ok {
		for alt := range strings.SplitSeq(list, ",") {
			if e, found := NamedSecret(before+alt+after, home); found {
				return e, true
			}
		}
		return nil, false
	}
	base := glob[strings.LastIndexByte(glob, '/')+1:]
	if strings.HasPrefix(base, ".") || strings.ContainsAny(base, `?[\`) {
		if e, ok := sensitive.MayFind(glob, home, sensitive.Secret); ok {
			return e, true
		}
	}
	for _, star := range [2]string{"", "x"} {
		if e, ok := sensitive.FindRole(strings.ReplaceAll(base, "*", star), home, sensitive.Secret); ok {
			return e, true
		}
	}
	return nil, false
}

// Picks returns the patterns of names that an argument of a search has: those
// between commas and blanks, with braces written out, without those that rule
// names out.
func Picks(arg string) []string {
	var out []string
	for _, p := range SplitPicks(arg) {
		if p[0] != '!' {
			out = withoutBraces(out, p)
		}
	}
	return out
}

// SplitPicks returns the patterns of an argument as they stand there, those behind a !
// with it.
func SplitPicks(arg string) []string {
	depth := 0
	split := func(r rune) bool {
		switch r {
		case '{':
			depth++
		case '}':
			depth--
		}
		return depth <= 0 && (r == ',' || r == ' ' || r == ';')
	}
	return strings.FieldsFunc(arg, split)
}

// maxPicks bounds how many patterns braces become.
const maxPicks = 64

func withoutBraces(out []string, p string) []string {
	before, rest, ok := strings.Cut(p, "{")
	list, after, closed := strings.Cut(rest, "}")
	if !ok || !closed || len(out) >= maxPicks {
		return append(out, p)
	}
	for alt := range strings.SplitSeq(list, ",") {
		out = withoutBraces(out, before+alt+after)
	}
	return out
}

// SpellsName reports whether a pattern has more of a name in its last element
// than an extension: sec* has, and *.go has not.
func SpellsName(glob string) bool {
	base := glob[strings.LastIndexByte(glob, '/')+1:]
	rest := strings.TrimLeft(base, "*?")
	return rest != "" && (rest == base || rest[0] != '.' || strings.ContainsAny(rest, "*?["))
}
