package eval

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
)

// substitutions reads the substitutions in texts that a shell expands once
// more: a prompt, or the subscript of an array.
func (r *reader) substitutions(i int, texts shell.Set, at shell.Span, sc *scope) {
	for _, v := range texts.Parts() {
		if !strings.Contains(v, "$(") && !strings.Contains(v, "`") {
			continue
		}
		sub := *sc
		r.evaluate(i, shell.Word{Set: shell.Set{Values: []string{`: "` + v + `"`}}, Span: at}, &sub)
	}
}

// evaluated reads what a shell runs of the value of a variable: of a prompt, and
// of what is an array with a subscript once it is evaluated as arithmetic.
func (r *reader) evaluated(i int, name string, v shell.Set, at shell.Span, sc *scope) {
	switch name {
	case "PS0", "PS1", "PS2", "PS4":
		r.substitutions(i, v, at, sc)
	case "PROMPT", "PROMPT2", "PROMPT3", "PROMPT4", "RPROMPT", "RPS1", "prompt":
		if r.shells == shell.InZsh { // others have no use for them
			r.substitutions(i, v, at, sc)
		}
	case "PROMPT_COMMAND":
		inner := *sc
		r.evaluate(i, shell.Word{Set: v, Span: at}, &inner)
	default:
		r.subscripted(i, v, at, sc)
	}
}

// subscripted reads the substitutions in texts that are an array with a
// subscript: a[$(date)].
func (r *reader) subscripted(i int, texts shell.Set, at shell.Span, sc *scope) {
	for _, v := range texts.Values {
		if hasSubscript(v) {
			r.substitutions(i, shell.Set{Values: []string{v}}, at, sc)
		}
	}
}

// hasSubscript reports whether a substitution follows NAME[ in a text.
func hasSubscript(text string) bool {
	for {
		i := strings.IndexByte(text, '[')
		if i < 0 {
			return false
		}
		named := i > 0 && shell.IsIdent(text[i-1])
		if text = text[i+1:]; named && (strings.Contains(text, "$(") || strings.Contains(text, "`")) {
			return true
		}
	}
}

// subscripts reads the arrays that a built-in or a function is given, in whose
// subscripts the shell expands what stands there: test -v 'a[$(date)]'.
func (r *reader) subscripts(i int, sc *scope) {
	c := &r.line.Commands[i]
	if c.Sums() == "" && !c.Function {
		return
	}
	for k := 1; k < len(r.line.Commands[i].Words); k++ {
		c := &r.line.Commands[i]
		if w := c.Words[k]; hasSubscripts(w.Set) && c.TakesNumber(k) {
			r.subscripted(i, w.Set, w.Span, sc)
		}
	}
}

func hasSubscripts(s shell.Set) bool { return slices.ContainsFunc(s.Values, hasSubscript) }
