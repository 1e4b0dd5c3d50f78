package world

import (
	"errors"
	"strings"
)

// A setting is one variable of a configuration file of git. Section and name
// are in lower case, as git compares them.
type setting struct {
	section, sub, name string
	value              string
	valued             bool // name = value, not name alone
}

// is reports whether a setting has a name such as "core.pager" or
// "diff.*.command", where the star stands for any subsection.
func (s *setting) is(pattern string) bool {
	first, rest, _ := strings.Cut(pattern, ".")
	name, sub := rest, false
	if n, ok := strings.CutPrefix(rest, "*."); ok {
		name, sub = n, true
	}
	return s.section == first && (name == "*" || s.name == name) && sub == (s.sub != "")
}

// truth returns the value as git reads a boolean; ok is false for others.
func (s *setting) truth() (value, ok bool) {
	switch strings.ToLower(s.value) {
	case "true", "yes", "on", "1":
		return true, true
	case "false", "no", "off", "0":
		return false, true
	}
	return !s.valued, s.value == ""
}

// errConfig says that git would refuse a file too, or read it in another way.
var errConfig = errors.New("the configuration of git does not parse")

// readConfig calls yield for each setting of a configuration file, by the
// syntax of git-config(1).
func readConfig(data []byte, yield func(setting)) error {
	r := &config{text: strings.TrimPrefix(string(data), "\ufeff")}
	if strings.ContainsRune(r.text, 0) {
		return errConfig
	}
	for r.blanks(" \t\r\n"); r.i < len(r.text); r.blanks(" \t\r\n") {
		ok := true
		switch c := r.text[r.i]; {
		case c == '#' || c == ';':
			r.comment()
		case c == '[':
			ok = r.header()
		case isLetter(c) && r.section != "":
			ok = r.variable(yield)
		default:
			ok = false
		}
		if !ok {
			return errConfig
		}
	}
	return nil
}

// A config is a configuration file that is being read.
type config struct {
	text         string
	i            int
	section, sub string
}

// next returns the next byte, a newline at the end and for CR LF.
func (r *config) next() byte {
	if r.i >= len(r.text) {
		r.i++
		return '\n'
	}
	c := r.text[r.i]
	r.i++
	if c == '\r' && (r.i == len(r.text) || r.text[r.i] == '\n') {
		r.i++
		return '\n'
	}
	return c
}

func (r *config) blanks(set string) {
	for r.i < len(r.text) && strings.IndexByte(set, r.text[r.i]) >= 0 {
		r.i++
	}
}

func (r *config) comment() {
	for r.next() != '\n' {
	}
}

// header reads [section], [section.sub] or [section "sub"].
func (r *config) header() bool {
	r.i++
	from := r.i
	for r.i < len(r.text) && (isKey(r.text[r.i]) || r.text[r.i] == '.') {
		r.i++
	}
	name := strings.ToLower(r.text[from:r.i])
	r.section, r.sub, _ = strings.Cut(name, ".")
	switch c := r.next(); {
	case r.section == "" || strings.HasSuffix(name, "."):
		return false
	case c == ']':
		return true
	case c != ' ' && c != '\t' && c != '\r':
		return false
	}
	r.blanks(" \t\r")
	if r.next() != '"' {
		return false
	}
	sub, ok := r.quoted()
	if r.sub != "" {
		sub = r.sub + "." + sub
	}
	r.sub = sub
	return ok && r.next() == ']'
}

// quoted reads the rest of a quoted subsection.
func (r *config) quoted() (string, bool) {
	var b strings.Builder
	for {
		c := r.next()
		switch c {
		case '"':
			// An empty subsection is one nevertheless.
			return b.String(), b.Len() > 0
		case '\\':
			c = r.next()
		}
		if c == '\n' {
			return "", false
		}
		b.WriteByte(c)
	}
}

// variable reads name, or name = value.
func (r *config) variable(yield func(setting)) bool {
	from := r.i
	for r.i < len(r.text) && isKey(r.text[r.i]) {
		r.i++
	}
	s := setting{section: r.section, sub: r.sub, name: strings.ToLower(r.text[from:r.i])}
	r.blanks(" \t")
	switch r.next() {
	case '\n':
		yield(s)
		return true
	case '=':
		var ok bool
		s.value, ok = r.value()
		s.valued = true
		if ok {
			yield(s)
		}
		return ok
	}
	return false
}

// escapes are what a backslash makes of the byte after it.
func escapes(c byte) (string, bool) {
	switch c {
	case 't':
		return "\t", true
	case 'b':
		return "\b", true
	case 'n':
		return "\n", true
	case '\\':
		return "\\", true
	case '"':
		return "\"", true
	case '\n':
		return "", true
	}
	return "", false
}

// value reads a value up to the end of its line.
func (r *config) value() (string, bool) {
	var b strings.Builder
	quote, blanks := false, 0
	for {
		c := r.next()
		switch {
		case c == '\n':
			return b.String(), !quote
		case !quote && (c == '#' || c == ';'):
			r.comment()
			return b.String(), true
		case !quote && (c == ' ' || c == '\t' || c == '\r'):
			blanks++
			continue
		case b.Len() > 0:
			b.WriteString(strings.Repeat(" ", blanks))
		}
		blanks = 0
		if c == '"' {
			quote = !quote
			continue
		}
		text, ok := r.literal(c)
		if !ok {
			return "", false
		}
		b.WriteString(text)
	}
}

// literal returns what a byte of a value stands for.
func (r *config) literal(c byte) (text string, ok bool) {
	if c != '\\' {
		return string([]byte{c}), true
	}
	text, ok = escapes(r.next())
	return text, ok
}

func isKey(c byte) bool { return isLetter(c) || c == '-' || c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
