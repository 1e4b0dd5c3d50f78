package readonly

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/shell"
)

// sedScript proves the scripts of sed: addresses with the commands p = d D h H
// g G n N P q Q x y s l { } and labels, which only print.
func sedScript(v *proving) bool {
	var scripts []shell.Word
	for i := range v.c.Args.Options {
		if o := &v.c.Args.Options[i]; o.Is("e") || o.Is("expression") {
			scripts = append(scripts, o.Arg)
		}
	}
	paths := v.args
	if len(scripts) == 0 {
		if len(v.args) == 0 {
			return v.fail(v.c.Span, "sed without a script is not proved")
		}
		scripts = append(scripts, v.c.Words[v.args[0]])
		paths = v.args[1:]
	}
	for _, w := range scripts {
		t, ok := w.Literal()
		if !ok || w.Many {
			return v.fail(w.Span, "the script is not known")
		}
		if why := sedProblem(t); why != "" {
			return v.fail(w.Span, why)
		}
	}
	for _, i := range paths {
		if !v.path(v.c.Words[i]) {
			return false
		}
	}
	return true
}

// sedProblem says what in a script does more than print, "" if nothing does.
func sedProblem(script string) string {
	s := sed{text: script}
	for s.i < len(s.text) {
		if why := s.command(); why != "" {
			return why
		}
	}
	return ""
}

type sed struct {
	text string
	i    int
}

const notUnderstood = "the script of sed is not understood"

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

func (s *sed) command() string {
	s.blanks(" \t\n;")
	if s.i == len(s.text) {
		return ""
	}
	for {
		if !s.address() {
			return notUnderstood
		}
		s.blanks(" \t")
		if s.peek() != ',' {
			break
		}
		s.i++
		s.blanks(" \t")
	}
	for s.peek() == '!' || s.peek() == ' ' {
		s.i++
	}
	c := s.peek()
	s.i++
	switch c {
	case 'p', '=', 'd', 'D', 'h', 'H', 'g', 'G', 'n', 'N', 'P', 'x', '}', 'z':
		return s.end()
	case '{':
		return ""
	case 'q', 'Q', 'l':
		s.blanks(" \t0123456789")
		return s.end()
	case 's':
		return s.substitute()
	case 'y':
		d := s.peek()
		if s.i++; d == 0 || d == '\\' || d == '\n' || !s.upTo(d) || !s.upTo(d) {
			return notUnderstood
		}
		return s.end()
	case '#':
		if end := strings.IndexByte(s.text[s.i:], '\n'); end >= 0 {
			s.i += end
		} else {
			s.i = len(s.text)
		}
		return ""
	case 'w', 'W', 'e', 'r', 'R', 'F':
		return "the command " + string(c) + " of sed reads, writes or runs something else"
	}
	return notUnderstood
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
		if d == 0 || d == '\n' || !s.pattern(d) {
			return false
		}
		s.blanks("IM")
	}
	return true
}

// pattern reads a regular expression between two delimiters, of which the
// first comes next. A delimiter in brackets is text (POSIX sed, and the seds
// of GNU, BSD and busybox).
func (s *sed) pattern(d byte) bool {
	if d == 0 || s.peek() != d {
		return false
	}
	for s.i++; s.i < len(s.text); s.i++ {
		switch c := s.text[s.i]; c {
		case '\\':
			s.i++
		case '\n':
			return false
		case d:
			s.i++
			return true
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

// end says whether a command ends here, as a script that is understood must.
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
		case c == 'e' || c == 'w':
			return "the flag " + string(c) + " of s runs a program or writes a file"
		default:
			return notUnderstood
		}
	}
	return ""
}

// awkProgram proves the programs of awk that only print to standard output.
func awkProgram(v *proving) bool {
	if len(v.args) == 0 {
		return v.fail(v.c.Span, "awk without a program is not proved")
	}
	t, span, ok := v.text(0)
	if !ok {
		return v.fail(span, "the program is not known")
	}
	if why := awkProblem(t); why != "" {
		return v.fail(span, why)
	}
	for _, i := range v.args[1:] {
		w := &v.c.Words[i]
		if !w.Known() || w.Many {
			return v.fail(w.Span, "an operand of awk may be an assignment")
		}
		for _, o := range w.Values {
			if strings.Contains(o, "=") {
				return v.fail(w.Span, "an operand of awk is an assignment")
			}
		}
	}
	return true
}

// awkWords are words with which a program does more than print.
var awkWords = []string{"system", "getline", "close", "fflush", "ENVIRON", "PROCINFO", "ARGV", "ARGC", "FILENAME", "SYMTAB", "function", "func", "include", "load", "namespace", "nextfile", "RS", "ORS"}

// awkProblem says what in a program does more than print, "" if nothing does.
// Outside of strings and regular expressions it must have no > after a print,
// wherever the statement ends, no pipe and no indirect call.
func awkProblem(program string) string {
	code, ok := awkCode(program)
	if !ok {
		return "the program of awk is not understood"
	}
	for _, w := range awkWords {
		if wordAt(code, w, func(_, _ byte) bool { return true }) {
			return "the program of awk uses " + w
		}
	}
	if strings.Contains(strings.ReplaceAll(code, "||", ""), "|") {
		return "the program of awk has a pipe"
	}
	if strings.ContainsAny(code, "@`") {
		return "the program of awk makes an indirect call"
	}
	if i := strings.Index(code, "print"); i >= 0 && strings.Contains(code[i:], ">") {
		return "the program of awk may write a file"
	}
	return ""
}

// awkCode returns a program without its strings, regular expressions and
// comments; ok is false where it cannot tell them from operators.
func awkCode(p string) (code string, ok bool) {
	var b strings.Builder
	operand := false // the last token is an operand, so that / divides
	for i := 0; i < len(p); i++ {
		c := p[i]
		switch {
		case c == '#':
			for i < len(p) && p[i] != '\n' {
				i++
			}
			b.WriteByte('\n')
			operand = false
		case c == '"' || c == '/' && !operand:
			end := skipLiteral(p, i)
			if end < 0 {
				return "", false
			}
			i = end
			b.WriteByte('0')
			operand = true
		default:
			b.WriteByte(c)
			if c != ' ' && c != '\t' {
				operand = isIdent(c) || c == ')' || c == ']' || c == '$'
			}
		}
	}
	return b.String(), true
}

// skipLiteral returns the index of the delimiter that ends the literal at i,
// -1 where there is none, or where awks differ: on a slash in brackets.
func skipLiteral(p string, i int) int {
	d := p[i]
	for i++; i < len(p); i++ {
		switch p[i] {
		case '\\':
			i++
		case '\n':
			return -1
		case d:
			return i
		case '[':
			if d != '/' {
				continue
			}
			end := bracketEnd(p[i:])
			if end < 0 || strings.IndexByte(p[i:i+end], '/') >= 0 {
				return -1
			}
			i += end
		}
	}
	return -1
}
