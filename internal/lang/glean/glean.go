// Package glean finds in a program, in a language of which nothing is known, what it
// certainly deletes and runs: texts beside names that say so. It knows names by what they
// are made of, as removeDirRecur and delete-tree, and takes a text only where nothing is
// joined to it or made of it.
//
// It is no reader of languages: it follows no variables, and what it does not find may
// be there all the same.
package glean

import (
	"slices"
	"strings"
)

// A Deed is what a program does with texts that it has.
type Deed struct {
	// Runs says that the texts are the words of a command, "" for one of which nothing is
	// known, or one line for a shell; otherwise the text is the path of what is deleted
	// with all that is in it.
	Runs  bool
	Texts []string
	At    int // the offset of the first
}

// Deeds returns what a program does. home is the home directory of who runs it, and
// chooses reports whether a name is one by which programs leave out some of what they
// list.
func Deeds(src, home string, chooses func(name string) bool) []Deed {
	if home == "" {
		home = "~"
	}
	g := finder{source: tokenize(src), home: home, chooses: chooses}
	for i := range g.tokens {
		if len(g.deeds) == maxDeeds {
			break
		}
		g.look(int32(i))
	}
	return g.deeds
}

// maxDeeds bounds what is told of a program.
const maxDeeds = 64

// A finder collects what a program does.
type finder struct {
	*source
	home    string
	chooses func(name string) bool
	deeds   []Deed
	told    int32 // where the words of the last command end
}

// look adds what is done with the text at an index.
func (g *finder) look(i int32) {
	t := &g.tokens[i]
	w := way{finder: g, at: i, from: i, to: i, group: t.group}
	path := t.text
	switch {
	case g.isHome(i):
		w.to, path = g.endOf(i), g.home
	case g.asksHome(i):
		path = g.home
		w.leave(g.calleeAt(t.group, i))
	case t.kind != textToken || t.text == "":
		return
	}
	w.climb()
	switch {
	case w.does == sweeping || w.does == dropping && w.isRecursive() || w.walks && w.deletesEach():
		if g.isOnly(i) {
			g.deeds = append(g.deeds, Deed{Texts: []string{path}, At: t.at})
		}
	case w.does == starting && t.kind == textToken && t.alone && i >= g.told:
		g.deeds = append(g.deeds, Deed{Runs: true, Texts: g.words(i), At: t.at})
	}
}

// words returns a text, and what follows in the same brackets and in those behind them: a
// name is a word of which nothing is known, "".
func (g *finder) words(i int32) []string {
	out, known := []string{g.tokens[i].text}, 1
	for g.told = i + 1; g.told < int32(len(g.tokens)); g.told++ {
		switch t := &g.tokens[g.told]; {
		case t.kind == textToken:
			out = append(out, t.text)
			known = len(out)
		case t.kind == nameToken:
			out = append(out, "")
		case t.kind == signToken && t.text != "," && t.text != "|", t.kind == closeToken, t.kind == endToken && t.text != ";":
			return out[:known]
		}
	}
	return out[:known]
}

// isOnly reports whether a text stands alone, and no other of its brackets may be a part of
// the path.
func (g *finder) isOnly(i int32) bool {
	t := &g.tokens[i]
	if !t.alone {
		return false
	}
	for k := i - 1; k >= 0 && g.tokens[k].kind != endToken; k-- {
		if g.tokens[k].group == t.group && g.tokens[k].kind == textToken {
			return false
		}
	}
	for k := i + 1; k < int32(len(g.tokens)) && g.tokens[k].kind != endToken; k++ {
		other := &g.tokens[k]
		if other.group == t.group && other.kind == textToken && len(other.text) > 2 && other.text[0] != '-' {
			return false
		}
	}
	return true
}

