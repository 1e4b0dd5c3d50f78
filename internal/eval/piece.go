package eval

import (
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
)

// An expansion turns one word of the source into words.
type expansion struct {
	r        *reader
	sc       *scope
	cmd      int
	span     shell.Span
	split    bool // the shell splits and globs here
	assigned bool // the word is the value of an assignment
	done     []shell.Word
	cur      piece
}

// A piece is a word as it grows. Its values are patterns: what is quoted has
// its special characters escaped, until it is known that nothing is special.
type piece struct {
	set     shell.Set
	started bool // has a value, be it empty
	quoted  bool
	many    bool
	splits  bool // a part of which the value is unknown is split
	frozen  bool // the prefix is complete: something unknown follows
	secret  bool
	partial []byte // pattern form, once something is unknown
	digits  bool   // all that is unknown of it are decimal integers
	file    bool   // the pattern is that of one file, as in for f in *.go
}

// tooMany adds what becomes of a word with more braces than are expanded.
func (x *expansion) tooMany() {
	x.done = append(x.done, shell.Word{Set: shell.Set{Open: true}, Span: x.span, Many: true, Quoted: true})
}

// flush ends the current word.
func (x *expansion) flush() {
	c := &x.cur
	if !c.started && !c.many {
		return
	}
	w := shell.Word{Set: c.set, Span: x.span, Many: c.many, Splits: c.splits, Quoted: true, Secret: c.secret}
	if len(c.partial) > 0 {
		w.Partial, w.Digits = shell.UnescapePattern(string(c.partial)), c.digits
	}
	if !x.split && !c.file {
		w.Glob = false
	}
	if w.Glob {
		w.Glob = shell.AnyGlob(w.Values) || len(w.Values) == 0
	}
	if !w.Glob {
		for i, v := range w.Values {
			w.Values[i] = shell.UnescapePattern(v)
		}
		w.Prefix = shell.UnescapePattern(w.Prefix)
	} else {
		w.Many = w.Many || !c.file
		if !w.Open {
			w.Prefix = ""
			for i, v := range w.Values {
				if p := shell.GlobPrefix(v); i == 0 {
					w.Prefix = p
				} else {
					w.Prefix = shell.CommonPrefix(w.Prefix, p)
				}
			}
		} else {
			w.Prefix = shell.GlobPrefix(w.Prefix)
		}
	}
	if !w.Open && !w.Glob {
		w.Prefix = ""
	}
	x.r.spends(wordBytes)
	if x.done = append(x.done, w); len(x.done) > maxCommands {
		x.r.stop("too-many", "a word expands to too many words", x.span)
	}
	x.cur = piece{}
}

// raw adds text in pattern form.
func (x *expansion) raw(s string, glob bool) {
	c := &x.cur
	if s != "" {
		x.cutNames(s)
	}
	c.set.Glob = c.set.Glob || glob
	c.set.Number = false
	if !c.started {
		c.started = true
		c.set.Values = x.r.one(s)
	} else {
		x.append(s)
	}
	x.prefixed()
	if len(c.partial) > 0 {
		x.known(s)
	}
}

// append adds text to each value. Where the line cannot afford it, the values stay
// as they are, and the set is open.
func (x *expansion) append(s string) {
	c := &x.cur
	for i, v := range c.set.Values {
		if s == "" || v == "" {
			c.set.Values[i] = v + s
		} else if x.r.affords(len(v) + len(s)) {
			c.set.Values[i] = v + s
		} else {
			c.set.Open, c.frozen = true, true
		}
	}
}

// prefixed makes the value the prefix, until something unknown follows.
func (x *expansion) prefixed() {
	if c := &x.cur; !c.frozen && len(c.set.Values) == 1 {
		c.set.Prefix = c.set.Values[0]
	}
}

// known adds text to what is known of a value.
func (x *expansion) known(s string) {
	if c := &x.cur; len(c.partial)+len(s) <= maxValue {
		c.partial = append(c.partial, s...)
	}
}

// cutNames forgets names that are listed where more follows them than a path
// below: what they make then is no name.
func (x *expansion) cutNames(next string) {
	if c := &x.cur; c.set.Names && !strings.HasPrefix(next, "/") {
		c.set = shell.Set{Open: true}
	}
}

// add adds a value that is not split.
func (x *expansion) add(v shell.Set) {
	c := &x.cur
	if v.Names && len(c.set.Values) == 1 && c.set.Values[0] != "" && !c.set.Open && !c.set.Glob {
		before := shell.UnescapePattern(c.set.Values[0])
		name := strings.LastIndexByte(before, '=') + 1 // of=DIR/
		if v = command.NamesBehind(v, before[name:], x.sc.dir); len(v.Values) > 0 {
			for i := range v.Values {
				v.Values[i] = shell.EscapePattern(before[:name]) + v.Values[i]
			}
			c.set, c.file, c.frozen = v, true, true
			return
		}
		v = shell.Set{Open: true}
	}
	if len(v.Values) != 1 || v.Values[0] != "" {
		x.cutNames("")
	}
	first := !c.started
	if first {
		c.started = true
		c.set.Values = x.r.one("")
		c.set.Number, c.set.Started = v.Number, v.Started
	} else {
		c.set.Number = false
	}
	switch {
	case len(c.partial) > 0 && len(v.Values) > 0:
		x.known(shell.EscapePattern(v.Values[0]))
	case len(c.partial) > 0:
		x.known(shell.UnknownText)
		c.digits = c.digits && v.Number
	case v.Open && len(v.Values) == 0 && len(c.set.Values) > 0:
		c.digits = v.Number
		c.partial = append([]byte(c.set.Values[0]), shell.UnknownText...)
	}
	c.set.Open = c.set.Open || v.Open
	quote := shell.EscapePattern
	if v.Glob {
		quote = func(s string) string { return s }
		c.set.Glob, c.file = true, true
		c.set.Names = v.Names
	}
	plain := !v.Open && !v.Glob && len(v.Values) == 1
	if !plain && !c.frozen {
		c.set.Prefix += shell.EscapePattern(v.Beginning())
		c.frozen = true
	}
	if len(v.Values) == 1 {
		x.append(quote(v.Values[0]))
	} else {
		x.cross(v.Values, quote)
	}
	x.prefixed()
}

// cross gives each value each of some texts.
func (x *expansion) cross(texts []string, quote func(string) string) {
	c := &x.cur
	var out []string
	for _, l := range c.set.Values {
		for _, v := range texts {
			v = quote(v)
			if len(out) == shell.MaxValues || !x.r.affords(len(l)+len(v)) {
				c.set.Values, c.set.Open = out, true
				return
			}
			out = append(out, l+v)
		}
	}
	c.set.Values = out
}

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
