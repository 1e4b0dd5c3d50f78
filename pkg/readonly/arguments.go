package readonly

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/shell"
)

type option struct {
	takes shell.Takes
	path  bool
}

// arguments reads the options from words[from:] on, exactly: no abbreviation,
// no option that is not listed, no word that may be an option.
func (v *proving) arguments(from int) bool {
	words := v.c.Words
	for i := from; i < len(words); i++ {
		w := &words[i]
		if v.dash || v.stopped() {
			v.args = append(v.args, i)
			continue
		}
		if !v.entry.Free && mayBeOption(w) {
			v.fail(w.Span, "the word may be an option")
			v.proof.Instead = "write -- before it, or begin it with ./"
			return false
		}
		t := optionText(w)
		switch {
		case t == "" || t == "-":
			if len(v.entry.Subs) > 0 {
				return v.sub(i)
			}
			v.args = append(v.args, i)
		case t == "--" && !v.entry.Words:
			v.dash = true
		default:
			n, ok := v.option(i, t)
			if !ok {
				return false
			}
			i += n
		}
	}
	if len(v.entry.Subs) > 0 && len(v.given) == 0 {
		return v.failf(v.c.Span, "%s without a sub-command is not on the list", v.c.Name)
	}
	return true
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

// option checks the option word at index i and returns how many words more
// belong to it.
func (v *proving) option(i int, t string) (more int, ok bool) {
	w := &v.c.Words[i]
	if v.entry.Words {
		name := strings.TrimPrefix(t[1:], "-")
		if n := v.argv(i); n > 0 {
			v.given = append(v.given, name)
			_, listed := v.entry.options()[name]
			return n, listed || v.unknownOption(w, t)
		}
		return v.oneOption(i, name, "", false)
	}
	if strings.HasPrefix(t, "--") {
		name, arg, attached := strings.Cut(t[2:], "=")
		if len(name) < 2 {
			return 0, v.unknownOption(w, t)
		}
		return v.oneOption(i, name, arg, attached)
	}
	opts := v.entry.options()
	if _, ok := opts["#"]; ok && isDigits(t[1:]) {
		v.given = append(v.given, "#")
		return 0, true
	}
	for k := 1; k < len(t); k++ {
		name := t[k : k+1]
		o, listed := opts[name]
		if !listed {
			return 0, v.unknownOption(w, "-"+name)
		}
		v.given = append(v.given, name)
		if o.takes == shell.Nothing {
			continue
		}
		if k+1 < len(t) && v.entry.Detached {
			return 0, v.failf(w.Span, "the option -%s of %s takes its argument from another word", name, v.c.Name)
		}
		if k+1 < len(t) {
			return 0, v.optionPath(o, shell.Word{Set: shell.Set{Values: []string{t[k+1:]}}, Span: w.Span})
		}
		if o.takes == shell.Attached {
			return 0, true
		}
		return v.argument(i, o)
	}
	return 0, true
}

// argv returns how many words after the option at index i are a command that
// the program runs, as after -exec of find.
func (v *proving) argv(i int) int {
	for k := range v.c.Args.Options {
		if o := &v.c.Args.Options[k]; o.Spec != nil && o.Spec.Role == shell.RoleArgv && o.At == i+1 {
			return o.End - i
		}
	}
	return 0
}

func (v *proving) oneOption(i int, name, arg string, attached bool) (int, bool) {
	w := &v.c.Words[i]
	o, listed := v.entry.options()[name]
	if !listed {
		return 0, v.unknownOption(w, w.Values[0])
	}
	v.given = append(v.given, name)
	switch {
	case attached && o.takes == shell.Nothing:
		return 0, v.failf(w.Span, "the option --%s takes no argument", name)
	case attached:
		return 0, v.optionPath(o, shell.Word{Set: shell.Set{Values: []string{arg}}, Span: w.Span})
	case o.takes == shell.Argument:
		return v.argument(i, o)
	}
	return 0, true
}

// argument checks the word after an option, which is its argument whatever it
// looks like.
func (v *proving) argument(i int, o option) (int, bool) {
	if i+1 >= len(v.c.Words) {
		return 0, v.fail(v.c.Words[i].Span, "the option lacks its argument")
	}
	w := v.c.Words[i+1]
	if w.Many && !v.entry.Free {
		return 0, v.fail(w.Span, "the option's argument may be several words")
	}
	return 1, v.optionPath(o, w)
}

func (v *proving) optionPath(o option, w shell.Word) bool {
	return !o.path || v.path(w)
}

func (v *proving) unknownOption(w *shell.Word, t string) bool {
	return v.failf(w.Span, "the option %s of %s is not on its list", t, v.c.Name)
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

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
	return v.failf(w.Span, "%s of %s is not on the list of sub-commands that only read", name, v.c.Name)
}
