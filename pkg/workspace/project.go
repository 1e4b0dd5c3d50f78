package workspace

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/sensitive"
)

// A Form is a command of the project that a person trusts by name, such as "go
// build|test", "make", "python FILE" or "FILE": words, each with alternatives,
// where FILE stands for a file of the project. Options may stand between the
// words and further arguments behind them. A form with an option, such as "pip
// install -e FILE", covers a command that has nothing else but options that say how
// much it prints.
type Form struct {
	Text  string
	words [][]string
	// option is the one that the form names, "" for none; arg is its argument.
	option string
	arg    []string
}

// ParseForm reads a form.
func ParseForm(text string) (Form, error) {
	f := Form{Text: text}
	for word := range strings.FieldsSeq(text) {
		alternatives := strings.Split(word, "|")
		if slices.Contains(alternatives, "") || strings.ContainsAny(word, "*?$`;&<>()'\"\\") {
			return f, fmt.Errorf("project command %q: write words such as \"go build|test\" or \"python FILE\"", text)
		}
		switch {
		case strings.HasPrefix(word, "-") && (len(alternatives) > 1 || f.option != "" || len(f.words) == 0):
			return f, fmt.Errorf("project command %q: name at most one option, and the program before it", text)
		case strings.HasPrefix(word, "-"):
			f.option = word
		case f.option != "" && f.arg != nil:
			return f, fmt.Errorf("project command %q: an option and its argument are the last words", text)
		case f.option != "":
			f.arg = alternatives
		default:
			f.words = append(f.words, alternatives)
		}
	}
	if len(f.words) == 0 {
		return f, fmt.Errorf("an empty project command: write words such as \"go test\"")
	}
	return f, nil
}

// Runs returns the place of the first form that covers the command with index i
// of a line. If there is none, it is negative, and why says what keeps the
// command from being covered, "" if no form begins like it.
func (p *Prover) Runs(l *eval.Line, i int, forms []Form) (form int, why string) {
	a := attempt{p: p, line: l, c: &l.Commands[i], index: i}
	words := a.positional()
	for k := range forms {
		if !a.matches(words, &forms[k]) || k < len(forms) && len(words) > 0 && forms[k].words[0][0] == fileWord && a.isNamed(words[0], forms) {
			continue
		}
		if a.works() && a.plain() && a.redirects() {
			return k, ""
		}
		return -1, a.proof.Why
	}
	return -1, a.proof.Why
}

// RunsOwn is Runs for a script of the line that works with modules of the project: the
// form is one that lets its interpreter run files of the project.
func (p *Prover) RunsOwn(l *eval.Line, i int, forms []Form) (form int, why string) {
	a := attempt{p: p, line: l, c: &l.Commands[i], index: i}
	if k, ok := a.runsOwn(forms); ok {
		return k, ""
	}
	return -1, a.proof.Why
}

// Starts reports whether the command does nothing but start another program that
// the line names and that is judged on its own, as "bundle exec" does.
func (p *Prover) Starts(l *eval.Line, i int) bool {
	c := &l.Commands[i]
	if c.Is(program.IsShell) {
		a := attempt{p: p, line: l, c: c, index: i}
		return a.startsLine()
	}
	if !c.Is(program.IsRunner) && !c.Is(program.IsTransparent) && !c.Of("surrounds") || c.Args.Unlisted || c.Args.Open || !c.Identified() {
		return false
	}
	for k := range c.Args.Options {
		o := &c.Args.Options[k]
		plain := o.Spec != nil && !o.Spec.Inert && o.Spec.Role == program.RoleData && c.Is(program.IsTransparent)
		if !plain && (c.Row() == nil || !program.HasWord(c.Row().Within, "--"+o.Name)) {
			return false
		}
	}
	for k := i + 1; k < len(l.Commands); k++ {
		if l.Commands[k].Parent == i {
			a := attempt{p: p, line: l, c: c, index: i}
			if at := a.started(); at < 0 || at > 0 && !a.installed(a.word(at)) {
				return false
			}
			return a.plain() && a.redirects()
		}
	}
	return false
}

