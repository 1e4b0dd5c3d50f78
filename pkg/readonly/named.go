package readonly

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/sensitive"
)

// globs checks the patterns by which a program chooses the files of which it
// shows the contents: rg -g, grep --include and their like.
func (v *proving) globs(options string) bool {
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
func (v *proving) namedSecret(glob string) (*sensitive.Entry, bool) {
	if glob == "" || glob[0] == '!' || plainName(glob) {
		return nil, false
	}
	if before, list, after, ok := braces(glob); ok {
		for alt := range strings.SplitSeq(list, ",") {
			if e, found := v.namedSecret(before + alt + after); found {
				return e, true
			}
		}
		return nil, false
	}
	base := glob[strings.LastIndexByte(glob, '/')+1:]
	if strings.HasPrefix(base, ".") || strings.ContainsAny(base, `?[\`) {
		if e, ok := sensitive.MayFind(glob, v.p.Home, sensitive.Secret); ok {
			return e, true
		}
	}
	for _, star := range [2]string{"", "x"} {
		if e, ok := sensitive.FindRole(strings.ReplaceAll(base, "*", star), v.p.Home, sensitive.Secret); ok {
			return e, true
		}
	}
	return nil, false
}
