package eval

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// A disk is what a line has written so far, and that it may read or run again.
type disk struct {
	files  map[string]shell.Set // texts, by their paths
	copies map[string]string    // programs under names that the line gives them
}

// maxFiles bounds how many files a line writes that are followed.
const maxFiles = 64

// maxCopies bounds how many copies of programs a line makes that are followed.
const maxCopies = 32

// followed are programs whose copies are followed wherever they lie: what they
// may do is their own business.
const followed = "policyctl policyctl-hook policyctl.exe policyctl-hook.exe"

// write keeps the text that a command writes to a file, behind what that has where there is more.
func (d *disk) write(c *command.Command, target, text shell.Set, more bool) {
	path, ok := pathOf(c, target)
	if !ok {
		return
	}
	if len(text.Values) > 0 && len(text.Values[0]) <= command.MaxOutput && !strings.HasPrefix(path, "/dev/") {
		c.AddWritten(path, text.Values[0])
	}
	if more && len(d.files[path].Values) > 0 {
		old := d.files[path]
		whole := shell.Set{Open: old.Open || text.Open}
		whole.Values = append(whole.Values, old.Values[0])
		if len(text.Values) > 0 {
			whole.Values[0] += text.Values[0]
		}
		text = whole
	}
	delete(d.files, path)
	if len(text.Values) == 0 || len(text.Values[0]) > command.MaxOutput || len(d.files) >= maxFiles {
		return
	}
	if d.files == nil {
		d.files = make(map[string]shell.Set)
	}
	d.files[path] = text
}

// pathOf returns the absolute path that a word names for a command.
func pathOf(c *command.Command, target shell.Set) (string, bool) {
	path, ok := target.Literal()
	if !ok && len(target.Values) == 1 && !target.Glob && strings.HasPrefix(target.Values[0], command.TempName) {
		path, ok = target.Values[0], true
	}
	if !ok || path == "" {
		return "", false
	}
	dir := ""
	if len(c.Dir.Values) > 0 {
		dir = c.Dir.Values[0]
	}
	if n, ok := strings.CutPrefix(path, "/proc/self/fd/"); ok {
		path = "/dev/fd/" + n
	}
	return shell.Abs(dir, path), true
}

// has reports whether the line has written a file.
func (d *disk) has(c *command.Command, target shell.Set) bool {
	_, ok := d.text(c, target)
	return ok
}

// text returns the text that the line has written to a file.
func (d *disk) text(c *command.Command, target shell.Set) (shell.Set, bool) {
	if len(d.files) == 0 || c.Context != program.Local {
		return shell.Set{}, false
	}
	path, ok := pathOf(c, target)
	if !ok {
		return shell.Set{}, false
	}
	text, ok := d.files[path]
	text.Open = true // it may have been changed since
	return text, ok
}

// anyText returns the text of a file that the line has written and that a word
// may name, as one of several or by a pattern. It is always open.
func (d *disk) anyText(c *command.Command, target shell.Set) (shell.Set, bool) {
	if len(d.files) == 0 || c.Context != program.Local {
		return shell.Set{}, false
	}
	var names []string
	paths := shell.Paths(c.Dir, target)
	for name := range d.files {
		at := strings.LastIndexByte(name, '/') + 1
		if slices.ContainsFunc(paths, func(p string) bool {
			return p == name || target.Glob && len(p) >= at && p[:at] == name[:at] && shell.Matches(p[at:], name[at:])
		}) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	out := shell.Set{Open: true}
	for _, name := range names {
		out.Values = append(out.Values, d.files[name].Values...)
	}
	return out, len(out.Values) > 0
}

// copied notes that a name is that of a copy.
func (d *disk) copied(name, original string) {
	if len(d.copies) >= 2*maxCopies {
		return
	}
	if d.copies == nil {
		d.copies = make(map[string]string)
	}
	d.copies[name] = original
}

// original returns the program of the machine that a path names, also through a
// copy; "" for others.
func (d *disk) original(path string) string {
	if p, ok := d.copies[path]; ok {
		return p
	}
	if strings.Contains(path, "/") && program.BareName(path) != "" || program.HasWord(followed, shell.Base(path)) {
		return path
	}
	return ""
}

// noteCopies keeps the names that command i gives to programs of the machine:
// what runs under such a name later on the line is that program.
func (r *reader) noteCopies(i int) {
	c, acting := &r.line.Commands[i], &r.line.Commands[r.line.Acting(i)]
	if !acting.Is(program.Copies) || !c.Changes() && !acting.Changes() || len(r.disk.copies) == 0 && !command.MentionsProgram(c) {
		return
	}
	var from, to []string
	look := func(e command.Effect) bool {
		switch e.Kind {
		case command.Reads, command.Moves:
			for _, p := range shell.Paths(e.Dir, e.Target) {
				if p = r.disk.original(p); p != "" && !e.Target.Glob {
					from = append(from, p)
				}
			}
		case command.Writes:
			to = append(to, shell.Paths(e.Dir, e.Target)...)
		}
		return true
	}
	if c.Effects(look); acting != c { // a wrapper says where its output goes
		acting.Effects(look)
	}
	for _, p := range from {
		for _, name := range to {
			if name != p && (len(from) == 1 || shell.Base(name) == shell.Base(p)) {
				r.disk.copied(name, p)
				r.disk.copied(name+"/"+shell.Base(p), p) // where it is a directory
			}
		}
	}
}

// ownProgram reads a command whose name the line has given to another program
// as that program, too.
func (r *reader) ownProgram(i int, own *scope) {
	if len(r.disk.copies) == 0 {
		return
	}
	c := &r.line.Commands[i]
	original := ""
	for _, dir := range r.searched(c, own) {
		if p, ok := r.disk.copies[shell.Abs(dir, c.Path)]; ok {
			original = p
		}
	}
	if original == "" || original == c.Path || c.Context != program.Local || !r.wrap(i) {
		return
	}
	defer func() { r.wrapped-- }()
	words := append([]shell.Word(nil), c.Words...)
	words[0].Set = known(r, original)
	k := r.child(i, words, own)
	r.line.Commands[k].Variant = true
	r.line.Commands[k].Assigns, r.line.Commands[k].Redirects, r.line.Commands[k].Input = c.Assigns, c.Redirects, c.Input
	inner := *own
	r.finish(k, &inner, &inner, nil)
}

// searched returns the directories in which a shell looks for the program of a
// command: its own where the name has a slash, and else those of PATH and such
// as usually stand there.
func (r *reader) searched(c *command.Command, own *scope) []string {
	if strings.Contains(c.Path, "/") {
		if len(c.Dir.Values) == 0 {
			return []string{""}
		}
		return c.Dir.Values
	}
	dirs := append([]string{r.env.Home + "/bin", r.env.Home + "/.local/bin"}, program.Dirs()...)
	x := expansion{r: r, sc: own}
	for _, v := range x.variable("PATH").set.Values {
		dirs = append(dirs, strings.Split(v, ":")...)
	}
	return dirs
}
