package workspace

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/confine"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// scriptRow is the row of interpreters that are given a script by the line.
var scriptRow = row{Inside: program.Inside{Options: "c u B I E s S e eval p print"}, whole: true, check: confined}

// ownRow is that of those whose scripts may load modules of the project.
var ownRow = row{Inside: program.Inside{Options: scriptRow.Options + " input-type no-warnings"}}

// RunsScript reports whether a program is an interpreter whose scripts may be proved
// to stay inside. Python 2 means other things by the same words.
func RunsScript(name string) bool {
	known := program.Resolve(name)
	return known == "python" && !strings.HasPrefix(name, "python2") || known == "node"
}

// Reads proves that a command runs a script of the line which only reads, and
// which no loop keeps from ending.
func (p *Prover) Reads(l *eval.Line, i int) Proof {
	a := attempt{p: p, line: l, c: &l.Commands[i], index: i, reads: true}
	a.proof.Proved = a.surroundings() && !hasWrites(a.c) && a.redirects() && a.written() && (a.printsJSON() || a.options(&scriptRow) && confined(&a))
	return a.proof
}

// printsJSON reports whether the command runs Python's module json.tool, whose
// second operand is written.
func (a *attempt) printsJSON() bool {
	args := &a.c.Args
	if args.Program == nil || args.Program.Names != "-m json.tool" || args.Unlisted || args.Open || len(args.Operands) > 1 {
		return false
	}
	if a.dirs = a.been(); a.dirs.Open || len(a.dirs.Values) == 0 || !a.imports(nil, a.c.Span) {
		return false
	}
	for _, o := range args.Operands {
		path, ok := a.c.Words[o.At].Literal()
		if !ok || path != "-" && !a.opens(&confine.Access{Path: path}, a.c.Words[o.At].Span) {
			return false
		}
	}
	return true
}

// script returns the text that the interpreter runs, and where the line has it.
func (a *attempt) script() (text string, at shell.Span, ok bool) {
	args := &a.c.Args
	for k := range args.Options {
		o := &args.Options[k]
		switch {
		case o.Spec.Role != program.RoleCode:
			continue
		case ok || !o.HasArg:
			return "", at, a.fail(a.c.Span, "it runs several scripts")
		}
		at = o.Arg.Span
		if text, ok = o.Arg.Literal(); !ok {
			return "", at, a.fail(at, "the script is unknown")
		}
	}
	if ok {
		return text, at, true
	}
	if len(args.Operands) > 0 {
		if v, ok := a.c.Words[args.Operands[0].At].Literal(); !ok || v != "-" {
			return "", at, a.fail(a.c.Span, "it runs a file")
		}
	}
	if in := a.c.Input; in == nil || !in.Known() || len(in.Values) != 1 {
		return "", at, a.fail(a.c.Span, "the script is unknown")
	}
	return a.c.Input.Values[0], a.c.Span, true
}

// confined checks a script: what it opens, and what else it could load.
func confined(a *attempt) bool {
	text, at, ok := a.script()
	if !ok {
		return false
	}
	read := confine.Read
	if a.own {
		read = confine.ReadOwn
	}
	accesses, refused := read(text, a.c.Args.Program.Language)
	if refused != nil {
		return a.fail(at, "in the script: "+refused.Why)
	}
	if a.reads && !confine.Ends(text, a.c.Args.Program.Language) {
		return a.fail(at, "the script has a loop that may never end, or waits")
	}
	a.dirs = a.been()
	if a.dirs.Open || len(a.dirs.Values) == 0 {
		return a.fail(a.c.Span, "the directory is unknown")
	}
	if a.c.Args.Program.Language == program.Python && !a.imports(accesses, at) {
		return false
	}
	if !a.searchDirs(accesses, at) {
		return false
	}
	for k := range accesses {
		if x := &accesses[k]; x.Act != confine.Searches && !a.opens(x, at) {
			return false
		}
	}
	return true
}

