package workspace

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/internal/support/weburl"
	"github.com/policyctl/policyctl/pkg/sensitive"
)

// Plain proves that a command is what an agent does all day: a program of the table,
// with arguments, settings, files and output that stay inside and are not sensitive,
// and no code that the line holds. What the program then does is not proved: make runs
// what the project says. reads says that the command is known to read a service alone.
func (p *Prover) Plain(l *eval.Line, i int, reads bool) Proof {
	a := attempt{p: p, line: l, c: &l.Commands[i], index: i, loses: true}
	if !a.standing() || !a.known(reads) || !a.written() || !a.plainWords() || !a.codeless() || !a.stayingEffects() {
		return Proof{Why: a.proof.Why, Span: a.proof.Span}
	}
	return Proof{Proved: true}
}

// Stays proves that a file which is written at an absolute path lies inside, is
// nobody else's by another name, and is neither sensitive nor git's own.
func (p *Prover) Stays(path string) Proof {
	a := attempt{p: p, c: &command.Command{}, line: &eval.Line{}}
	f, ok := p.File(path)
	a.proof.Proved = a.stays(path, shell.Span{}) && (ok && f.Kind != Directory || a.fail(shell.Span{}, shell.Clean(path)+" is no file"))
	return a.proof
}

// standing rules out where in a line, and how, a command may not stand.
func (a *attempt) standing() bool {
	c := a.c
	if !a.surroundings() {
		return false
	}
	switch {
	case len(c.Words) == 0 || c.Keyword:
		return a.fail(c.Span, "it is no program")
	case c.Place&(command.InPayload|command.Unending|command.Swept|command.Adrift) != 0:
		return a.fail(c.Span, "where or how often it runs is unknown")
	case slices.ContainsFunc(c.Dir.Values, func(dir string) bool { return isGits(strings.TrimSuffix(dir, "/") + "/x") }):
		return a.fail(c.Span, "the directory belongs to git")
	case c.Script != nil:
		return a.fail(c.Span, "the line writes what it runs")
	case c.Parent >= 0 && !a.line.Commands[c.Parent].Is(func(p *program.Program) bool { return p.Transparent || p.Runner != "" }):
		return a.fail(c.Span, "another command runs it")
	}
	return true
}

// known rules out programs of which the table does not say that they do what their
// arguments tell them, here and with the rights of who starts them.
func (a *attempt) known(reads bool) bool {
	c := a.c
	p := c.Row()
	switch {
	case p == nil || !c.Identified() && program.Bare(program.BareName(c.Path)) != program.Bare(c.Name):
		return a.fail(c.Span, "the program is unknown")
	case reads, hasWrites(c) && a.p.OnlyReads(a.line, a.index, bare(c)):
		return true
	case p.Engine && a.reconfigured():
		return a.fail(c.Span, "it may do what another file says")
	case program.HasVerb(p.Plain, a.verb(p)):
		return c.How("speaks") != "git" || a.keepsWork()
	case p.Plain != "", len(p.Subs) > 0 && p.Language == program.NoLanguage && !changesFiles(c):
		return a.fail(c.Span, "the sub-command may do more than its words show")
	case p.Engine, program.IsCluster(p), p.Shares, p.Commands != nil, p.Context != program.Local, p.ChangesRights(), p.Rough, p.Client != program.NoClient, p.Channel != program.NoChannel,
		p.Packages == program.System, p.Runner == ".", p.Network != "", p.Behind != "", !filters(p) && program.HasVerb(p.NoGrant, c.Args.Sub):
		return a.fail(c.Span, "it may do more than its arguments show")
	case p.Language != program.NoLanguage && !filters(p) || program.IsShell(p):
		return a.runsFile()
	}
	return c.Of("goals") || p.Loads != "" || c.Args.Program != nil && c.Args.Program.Changes() || a.fail(c.Span, "what it does beside what its arguments name is unknown")
}

