package readonly

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/program"
	"github.com/policyctl/policyctl/pkg/shell"
)

// An option is what is known of one.
type option struct {
	takes program.Takes
	path  bool
	two   bool // its argument is two words
	file  bool // of which the second is a path
	size  bool // its argument is how much is read at most
	lines bool // or how many lines, of which one may have no end
	// endless says that with it the program waits without end.
	endless bool
}

// option checks the option word at index i and returns how many words more
// belong to it.
func (v *proving) option(i int, t string) (more int, ok bool) {
	switch {
	case v.entry.Words:
		return v.wordOption(i, t)
	case strings.HasPrefix(t, "--"):
		name, arg, attached := strings.Cut(t[2:], "=")
		if len(name) < 2 {
			return 0, v.unknownOption(&v.c.Words[i], t)
		}
		return v.oneOption(i, name, arg, attached)
	}
	if _, ok := v.entry.options()["#"]; ok && isDigits(t[1:]) {
		v.given = append(v.given, "#")
		return 0, true
	}
	return v.shortOptions(i, t)
}

// wordOption checks an option that is a word of its own, to which at most a
// number is attached.
func (v *proving) wordOption(i int, t string) (more int, ok bool) {
	name := strings.TrimPrefix(t[1:], "-")
	if n := v.argv(i); n > 0 {
		v.given = append(v.given, name)
		_, listed := v.entry.options()[name]
		return n, listed || v.unknownOption(&v.c.Words[i], t)
	}
	if o, ok := v.entry.options()[name[:min(1, len(name))]]; ok && o.takes == program.Argument && isNumber(name[1:]) {
		v.given = append(v.given, name[:1])
		return 0, v.optionPath(o, shell.Word{Set: shell.Set{Values: []string{name[1:]}}, Span: v.c.Words[i].Span})
	}
	return v.oneOption(i, name, "", false)
}

// shortOptions checks a bundle of options, of which the last may have an
// argument.
func (v *proving) shortOptions(i int, t string) (more int, ok bool) {
	w := &v.c.Words[i]
	for k := 1; k < len(t); k++ {
		name := t[k : k+1]
		o, listed := v.entry.options()[name]
		if !listed {
			return 0, v.unknownOption(w, "-"+name)
		}
		v.given = append(v.given, name)
		v.waits(o, w, "-", name)
		switch {
		case o.takes == program.Nothing:
		case k+1 < len(t) && v.entry.Detached && !isDigits(t[k+1:]):
			return 0, v.failf(w.Span, "the option -%s of %s takes its argument from another word", name, v.c.Name)
		case k+1 < len(t):
			return 0, v.optionPath(o, shell.Word{Set: shell.Set{Values: []string{t[k+1:]}}, Span: w.Span})
		case o.takes == program.Attached:
			return 0, true
		default:
			return v.argument(i, o)
		}
	}
	return 0, true
}

// argv returns how many words after the option at index i are a command that
// the program runs, as after -exec of find.
func (v *proving) argv(i int) int {
	for k := range v.c.Args.Options {
		if o := &v.c.Args.Options[k]; o.Spec != nil && o.Spec.Role == program.RoleArgv && o.At == i+1 {
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
	v.waits(o, w, "--", name)
	switch {
	case attached && o.takes == program.Nothing:
		return 0, v.failf(w.Span, "the option --%s takes no argument", name)
	case attached:
		return 0, v.optionPath(o, shell.Word{Set: shell.Set{Values: []string{arg}}, Span: w.Span})
	case o.takes == program.Argument:
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
	if o.two {
		return v.arguments2(i, o)
	}
	w := v.c.Words[i+1]
	if !v.entry.Free && !v.entry.Words && dashed(&w) {
		return 0, v.dashedArgument(i)
	}
	if v.several(&w) && !v.entry.Free {
		return 0, v.fail(w.Span, "the option's argument may be several words")
	}
	return 1, v.optionPath(o, w)
}

// dashed says whether a word has a value that begins like an option. An
// argument of its own may be one for programs that want it attached.
func dashed(w *shell.Word) bool {
	for _, t := range w.Values {
		if len(t) > 1 && t[0] == '-' && !isDigits(t[1:2]) {
			return true
		}
	}
	return false
}

func (v *proving) dashedArgument(i int) bool {
	v.fail(v.c.Words[i+1].Span, "the argument of the option may be an option itself")
	return v.instead("attach it")
}

// arguments2 checks the two words after an option: data, or a name and a file.
func (v *proving) arguments2(i int, o option) (int, bool) {
	if i+2 >= len(v.c.Words) {
		return 0, v.fail(v.c.Words[i].Span, "the option lacks an argument")
	}
	for k := i + 1; k <= i+2; k++ {
		if dashed(&v.c.Words[k]) {
			return 0, v.dashedArgument(k - 1)
		}
		if v.several(&v.c.Words[k]) {
			return 0, v.fail(v.c.Words[k].Span, "the option's argument may be several words")
		}
	}
	return 2, !o.file || v.path(v.c.Words[i+2])
}

// optionPath checks the argument of an option where it is a path, and notes
// that it bounds what is read.
func (v *proving) optionPath(o option, w shell.Word) bool {
	if o.size || o.lines {
		v.stops = true
		v.exceeds = v.exceeds || o.lines || !isBounded(&w)
	}
	return !o.path || v.path(w)
}

func (v *proving) unknownOption(w *shell.Word, t string) bool {
	if !v.p.Reasons {
		return v.fail(w.Span, NotProved)
	}
	if why := optionReason(v.c.Name, t); why != "" {
		return v.failf(w.Span, "the option %s of %s %s", t, v.c.Name, why)
	}
	v.failf(w.Span, "the option %s of %s is not on its list", t, v.c.Name)
	return v.instead("policyctl readonly " + v.c.Name + " shows what is")
}

// behind checks the option at index i, of which more words are arguments, where
// it stands behind an operand.
func (v *proving) behind(i, more int) bool {
	e := v.entry
	if e.Leading {
		v.failf(v.c.Words[i].Span, "some implementations of %s take an option behind an operand for another operand", v.c.Name)
		return v.instead("write the options first")
	}
	for k := i + 1; k <= i+more && e.Operands == "path"; k++ {
		if w := v.c.Words[k]; !w.Number && !all(&w, isNumber) && !v.path(w) {
			return false
		}
	}
	return true
}

// isNumber says whether s is a decimal or hexadecimal number.
func isNumber(s string) bool {
	s = strings.TrimLeft(s, "+-")
	if h, ok := strings.CutPrefix(s, "0x"); ok {
		return h != "" && strings.Trim(h, "0123456789abcdefABCDEF") == ""
	}
	return isDigits(s)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
