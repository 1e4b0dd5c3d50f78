package readonly

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// reading returns what of a program only reads, nil where nothing is known to.
func reading(name string) *program.Reading {
	if p := program.Lookup(name); p != nil {
		return p.Reads
	}
	return nil
}

// everyFile is how a program walks that leaves nothing out.
var everyFile program.Walk

// walkOf returns how a command chooses files below a directory.
func walkOf(c *command.Command) *program.Walk {
	if p := program.Lookup(c.Name); p != nil {
		return &p.Walk
	}
	return &everyFile
}

// arguments goes through the arguments as the shell's reading has them, and is
// stricter: it takes no abbreviation, no option that the row does not list, no
// word that may be an option, and none of which the reading says nothing.
func (v *attempt) arguments() bool {
	a := &v.c.Args
	options, operands := a.Options, a.Operands
	for i := 1; i < len(v.c.Words); {
		here := 0
		for here < len(options) && firstWord(&options[here]) == i {
			here++
		}
		given := options[:here]
		options = options[here:]
		isOperand := len(operands) > 0 && operands[0].At == i
		if isOperand {
			operands = operands[1:]
		}
		n, ok := 1, true
		switch {
		case len(given) > 0:
			n, ok = v.option(i, given)
		case i == a.Dash:
			v.dash = true
		case isOperand || a.Payload > 0 && i >= a.Payload:
			ok = v.operand(i)
		case len(v.entry.Subs) > 0:
			ok = v.sub(i)
		case v.inert():
			ok = v.operand(i)
		default:
			ok = v.fail(v.c.Words[i].Span, "what the word means to "+v.c.Called()+" is unknown")
		}
		if !ok {
			return false
		}
		i += n
	}
	return len(v.entry.Subs) == 0 || v.reads.Alone || len(v.given) > 0 || v.subMissing()
}

// firstWord returns the index of the word of an option. What it takes as a
// command begins behind it.
func firstWord(o *command.Option) int {
	if o.Spec != nil && o.Spec.TakesWords() && !o.HasArg {
		return o.At - 1
	}
	return o.At
}

// inert reports whether an option is given under which the program runs nothing.
func (v *attempt) inert() bool {
	return slices.ContainsFunc(v.c.Args.Options, func(o command.Option) bool { return o.Spec != nil && o.Spec.Inert })
}

// operand takes a word for an operand, where it can be no option.
func (v *attempt) operand(i int) bool {
	w := &v.c.Words[i]
	if !v.dash && !v.stopped() && (!v.reads.Free || variable(w) && dashed(w)) && mayBeOption(w) && !v.fromFind(w) {
		return v.optionLike(w)
	}
	v.args = append(v.args, i)
	return true
}

// stopped reports whether options have ended: the program has none, or its first
// operand ends them, as where the program runs what follows.
func (v *attempt) stopped() bool {
	return v.entry.Style == program.Plain || len(v.args) > 0 && (v.entry.Style == program.Stop || v.c.Args.Payload > 0)
}

// option checks the options of the word at index i, and returns how many words
// they are. Of a word that is unknown it checks what else it may be.
func (v *attempt) option(i int, given []command.Option) (n int, ok bool) {
	end := i + 1
	for k := range given {
		end = max(end, given[k].End)
		if s := given[k].Spec; s != nil && s.Role == program.RoleArgv {
			end++ // ; or +
		}
	}
	end = min(end, len(v.c.Words))
	if _, ok := v.c.Words[i].Literal(); !ok {
		for k := i; k < end; k++ {
			if !v.operand(k) {
				return 0, false
			}
		}
		return end - i, true
	}
	for k := range given {
		if !v.onList(i, &given[k]) || !v.argument(i, &given[k]) {
			return 0, false
		}
	}
	return end - i, len(v.args) == 0 || v.behind(i, end)
}

// onList checks that the row lists an option by the name that it has in full.
func (v *attempt) onList(i int, o *command.Option) bool {
	w := &v.c.Words[i]
	t, _ := w.Literal()
	dashes := "-"
	if strings.HasPrefix(t, "--") {
		dashes = "--"
	}
	name := o.Name
	if o.Spec != nil && slices.Contains(o.Spec.Names, "#") && isDigits(name) {
		name = "#"
	}
	full := o.Spec != nil && slices.Contains(o.Spec.Names, name) && (dashes == "-" || len(name) > 1)
	if !full || !o.Spec.Reads || !v.entry.Grammar().Has(o.Spec) {
		if dashes == "--" || v.entry.Style.OfWords() {
			return v.unknownOption(w, t)
		}
		return v.unknownOption(w, "-"+o.Name)
	}
	v.given = append(v.given, name)
	v.waits(w, dashes, name)
	return true
}

