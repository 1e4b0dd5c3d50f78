package eval

import (
	"maps"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// finish reads a command whose words are complete, and keeps what it leaves for those
// behind it, whatever starts it. own is the scope of the command itself, sc that in which
// it stands and which built-ins change.
func (r *reader) finish(i int, own, sc *scope, substs []procText) {
	r.line.Commands[i].Linked = len(r.line.Links)
	r.started(i, own, sc, substs)
	r.noteFiles(i)
	r.noteCopies(i)
}

// started names the program of a command, reads its arguments, and reads what it runs
// in turn.
func (r *reader) started(i int, own, sc *scope, substs []procText) {
	c := &r.line.Commands[i]
	if own.stdin != nil {
		c.Input = own.stdin
		if len(c.Words) == 1 && c.Words[0].Has("exec") { // it is the input of what follows, too
			sc.stdin = &shell.Set{Values: own.stdin.Values, Open: true}
		}
	}
	if len(c.Words) == 0 {
		return
	}
	program := c.Words[0]
	if !program.Known() || len(program.Values) != 1 {
		r.unknownProgram(i, own, sc, substs)
		return
	}
	r.named(i, program.Values[0], own, sc, substs)
	r.noteCode(i, own)
}

// noteCode notes what the code of a command finds when it is read.
func (r *reader) noteCode(i int, sc *scope) {
	if c := &r.line.Commands[i]; c.Evaluates() {
		c.SetScene(command.Scene{Home: r.env.Home, Vars: sc.vars.all(), Files: maps.Clone(r.disk.files), Output: r.serves(c)})
	}
}

// serves reports whether others on the line may use what a command prints or writes.
func (r *reader) serves(c *command.Command) bool {
	return c.Span.From < r.lastAt || c.Place&(command.InLoop|command.InSubst|command.InFunction|command.InPayload) != 0 || len(r.traps) > 0
}

// unknownProgram reads a command whose program may be one of several, or is
// not known: once for each value.
func (r *reader) unknownProgram(i int, own, sc *scope, substs []procText) {
	c := &r.line.Commands[i]
	program := c.Words[0]
	if program.Open || program.Glob || program.Many {
		c.Opaque = "the program is unknown"
	}
	names := program.Values
	if program.Glob {
		names = matchingNames(program.Values)
	}
	place := c.Place
	for _, name := range names {
		if name == "" {
			continue
		}
		words := append(r.room(len(c.Words)), r.line.Commands[i].Words...)
		words[0].Set, words[0].Many = known(r, name), false
		k := r.child(i, words, own)
		r.line.Commands[k].Variant = true
		r.line.Commands[k].Place = place
		r.line.Commands[k].Assigns = r.line.Commands[i].Assigns
		r.line.Commands[k].Redirects = r.line.Commands[i].Redirects
		after := *sc
		r.named(k, name, own, &after, substs)
		sc.join(r, &after)
	}
	vanishes := program.Many && !program.Glob && (len(program.Values) == 0 || program.Has(""))
	if vanishes && len(r.line.Commands[i].Words) > 1 {
		k := r.child(i, r.line.Commands[i].Words[1:], own) // the word may be none
		r.line.Commands[k].Variant = true
		after := *sc
		r.finish(k, own, &after, substs)
		sc.join(r, &after)
	}
	if len(names) == 0 {
		sc.doubt(r)
	}
}

// named reads a command whose program is known.
func (r *reader) named(i int, path string, own, sc *scope, substs []procText) {
	c := &r.line.Commands[i]
	if r.shells&shell.InZsh != 0 && len(path) > 1 {
		path = strings.TrimPrefix(path, "=")   // the file of the program
		path = strings.TrimPrefix(path, "zf_") // of zsh/files
	}
	r.name(c, path)
	c.Started = sc.started
	r.pace.count(c)
	if hasOdd(path) {
		c.Opaque = "the program's name contains invisible characters"
	}
	if f := sc.function(path); f != nil {
		c.Function = true
		r.subscripts(i, own)
		if !r.callAll(i, f, own, sc) {
			return
		}
		k := r.child(i, c.Words, own) // or the program of that name
		r.name(&r.line.Commands[k], path)
		r.line.Commands[k].Variant = true
		i = k
	}
	r.variableCode(i, own)
	r.subscripts(i, own)
	r.ownScript(i, own)
	r.ownProgram(i, own)
	c = &r.line.Commands[i]
	p := c.Row()
	if p == nil || p.Opaque {
		r.anyScript(i)
		r.obey(i)
		r.bindingBuiltin(i, sc)
		return
	}
	c.Args = command.ParseArgs(p, command.Dashed(c))
	if p.Input == program.RoleCode && c.Input == nil && c.Source >= 0 {
		if text := r.inputText(i); len(text.Values) > 0 {
			c.Input = &text
		}
	}
	if p.Input != program.RoleText && !p.InShell {
		r.scripts(i)
		r.anyScript(i)
	}
	r.obey(i)
	if c.How("speaks") == "git" {
		r.gitPayloads(i, own)
	}
	if len(r.line.Links) < maxLinks {
		if link, ok := c.Link(); ok {
			r.line.Links = append(r.line.Links, link)
		}
	}
	if hasOddOption(c) {
		c.Opaque = "an option contains invisible characters"
	}
	if p.Grammar().Runs || c.Args.Program != p && c.Args.Program.Grammar().Runs {
		r.payloads(i, p, own, sc, substs)
	}
	r.startsUp(i, own)
	r.shellBuiltin(i, own, sc)
}

// obey reads what the own commands of command i tell it.
func (r *reader) obey(i int) {
	if c := &r.line.Commands[i]; c.TakesOrders() {
		c.Obey(command.Told{Home: r.env.Home, Input: func() shell.Set { return r.inputText(i) }, Group: func() []shell.Set { return r.groupTexts(i) }})
	}
}

// groupTexts returns what is known of the input of a command that others print, each a
// part.
func (r *reader) groupTexts(i int) (out []shell.Set) {
	c := &r.line.Commands[i]
	if c.Input != nil || c.Source >= 0 || !c.In(command.Piped) {
		return nil
	}
	for k := range i {
		if w := &r.line.Commands[k]; w.In(command.Piping) {
			out = append(out, r.output(k, 1))
		}
	}
	return out
}

func hasOdd(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 || s[i] < 0x20 || s[i] == 0x7f {
			return len(shell.Oddities(s)) > 0 || s[i] < 0x20
		}
	}
	return false
}

