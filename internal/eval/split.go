package eval

import (
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
)

// joinStar returns the elements of a list joined by the first character of
// IFS.
func (x *expansion) joinStar(v value) shell.Set {
	ifs, ok := x.ifs()
	if !ok || v.set.Open && len(v.list) == 0 {
		return shell.Set{Open: true}
	}
	open, size := v.set.Open, 0
	parts := make([]string, len(v.list))
	for i, e := range v.list {
		if len(e.Values) != 1 || e.Glob {
			return shell.Set{Open: true}
		}
		open = open || e.Open
		parts[i] = e.Values[0]
		size += len(parts[i]) + 1
	}
	if !x.r.affords(size) {
		return shell.Set{Open: true}
	}
	return shell.Set{Values: []string{strings.Join(parts, ifs[:min(1, len(ifs))])}, Open: open}
}

// splitText adds text that the shell splits at ifs and then globs: blanks of
// ifs only end words, other characters of it also begin new ones (POSIX
// 2.6.5).
func (x *expansion) splitText(s, ifs string) {
	for s != "" {
		i := strings.IndexAny(s, ifs)
		if i != 0 {
			if i < 0 {
				i = len(s)
			}
			x.raw(strings.ReplaceAll(s[:i], "\\", "\\\\"), strings.ContainsAny(s[:i], "*?["))
			s = s[i:]
			continue
		}
		blanks, delimiter := 0, 0
		for blanks < len(s) && strings.IndexByte(ifs, s[blanks]) >= 0 {
			if !isBlank(s[blanks]) {
				if delimiter++; delimiter > 1 {
					break
				}
			}
			blanks++
		}
		if delimiter > 0 && !x.cur.started {
			x.raw("", false)
		}
		x.flush()
		s = s[blanks:]
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }

// ifs returns the characters that separate fields, or those that may; ok says that
// there are no others.
func (x *expansion) ifs() (chars string, ok bool) {
	b := x.sc.lookup("IFS")
	if b == nil {
		return " \t\n", !x.sc.unsure
	}
	v, ok := b.set.Literal()
	switch {
	case ok:
		return v, true
	case len(b.set.Values) == 1 && !b.set.Glob:
		return b.set.Values[0], false
	}
	return " \t\n", false
}

func anySplits(values []string, ifs string) bool {
	for _, v := range values {
		if strings.ContainsAny(v, ifs) {
			return true
		}
	}
	return false
}
