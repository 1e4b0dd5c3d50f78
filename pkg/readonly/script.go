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
	case 'p', '=', 'd', 'D', 'h', 'H', 'g', 'G', 'n', 'N', 'P', 'x', '{', '}', 'z':
		return ""
	case 'q', 'Q', 'l':
		s.blanks(" \t0123456789")
		return ""
	case 's':
		return s.substitute()
	case 'y':
		if d := s.peek(); s.part(d) && s.more(d) {
			return ""
		}
		return notUnderstood
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
		if d == 0 || d == '\n' || !s.part(d) {
			return false
		}
		s.blanks("IM")
	}
	return true
}

// part reads text between two delimiters, of which the first comes next.
func (s *sed) part(d byte) bool {
	if d == 0 || s.peek() != d {
		return false
	}
	s.i++
	return s.more(d)
}

// more reads text up to the next delimiter. Seds differ on whether one ends the
// text in brackets too; where it matters, what follows is not understood.
func (s *sed) more(d byte) bool {
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

func (s *sed) substitute() string {
	d := s.peek()
	if d == '\\' || d == '\n' || d >= 0x80 || d == '[' || !s.part(d) || !s.more(d) {
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
// Outside of strings and regular expressions it must have no > that follows a
// print, no pipe and no indirect call.
func awkProblem(program string) string {
	code, ok := awkCode(program)
	if !ok {
		return "the program of awk is not understood"
	}
	for _, w := range awkWords {
		if hasWholeWord(code, w) {
			return "the program of awk uses " + w
		}
	}
	if strings.Contains(strings.ReplaceAll(code, "||", ""), "|") {
		return "the program of awk has a pipe"
	}
	if strings.ContainsAny(code, "@`") {
		return "the program of awk makes an indirect call"
	}
	for stmt := range strings.FieldsFuncSeq(code, func(r rune) bool { return r == ';' || r == '\n' || r == '{' || r == '}' }) {
		if i := strings.Index(stmt, "print"); i >= 0 && strings.Contains(stmt[i:], ">") {
			return "the program of awk writes a file"
		}
	}
	return ""
}

func hasWholeWord(text, word string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		i += at
		end := i + len(word)
		if (i == 0 || !isIdent(text[i-1])) && (end == len(text) || !isIdent(text[end])) {
			return true
		}
		at = end
	}
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

// skipLiteral returns the index of the delimiter that ends the literal at i.
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
		}
	}
	return -1
}
