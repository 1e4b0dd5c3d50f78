package script

import (
	"strings"
	"unicode/utf8"
)

// A lexer reads tokens.
type lexer struct {
	*grammar
	words *vocabulary
	*scratch
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

// A scratch holds the pieces of the literals of a program, and the text of one
// while it is read.
type scratch struct {
	pieces []piece
	text   []byte
}

// next reads a token.
func (l *lexer) next(t *token) {
	*t = token{}
	l.blanks(t)
	t.at, t.indent = int32(l.at), l.indent
	if l.at >= l.end {
		return
	}
	l.read(t)
	l.name = t.kind == nameToken
	l.operand = !t.in(notOperands) && (t.kind != operatorToken || t.in(closing))
}

func (l *lexer) read(t *token) {
	c := l.src[l.at]
	switch class := classes[c]; {
	case class&nameByte != 0 && class&digit == 0, c == '$' && l.dollars:
		l.readName(t)
		return
	case class&digit != 0:
		l.readNumber(t)
		return
	case class&special == 0 || !l.readSpecial(t, c):
		l.readSign(t)
	}
}

// readSpecial reads what begins with a sign that has a meaning of its own; it is
// false for one that does not have it where it is.
func (l *lexer) readSpecial(t *token, c byte) bool {
	switch c {
	case '"', '\'', '`':
		l.readQuoted(t, l.quotes(c))
		return true
	case '%':
		return l.readVariable(t) || l.percent && !l.operand && l.readPercent(t)
	case '$', '@', '&':
		return l.readVariable(t)
	case '/':
		return l.regexps && l.readPattern(t)
	case '<':
		return l.heredocs && l.readDocument(t)
	case ':':
		return l.percent && l.readSymbol(t)
	case '[':
		if l.block == "--[[" && strings.HasPrefix(l.src[l.at:l.end], "[[") {
			l.readUpTo(t, "]]", 2)
			return true
		}
	}
	return false
}

// blanks passes blanks and comments.
func (l *lexer) blanks(t *token) {
	for l.at < l.end {
		switch c := l.src[l.at]; c {
		case '\n':
			t.gap, t.line = true, true
			if l.at++; l.body > 0 && l.at == l.body {
				l.at, l.body = l.after, 0
			}
			l.indent = l.indentation()
		case ' ', '\t', '\r', '\f':
			t.gap = true
			l.at++
		case '\\':
			if l.at+1 >= l.end || l.src[l.at+1] != '\n' {
				return
			}
			t.gap = true
			l.at += 2
		default:
			if classes[c]&comments == 0 || !l.comment(t) {
				return
			}
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

// A class says what a byte may be.
type class uint8

const (
	nameByte class = 1 << iota
	digit
	special  // it may begin more than a sign
	comments // it may begin a comment
	escapes  // it may have a meaning in a literal
)

// classes are those of each byte.
var classes = func() (out [256]class) {
	for c := range out {
		if c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf {
			out[c] |= nameByte
		}
	}
	for in, bytes := range map[class]string{digit: "0123456789", special: "\"'`%$@&/<:[", comments: "#/-(=<?", escapes: "\\$#@{"} {
		for _, c := range []byte(bytes) {
			out[c] |= in
		}
	}
	return out
}()

func isDigit(c byte) bool { return classes[c]&digit != 0 }

func isNameByte(c byte) bool { return classes[c]&nameByte != 0 }

// peek returns the byte n behind the present one, 0 at the end.
func (l *lexer) peek(n int) byte {
	if l.at+n < l.end {
		return l.src[l.at+n]
	}
	return 0
}

func (l *lexer) wordEnd(at int) int {
	for {
		for at < l.end && isNameByte(l.src[at]) {
			at++
		}
		if at >= l.end || !(l.dollars && l.src[at] == '$' || l.dashes && l.src[at] == '-' && at+1 < l.end && isNameByte(l.src[at+1]) && !isDigit(l.src[at+1])) {
			return at
		}
		at++
	}
}