// argument checks the argument of the option that stands in word i.
func (v *attempt) argument(i int, o *command.Option) bool {
	w := &v.c.Words[i]
	switch {
	case o.Spec.TakesWords():
		return true
	case o.HasArg && o.Spec.Takes == program.Nothing:
		return v.failf(w.Span, "the option --%s takes no argument", o.Name)
	case !o.HasArg && o.Spec.Takes == program.Argument, o.Spec.Two && o.End != i+3:
		return v.fail(w.Span, "the option lacks its argument")
	case !o.HasArg:
		return true
	case o.End > i+1:
		return v.detached(i, o)
	}
	if t, _ := o.Arg.Literal(); v.reads.Detached && !isDigits(t) && !strings.HasPrefix(w.Values[0], "--") {
		return v.failf(w.Span, "the option -%s of %s takes its argument from another word", o.Name, v.c.Called())
	}
	return v.optionPath(o.Spec, o.Arg)
}

// detached checks the words after an option, which are its arguments whatever
// they look like.
func (v *attempt) detached(i int, o *command.Option) bool {
	for k := i + 1; k < o.End; k++ {
		w := &v.c.Words[k]
		if (o.Spec.Two || !v.reads.Free && !v.entry.Style.OfWords()) && dashed(w) {
			v.fail(w.Span, "the argument of the option may be an option itself")
			return v.instead("attach it")
		}
		if v.several(w) && (o.Spec.Two || !v.reads.Free) {
			return v.fail(w.Span, "the option's argument may be several words")
		}
	}
	if o.Spec.Two && o.Spec.Second == program.RoleRead && !v.path(v.c.Words[i+2]) {
		return false
	}
	return v.optionPath(o.Spec, o.Arg)
}

// dashed reports whether a word has a value that begins like an option. An
// argument of its own may be one for programs that want it attached.
func dashed(w *shell.Word) bool {
	return slices.ContainsFunc(w.Values, func(t string) bool { return len(t) > 1 && t[0] == '-' && !isDigit(t[1]) })
}

// optionPath checks the argument of an option where it is a path, and notes
// that it bounds what is read.
func (v *attempt) optionPath(o *program.Option, w shell.Word) bool {
	if o.Bound != program.NoBound {
		v.stops = true
		v.exceeds = v.exceeds || o.Bound == program.Lines || !isBounded(&w)
	}
	switch o.Role {
	case program.RoleRead, program.RoleWrite, program.RoleDir:
		return v.path(w)
	}
	return true
}

// behind checks the option at index i, with its arguments before end, where it
// stands behind an operand.
func (v *attempt) behind(i, end int) bool {
	if v.reads.Leading {
		v.failf(v.c.Words[i].Span, "some implementations of %s read an option after an operand as another operand", v.c.Called())
		return v.instead("write the options first")
	}
	for k := i + 1; k < end && v.entry.ReadOperands() == "path"; k++ {
		if w := v.c.Words[k]; !w.Number && !all(&w, isNumber) && !v.path(w) {
			return false
		}
	}
	return true
}

// sub goes on with a sub-command.
func (v *attempt) sub(i int) bool {
	w := &v.c.Words[i]
	if !v.reads.Free && mayBeOption(w) {
		return v.optionLike(w)
	}
	name, ok := w.Literal()
	if !ok {
		return v.fail(w.Span, "the sub-command is unknown")
	}
	next := v.entry.Sub(name)
	if next != nil && next.Reads != nil && !v.dash {
		v.entry, v.reads, v.given = next, next.Reads, v.given[:0]
		return true
	}
	if !v.p.Reasons {
		return v.fail(w.Span, notProved)
	}
	above := strings.TrimSuffix(v.c.Called()+" "+v.c.Args.Sub, " "+name)
	v.failf(w.Span, "%[2]s %[1]s is not on the list of sub-commands that only read", name, above)
	return v.instead("policyctl readonly " + v.c.Called() + " shows the list")
}

// subMissing says that a sub-command must be given.
func (v *attempt) subMissing() bool {
	name := v.c.Name
	if !v.entry.HasName(name) {
		name += " " + v.entry.Names
	}
	v.failf(v.c.Span, "%s without a sub-command is not on the list", name)
	return v.instead("policyctl readonly " + v.c.Called() + " shows the list")
}

// isNumber reports whether s is a decimal or hexadecimal number.
func isNumber(s string) bool {
	s = strings.TrimLeft(s, "+-")
	if h, ok := strings.CutPrefix(s, "0x"); ok {
		return h != "" && strings.Trim(h, "0123456789abcdefABCDEF") == ""
	}
	return isDigits(s)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
