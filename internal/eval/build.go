package eval

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
)

// begin adds a command that stands in a scope and returns its index.
func (r *reader) begin(from, to syntax.Pos, sc *scope) int {
	if len(r.line.Commands) >= maxCommands {
		r.stop("too-many", "the line runs too many commands", shell.Span{From: 0, To: len(r.line.Source)})
	}
	if r.line.Commands == nil {
		r.line.Commands = make([]command.Command, 0, max(1, min(r.tree.Commands, 32)))
	}
	span := r.trim(r.text.span(from, to))
	r.line.Commands = append(r.line.Commands, command.Command{
		Span: span, Dir: sc.dir, Context: sc.context, Place: sc.place,
		Parent: sc.parent, Source: sc.source, Assigns: r.inherited(span.From),
	})
	return len(r.line.Commands) - 1
}

// trim cuts the blanks at the end of a span.
func (r *reader) trim(s shell.Span) shell.Span {
	s.To = min(s.To, len(r.line.Source))
	for s.To > s.From && strings.IndexByte(" \t\n", r.line.Source[s.To-1]) >= 0 {
		s.To--
	}
	return s
}

func (r *reader) addWord(cmd int, w shell.Word) {
	c := &r.line.Commands[cmd]
	if len(c.Words) >= maxCommands {
		r.stop("too-many", "a command has too many words", c.Span)
	}
	r.spends(wordBytes)
	if w.Names && c.Name != "for" { // a loop may yet put them behind their directory
		w.Set = command.NamesBehind(w.Set, "", c.Dir)
	}
	c.Words = append(c.Words, w)
}

// builtin names a command that is syntax rather than a word.
func (r *reader) builtin(cmd int, name string) {
	c := &r.line.Commands[cmd]
	c.Words = append(r.room(2), shell.Word{Set: known(r, name), Span: shell.Span{From: c.Span.From, To: min(c.Span.From+len(name), c.Span.To)}})
	c.Name, c.Path, c.Keyword = name, name, true
}

func (r *reader) doubt(cmd int, why string) { r.line.Commands[cmd].Doubt = why }

// isSubst reports whether a word is the name of a process substitution. In text
// that is evaluated, all words have the span of the text.
func isSubst(w *shell.Word) bool { return w.Open && strings.HasPrefix(w.Prefix, "/dev/fd/") }

// assignment returns what a command sets a variable to.
func (r *reader) assignment(name string, v shell.Set, at shell.Span) command.Assign {
	return command.Assign{Name: name, Value: v, Span: at, Steers: command.SteersIn(name, r.shells) && !command.SetsNumber(name, v)}
}

// fork notes that an expansion needs one reading for each value.
func (r *reader) fork(at site, values []value) {
	if r.forking == nil {
		r.forking = &wordFork{at, values}
	}
}

// mayFork reports whether command i is read once for each value of a word, or
// notes that it can be read in too many ways.
func (r *reader) mayFork(f *wordFork, i int) bool {
	if r.variants += len(f.values); len(r.pins) > 2 || r.variants > command.MaxVariants*8 {
		r.line.Commands[i].Opaque = "can be read in too many ways"
		return false
	}
	return true
}

// pinned returns the value that an expansion has in the current reading, nil
// where it is not one of those that make the readings.
func (r *reader) pinned(at site) *value {
	for i := range r.pins {
		if r.pins[i].site == at {
			return &r.pins[i].value
		}
	}
	return nil
}