// startsLine reports whether a shell does nothing but run the line that it is given, of
// which each command is judged on its own.
func (a *attempt) startsLine() bool {
	c := a.c
	path, ok := c.Program().Literal()
	if !ok || !program.Means(program.SystemName(path), c.Name) || c.Row().Shell != program.Bourne || !c.Args.Has("c") || c.Args.Unlisted || c.Args.Open || len(c.Args.Operands) != 1 || !a.unmoved() || !a.redirects() {
		return false
	}
	for k := range c.Args.Options {
		if o := &c.Args.Options[k]; !o.Is("c") && !o.Is("l") && !o.Is("e") && !o.Is("u") && !o.Is("x") && !o.Is("login") {
			return false
		}
	}
	if _, ok := c.Words[c.Args.Operands[0].At].Literal(); !ok {
		return false
	}
	for k := range c.Assigns {
		if !a.setting(&c.Assigns[k]) {
			return false
		}
	}
	return a.index+1 < len(a.line.Commands) && a.line.Commands[a.index+1].Parent == a.index
}

// fileWord stands for a file of the project in forms.
const fileWord = "FILE"

// scriptWord stands for a script of the project in forms of package managers.
const scriptWord = "SCRIPT"

// positional returns the words of the command without options, the program first.
// What a runner of packages starts stands for the runner.
func (a *attempt) positional() []string {
	c := a.c
	if len(c.Words) == 0 || c.Keyword || c.Function {
		return nil
	}
	name, ok := c.Words[0].Literal()
	if !ok {
		return nil
	}
	out := []string{name}
	switch {
	case strings.Contains(name, "/"):
	case len(program.WorksOf(c.Name)) > 0:
		out[0] = c.Name // flake8 has no version
	default:
		out[0] = cmp.Or(program.Bare(name), name)
	}
	skip := map[int]bool{}
	for k := range c.Args.Options {
		o := &c.Args.Options[k]
		for at := o.At; at < o.End; at++ {
			skip[at] = true
		}
	}
	for k := 1; k < len(c.Words); k++ {
		v, ok := c.Words[k].Literal()
		switch {
		case ok && strings.HasPrefix(v, "-") && len(v) > 1:
			if program.HasWord(valued, v) && !skip[k+1] {
				k++
			}
		case skip[k]:
			continue
		case !ok:
			out = append(out, "")
		default:
			out = append(out, v)
		}
	}
	if module := c.Args.Option("m"); module != nil && module.HasArg && c.Args.Program != nil && c.Args.Program.Language == program.Python {
		if v, ok := module.Arg.Literal(); ok {
			rest := out[1:]
			if a.isModule(v) {
				return append([]string{out[0], strings.ReplaceAll(v, ".", "/")}, rest...)
			}
			return append([]string{v}, rest...)
		}
	}
	switch {
	case a.started() > 0:
		return a.startedWords()
	case a.started() < 0:
		a.fail(c.Span, "which program it starts is unknown")
		return nil
	case len(out) > 2 && out[0] == "uv" && out[1] == "run":
		return out[2:]
	}
	return out
}

// valued are options that the grammars do not know and that take an argument.
const valued = "--app --filter -F --dir -w --workspace --cwd -C -p -t -k -n"

// isModule reports whether a module of Python is a file of the directory.
func (a *attempt) isModule(name string) bool {
	dir, ok := a.c.Dir.Literal()
	if !ok {
		return false
	}
	first, _, _ := strings.Cut(name, ".")
	for _, at := range []string{first, first + ".py"} {
		if f, known := a.p.File(dir + "/" + at); known && f.Kind != Absent {
			return true
		}
	}
	return false
}

// matches reports whether a command begins as a form does.
func (a *attempt) matches(words []string, f *Form) bool {
	if len(words) < len(f.words) {
		return false
	}
	if f.option != "" && (len(words) != len(f.words) || !a.hasOnly(f)) {
		return false
	}
	for k, alternatives := range f.words {
		word := words[k]
		if k == 0 && strings.Contains(word, "/") && !slices.Contains(alternatives, fileWord) {
			word = path.Base(word) // plain checks where it lies
		}
		found := slices.Contains(alternatives, word) || k == 0 && meansOne(alternatives, word)
		if !found && slices.Contains(alternatives, fileWord) {
			found = a.isFile(words[k], k == 0)
		}
		if !found && k == 1 && slices.Contains(alternatives, scriptWord) {
			found = program.IsScript(words[0], word)
		}
		if !found {
			return false
		}
	}
	known := len(program.WorksOf(path.Base(words[0]))) > 0 // then its row says what it runs
	for k, word := range words {
		named := !known && !strings.Contains(word, "/")
		if (named || k < len(f.words)) && publishes(path.Base(word)) {
			return false // an argument that is a path says nothing about the command
		}
	}
	return !a.inline()
}

