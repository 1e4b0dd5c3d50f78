package script

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// A tokenKind says what a token is.
type tokenKind uint8

const (
	endToken      tokenKind = iota
	nameToken               // a name, behind $ where that marks it as a variable
	numberToken             // a number
	textToken               // a literal
	commandToken            // a literal that is run as a line for a shell
	wordsToken              // a literal that is a list of words
	patternToken            // a regular expression
	operatorToken           // anything else
)

// A token is a word or a sign of a program.
type token struct {
	kind tokenKind
	// gap and line say that blanks, or the end of a line, are before it.
	gap, line bool
	// indent is how many columns its line is indented.
	indent   int32
	at, end  int32
	text     string
	pieces   []piece
	nameEnds bool // it is a name with a colon directly behind it
}

// A piece is a part of a literal: text, or an expression between two offsets.
type piece struct {
	text     string
	from, to int32
}

// is reports whether a token is an operator.
func (t *token) is(operator string) bool { return t.kind == operatorToken && t.text == operator }

// in reports whether a token is one of some names.
func (t *token) in(words *wordSet) bool { return t.kind == nameToken && words.has(t.text) }

// A wordSet is a set of names, which is made when it is first asked.
type wordSet struct {
	list string // blanks between
	once sync.Once
	set  map[string]bool
}

func (s *wordSet) has(name string) bool {
	s.once.Do(func() {
		s.set = map[string]bool{}
		for w := range strings.FieldsSeq(s.list) {
			s.set[w] = true
		}
	})
	return s.set[name]
}

// A lexer reads tokens.
type lexer struct {
	*grammar
	src string
	at  int
	end int
	// operand says that the latest token was a value; indent is that of the line.
	operand bool
	name    bool // and a name
	indent  int32
	// noPattern is an offset before which no regular expression ends.
	noPattern int
	// body and after are where the texts behind << of this line begin and end.
	body, after int
}

// next reads a token.
func (l *lexer) next() token {
	t := token{}
	l.blanks(&t)
	t.at, t.indent = int32(l.at), l.indent
	if l.at >= l.end {
		t.end = t.at
		return t
	}
	l.read(&t)
	t.end = int32(l.at)
	l.name = t.kind == nameToken
	l.operand = t.kind != operatorToken && !(l.name && notOperands.has(t.text)) || t.kind == operatorToken && strings.IndexByte(")]}", t.text[0]) >= 0
	return t
}

// notOperands are words behind which a value begins.
var notOperands = &wordSet{list: "return typeof case in of and or not if unless while until print puts when split grep map else elsif elif do then yield await new x eq ne lt gt le ge cmp throw delete void"}

func (l *lexer) read(t *token) {
	c := l.src[l.at]
	switch {
	case isNameByte(c) && !isDigit(c), c == '$' && l.dollars:
		l.readName(t)
	case isDigit(c):
		l.readNumber(t)
	case c == '"' || c == '\'' || c == '`':
		l.readQuoted(t, l.quotes(c))
	case (c == '$' || c == '@' || c == '%' || c == '&') && l.readVariable(t):
	case c == '/' && l.regexps && l.readPattern(t):
	case c == '<' && l.heredocs && l.readDocument(t):
	case c == '%' && l.percent && !l.operand && l.readPercent(t):
	case c == '[' && l.block == "--[[" && strings.HasPrefix(l.src[l.at:l.end], "[["):
		l.readUpTo(t, "]]", 2)
	case c == ':' && l.percent && l.readSymbol(t):
	default:
		t.kind, t.text = operatorToken, l.operator()
		l.at += len(t.text)
	}
}

// blanks passes blanks and comments.
func (l *lexer) blanks(t *token) {
	for l.at < l.end {
		switch c := l.src[l.at]; {
		case c == '\n':
			t.gap, t.line = true, true
			if l.at++; l.body > 0 && l.at == l.body {
				l.at, l.body = l.after, 0
			}
			l.indent = l.indentation()
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			t.gap = true
			l.at++
		case c == '\\' && l.at+1 < l.end && l.src[l.at+1] == '\n':
			t.gap = true
			l.at += 2
		case !l.comment(t):
			return
		}
	}
}

func (l *lexer) indentation() (n int32) {
	for _, c := range []byte(l.src[l.at:min(l.at+256, l.end)]) {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 8 - n%8
		default:
			return n
		}
	}
	return n
}

