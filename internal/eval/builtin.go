package eval

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// shellBuiltin applies what a built-in of the shell changes for the commands
// that follow.
func (r *reader) shellBuiltin(i int, own, sc *scope) {
	c := &r.line.Commands[i]
	switch how := c.How("moves"); {
	case how == "there", how == "push", how == "pop":
		r.changeDir(c, how, sc)
	case c.How("speaks") == "git":
		r.gitConfigured(i, own)
		r.keepSetting(i)
	case c.Of("hashes"):
		r.hashed(i, sc)
	default:
		r.bindingBuiltin(i, sc)
	}
}

// hashed notes that a name runs the program of another path from now on, as
// hash -p PATH NAME says. Other shells than bash refuse that.
func (r *reader) hashed(i int, sc *scope) {
	c := &r.line.Commands[i]
	if r.shells == shell.InZsh && c.Args.Option("d") == nil { // NAME=PATH
		for k := range c.Words[1:] {
			for _, v := range c.Words[k+1].Values {
				if name, path, ok := strings.Cut(v, "="); ok {
					sc.funcs = &function{name: name, body: path, maybe: true, hash: true, next: sc.funcs}
				}
			}
		}
	}
	o := c.Args.Option("p")
	if o == nil || !o.HasArg {
		return
	}
	path, known := command.Quoted([]shell.Word{o.Arg})
	if !known {
		c.Opaque = "what it makes a name mean is unknown"
		return
	}
	for _, operand := range c.Args.Operands {
		for _, name := range c.Words[operand.At].Values {
			sc.funcs = &function{name: name, body: path, maybe: true, hash: true, next: sc.funcs}
		}
	}
}

func (r *reader) changeDir(c *command.Command, how string, sc *scope) {
	before := sc.dir
	switch {
	case how == "pop" && sc.stack != nil && len(c.Words) == 1:
		sc.dir, sc.stack = sc.stack.dir, sc.stack.next
	case how == "pop":
		sc.dir = sc.old
		sc.dir.Open = true
	case len(c.Args.Operands) == 0 && how == "there":
		x := expansion{r: r, sc: sc}
		if home := x.variable("HOME"); !home.unset { // without one, it fails
			sc.dir = home.set
		}
	case len(c.Args.Operands) == 0:
		sc.dir = shell.Set{Open: true}
	default:
		w := c.Words[c.Args.Operands[0].At]
		if w.Has("-") {
			if sc.dir = sc.old; sc.lookup("OLDPWD") != nil {
				sc.dir = sc.lookup("OLDPWD").set
			}
			sc.dir.Open = sc.dir.Open || len(sc.dir.Values) == 0
		} else {
			from := sc.dir
			if sc.place&command.Adrift != 0 && r.env.Dir != "" {
				from = shell.Union(from, known(r, r.env.Dir)) // no cd may have succeeded
			}
			sc.dir = r.bounded(r.dirIn(from, w.Set))
			if (sc.lookup("CDPATH") != nil || len(c.Assigns) > 0) && !strings.HasPrefix(w.Beginning(), "/") {
				sc.dir.Open = true
			}
		}
	}
	switch {
	case how == "push" && len(c.Words) == 2 && len(c.Args.Operands) == 1:
		sc.stack = &stacked{before, sc.stack}
	case how != "pop" && sc.stack != nil: // zsh may be told to note what cd leaves, too
		sc.stack = nil
	}
	if sc.old = before; sc.lookup("OLDPWD") != nil {
		sc.set(r, "OLDPWD", before)
	}
}

