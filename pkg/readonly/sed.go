package readonly

import (
	"github.com/policyctl/policyctl/internal/lang/shell"
	"slices"
	"strings"
)

// sedScript proves the scripts of sed: addresses with the commands p = d D h H
// g G n N P q Q x y s l z F a i c b t T { } and labels, which only print.
func sedScript(v *attempt) bool {
	var room [4]*shell.Word
	scripts := room[:0]
	for i := range v.c.Args.Options {
		o := &v.c.Args.Options[i]
		if !o.Is("e") {
			continue
		}
		if len(v.args) > 0 && o.At > v.args[0] {
			v.fail(v.c.Words[v.args[0]].Span, "some versions of sed take the first operand as the script, whatever follows")
			return v.instead("write the options before it")
		}
		scripts = append(scripts, &o.Arg)
	}
	paths := v.args
	if len(scripts) == 0 {
		if len(v.args) == 0 {
			return v.fail(v.c.Span, "sed has no script")
		}
		scripts = append(scripts, &v.c.Words[v.args[0]])
		paths = v.args[1:]
	}
	var s sed
	for _, w := range scripts {
		if !v.sedPrints(&s, w) {
			return false
		}
	}
	for _, i := range paths {
		if !v.path(v.c.Words[i]) {
			return false
		}
	}
	return true
}

// sedPrints reports whether a script is known and only prints.
func (v *attempt) sedPrints(s *sed, w *shell.Word) bool {
	t, ok := w.Literal()
	if !ok || w.Many {
		v.fail(w.Span, "sed's script is unknown")
		return v.instead("write the line numbers themselves, or use head and tail")
	}
	if why := s.problem(t); why != "" {
		return v.fail(w.Span, why)
	}
	return true
}

// problem says what in the next part of a script does more than print, "" if
// nothing does.
func (s *sed) problem(script string) string {
	s.text, s.i, s.labelled = script, 0, false
	for s.i < len(s.text) {
		if why := s.command(); why != "" {
			return why
		}
	}
	if s.restarts && s.adds {
		return endlessSed
	}
	return ""
}

// A sed reads a script.
type sed struct {
	text string
	i    int
	// depth counts open braces, and n the commands. Reads holds for each depth
	// the last command without an address that reads another line or leaves;
	// labels are those that were passed, and jump is the last branch to one that
	// was not.
	depth, n, jump int
	reads          [maxDepth]int
	labels         []sedLabel
	// labelled says that a label stands on the line: for some seds all of the
	// line belongs to it.
	labelled bool
	// restarts says that the script has the command D, which begins anew without
	// reading a line while one is left, and adds that it has one that brings lines back.
	restarts, adds bool
}

// maxDepth bounds how deep blocks of sed nest.
const maxDepth = 8

// A sedLabel is a label, and the number of the command that it is.
type sedLabel struct {
	name string
	n    int
}

const (
	notUnderstood = "sed's script is not understood"
	endlessSed    = "sed's script has a loop that reads no line and may never end"
)

func (s *sed) peek() byte {
	if s.i < len(s.text) {
		return s.text[s.i]
	}
	return 0
}

func (s *sed) blanks(set string) {
	for s.i < len(s.text) && strings.IndexByte(set, s.text[s.i]) >= 0 {
		s.i++
	}
}

// separators skips what stands between commands.
func (s *sed) separators() {
	for ; s.i < len(s.text) && strings.IndexByte(" \t\n;", s.text[s.i]) >= 0; s.i++ {
		s.labelled = s.labelled && s.text[s.i] != '\n'
	}
}

func (s *sed) command() string {
	s.separators()
	if s.i == len(s.text) {
		return ""
	}
	start := s.i
	if !s.addresses() {
		return notUnderstood
	}
	always := s.i == start
	c := s.peek()
	s.i++
	s.n++
	if always && strings.IndexByte("nNdqQ", c) >= 0 {
		s.reads[s.depth] = s.n
	}
	s.restarts = s.restarts || c == 'D'
	s.adds = s.adds || c == 'G' || c == 'g' || c == 'x'
	switch c {
	case 'p', '=', 'd', 'D', 'h', 'H', 'g', 'G', 'n', 'N', 'P', 'x', 'z', 'F':
		return s.end()
	case '}':
		s.depth = max(0, s.depth-1)
		return s.end()
	case ':', 'b', 't', 'T':
		return s.label(c)
	case 'a', 'i', 'c':
		return s.insertion()
	case '{':
		if s.depth++; s.depth == maxDepth {
			return notUnderstood
		}
		s.reads[s.depth] = 0
		return ""
	case 'q', 'Q', 'l':
		s.blanks(" \t0123456789")
		return s.end()
	case 's':
		return s.substitute()
	case 'y':
		return s.transliterate()
	case '#':
		text, _, _ := strings.Cut(s.text[s.i:], "\n")
		s.i += len(text)
		return ""
	}
	return sedUnsafe(c)
}

// sedUnsafe says what a command does that does more than print.
func sedUnsafe(c byte) string {
	switch c {
	case 'w', 'W':
		return "sed's command " + string(c) + " writes a file"
	case 'r', 'R':
		return "sed's command " + string(c) + " reads another file"
	case 'e':
		return "sed's command e runs a program"
	}
	return notUnderstood
}

