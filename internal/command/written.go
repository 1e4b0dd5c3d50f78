package command

import (
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// InterpreterOf returns the interpreter that the first line of a script names, ""
// for a shell and where it names none.
func InterpreterOf(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	line, ok := strings.CutPrefix(first, "#!")
	if !ok {
		return ""
	}
	for word := range strings.FieldsSeq(line) {
		name := shell.Base(word)
		if program.Has(name, program.IsTransparent) || strings.HasPrefix(word, "-") || strings.Contains(word, "=") {
			continue
		}
		if program.Has(name, program.IsShell) {
			return ""
		}
		return name
	}
	return ""
}

// DefaultFiles returns the files that the command runs where it is told of no other: those
// of its program, or of the one that it starts for a package or as a module, also in the
// directories that it names.
func (c *Command) DefaultFiles() (out []string) {
	for _, name := range c.started() {
		for file := range strings.SplitSeq(program.KindOf(name, "default"), ",") {
			if file != "" {
				out = append(out, file)
			}
			if strings.Contains(file, "*") {
				out = append(out, c.below(file)...)
			}
		}
	}
	return out
}

// started returns the names of the program and of what it starts.
func (c *Command) started() []string {
	names := []string{c.Name}
	for _, o := range c.Args.Operands {
		if o.Role == program.RoleExec {
			names = append(names, c.Words[o.At].Text())
		}
	}
	for i := range c.Args.Options {
		if o := &c.Args.Options[i]; o.HasArg && o.Spec != nil && o.Spec.Role == program.RoleExec {
			names = append(names, o.Arg.Text())
		}
	}
	return names
}

// below returns a file in each directory that a word of the command may name.
func (c *Command) below(file string) (out []string) {
	for _, w := range c.Words[1:] {
		if dir := strings.TrimSuffix(w.Text(), "/"); dir != "" && dir[0] != '-' {
			out = append(out, dir+"/"+file)
		}
	}
	return out
}

// ReadsDirectory reports whether a program runs what a file says that it finds
// in the directory in which it starts, such as a Rakefile: another directory
// makes it another program.
func ReadsDirectory(name string) bool { return program.OfKind(name, "default") }
