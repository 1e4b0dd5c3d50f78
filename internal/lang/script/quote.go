package script

import (
	"strings"
)

// closer returns what ends a text that begins with a sign.
func closer(open string) string {
	switch open {
	case "(":
		return ")"
	case "[":
		return "]"
	case "{":
		return "}"
	case "<":
		return ">"
	}
	return open
}

// readOperator reads q(…), qw(…), s/…/…/ and their like of Perl, whose name ends at
// an offset.
func (l *lexer) readOperator(t *token, end int) bool {
	switch t.text {
	case "q", "qq", "qw", "qx", "qr", "m", "s", "y", "tr":
	default:
		return false
	}
	at := end
	for at < l.end && l.src[at] == ' ' {
		at++
	}
	if at >= l.end || isNameByte(l.src[at]) || strings.IndexByte(",;)=.-", l.src[at]) >= 0 || at > end && l.src[at] == '#' {
		return false
	}
	name := t.text
	q := quotation{open: l.src[at : at+1], close: closer(l.src[at : at+1]), interpolates: l.interpolates, kind: textToken}
	switch name {
	case "q":
		q.interpolates, q.half = "", true
	case "qx":
		q.kind = commandToken
	case "qw":
		q.interpolates, q.kind = "", wordsToken
	case "qr", "m", "s", "y", "tr":
		q.interpolates, q.raw, q.kind = "", true, patternToken
	}
	l.at = at
	l.readQuoted(t, q)
	second := ""
	if name == "s" || name == "y" || name == "tr" {
		second = l.secondPart(q)
	}
	if q.kind == patternToken {
		flags := l.at
		l.at = l.wordEnd(l.at)
		if name == "s" && strings.Contains(l.src[flags:l.at], "e") { // it is evaluated
			t.kind, t.text = replaceToken, second
		}
	}
	return true
}

// secondPart passes what a substitution puts in the place of what it finds, and
// returns it.
func (l *lexer) secondPart(q quotation) string {
	if q.open != q.close {
		for l.at < l.end && l.src[l.at] <= ' ' {
			l.at++
		}
		if l.at < l.end {
			q.open, q.close = l.src[l.at:l.at+1], closer(l.src[l.at:l.at+1])
			l.at++
		}
	}
	from, to := l.at, l.closing(l.at, q)
	l.at = min(to+1, l.end)
	return l.src[from:to]
}

// readPercent reads %w(…) and its like of Ruby.
func (l *lexer) readPercent(t *token) bool {
	kind, at := l.peek(1), l.at+2
	if kind == '(' || kind == '[' || kind == '{' || kind == '<' || kind == '|' {
		kind, at = 'Q', l.at+1
	}
	if at >= l.end || strings.IndexByte("wWiIqQxrs", kind) < 0 || isNameByte(l.src[at]) || l.src[at] <= ' ' {
		return false
	}
	q := quotation{open: l.src[at : at+1], close: closer(l.src[at : at+1]), interpolates: l.interpolates, kind: textToken}
	switch kind {
	case 'w', 'W', 'i', 'I':
		q.kind, q.interpolates = wordsToken, ""
	case 'x':
		q.kind = commandToken
	case 'r':
		q.kind, q.raw = patternToken, true
	case 'q', 's':
		q.half, q.interpolates = true, ""
	}
	l.at = at
	l.readQuoted(t, q)
	return true
}

// readDocument reads the text behind <<EOF, which begins with the next line.
func (l *lexer) readDocument(t *token) bool {
	rest := l.src[l.at:l.end]
	at := len("<<")
	if strings.HasPrefix(rest, "<<<") {
		at++
	} else if !strings.HasPrefix(rest, "<<") || l.operand && !(l.name && t.gap) {
		return false
	}
	if at < len(rest) && (rest[at] == '~' || rest[at] == '-') {
		at++
	}
	q := quotation{interpolates: l.interpolates, kind: textToken}
	tag, n := rest[at:], 0
	if tag != "" && (tag[0] == '"' || tag[0] == '\'') {
		q.raw = tag[0] == '\''
		end := strings.IndexByte(tag[1:], tag[0])
		if end < 0 {
			return false
		}
		tag, n = tag[1:1+end], at+end+2
	} else {
		end := 0
		for end < len(tag) && isNameByte(tag[end]) {
			end++
		}
		tag, n = tag[:end], at+end
		if tag == "" || tag[0] < 'A' || tag[0] > 'Z' {
			return false
		}
	}
	if q.raw {
		q.interpolates = ""
	}
	l.document(t, tag, q)
	l.at += n
	return true
}

// document fills a token with the lines up to a tag.
func (l *lexer) document(t *token, tag string, q quotation) {
	t.kind = textToken
	from := l.at
	if l.body > 0 {
		from = l.after
	}
	n := strings.IndexByte(l.src[from:l.end], '\n')
	if n < 0 {
		return
	}
	if from += n + 1; l.body == 0 {
		l.body = from
	}
	for at := from; at < l.end; {
		line, next := l.src[at:l.end], l.end
		if n := strings.IndexByte(line, '\n'); n >= 0 {
			line, next = line[:n], at+n+1
		}
		if strings.TrimRight(strings.TrimLeft(line, " \t"), ";\r,)") == tag {
			l.content(t, from, at, q)
			l.after = at + strings.Index(line, tag) + len(tag)
			return
		}
		at = next
	}
	l.content(t, from, l.end, q)
	l.after = l.end
}
