package workspace

import (
	"io/fs"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// A row is a program, or a sub-command, that may stay inside, with what is checked of it.
type row struct {
	program.Inside
	manner manner
	check  func(*attempt) bool
	// whole says that check looks at all that the command does.
	whole bool
}

// rowOf returns the row of what is known of a program, nil for nil.
func rowOf(is *program.Inside) *row {
	if is == nil {
		return nil
	}
	return &row{Inside: *is, manner: mannerOf(is.Manner), check: checkOf(is.Check)}
}

// has reports whether an option is one of the row's.
func (r *row) has(o *command.Option) bool {
	for name := range strings.FieldsSeq(r.Options) {
		if o.Is(name) {
			return true
		}
	}
	return false
}

// how returns how the command writes.
func (r *row) how(c *command.Command) manner {
	if other, options, ok := strings.Cut(r.Under, " "); ok && c.Args.HasAny(options) {
		return mannerOf(other)
	}
	if r.Check == rewriting && (c.Args.Has("n", "quiet", "silent") || !substitutes(c)) {
		return puts
	}
	return r.manner
}

// rewriting names the check of what a script changes.
const rewriting = "editsInPlace"

// checkOf returns what [program.Inside.Check] names, nil for nothing.
func checkOf(check string) func(*attempt) bool {
	switch check {
	case "":
		return nil
	case "emptied":
		return emptied
	case "plainChmod":
		return plainChmod
	case "linksInside":
		return linksInside
	case rewriting:
		return editsInPlace
	case "formats":
		return formats
	case "zips":
		return zips
	case "patches":
		return patches
	case "patchesFiles":
		return patchesFiles
	case "extracts":
		return extracts
	}
	return gitCheckOf(check)
}

// lookup returns the row of a command, nil if there is none.
func lookup(c *command.Command) *row {
	if len(c.Words) == 0 || c.Keyword || c.Args.Program == nil {
		return nil
	}
	if RunsScript(c.Called()) {
		return &scriptRow
	}
	is := c.Row().InsideOf(c.Name)
	if verb, _, _ := strings.Cut(c.Args.Sub, " "); is == nil && verb != "" && c.Row() != nil {
		is = c.Row().Sub(verb).InsideOf(verb)
	}
	if is == nil || is.Keeps != "" || is.Writing != "" && !c.Args.HasAny(is.Writing) {
		return nil
	}
	return rowOf(is)
}

// mayPlant reports whether a command may make links, or move directories that
// hold some, so that what is known of paths no longer holds behind it.
func mayPlant(c *command.Command) bool {
	if r := lookup(c); r != nil {
		if r.Deep != "" && !c.Args.HasAny(r.Deep) {
			return false // it follows the links that it copies
		}
		newBranch := r.Git && c.Args.Has("b", "c", "create") && len(c.Args.Operands) == 0 // it leaves the files alone
		return r.Plants && !newBranch
	}
	return c.Args.Program != nil && c.Args.Program.Fills != ""
}

// plainMode reports whether a mode has nothing but permissions for the owner,
// the group and others.
func plainMode(s shell.Set) bool {
	if !s.Known() {
		return false
	}
	for _, v := range s.Values {
		digits := strings.TrimLeft(v, "0")
		if strings.Trim(v, "01234567") == "" {
			if len(digits) > 3 {
				return false
			}
			continue
		}
		if strings.Trim(v, "ugoa+-=rwxX,") != "" {
			return false
		}
	}
	return true
}

// plainChmod checks the mode of chmod, its first operand.
func plainChmod(a *attempt) bool {
	for _, o := range a.c.Args.Operands {
		if o.Role == program.RoleData {
			return plainMode(a.c.Words[o.At].Set) || a.fail(a.c.Words[o.At].Span, "the mode sets more than permissions")
		}
	}
	return a.fail(a.c.Span, "the mode is unknown")
}

// emptied lets rmdir through: what it removes is empty.
func emptied(a *attempt) bool {
	for _, o := range a.c.Args.Operands {
		w := &a.c.Words[o.At]
		if !a.paths(a.c.Dir, w.Set, creates, w.Span) {
			return false
		}
	}
	a.proof.Makes = nil
	return true
}

// linksInside checks that links lead inside.
func linksInside(a *attempt) bool {
	symbolic := a.c.Args.Has("s", "symbolic")
	operands := a.c.Args.Operands
	if len(operands) < 1 {
		return a.fail(a.c.Span, "what it links to is unknown")
	}
	name := a.c.Words[operands[len(operands)-1].At]
	for k, o := range operands {
		w := &a.c.Words[o.At]
		target, ok := w.Literal()
		if k == len(operands)-1 && k > 0 {
			break
		}
		if !ok {
			return a.fail(w.Span, "what it links to is unknown")
		}
		for _, dir := range a.c.Dir.Values {
			from := dir
			if at, ok := name.Literal(); symbolic && !a.c.Args.Has("r", "relative") && ok && len(operands) > 1 {
				from = shell.Abs(dir, at)
				if f, known := a.p.File(from); !known {
					return a.fail(name.Span, "what is at "+from+" is unknown")
				} else if f.Kind != Directory {
					from = from[:max(1, strings.LastIndexByte(from, '/'))]
				}
			}
			path := target
			if !strings.HasPrefix(target, "/") {
				path = strings.TrimSuffix(from, "/") + "/" + target
			}
			if why, ok := a.p.Inside(path); !ok {
				return a.fail(w.Span, "the link leads outside: "+why)
			}
			if symbolic {
				continue
			}
			switch f, known := a.p.File(path); {
			case !known:
				return a.fail(w.Span, "what is at "+path+" is unknown")
			case f.Shared:
				return a.fail(w.Span, path+" has other names, which may lie outside")
			}
		}
	}
	return len(a.c.Dir.Values) > 0 && !a.c.Dir.Open || a.fail(a.c.Span, "the directory is unknown")
}

// editsInPlace checks that sed does no more than rewrite its files.
func editsInPlace(a *attempt) bool {
	o := a.c.Args.Option("i")
	if o == nil {
		o = a.c.Args.Option("in-place")
	}
	if o != nil && o.HasArg && !a.keepsCopies(o) {
		return false
	}
	prints := a.c.Bare(func(word string, o *command.Option) bool { return !o.Is("i") && !o.Is("in-place") })
	return a.p.OnlyReads(a.line, a.index, prints) || a.fail(a.c.Span, "its script may do more than change the files that it names")
}

// keepsCopies checks the copies that sed keeps of its files.
func (a *attempt) keepsCopies(o *command.Option) bool {
	suffix, ok := o.Arg.Literal()
	if !ok || strings.ContainsAny(suffix, "/*") {
		return a.fail(o.Arg.Span, "where it keeps a copy is unknown")
	}
	for _, operand := range a.c.Args.Operands {
		w := &a.c.Words[operand.At]
		if suffix == "" || operand.Role != program.RoleWrite {
			continue
		}
		v, ok := w.Literal()
		if !ok || !a.paths(a.c.Dir, shell.Set{Values: []string{v + suffix}}, puts, w.Span) {
			return a.failed(w.Span, "where it keeps a copy is unknown")
		}
	}
	return true
}

// substitutes reports whether a script of sed does nothing but replace a part of
// some lines.
func substitutes(c *command.Command) bool {
	found := false
	for k := range c.Args.Options {
		if o := &c.Args.Options[k]; o.Is("e") || o.Is("expression") {
			if found = onlyS(o.Arg.Set); !found {
				return false
			}
		}
	}
	for _, o := range c.Args.Operands {
		if o.Role == program.RoleCode {
			return onlyS(c.Words[o.At].Set)
		}
	}
	return found
}

func onlyS(s shell.Set) bool {
	for _, v := range s.Values {
		v = strings.TrimLeft(v, "0123456789,$ ")
		if v == "" || v[0] != 's' || len(v) < 2 || strings.ContainsAny(v, ";\n") || !spelt(v[2:], v[1]) {
			return false
		}
	}
	return len(s.Values) > 0 && s.Known()
}

// spelt reports whether each branch of a pattern, up to its end mark, spells a letter,
// a digit or another sign that must be there: what it does not spell it may match
// anywhere, so that nothing of a line is left.
func spelt(pattern string, end byte) bool {
	found := false
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		next := strings.TrimPrefix(pattern[i+1:], `\`)
		switch {
		case c == end:
			return found
		case c == '\\' && i+1 < len(pattern):
			if i++; pattern[i] == '|' {
				if !found {
					return false
				}
				found = false
			} else if strings.IndexByte(".*[]/^$-", pattern[i]) >= 0 && !optional(pattern[i+1:]) {
				found = true
			}
		case c == '|':
			if !found {
				return false
			}
			found = false
		case c == '[':
			i += bracket(pattern[i:]) - 1
		case strings.IndexByte(".*^$+?(){}", c) < 0 && !optional(next):
			found = true
		}
	}
	return false
}

// bracket returns the length of the bracket expression with which a pattern begins.
func bracket(pattern string) int {
	for i := 2; i < len(pattern); i++ {
		if pattern[i] == ']' && pattern[i-1] != ':' && !(i == 2 && pattern[1] == '^') {
			return i + 1
		}
	}
	return len(pattern)
}

// optional reports whether what a pattern goes on with lets the sign before it be
// missing.
func optional(rest string) bool { return rest != "" && strings.IndexByte("*?{", rest[0]) >= 0 }

// patches checks the names in a patch that the line itself holds. Programs strip
// one element from them.
func patches(a *attempt) bool {
	strip := a.c.Args.Option("p")
	if a.c.Input == nil || len(a.c.Args.Operands) > 0 || strip == nil && a.c.How("speaks") != "git" || strip != nil && !strip.Arg.Has("1") {
		return a.fail(a.c.Span, "what the patch changes is unknown")
	}
	text, ok := a.c.Input.Literal()
	if !ok {
		return a.fail(a.c.Span, "what the patch changes is unknown")
	}
	names := 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if a.c.How("speaks") != "git" {
			line = unindented(line)
		}
		for _, mark := range []string{"rename ", "copy ", "deleted file", "new file mode 12", "new mode", "GIT binary", "Index:", "Prereq:", "***"} {
			if strings.HasPrefix(line, mark) {
				return a.fail(a.c.Span, "the patch does more than change lines of files")
			}
		}
		if header, ok := strings.CutPrefix(line, "diff --git "); ok {
			// Where no other line names the file, this one does.
			old, fresh, found := strings.Cut(header, " b/")
			if !found || old != "a/"+fresh || !a.paths(a.c.Dir, shell.Set{Values: []string{fresh}}, edits, a.c.Span) {
				return a.failed(a.c.Span, "a name in the patch is not plain")
			}
			continue
		}
		name, ok := strings.CutPrefix(line, "+++ ")
		if old, found := strings.CutPrefix(line, "--- "); found {
			name, ok = old, true
		}
		if !ok {
			continue
		}
		name, _, _ = strings.Cut(name, "\t")
		if name == "/dev/null" && strings.HasPrefix(line, "--- ") {
			continue
		}
		_, rest, found := strings.Cut(name, "/")
		if names++; !found || name[0] == '/' || name[0] == '"' || !a.paths(a.c.Dir, shell.Set{Values: []string{rest}}, edits, a.c.Span) {
			return a.failed(a.c.Span, "a name in the patch is not plain")
		}
	}
	if names == 0 {
		return a.fail(a.c.Span, "the patch has no file names")
	}
	return a.c.How("speaks") != "git" || inRepository(a)
}

// formats checks that ruff is told to look at files.
func formats(a *attempt) bool {
	return a.c.Args.Sub == "format" || a.c.Args.Sub == "check" || a.fail(a.c.Span, "it may do more than change the files that it names")
}

// patchesFiles checks that a patch in the form of agents is on the line, and what it
// writes anew or removes: which files it changes, its effects say.
func patchesFiles(a *attempt) bool {
	text, ok := "", false
	if a.c.Input != nil {
		text, ok = a.c.Input.Literal()
	}
	if len(a.c.Args.Operands) == 1 {
		text, ok = a.c.Words[a.c.Args.Operands[0].At].Literal()
	}
	text = strings.TrimSpace(text)
	if !ok || len(a.c.Args.Operands) > 1 || !strings.HasPrefix(text, "*** Begin Patch\n") || !strings.HasSuffix(text, "\n*** End Patch") || command.OddPatch(text) {
		return a.fail(a.c.Span, "what the patch changes is unknown")
	}
	for how, paths := range map[manner][]string{puts: append(command.AddedPaths(text), command.MovedPaths(text)...), removes: command.RemovedPaths(text)} {
		if len(paths) > 0 && !a.paths(a.c.Dir, shell.Set{Values: paths}, how, a.c.Span) {
			return false
		}
	}
	return true
}

// unindented returns a line of a patch without what patch itself overlooks before a
// header: blanks, the X of some mail programs, and the dashes of a digest. A line
// that is no header stays as it is.
func unindented(line string) string {
	bare := strings.TrimLeft(line, " \tX")
	for strings.HasPrefix(bare, "- ") {
		bare = bare[2:]
	}
	for _, mark := range []string{"--- ", "+++ ", "*** ", "Index:", "Prereq:", "diff --git ", "rename ", "copy ", "new file mode ", "deleted file ", "new mode "} {
		if strings.HasPrefix(bare, mark) {
			return bare
		}
	}
	return line
}

// zips checks that no link lies in a directory that zip packs, which it follows.
func zips(a *attempt) bool {
	if !a.c.Args.Has("r", "recurse-paths") || a.c.Args.Has("y", "symlinks") {
		return true
	}
	for _, w := range a.operands() {
		for _, at := range shell.Paths(a.c.Dir, w.Set) {
			link := ""
			known := a.p.Below(at, func(name string, typ fs.FileMode) error {
				if typ&fs.ModeSymlink != 0 {
					link = name
					return fs.SkipAll
				}
				return nil
			})
			if link != "" {
				return a.fail(w.Span, shell.Clean(link)+" is a link, and zip packs what it leads to")
			}
			if f, ok := a.p.File(at); !known && (!ok || f.Kind == Directory) {
				return a.fail(w.Span, "the contents of "+at+" are unknown")
			}
		}
	}
	return true
}

// extracts checks that an archive is unpacked, from a file.
func extracts(a *attempt) bool {
	if !a.c.Of("members") {
		return len(a.c.Args.Operands) == 1 || a.fail(a.c.Span, "policyctl does not check which of its files are unpacked")
	}
	o := a.c.Args.Option("file")
	if o == nil || !o.HasArg || strings.Contains(o.Arg.Prefix+strings.Join(o.Arg.Values, ""), ":") {
		return a.fail(a.c.Span, "the archive is not a file")
	}
	return a.c.Args.Has("extract") != a.c.Args.Has("create") || a.fail(a.c.Span, "it does not unpack")
}
