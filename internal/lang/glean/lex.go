package glean

import "strings"

// A token is a token of a program in a language of which nothing is known.
type token struct {
	kind tokenKind
	text string
	at   int
	// tight says that no blank stands before it, alone that nothing is joined to it.
	tight, alone bool
	// group is the innermost bracket that holds it, counted from 1; of a bracket,
	// that which it opens or closes.
	group int32
}

// A tokenKind is what a [token] is.
type tokenKind uint8

// The kinds.
const (
	nameToken tokenKind = iota
	textToken
	signToken
	openToken
	closeToken
	endToken // of a statement
)

// A bracket is a pair of brackets.
type bracket struct {
	open, close int32 // indexes of tokens
	outer       int32
}

// A source is a program as tokens.
type source struct {
	tokens   []token
	brackets []bracket // the first is the whole program
}

// maxTokens bounds how much of a program is looked at.
const maxTokens = 1 << 12

// tokenize divides a program into names, texts and signs, as most languages write them.
func tokenize(src string) *source {
	g := &source{brackets: []bracket{{open: -1, close: -1}}}
	group := int32(0)
	for at := 0; at < len(src) && len(g.tokens) < maxTokens; {
		kind, end := tokenAt(src, at, g)
		if end <= at {
			at++ // a blank
			continue
		}
		t := token{kind: kind, text: src[at:end], at: at, tight: at > 0 && src[at-1] > ' ', group: group}
		switch kind {
		case textToken:
			t.text = inner(t.text)
		case openToken:
			g.brackets = append(g.brackets, bracket{open: int32(len(g.tokens)), close: -1, outer: group})
			group = int32(len(g.brackets) - 1)
			t.group = group
		case closeToken:
			if g.brackets[group].close = int32(len(g.tokens)); group > 0 {
				group = g.brackets[group].outer
			}
		}
		if kind != endToken || len(g.tokens) > 0 {
			g.tokens = append(g.tokens, t)
		}
		at = end
	}
	g.markAlone()
	return g
}

// tokenAt returns the kind and the end of the token at a place; the end is the place
// itself for what is none.
func tokenAt(src string, at int, g *source) (kind tokenKind, end int) {
	b := src[at]
	switch {
	case b == '\n' || b == ';':
		return endToken, at + 1
	case b <= ' ':
		return 0, at
	case isComment(src, at):
		if i := strings.IndexByte(src[at:], '\n'); i >= 0 {
			return endToken, at + i + 1
		}
		return endToken, len(src)
	case isWordByte(b):
		return nameToken, wordEnd(src, at)
	}
	if close := closerAt(src, at, g); close != 0 {
		if i := textEnd(src, at+1, close); i > 0 {
			return textToken, i
		}
	}
	switch {
	case strings.IndexByte("([{", b) >= 0:
		return openToken, at + 1
	case strings.IndexByte(")]}", b) >= 0:
		return closeToken, at + 1
	}
	end = at + 1
	for isSign(b) && end < len(src) && isSign(src[end]) {
		end++
	}
	return signToken, end
}

// isSign reports whether a byte is one of which several make one sign.
func isSign(b byte) bool { return strings.IndexByte("|<>=!+-*/.?:&^~%", b) >= 0 }

// isComment reports whether a comment begins at a place: its sign has a blank on both
// sides, or the line before it.
func isComment(src string, at int) bool {
	if at > 0 && src[at-1] > ' ' {
		return false
	}
	for _, sign := range [...]string{"// ", "# ", "#!", ";; ", "-- ", "% "} {
		if strings.HasPrefix(src[at:], sign) {
			return true
		}
	}
	return false
}

func isWordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z' || b >= 0x80
}

// wordEnd returns the end of a name, in which dashes and slashes may stand between
// letters, and behind which a mark, as in rm_rf! and system*.
func wordEnd(src string, at int) int {
	for at < len(src) {
		inside := (src[at] == '-' || src[at] == '/') && at+1 < len(src) && isWordByte(src[at+1]) && src[at-1] > ' '
		if !isWordByte(src[at]) && !inside {
			break
		}
		at++
	}
	if at < len(src) && strings.IndexByte("!?*", src[at]) >= 0 && (at+1 == len(src) || src[at+1] != '=') {
		at++
	}
	return at
}

// closerAt returns what closes a text that begins at a place, 0 where none begins: a
// single quote behind a name is a part of that, and < or { begin one behind the words of
// Raku that run what they hold.
func closerAt(src string, at int, g *source) byte {
	last := ""
	if n := len(g.tokens); n > 0 && g.tokens[n-1].kind == nameToken {
		last = g.tokens[n-1].text
	}
	switch src[at] {
	case '"', '`':
		return src[at]
	case '\'':
		if at == 0 || !isWordByte(src[at-1]) && src[at-1] != ')' {
			return '\''
		}
	case '<':
		if last == "run" || last == "shell" || last == "qx" {
			return '>'
		}
	case '{':
		if last == "qx" || last == "qqx" {
			return '}'
		}
	}
	return 0
}

// textEnd returns the end of a text on its line, 0 where nothing closes it there.
func textEnd(src string, at int, close byte) int {
	for ; at < len(src) && src[at] != '\n'; at++ {
		if src[at] == '\\' && close != '`' {
			at++
		} else if src[at] == close {
			return at + 1
		}
	}
	return 0
}

// inner returns what a text has between its quotes.
func inner(text string) string {
	return strings.NewReplacer(`\"`, `"`, `\'`, `'`, `\\`, `\`).Replace(text[1 : len(text)-1])
}

// markAlone marks the texts to which nothing is joined, and that nothing is compared with.
func (g *source) markAlone() {
	for i := range g.tokens {
		if t := &g.tokens[i]; t.kind == textToken || t.kind == nameToken {
			t.alone = !g.joins(i-1) && !g.joins(i+1)
		}
	}
}

// joins reports whether a sign may join what is beside it to something, or compare it.
func (g *source) joins(i int) bool {
	if i < 0 || i >= len(g.tokens) || g.tokens[i].kind != signToken {
		return false
	}
	switch t := &g.tokens[i]; t.text {
	case ",", ":", "=", "@", "$", "#", "\\", "->", "=>", "|>", "&", "::", ":=", "||", "|", "<-", "!", "!!", "%", "?.",
		"<|", "~", "~>", "'":
		return false
	case ".", ".!", ".!!":
		return !t.tight // PHP joins with a dot between blanks
	}
	return true
}