// keepsWork reports whether git is given no option that overcomes what it would refuse,
// and no path that it would replace with another revision.
func (a *attempt) keepsWork() bool {
	c := a.c
	verb, _, _ := strings.Cut(c.Args.Sub, " ")
	r := &row{}
	if is := c.Row().Sub(verb).InsideOf(verb); is != nil {
		r = rowOf(is)
		r.Options = cmp.Or(is.Keeps, is.Options)
	}
	if !a.options(r) {
		return false
	}
	operands := a.operands()
	for _, w := range operands {
		v, _ := w.Literal()
		switch {
		case strings.HasPrefix(v, "+"):
			return a.fail(w.Span, "it overwrites what others have")
		case verb == "push" && (w.Glob || v == ":" || strings.Contains(v, "*") || program.HasWord(liveTargets, strings.TrimPrefix(v[strings.LastIndexByte(v, ':')+1:], "refs/heads/"))):
			return a.fail(w.Span, "it may push more than a branch, or to where what is pushed runs")
		case program.HasWord("push pull fetch", verb) && strings.ContainsFunc(v, func(c rune) bool { return c > unicode.MaxASCII }):
			return a.fail(w.Span, "it only looks like a name that is known")
		}
	}
	switch verb {
	case "restore":
		return c.Args.Has("S", "staged") && !c.Args.Has("W", "worktree") || a.fail(c.Span, "it may replace files")
	case "checkout":
		return c.Args.Has("b") || len(operands) == 1 && a.namesNoFile(operands[0]) || a.fail(c.Span, "it may replace files")
	case "branch", "tag":
		return !slices.ContainsFunc(c.Words, func(w shell.Word) bool { return w.Has("-f") || w.Has("--force") }) || a.fail(c.Span, "it may lose commits")
	}
	return true
}

// liveTargets are the usual names of remotes and branches from which what is pushed is
// put to use.
const liveTargets = "heroku dokku prod production"

