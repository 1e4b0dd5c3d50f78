package confine

import (
	"strings"
)

// A pythonLexer reads tokens as every version of Python 3 does.
type pythonLexer struct {
	src    string
	at     int
	offset int // of src in the whole text
	depth  int // of brackets
	// inside is the quote of the string in which src stands; 0 if in none.
	inside byte
	tokens []token
}

func (l *pythonLexer) refuse(from int, why string) *Refusal {
	return &Refusal{Why: why, From: l.offset + from, To: l.offset + min(from+1, len(l.src))}
}

func (l *pythonLexer) add(k kind, from int) *token {
	l.tokens = append(l.tokens, token{kind: k, text: l.src[from:l.at], at: l.offset + from})
	return &l.tokens[len(l.tokens)-1]
}

// read reads all tokens.
func (l *pythonLexer) read() *Refusal {
	for l.at < len(l.src) {
		if r := l.next(); r != nil {
			return r
		}
	}
	l.add(lineToken, l.at)
	l.add(endToken, l.at)
	return brackets(l.tokens)
}

func (l *pythonLexer) next() *Refusal {
	from := l.at
	switch c := l.src[from]; {
	case c == '\n':
		if l.at++; l.depth == 0 {
			l.add(lineToken, from)
		}
	case c == ' ' || c == '\t':
		l.at++
	case c == '#':
		if l.inside != 0 {
			return l.refuse(from, "versions of Python read it differently")
		}
		end := strings.IndexByte(l.src[from:], '\n')
		if end < 0 {
			end = len(l.src) - from
		}
		if l.at += end; strings.Contains(l.src[from:l.at], "coding") {
			return l.refuse(from, "the comment may set how the text is decoded")
		}
	case c == '\\':
		if l.inside != 0 || !strings.HasPrefix(l.src[from:], "\\\n") {
			return l.refuse(from, "versions of Python read it differently")
		}
		l.at += 2
	case isNameStart(c):
		return l.name()
	case isDigit(c), c == '.' && from+1 < len(l.src) && isDigit(l.src[from+1]):
		return l.number()
	case c == '"' || c == '\'':
		return l.quoted("")
	default:
		return l.operator()
	}
	return nil
}

func (l *pythonLexer) name() *Refusal {
	from := l.at
	for l.at < len(l.src) && isNamePart(l.src[l.at]) {
		l.at++
	}
	if l.at < len(l.src) && (l.src[l.at] == '"' || l.src[l.at] == '\'') {
		switch prefix := strings.ToLower(l.src[from:l.at]); prefix {
		case "r", "b", "u", "f", "br", "rb", "fr", "rf":
			return l.quotedAt(from, prefix)
		default:
			return l.refuse(from, "the string has an unknown prefix")
		}
	}
	l.add(nameToken, from)
	return nil
}

func (l *pythonLexer) number() *Refusal {
	from := l.at
	digits := func(set string) {
		for l.at < len(l.src) && (strings.IndexByte(set, l.src[l.at]) >= 0 || l.src[l.at] == '_') {
			l.at++
		}
	}
	const decimal = "0123456789"
	base := ""
	if l.src[from] == '0' && from+1 < len(l.src) {
		switch l.src[from+1] | 0x20 {
		case 'x':
			base = "0123456789abcdefABCDEF"
		case 'o':
			base = "01234567"
		case 'b':
			base = "01"
		}
	}
	if base != "" {
		l.at += 2
		digits(base)
	} else {
		digits(decimal)
		if l.at < len(l.src) && l.src[l.at] == '.' {
			l.at++
			digits(decimal)
		}
		if l.at < len(l.src) && l.src[l.at]|0x20 == 'e' {
			if l.at++; l.at < len(l.src) && (l.src[l.at] == '+' || l.src[l.at] == '-') {
				l.at++
			}
			digits(decimal)
		}
		if l.at < len(l.src) && l.src[l.at]|0x20 == 'j' {
			l.at++
		}
	}
	if l.at < len(l.src) && isNamePart(l.src[l.at]) {
		return l.refuse(l.at, "a number ends in a name")
	}
	l.add(numberToken, from)
	return nil
}

