package permission

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
)

// The symbols of a subject, beside ordinary text. A joint stands between two
// words, unknown for text that is unknown, which only a star covers. For what may be:
// inName is text that is unknown and has no slash, shown such text that begins with no
// dot.
const (
	joint   = '\x1f'
	unknown = '\x1e'
	inName  = '\x1d'
	shown   = '\x1c'
)

// A glob is the subject of a permission: * stands for any text, ? for one
// character, a backslash quotes them, and a blank stands between words.
type glob struct {
	text string
	// literal says that there is no * and no ?.
	literal bool
	// wild says that the pattern begins with a wildcard.
	wild bool
	elem []globElem
	// narrow is elem for an allow: a star that completes a word with a slash, behind the
	// program, stands for the rest of that word alone. completes says that the last one is
	// such a star.
	narrow    []globElem
	completes bool
	// home says that a word begins with ~ or $HOME.
	home bool
	// head is the first word, "" where it has a wildcard or may be an
	// assignment: a quick look before any comparison.
	head string
	// tail says that the pattern ends with a blank and a star, so that it also
	// means the text without them.
	tail bool
}

type globElem struct {
	kind byte // 'c' for a character, '?', '*', and 'w' for a star that stays in its word
	r    rune
}

func compileGlob(text string) glob {
	g := glob{text: text, literal: true}
	rs := []rune(text)
	for i := 0; i < len(rs); i++ {
		switch c := rs[i]; {
		case c == '\\' && i+1 < len(rs) && (rs[i+1] == '*' || rs[i+1] == '?' || rs[i+1] == '\\'):
			i++
			g.elem = append(g.elem, globElem{'c', rs[i]})
		case c == '*':
			g.literal = false
			if n := len(g.elem); n == 0 || g.elem[n-1].kind != '*' {
				g.elem = append(g.elem, globElem{kind: '*'})
			}
		case c == '?':
			g.literal = false
			g.elem = append(g.elem, globElem{kind: '?'})
		default:
			g.elem = append(g.elem, globElem{'c', c})
		}
	}
	for word := range strings.SplitSeq(text, " ") {
		g.home = g.home || ExpandHome(word, "/") != word
	}
	if head, _, _ := strings.Cut(text, " "); !strings.ContainsAny(head, `*?\=`) {
		g.head = head
	}
	n := len(g.elem)
	g.wild = n > 0 && g.elem[0].kind != 'c'
	g.tail = n > 2 && g.elem[n-1].kind == '*' && g.elem[n-2] == globElem{'c', ' '}
	g.narrow = narrowed(g.elem)
	g.completes = n > 0 && g.narrow[n-1].kind == 'w'
	return g
}

// in returns the pattern as it reads for a home directory: ~ and $HOME at the
// start of its words are replaced.
func (g *glob) in(home string) *glob {
	if !g.home {
		return g
	}
	words := strings.Split(g.text, " ")
	for i, w := range words {
		words[i] = ExpandHome(w, Quote(home))
	}
	out := compileGlob(strings.Join(words, " "))
	return &out
}

// required returns the longest run of characters that every text has which matches; a
// blank is none of them.
func (g *glob) required() string {
	var longest, run []rune
	for _, e := range g.elem {
		if e.kind != 'c' || e.r == ' ' {
			run = run[len(run):]
			continue
		}
		if run = append(run, e.r); len(run) > len(longest) {
			longest = run
		}
	}
	return string(longest)
}

// Quote makes text stand for itself in a pattern.
func Quote(s string) string {
	if !strings.ContainsAny(s, `*?\`) {
		return s
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`).Replace(s)
}

// misses returns where an allow ceases to match a text, whatever the unknown parts of it
// are; [command.Covered] where it matches all of it.
func (g *glob) misses(text string) command.Miss {
	at, ended, ok := reach(g.narrow, text, exactly)
	if ok || g.tail && match(g.narrow[:len(g.narrow)-2], text, exactly) {
		return command.Miss{}
	}
	m := command.Miss{Kind: command.OtherWord, Word: strings.Count(text[:at], string(joint))}
	switch {
	case at == len(text):
		m.Kind = command.TooShort
	case ended && text[at] == joint:
		m.Kind, m.Word = command.TooLong, m.Word+1
	}
	return m
}

// matches reports whether the pattern matches the whole text, where a blank also
// matches a blank inside a word.
func (g *glob) matches(text string) bool { return g.matchesBy(text, loosely) }

// matchesBy is matches with a comparison of characters.
func (g *glob) matchesBy(text string, same func(p, t rune) bool) bool {
	return match(g.elem, text, same) || g.tail && match(g.elem[:len(g.elem)-2], text, same)
}

// may reports whether the pattern can match the text for some value of its
// unknown parts.
func (g *glob) may(text string) bool {
	if g.wild {
		return false
	}
	return mayMatch(g.elem, []rune(text), loosely) || g.tail && mayMatch(g.elem[:len(g.elem)-2], []rune(text), loosely)
}

// exactly and loosely compare a character of a pattern with one of a text.
func exactly(p, t rune) bool { return p == t && p != ' ' || p == ' ' && t == joint }
func loosely(p, t rune) bool { return p == t || p == ' ' && t == joint }

// folding is loosely without regard to case.
func folding(p, t rune) bool {
	return loosely(p, t) || unicode.ToLower(p) == unicode.ToLower(t) || unicode.ToUpper(p) == unicode.ToUpper(t)
}

