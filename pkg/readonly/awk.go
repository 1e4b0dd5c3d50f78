package readonly

import (
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// awkProgram proves the programs of awk that only print to standard output.
func awkProgram(v *attempt) bool {
	if len(v.args) == 0 {
		return v.fail(v.c.Span, "awk has no program")
	}
	t, span, ok := v.text(0)
	if !ok {
		v.fail(span, "awk's program is unknown")
		return v.instead("write it in single quotes, with values from -v NAME=VALUE")
	}
	if why := awkProblem(t); why != "" {
		return v.fail(span, why)
	}
	for _, i := range v.args[1:] {
		if w := &v.c.Words[i]; mayBegin(w, "/inet") {
			return v.fail(w.Span, "gawk opens a network connection for a file of this name")
		}
	}
	return true
}

// awkUnsafe are names with which a program does more than print: it runs
// something, reads the environment or other files, or has a name for them.
var awkUnsafe = []string{
	"system", "getline", "close", "fflush", "extension", "ENVIRON", "PROCINFO", "ARGV", "ARGC", "SYMTAB", "FUNCTAB", "namespace",
}

// awkWords are words that no operand ends with, so that a slash after them
// starts a regular expression.
var awkWords = []string{
	"print", "printf", "return", "exit", "in", "else", "do", "while", "for", "if", "delete", "next", "BEGIN", "END", "function",
	"break", "continue",
}

// awkDisputed are words of the language for one awk and variables for another,
// and one that is a function with or without parentheses.
var awkDisputed = []string{"length", "case", "default", "switch", "func", "nextfile", "BEGINFILE", "ENDFILE"}

// awkLeaves are the words that leave a loop.
var awkLeaves = []string{"break", "exit", "return", "next"}

// awkProblem says what in a program does more than print, "" if nothing does:
// a name of awkUnsafe, a pipe, an indirect call, or a > in a print statement
// outside of parentheses. A program that awks read in different ways is not
// understood.
func awkProblem(program string) string {
	a := awk{text: program}
	for a.i < len(a.text) {
		if why := a.token(); why != "" {
			return why
		}
	}
	bare := strings.Join(strings.Fields(program), "")
	switch {
	case a.loops && !containsAny(program, awkLeaves) && awkForever(bare), awkCallsItself(program):
		return "awk's program never ends"
	case a.loops && (countsFar(bare) || awkDoubles(program)), strings.Contains(program, "printf") && isWide(program):
		return "awk's program counts too far"
	}
	return ""
}

// awkForever reports whether a program, without blanks, has a loop that may never
// end: one of while that neither counts nor reads, or one of for without a
// condition, or of which it is a number or a text.
func awkForever(program string) bool {
	for rest := range behindEach(program, "while(") {
		if !awkCounts(rest, program) {
			return true
		}
	}
	for rest := range behindEach(program, "for(") {
		_, condition, ok := strings.Cut(rest, ";")
		condition, _, _ = strings.Cut(condition, ";")
		if ok && (condition == "" || awkHolds(condition) || runsAway(rest)) {
			return true
		}
	}
	return false
}

// runsAway reports whether the head of a for, without blanks, counts away from its bound.
func runsAway(head string) bool {
	m := forHeads().FindStringSubmatch(head)
	if m == nil || m[1] != m[4] && m[1] != m[6] {
		return false
	}
	less, step := m[2][0] == '<', m[3]+m[5]+m[7]
	return less && strings.HasPrefix(step, "-") || !less && strings.HasPrefix(step, "+")
}

// forHeads are the heads of a for that compares a counter and changes it by a step.
var forHeads = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[^;]*;([A-Za-z_]\w*)([<>]=?)[^;]*;(?:(\+\+|--)([A-Za-z_]\w*)|()([A-Za-z_]\w*)(\+\+|--|\+=|-=)[^)]*)\)`)
})

// awkCallsItself reports whether a program defines a function that calls itself.
func awkCallsItself(program string) bool {
	for rest := range behindEach(program, "function ") {
		name, body, ok := strings.Cut(rest, "(")
		if next := closingBrace(body); next >= 0 {
			body = body[:next]
		}
		if name = strings.TrimSpace(name); ok && name != "" && hasIdent(body, name) {
			return true
		}
	}
	return false
}

// closingBrace returns the index of the brace that closes the first one of a text, -1
// where there is none.
func closingBrace(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// awkDoubles reports whether a program puts a variable twice into itself.
func awkDoubles(program string) bool {
	for _, m := range doublings().FindAllStringSubmatch(program, -1) {
		if m[1] == m[2] && m[1] == m[3] {
			return true
		}
	}
	return false
}

// doublings are assignments of two names behind one another.
var doublings = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`([A-Za-z_]\w*)\s*=\s*([A-Za-z_]\w*)\s+([A-Za-z_]\w*)`)
})

// awkCounters are the heads of a loop of awk that counts up to a bound: the
// counter, its step if that stands in the condition, and the bound.
var awkCounters = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([A-Za-z_]\w*)(\+\+)?<=?([A-Za-z_]\w*|[0-9]+)\)([^}]*)`)
})

