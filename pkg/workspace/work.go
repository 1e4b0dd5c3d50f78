package workspace

import (
	"cmp"
	"path"
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// works checks the sub-command, the options and the operands of a command of the project
// by the rows of its program. A program without a row is one of the person's own, of which
// only its words are checked.
func (a *attempt) works() bool {
	if a.c.Activates {
		return true
	}
	name, at := a.subject()
	if a.isPython() && !a.fits("python", a.c.Words[1:at]) {
		return false
	}
	return a.fits(name, a.c.Words[at:])
}

// fits reads the arguments of a program by the first of its rows that has all of them.
func (a *attempt) fits(name string, words []shell.Word) bool {
	rows := program.WorksOf(name)
	if len(rows) == 0 {
		rows = program.WorksOf(program.Bare(name))
	}
	for _, row := range rows {
		w := work{attempt: a, row: row}
		if w.read(words) {
			a.proof.Why, a.proof.Span = "", shell.Span{}
			return true
		}
	}
	if len(rows) == 0 {
		return a.named(words)
	}
	return a.failed(a.c.Span, "it may do more than a command of the project does")
}

// isPython reports whether the command is an interpreter that is told which module to run.
func (a *attempt) isPython() bool {
	p := a.c.Args.Program
	o := a.c.Args.Option("m")
	return p != nil && p.Language == program.Python && o != nil && o.HasArg && o.End <= len(a.c.Words)
}

// subject returns the name of the program that the command runs, behind a runner of
// packages or as a module of Python, and where its arguments begin. A module of the
// project has no name.
func (a *attempt) subject() (name string, at int) {
	c := a.c
	if a.isPython() {
		o := c.Args.Option("m")
		module, _ := o.Arg.Literal()
		if a.isModule(module) {
			return "", o.End
		}
		return module, o.End
	}
	first, _ := c.Words[0].Literal()
	switch k := a.started(); {
	case k > 0:
		return cmp.Or(program.PackageOf(a.word(k)), a.word(k)), k + 1
	case k < 0:
		return "", 1
	}
	return program.Resolve(path.Base(first)), 1
}

// A work is one reading of the arguments of a command by a row.
type work struct {
	*attempt
	row      *program.Work
	operands []*shell.Word
	targets  []string // what options name to run
	idle     bool     // it only says what it would run
	started  bool     // its first operand is a program that reads what follows
}

// read reads all words.
func (w *work) read(words []shell.Word) bool {
	for k := 0; k < len(words); k++ {
		v, known := words[k].Literal()
		switch {
		case v == "--":
			return w.rest(words[k+1:]) && w.judge()
		case known && len(v) > 1 && v[0] == '-':
			next, ok := w.option(words, k)
			if !ok {
				return w.failed(words[k].Span, "policyctl does not know what it does with "+v)
			}
			k = next
		default:
			w.operands = append(w.operands, &words[k])
			if n, ok := w.verb(); w.row.Ends && ok && (len(w.operands) > n || w.row.Script) {
				return w.further(words[k+1:]) && w.judge()
			}
		}
	}
	return w.judge()
}

// further reads what stands behind the first operand: what may be run too, or the arguments
// of the program that the operand, or a script, starts.
func (w *work) further(words []shell.Word) bool {
	for k := range words {
		if w.row.Targets < 0 {
			w.targets = append(w.targets, words[k].Values...)
		}
	}
	switch {
	case w.row.Starts == "*":
		return w.passes(words)
	case w.started:
		name, _ := w.operands[len(w.operands)-1].Literal()
		return w.fits(name, words)
	}
	return true
}

// rest reads what stands behind --, where that is for another program.
func (w *work) rest(words []shell.Word) bool {
	name, verb, _ := strings.Cut(w.row.Rest, " ")
	n, found := w.verb()
	if unnamed := w.row.Targets != 0 && len(w.operands) <= n; name == "*" && found && unnamed && len(words) > 0 {
		w.operands = append(w.operands, &words[0])
		words = words[1:]
	}
	switch {
	case w.idle:
		return true
	case name == "" || name == "*" && !found:
		for k := range words {
			w.operands = append(w.operands, &words[k])
		}
		return true
	case name == "*":
		return w.passes(words)
	case verb != "":
		words = append([]shell.Word{{Set: shell.Set{Values: []string{verb}}}}, words...)
	}
	return w.fits(name, words)
}

// verb returns of how many of the operands the sub-command consists.
func (w *work) verb() (n int, ok bool) {
	var words []string
	for _, o := range w.operands {
		v, _ := o.Literal()
		words = append(words, v)
	}
	return w.row.HasVerb(words)
}

// judge checks the sub-command, and what it runs of the project.
func (w *work) judge() bool {
	n, ok := w.verb()
	if !ok {
		return w.failed(w.c.Span, "the sub-command may do more than a command of the project does")
	}
	if !w.roles(w.operands[n:]) {
		return false
	}
	for k, o := range w.operands[n:] {
		if w.row.Targets >= 0 && k >= w.row.Targets {
			break
		}
		w.targets = append(w.targets, o.Values...)
	}
	for _, target := range w.targets {
		if w.idle {
			break
		}
		if why := endangers(target); why != "" {
			return w.failed(w.c.Span, why)
		}
		if name, value, assigns := strings.Cut(target, "="); assigns && !w.variable(strings.TrimRight(name, ":+?!"), value) {
			return w.failed(w.c.Span, "the assignment to "+name+" may change what the program does")
		}
	}
	return true
}

// variable checks one that is given to a runner of targets, which gives it to what it runs.
func (w *work) variable(name, value string) bool {
	switch {
	case program.HasWord(commandVariables, name):
		return isProgram(value)
	case program.HasWord(compiling, name):
		return w.compiles(value, w.c.Span)
	case program.SettingVariable(name), program.HasWord(givenPaths, name):
		return true
	case strings.HasSuffix(name, "ARGS"):
		var words []shell.Word
		for word := range strings.FieldsSeq(value) {
			words = append(words, shell.Word{Set: shell.Set{Values: []string{word}}, Span: w.c.Span})
		}
		return w.passes(words)
	}
	return !program.ActiveVariable(name) && !strings.HasPrefix(value, "-") && (!strings.Contains(value, "/") || w.isBuiltPath(value))
}

// givenPaths are variables of targets that name files to work on, and nothing to run.
const givenPaths = "TEST TESTS FILE FILES SRC SRCS DIR PKG PKGS PACKAGE PACKAGES PREFIX OUT OUTPUT BUILD_DIR BUILDDIR"

// isBuiltPath reports whether a path lies in what a build makes.
func (w *work) isBuiltPath(value string) bool {
	return !w.anyDir(func(dir string) bool { return !w.rebuilt(shell.Abs(dir, value)) })
}

// roles checks the operands behind the sub-command: none is a file of further arguments,
// nor an output that loses something, nor what a foreign plug-in does.
func (w *work) roles(operands []*shell.Word) bool {
	kinds := strings.Fields(w.row.Operands)
	for k, o := range operands {
		for _, v := range o.Values {
			switch {
			case strings.HasPrefix(v, "@"):
				return w.failed(o.Span, "the file may hold further arguments")
			case w.row.Goals != "" && strings.Contains(v, ":") && !program.HasWord(w.row.Goals, v):
				return w.failed(o.Span, "it names a plugin that may do more")
			case k < len(kinds) && !w.value(kinds[k], v, o.Span):
				return false
			}
		}
	}
	return true
}
