package readonly

import (
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"strings"
)

// optionLike says of a word that it may be an option, and how to rule it out.
func (v *attempt) optionLike(w *shell.Word) bool {
	if !v.p.Reasons {
		return v.fail(w.Span, notProved)
	}
	if len(v.entry.Subs) > 0 {
		v.failf(w.Span, "the sub-command of %s is unknown", v.c.Called())
		return v.instead("write it")
	}
	if what := v.c.How("operand"); what != "" && len(v.args) == 0 && !w.Glob {
		v.failf(w.Span, "the %s of %s is unknown", what, v.c.Called())
		return v.instead("write it in single quotes")
	}
	what := v.whatMayBeOption(w)
	v.failf(w.Span, "%s may be an option of %s", what, v.c.Called())
	switch {
	case w.Splits && w.Prefix != "":
		return v.instead("put it in double quotes")
	case strings.HasPrefix(w.Prefix, "-"):
		return v.instead("put it in single quotes")
	case v.entry.Style.OfWords():
		return v.instead("begin it with ./")
	case strings.HasPrefix(what, "what xargs"):
		return v.instead("write -- at the end of the line, before what xargs appends")
	}
	return v.instead("write -- before it, or begin it with ./")
}

// whatMayBeOption says what of a word may be an option.
func (v *attempt) whatMayBeOption(w *shell.Word) string {
	switch {
	case w.Glob && !w.Splits:
		return "a file that the pattern matches"
	case w.Splits && w.Prefix != "":
		return "a part of the word, after a blank,"
	case v.line.Appended(v.c):
		return "what " + v.line.Commands[v.c.Parent].Name + " appends"
	}
	return "what the word becomes"
}

// mayBeOption reports whether a word that is unknown may begin with a dash.
func mayBeOption(w *shell.Word) bool {
	if w.Known() && len(w.Values) == 1 && !w.Many {
		return false
	}
	if w.Number {
		return false
	}
	if w.Splits {
		return true
	}
	if w.Known() && !w.Many {
		for _, t := range w.Values {
			if strings.HasPrefix(t, "-") {
				return true
			}
		}
		return false
	}
	return w.Prefix == "" || w.Prefix[0] == '-'
}

func (v *attempt) unknownOption(w *shell.Word, t string) bool {
	if !v.p.Reasons {
		return v.fail(w.Span, notProved)
	}
	if why := program.WhyOption(v.c.Name, t); why != "" {
		return v.failf(w.Span, "the option %s of %s %s", t, v.c.Called(), why)
	}
	v.failf(w.Span, "the option %s of %s is not on its list", t, v.c.Called())
	return v.instead("policyctl readonly " + v.c.Called() + " shows the list")
}