// awkCounts reports whether what stands behind "while(" counts up in every round to
// a bound that stays, or reads a line in every round.
func awkCounts(rest, program string) bool {
	if condition, _, _ := strings.Cut(rest, ">0)"); strings.Contains(condition, "getline") && strings.HasPrefix(condition, "(") && len(condition) < len(rest) {
		return true
	}
	m := awkCounters().FindStringSubmatch(rest)
	if m == nil || strings.Contains(program, "do{") || strings.Contains(m[4], m[1]+"=") || strings.Contains(m[4], "--") || strings.Contains(m[4], m[3]+"=") ||
		strings.Contains(m[4], m[3]+"++") && m[3] != m[1] || m[3] == "NF" && strings.Contains(m[4], "$(NF") {
		return false
	}
	if m[2] != "" {
		return !strings.Contains(m[4], m[1]+"-")
	}
	conditional := strings.Contains(m[4], "if(") || strings.Contains(m[4], "continue") || strings.Contains(m[4], "?") || strings.Contains(m[4], "&&") || strings.Contains(m[4], "||") || strings.Contains(m[4], "{") && strings.LastIndex(m[4], "{") > 0
	return !conditional && (strings.Contains(m[4], m[1]+"++") || strings.Contains(m[4], "++"+m[1]) || strings.Contains(m[4], m[1]+"+=1"))
}

// awkHolds reports whether a condition is a constant that holds.
func awkHolds(condition string) bool {
	if strings.Trim(condition, "0123456789.") == "" {
		return strings.Trim(condition, "0.") != ""
	}
	return condition == "!0" || condition[0] == '"' && !strings.ContainsAny(condition, "<>=~")
}

// behindEach yields what follows each part of a text.
func behindEach(text, part string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for {
			_, after, ok := strings.Cut(text, part)
			if !ok || !yield(after) {
				return
			}
			text = after
		}
	}
}

func containsAny(text string, list []string) bool {
	return slices.ContainsFunc(list, func(part string) bool { return strings.Contains(text, part) })
}

// awk reads a program token by token.
type awk struct {
	text string
	i    int
	// last is the kind of the last token.
	last awkKind
	// depth counts open parentheses, printing is one more than the depth at
	// which a print statement began, 0 outside of one.
	depth, printing int
	// condition says that a parenthesis is to open that of an if or a loop,
	// conditions has a bit for the depth of each that is open.
	condition  bool
	conditions uint64
	// loops says that there is a while or a for.
	loops bool
}

// An awkKind is what a token is for the one after it.
type awkKind uint8

const (
	awkStart   awkKind = iota // an operator, or the start of a statement
	awkOperand                // a slash after it divides
	awkEither                 // awks differ on a slash after it
)

const awkUnclear = "awk's program is not understood"

func (a *awk) token() string {
	c := a.text[a.i]
	switch {
	case c == ' ' || c == '\t':
		a.i++
	case c == '\\':
		if !strings.HasPrefix(a.text[a.i:], "\\\n") {
			return awkUnclear
		}
		a.i += 2
	case c == '#':
		for a.i < len(a.text) && a.text[a.i] != '\n' {
			a.i++
		}
	case c == '\n' || c == ';' || c == '}':
		a.end(c)
	case c == '"', c == '/' && a.last != awkOperand && a.last != awkEither:
		return a.literal()
	case c == '/' && a.last == awkEither:
		return awkUnclear
	case isDigit(c), c == '.' && a.i+1 < len(a.text) && isDigit(a.text[a.i+1]):
		return a.number()
	case isIdent(c):
		return a.word()
	default:
		return a.operator(c)
	}
	return ""
}

// end ends a statement. The end of a line does so only where it cannot go on.
func (a *awk) end(c byte) {
	a.i++
	if c == '\n' && a.last != awkOperand && a.last != awkEither {
		return
	}
	a.last = awkStart
	if a.depth == 0 {
		a.printing = 0
	}
}

// literal skips a string or a regular expression. After the latter a slash
// divides for some awks, and begins another one for others.
func (a *awk) literal() string {
	end := skipLiteral(a.text, a.i)
	if end < 0 {
		return awkUnclear
	}
	a.last = awkOperand
	if a.text[a.i] == '/' {
		a.last = awkEither
	}
	a.i = end + 1
	return ""
}