// meansOne reports whether a name means one of the programs of a form.
func meansOne(alternatives []string, name string) bool {
	return slices.ContainsFunc(alternatives, func(known string) bool { return program.Means(name, known) })
}

// hasOnly reports whether the command has the option of a form, with the argument that
// it names wherever it stands, and beside it only options that say how much is printed.
func (a *attempt) hasOnly(f *Form) bool {
	args, found := &a.c.Args, false
	if args.Unlisted || args.Open {
		return false
	}
	for k := range args.Options {
		o := &args.Options[k]
		switch {
		case o.Is(strings.TrimLeft(f.option, "-")) && f.arg == nil:
			found = !o.HasArg
		case o.Is(strings.TrimLeft(f.option, "-")):
			v, ok := o.Arg.Literal()
			v, _, _ = strings.Cut(v, "[") // the extras of a package
			if found = ok && (slices.Contains(f.arg, v) || slices.Contains(f.arg, fileWord) && isPath(v) && a.isFile(v+"/x", false)); !found {
				return false
			}
		case o.Is("m") && o.At == 1, o.Is("q"), o.Is("quiet"), o.Is("v"), o.Is("verbose"), o.Is("no-deps"), o.Is("no-build-isolation"):
		default:
			return false
		}
	}
	return found
}

// isPath reports whether a word can only be a path: not a URL, nor the name of a package.
func isPath(v string) bool {
	return (v == "." || strings.HasPrefix(v, "./") || strings.HasPrefix(v, "/")) && !strings.Contains(v, ":")
}

// isNamed reports whether a program is known, or a form begins with its name: then
// it is no mere file of the project.
func (a *attempt) isNamed(word string, forms []Form) bool {
	name := path.Base(word)
	if program.Lookup(name) != nil {
		return true
	}
	return slices.ContainsFunc(forms, func(f Form) bool { return slices.Contains(f.words[0], name) })
}

// isFile reports whether a word is a file of the project. A program must be
// spelt with its directory.
func (a *attempt) isFile(word string, isProgram bool) bool {
	if word == "" || word == "-" || isProgram && !strings.Contains(word, "/") {
		return false
	}
	for _, dir := range a.c.Dir.Values {
		at := word
		if !strings.HasPrefix(word, "/") {
			at = strings.TrimSuffix(dir, "/") + "/" + word
		}
		if _, ok := a.p.Inside(at); !ok {
			return false
		}
	}
	return len(a.c.Dir.Values) > 0 && !a.c.Dir.Open
}

// inline reports whether an interpreter is given code as an argument, or on its
// input, or may be: a word that has a choice of options may say so.
func (a *attempt) inline() bool {
	c := a.c
	for k := range c.Words {
		if w := &c.Words[k]; len(w.Values) > 1 && slices.ContainsFunc(w.Values, func(v string) bool { return strings.HasPrefix(v, "-") }) {
			return true
		}
	}
	if p := c.Args.Program; p == nil || p.Language == program.NoLanguage {
		return false
	}
	if slices.ContainsFunc(c.Words[1:], func(w shell.Word) bool { return w.Has("-") }) {
		return true // its input is what it runs
	}
	for k := range c.Args.Options {
		if s := c.Args.Options[k].Spec; s != nil && s.Role == program.RoleCode {
			return true
		}
	}
	return len(c.Args.Operands) == 0 && c.Args.Option("m") == nil && c.Args.Option("test") == nil
}

