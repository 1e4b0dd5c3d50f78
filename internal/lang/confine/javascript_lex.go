package confine

import "strings"

// A javascriptLexer reads tokens. Where a slash may begin a regular expression or
// divide, it refuses to guess.
type javascriptLexer struct {
	src    string
	at     int
	tokens []token
	open   []string // brackets
	line   bool
}

func (l *javascriptLexer) refuse(from int, why string) *Refusal {
	return &Refusal{Why: why, From: from, To: min(from+1, len(l.src))}
}

func (l *javascriptLexer) add(k kind, from int) *token {
	l.tokens = append(l.tokens, token{kind: k, text: l.src[from:l.at], at: from, line: l.line})
	l.line = false
	return &l.tokens[len(l.tokens)-1]
}

// read reads tokens to the end, or to the brace that closes a value in a template.
func (l *javascriptLexer) read(value bool) *Refusal {
	for l.at < len(l.src) {
		if value && len(l.open) == 0 && l.src[l.at] == '}' {
			return nil
		}
		if r := l.next(); r != nil {
			return r
		}
	}
	if value {
		return l.refuse(l.at, "a value in a template is not closed")
	}
	l.line = true
	l.add(endToken, l.at)
	return nil
}

func (l *javascriptLexer) next() *Refusal {
	from := l.at
	rest := l.src[from:]
	switch c := l.src[from]; {
	case c == '\n':
		l.line = true
		l.at++
	case c == ' ' || c == '\t':
		l.at++
	case strings.HasPrefix(rest, "//"):
		end := strings.IndexByte(rest, '\n')
		if end < 0 {
			end = len(rest)
		}
		l.at += end
	case strings.HasPrefix(rest, "/*"):
		end := strings.Index(rest, "*/")
		if end < 0 {
			return l.refuse(from, "a comment is not closed")
		}
		l.line = l.line || strings.Contains(rest[:end], "\n")
		l.at += end + 2
	case strings.HasPrefix(rest, "<!--") || strings.HasPrefix(rest, "-->"):
		return l.refuse(from, "it may begin a comment")
	case isNameStart(c) || c == '$':
		for l.at < len(l.src) && (isNamePart(l.src[l.at]) || l.src[l.at] == '$') {
			l.at++
		}
		l.add(nameToken, from)
	case isDigit(c) || c == '.' && len(rest) > 1 && isDigit(rest[1]):
		return l.number()
	case c == '"' || c == '\'':
		return l.quoted(c)
	case c == '`':
		return l.template()
	case c == '/':
		return l.slash()
	default:
		return l.operator()
	}
	return nil
}

func (l *javascriptLexer) number() *Refusal {
	from := l.at
	for l.at < len(l.src) && (isNamePart(l.src[l.at]) || l.src[l.at] == '.') {
		if c := l.src[l.at] | 0x20; c == 'e' && !strings.HasPrefix(l.src[from:], "0x") && l.at+1 < len(l.src) && (l.src[l.at+1] == '-' || l.src[l.at+1] == '+') {
			l.at++
		}
		l.at++
	}
	if text := l.src[from:l.at]; strings.Trim(text, "0123456789._") != "" && !plainNumber(text) || strings.Count(text, ".") > 1 {
		return l.refuse(from, "the number is not understood")
	}
	l.add(numberToken, from)
	return nil
}

// plainNumber reports whether a number with letters is one.
func plainNumber(text string) bool {
	lower := strings.ToLower(text)
	if rest, ok := strings.CutPrefix(lower, "0x"); ok {
		return strings.Trim(rest, "0123456789abcdef_") == ""
	}
	lower = strings.TrimSuffix(lower, "n")
	mantissa, exponent, _ := strings.Cut(lower, "e")
	return strings.Trim(mantissa, "0123456789._") == "" && strings.Trim(strings.TrimLeft(exponent, "+-"), "0123456789") == ""
}