// pythonOperators are those of more than one character, the longer first.
var pythonOperators = []string{"**=", "//=", ">>=", "<<=", "...", ":=", "->", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@=", "**", "//", "<<", ">>"}

func (l *pythonLexer) operator() *Refusal {
	from := l.at
	for _, op := range pythonOperators {
		if strings.HasPrefix(l.src[from:], op) {
			l.at += len(op)
			l.add(operatorToken, from)
			return nil
		}
	}
	switch c := l.src[from]; {
	case strings.IndexByte("([{", c) >= 0:
		l.depth++
	case strings.IndexByte(")]}", c) >= 0:
		l.depth--
	case strings.IndexByte("+-*/%@&|^~<>,:.;=", c) < 0:
		return l.refuse(from, "the character is not one of Python's")
	}
	l.at++
	l.add(operatorToken, from)
	return nil
}

func (l *pythonLexer) quoted(prefix string) *Refusal { return l.quotedAt(l.at, prefix) }

// quotedAt reads a string that begins with its prefix at an offset.
func (l *pythonLexer) quotedAt(from int, prefix string) *Refusal {
	quote := l.src[l.at]
	if l.inside == quote {
		return l.refuse(l.at, "versions of Python read it differently")
	}
	end := l.src[l.at : l.at+1]
	if strings.HasPrefix(l.src[l.at:], strings.Repeat(end, 3)) {
		end = strings.Repeat(end, 3)
	}
	if len(end) == 3 && l.inside != 0 {
		return l.refuse(l.at, "versions of Python read it differently")
	}
	l.at += len(end)
	begin := l.at
	escaped := false
	for {
		switch {
		case l.at >= len(l.src), len(end) == 1 && l.src[l.at] == '\n':
			return l.refuse(from, "a string is not closed")
		case l.src[l.at] == '\\':
			if l.inside != 0 || l.at+1 >= len(l.src) {
				return l.refuse(l.at, "versions of Python read it differently")
			}
			escaped = true
			l.at += 2
			continue
		case strings.HasPrefix(l.src[l.at:], end):
			body := l.src[begin:l.at]
			l.at += len(end)
			t := l.add(stringToken, from)
			t.value, t.plain = body, !escaped || strings.Contains(prefix, "r")
			if strings.Contains(prefix, "b") {
				t.plain = false
			}
			if strings.Contains(prefix, "f") {
				t.plain = false
				return l.format(t, body, begin, quote)
			}
			return nil
		}
		l.at++
	}
}

// format reads the values in a string with the prefix f. Until version 3.12 such a
// string ended at the first quote, whatever stood around it; so no value may
// hold one, or a backslash.
func (l *pythonLexer) format(t *token, body string, begin int, quote byte) *Refusal {
	if l.inside != 0 && strings.IndexByte(body, '{') >= 0 {
		return l.refuse(begin, "strings with values are nested")
	}
	text := 0
	var parts []part
	for i := 0; i < len(body); {
		switch {
		case strings.HasPrefix(body[i:], "{{"), strings.HasPrefix(body[i:], "}}"):
			parts = append(parts, part{text: body[text : i+1]})
			i += 2
			text = i
		case body[i] == '{':
			parts = append(parts, part{text: body[text:i]})
			p, end, r := l.field(body, i+1, begin, quote)
			if r != nil {
				return r
			}
			parts = append(parts, p...)
			i, text = end, end
		case body[i] == '}':
			return l.refuse(begin+i, "a brace in the string is unpaired")
		case body[i] == '\\' && i+2 < len(body) && body[i+1] == 'N' && body[i+2] == '{':
			return l.refuse(begin+i, "the string names a character")
		case body[i] == '\\' && i+1 < len(body) && body[i+1] != '{' && body[i+1] != '}':
			i += 2
		default:
			i++
		}
	}
	t.parts = append(parts, part{text: body[text:]})
	return nil
}

// field reads one value of a string from behind its brace, with those in its
// format. end is the offset behind the closing brace.
func (l *pythonLexer) field(body string, from, begin int, quote byte) (parts []part, end int, r *Refusal) {
	depth := 0
	stop := -1
	for i := from; i < len(body) && stop < 0; i++ {
		switch c := body[i]; {
		case c == '\\' || c == '#' || c == quote || c == '\n':
			return nil, 0, l.refuse(begin+i, "versions of Python read it differently")
		case c == '"' || c == '\'':
			to := strings.IndexByte(body[i+1:], c)
			if to < 0 {
				return nil, 0, l.refuse(begin+i, "a string is not closed")
			}
			i += to + 1
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case depth > 0 && strings.IndexByte(")]}", c) >= 0:
			depth--
		case depth == 0 && (c == '}' || c == ':' || c == '!' && !strings.HasPrefix(body[i:], "!=")):
			stop = i
		}
	}
	if stop < 0 {
		return nil, 0, l.refuse(begin+from, "a value in the string is not closed")
	}
	value := strings.TrimRight(body[from:stop], " \t")
	if shows := strings.TrimSuffix(value, "="); shows != value && !strings.HasSuffix(shows, "=") {
		value = shows // f"{x=}" shows the name too
	}
	inner := pythonLexer{src: value, offset: l.offset + begin + from, inside: quote, depth: 1}
	if r := inner.read(); r != nil {
		return nil, 0, r
	}
	parts = []part{{tokens: inner.tokens, bare: body[stop] == '}' && value == body[from:stop]}}
	if body[stop] == '!' {
		if stop+2 >= len(body) || strings.IndexByte("rsa", body[stop+1]) < 0 {
			return nil, 0, l.refuse(begin+stop, "the conversion is unknown")
		}
		stop += 2
	}
	if body[stop] == ':' {
		for stop++; ; {
			switch {
			case stop >= len(body):
				return nil, 0, l.refuse(begin+from, "a value in the string is not closed")
			case body[stop] == '{':
				p, to, r := l.field(body, stop+1, begin, quote)
				if r != nil {
					return nil, 0, r
				}
				parts, stop = append(parts, p...), to
				continue
			case body[stop] == '\\':
				return nil, 0, l.refuse(begin+stop, "versions of Python read it differently")
			}
			if body[stop] == '}' {
				break
			}
			stop++
		}
	}
	if body[stop] != '}' {
		return nil, 0, l.refuse(begin+stop, "the value in the string is not understood")
	}
	return parts, stop + 1, nil
}