// plain checks what stands behind the words of a form: nothing of it leads out of
// the project, to another host, or to code that the line holds.
func (a *attempt) plain() bool {
	c := a.c
	switch {
	case c.Opaque != "":
		return a.fail(c.Span, c.Opaque)
	case c.Doubt != "":
		return a.fail(c.Span, "it "+c.Doubt)
	case c.Context != program.Local:
		return a.fail(c.Span, "it does not run on this machine")
	case c.Secret:
		return a.fail(c.Span, "a variable's name suggests a secret")
	case c.Is(program.InShell) && !c.Activates:
		return a.fail(c.Span, "what it changes in the shell is unknown")
	case c.Activates && a.changedBefore():
		return a.fail(c.Span, "the line may change that file before")
	case c.Dir.Open || len(c.Dir.Values) == 0:
		return a.fail(c.Span, "the directory is unknown")
	}
	for _, dir := range c.Dir.Values {
		if why, ok := a.p.Inside(strings.TrimSuffix(dir, "/") + "/x"); !ok {
			return a.fail(c.Span, why)
		}
	}
	for k := range c.Assigns {
		if !a.setting(&c.Assigns[k]) {
			return false
		}
	}
	if !a.holdsLast() {
		return false
	}
	within, ok := a.withinProject()
	if !ok {
		return false
	}
	if what := c.LoadsBut(within); what != "" {
		return a.fail(c.Span, "with "+what+" it may run something other than a file of the project")
	}
	for k := range c.Words {
		w := &c.Words[k]
		if !w.Known() && !(w.Glob && !w.Open && k > 0) || w.Splits {
			return a.fail(w.Span, "the word is unknown")
		}
		for _, v := range w.Values {
			if !a.argument(w, v, k) || k > 0 && !a.output(k, v) {
				return false
			}
		}
	}
	return a.optionsWrite() && a.spares() && (!a.rewrites() || a.rewritten())
}

// optionsWrite checks the files that the arguments of options say to write, as the table
// has them.
func (a *attempt) optionsWrite() bool {
	for k := range a.c.Args.Options {
		o := &a.c.Args.Options[k]
		if o.Spec != nil && o.Spec.Role == program.RoleWrite && o.HasArg && !o.Arg.KeepsNothing() && !a.paths(a.c.Dir, o.Arg.Set, into, o.Arg.Span) {
			return false
		}
	}
	return true
}

// withinProject returns the options with which the program works on another directory,
// and checks that each is one of the project.
func (a *attempt) withinProject() (options string, ok bool) {
	c := a.c
	row := c.Row()
	if row == nil || row.Within == "" {
		return "", true
	}
	for k := 1; k < len(c.Words); k++ {
		for _, v := range c.Words[k].Values {
			name, dir, attached := strings.Cut(v, "=")
			if !program.HasWord(row.Within, name) {
				continue
			}
			w := &c.Words[k]
			if !attached && k+1 < len(c.Words) {
				w = &c.Words[k+1]
				dir, attached = w.Literal()
			}
			why, inside := a.everyInside(c.Dir, strings.TrimSuffix(dir, "/")+"/x")
			if !attached || dir == "" || strings.HasPrefix(dir, "-") || len(c.Words[k].Values) > 1 || !inside {
				return "", a.fail(w.Span, cmp.Or(why, "the directory is unknown"))
			}
		}
	}
	return row.Within, true
}

// changedBefore reports whether an earlier command of the line may change a file.
func (a *attempt) changedBefore() bool {
	for k := range a.index {
		c := &a.line.Commands[k]
		if a.runsThis(k) {
			continue
		}
		if !(c.Keyword && c.Name == exporting) && !a.p.OnlyReads(a.line, k, *c) {
			return true
		}
	}
	return false
}

// runsThis reports whether a command runs this one, in a text or as its payload.
func (a *attempt) runsThis(k int) bool {
	for at := a.c.Parent; at >= 0; at = a.line.Commands[at].Parent {
		if at == k {
			return true
		}
	}
	return false
}

// holdsLast reports whether the last operand names a file, where the program would fetch
// it if it did not.
func (a *attempt) holdsLast() bool {
	c := a.c
	if p := c.Args.Program; p == nil || !p.Is("", "fetched") || len(c.Args.Operands) == 0 {
		return true
	}
	w := &c.Words[c.Args.Operands[len(c.Args.Operands)-1].At]
	dir, ok := c.Dir.Literal()
	v, known := w.Literal()
	if strings.HasPrefix(v, ".") || strings.HasPrefix(v, "/") {
		return true
	}
	if f, found := a.p.File(shell.Abs(dir, v)); !ok || !known || !found || f.Kind == Absent {
		return a.fail(w.Span, "it does not name a file, and would be fetched")
	}
	return true
}