func (l *javascriptLexer) quoted(quote byte) *Refusal {
	from := l.at
	for l.at++; l.at < len(l.src) && l.src[l.at] != quote; l.at++ {
		switch l.src[l.at] {
		case '\n':
			return l.refuse(from, "a string is not closed")
		case '\\':
			l.at++
		}
	}
	if l.at >= len(l.src) {
		return l.refuse(from, "a string is not closed")
	}
	l.at++
	t := l.add(stringToken, from)
	t.value = t.text[1 : len(t.text)-1]
	t.plain = !strings.Contains(t.value, `\`)
	return nil
}

// template reads a template with its values.
func (l *javascriptLexer) template() *Refusal {
	from, line := l.at, l.line
	var parts []part
	l.at++
	text := l.at
	for {
		rest := l.src[min(l.at, len(l.src)):]
		switch {
		case rest == "":
			return l.refuse(from, "a template is not closed")
		case rest[0] == '\\':
			l.at += 2
		case rest[0] == '`':
			parts = append(parts, part{text: l.src[text:l.at]})
			l.at++
			l.line = line
			t := l.add(stringToken, from)
			if len(parts) > 1 {
				t.parts = parts
				return nil
			}
			t.value = parts[0].text
			t.plain = !strings.Contains(t.value, `\`)
			return nil
		case strings.HasPrefix(rest, "${"):
			parts = append(parts, part{text: l.src[text:l.at]})
			inner := javascriptLexer{src: l.src, at: l.at + 2}
			if r := inner.read(true); r != nil {
				return r
			}
			if len(inner.tokens) == 0 {
				return l.refuse(l.at, "a template has an empty value")
			}
			parts = append(parts, part{tokens: inner.tokens, bare: true})
			l.at = inner.at + 1
			text = l.at
		default:
			l.at++
		}
	}
}

// slash reads a division or a regular expression.
func (l *javascriptLexer) slash() *Refusal {
	from := l.at
	pattern := true
	if n := len(l.tokens); n > 0 {
		switch before := &l.tokens[n-1]; before.kind {
		case numberToken, stringToken, patternToken:
			pattern = false
		case nameToken:
			pattern = before.is("return") || before.is("typeof") || before.is("case") || before.is("throw") || before.is("delete") || before.is("void")
			if n > 1 && (l.tokens[n-2].is(".") || l.tokens[n-2].is("?.")) {
				pattern = false
			} else if !pattern && javascriptKeywords()[before.text] && !before.is("true") && !before.is("false") && !before.is("null") {
				return l.refuse(from, "the slash may divide or begin a regular expression")
			}
		case operatorToken:
			switch before.text {
			case "]":
				pattern = false
			case "}", "++", "--":
				return l.refuse(from, "the slash may divide or begin a regular expression")
			case ")":
				if pattern = false; l.heads(n - 1) {
					return l.refuse(from, "the slash may divide or begin a regular expression")
				}
			}
		}
	}
	if !pattern {
		return l.operator()
	}
	class := false
	for l.at++; ; l.at++ {
		if l.at >= len(l.src) || l.src[l.at] == '\n' {
			return l.refuse(from, "a regular expression is not closed")
		}
		switch c := l.src[l.at]; {
		case c == '\\':
			if l.at++; l.at >= len(l.src) || l.src[l.at] == '\n' {
				return l.refuse(from, "a regular expression is not closed")
			}
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			for l.at++; l.at < len(l.src) && isNamePart(l.src[l.at]); l.at++ {
				if strings.IndexByte("dgimsuy", l.src[l.at]) < 0 {
					return l.refuse(l.at, "the flag of the regular expression is unknown")
				}
			}
			l.add(patternToken, from)
			return nil
		}
	}
}

// heads reports whether the brackets that a token closes are those of a statement,
// behind which another begins.
func (l *javascriptLexer) heads(close int) bool {
	depth := 0
	for i := close; i >= 0; i-- {
		switch t := &l.tokens[i]; {
		case t.is(")"):
			depth++
		case t.is("("):
			if depth--; depth == 0 {
				return i > 0 && l.tokens[i-1].kind == nameToken && javascriptKeywords()[l.tokens[i-1].text] && !(i > 1 && l.tokens[i-2].is("."))
			}
		}
	}
	return true
}

// javascriptOperators are those of more than one character, the longer first.
var javascriptOperators = []string{">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=", "=>", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", "**"}

func (l *javascriptLexer) operator() *Refusal {
	from := l.at
	for _, op := range javascriptOperators {
		if strings.HasPrefix(l.src[from:], op) && !(op == "?." && from+2 < len(l.src) && isDigit(l.src[from+2])) {
			l.at += len(op)
			l.add(operatorToken, from)
			return nil
		}
	}
	switch c := l.src[from : from+1]; {
	case strings.Contains("([{", c):
		l.open = append(l.open, c)
	case strings.Contains(")]}", c):
		if len(l.open) == 0 {
			return l.refuse(from, "its brackets do not match")
		}
		l.open = l.open[:len(l.open)-1]
	case !strings.Contains("+-*/%&|^~<>!?,:.;=", c):
		return l.refuse(from, "the character is not one of the language's")
	}
	l.at++
	l.add(operatorToken, from)
	return nil
}
