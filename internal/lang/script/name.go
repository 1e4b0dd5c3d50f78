package script

import "strings"

func (l *lexer) readName(t *token) {
	end := l.wordEnd(l.at)
	t.kind, t.text = nameToken, l.src[l.at:end]
	if end < l.end && (l.src[end] == '"' || l.src[end] == '\'') && l.readPrefixed(t, end) || l.operators && l.readOperator(t, end) {
		return
	}
	l.at = end
	switch l.peek(0) {
	case '!', '?': // rm_rf!
		if (l.percent || l.dashes) && l.peek(1) != '=' && (l.peek(0) == '!' || l.peek(1) == '(') {
			l.at++
		}
	case '*': // system* of Scheme
		if l.dashes && l.peek(1) == ' ' {
			l.at++
		}
	}
	t.nameEnds = l.peek(0) == ':' && l.peek(1) != ':'
	t.word = l.words.find(t.text)
	w := &l.words.words[t.word]
	t.mark, t.traits = w.mark, w.traits
}

// readPrefixed reads a literal behind letters that say how: r"…", f'…', ~c"…".
func (l *lexer) readPrefixed(t *token, end int) bool {
	if len(t.text) > 2 || !l.triple && !l.dashes {
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
	t.kind = nameToken
	switch {
	case sign == '$' && at == l.at+1:
		t.text = l.src[l.at:end]
	case sign == '&' && at == l.at+1: // a function
		t.text = l.src[at:end]
		t.word = l.words.find(t.text)
	default:
		t.text = "$" + l.src[at:end]
	}
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
	if l.operand && !(l.name && l.commands && t.gap && l.peek(1) != ' ' && l.peek(1) != '=' && l.peek(1) != '/') {
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

// readSign reads a sign, of those that stand together as many as can.
func (l *lexer) readSign(t *token) {
	rest := l.src[l.at:l.end]
	t.kind, t.text = operatorToken, rest[:1]
	for _, i := range l.words.signs[rest[0]] {
		if w := &l.words.words[i]; len(w.text) == 1 || len(rest) > 1 && rest[1] == w.text[1] && strings.HasPrefix(rest, w.text) {
			t.text, t.mark, t.traits = w.text, w.mark, w.traits
			break
		}
	}
	l.at += len(t.text)
}