// number reads a number: digits, a point and digits, an exponent, or for some
// awks 0x and hexadecimal ones. A letter behind it begins a name, but for one
// that awks may take for a part of the number.
func (a *awk) number() string {
	a.last = awkOperand
	if strings.HasPrefix(a.text[a.i:], "0x") || strings.HasPrefix(a.text[a.i:], "0X") {
		a.i += 2
		a.skip("0123456789abcdefABCDEF")
		return a.apart()
	}
	a.skip("0123456789")
	if a.peek() == '.' {
		a.i++
		a.skip("0123456789")
	}
	if c := a.peek(); c != 'e' && c != 'E' {
		return ""
	}
	a.i++
	if c := a.peek(); c == '+' || c == '-' {
		a.i++
	}
	if !isDigit(a.peek()) {
		return awkUnclear
	}
	a.skip("0123456789")
	return ""
}

// apart wants that no letter or digit follows.
func (a *awk) apart() string {
	if isIdent(a.peek()) || a.peek() == '.' {
		return awkUnclear
	}
	return ""
}

func (a *awk) peek() byte {
	if a.i < len(a.text) {
		return a.text[a.i]
	}
	return 0
}

func (a *awk) skip(set string) {
	for a.i < len(a.text) && strings.IndexByte(set, a.text[a.i]) >= 0 {
		a.i++
	}
}

// word reads a name.
func (a *awk) word() string {
	start := a.i
	a.last = awkOperand
	for a.i < len(a.text) && isIdent(a.text[a.i]) {
		a.i++
	}
	w := a.text[start:a.i]
	switch {
	case slices.Contains(awkUnsafe, w):
		return "awk's program uses " + w
	case w == "print" || w == "printf":
		a.printing = a.depth + 1
		a.last = awkStart
	case slices.Contains(awkDisputed, w):
		a.last = awkEither
		a.condition = w == "switch"
	case slices.Contains(awkWords, w):
		a.last = awkStart
		a.loops = a.loops || w == "while" || w == "for"
		a.condition = w == "if" || w == "while" || w == "for"
	}
	return ""
}

func (a *awk) operator(c byte) string {
	twice := strings.HasPrefix(a.text[a.i+1:], string(c))
	a.i++
	a.last = awkStart
	switch c {
	case '(':
		return a.open()
	case ')':
		return a.close()
	case ']':
		a.last = awkOperand
	case '@', '`', '\'':
		return "awk's program makes an indirect call"
	case '|':
		if !twice {
			return "awk's program has a pipe"
		}
		a.i++
	case '+', '-':
		if twice {
			a.i++
			a.last = awkEither
		}
	case '>':
		if a.depth < a.printing {
			return "awk's program may write a file"
		}
	}
	if c > '~' || c < ' ' {
		return awkUnclear
	}
	return ""
}

func (a *awk) open() string {
	if a.depth++; a.depth > 60 {
		return awkUnclear
	}
	if a.condition {
		a.conditions |= 1 << a.depth
	}
	a.condition, a.last = false, awkStart
	return ""
}

// close ends a parenthesis. After that of an if or a loop a slash divides for
// some awks and starts a regular expression for others.
func (a *awk) close() string {
	if a.depth == 0 {
		return awkUnclear
	}
	a.last = awkOperand
	if a.conditions&(1<<a.depth) != 0 {
		a.last = awkEither
	}
	a.conditions &^= 1 << a.depth
	a.depth--
	return ""
}

// skipLiteral returns the index of the delimiter that ends the literal at i,
// -1 where there is none, or where awks differ.
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
			end := awkBracketEnd(p[i:])
			if end < 0 {
				return -1
			}
			i += end
		}
	}
	return -1
}

// awkBracketEnd returns the index of the bracket that ends the expression at
// the start of s; -1 if there is none, and where a slash, an escape or a class
// makes awks differ on what ends it or the regular expression around it. Other
// than in sed, a backslash escapes in brackets too (POSIX awk).
func awkBracketEnd(s string) int {
	i := 1
	if i < len(s) && s[i] == '^' {
		i++
	}
	for first := i; i < len(s); i++ {
		switch {
		case s[i] == ']' && i > first:
			return i
		case s[i] == '\\':
			i++
		case s[i] == '/' || s[i] == '\n':
			return -1
		case s[i] == '[' && i+1 < len(s) && strings.IndexByte(":.=", s[i+1]) >= 0:
			name := strings.TrimLeft(s[i+2:], "abcdefghijklmnopqrstuvwxyz")
			if s[i+1] != ':' || !strings.HasPrefix(name, ":]") {
				return -1
			}
			i = len(s) - len(name) + 1
		}
	}
	return -1
}
