package script

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// A quotation is how a literal is written.
type quotation struct {
	open, close  string
	interpolates string
	// raw says that a backslash is one; half, that it is one except before
	// itself and what ends the literal.
	raw, half bool
	kind      tokenKind
}

// quotes returns what quotes of a kind mean.
func (l *lexer) quotes(c byte) quotation {
	q := quotation{open: string(c), close: string(c), kind: textToken}
	switch {
	case c == '"':
		q.interpolates = l.interpolates
	case c == '`':
		q.interpolates, q.kind = l.embeds, l.backquote
	case !l.single:
		q.half = true
	}
	if tripled := strings.Repeat(q.open, 3); l.triple && strings.HasPrefix(l.src[l.at:l.end], tripled) {
		q.open, q.close = tripled, tripled
	}
	return q
}

// readQuoted reads a literal at whose opening quotes the lexer is.
func (l *lexer) readQuoted(t *token, q quotation) {
	from := l.at + len(q.open)
	to := l.closing(from, q)
	l.content(t, from, to, q)
	l.at = min(to+len(q.close), l.end)
}

// readUpTo reads a raw literal that ends with a text and begins with n bytes.
func (l *lexer) readUpTo(t *token, end string, n int) {
	l.readQuoted(t, quotation{open: l.src[l.at : l.at+n], close: end, raw: true, kind: textToken})
}

// closing returns where a literal ends that begins at an offset.
func (l *lexer) closing(from int, q quotation) int {
	depth := 0
	nests := len(q.open) == 1 && q.open != q.close
	for i := from; i < l.end; i++ {
		switch rest := l.src[i:l.end]; {
		case rest[0] == '\\' && (!q.raw || len(q.close) == 1):
			i++
		case strings.HasPrefix(rest, q.close):
			if depth == 0 {
				return i
			}
			depth--
		case nests && rest[0] == q.open[0]:
			depth++
		case q.interpolates != "" && opensBrace(rest, q.interpolates):
			i = l.braceEnd(i + strings.IndexByte(rest, '{'))
		}
	}
	return l.end
}

// opensBrace reports whether a text begins with one of some openings that end in a
// brace.
func opensBrace(text, openings string) bool {
	if strings.IndexByte("$#@{", text[0]) < 0 {
		return false
	}
	for o := range strings.FieldsSeq(openings) {
		if o == "{$" && strings.HasPrefix(text, o) || o[len(o)-1] == '{' && strings.HasPrefix(text, o) || o == "$" && strings.HasPrefix(text, "${") {
			return !strings.HasPrefix(text, "{{")
		}
	}
	return false
}

// braceEnd returns the offset of the brace that closes one.
func (l *lexer) braceEnd(at int) int {
	depth := 0
	for i := at; i < l.end; i++ {
		switch c := l.src[i]; c {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		case '"', '\'':
			if n := strings.IndexAny(l.src[i+1:l.end], string(c)+"\n"); n >= 0 && l.src[i+1+n] == c {
				i += n + 1
			}
		}
	}
	return l.end
}

// content fills a token with the text between two offsets.
func (l *lexer) content(t *token, from, to int, q quotation) {
	t.kind = q.kind
	text := l.src[from:to]
	if !q.raw && strings.IndexByte(text, '\\') >= 0 || q.interpolates != "" && strings.ContainsAny(text, "$#@{") {
		l.pieces(t, from, to, q)
		return
	}
	t.text = text
}

// pieces reads a text with escapes or expressions.
func (l *lexer) pieces(t *token, from, to int, q quotation) {
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			t.pieces = append(t.pieces, piece{text: b.String()})
			b.Reset()
		}
	}
	for i := from; i < to; {
		rest := l.src[i:to]
		if rest[0] == '\\' && !q.raw && len(rest) > 1 {
			i += escape(&b, rest, q)
			continue
		}
		if at, end, next, ok := l.expression(i, to, q.interpolates); ok {
			flush()
			t.pieces = append(t.pieces, piece{from: int32(at), to: int32(end)})
			i = next
			continue
		}
		if strings.HasPrefix(rest, "{{") && q.interpolates == "{" {
			i++
		}
		b.WriteByte(rest[0])
		i++
	}
	if t.pieces == nil {
		t.text = b.String()
		return
	}
	flush()
}

