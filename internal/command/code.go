package command

import (
	"iter"
	"strconv"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/lang/script"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// A Code is text in a language other than that of a shell which a command
// evaluates.
type Code struct {
	Text string
	Span shell.Span
	// Program is what was read of the text; nil in the language of sed.
	Program *script.Program
	// Input says that it is the input of the command, which then has no other.
	Input bool
}

// A Scene is what code in another language finds where a line evaluates it.
type Scene struct {
	// Home is the home directory of who runs the line.
	Home string
	// Vars are the variables that are bound when the command is reached, the last
	// binding first; nil for none.
	Vars iter.Seq[Var]
	// Files are what the line has written by then, by their paths.
	Files map[string]shell.Set
	// Output says that others on the line may use what the code prints or writes.
	Output bool
}

// A Var is a variable of the environment.
type Var struct {
	Name  string
	Value shell.Set
	// Array says that it is an array of the shell, which no program finds.
	Array bool
}

// codes are those of a command, read when they are first asked for.
type codes struct {
	sync.Once
	Scene
	list []Code
}

// Evaluates reports whether the command evaluates code in another language.
func (c *Command) Evaluates() bool {
	return c.Args.Program != nil && (program.Evaluates(c.Args.Program) || c.Args.Program.Is("", "goals"))
}

// SetScene notes what the code of a command finds, for when it is read.
func (c *Command) SetScene(s Scene) { c.code = &codes{Scene: s} }

// SetHome notes the home directory of who runs the command, whose code is read there.
func (c *Command) SetHome(home string) {
	if c.code == nil && c.Args.Program != nil && program.Evaluates(c.Args.Program) {
		c.code = &codes{}
	}
	if c.code != nil {
		c.code.Home = home
	}
}

// Code returns the texts in other languages that the command evaluates and that
// are known: a file that the line wrote, options, operands, or the input. They
// are read once.
func (c *Command) Code() []Code {
	if c.code == nil {
		return nil
	}
	c.code.Do(func() { c.code.list = c.readCode(c.code.Home) })
	return c.code.list
}

func (c *Command) readCode(home string) []Code {
	language := c.language()
	env := script.Env{Home: home, Variables: c.codeVariables(language), Arguments: c.codeArguments(language), Variable: c.variable, Output: c.code.Output}
	if len(c.code.Files) > 0 && c.Context == program.Local {
		env.File = c.file
	}
	if h := c.variable("HOME"); len(h) == 1 {
		env.Home = h[0]
	}
	out := c.codeTexts()
	if c.Input != nil && out == nil {
		for _, v := range c.Input.Values {
			out = append(out, Code{Text: v, Span: c.Span, Input: true})
		}
	} else if c.Input != nil {
		env.Input = c.Input.Values
	}
	if language == program.Sed {
		return out
	}
	for i := range out {
		text := out[i].Text
		if c.Of("magics") {
			text = withoutEscapes(text)
		}
		if language == program.JavaScript && c.Args.Has("p", "print", "pe") && !strings.ContainsAny(text, ";\n") {
			text = "console.log(" + text + ")"
		}
		out[i].Program = script.Read(text, language, env)
	}
	return out
}

// Calls calls yield for each call of a program that the command evaluates, with the
// command as if it ran in the directory where the call works: the one that the call
// names, or that to which the last change before it goes, or the first one where
// none stands before. It stops when yield returns false.
func (c *Command) Calls(p *script.Program, home string, yield func(at *Command, call *script.Call) bool) {
	at, last := c, c
	for i := range p.Calls {
		if to := last.movedBy(&p.Calls[i], home); to != nil {
			at = to
			break
		}
	}
	for i := range p.Calls {
		call := &p.Calls[i]
		if to := last.movedBy(call, home); to != nil {
			at, last = to, to
		}
		where := at
		if there := at.inside(call.Dir, home); there != nil {
			where = there
		}
		if !yield(where, call) {
			return
		}
	}
}

// movedBy returns the command in the directory to which a call changes, nil where it
// changes to none.
func (c *Command) movedBy(call *script.Call, home string) *Command {
	if call.Act != script.ChangesDir || len(call.Values) == 0 {
		return nil
	}
	return c.inside(&call.Values[0], home)
}

// inside returns the command in a directory, nil where that is not told.
func (c *Command) inside(dir *script.Value, home string) *Command {
	if dir == nil || len(dir.Texts) == 0 {
		return nil
	}
	to, path := *c, dir.Texts[0]
	if path == "~" || strings.HasPrefix(path, "~/") {
		path = home + path[1:]
	}
	to.Dir = shell.Set{Values: shell.Paths(c.Dir, shell.Set{Values: []string{path}})}
	return &to
}

// language returns that of the code which the command evaluates.
func (c *Command) language() program.Language {
	if o := c.Args.Option("l"); c.Of("tongues") && o != nil && o.Arg.Has("JavaScript") {
		return program.JavaScript
	}
	return c.Args.Program.Language
}

// withoutEscapes returns a program of IPython with a call in the place of each line
// that is for a shell.
func withoutEscapes(text string) string {
	if !strings.Contains(text, "!") {
		return text
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "!"); ok {
			line = "os.system(" + strconv.Quote(strings.TrimPrefix(rest, "!")) + ")\n"
		}
		out.WriteString(line)
	}
	return out.String()
}