// outputs are what the names of options hold that say where a program writes.
var outputs = []string{"out", "xml", "temp", "report", "dest", "log", "save", "result", "profile"}

// output checks the file, or the directory, that an option says to write.
func (a *attempt) output(k int, option string) bool {
	name, value, attached := strings.Cut(option, "=")
	if rest, ok := strings.CutPrefix(option, "-o"); ok && rest != "" {
		name, value, attached = "-o", rest, true
	}
	if !a.empties(name) && (!strings.HasPrefix(name, "--") && name != "-o" || !slices.ContainsFunc(append(outputs, "-o"), func(part string) bool { return strings.Contains(strings.ToLower(name), part) })) {
		return true
	}
	if !attached {
		if k+1 >= len(a.c.Words) {
			return true
		}
		var ok bool
		if value, ok = a.c.Words[k+1].Literal(); !ok || strings.HasPrefix(value, "-") {
			return true
		}
	}
	how := into
	if strings.Contains(name, "temp") || a.empties(name) {
		how = fills // it is emptied first
	}
	return value == "" || shell.IsNull(value) || a.paths(a.c.Dir, shell.Set{Values: []string{value}}, how, a.c.Words[k].Span)
}

// empties reports whether an option names a directory for a site or a bundle, which
// is emptied first.
func (a *attempt) empties(option string) bool {
	return program.HasWord("--destination --dest-dir --site-dir", option) ||
		option == "--outDir" && slices.ContainsFunc(a.c.Words, func(w shell.Word) bool { return w.Has("--emptyOutDir") }) ||
		option == "-d" && len(a.c.Words) > 1 && a.c.Words[1].Has("build")
}

// handing are what the options begin with of which each part may be an option of another
// program, or a file that is written: those for the parts of a compiler, and those of logs
// and dumps.
var handing = []string{"-Wl,", "-Wp,", "-Wa,", "-MF", "-MJ", "-fdump-", "-fopt-info", "-ftime-trace", "-fdiagnostics-add-output", "-Xlog", "-XX:", "--format-multi", "--file-reporter",
	"--coverage", "--junit", "--pid", "--archive", "--export", "--lock", "--write", "--counted", "--write-lang-def", "--serialize-diagnostics", "-aux-info", "-Xlinker", "-Xassembler"}

// spares checks that an option which hands a file to another part of the program names none
// of which the content would be lost.
func (a *attempt) spares() bool {
	c := a.c
	for k := 1; k < len(c.Words); k++ {
		for _, v := range c.Words[k].Values {
			at := slices.IndexFunc(handing, func(option string) bool { return strings.HasPrefix(v, option) })
			if at < 0 && v != "-p" && !(v == "-l" && c.Of("goals")) {
				continue
			}
			if at >= 0 && !strings.HasPrefix(handing[at], "--") {
				v = "=" + strings.TrimPrefix(v, handing[at])
			}
			values := []string{v}
			if k+1 < len(c.Words) {
				values = append(values, c.Words[k+1].Values...)
			}
			for _, text := range values {
				for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("=:,", r) }) {
					if !a.mayReplace(part, c.Words[k].Span) {
						return false
					}
				}
			}
		}
	}
	return true
}

// mayReplace reports whether nothing is lost if the file of a name, if there is one, is
// replaced.
func (a *attempt) mayReplace(name string, span shell.Span) bool {
	if strings.HasPrefix(name, "-") {
		return true
	}
	for _, dir := range a.c.Dir.Values {
		if f, ok := a.p.File(shell.Abs(dir, name)); ok && f.Kind == Regular && !a.place(shell.Abs(dir, name), puts, span) {
			return false
		}
	}
	return true
}

// rewrites reports whether a formatter or a linter is told to change the files that
// it is given.
func (a *attempt) rewrites() bool {
	if a.c.Does("rewrites") {
		return true
	}
	return slices.ContainsFunc(a.c.Words, func(w shell.Word) bool { return w.Has("--write") || w.Has("--fix") || w.Has("-w") || w.Has("-i") })
}

