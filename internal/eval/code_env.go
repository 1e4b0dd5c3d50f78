package eval

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
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
	if program.Starts(c.Row()) {
		r.variablesOf(i, program.Anyone, false, own)
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
			if given := r.line.Commands[i].Assigns[k].Name; program.FitsVariable(name, given) {
				r.variableRun(i, given, form, row, own)
			}
		}
		for b := own.vars; b != nil; b = b.next {
			if program.FitsVariable(name, b.name) && own.lookup(b.name) == b {
				r.variableRun(i, b.name, form, row, own)
			}
		}
	}
}

// variableRun reads what a program runs of a variable, in a form of
// [program.Program.Variables].
func (r *reader) variableRun(i int, name, form string, row *program.Program, own *scope) {
	value, span, ok := variableAt(&r.line.Commands[i], name, own)
	if known := r.line.Commands[i].Row(); !ok || row == program.Anyone && (len(value.Values) == 0 || known != nil && known.HasVariable(name, '!')) {
		return
	}
	text := textWithin(r.substs, span)
	switch form, before, _ := strings.Cut(form, ":"); form {
	case "file":
		r.substitutions(i, value, span, own) // the shell expands it
		if len(text.Values) == 0 {
			text, _ = r.disk.text(&r.line.Commands[i], value)
		}
		value = text
	case "options":
		first, _, _ := strings.Cut(row.Names, " ")
		value = command.OptionsFor(strings.TrimSpace(first+" "+before), value)
	case "word": // the program expands the value before it parts it
		first, _, _ := strings.Cut(row.Names, " ")
		value = command.QuotedBehind(first, value)
	case "path":
		value = startFiles(r, i, row, value, before)
	case "filter", "prompt":
		value = command.Inner(form, value)
	case "":
	default:
		value = command.StartsWith(form, value, text)
	}
	value.Values = slices.DeleteFunc(slices.Clone(value.Values), func(v string) bool { return strings.HasPrefix(v, "-") }) // options for the one that is built in
	if len(value.Values) > 0 {
		inner := *own
		inner.funcs = nil
		inner.set(r, name, shell.Set{Open: true}) // so that it does not run itself
		r.evaluate(i, shell.Word{Set: shell.Set{Values: value.Values}, Span: span}, &inner)
	}
}

// startFiles returns what runs the files of some names, commas between them, that the line
// has written to one of the directories of a path.
func startFiles(r *reader, i int, row *program.Program, path shell.Set, names string) (out shell.Set) {
	first, _, _ := strings.Cut(row.Names, " ")
	for _, v := range path.Values {
		for dir := range strings.SplitSeq(v, ":") {
			for name := range strings.SplitSeq(names, ",") {
				if dir == "" {
					dir = "."
				}
				file := shell.Word{Set: shell.Set{Values: []string{dir + "/" + name}}}
				if line, ok := command.Quoted([]shell.Word{{Set: known(r, first)}, file}); ok && r.disk.has(&r.line.Commands[i], file.Set) {
					out.Values = append(out.Values, line)
				}
			}
		}
	}
	return out
}

// textWithin returns the text of that process substitution which stands inside a span.
func textWithin(substs []procText, at shell.Span) shell.Set {
	for _, s := range substs {
		if at.From <= s.span.From && s.span.To <= at.To {
			return s.out
		}
	}
	return shell.Set{}
}

// variableAt returns what a variable is for a command, and where the line says
// so.
func variableAt(c *command.Command, name string, own *scope) (value shell.Set, at shell.Span, ok bool) {
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
