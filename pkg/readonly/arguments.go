package readonly

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/shell"
)

// arguments reads the options from words[from:] on, exactly: no abbreviation,
// no option that is not listed, no word that may be an option.
func (v *proving) arguments(from int) bool {
	if v.entry.Bundle && v.bundled() {
		next, ok := v.oldBundle()
		if !ok {
			return false
		}
		from = next
	}
	for i := from; i < len(v.c.Words); i++ {
		w := &v.c.Words[i]
		if v.dash || v.stopped() {
			v.args = append(v.args, i)
			continue
		}
		if (!v.entry.Free || variable(w) && dashed(w)) && mayBeOption(w) && !v.fromFind(w) {
			return v.optionLike(w)
		}
		t := optionText(w)
		if (t == "" || t == "-") && len(v.entry.Subs) > 0 {
			return v.sub(i)
		}
		n := len(v.args)
		more, ok := v.argumentWord(i, t)
		if !ok || n > 0 && len(v.args) == n && !v.dash && !v.behind(i, more) {
			return false
		}
		i += more
	}
	if len(v.entry.Subs) > 0 && len(v.given) == 0 {
		return v.subMissing()
	}
	return true
}

// subMissing says that a sub-command must be given.
func (v *proving) subMissing() bool {
	name := v.c.Name
	if v.entry != Lookup(name) {
		name += " " + v.entry.Names
	}
	v.failf(v.c.Span, "%s without a sub-command is not on the list", name)
	return v.instead("policyctl readonly " + v.c.Name + " shows which are")
}

// argumentWord takes the word at index i for an operand, for the end of the
// options, or for an option with the text t.
func (v *proving) argumentWord(i int, t string) (more int, ok bool) {
	switch {
	case t == "" || t == "-":
		v.args = append(v.args, i)
	case t == "--" && !v.entry.Words:
		v.dash = true
	default:
		return v.option(i, t)
	}
	return 0, true
}

// optionLike says of a word that it may be an option, and how to rule it out.
func (v *proving) optionLike(w *shell.Word) bool {
	if !v.p.Reasons {
		return v.fail(w.Span, NotProved)
	}
	if len(v.entry.Subs) > 0 {
		v.failf(w.Span, "the sub-command of %s is not known", v.c.Name)
		return v.instead("write it")
	}
	if what := operandNames[v.c.Name]; what != "" && len(v.args) == 0 && !w.Glob {
		v.failf(w.Span, "%s of %s is not known", what, v.c.Name)
		return v.instead("write it in single quotes")
	}
	what := v.whatMayBeOption(w)
	v.failf(w.Span, "%s may be an option of %s", what, v.c.Name)
	switch {
	case w.Splits && w.Prefix != "":
		return v.instead("put it in double quotes")
	case strings.HasPrefix(w.Prefix, "-"):
		return v.instead("put it in single quotes")
	case v.entry.Words:
		return v.instead("begin it with ./")
	case strings.HasPrefix(what, "what xargs"):
		return v.instead("write -- at the end of the line, before what xargs appends")
	}
	return v.instead("write -- before it, or begin it with ./")
}

// whatMayBeOption says what of a word may be an option.
func (v *proving) whatMayBeOption(w *shell.Word) string {
	switch {
	case w.Glob && !w.Splits:
		return "a file that the pattern matches"
	case w.Splits && w.Prefix != "":
		return "a part of the word, after a blank,"
	case v.c.Parent >= 0 && v.line.Commands[v.c.Parent].Name == "xargs":
		return "what xargs appends"
	}
	return "what the word becomes"
}

// operandNames are what the first operand of programs is that must be known.
var operandNames = map[string]string{
	"sed": "the script", "gsed": "the script", "awk": "the program", "gawk": "the program", "mawk": "the program", "nawk": "the program",
	"jq": "the filter", "yq": "the filter", "printf": "the format", "timeout": "the duration",
}

// bundled says whether the first word is a bundle of options without a dash.
func (v *proving) bundled() bool {
	if len(v.c.Words) < 2 {
		return false
	}
	t, ok := v.c.Words[1].Literal()
	return ok && t != "" && t[0] != '-'
}

// stopped says whether options have ended: the program has none, or its first
// operand ends them, as where the program runs what follows.
func (v *proving) stopped() bool {
	return v.entry.Plain || len(v.args) > 0 && (v.entry.Stop || v.c.Args.Payload > 0)
}

// mayBeOption says whether a word that is not known may begin with a dash.
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

// optionText returns the text of a word that is an option, "" for others.
func optionText(w *shell.Word) string {
	t, ok := w.Literal()
	if !ok || !strings.HasPrefix(t, "-") {
		return ""
	}
	return t
}

// sub goes on with a sub-command.
func (v *proving) sub(i int) bool {
	w := &v.c.Words[i]
	name, ok := w.Literal()
	if !ok {
		return v.fail(w.Span, "the sub-command is not known")
	}
	for _, s := range v.entry.Subs {
		for n := range strings.FieldsSeq(s.Names) {
			if n == name {
				v.entry, v.given = s, v.given[:0]
				return v.arguments(i + 1)
			}
		}
	}
	if !v.p.Reasons {
		return v.fail(w.Span, NotProved)
	}
	v.failf(w.Span, "%s of %s is not on the list of sub-commands that only read", name, v.c.Name)
	return v.instead("policyctl readonly " + v.c.Name + " shows what is")
}
