package readonly

import (
	"io/fs"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/sensitive"
)

// published are directories of what others made public and of git's own data:
// no secret of the user lies there, and walking them takes long.
func published(name string) bool {
	switch name {
	case "node_modules", "site-packages", ".git":
		return true
	}
	return false
}

// clear checks that no secret which a command would read lies below what a
// word names, as far as that is known.
func (v *attempt) clear(w shell.Word, f *filter) bool {
	if v.p.Below == nil {
		return true
	}
	for _, p := range shell.Paths(v.c.Dir, w.Set) {
		if found, e, _ := v.secretBelow(p, f.under(&w, p)); e != nil {
			return v.wouldRead(&w, found, e)
		}
	}
	return true
}

// clearFiles is clear for the files that a pattern of the shell names, without
// what lies below them.
func (v *attempt) clearFiles(w *shell.Word) bool {
	if v.p.Below == nil || !w.Glob {
		return true
	}
	f := &filter{other: true}
	if v.entry != nil {
		f = chosen(v.c, walkOf(v.c))
	}
	f.flat = true
	return v.clear(*w, f)
}

// maxShown bounds the paths that reasons show.
const maxShown = 200

// Shown returns a path for a reason. Whoever named the file may be nobody to
// trust: what could be more than a path is not shown.
func Shown(path string) string {
	for i := range len(path) {
		if c := path[i]; !isIdent(c) && !strings.ContainsRune("/.-+@~", rune(c)) {
			return "a file"
		}
	}
	if len(path) > maxShown {
		return "a file"
	}
	return path
}

// wouldRead notes the secret that keeps a command from being proved; it returns
// false.
func (v *attempt) wouldRead(w *shell.Word, found string, e *sensitive.Entry) bool {
	v.fail(w.Span, "it would read "+Shown(found)+", which "+e.Why)
	v.proof.Secret = found
	if options := v.p.LeaveOut(v.line, v.index, nil); options != "" {
		return v.instead("Add " + options + " to leave it out.")
	}
	return v.instead("Leave that file out, or name the files to read.")
}

// secretBelow returns a secret below a directory that a command would read.
// known says that the whole directory was looked at.
func (v *attempt) secretBelow(dir string, f *filter) (found string, entry *sensitive.Entry, known bool) {
	known = f.each(v.p.Below, dir, func(p string, typ fs.FileMode) bool {
		at := p
		if real, ok := v.realDir(p); ok && !typ.IsRegular() {
			at = real
		}
		e, ok := sensitive.FindRole(at, v.p.Home, sensitive.Secret)
		if ok = ok && !(typ.IsRegular() && Spares(v.line, v.index, p, v.p.Home, v.p.Holds)); ok {
			found, entry = p, e
		}
		return !ok
	})
	return found, entry, known
}

// foundClear reports whether none of the files that find names is a secret,
// which takes a World that knows all of what lies below.
func (v *attempt) foundClear(c *command.Command) bool {
	if v.p.Below == nil || c.Args.Has("L", "follow") {
		return false
	}
	f := findFilter(c)
	for _, w := range roots(c) {
		if w.Open || w.Glob || w.Many {
			return false
		}
		for _, dir := range shell.Paths(c.Dir, w.Set) {
			if _, e, known := v.secretBelow(dir, f); e != nil || !known {
				return false
			}
		}
	}
	return true
}

// listedClear checks that none of the files that a command names, which
// another then reads, is a secret.
func (v *attempt) listedClear(c *command.Command) bool {
	e := reading(c.Name)
	if c.How("speaks") == "git" { // what it holds may be a link
		return v.clear(roots(&command.Command{})[0], &filter{other: true, hidden: true, links: true, onlyLinks: true})
	}
	if e == nil || e.Lists == "" {
		return true
	}
	if *walkOf(c) == (program.Walk{}) {
		return v.namedClear(c) // it names no more than it is given
	}
	for _, w := range roots(c) {
		f := chosen(c, walkOf(c))
		f.links = f.links || !c.Finds()
		f.flat = c.Of("flat") && !c.Args.Has("R", "recursive")
		if w.Known() && !v.placeClear(c, &w) || !v.clear(w, f) {
			return false
		}
	}
	return true
}

// namedClear is listedClear for the patterns of the shell.
func (v *attempt) namedClear(c *command.Command) bool {
	for i := 1; i < len(c.Words); i++ {
		if c.Words[i].Glob && !v.clear(c.Words[i], &filter{other: true, flat: true, links: true}) {
			return false
		}
	}
	return true
}

// placeClear checks that a directory of which the names are read on is no place
// of secrets.
func (v *attempt) placeClear(c *command.Command, w *shell.Word) bool {
	for _, dir := range shell.Paths(c.Dir, w.Set) {
		if e, ok := sensitive.MayFind(strings.TrimSuffix(dir, "/")+"/*", v.p.Home, sensitive.Secret); ok {
			return v.failf(w.Span, "a path in %s %s", dir, e.Why)
		}
	}
	return true
}

// roots returns the operands of a command, or its directory.
func roots(c *command.Command) []shell.Word {
	var out []shell.Word
	for _, o := range c.Args.Operands {
		out = append(out, c.Words[o.At])
	}
	if len(out) == 0 {
		out = append(out, shell.Word{Set: shell.Set{Values: []string{"."}}, Span: c.Span})
	}
	return out
}
