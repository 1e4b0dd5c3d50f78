package eval

import (
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

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