// bindingBuiltin applies the built-ins that bind variables.
func (r *reader) bindingBuiltin(i int, sc *scope) {
	c := &r.line.Commands[i]
	args := c.Words[1:]
	switch c.Binds() {
	case "words", "lines", "options":
		r.readInto(i, sc)
	case "values", "constants", "locals", "integers", "references":
		r.declarationWords(i, sc)
	case "fewer":
		sc.undefined = true
	case "flow":
		r.leaveBody(c.Path, sc)
	case "among":
		r.setsAmong(i, sc)
	case "completions":
		if o := c.Args.Option("W"); o != nil {
			r.substitutions(i, o.Arg.Set, o.Arg.Span, sc)
		}
	case "waited":
		r.setsNames(i, command.OptionArgs(args, "p"), shell.Set{Open: true}, sc)
	case "printed":
		r.setsNames(i, command.OptionArgs(args, "v"), shell.Set{Open: true}, sc)
		if r.shells == shell.InZsh && c.Flags("P") { // as a prompt
			r.substitutions(i, command.Join(args).Set, c.Span, sc)
		}
	case "nothing":
		sc.undefined = true
		if len(args) > 0 && args[0].Has("-f") && args[0].Known() && len(args[0].Values) == 1 {
			return // functions alone
		}
		for _, w := range args {
			for _, v := range w.Values {
				r.emptied(i, v, w.Span, sc)
				switch _, sure := w.Literal(); {
				case v == "IFS":
					sc.set(r, v, known(r, " \t\n")) // as if it were not bound
				case !syntax.ValidName(v) || shell.Numeric(v) || program.TiedVariable(v):
					sc.set(r, v, shell.Set{Open: true})
				case !sure:
					sc.set(r, v, shell.Set{Values: []string{""}, Open: true})
				default:
					sc.unset(r, v)
				}
			}
			if w.Open {
				r.unknownName(i, setsUnknown, sc)
				sc.doubt(r)
			}
		}
	case "format":
		if names := command.OptionArgs(args, "v"); len(names) > 0 {
			format := args[1:]
			if args[0].Has("-v") {
				format = args[2:]
			}
			r.setsNames(i, names, command.Printed(format), sc)
		}
	case "arguments":
		r.setArguments(i, sc)
	case "shifted":
		shifted := binding{name: "@", set: shell.Set{Open: true}, array: true}
		if b := sc.lookup("@"); b != nil {
			if n, ok := shiftedBy(args); ok {
				shifted = b.shifted(n)
			}
		}
		sc.bind(r, shifted)
	case "aliases":
		for _, w := range args {
			name, text, ok := splitEnv(w.Set)
			if v, lit := text.Literal(); ok && lit {
				// A shell without a terminal expands no alias.
				sc.funcs = &function{name: name, body: v, maybe: true, next: sc.funcs}
			}
		}
	}
}

// shiftedBy returns by how many places a shift moves the parameters.
func shiftedBy(args []shell.Word) (n int, ok bool) {
	if len(args) == 0 {
		return 1, true
	}
	text, ok := args[0].Literal()
	if !ok || len(args) > 1 {
		return 0, false
	}
	return shell.SmallInt(text)
}

// shifted returns the positional parameters behind a shift by n.
func (b *binding) shifted(n int) binding {
	out := binding{name: "@", set: b.set, array: true}
	switch {
	case len(b.either) > 0:
		for _, a := range b.either {
			one := a.shifted(n)
			out.either = append(out.either, &one)
		}
	case len(b.elems) >= n:
		out.elems = b.elems[n:]
	default:
		out.set.Open = true
	}
	return out
}

func (r *reader) setArguments(i int, sc *scope) {
	args := r.line.Commands[i].Words[1:]
	skip := false
	for n, w := range args {
		v, ok := w.Literal()
		if skip {
			skip = false
			r.setsOption(i, v)
			continue
		}
		if v == "-A" || v == "+A" {
			r.setArray(i, args[n+1:], sc)
			return
		}
		if ok && v != "--" && (strings.HasPrefix(v, "-") || strings.HasPrefix(v, "+")) {
			skip = strings.HasSuffix(v, "o")
			if strings.HasPrefix(v, "-") && strings.Contains(v, "k") {
				r.setsOption(i, "keyword")
			}
			continue
		}
		if ok && v == "--" {
			n++
		}
		sc.bind(r, arrayOf("@", args[n:]))
		return
	}
}

// setsOption notes an option that changes how the words behind it are read.
func (r *reader) setsOption(i int, name string) {
	if name == "keyword" && r.shells != shell.InZsh {
		r.doubt(i, "makes assignments of the arguments of later commands")
	}
}

// setArray binds the array that set -A fills: NAME, and in mksh a -- behind it.
func (r *reader) setArray(i int, args []shell.Word, sc *scope) {
	if len(args) == 0 {
		return
	}
	name, elems := args[:1], args[1:]
	if len(elems) > 0 && elems[0].Has("--") {
		elems = elems[1:]
	}
	r.setsNames(i, name, shell.Set{Open: true}, sc)
	for _, v := range name[0].Values {
		b := arrayOf(v, elems)
		sc.bind(r, b)
		r.evaluated(i, v, b.whole(), name[0].Span, sc)
	}
}

// setsAmong binds the variables that steer later commands among the words of one
// of zsh's built-ins, whichever of its options they stand behind.
func (r *reader) setsAmong(i int, sc *scope) {
	for _, w := range r.line.Commands[i].Words[1:] {
		for _, name := range w.Values {
			if command.SteersIn(name, r.shells) {
				r.sets(i, name, shell.Set{Open: true}, w.Span, sc)
			}
		}
	}
}
