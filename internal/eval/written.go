package eval

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/script"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// noteFiles keeps the text that command i writes to files, for commands that
// run them later on the line.
func (r *reader) noteFiles(i int) {
	c := &r.line.Commands[i]
	if c.Context != program.Local || len(c.Words) == 0 {
		return
	}
	for k := range c.Redirects {
		if rd := &c.Redirects[k]; rd.Writes() && (rd.Fd == "" || rd.Fd == "1") {
			text := r.prints(i, 0)
			if list := r.listing(i, 0); len(text.Values) == 0 && !list.Names {
				text = list
			}
			r.disk.write(&r.line.Commands[i], rd.Target.Set, text, strings.HasSuffix(rd.Op, ">>"))
		}
	}
	r.codeFiles(i)
	p := c.Row()
	switch {
	case c.Of("tees"):
		for _, o := range c.Args.Operands {
			r.disk.write(&r.line.Commands[i], c.Words[o.At].Set, r.inputText(i), c.Args.Has("a"))
		}
	case p != nil && p.Style == program.Pairs:
		for _, o := range c.Args.Operands {
			c.PairEffects(&c.Words[o.At], func(e command.Effect) bool {
				if e.Kind == command.Writes {
					r.disk.write(&r.line.Commands[i], e.Target, r.inputText(i), false)
				}
				return true
			})
		}
	case c.Of("project"):
		r.notePackage(i)
	case p != nil && p.Into && !p.Away:
		if n := len(c.Args.Operands); n == 2 {
			text, ok := r.disk.text(&r.line.Commands[i], c.Words[c.Args.Operands[0].At].Set)
			if v, _ := c.Words[c.Args.Operands[0].At].Literal(); shell.IsInput(v) {
				text, ok = r.inputText(i), true
			}
			if ok {
				r.disk.write(&r.line.Commands[i], c.Words[c.Args.Operands[1].At].Set, text, false)
			}
		}
	}
}