// match matches text against a pattern without unknown parts.
func match(p []globElem, text string, same func(p, t rune) bool) bool {
	_, _, ok := reach(p, text, same)
	return ok
}

// reach is match in linear space and, for one star, linear time. Where they do not match, it
// returns how far in the text they did, and whether the pattern ended there.
func reach(p []globElem, text string, same func(p, t rune) bool) (far int, ended, ok bool) {
	i, at := 0, 0
	stars := retries{last: retry{elem: -1}, wide: retry{elem: -1}}
	for at <= len(text) {
		if at >= far {
			far, ended = at, i == len(p)
		}
		var t rune
		size := 0
		if at < len(text) {
			t, size = decode(text[at:])
		}
		switch {
		case i < len(p) && (p[i].kind == '*' || p[i].kind == 'w'):
			stars.begin(p[i].kind, i, at)
			i++
			continue
		case at == len(text) && i == len(p):
			return at, true, true
		case at < len(text) && i < len(p) && (p[i].kind == '?' && t != unknown && t != joint || p[i].kind == 'c' && same(p[i].r, t)):
			i++
			at += size
			continue
		}
		if !stars.more(p, text) {
			return far, ended, false
		}
		i, at = stars.last.elem+1, stars.last.mark
	}
	return far, ended, false
}

// A retry is a star of a pattern, and where in the text ends what it stands for.
type retry struct{ elem, mark int }

// retries are the last star, and the last one that need not stay in its word. A star that
// fails takes one character more; one that stays in its word cannot take the end of it, so
// that the star before takes more.
type retries struct{ last, wide retry }

func (r *retries) begin(kind byte, elem, at int) {
	r.last = retry{elem, at}
	if kind == '*' {
		r.wide = r.last
	}
}

// more lets a star take one character more; it is false where none can.
func (r *retries) more(p []globElem, text string) bool {
	if r.last.elem < 0 || r.last.mark >= len(text) {
		return false
	}
	next, size := decode(text[r.last.mark:])
	if p[r.last.elem].kind == 'w' && next == joint {
		if r.wide.elem < 0 || r.wide.mark >= len(text) {
			return false
		}
		r.last = r.wide
		_, size = decode(text[r.last.mark:])
	}
	r.last.mark += size
	if r.last.elem == r.wide.elem {
		r.wide = r.last
	}
	return true
}

func decode(s string) (rune, int) {
	if s == "" {
		return 0, 1
	}
	if s[0] < utf8.RuneSelf {
		return rune(s[0]), 1
	}
	return utf8.DecodeRuneInString(s)
}

// mayMatch reports whether a pattern and a text, both with parts that stand for
// anything, have a text in common.
func mayMatch(p []globElem, text []rune, same func(p, t rune) bool) bool {
	if len(p)*len(text) > 1<<16 {
		return true
	}
	// row[i] reports whether p[:i] and the text so far have a text in common.
	n := len(p) + 1
	rows := make([]bool, 3*n)
	row, next, inside := rows[:n], rows[n:2*n], rows[2*n:] // inside: p[:i] ends within the part of a name
	row[0] = true
	for i := range p {
		row[i+1] = row[i] && p[i].kind == '*'
	}
	for _, t := range text {
		for i := range next {
			switch {
			case t == unknown:
				next[i] = row[i] || i > 0 && next[i-1]
			case t == inName, t == shown:
				inside[i] = i > 0 && p[i-1] != (globElem{'c', '/'}) && (inside[i-1] || row[i-1] && (t == inName || p[i-1] != (globElem{'c', '.'})))
				next[i] = row[i] || inside[i]
			case i == 0:
				next[i] = false
			case p[i-1].kind == '*':
				next[i] = next[i-1] || row[i]
			case p[i-1].kind == '?':
				next[i] = row[i-1]
			default:
				next[i] = row[i-1] && same(p[i-1].r, t)
			}
		}
		row, next = next, row
	}
	return row[len(p)]
}

// maxForms bounds how many spellings of one command are compared.
const maxForms = 64

// spellings calls yield for every text that words may be, joined, until it
// returns false. unsure says that there are more than could be listed.
func spellings(words []shell.Word, prefix string, yield func(text string, known bool) bool) (unsure bool) {
	n := 0
	text := []byte(prefix)
	var walk func(i int, known bool) bool
	walk = func(i int, known bool) bool {
		if i == len(words) {
			if n++; n > maxForms {
				unsure = true
				return false
			}
			return yield(string(text), known)
		}
		if i > 0 {
			text = utf8.AppendRune(text, joint)
		}
		w, at := &words[i], len(text)
		closed := w.Known() && !w.Many
		for _, v := range w.Values {
			if w.Glob {
				break
			}
			text = append(text[:at], clean(v)...)
			if !walk(i+1, known) {
				return false
			}
		}
		if closed {
			return true
		}
		text = utf8.AppendRune(append(text[:at], clean(w.Prefix)...), unknown)
		return walk(i+1, false)
	}
	walk(0, true)
	return unsure
}

// clean keeps the symbols out of the text of a word.
func clean(s string) string {
	if strings.IndexByte(s, joint) < 0 && strings.IndexByte(s, unknown) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r == joint || r == unknown {
			return '�'
		}
		return r
	}, s)
}
