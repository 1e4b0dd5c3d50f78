package eval

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// optionPayload reads what an option names to run.
func (r *reader) optionPayload(i, k int, sub *scope) {
	c := &r.line.Commands[i]
	o := c.Args.Options[k]
	if o.Spec == nil {
		return
	}
	switch o.Spec.Role {
	case program.RoleText:
		if !o.HasArg {
			return
		}
		if c.Of("splits") {
			r.splitString(i, o.Arg, sub)
			return
		}
		r.evaluate(i, o.Arg, sub)
	case program.RoleArgv:
		r.runOnFound(i, o, sub)
	case program.RoleExec:
		r.optionFile(i, o, sub)
	case program.RoleRest:
		words := c.Words[min(o.At, len(c.Words)):o.End]
		if o.HasArg {
			words = append([]shell.Word{o.Arg}, c.Words[o.End:]...)
		}
		r.restPayload(i, words, sub)
	case program.RoleProgram:
		if c.Args.Inert() {
			return
		}
		r.restPayload(i, append([]shell.Word{o.Arg}, afterDashes(c.Words, o.End)...), sub)
	case program.RoleConfig:
		r.configured(i, o, sub)
	}
}

// runOnFound reads the command that find or fd runs on what it finds.
func (r *reader) runOnFound(i int, o command.Option, sub *scope) {
	c := &r.line.Commands[i]
	if o.At >= o.End || o.At >= len(c.Words) || !r.wrap(i) {
		return
	}
	defer func() { r.wrapped-- }()
	words := append([]shell.Word(nil), c.Words[o.At:o.End]...)
	swept := r.sweeps(i, o.At)
	roots := found(c, !swept)
	for n := range words {
		if words[n].Has("{}") {
			words[n] = shell.Word{Set: roots, Span: words[n].Span, Quoted: true}
		} else if strings.Contains(words[n].Beginning(), "{}") {
			words[n].Set = placed(words[n].Set, roots)
		}
	}
	child := r.child(i, words, sub)
	r.line.Commands[child].Place &^= command.Swept // of a find around this one
	if swept {
		r.line.Commands[child].Place |= command.Swept
	}
	inner := *sub
	inner.funcs = nil
	r.finish(child, &inner, &inner, nil)
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

// placed returns a word of find -exec with what is found in the place of {}
// inside it.
func placed(word, roots shell.Set) shell.Set {
	out := shell.Set{Open: true}
	v, ok := word.Literal()
	if !ok || roots.Glob {
		return out
	}
	for _, root := range roots.Values {
		out.Values = append(out.Values, strings.ReplaceAll(v, "{}", root))
	}
	return out
}

// optionFile reads the text of a file that an option makes a shell run.
func (r *reader) optionFile(i int, o command.Option, sub *scope) {
	c := &r.line.Commands[i]
	if p := c.Args.Program; p == nil || p.Input != program.RoleText || !o.HasArg || c.Args.Has("c") && !p.HasName("at") {
		return
	}
	text, ok := r.fileText(i, o.Arg)
	if !ok {
		text, ok = r.writtenText(i, o.Arg.Set)
		text.Open = false // as with a file that is not looked into
	}
	if ok {
		inner := *sub
		r.evaluate(i, shell.Word{Set: text, Span: o.Arg.Span}, &inner)
	}
}

// afterDashes returns the words after --, or those from an index on where
// there is none.
func afterDashes(words []shell.Word, from int) []shell.Word {
	for i := from; i < len(words); i++ {
		if words[i].Has("--") {
			return words[i+1:]
		}
	}
	return words[from:]
}

// restPayload reads words that a command runs: as text for a shell where the
// first of them holds blanks.
func (r *reader) restPayload(i int, words []shell.Word, sub *scope) {
	if len(words) > 1 && words[0].Has("--") {
		words = words[1:]
	}
	if len(words) == 0 || !r.wrap(i) {
		return
	}
	if strings.HasPrefix(words[0].Text(), "-") { // the arguments of a shell
		words = append([]shell.Word{{Set: known(r, "sh"), Span: words[0].Span}}, words...)
	}
	defer func() { r.wrapped-- }()
	inner := *sub
	inner.funcs = nil
	if strings.ContainsAny(words[0].Text(), " \t\n") {
		r.evaluate(i, joinWords(words), &inner)
		return
	}
	child := r.child(i, append([]shell.Word(nil), words...), sub)
	r.finish(child, &inner, &inner, nil)
}

// splitString reads the argument of env -S: words, of which the first may be
// more options.
func (r *reader) splitString(i int, arg shell.Word, sub *scope) {
	c := &r.line.Commands[i]
	text := arg
	var rest []string
	if n := c.Args.Payload; n > 0 {
		for _, w := range c.Words[n:] {
			v, ok := w.Literal()
			if !ok {
				c.Opaque = "an argument of what it runs is unknown"
				return
			}
			q, _ := syntax.Quote(v, syntax.LangBash)
			rest = append(rest, q)
		}
	}
	text.Values = make([]string, 0, len(arg.Values))
	for _, v := range arg.Values {
		text.Values = append(text.Values, strings.Join(append([]string{"env", v}, rest...), " "))
	}
	r.evaluate(i, text, sub)
}