// searchDirs notes the directories beside its own in which a script looks for modules,
// and checks that they are of the project.
func (a *attempt) searchDirs(accesses []confine.Access, at shell.Span) bool {
	var dirs []string
	for k := range accesses {
		if accesses[k].Act == confine.Searches {
			dirs = append(dirs, accesses[k].Path)
		}
	}
	for k := range a.c.Assigns {
		if s := &a.c.Assigns[k]; s.Name == "PYTHONPATH" && a.own {
			v, _ := s.Value.Literal()
			dirs = append(dirs, strings.Split(v, ":")...)
		}
	}
	for _, dir := range dirs {
		if why, ok := a.everyInside(a.dirs, strings.TrimSuffix(dir, "/")+"/x"); !ok || dir == "" {
			return a.fail(at, why)
		}
		a.search = append(a.search, dir)
	}
	return true
}

// been returns where the script may run: where a cd leads, and where the line was
// before if that cd may have failed.
func (a *attempt) been() shell.Set {
	dirs := shell.Set{Open: a.c.Dir.Open, Values: slices.Clone(a.c.Dir.Values)}
	for k := 0; k < a.index && a.c.In(command.Adrift); k++ {
		d := a.line.Commands[k].Dir
		dirs.Open = dirs.Open || d.Open
		for _, v := range d.Values {
			if !slices.Contains(dirs.Values, v) {
				dirs.Values = append(dirs.Values, v)
			}
		}
	}
	return dirs
}

// opens checks the files of one access.
func (a *attempt) opens(x *confine.Access, at shell.Span) bool {
	check := func(dir shell.Set, path string) bool {
		return a.paths(dir, shell.Set{Values: []string{path}}, manners[x.Act], at)
	}
	if x.Act == confine.Runs {
		a.loadsOwn = true
		return a.module(x.Path, at)
	}
	if a.reads && x.Act != confine.Reads && x.Act != confine.Loads {
		return a.fail(at, "the script changes "+x.Path)
	}
	if x.Act == confine.Loads {
		for _, d := range a.dirs.Values {
			name := shell.Abs(d, x.Path)
			if f, ok := a.p.File(name); !ok || f.Kind != Regular {
				return a.fail(at, x.Path+" is not a file, and another would be loaded")
			}
			if path.Ext(a.p.Leads(name)) != ".json" {
				return a.fail(at, x.Path+" is a link to what may be loaded as code")
			}
		}
	}
	if x.Act == confine.Reads || x.Act == confine.Loads {
		check = func(dir shell.Set, path string) bool {
			if shell.IsInput(path) {
				return true
			}
			if why, ok := a.everyInside(dir, path); !ok {
				return a.fail(at, why)
			}
			e := command.Effect{Kind: command.Reads, Dir: dir, Target: shell.Set{Values: []string{path}}, Span: at}
			why := a.p.MayRead(e)
			return why == "" || a.fail(at, why)
		}
	}
	if x.Each {
		spelt := shell.Set{Values: []string{fixedPart(x.Path) + path.Base(x.Path)}, Glob: true}
		if why := a.p.MayRead(command.Effect{Kind: command.Reads, Dir: a.dirs, Target: spelt}); why != "" {
			return a.fail(at, why)
		}
		return a.eachOf(x.Path, at, func(name string) bool { return check(shell.Set{}, name) })
	}
	return check(a.dirs, x.Path)
}

// module checks that a module which a script loads is a file of the project.
func (a *attempt) module(name string, at shell.Span) bool {
	for _, d := range a.dirs.Values {
		found := false
		for _, dir := range append([]string{"."}, a.search...) {
			here, ok := a.moduleIn(shell.Abs(d, dir), name, at)
			if !ok {
				return false
			}
			found = found || here
		}
		if !found {
			return a.fail(at, name+" is no file of the project, and another module would be loaded")
		}
	}
	return true
}

// moduleIn reports whether a module lies in a directory; ok is false if it leads outside.
func (a *attempt) moduleIn(dir, name string, at shell.Span) (found, ok bool) {
	place := dir
	for part := range strings.SplitSeq(name, "/") {
		if part == "." {
			continue
		}
		place += "/" + part
		if why, ok := a.p.Inside(place + "/x"); !ok {
			return false, a.fail(at, why)
		}
		found = false
		for _, ending := range moduleEndings {
			f, known := a.p.File(shell.Clean(place) + ending)
			if !known {
				return false, a.fail(at, "what is at "+shell.Clean(place)+" is unknown")
			}
			if _, inside := a.p.Inside(place + ending); f.Kind != Absent && (!inside || f.Kind == special) {
				return false, a.fail(at, shell.Clean(place)+ending+" is no file of the project")
			}
			found = found || f.Kind != Absent
		}
		if !found {
			return false, true
		}
	}
	return found, true
}

