package readonly

import (
	"path"
	"strconv"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// A filter is what a command reads of the files below a directory. It may say
// that more is read than is, and never less.
type filter struct {
	hidden bool
	// globs are patterns of files, of which the last that matches counts; other
	// reports whether a file is read that none matches.
	globs  []fileGlob
	other  bool
	notDir []string
	// pattern is one of the shell that a path, or a directory above, must match.
	pattern string
	// dots says that a * of it may match hidden names.
	dots bool
	// flat says that nothing below the first directory is read, or nothing
	// below what the pattern matches.
	flat bool
	// depth is how many directories deep it goes, 0 for any.
	depth int
	// links says that links are read as what they lead to, too, by whoever is given
	// their names, and onlyLinks that nothing is known to be read but those.
	links, onlyLinks bool
	// git says that git's own data counts too.
	git bool
}

// A fileGlob is a pattern that takes files in or leaves them out.
type fileGlob struct {
	text string
	out  bool
}

// typeGlobs are the files of the types that rg has for languages.
var typeGlobs = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"go": "*.go", "py": "*.py", "python": "*.py", "js": "*.{js,jsx,cjs,mjs,vue}", "ts": "*.{ts,tsx,cts,mts}", "rust": "*.rs", "java": "*.java",
		"c": "*.{c,h}", "cpp": "*.{cc,cpp,cxx,h,hpp}", "md": "*.{md,markdown,mdown,mdx,mkd}", "html": "*.html", "css": "*.css", "ruby": "*.rb", "sh": "*.sh",
	}
})

// chosen returns which files the options of a command let it read.
func chosen(c *command.Command, w *program.Walk) *filter {
	if c.Finds() {
		return findFilter(c)
	}
	f := &filter{other: true, hidden: w.Hidden == "" || w.Hidden == "*", depth: depthOf(c, w.Depth)}
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		f.hidden = f.hidden || isAny(o, w.Hidden)
		f.links = f.links || isAny(o, following(c))
		if o.HasArg {
			f.option(o, w)
		}
	}
	return f
}

// depthOf returns how deep a command goes by options that bound it, 0 where nothing
// known does.
func depthOf(c *command.Command, options string) (depth int) {
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		if !isAny(o, options) {
			continue
		}
		text, _ := o.Arg.Literal()
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return 0
		}
		depth = max(depth, n) // which of several counts, the programs differ about
	}
	return depth
}

// option notes the pattern of one option.
func (f *filter) option(o *command.Option, w *program.Walk) {
	t, ok := o.Arg.Literal()
	switch {
	case isAny(o, w.Not):
		if ok {
			f.globs = append(f.globs, fileGlob{t, true})
		}
		return
	case isAny(o, w.NotDir):
		if ok {
			f.notDir = append(f.notDir, t)
		}
		return
	case isAny(o, w.Only):
		if a := &o.Arg; a.Glob && len(a.Values) == 1 && !a.Open {
			t, ok = a.Values[0], true // what it may become, it matches
		}
		if not, negated := strings.CutPrefix(t, "!"); negated {
			f.globs = append(f.globs, fileGlob{not, true})
			f.notDir = append(f.notDir, strings.TrimSuffix(not, "/**"))
			return
		}
	case isAny(o, w.Types):
		t, ok = typeGlobs()[t]
	case isAny(o, w.Extensions):
		t = "*." + t
	default:
		return
	}
	if !ok {
		t = "*"
	}
	if len(f.globs) == 0 {
		f.other = false
	}
	f.globs = append(f.globs, fileGlob{t, false})
}

func isAny(o *command.Option, names string) bool {
	for name := range strings.FieldsSeq(names) {
		if o.Is(name) {
			return true
		}
	}
	return false
}

// under returns the filter for a path of a word, which may be a pattern.
func (f *filter) under(w *shell.Word, p string) *filter {
	g := *f
	if w.Glob && strings.ContainsAny(p, `*?[\`) {
		g.pattern = p
	}
	return &g
}

// A pathRelation says how a path stands to the pattern of a filter.
type pathRelation uint8

const (
	outside pathRelation = iota
	above                // the pattern may match what lies below the path
	at                   // the pattern matches the path
	below                // it matches a directory above the path, or there is none
)

func (f *filter) stands(p, name string) pathRelation {
	if f.pattern == "" {
		return below
	}
	pats, elems := strings.Split(f.pattern, "/"), strings.Split(p, "/")
	if strings.Contains(f.pattern, "**") {
		if matchName(pats[len(pats)-1], name) {
			return at
		}
		return above
	}
	for i := range min(len(pats), len(elems)) {
		hidden := !f.dots && strings.HasPrefix(elems[i], ".") && !strings.HasPrefix(strings.TrimLeft(pats[i], `\`), ".")
		if hidden || !matchName(pats[i], elems[i]) {
			return outside
		}
	}
	switch {
	case len(elems) < len(pats):
		return above
	case len(elems) == len(pats):
		return at
	}
	return below
}

// skips reports whether a directory is left out.
func (f *filter) skips(p, name string) bool {
	s := f.stands(p, name)
	switch {
	case s == above:
		return false
	case s == outside, f.flat, published(name) && !(f.git && name == ".git"), s == below && name[0] == '.' && !f.hidden:
		return true
	}
	for _, g := range f.globs {
		if !g.out && matchName(g.text, name) {
			return false // rg takes the directory in again
		}
	}
	for _, pat := range f.notDir {
		if leavesOut(pat, p, name) {
			return true
		}
	}
	return false
}

// reads reports whether a file is read.
func (f *filter) reads(p, name string) bool {
	switch s := f.stands(p, name); {
	case s == outside, s == above, s == below && name[0] == '.' && !f.hidden:
		return false
	}
	read := f.other
	for _, g := range f.globs {
		switch {
		case g.out && leavesOut(g.text, p, name):
			read = false
		case !g.out && takesIn(g.text, name):
			read = true
		}
	}
	return read
}

// takesIn reports whether a pattern may match a file, without regard to case.
// One with a slash may match any.
func takesIn(pattern, name string) bool {
	pattern = strings.TrimPrefix(strings.ToLower(pattern), "**/")
	return strings.Contains(pattern, "/") || matchName(pattern, strings.ToLower(name))
}

// leavesOut reports whether a pattern surely matches a path: by the name or,
// behind **/, by the last elements.
func leavesOut(pattern, p, name string) bool {
	pattern = strings.TrimSuffix(pattern, "/")
	rest, deep := strings.CutPrefix(pattern, "**/")
	switch n := strings.Count(rest, "/"); {
	case n == 0:
		return matchName(rest, name)
	case deep:
		return matchName(rest, lastElems(p, n+1))
	}
	return false
}

// lastElems returns the last n elements of a path.
func lastElems(p string, n int) string {
	at := len(p)
	for ; n > 0 && at >= 0; n-- {
		at = strings.LastIndexByte(p[:at], '/')
	}
	return p[at+1:]
}

// matchName reports whether a name matches a pattern.
func matchName(pattern, name string) bool {
	if before, list, after, ok := braces(pattern); ok {
		for alt := range strings.SplitSeq(list, ",") {
			if matchName(before+alt+after, name) {
				return true
			}
		}
		return false
	}
	ok, err := path.Match(strings.ReplaceAll(pattern, "[!", "[^"), name)
	return ok && err == nil
}

// braces splits a pattern at its first braces.
func braces(pattern string) (before, list, after string, ok bool) {
	before, rest, open := strings.Cut(pattern, "{")
	list, after, closed := strings.Cut(rest, "}")
	return before, list, after, open && closed
}
