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
	return len(rows) == 0 || a.failed(a.c.Span, "it may do more than a command of the project does")
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
	return program.Unversioned(path.Base(first)), 1
}

// A work is one reading of the arguments of a command by a row.
type work struct {
	*attempt
	row      *program.Work
	operands []*shell.Word
	targets  []string // what options name to run
	idle     bool     // it only says what it would run
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
				w.further(words[k+1:])
				return w.judge()
			}
		}
	}
	return w.judge()
}

// further adds what stands behind the first operand, where that may be run too.
func (w *work) further(words []shell.Word) {
	for k := range words {
		if w.row.Targets < 0 {
			w.targets = append(w.targets, words[k].Values...)
		}
	}
}

// rest reads what stands behind --, where that is for another program.
func (w *work) rest(words []shell.Word) bool {
	if w.row.Rest == "" {
		return true
	}
	for _, row := range program.WorksOf(w.row.Rest) {
		other := work{attempt: w.attempt, row: row}
		if other.read(words) {
			return true
		}
	}
	return false
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
		name, value, assigns := strings.Cut(target, "=")
		if assigns && program.HasWord(commandVariables, strings.TrimRight(name, ":+?!")) && !isProgram(value) {
			return w.failed(w.c.Span, "the value is run, and unknown")
		}
	}
	return true
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

// option checks the option at a word, and returns the last word that it takes.
func (w *work) option(words []shell.Word, k int) (last int, ok bool) {
	v, _ := words[k].Literal()
	long := strings.HasPrefix(v, "--")
	name, value, attached := strings.Cut(strings.TrimLeft(v, "-"), "=")
	w.idle = w.idle || program.HasWord(w.row.Rehearses, name) && !attached
	if long || w.row.Single || len(name) == 1 {
		if o, known := w.row.Option(name); known {
			return w.argument(o, words, k, value, attached)
		}
	}
	if name, value, found := strings.Cut(strings.TrimLeft(v, "-"), ":"); found && w.row.Single {
		if o, known := w.row.Option(name + ":"); known && o.Takes == program.Attached {
			return k, w.value(o.Kind, value, words[k].Span)
		}
	}
	switch {
	case long:
		return w.dotted(words, k)
	case w.row.Single:
		return w.property(words, k, 1)
	}
	if o, known := w.row.Option("-" + name); known {
		return w.argument(o, words, k, value, attached)
	}
	return w.letters(words, k)
}

// dotted checks a long option whose name goes on behind a colon, as --loader:.js=jsx.
func (w *work) dotted(words []shell.Word, k int) (last int, ok bool) {
	v, _ := words[k].Literal()
	name, value, found := strings.Cut(strings.TrimPrefix(v, "--"), ":")
	o, known := w.row.Option(name + ":")
	return k, found && known && w.value(o.Kind, value, words[k].Span)
}

// letters checks options of one letter that stand in one word, of which the last may take
// an argument.
func (w *work) letters(words []shell.Word, k int) (last int, ok bool) {
	v, _ := words[k].Literal()
	if o, known := w.row.Option(v[1:]); known && o.Takes == program.Nothing {
		return k, true // -vv, -ra
	}
	for i := 1; i < len(v); i++ {
		o, known := w.row.Option(v[i : i+1])
		if !known {
			return w.property(words, k, 2)
		}
		if o.Takes == program.Nothing {
			continue
		}
		rest := strings.TrimPrefix(v[i+1:], "=")
		return w.argument(o, words, k, rest, i+1 < len(v))
	}
	return k, true
}

// property checks an option whose name ends with what is attached to it, as -XX:x and
// -p:Name=x, or -Xmx1g; the name has at least so many letters.
func (w *work) property(words []shell.Word, k, least int) (last int, ok bool) {
	v, _ := words[k].Literal()
	v = strings.TrimLeft(v, "-")
	for end := len(v); end >= least; end-- {
		if o, known := w.row.Option(v[:end]); known && o.Takes == program.Attached {
			return k, w.value(o.Kind, strings.TrimPrefix(v[end:], "="), words[k].Span)
		}
	}
	return k, false
}

// argument checks what an option takes.
func (w *work) argument(o program.WorkOption, words []shell.Word, k int, value string, attached bool) (last int, ok bool) {
	span := words[k].Span
	switch {
	case o.Takes == program.Nothing:
		return k, !attached || program.HasWord("true false 0 1", value)
	case attached:
		return k, w.value(o.Kind, value, span)
	case o.Takes == program.Attached:
		return k, true
	case k+1 == len(words):
		return k, true // the program refuses it
	}
	for _, v := range words[k+1].Values {
		if !w.value(o.Kind, v, words[k+1].Span) {
			return k, false
		}
	}
	return k + 1, words[k+1].Known()
}

// value checks one argument of an option.
func (w *work) value(kind, value string, span shell.Span) bool {
	switch kind {
	case "":
		return true
	case "word":
		return strings.Trim(value, plainName+",:=;") == "" || w.failed(span, value+" is no plain name")
	case "warnings":
		options, linker := strings.CutPrefix(value, "l,")
		if !linker {
			return w.value("word", value, span) && !strings.HasPrefix(value, "a,") && !strings.HasPrefix(value, "p,")
		}
		var words []shell.Word
		for option := range strings.SplitSeq(options, ",") {
			words = append(words, shell.Word{Set: shell.Set{Values: []string{option}}, Span: span})
		}
		return w.fits("ld", words)
	case "pairs":
		for pair := range strings.SplitSeq(value, ",") {
			name, file, _ := strings.Cut(pair, ":")
			if !w.value("word", name, span) || !w.value("fill", file, span) {
				return false
			}
		}
		return true
	case "in":
		return w.readsInside(value, span)
	case "out", "fill":
		how := into
		if kind == "fill" {
			how = fills
		}
		return value == "" || value == "-" || value == "/dev/null" || w.paths(w.c.Dir, shell.Set{Values: []string{value}}, how, span)
	case "local":
		host := value[:max(0, strings.LastIndexByte(value, ':'))]
		return program.HasWord("localhost 127.0.0.1 [::1]", host) || strings.HasPrefix(value, ":")
	case "target":
		w.targets = append(w.targets, value)
		return true
	case "off":
		return strings.HasPrefix(value, "no:")
	}
	for one := range strings.SplitSeq(value, ",") {
		if !inBars(kind, one) {
			return w.failed(span, value+" is not one of those that the program has itself")
		}
	}
	return true
}

func inBars(list, word string) bool {
	for w := range strings.SplitSeq(list, "|") {
		if w == word {
			return true
		}
	}
	return false
}

// readsInside checks a file or a directory that the program reads: it leads to one inside.
func (w *work) readsInside(value string, span shell.Span) bool {
	if strings.HasPrefix(value, "{") { // a configuration in JSON, which names no module if it has no texts
		plain := strings.Count(value, `"`) == 2*strings.Count(value, ":") && !strings.Contains(value, "[")
		return plain || w.failed(span, "the configuration may name what is loaded")
	}
	for at := range strings.FieldsFuncSeq(value, func(c rune) bool { return strings.ContainsRune(",:", c) }) {
		if why, ok := w.everyInside(w.c.Dir, strings.TrimSuffix(at, "/")+"/x"); !ok || strings.HasPrefix(at, "~") {
			return w.failed(span, why)
		}
	}
	return true
}
