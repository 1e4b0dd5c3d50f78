package script

import (
	"strings"
	"unicode/utf8"
)

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
