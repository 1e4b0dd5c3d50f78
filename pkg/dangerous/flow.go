package dangerous

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/script"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// A flow follows what one command writes through the commands behind it.
type flow struct {
	s *hazard.Scene
	// files are absolute paths, trees directories below which files have names
	// that the line does not tell.
	files map[string]bool
	trees []string
	// spelt are the words of paths that are unknown, as the line has them.
	spelt map[string]bool
	// made are directories that did not exist before.
	made []string
	// prints has the commands whose output is what flows.
	prints map[int]bool
}

// flowsInto matches a command for which the test holds where a later command
// of the line runs what it writes, be it under another name.
func flowsInto(source func(*hazard.Scene, *cmd) bool) matcher {
	return func(s *hazard.Scene, c *cmd) (span, bool) {
		if c.Function || len(s.Line.Commands) == 1 || asksHelp(c) || !source(s, c) {
			return span{}, false
		}
		at := indexOf(s, c)
		if len(s.Line.Commands)-at > maxCommands {
			return c.Span, writesFile(c)
		}
		f := flow{s: s, files: map[string]bool{}, spelt: map[string]bool{}, prints: map[int]bool{}}
		f.start(at)
		for i := at + 1; i < len(s.Line.Commands); i++ {
			d := &s.Line.Commands[i]
			if f.runs(i) && !evaluates(s, d, fetches) { // which download-to-interpreter says
				return d.Span, true
			}
			if f.reaches(i) {
				f.pass(i)
			}
		}
		return span{}, false
	}
}

func writesFile(c *cmd) bool {
	for e := range c.Effects {
		if e.Kind == command.Writes && !e.Target.KeepsNothing() {
			return true
		}
	}
	return false
}

// start begins with the output of the command with index at, and the files
// that it writes.
func (f *flow) start(at int) {
	c := &f.s.Line.Commands[at]
	f.pass(at)
	for _, p := range filesOf(c, does(script.Writes, script.Requests)) {
		f.files[p] = true
	}
	switch {
	case c.Does("strews"):
		f.trees = append(f.trees, c.Dir.Values...)
	case c.How("speaks") == "git", c.Of("clones") && c.Says(">repo>clone,>co,>checkout,>clone"):
		f.clones(c)
	case c.Args.Program == nil, c.Of("relays"), c.Of("transfers"):
		f.named(c)
	}
}

// clones adds the directory that a repository is cloned to: the last word, or
// one that bears its name.
func (f *flow) clones(c *cmd) {
	last := &c.Words[len(c.Words)-1]
	for _, v := range last.Values {
		for _, p := range shell.Paths(c.Dir, shell.Set{Values: []string{strings.TrimSuffix(shell.Base(v), ".git"), v}}) {
			f.trees = append(f.trees, p)
			f.made = append(f.made, p)
		}
	}
}

// named adds what the words of a program without roles may name: files, and
// those that bear the name of a URL.
func (f *flow) named(c *cmd) {
	for i := 1; i < len(c.Words); i++ {
		for _, v := range c.Words[i].Values {
			if _, rest, ok := strings.Cut(v, ":"); ok {
				v = shell.Base(rest)
			}
			v, _, _ = strings.Cut(v, "?")
			if v == "" || v[0] == '-' {
				continue
			}
			for _, p := range shell.Paths(c.Dir, shell.Set{Values: []string{v}}) {
				f.files[p] = true
			}
		}
	}
}

// builds reports whether a command runs what the files of a directory say that
// came with the rest.
func (f *flow) builds(c *cmd) bool {
	if !program.OfKind(c.Name, "builds") {
		return false
	}
	dirs := c.Dir.Values
	if o := c.Args.Option("directory"); o != nil && o.HasArg {
		dirs = shell.Paths(c.Dir, o.Arg.Set)
	}
	for _, dir := range dirs {
		if slices.Contains(f.made, dir) || f.below(dir) {
			return true
		}
	}
	return false
}

// pass adds what the command with index i writes.
func (f *flow) pass(i int) {
	c := &f.s.Line.Commands[i]
	for f.prints[i] = true; c.Parent >= 0 && f.s.Line.Commands[c.Parent].Args.Payload > 0; {
		i = c.Parent
		c = &f.s.Line.Commands[i]
		f.prints[i] = true
	}
	c = payload(f.s.Line.Commands, i)
	for e := range c.Effects {
		if e.Kind != command.Writes || e.Target.KeepsNothing() {
			continue
		}
		if e.Target.Open {
			f.spelt[f.spelling(e.Span)] = true
		}
		for _, p := range shell.Paths(e.Dir, e.Target) {
			f.files[p] = true
			if e.Recursive {
				f.trees = append(f.trees, p)
			}
		}
	}
}

// spelling returns a word as the line has it, without quotes.
func (f *flow) spelling(at span) string {
	return strings.NewReplacer(`"`, "", "{", "", "}", "").Replace(f.s.Line.Source[at.From:at.To])
}

// has reports whether a path of an effect is one of what flows.
func (f *flow) has(e command.Effect) bool {
	if e.Target.Open && f.spelt[f.spelling(e.Span)] {
		return true
	}
	for _, p := range shell.Paths(e.Dir, e.Target) {
		if f.holds(p) {
			return true
		}
	}
	return false
}

func (f *flow) holds(path string) bool {
	return f.files[path] || f.below(path)
}