// expression returns where the expression stands that begins at an offset of a
// text, and where the text goes on.
func (l *lexer) expression(i, to int, openings string) (from, end, next int, ok bool) {
	rest := l.src[i:to]
	if openings == "" || strings.IndexByte("$#@{", rest[0]) < 0 {
		return 0, 0, 0, false
	}
	if opensBrace(rest, openings) {
		brace := i + strings.IndexByte(rest, '{')
		end := min(l.braceEnd(brace), to)
		if rest[0] == '@' || strings.HasPrefix(rest, "${") && l.backquote == commandToken && isName(l.src[brace+1:end]) {
			return i, min(end+1, to), min(end+1, to), true
		}
		if openings == "{" { // of Python, which may say how to print it
			return brace + 1, formatStart(l.src, brace+1, end), min(end+1, to), true
		}
		return brace + 1, end, min(end+1, to), true
	}
	if rest[0] != '$' || len(rest) < 2 || openings[0] != '$' || !isNameByte(rest[1]) || openings == "${" {
		return 0, 0, 0, false
	}
	end = l.wordEnd(i + 1)
	for end < to && (l.src[end] == '[' || l.src[end] == '{') { // $x[0], $ENV{HOME}
		stop := strings.IndexByte(l.src[end:to], l.src[end]+2)
		if stop < 0 {
			break
		}
		end += stop + 1
	}
	return i, end, end, true
}

func isName(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return r < utf8.RuneSelf && !isNameByte(byte(r)) }) < 0
}

// formatStart returns where the expression ends in {x!r:>8}.
func formatStart(src string, from, end int) int {
	if i := strings.IndexAny(src[from:end], ":!="); i > 0 && !strings.ContainsAny(src[from:from+i], "\"'([{") {
		return from + i
	}
	return end
}

// escaped are letters behind a backslash, and what they stand for.
const escaped, plain = "ntrabfve", "\n\t\r\a\b\f\v\x1b"

// escape writes what an escape means, and returns its length.
func escape(b *strings.Builder, text string, q quotation) int {
	c := text[1]
	if q.half {
		if c != '\\' && string(c) != q.close {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
		return 2
	}
	switch c {
	case 'x', 'u', 'U':
		if n, ok := escapeNumber(b, text); ok {
			return n
		}
	case '\n':
		return 2
	}
	if c >= '0' && c <= '7' {
		n := 1
		for n < 4 && n < len(text) && text[n] >= '0' && text[n] <= '7' {
			n++
		}
		v, _ := strconv.ParseUint(text[1:n], 8, 16) // octal digits
		b.WriteRune(rune(v))
		return n
	}
	if i := strings.IndexByte(escaped, c); i >= 0 {
		c = plain[i]
	}
	b.WriteByte(c)
	return 2
}

// escapeNumber writes the character that \x2f, \u002f or \u{2f} means.
func escapeNumber(b *strings.Builder, text string) (int, bool) {
	digits := 2
	switch text[1] {
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	}
	from, to := 2, 2+digits
	next := to
	if len(text) > 2 && text[2] == '{' {
		end := strings.IndexByte(text, '}')
		if end < 0 || end > 12 {
			return 0, false
		}
		from, to, next = 3, end, end+1
	}
	if to > len(text) {
		return 0, false
	}
	v, err := strconv.ParseUint(text[from:to], 16, 32)
	if err != nil {
		return 0, false
	}
	b.WriteRune(rune(v))
	return next, true
}

// closer returns what ends a text that begins with a sign.
func closer(open byte) string {
	switch open {
	case '(':
		return ")"
	case '[', '{':
		return string(open + 2)
	case '<':
		return ">"
	}
	return string(open)
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
	q := quotation{open: l.src[at : at+1], close: closer(l.src[at]), interpolates: l.interpolates, kind: textToken}
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
	if name == "s" || name == "y" || name == "tr" {
		l.secondPart(q)
	}
	if q.kind == patternToken {
		l.at = l.wordEnd(l.at)
	}
	return true
}

// secondPart passes what a substitution puts in the place of what it finds.
func (l *lexer) secondPart(q quotation) {
	if q.open != q.close {
		for l.at < l.end && l.src[l.at] <= ' ' {
			l.at++
		}
		if l.at < l.end {
			q.open, q.close = l.src[l.at:l.at+1], closer(l.src[l.at])
			l.at++
		}
	}
	l.at = min(l.closing(l.at, q)+1, l.end)
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
	q := quotation{open: l.src[at : at+1], close: closer(l.src[at]), interpolates: l.interpolates, kind: textToken}
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
