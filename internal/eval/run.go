package eval

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// follow reads something that command i runs. sub is the scope in which it starts, sc that
// in which the command stands.
func (r *reader) follow(i int, run *command.Run, sub, sc *scope, substs []procText) {
	switch run.Form {
	case command.Text:
		r.followText(i, run, sub)
	case command.Joined:
		r.joined(i, run, sub, sc)
	case command.File:
		if run.Option != nil {
			r.optionFile(i, run.Words[0], sub)
		} else {
			r.file(i, run.At, sub, sc, substs)
		}
	case command.Config:
		r.configured(i, *run.Option, sub)
	case command.Unclear:
		r.line.Commands[i].Opaque = run.Why
	default:
		if !r.wrap(i) {
			return
		}
		switch run.Form {
		case command.Starts:
			r.starts(i, run, sub, sc, substs)
		case command.Fills:
			r.fills(i, run.Words, sub, substs)
		case command.FindRuns:
			r.runOnFound(i, run, sub)
		case command.Line:
			r.lineOf(i, run.Words, sub)
		}
		r.wrapped--
	}
}

// followText evaluates a text that an operand or an option is. What it binds stays in sub.
func (r *reader) followText(i int, run *command.Run, sub *scope) {
	if run.Option == nil && run.At >= 0 {
		c := &r.line.Commands[i]
		if run.Late {
			r.traps = append(r.traps, trap{i, c.Args.Operands[run.At].At})
		}
		if c.Row().Input == program.RoleText {
			r.bindArguments(i, run.At, sub)
		}
	}
	r.evaluate(i, run.Words[0], sub)
}

// starts reads a command that stands among the words of another.
func (r *reader) starts(i int, run *command.Run, sub, sc *scope, substs []procText) {
	k := r.child(i, run.Words, sub)
	c := &r.line.Commands[k]
	if c.Variant = run.Perhaps; run.Perhaps {
		r.apartFrom(k, sub)
		return
	}
	c.Assigns = r.line.Commands[i].HandsOn()
	if r.line.Commands[i].Row().InShell {
		funcs := sc.funcs // command, builtin and exec run no function
		sc.funcs = funcs.hashed()
		sub.funcs = sc.funcs
		before := sc.funcs
		r.finish(k, sub, sc, substs)
		sc.funcs = funcs.after(sc.funcs, before)
		return
	}
	inner := *sub
	inner.funcs = nil
	r.finish(k, &inner, &inner, substs)
}

// apartFrom reads command k in a copy of a scope without its functions.
func (r *reader) apartFrom(k int, sub *scope) {
	inner := *sub
	inner.funcs = nil
	r.finish(k, &inner, &inner, nil)
}

// fills reads a command to which another adds what it reads, once for each text that this
// may be.
func (r *reader) fills(i int, words []shell.Word, sub *scope, substs []procText) {
	readings := r.appendInput(i, words)
	r.feeding++
	defer func() { r.feeding-- }()
	for n := range readings {
		inner := *sub
		inner.funcs = nil
		k := r.child(i, readings[n], sub)
		r.line.Commands[k].Assigns, r.line.Commands[k].Variant = r.line.Commands[i].Assigns, len(readings) > 1
		r.finish(k, &inner, &inner, substs)
	}
}

// runOnFound reads the command that find or fd runs on what it finds.
func (r *reader) runOnFound(i int, run *command.Run, sub *scope) {
	swept := r.sweeps(i, run.At)
	child := r.child(i, r.line.Commands[i].OnFound(run.Words, !swept), sub)
	r.line.Commands[child].Place &^= command.Swept // of a find around this one
	if swept {
		r.line.Commands[child].Place |= command.Swept
	}
	r.apartFrom(child, sub)
}

// sweeps reports whether the find with index i hands most of what it finds to
// the command that begins with word at. The expression is read once.
func (r *reader) sweeps(i, at int) bool {
	if !r.line.Commands[i].Finds() {
		return false
	}
	if r.swept == nil {
		r.swept = make(map[int]map[int]bool)
	}
	if r.swept[i] == nil {
		words := make(map[int]bool)
		r.line.Commands[i].ReachedByMost(func(o *command.Option) { words[o.At] = true })
		r.swept[i] = words
	}
	return r.swept[i][at]
}

// optionFile reads the text of a file that an option makes a shell run.
func (r *reader) optionFile(i int, name shell.Word, sub *scope) {
	text, ok := r.fileText(i, name)
	if !ok {
		text, ok = r.disk.text(&r.line.Commands[i], name.Set)
		text.Open = false // as with a file that is not looked into
	}
	if ok {
		inner := *sub
		r.evaluate(i, shell.Word{Set: text, Span: name.Span}, &inner)
	}
}

// lineOf reads words that a command runs: as text for a shell where the first of them
// holds blanks.
func (r *reader) lineOf(i int, words []shell.Word, sub *scope) {
	if len(words) > 1 && words[0].Has("--") {
		words = words[1:]
	}
	if len(words) == 0 {
		return
	}
	if strings.HasPrefix(words[0].Text(), "-") { // the arguments of a shell
		words = append([]shell.Word{{Set: known(r, "sh"), Span: words[0].Span}}, words...)
	}
	if strings.ContainsAny(words[0].Text(), " \t\n") {
		inner := *sub
		inner.funcs = nil
		r.evaluate(i, command.Join(words), &inner)
		return
	}
	r.apartFrom(r.child(i, slices.Clone(words), sub), sub)
}