// moduleEndings are what the file of a module may have behind its name.
var moduleEndings = [...]string{"", ".py", ".js", ".mjs", ".cjs", ".ts", ".json"}

// runsOwn proves that a command runs a script of the line which does no more than
// work with modules of the project, and says which form lets it.
func (a *attempt) runsOwn(forms []Form) (form int, ok bool) {
	c := a.c
	if !RunsScript(c.Called()) || len(c.Words) == 0 || c.Args.Program == nil {
		return -1, false
	}
	form = slices.IndexFunc(forms, func(f Form) bool {
		return len(f.words) == 2 && f.option == "" && meansOne(f.words[0], c.Called()) && slices.Contains(f.words[1], fileWord)
	})
	path, literal := c.Words[0].Literal()
	if form < 0 || !literal || !program.Means(path, c.Name) && !a.isFile(path, true) || !a.unmoved() || c.Dir.Open || len(c.Dir.Values) == 0 {
		return -1, false
	}
	for _, dir := range c.Dir.Values {
		if why, ok := a.p.Inside(strings.TrimSuffix(dir, "/") + "/x"); !ok {
			return -1, a.fail(c.Span, why)
		}
	}
	for k := range c.Assigns {
		if !a.setting(&c.Assigns[k]) {
			return -1, false
		}
	}
	a.own = true
	if !a.redirects() || !a.options(&ownRow) || !confined(a) || !a.loadsOwn {
		return -1, false
	}
	text, at, _ := a.script()
	return form, a.spelled(text, at)
}

// spelled checks the texts that a script spells between quotes: what it hands to modules of
// the project may be what an argument of a file of the project may be.
func (a *attempt) spelled(text string, at shell.Span) bool {
	for _, sign := range [...]string{`\x`, `\u`, `\U`, `\N`, `\0`, `\1`, "chr(", "fromCharCode", "fromCodePoint"} {
		if strings.Contains(text, sign) {
			return a.fail(at, "a text of the script is not spelt out")
		}
	}
	for name := range strings.FieldsFuncSeq(text, func(r rune) bool { return r != '_' && (r|0x20 < 'a' || r|0x20 > 'z') && (r < '0' || r > '9') }) {
		if publishes(strings.ReplaceAll(name, "_", ":")) {
			return a.fail(at, name+" may make something known to the world")
		}
	}
	for _, quote := range [...]string{`"`, "'", "`"} {
		parts := strings.Split(text, quote)
		for k := 1; k < len(parts); k += 2 {
			if !a.argument(&shell.Word{Span: at}, strings.TrimSpace(strings.ReplaceAll(parts[k], "\n", " ")), 1) {
				return false
			}
		}
	}
	return true
}

// manners are how the acts of a script change a file.
var manners = [...]manner{confine.Creates: creates, confine.Appends: appends, confine.Replaces: puts, confine.Removes: removes}

// eachOf checks the files that a pattern of a script matches, as the file system has
// them. Beside a link that it may follow nothing is known.
func (a *attempt) eachOf(pattern string, at shell.Span, check func(name string) bool) bool {
	base := fixedPart(pattern)
	elems := strings.Split(strings.ToLower(pattern[len(base):]), "/")
	if base == "" {
		base = "."
	}
	deep := slices.Contains(elems, "**")
	for _, d := range a.dirs.Values {
		dir := shell.Abs(d, base)
		if why, ok := a.p.Inside(dir + "/x"); !ok {
			return a.fail(at, why)
		}
		n := 0
		ok := a.p.Below(dir, func(name string, typ fs.FileMode) error {
			names := strings.Split(strings.ToLower(strings.TrimPrefix(strings.TrimPrefix(name, dir), "/")), "/")
			if n++; n > maxMatches {
				a.fail(at, "the pattern matches too many files")
			} else if matches(elems, names) || deep && typ&fs.ModeSymlink != 0 {
				switch {
				case typ&fs.ModeSymlink != 0:
					a.fail(at, shell.Clean(name)+" is a link")
				case !typ.IsDir():
					check(name)
				}
			}
			switch {
			case a.proof.Why != "":
				return fs.SkipAll
			case typ.IsDir() && !deep && len(names) == len(elems):
				return fs.SkipDir
			}
			return nil
		})
		if !ok || a.proof.Why != "" {
			return a.failed(at, "which files the pattern matches is unknown")
		}
	}
	return true
}