// rewritten checks those of the arguments that are files.
func (a *attempt) rewritten() bool {
	for k := range a.c.Words[1:] {
		w := &a.c.Words[k+1]
		if w.Glob && !a.paths(a.c.Dir, w.Set, edits, w.Span) {
			return false
		}
		for _, v := range w.Values {
			if w.Glob || strings.HasPrefix(v, "-") || strings.ContainsAny(v, "*{ ") {
				continue
			}
			v = strings.TrimSuffix(v, "/...") // what Go calls all packages below
			for _, dir := range a.c.Dir.Values {
				if f, ok := a.p.File(shell.Abs(dir, v)); ok && f.Kind != Absent && !a.place(shell.Abs(dir, v), edits, w.Span) {
					return false
				}
			}
		}
	}
	return true
}

// setting checks an assignment before a command: a plain setting, as the tables have them.
// Whatever they do not know may name what programs load or run, or where they look for it.
func (a *attempt) setting(s *command.Assign) bool {
	v, ok := s.Value.Literal()
	switch {
	case program.HarmlessVariable(s.Name):
		return true
	case s.Name == "PYTHONPATH" || s.Name == "NODE_PATH":
		ok = ok && a.allInside(v)
	case program.HasWord(modules, s.Name):
		ok = ok && strings.Trim(v, plainName) == "" && a.isModule(v)
	case program.HasWord(compiling, s.Name):
		ok = ok && a.compiles(v, s.Span)
	case program.AddressVariable(s.Name):
		ok = ok && isLoopback(v) && a.argument(&shell.Word{Set: s.Value, Span: s.Span}, v, -1)
	default:
		ok = ok && program.SettingVariable(s.Name) && !strings.HasPrefix(v, "-") && a.argument(&shell.Word{Set: s.Value, Span: s.Span}, v, -1)
	}
	return ok || a.failed(s.Span, "the assignment to "+s.Name+" may change what the program does")
}

// modules are variables that name a module of the project.
const modules = "DJANGO_SETTINGS_MODULE FLASK_APP"

// compiling are variables with options of compilers.
const compiling = "CFLAGS CXXFLAGS CPPFLAGS LDFLAGS FFLAGS"

// compiles checks the options of a compiler that stand in a text.
func (a *attempt) compiles(text string, span shell.Span) bool {
	var words []shell.Word
	for option := range strings.FieldsSeq(text) {
		w := shell.Word{Set: shell.Set{Values: []string{option}}, Span: span}
		if !a.argument(&w, option, 1) {
			return false
		}
		words = append(words, w)
	}
	return a.fits("gcc", words)
}

// allInside reports whether each directory of a list, colons between them, is one of the
// project.
func (a *attempt) allInside(list string) bool {
	for dir := range strings.SplitSeq(list, ":") {
		if _, ok := a.everyInside(a.c.Dir, strings.TrimSuffix(dir, "/")+"/x"); dir == "" || !ok {
			return false
		}
	}
	return !a.c.Dir.Open
}

// argument checks one value of a word.
func (a *attempt) argument(w *shell.Word, v string, k int) bool {
	text := v
	if k > 0 {
		if _, rest, ok := strings.Cut(v, "="); ok {
			text = rest
		}
	}
	switch {
	case strings.Contains(v, "://") && !isLoopback(text):
		return a.fail(w.Span, "it names another host")
	case k > 0 && (a.c.Of("versions") || a.c.Of("modules")) && strings.Contains(strings.TrimPrefix(v, "@"), "@"):
		return a.fail(w.Span, "it names a version, which would be fetched")
	case strings.ContainsAny(v, "`\n") || strings.Contains(v, "$("):
		return a.fail(w.Span, "the word may be code")
	case k > 0 && isFetched(v):
		return a.fail(w.Span, "it names a package, which would be fetched")
	case k > 0 && a.c.Of("goals") && !strings.HasPrefix(v, "-") && isPlugin(v):
		return a.fail(w.Span, "it names a plugin, which would be fetched")
	}
	if k == 0 && !strings.Contains(v, "/") {
		return true
	}
	for part := range strings.FieldsFuncSeq(v, func(r rune) bool { return strings.ContainsRune("=:,", r) }) {
		if why := a.linksAway(part); why != "" {
			return a.fail(w.Span, why)
		}
	}
	for _, at := range append(within(v), text, strings.TrimPrefix(text, "@"), attached(v)) {
		if !leadsAway(at) {
			continue
		}
		for _, dir := range a.c.Dir.Values {
			full := at
			if strings.HasPrefix(at, "~") {
				return a.fail(w.Span, at+" lies outside the project")
			}
			if !strings.HasPrefix(at, "/") {
				full = strings.TrimSuffix(dir, "/") + "/" + at
			}
			if full = shell.Clean(full); full == "/dev/null" || full == "/dev/stdout" || full == "/dev/stderr" {
				continue
			}
			if why, ok := a.p.Inside(strings.TrimSuffix(full, "/") + "/x"); !ok {
				return a.fail(w.Span, why)
			}
			if e, ok := sensitive.FindRole(shell.Clean(full), a.p.Home, sensitive.Secret); ok {
				return a.fail(w.Span, "the path is sensitive: it "+e.Why)
			}
		}
	}
	return true
}