// codeTexts returns the code that a command does not read from its input, nil
// where it reads it from there.
func (c *Command) codeTexts() (out []Code) {
	add := func(values []string, span shell.Span) {
		if out == nil {
			out = []Code{}
		}
		for _, v := range values {
			out = append(out, Code{Text: v, Span: span})
		}
	}
	if c.Script != nil {
		add(c.Script.Values, c.Span)
	}
	for i := range c.Args.Options {
		if o := &c.Args.Options[i]; o.Spec != nil && o.Spec.Role == program.RoleCode && o.HasArg {
			add(o.Arg.Values, o.Arg.Span)
		}
	}
	for _, o := range c.Args.Operands {
		switch w := &c.Words[o.At]; o.Role {
		case program.RoleCode:
			add(w.Values, w.Span)
		case program.RoleExec:
			if !w.Has("-") {
				add(nil, w.Span)
			}
		}
	}
	return out
}

// Environment returns the variables that a command finds whose code is in another
// language: also those that are not exported.
func (c *Command) Environment() (out []Var) {
	seen := map[string]bool{}
	for i := len(c.Assigns) - 1; i >= 0; i-- {
		if a := &c.Assigns[i]; !seen[a.Name] {
			seen[a.Name] = true
			out = append(out, Var{Name: a.Name, Value: a.Value})
		}
	}
	if c.code == nil {
		return out
	}
	for v := range c.code.bound() {
		if !seen[v.Name] && !v.Array && syntax.ValidName(v.Name) {
			seen[v.Name] = true
			out = append(out, v)
		}
	}
	return out
}

// Files are what the line had written when it came to a command whose code is in
// another language. The map must not be changed.
func (c *Command) Files() map[string]shell.Set {
	if c.code == nil {
		return nil
	}
	return c.code.Files
}

// variable returns what is known of a variable that a command finds.
func (c *Command) variable(name string) []string {
	for i := len(c.Assigns) - 1; i >= 0; i-- {
		if a := &c.Assigns[i]; a.Name == name {
			return a.Value.Values
		}
	}
	for v := range c.code.bound() {
		if v.Name == name {
			return v.Value.Values
		}
	}
	return nil
}

// bound returns the variables that the code finds.
func (s *Scene) bound() iter.Seq[Var] {
	if s.Vars == nil {
		return func(func(Var) bool) {}
	}
	return s.Vars
}

// file returns what the line has written to a file.
func (c *Command) file(path string) []string {
	for _, p := range shell.Paths(c.Dir, shell.Set{Values: []string{path}}) {
		if text, ok := c.code.Files[p]; ok {
			return text.Values
		}
	}
	return nil
}

// codeArguments returns the words behind the program that the command evaluates.
func (c *Command) codeArguments(language program.Language) (out []script.Value) {
	from, ownScript := 0, false
	for i := range c.Args.Options {
		if o := &c.Args.Options[i]; o.Spec != nil && o.HasArg && (o.Spec.Role == program.RoleCode || o.Spec.Role == program.RoleExec) {
			from = max(from, o.End)
		}
	}
	for _, o := range c.Args.Operands {
		if o.Role == program.RoleCode || o.Role == program.RoleExec {
			from = max(from, o.At+1)
			ownScript = ownScript || o.Role == program.RoleExec && !c.Words[o.At].Has("-")
		}
	}
	if from == 0 {
		return nil
	}
	if ownScript && language == program.JavaScript {
		out = append(out, script.Value{Texts: []string{script.Unknown}}) // its own name
	}
	words := c.Words[min(from, len(c.Words)):]
	for language != program.Python && len(words) > 0 && strings.HasPrefix(words[0].Text(), "-") {
		words = words[1:] // an option of the interpreter
	}
	for _, w := range words {
		v := script.Value{Texts: w.Values}
		if len(v.Texts) == 0 || w.Has("{}") {
			v.Texts = []string{script.Argument}
		}
		if out = append(out, v); w.Many {
			break // of how many words nobody knows
		}
	}
	return out
}

// codeVariables returns what -v of AWK sets before its program.
func (c *Command) codeVariables(language program.Language) map[string]string {
	if language != program.AWK {
		return nil
	}
	var out map[string]string
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		if !o.Is("v") {
			continue
		}
		v, ok := o.Arg.Literal()
		if name, value, set := strings.Cut(v, "="); ok && set {
			if out == nil {
				out = map[string]string{}
			}
			out[name] = value
		}
	}
	return out
}