func hasOddOption(c *command.Command) bool {
	for k := range c.Args.Options {
		if hasOdd(c.Args.Options[k].Name) {
			return true
		}
	}
	return false
}

// matchingNames returns the programs of the table whose names match one of
// the patterns, as the program itself would be found in some directory.
func matchingNames(patterns []string) []string {
	var out []string
	for _, pattern := range patterns {
		base := pattern[strings.LastIndexByte(pattern, '/')+1:]
		if strings.Trim(base, "*?[]!^-.") == "" {
			continue // it says nothing of the name
		}
		for _, p := range program.All() {
			for n := range strings.FieldsSeq(p.Names) {
				if shell.Matches(base, n) && len(out) < command.MaxVariants {
					out = append(out, n)
				}
			}
		}
	}
	return out
}

// child adds a command that command i runs.
func (r *reader) child(i int, words []shell.Word, own *scope) int {
	if len(r.line.Commands) >= maxCommands {
		r.stop("too-many", "the line runs too many commands", shell.Span{From: 0, To: len(r.line.Source)})
	}
	c := &r.line.Commands[i]
	span := c.Span
	if len(words) > 0 {
		span = shell.Span{From: words[0].Span.From, To: max(words[0].Span.To, words[len(words)-1].Span.To)}
	}
	r.line.Commands = append(r.line.Commands, command.Command{
		Words: words, Span: span, Dir: own.dir, Context: max(c.Context, own.context),
		Place: c.Place, Parent: i, Source: c.Source, Assigns: r.inherited(span.From), Linked: len(r.line.Links),
	})
	return len(r.line.Commands) - 1
}

// payloads reads what a command runs or evaluates.
func (r *reader) payloads(i int, p *program.Program, own, sc *scope, substs []procText) {
	c := &r.line.Commands[i]
	args := &c.Args
	if onlyChecks(c, p) {
		return
	}
	sub := *own
	context, atRoot := c.PayloadContext(p)
	if args.Program != nil && args.Program != p {
		inner, _ := c.PayloadContext(args.Program)
		context = max(context, inner)
	}
	sub.context = max(c.Context, context)
	if !p.InShell && !c.Of("late") {
		sub.funcs = nil
	}
	if p.Input == program.RoleText {
		sub.funcs = sub.exports
	}
	here := sub
	here.context = c.Context
	if sub.context != c.Context {
		sub.forget()
		sub.dir, sub.exports = shell.Set{Open: true}, nil
		if context == program.Remote && r.line.Commands[i].LoopsBack() {
			sub.dir = c.HomeThere(r.env.Home)
			sub.set(r, "HOME", sub.dir)
		}
	} else if atRoot {
		sub.dir = known(r, "/")
	}
	r.environment(i, &sub)
	byOption := false
	for run := range r.line.Commands[i].Runs {
		if run.Option != nil && !byOption {
			if byOption = true; here.context == sub.context {
				here = sub
			}
		}
		if run.Option != nil {
			r.follow(i, &run, &here, sc, substs)
		} else {
			r.follow(i, &run, &sub, sc, substs)
		}
	}
	r.inputPayload(i, p, &sub)
}

// onlyChecks reports whether a shell is told to run nothing (sh -n), which an
// interactive one ignores.
func onlyChecks(c *command.Command, p *program.Program) bool {
	if !program.IsShell(p) || !c.Args.Has("n") || c.Args.Has("i") || c.Args.Open {
		return false
	}
	for _, w := range c.Words[1:] {
		if v, ok := w.Literal(); !ok || strings.HasPrefix(v, "+") {
			return false // +n takes it back
		}
	}
	return true
}

// wrap counts one wrapper around a command; it is false if there are too many.
func (r *reader) wrap(i int) bool {
	if r.wrapped >= maxWrapped {
		r.line.Commands[i].Opaque = "commands wrap commands too deeply"
		return false
	}
	r.wrapped++
	return true
}