// namesNoFile reports whether a word of git is a revision, since no file has its name.
func (a *attempt) namesNoFile(w *shell.Word) bool {
	v, ok := w.Literal()
	dir, known := a.c.Dir.Literal()
	if !ok || !known || v == "" || v == "." || strings.HasPrefix(v, ":") || strings.ContainsAny(v, `*?[\`) {
		return false
	}
	f, found := a.p.File(shell.Abs(dir, v))
	return found && f.Kind == Absent && !slices.ContainsFunc(a.c.Words, func(w shell.Word) bool { return w.Has("--") })
}

// reconfigured reports whether a word before the sub-command, or an option behind it,
// says with which files or where an engine works.
func (a *attempt) reconfigured() bool {
	for k := 1; k < len(a.c.Words); k++ {
		for _, v := range a.c.Words[k].Values {
			before := k < a.c.Args.Verb || v != "" && v[0] == '-' && strings.ContainsAny(v, "fHc=") || strings.Contains(v, "dir") || strings.Contains(v, "env")
			if before && v != "compose" {
				return true
			}
		}
	}
	return false
}

// changesFiles reports whether a command has the grammar of a program that changes files.
func changesFiles(c *command.Command) bool { return c.Args.Program != nil && c.Args.Program.Edits }

// filters reports whether a program filters text by a script of its own.
func filters(p *program.Program) bool { return p.Language == program.Sed || p.Language == program.AWK }

// verb returns the sub-command of a command by its usual name.
func (a *attempt) verb(p *program.Program) string {
	if usual := p.Usual(a.c.Args.Sub); usual != "" {
		return usual
	}
	return a.c.Args.Sub
}

// runsFile reports whether an interpreter is given a file to run, or a module, and no
// option that says how.
func (a *attempt) runsFile() bool {
	c := a.c
	for k := range c.Args.Options {
		if o := &c.Args.Options[k]; !o.Is("m") || !o.HasArg {
			return a.fail(c.Span, "with the option "+o.Name+" it may do more than its arguments show")
		}
	}
	if c.Args.Unlisted || c.Args.Open {
		return a.fail(c.Span, "one of its options is unknown")
	}
	return c.Args.Option("m") != nil || len(c.Args.Operands) > 0 && c.Args.Operands[0].Role == program.RoleExec || a.fail(c.Span, "it runs no file of the project")
}

// leadsInside reports whether a path lies inside, seen from each directory of the command.
func (a *attempt) leadsInside(path string) bool {
	return !slices.ContainsFunc(a.c.Dir.Values, func(dir string) bool {
		_, ok := a.p.Inside(absolute(dir, path))
		return !ok
	})
}

// plainText are the characters of values that no program takes for code or a path.
const plainText = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._:,+-"

// plainWords checks each word as that of a command of the project, and lets the
// addresses of web servers through that the table says are addresses.
func (a *attempt) plainWords() bool {
	c := a.c
	if why := a.insists(); why != "" {
		return a.fail(c.Span, why)
	}
	tasks := c.Is(func(p *program.Program) bool { // as far as is known
		return (p.Opaque || p.Loads != "") && p.Plain == "" && p.Language == program.NoLanguage
	})
	goals, runs := c.Of("goals"), c.Is(program.IsRunner)
	for _, w := range c.Words[1:] {
		for _, v := range w.Values {
			name, value, assigns := strings.Cut(v, "=")
			if at := strings.IndexAny(v, "/~."); len(v) > 2 && v[0] == '-' && v[1] != '-' && at > 1 && !assigns && leadsAway(v[at:]) && !a.leadsInside(v[at:]) {
				return a.fail(w.Span, v+" leads out of the project") // several options in one word, the last with a path
			}
			switch {
			case strings.HasPrefix(v, "-"):
			case !strings.Contains(v, "/") && targetOf(v).has(announcing):
				return a.fail(w.Span, "it may make something known to the world")
			case (goals || runs || tasks && !strings.ContainsAny(v, "./")) && !a.installs() && (targetOf(v).has(publishing+" "+ruining) || endangers(v) != ""):
				return a.fail(w.Span, "it may destroy something, or change what others use")
			}
			switch {
			case c.Of("forges") && a.isRepository(v):
				return a.fail(w.Span, v+" is a repository, not the name of a package")
			case strings.HasPrefix(v, "@") && c.Is(func(p *program.Program) bool { return p.Packages != program.Library }) && c.How("speaks") != "git":
				return a.fail(w.Span, "the file may hold further arguments")
			case goals && assigns && program.HasWord(commandVariables, strings.TrimRight(name, ":+?!")) && !isProgram(value):
				return a.fail(w.Span, "the value is run, and unknown")
			case v == "-":
				return a.fail(w.Span, "it reads its input as a file")
			case (goals || runs) && strings.ContainsAny(v, ";|&<>"):
				return a.fail(w.Span, "the word may be code")
			case assigns && goals && !strings.HasPrefix(name, "-") && strings.Trim(value, plainText) != "":
				return a.fail(w.Span, "the value may be code")
			}
		}
	}
	rest := *c
	rest.Words = slices.Clone(c.Words)
	if p := c.Args.Program; p != nil && p.Client == program.HTTP {
		for _, o := range c.Args.Operands {
			w := &rest.Words[o.At]
			if v, ok := w.Literal(); ok && o.Role == program.RoleHost && a.isOrdinary(v) {
				w.Set = shell.Set{Values: []string{"host"}}
			}
		}
	}
	b := *a
	b.c = &rest
	if b.plain() {
		return true
	}
	a.proof = b.proof
	return false
}

// commandVariables are the variables of make whose values it runs.
const commandVariables = "AR AS CC CPP CXX DOCKER FC GIT GO INSTALL LD LEX MAKE NODE NPM PIP PYTHON RM SHELL YACC"

// installs reports whether the sub-command fetches packages by their names.
func (a *attempt) installs() bool {
	return a.c.Is(func(p *program.Program) bool { return p.Network != "" && program.HasVerb(p.Network, a.verb(p)) })
}

// isRepository reports whether a word names a repository of a forge, such as owner/name,
// github:owner/name or name@owner/name.
func (a *attempt) isRepository(v string) bool {
	p := a.c.Row()
	if p == nil || p.Network != "" && !a.installs() || v == "" || strings.ContainsAny(v[:1], "-./~") {
		return false
	}
	if at := strings.LastIndexByte(v, '@'); at > 0 {
		return strings.ContainsAny(v[at:], "/:") && !strings.HasPrefix(v[at:], "@npm:") && !strings.HasPrefix(v[at:], "@workspace:")
	}
	if v[0] == '@' || !strings.ContainsAny(v, "/:") {
		return false
	}
	dir, known := a.c.Dir.Literal()
	f, found := a.p.File(shell.Abs(dir, v))
	return !known || !found || f.Kind == Absent
}

// insists returns why a switch lets the program do what it would refuse, or give files
// rights that others can use; or nothing.
func (a *attempt) insists() string {
	c := a.c
	p := c.Row()
	if p == nil {
		return ""
	}
	if p.Packages == program.Library && (c.Args.Has("force") || c.Of("forges") && c.Args.Has("f")) {
		return "it overcomes what the program would refuse"
	}
	if p.Client == program.HTTP && c.Args.Has("k", "insecure") {
		return "it trusts whoever answers"
	}
	for _, w := range c.Words[1:] {
		for _, v := range w.Values {
			if program.HasWord("--force --unsafe-perm --unsafe-perm=true --strict-ssl=false --no-strict-ssl --ignore-scripts=false --insecure", v) && (p.Packages == program.Library) {
				return "it overcomes what the program would refuse"
			}
		}
	}
	if o := c.Args.Option("mode"); o != nil && o.HasArg && p.Touches == program.Named {
		if mode, _ := o.Arg.Literal(); opensMode(mode) {
			return "others could use the file with your rights"
		}
	}
	return ""
}

// opensMode reports whether a mode of a file is not known to let only its owner write it,
// with no rights but those of who runs it.
func opensMode(mode string) bool {
	n, err := strconv.ParseUint(mode, 8, 32)
	if err != nil {
		return strings.ContainsAny(mode, "stoa")
	}
	return n&0o7002 != 0
}

// codeless rules out code on the line, but for scripts of filters that only print.
func (a *attempt) codeless() bool {
	c := a.c
	if p := c.Args.Program; p != nil && (p.Is("", "patches") || p.Fills != "" && c.Row().Plain == "") {
		return a.fail(c.Span, "which files it changes is unknown")
	}
	if p := c.Args.Program; p != nil && filters(p) {
		plain := bare(c)
		prints := plain.Bare(func(word string, o *command.Option) bool {
			return p.Language != program.Sed || !o.Is("i") && !o.Is("in-place")
		})
		return a.p.OnlyReads(a.line, a.index, prints) || a.fail(c.Span, "its script may do more than change the files that it names")
	}
	if len(c.Code()) > 0 || len(c.Escapes()) > 0 {
		return a.fail(c.Span, "the line holds code that it evaluates")
	}
	runs := func(r program.Role) bool {
		return r == program.RoleCode || r == program.RoleText || r == program.RoleJoined || r == program.RoleConfig
	}
	for k := range c.Args.Options {
		if o := &c.Args.Options[k]; o.Spec != nil && (o.HasArg && (runs(o.Spec.Role) || o.Spec.Role == program.RoleHost) || o.Spec.Role == program.RoleSend) {
			return a.fail(c.Span, "with the option "+o.Name+" it may do more than its arguments show")
		}
	}
	for _, o := range c.Args.Operands {
		if runs(o.Role) {
			return a.fail(c.Words[o.At].Span, "the line holds code that it evaluates")
		}
	}
	if p := c.Args.Program; p != nil && (p.Input == program.RoleText || p.Input == program.RoleCode) && len(c.Args.Operands) == 0 && c.Args.Option("m") == nil {
		return a.fail(c.Span, "it evaluates its input")
	}
	if o := c.Args.Option("m"); o != nil && o.HasArg && c.Args.Program != nil && c.Args.Program.Language == program.Python {
		if v, _ := o.Arg.Literal(); !isProgram(v) && !a.isModule(v) {
			return a.fail(o.Arg.Span, "the module is unknown")
		}
	}
	return !a.inline() || a.fail(c.Span, "the line holds code that it evaluates")
}

// isProgram reports whether a name is that of a program of whose arguments, or of what
// they may load, something is known.
func isProgram(name string) bool {
	p := program.Find(name)
	return p != nil && (!p.Opaque || p.Loads != "")
}

// stayingEffects checks what the command says that it does to files and hosts.
func (a *attempt) stayingEffects() bool {
	ok := true
	a.c.Effects(func(e command.Effect) bool {
		ok = a.stayingEffect(e)
		return ok
	})
	return ok
}

func (a *attempt) stayingEffect(e command.Effect) bool {
	switch {
	case e.Target.KeepsNothing():
		return true
	case e.Sent, e.Linked:
		return a.fail(e.Span, "what it reads may go elsewhere")
	case e.Kind == command.Connects:
		for _, v := range e.Target.Values {
			if !a.isOrdinary(v) {
				return a.fail(e.Span, "it names another host")
			}
		}
		return e.Target.Known() || a.fail(e.Span, "the host is unknown")
	case e.Kind == command.Reads:
		why := a.p.MayRead(e)
		if why == "" && namesDevice(e) {
			why = "it reads a device"
		}
		return why == "" || a.fail(e.Span, why)
	case e.Kind == command.Runs && program.Bare(program.BareName(first(e.Target))) == program.Bare(a.c.Name):
		return true
	case e.Kind == command.Deletes && e.Target.Glob:
		return a.fail(e.Span, "it deletes whatever a pattern matches")
	case e.Kind == command.Runs && e.Target.Glob:
		return a.fail(e.Span, "which file it runs is unknown")
	}
	return a.staying(e)
}

// isOrdinary reports whether a host is one of the web or, for a program that is no
// client of hosts alone, a name that the configuration of the project explains.
func (a *attempt) isOrdinary(host string) bool {
	if p := a.c.Row(); p == nil || p.Client == program.NoClient {
		return host != "" && !strings.ContainsAny(host, "/:@.~ ")
	}
	_, ok := weburl.Host(host)
	return ok
}

// staying checks that each path which an effect may name stays inside.
func (a *attempt) staying(e command.Effect) bool {
	if !e.Target.Known() && !e.Target.Glob || e.Target.Open || e.Dir.Open || e.Dir.Glob || len(e.Dir.Values) == 0 || len(e.Target.Values) == 0 {
		return a.fail(e.Span, "the file is unknown")
	}
	for _, v := range e.Target.Values {
		if v == "" || strings.HasPrefix(v, "~") {
			return a.fail(e.Span, "the file is unknown")
		}
		at := strings.IndexAny(v, `*?[`)
		if e.Target.Glob && at >= 0 && strings.Contains(v[:at], "/") {
			v = v[:strings.LastIndexByte(v[:at], '/')] + "/x" // what lies there is no link, as far as its name tells
		} else if e.Target.Glob {
			v = "x"
		}
		for _, d := range e.Dir.Values {
			if !a.stays(absolute(d, v), e.Span) {
				return false
			}
		}
	}
	return true
}

func first(s shell.Set) string {
	v, _ := s.Literal()
	return v
}

// absolute returns a path as seen from a directory, as it is written.
func absolute(dir, path string) string {
	if strings.HasPrefix(path, "/") {
		return path
	}
	return strings.TrimSuffix(dir, "/") + "/" + path
}

// stays checks one absolute path that is written, removed or run.
func (a *attempt) stays(name string, span shell.Span) bool {
	f, ok := a.p.File(name)
	shown := shell.Clean(name)
	at := name
	if ok && f.Kind == Directory {
		at = strings.TrimSuffix(name, "/") + "/x" // a space itself may be where files are made
	}
	if why, ok := a.p.Inside(at); !ok {
		return a.fail(span, why)
	}
	for _, path := range []string{shown, a.p.Leads(name)} {
		if e, is := sensitive.FindRole(path, a.p.Home, sensitive.Secret|sensitive.Trigger|sensitive.Guard|sensitive.Project); is {
			return a.fail(span, "the path is sensitive: it "+e.Why)
		}
		if isGits(path) {
			return a.fail(span, path+" belongs to git")
		}
	}
	switch {
	case !ok:
		return a.fail(span, "what is at "+shown+" is unknown")
	case f.Link:
		return a.fail(span, shown+" is a link")
	case f.Shared:
		return a.fail(span, shown+" has another name, which may lie outside")
	case f.Kind == special:
		return a.fail(span, shown+" is neither a file nor a directory")
	}
	return true
}