// notePackage keeps the script that npm pkg set or npm set-script writes to the
// file of the package.
func (r *reader) notePackage(i int) {
	words, ok := command.Literals(r.line.Commands[i].Words[1:])
	name, script := "", ""
	switch {
	case !ok || len(words) < 3:
		return
	case words[0] == "set-script":
		name, script = words[1], words[2]
	case words[0] == "pkg" && words[1] == "set":
		for _, w := range words[2:] {
			if v, isScript := strings.CutPrefix(w, "scripts."); isScript {
				name, script, _ = strings.Cut(v, "=")
			}
		}
	}
	if name == "" {
		return
	}
	text := `{"scripts": {"` + name + `": "` + strings.ReplaceAll(strings.ReplaceAll(script, `\`, `\\`), `"`, `\"`) + `"}}`
	r.disk.write(&r.line.Commands[i], shell.Set{Values: []string{"package.json"}}, shell.Set{Values: []string{text}, Open: true}, false)
}

// ownScript reads a program that the line itself has written: a script for a
// shell, or for the interpreter that its first line names.
func (r *reader) ownScript(i int, own *scope) {
	c := &r.line.Commands[i]
	text, ok := r.disk.text(&r.line.Commands[i], c.Words[0].Set)
	if !ok || !strings.Contains(c.Path, "/") {
		return
	}
	if name := command.InterpreterOf(text.Values[0]); name != "" {
		if line, ok := command.Quoted(append([]shell.Word{{Set: known(r, name)}}, c.Words...)); ok {
			inner := *own
			r.evaluate(i, shell.Word{Set: known(r, line), Span: c.Words[0].Span}, &inner)
		}
		return
	}
	inner := *own
	inner.funcs = nil
	args := binding{name: "@", array: true}
	for _, w := range c.Words[1:] {
		args.elems = append(args.elems, w.Set)
		args.set.Open = args.set.Open || w.Many
	}
	inner.bind(r, args)
	r.noteRestart(i, c.Words[0].Set, text)
	r.evaluate(i, shell.Word{Set: shell.Set{Values: text.Values}, Span: c.Words[0].Span}, &inner)
}

// scripts notes the text of the files that an interpreter runs: of a process
// substitution, of the standard input, or of a file that the line has written.
func (r *reader) scripts(i int) {
	c := &r.line.Commands[i]
	for _, o := range c.Args.Operands {
		if o.Role == program.RoleExec && !c.Words[o.At].Has("-") {
			r.script(i, c.Words[o.At])
		}
	}
	for k := range c.Args.Options {
		if o := &c.Args.Options[k]; o.Spec != nil && o.Spec.Role == program.RoleExec && o.HasArg {
			r.script(i, o.Arg)
		}
	}
}

func (r *reader) script(i int, w shell.Word) {
	text, ok := r.fileText(i, w)
	if !ok {
		text, ok = r.disk.text(&r.line.Commands[i], w.Set)
	}
	if !ok {
		text, ok = r.disk.anyText(&r.line.Commands[i], w.Set)
	}
	known := r.line.Commands[i].Args.Program
	if name, literal := w.Literal(); !ok && literal && known != nil && len(r.disk.files) > 0 {
		for _, file := range script.Files(name, known.Language) {
			if text, ok = r.disk.text(&r.line.Commands[i], shell.Set{Values: []string{file}}); ok {
				break
			}
		}
	}
	if ok && len(text.Values) > 0 {
		r.line.Commands[i].Script = &text
	}
}

// anyScript notes the text of a file that a program may run where its grammar
// does not say which of its words that is: the first word that names a process
// substitution or a file that the line has written, or the program's own file.
func (r *reader) anyScript(i int) {
	c := &r.line.Commands[i]
	if len(r.disk.files) == 0 && len(r.substs) == 0 && c.Input == nil || c.Script != nil {
		return
	}
	for k := range c.Words[1:] {
		w := c.Words[k+1]
		_, value, set := strings.Cut(w.Text(), "=")
		attached := shell.Word{Set: shell.Set{Values: []string{value}}}
		if v, ok := w.Literal(); ok && set && strings.HasPrefix(v, "-") {
			w = attached
		}
		if !w.Has("-") {
			r.script(i, w)
		}
		if set && r.line.Commands[i].Script == nil {
			r.script(i, attached) // -d NAME=FILE
		}
		if r.line.Commands[i].Script != nil {
			return
		}
	}
	for k := range c.Args.Options {
		if o := &r.line.Commands[i].Args.Options[k]; o.HasArg && r.line.Commands[i].Script == nil {
			r.script(i, o.Arg) // -FFILE
		}
	}
	if r.line.Commands[i].Script != nil {
		return
	}
	for _, name := range c.DefaultFiles() {
		w := shell.Word{Set: shell.Set{Values: []string{name}, Glob: strings.Contains(name, "*")}}
		for _, option := range [...]string{"C", "directory", "prefix", "cwd"} {
			if o := c.Args.Option(option); o != nil && o.HasArg && len(o.Arg.Values) > 0 {
				w.Values[0] = o.Arg.Values[0] + "/" + name
			}
		}
		r.script(i, w)
		if r.line.Commands[i].Script != nil {
			return
		}
	}
}

// codeFiles keeps what the code of command i writes to files.
func (r *reader) codeFiles(i int) {
	c := &r.line.Commands[i]
	for _, code := range c.Code() {
		if code.Program == nil {
			continue
		}
		written := map[string]bool{}
		c.Calls(code.Program, r.env.Home, func(at *command.Command, call *script.Call) bool {
			if call.Act == script.Writes && call.Text != nil {
				r.codeWrites(i, at.Dir, call, written)
			}
			return true
		})
	}
}

// codeWrites keeps what a call in the code of command i writes that works in a
// directory; written are the files to which others wrote before.
func (r *reader) codeWrites(i int, dir shell.Set, call *script.Call, written map[string]bool) {
	text := shell.Set{Open: true}
	for _, t := range call.Text.Texts {
		text.Values = append(text.Values, script.Filled(t, "unknown"))
	}
	for _, v := range call.Values {
		for _, path := range shell.Paths(dir, shell.Set{Values: slices.DeleteFunc(slices.Clone(v.Texts), command.IsUnknownText)}) {
			r.disk.write(&r.line.Commands[i], shell.Set{Values: []string{path}}, text, written[path] || strings.HasPrefix(call.Name, "append"))
			written[path] = true
		}
	}
}