// comment passes a comment.
func (l *lexer) comment(t *token) bool {
	rest := l.src[l.at:l.end]
	if l.block != "" && strings.HasPrefix(rest, l.block) && (l.block[0] != '=' || t.line || l.at == 0) {
		end := strings.Index(rest[len(l.block):], l.blockEnd)
		if end < 0 {
			l.at = l.end
			return true
		}
		l.at += len(l.block) + end + len(l.blockEnd)
		t.gap = true
		return true
	}
	if l.tags && (strings.HasPrefix(rest, "<?php") || strings.HasPrefix(rest, "<?=") || strings.HasPrefix(rest, "?>")) {
		l.at += len("<?")
		if begin := strings.Index(rest, "<?"); rest[0] == '?' && begin < 0 {
			l.at = l.end
		} else if l.at += max(begin, 0); strings.HasPrefix(l.src[l.at:], "php") {
			l.at += len("php")
		} else if l.at < l.end && l.src[l.at] == '=' {
			l.at++
		}
		return true
	}
	for _, mark := range l.line {
		if !strings.HasPrefix(rest, mark) || mark == "#!" && l.at > 0 {
			continue
		}
		end := strings.IndexByte(rest, '\n')
		if end < 0 {
			end = len(rest)
		}
		l.at += end
		return true
	}
	return false
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isNameByte(c byte) bool {
	return c == '_' || isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

// peek returns the byte n behind the present one, 0 at the end.
func (l *lexer) peek(n int) byte {
	if l.at+n < l.end {
		return l.src[l.at+n]
	}
	return 0
}

func (l *lexer) wordEnd(at int) int {
	for at < l.end && (isNameByte(l.src[at]) || l.dollars && l.src[at] == '$' || l.dashes && l.src[at] == '-' && at+1 < l.end && isNameByte(l.src[at+1]) && !isDigit(l.src[at+1])) {
		at++
	}
	return at
}

func (l *lexer) readName(t *token) {
	end := l.wordEnd(l.at)
	t.kind, t.text = nameToken, l.src[l.at:end]
	if l.readPrefixed(t, end) {
		return
	}
	if l.operators && l.readOperator(t, end) {
		return
	}
	l.at = end
	if next := l.peek(0); (next == '!' || next == '?' && l.peek(1) == '(') && (l.percent || l.dashes) && l.peek(1) != '=' {
		l.at++ // rm_rf!
	} else if next == '*' && l.dashes && l.peek(1) == ' ' {
		l.at++ // system* of Scheme
	}
	t.nameEnds = l.peek(0) == ':' && l.peek(1) != ':'
}

// readPrefixed reads a literal behind letters that say how: r"…", f'…', ~c"…".
func (l *lexer) readPrefixed(t *token, end int) bool {
	if end >= l.end || len(t.text) > 2 || !l.triple && !l.dashes || l.src[end] != '"' && l.src[end] != '\'' {
		return false
	}
	low := strings.ToLower(t.text)
	if strings.Trim(low, "rbufcsl") != "" {
		return false
	}
	l.at = end
	q := l.quotes(l.src[end])
	q.raw = strings.Contains(low, "r")
	if strings.Contains(low, "f") {
		q.interpolates = "{"
	}
	l.readQuoted(t, q)
	return true
}

func (l *lexer) readNumber(t *token) {
	end := l.at
	for end < l.end && (isNameByte(l.src[end]) || l.src[end] == '.' && end+1 < l.end && isDigit(l.src[end+1]) && l.src[end-1] != '.') {
		end++
	}
	t.kind, t.text = numberToken, l.src[l.at:end]
	l.at = end
}

// readVariable reads a name behind a sign that says that it is a variable.
func (l *lexer) readVariable(t *token) bool {
	sign, at := l.src[l.at], l.at+1
	if !l.signs(sign) {
		return false
	}
	for at < l.end && (l.src[at] == '$' || l.src[at] == '@') && at < l.at+3 {
		at++ // @$x, $$x, @@x
	}
	end := l.wordEnd(at)
	if end == at {
		if at >= l.end || strings.IndexByte("&!@/\\,;.0", l.src[at]) < 0 || sign != '$' || l.backquote != commandToken {
			return false
		}
		end = at + 1 // $!
	}
	t.kind, t.text = nameToken, "$"+l.src[at:end]
	l.at = end
	return true
}

// signs reports whether a sign marks variables where the reader is.
func (l *lexer) signs(sign byte) bool {
	switch {
	case sign == '$':
		return l.backquote == commandToken || !l.heredocs && l.regexps && l.adjacent
	case sign == '@':
		return l.operators || l.percent
	case l.operators: // % and & of Perl
		return !l.operand
	}
	return false
}

// readPattern reads a regular expression where a value may begin.
func (l *lexer) readPattern(t *token) bool {
	if l.operand && !(l.name && l.commands && t.gap && l.peek(1) != ' ' && l.peek(1) != '=') {
		return false
	}
	if l.at < l.noPattern {
		return false
	}
	class := false
	for i := l.at + 1; i < l.end; i++ {
		switch c := l.src[i]; {
		case c == '\n':
			l.noPattern = i
			return false
		case c == '\\':
			i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			t.kind, t.text = patternToken, l.src[l.at+1:i]
			l.at = l.wordEnd(i + 1)
			return true
		}
	}
	l.noPattern = l.end
	return false
}

// readSymbol reads a symbol of Ruby.
func (l *lexer) readSymbol(t *token) bool {
	if l.operand && !t.gap || l.at+1 >= l.end {
		return false
	}
	if c := l.src[l.at+1]; c == '"' || c == '\'' {
		l.at++
		l.readQuoted(t, l.quotes(c))
		return true
	}
	end := l.wordEnd(l.at + 1)
	if end == l.at+1 || isDigit(l.src[l.at+1]) {
		return false
	}
	t.kind, t.text = textToken, l.src[l.at+1:end]
	l.at = end
	return true
}

// longOperators are the signs that stand together.
var longOperators = &wordSet{list: "=== !== **= ... <=> ||= &&= ??= <<= >>= => -> :: && || ?? ?. &. .. == != <= >= += -= *= /= .= |= := << >> ++ -- =~ !~ |> |& <> ** ~="}

func (l *lexer) operator() string {
	if l.at+1 >= l.end || strings.IndexByte("=>:&?.<+-~|*", l.src[l.at+1]) < 0 {
		if l.src[l.at] < utf8.RuneSelf {
			return l.src[l.at : l.at+1]
		}
	}
	for n := 3; n > 1; n-- {
		if l.at+n <= l.end && longOperators.has(l.src[l.at:l.at+n]) {
			return l.src[l.at : l.at+n]
		}
	}
	_, size := utf8.DecodeRuneInString(l.src[l.at:l.end])
	return l.src[l.at : l.at+size]
}
