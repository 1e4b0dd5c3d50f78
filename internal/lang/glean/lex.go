package glean

import "strings"

// A grain is a token of a program in a language of which nothing is known.
type grain struct {
	kind grainKind
	text string
	at   int
	// tight says that no blank stands before it, alone that nothing is joined to it.
	tight, alone bool
	// group is the innermost bracket that holds it, counted from 1; of a bracket,
	// that which it opens or closes.
	group int32
}

// A grainKind is what a [grain] is.
type grainKind uint8

// The kinds.
const (
	nameGrain grainKind = iota
	textGrain
	signGrain
	openGrain
	closeGrain
	endGrain // of a statement
)

// A bracket is a pair of brackets.
type bracket struct {
	open, close int32 // indexes of grains
	outer       int32
}

// A granary is a program as grains.
type granary struct {
	grains   []grain
	brackets []bracket // the first is the whole program
}

// maxGrains bounds how much of a program is looked at.
const maxGrains = 1 << 12

// grind divides a program into names, texts and signs, as most languages write them.
func grind(src string) *granary {
	g := &granary{brackets: []bracket{{open: -1, close: -1}}}
	group := int32(0)
	for at := 0; at < len(src) && len(g.grains) < maxGrains; {
		kind, end := grainAt(src, at, g)
		if end <= at {
			at++ // a blank
			continue
		}
		t := grain{kind: kind, text: src[at:end], at: at, tight: at > 0 && src[at-1] > ' ', group: group}
		switch kind {
		case textGrain:
			t.text = inner(t.text)
		case openGrain:
			g.brackets = append(g.brackets, bracket{open: int32(len(g.grains)), close: -1, outer: group})
			group = int32(len(g.brackets) - 1)
			t.group = group
		case closeGrain:
			if g.brackets[group].close = int32(len(g.grains)); group > 0 {
				group = g.brackets[group].outer
			}
		}
		if kind != endGrain || len(g.grains) > 0 {
			g.grains = append(g.grains, t)
		}
		at = end
	}
	g.markAlone()
	return g
}

// grainAt returns the kind and the end of the token at a place; the end is the place
// itself for what is none.
func grainAt(src string, at int, g *granary) (kind grainKind, end int) {
	b := src[at]
	switch {
	case b == '\n' || b == ';':
		return endGrain, at + 1
	case b <= ' ':
		return 0, at
	case isComment(src, at):
		if i := strings.IndexByte(src[at:], '\n'); i >= 0 {
			return endGrain, at + i + 1
		}
		return endGrain, len(src)
	case isWordByte(b):
		return nameGrain, wordEnd(src, at)
	}
	if close := closerAt(src, at, g); close != 0 {
		if i := textEnd(src, at+1, close); i > 0 {
			return textGrain, i
		}
	}
	switch {
	case strings.IndexByte("([{", b) >= 0:
		return openGrain, at + 1
	case strings.IndexByte(")]}", b) >= 0:
		return closeGrain, at + 1
	}
	end = at + 1
	for isSign(b) && end < len(src) && isSign(src[end]) {
		end++
	}
	return signGrain, end
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
func closerAt(src string, at int, g *granary) byte {
	last := ""
	if n := len(g.grains); n > 0 && g.grains[n-1].kind == nameGrain {
		last = g.grains[n-1].text
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
func (g *granary) markAlone() {
	for i := range g.grains {
		if t := &g.grains[i]; t.kind == textGrain || t.kind == nameGrain {
			t.alone = !g.joins(i-1) && !g.joins(i+1)
		}
	}
}

// joins reports whether a sign may join what is beside it to something, or compare it.
func (g *granary) joins(i int) bool {
	if i < 0 || i >= len(g.grains) || g.grains[i].kind != signGrain {
		return false
	}
	switch t := &g.grains[i]; t.text {
	case ",", ":", "=", "@", "$", "#", "\\", "->", "=>", "|>", "&", "::", ":=", "||", "|", "<-", "!", "!!", "%", "?.",
		"<|", "~", "~>", "'":
		return false
	case ".", ".!", ".!!":
		return !t.tight // PHP joins with a dot between blanks
	}
	return true
}
