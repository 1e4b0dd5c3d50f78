package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/pkg/program"
)

// variableCode reads the variables whose text the program of a command runs,
// as the command or the line before it binds them.
func (r *reader) variableCode(i int, own *scope) {
	c := &r.line.Commands[i]
	if len(c.Assigns) == 0 && own.vars == nil {
		return
	}
	if row := c.Row(); row != nil {
		r.variablesOf(i, row, false, own)
	}
	if row := program.Find("bash"); strings.Contains(c.Path, "/") && program.BareName(c.Path) == "" && c.Row() != row { // it may be a script
		r.variablesOf(i, row, true, own)
	}
}

// variablesOf reads the variables that a row says to be run, or those of them alone that
// name a file which a script runs first.
func (r *reader) variablesOf(i int, row *program.Program, script bool, own *scope) {
	for field := range strings.FieldsSeq(row.Variables) {
		name, form, runs := strings.Cut(field, "!")
		if !runs || script && form != "file" {
			continue
		}
		if !strings.Contains(name, "*") {
			r.variableRun(i, name, form, row, own)
			continue
		}
		for k := range r.line.Commands[i].Assigns {
			if given := r.line.Commands[i].Assigns[k].Name; row.HasVariable(given, '!') {
				r.variableRun(i, given, form, row, own)
			}
		}
	}
}

// variableRun reads what a program runs of a variable, in a form of
// [program.Program.Variables].
func (r *reader) variableRun(i int, name, form string, row *program.Program, own *scope) {
	value, span, ok := variableAt(&r.line.Commands[i], name, own)
	if !ok {
		return
	}
	text := textWithin(r.substs, span)
	switch form, before, _ := strings.Cut(form, ":"); form {
	case "file":
		r.substitutions(i, value, span, own) // the shell expands it
		if len(text.Values) == 0 {
			text, _ = r.writtenText(i, value)
		}
		value = text
	case "options":
		first, _, _ := strings.Cut(row.Names, " ")
		value = optionsFor(strings.TrimSpace(first+" "+before), value)
	case "word": // the program expands the value before it parts it
		first, _, _ := strings.Cut(row.Names, " ")
		value = quotedBehind(first, value)
	case "filter", "prompt":
		value = inner(form, value)
	case "":
	default:
		value = startsWith(form, value, text)
	}
	value.Values = slices.DeleteFunc(slices.Clone(value.Values), func(v string) bool { return strings.HasPrefix(v, "-") }) // options for the one that is built in
	if len(value.Values) > 0 {
		inner := *own
		inner.funcs = nil
		inner.set(r, name, Set{Open: true}) // so that it does not run itself
		r.evaluate(i, Word{Set: Set{Values: value.Values}, Span: span}, &inner)
	}
}

// optionsFor returns the lines that give a program the words of values.
func optionsFor(program string, value Set) (out Set) {
	for _, v := range value.Values {
		out.Values = append(out.Values, program+" "+v)
	}
	return out
}

// quotedBehind returns the line that gives a program all values as one word.
func quotedBehind(program string, value Set) Set {
	word, err := syntax.Quote(strings.Join(value.Values, " "), syntax.LangBash)
	if err != nil {
		return value
	}
	return Set{Values: []string{program + " " + word}}
}

// startsWith returns the lines that run what a variable has an interpreter run as it
// starts (python(1), node(1), ruby(1), perlrun(1)); text is that of a process
// substitution in it.
func startsWith(interpreter string, value, text Set) (out Set) {
	for _, v := range value.Values {
		fields := strings.Fields(strings.NewReplacer("-r ", "-r", "=", " ").Replace(v))
		switch interpreter {
		case "python":
			out.Values = append(out.Values, "python3 "+v)
		case "node":
			out.Values = append(out.Values, "node "+v)
		case "ruby":
			for _, f := range fields {
				if file, ok := strings.CutPrefix(f, "-r"); ok {
					out.Values = append(out.Values, "ruby "+strings.TrimSuffix(file, ".rb")+".rb")
				}
			}
		case "perl":
			if _, code, ok := strings.Cut(v, ";"); ok {
				if word, err := syntax.Quote(code, syntax.LangBash); err == nil {
					out.Values = append(out.Values, "perl -e "+word)
				}
				break
			}
			for _, f := range fields {
				if module, ok := strings.CutPrefix(f, "-M"); ok {
					out.Values = append(out.Values, "perl "+strings.ReplaceAll(module, "::", "/")+".pm")
				}
			}
		}
	}
	for _, code := range text.Values {
		if word, err := syntax.Quote(code, syntax.LangBash); err == nil && interpreter == "python" {
			out.Values = append(out.Values, "python3 -c "+word)
		}
	}
	return out
}

// variableAt returns what a variable is for a command, and where the line says
// so.
func variableAt(c *Command, name string, own *scope) (value Set, at Span, ok bool) {
	for k := len(c.Assigns) - 1; k >= 0; k-- {
		if a := &c.Assigns[k]; a.Name == name {
			return a.Value, a.Span, true
		}
	}
	if b := own.lookup(name); b != nil && !b.array {
		return b.set, c.Span, true
	}
	return value, at, false
}

// textWithin returns the text of that process substitution which stands inside a span.
func textWithin(substs []procText, at Span) Set {
	for _, s := range substs {
		if at.From <= s.span.From && s.span.To <= at.To {
			return s.out
		}
	}
	return Set{}
}

// inner returns what is run of the text of a filter, or of a prompt, of which it is the
// substitutions only.
func inner(form string, value Set) (out Set) {
	for _, v := range value.Values {
		switch {
		case form == "filter":
			out.Values = append(out.Values, strings.TrimLeft(v, "|-"))
		case strings.Contains(v, "$(") || strings.Contains(v, "`"):
			out.Values = append(out.Values, ": "+v)
		}
	}
	return out
}