// isHome reports whether the name at an index is that of the home directory.
func (g *finder) isHome(i int32) bool {
	t := &g.tokens[i]
	if t.kind != nameToken {
		return false
	}
	name := plainly(t.text[strings.LastIndexByte(t.text, '/')+1:])
	for _, rest := range [...]string{"ns", "get", "user", "my", "os"} {
		name = strings.TrimPrefix(name, rest)
	}
	switch name {
	case "home", "homedir", "homedirectory", "homepath", "userhome":
		return true
	}
	return false
}

// asksHome reports whether the text at an index names the home directory to what looks up
// variables or properties.
func (g *finder) asksHome(i int32) bool {
	switch t := &g.tokens[i]; {
	case t.kind != textToken:
		return false
	case t.text == "HOME" || t.text == "USERPROFILE":
		return strings.Contains(plainly(g.calleeOf(t.group, i)), "env")
	case t.text == "user.home":
		return strings.Contains(plainly(g.calleeOf(t.group, i)), "prop")
	}
	return false
}

// endOf returns the last token of a call that a name begins.
func (g *source) endOf(i int32) int32 {
	if k := i + 1; k < int32(len(g.tokens)) && g.tokens[k].kind == openToken && g.tokens[k].tight {
		if end := g.brackets[g.tokens[k].group].close; end > 0 {
			return end
		}
	}
	return i
}

// calleeOf returns the name of what brackets hold the arguments of: the one before them,
// or behind the first of them as in Lisp; outside of all, the one before a token.
func (g *source) calleeOf(group, i int32) string {
	if at := g.calleeAt(group, i); at >= 0 {
		return g.tokens[at].text
	}
	return ""
}

func (g *source) calleeAt(group, i int32) int32 {
	open := g.brackets[group].open
	if open >= 0 {
		if open > 0 && g.tokens[open].tight && g.tokens[open-1].kind == nameToken && g.tokens[open].text != "{" {
			return open - 1
		}
		if g.tokens[open].text == "(" && open+1 < i && g.tokens[open+1].kind == nameToken && !g.isMemberAt(open+2) {
			return open + 1
		}
		if g.tokens[open].text == "(" && open+2 < i && g.tokens[open+1].text == "." { // (.delete x)
			return open + 2
		}
	}
	for k := i - 1; k > open && g.tokens[k].kind != endToken; k-- {
		switch t := &g.tokens[k]; {
		case k == i-1 && g.isMark(i):
		case t.kind == nameToken && t.group == group && !g.isLabel(k):
			return k
		case t.kind == textToken || t.kind == signToken && (t.text == "," || t.text == "="):
			continue
		case t.kind == closeToken:
			return -1
		}
	}
	return -1
}

// qualified returns the name at an index, with the one before it where it is a member of that.
func (g *source) qualified(i int32) string {
	if i > 1 && g.isMemberAt(i-1) && g.tokens[i-2].kind == nameToken {
		return g.tokens[i-2].text + "." + g.tokens[i].text
	}
	return g.tokens[i].text
}

// isMark reports whether the name before a text says what kind of text it is, as in #p"/" and
// f"/".
func (g *source) isMark(text int32) bool {
	name, t := &g.tokens[text-1], &g.tokens[text]
	return name.kind == nameToken && t.kind == textToken && t.tight && doingOf(name.text) <= passing
}

// isMemberAt reports whether a sign at an index leads to a member.
func (g *source) isMemberAt(i int32) bool {
	if i >= int32(len(g.tokens)) {
		return false
	}
	t := &g.tokens[i]
	return t.kind == signToken && t.tight && strings.Trim(t.text, ".:?") == ""
}

// isLabel reports whether a name is that of an argument, as atPath: and recursive=.
func (g *source) isLabel(i int32) bool {
	return i+1 < int32(len(g.tokens)) && (g.tokens[i+1].text == ":" || g.tokens[i+1].text == "=")
}

// plainly returns the letters of a name, small ones.
func plainly(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		if r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, name)
}

// hasPart reports whether a name has one of some parts.
func hasPart(name string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(name, part) })
}