// isPlugin reports whether a goal is that of a plugin named by its group, as in
// org.example:plugin:1.0:goal.
func isPlugin(goal string) bool {
	parts := strings.Split(goal, ":")
	return len(parts) > 2 && (strings.Contains(parts[0], ".") || strings.Contains(parts[2], "."))
}

// isFetched reports whether a word names what a program fetches, or has in it, in place of
// a file: packages, and URLs however they are written.
func isFetched(v string) bool {
	scheme, rest, found := strings.Cut(strings.ToLower(v), ":")
	return found && program.HasWord("npm jsr data blob http https", scheme) && rest != "" && !isLoopback(v)
}

// linksAway says where a plain name leads, if it is that of a link which leads outside,
// "" for any other.
func (a *attempt) linksAway(path string) (why string) {
	if strings.ContainsAny(path, "/*?[{ ") || strings.HasPrefix(path, "-") || path == "." || path == ".." {
		return "" // others look at those
	}
	for _, dir := range a.c.Dir.Values {
		at := shell.Abs(dir, path)
		if f, ok := a.p.File(at); !ok || !f.Link {
			continue
		}
		if why, ok := a.p.Inside(at + "/x"); !ok {
			return why
		}
	}
	return ""
}

// within returns the parts of a word that are paths away from the directory, wherever
// they stand in it, as in html:../x or {"reporters":["/tmp/r.js"]}.
func within(v string) []string {
	if !strings.ContainsAny(v, `=:,"`) || !strings.Contains(v, "/") || strings.Contains(v, "://") {
		return nil
	}
	var out []string
	for part := range strings.FieldsFuncSeq(v, func(r rune) bool { return strings.ContainsRune(`=:,"'{}[]`, r) }) {
		for _, at := range [...]string{part, attached(part)} {
			if at != "/" && (strings.HasPrefix(at, "/") && !strings.HasPrefix(at, "//") || strings.HasPrefix(at, "~/") || at == ".." || strings.HasPrefix(at, "../")) {
				out = append(out, at)
			}
		}
	}
	return out
}

// attached returns what is attached to a short option, as in -C/etc.
func attached(v string) string {
	if len(v) <= 2 || v[0] != '-' || v[1] == '-' {
		return ""
	}
	if at := strings.Index(v, "../"); at > 2 {
		return v[at:] // the option has more than one letter, as in -MF../x
	}
	return v[2:]
}

// leadsAway reports whether a word may be a path that is not below the directory,
// or one through a link.
func leadsAway(v string) bool {
	return strings.HasPrefix(v, "/") || strings.HasPrefix(v, "~") || strings.Contains(v, "..") && !strings.Contains(v, "...") || strings.HasPrefix(v, "../") ||
		strings.Contains(v, "/") && !strings.HasPrefix(v, "-") && !strings.ContainsAny(v, " *?[@:") || strings.HasPrefix(v, ".env")
}

// isLoopback reports whether a URL is one of this machine.
func isLoopback(url string) bool {
	_, rest, ok := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	if i := strings.LastIndexByte(host, ':'); i > 0 && !strings.HasSuffix(host, "]") {
		host = host[:i]
	}
	return ok && (host == "localhost" || host == "127.0.0.1" || host == "[::1]")
}
