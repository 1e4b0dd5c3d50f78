package script

import (
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
	q := quotation{open: l.src[l.at : l.at+1], close: l.src[l.at : l.at+1], kind: textToken}
	switch {
	case c == '"':
		q.interpolates = l.interpolates
	case c == '`':
		q.interpolates, q.kind = l.embeds, l.backquote
	case !l.single:
		q.half = true
	}
	if rest := l.src[l.at:l.end]; l.triple && len(rest) > 2 && rest[1] == c && rest[2] == c && rest[0] == c {
		q.open, q.close = rest[:3], rest[:3]
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
		if c := l.src[i]; c != q.close[0] && c != q.open[0] && classes[c]&escapes == 0 {
			continue
		}
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
		l.readPieces(t, from, to, q)
		return
	}
	t.text = text
}

// readPieces reads a text with escapes or expressions.
func (l *lexer) readPieces(t *token, from, to int, q quotation) {
	t.from = int32(len(l.pieces))
	text := l.text[:0]
	flush := func() {
		if len(text) > 0 {
			l.pieces = append(l.pieces, piece{text: string(text)})
			text = text[:0]
		}
	}
	for i := from; i < to; {
		if classes[l.src[i]]&escapes == 0 {
			text = append(text, l.src[i])
			i++
			continue
		}
		rest := l.src[i:to]
		if rest[0] == '\\' && !q.raw && len(rest) > 1 {
			var n int
			text, n = escape(text, rest, q)
			i += n
			continue
		}
		if at, end, next, ok := l.expression(i, to, q.interpolates); ok {
			flush()
			l.pieces = append(l.pieces, piece{from: int32(at), to: int32(end)})
			i = next
			continue
		}
		if strings.HasPrefix(rest, "{{") && q.interpolates == "{" {
			i++
		}
		text = append(text, rest[0])
		i++
	}
	if int(t.from) == len(l.pieces) {
		t.text = string(text)
	} else {
		flush()
	}
	t.to = int32(len(l.pieces))
	l.text = text
}

// expression returns where the expression stands that begins at an offset of a
// text, and where the text goes on.
func (l *lexer) expression(i, to int, openings string) (from, end, next int, ok bool) {
	rest := l.src[i:to]
	if openings == "" || strings.IndexByte("$#@{", rest[0]) < 0 {
		return 0, 0, 0, false
	}
	if strings.HasPrefix(rest, "$(") && strings.HasSuffix(openings, "$(") { // of Julia
		end := l.closing(i+2, quotation{open: "(", close: ")"})
		return i + 2, min(end, to), min(end+1, to), true
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
	if rest[0] == '@' && len(rest) > 1 && isNameByte(rest[1]) && strings.HasSuffix(openings, "@{") { // of Perl
		end = l.wordEnd(i + 1)
		return i, end, end, true
	}
	if rest[0] == '$' && len(rest) > 1 && strings.HasSuffix(openings, "$(") && isNameByte(rest[1]) {
		end = l.wordEnd(i + 1)
		return i + 1, end, end, true
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