// fixedPart returns the directories before the first element of a pattern that has
// a star, with a slash behind them.
func fixedPart(pattern string) string {
	before, _, found := strings.Cut(pattern, "*")
	if !found {
		return ""
	}
	return before[:strings.LastIndexByte(before, '/')+1]
}

// matches reports whether the elements of a pattern match those of a path; ** stands
// for any number of them.
func matches(pattern, names []string) bool {
	if len(pattern) == 0 {
		return len(names) == 0
	}
	if pattern[0] == "**" {
		return len(pattern) == 1 || matches(pattern[1:], names) || len(names) > 0 && matches(pattern, names[1:])
	}
	if len(names) == 0 {
		return false
	}
	match, err := path.Match(pattern[0], names[0])
	return (match || err != nil) && matches(pattern[1:], names[1:])
}

// everyInside reports whether a path lies inside, wherever the command runs; if not,
// why.
func (a *attempt) everyInside(dirs shell.Set, path string) (why string, ok bool) {
	if strings.HasPrefix(path, "/") {
		return a.p.Inside(path)
	}
	for _, d := range dirs.Values {
		if why, ok := a.p.Inside(strings.TrimSuffix(d, "/") + "/" + path); !ok {
			return why, false
		}
	}
	return "", true
}

// imports checks that Python finds its own modules, and no file of the directory in
// place of one: neither one that is there, nor one that the line makes.
func (a *attempt) imports(accesses []confine.Access, at shell.Span) bool {
	for _, d := range a.dirs.Values {
		found := ""
		ok := a.p.Below(d, func(name string, typ fs.FileMode) error {
			base := path.Base(name)
			switch {
			case !isModule(base, typ):
			case typ.IsDir() && a.isPackage(name), !typ.IsDir():
				found = base
				return fs.SkipAll
			}
			if typ.IsDir() {
				return fs.SkipDir
			}
			return nil
		})
		if !ok {
			return a.fail(a.c.Span, "the contents of "+d+" are unknown")
		}
		if found != "" {
			return a.fail(a.c.Span, found+" would be loaded instead of a Python module")
		}
	}
	for k := range accesses {
		if x := &accesses[k]; x.Act != confine.Reads && isModule(path.Base(x.Path), 0) {
			return a.fail(at, path.Base(x.Path)+" would be loaded instead of a Python module")
		}
	}
	for k := range a.line.Commands {
		c := &a.line.Commands[k]
		if k == a.index || !c.Changes() {
			continue
		}
		fine := true
		c.Effects(func(e command.Effect) bool {
			if e.Kind == command.Reads || e.Kind == command.Connects || e.Target.KeepsNothing() {
				return true
			}
			fine = e.Target.Known()
			for _, v := range e.Target.Values {
				fine = fine && !isModule(path.Base(v), fs.ModeDir)
			}
			return fine
		})
		if !fine {
			return a.fail(c.Span, "it may create a file that Python loads instead of one of its own modules")
		}
	}
	return true
}

// isModule reports whether Python may load a file, or a directory, in place of a
// module of its own.
func isModule(base string, typ fs.FileMode) bool {
	switch strings.ToLower(path.Ext(base)) {
	case "":
		return (typ.IsDir() || typ&fs.ModeSymlink != 0) && confine.Shadows(base)
	case ".py", ".pyc", ".so", ".pyd":
		return confine.Shadows(base)
	}
	return false
}

// isPackage reports whether a directory is a package of Python's.
func (a *attempt) isPackage(dir string) bool {
	found := false
	ok := a.p.Below(dir, func(name string, typ fs.FileMode) error {
		if found = found || confine.MakesPackage(path.Base(dir), path.Base(name)); found {
			return fs.SkipAll
		}
		if typ.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
	return !ok || found
}
