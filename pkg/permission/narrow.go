package permission

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// narrows reports whether a star of the pattern stays in its word.
func (g *glob) narrows() bool {
	return slices.ContainsFunc(g.narrow, func(e globElem) bool { return e.kind == 'w' })
}

// narrowed returns a pattern with its stars in words that have a slash narrowed to those
// words, but for the first word, which is the program.
func narrowed(elem []globElem) []globElem {
	blank := globElem{'c', ' '}
	first := slices.Index(elem, blank)
	if first < 0 || !slices.Contains(elem[first:], globElem{'c', '/'}) {
		return elem
	}
	out := slices.Clone(elem)
	for from := first + 1; from < len(out); {
		end := len(out)
		if at := slices.Index(out[from:], blank); at >= 0 {
			end = from + at
		}
		word := out[from:end]
		for i := range word {
			if word[i].kind == '*' && slices.Contains(word, globElem{'c', '/'}) {
				word[i].kind = 'w'
			}
		}
		from = end + 1
	}
	return out
}

// kept calls yield for the words of a command, without its program, that a pattern must cover
// which ends within a word with a slash, until it returns false: all of them, and all but what
// that word stands for as well, which are further paths that it matches, options that the
// program has, and, behind a script, the arguments of the script.
func (g *glob) kept(c *command.Command, yield func([]shell.Word) bool) {
	end := len(c.Words)
	if !yield(c.Words[1:]) {
		return
	}
	last := g.lastWord()
	for _, o := range c.Args.Operands {
		if o.Role == program.RoleExec && c.Args.Program.Style == program.Stop && isCompleted(last, &c.Words[o.At]) {
			yield(c.Words[1 : o.At+1])
			return
		}
	}
	for end > 2 {
		if from, ok := optionAt(c, end-1); ok {
			end = from
		} else if isCompleted(last, &c.Words[end-1]) && isCompleted(last, &c.Words[end-2]) {
			end--
		} else {
			return
		}
		if !yield(c.Words[1:end]) {
			return
		}
	}
}

// lastWord returns the last word of a pattern.
func (g *glob) lastWord() []globElem {
	for i := len(g.narrow) - 1; i >= 0; i-- {
		if g.narrow[i] == (globElem{'c', ' '}) {
			return g.narrow[i+1:]
		}
	}
	return g.narrow
}

// isCompleted reports whether all values of a word are what the last word of a pattern
// covers.
func isCompleted(last []globElem, w *shell.Word) bool {
	return w.Known() && !w.Many && !w.Glob && len(w.Values) > 0 &&
		!slices.ContainsFunc(w.Values, func(v string) bool { return !match(last, clean(v), exactly) || strings.HasPrefix(v, "-") })
}

// optionAt returns where an option of the row begins whose last word is the one with an
// index.
func optionAt(c *command.Command, i int) (from int, ok bool) {
	for k := range c.Args.Options {
		o := &c.Args.Options[k]
		if o.Spec != nil && o.At <= i && i < o.End {
			return o.At, i == o.End-1
		}
	}
	return 0, false
}