// below reports whether a path lies in one of the trees.
func (f *flow) below(path string) bool {
	for _, dir := range f.trees {
		if rest, ok := strings.CutPrefix(path, strings.TrimSuffix(dir, "/")); ok && strings.HasPrefix(rest, "/") {
			return true
		}
	}
	return false
}

// reaches reports whether the command with index i reads what flows.
func (f *flow) reaches(i int) bool {
	c := &f.s.Line.Commands[i]
	if f.piped(i) {
		return true
	}
	packs := c.Args.Program != nil && c.Args.Program.Suffix != ""
	for e := range c.Effects {
		if (e.Kind == command.Reads || e.Kind == command.Moves || packs && e.Kind == command.Writes) && f.has(e) {
			return true
		}
	}
	return false
}

// piped reports whether the input of the command with index i is what flows.
func (f *flow) piped(i int) bool {
	c := &f.s.Line.Commands[i]
	if !c.In(command.Piped) {
		return false
	}
	if c.Source >= 0 {
		return f.prints[c.Source]
	}
	for k := i - 1; k >= 0 && k >= i-maxChain; k-- {
		if f.prints[k] && f.s.Line.Commands[k].In(command.Piping) {
			return true
		}
	}
	return false
}

// runs reports whether the command with index i runs what flows.
func (f *flow) runs(i int) bool {
	c := &f.s.Line.Commands[i]
	if c.Is(program.IsShell) && c.Args.Has("n") {
		return false // it only checks the syntax
	}
	for e := range c.Effects {
		if e.Kind == command.Runs && f.has(e) {
			return true
		}
	}
	for d := c; d != nil && readsProgram(c); d = around(f.s, d) {
		for e := range d.Effects {
			if e.Kind == command.Reads && f.has(e) { // by a redirection
				return true
			}
		}
	}
	if c.Path != "" && !strings.Contains(c.Path, "/") && f.installed(c.Called()) || f.starts(c) || f.builds(c) {
		return true
	}
	return readsProgram(c) && f.piped(i) || evaluates(f.s, c, f.reading) || f.loads(c)
}

// loads reports whether code evaluates, loads or starts a file that flows.
func (f *flow) loads(c *cmd) bool {
	acts := []script.Act{script.Loads}
	if calling(c, does(script.Evaluates)) {
		acts = append(acts, script.Reads)
	}
	for _, p := range filesOf(c, does(acts...)) {
		known := strings.Contains(shell.Base(p), ".") && f.holds(p) // other names are those of modules
		if known || f.files[p] || slices.ContainsFunc(loaded, func(ext string) bool { return f.files[p+ext] }) {
			return true
		}
	}
	return calling(c, func(call *script.Call) bool {
		for _, word := range startedFiles(call) {
			if slices.ContainsFunc(shell.Paths(c.Dir, shell.Set{Values: []string{word}}), f.holds) {
				return true
			}
		}
		return false
	})
}

// loaded are what languages add to the name of a file that a script loads.
var loaded = []string{".py", ".js", ".mjs", ".rb", ".pm", ".lua"}

// reading holds for a command that reads what flows.
func (f *flow) reading(c *cmd) bool {
	i := indexOf(f.s, c)
	return i >= 0 && f.reaches(i)
}

// installed reports whether a bare name leads to a file that flowed to where
// programs lie.
func (f *flow) installed(name string) bool {
	for p := range f.files {
		if strings.HasSuffix(p, "bin/"+name) {
			return true
		}
	}
	return false
}

// starts reports whether a command runs or installs a file that one of its words
// names, though its grammar does not say so.
func (f *flow) starts(c *cmd) bool {
	if !c.Of("strips") && !c.Is(program.Installs) {
		return false
	}
	for i := 1; i < len(c.Words); i++ {
		w := &c.Words[i]
		if w.Open && f.spelt[f.spelling(w.Span)] {
			return true
		}
		for _, p := range shell.Paths(c.Dir, w.Set) {
			if f.files[p] {
				return true
			}
		}
	}
	return false
}

// keepsDecoded holds for a command that writes decoded text to a file: its own,
// or what it reads from another.
func keepsDecoded(s *hazard.Scene, c *cmd) bool {
	return writesFile(c) && (decodes(s, c) || feeds(s, c, func(d *cmd) bool { return decodes(s, d) })) || decodesInCode(s, c)
}

// decodesInCode holds for code that decodes, whose files only its text names.
func decodesInCode(s *hazard.Scene, c *cmd) bool {
	return c.Is(program.IsInterpreter) && decodes(s, c)
}

// decodes holds for a program that makes other text of an encoded one.
func decodes(s *hazard.Scene, c *cmd) bool {
	if c.Does("decodes") {
		return true
	}
	if program.LanguageOf(c.Name) == program.Python && both(says("base64", "-mbase64"), says("-d"))(c) {
		return true
	}
	return calling(c, does(script.Decodes))
}

// obtains holds for a command that brings a file from another host.
func obtains(s *hazard.Scene, c *cmd) bool {
	if c.Is(program.IsEngine) || c.Is(program.IsCluster) {
		return sub("cp", "container cp")(c) && firstOperand(isRemote)(c)
	}
	switch {
	case c.How("copies") == "host":
		return operand(isRemote)(c)
	case c.How("obtains") == "output":
		return writesFile(c)
	case c.How("obtains") == "verbs":
		if c.Says(">repo>clone,>clone,>co,>checkout,>export") {
			return true
		}
	case c.Of("obtains"):
		return c.Does("obtains")
	}
	return fetches(c) || calling(c, does(script.Requests))
}