// addresses reads the addresses before a command, and the ! after them.
func (s *sed) addresses() bool {
	for {
		if !s.address() {
			return false
		}
		s.blanks(" \t")
		if s.peek() != ',' {
			break
		}
		s.i++
		s.blanks(" \t")
	}
	s.blanks("! ")
	return true
}

func (s *sed) transliterate() string {
	d := s.peek()
	if s.i++; d == 0 || d == '\\' || d == '\n' || !s.upTo(d) || !s.upTo(d) {
		return notUnderstood
	}
	return s.end()
}

// label reads the name after a colon or a branch. Some seds take all up to the
// line's end for it, so that what follows is judged either way.
func (s *sed) label(c byte) string {
	s.blanks(" \t")
	start := s.i
	for s.i < len(s.text) && isIdent(s.text[s.i]) {
		s.i++
	}
	name := s.text[start:s.i]
	switch {
	case c == ':' && name == "":
		return notUnderstood
	case c == ':':
		s.labels = append(s.labels, sedLabel{name, s.n})
	case s.spins(name):
		return endlessSed
	}
	s.labelled = true
	if s.blanks(" \t"); s.peek() == '#' {
		return notUnderstood // a part of the label for busybox and toybox
	}
	return s.end()
}

// spins reports whether a branch leads back to a label and no line is read for
// certain on the way from there.
func (s *sed) spins(name string) bool {
	at := slices.IndexFunc(s.labels, func(l sedLabel) bool { return l.name == name })
	if at < 0 {
		if name != "" {
			s.jump = s.n
		}
		return false
	}
	read := slices.Max(s.reads[:s.depth+1])
	return read <= s.labels[at].n || s.jump > s.labels[at].n && s.jump < read
}

// insertion reads the text of a, i and c, which is the rest of the line, or
// the next one after a backslash. The text has no backslash itself. Behind a
// label it may be none, and its next line a command.
func (s *sed) insertion() string {
	if s.labelled {
		return notUnderstood
	}
	s.blanks(" \t")
	if s.peek() == '\\' {
		s.i++
		s.blanks(" \t")
		if s.peek() == '\n' {
			s.i++
		}
	}
	text, _, _ := strings.Cut(s.text[s.i:], "\n")
	if text == "" || strings.Contains(text, "\\") {
		return notUnderstood
	}
	s.i += len(text)
	return ""
}

// address reads at most one address.
func (s *sed) address() bool {
	switch c := s.peek(); {
	case c >= '0' && c <= '9' || c == '+' || c == '~':
		s.blanks("0123456789+~")
	case c == '$':
		s.i++
	case c == '/' || c == '\\':
		if c == '\\' {
			s.i++
		}
		d := s.peek()
		if d == 0 || d == '\n' || d == '[' || !s.pattern(d) {
			return false
		}
		s.blanks("IM")
	}
	return true
}

// pattern reads a regular expression between two delimiters, of which the
// first comes next. A delimiter in brackets is text (POSIX sed, and the seds
// of GNU, BSD and busybox). One that may be tried without end is not understood.
func (s *sed) pattern(d byte) bool {
	if d == 0 || s.peek() != d {
		return false
	}
	from := s.i
	for s.i++; s.i < len(s.text); s.i++ {
		switch c := s.text[s.i]; c {
		case '\\':
			s.i++
		case '\n':
			return false
		case d:
			s.i++
			return !looksBack(s.text[from:s.i])
		case '[':
			end := bracketEnd(s.text[s.i:])
			if end < 0 {
				return false
			}
			s.i += end
		}
	}
	return false
}

// bracketEnd returns the index of the bracket that ends the expression at the
// start of s, -1 if there is none on the line (POSIX 9.3.5).
func bracketEnd(s string) int {
	i := 1
	if i < len(s) && s[i] == '^' {
		i++
	}
	for first := true; i < len(s); first = false {
		switch {
		case s[i] == '\n':
			return -1
		case s[i] == ']' && !first:
			return i
		case s[i] == '[' && i+1 < len(s) && strings.IndexByte(":.=", s[i+1]) >= 0:
			end := strings.Index(s[i+2:], s[i+1:i+2]+"]")
			if end < 0 {
				return -1
			}
			i += end + 4
		default:
			i++
		}
	}
	return -1
}

// upTo reads text up to the next delimiter.
func (s *sed) upTo(d byte) bool {
	for s.i < len(s.text) {
		c := s.text[s.i]
		s.i++
		switch c {
		case '\\':
			s.i++
		case '\n':
			return false
		case d:
			return true
		}
	}
	return false
}

// end reports whether a command ends here, as a script that is understood must.
func (s *sed) end() string {
	s.blanks(" \t")
	if c := s.peek(); c == 0 || strings.IndexByte(";\n}#", c) >= 0 {
		return ""
	}
	return notUnderstood
}

func (s *sed) substitute() string {
	d := s.peek()
	if d == '\\' || d == '\n' || d >= 0x80 || d == '[' || !s.pattern(d) || !s.upTo(d) {
		return notUnderstood
	}
	for s.i < len(s.text) {
		switch c := s.text[s.i]; {
		case strings.IndexByte("gpiIm0123456789M", c) >= 0:
			s.i++
		case strings.IndexByte(" \t;\n}#", c) >= 0:
			return ""
		case c == 'e':
			return "the flag e of s runs a program"
		case c == 'w':
			return "the flag w of s writes a file"
		default:
			return notUnderstood
		}
	}
	return ""
}
