// Package workspace proves that a command changes nothing but files inside the
// directories that a person declared, the spaces, and loses nothing that cannot
// be had again. Its table is a closed world, as that of pkg/readonly is: for
// each program the options with which it does no more than its arguments say.
//
// A proof is about one simple command as [eval.Read] resolved it. A line stays
// inside where each of its commands does, or only reads. The package looks at no
// file: what lies at a path is asked of a [Prover]'s surroundings.
package workspace

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/sensitive"
)

// A File is what lies at a path once its links are followed.
type File struct {
	Kind Kind
	// Link says that the last name of the path is itself a symbolic link.
	Link bool
	// Shared says that a regular file has other names, which may lie anywhere.
	Shared bool
	// Empty says that nothing lies in a directory.
	Empty bool
}

// A Kind is what a [File] is.
type Kind uint8

// The kinds. The zero value is what is neither.
const (
	special Kind = iota
	Absent
	Regular
	Directory
)

// A Prover proves commands. Every function must be set. It is safe for
// concurrent use if they are.
type Prover struct {
	// Home is the user's home directory, as in [eval.Env].
	Home string
	// Inside reports whether an absolute path lies strictly below one of the
	// spaces, as it is written and once its links are followed; if not, why.
	Inside func(path string) (why string, ok bool)
	// Leads returns the path to which an absolute path leads.
	Leads func(path string) string
	// Own reports whether all that lies at a path inside is the agent's own, as in
	// its temporary directory.
	Own func(path string) bool
	// Scratch are directories that others share, in which the session may make files
	// and change those that it has made.
	Scratch []string
	// Made reports whether the session has made the file at a path.
	Made func(path string) bool
	// File returns what lies at an absolute path; ok is false where that is not
	// known.
	File func(path string) (f File, ok bool)
	// Kept reports whether git holds a file in its index, and whether as it is on
	// the disk. Of a directory it reports whether a file below is held.
	Kept func(path string) (held, unmodified bool)
	// GitRuns returns what git runs for a command that changes the repository of a
	// directory: configured programs, and hooks.
	GitRuns func(dir string) (runs []string, ok bool)
	// GitDirs returns the directories that git reads and writes there.
	GitDirs func(dir string) (dirs []string, ok bool)
	// OnlyReads reports whether the line would be proved to only read at an index
	// if another command stood there.
	OnlyReads func(l *eval.Line, i int, c command.Command) bool
	// Below calls visit for what lies below a directory, as [policy.World] does.
	Below func(dir string, visit func(path string, typ fs.FileMode) error) (ok bool)
	// MayRead says what keeps a command from reading what an effect names, "" if
	// nothing does.
	MayRead func(e command.Effect) string
}

// A Proof is what became of proving a command.
type Proof struct {
	Proved bool
	// Why is a clause that says why it is not proved, and Span the part of the
	// line that keeps it from being.
	Why  string
	Span shell.Span
	// Makes are the files whose content is afterwards the session's own.
	Makes []string
}

// Prove proves the command with index i of a line on its own. Parts of a line
// that only read are not proved here.
func (p *Prover) Prove(l *eval.Line, i int) Proof {
	a := attempt{p: p, line: l, c: &l.Commands[i], index: i}
	if a.surroundings() && a.redirects() && a.command() {
		a.proof.Proved = true
		return a.proof
	}
	return Proof{Why: a.proof.Why, Span: a.proof.Span}
}

// Outputs proves that the files which a command's redirections and the arguments
// of its options write stay inside.
func (p *Prover) Outputs(l *eval.Line, i int) Proof {
	a := attempt{p: p, line: l, c: &l.Commands[i], index: i}
	ok := a.surroundings() && a.redirects()
	if ok {
		named := bare(a.c)
		named.Effects(func(e command.Effect) bool {
			if e.Kind != command.Reads && e.Kind != command.Connects && !e.Target.KeepsNothing() {
				ok = e.Kind == command.Writes && a.paths(e.Dir, e.Target, puts, e.Span) || a.failed(e.Span, "it "+e.Kind.String()+" something other than a file of the project")
			}
			return ok
		})
	}
	a.proof.Proved = ok
	return a.proof
}

// ProveFile proves that a tool which writes the file at an absolute path stays
// inside. edit says that it changes a part of what is there, remove that it may
// remove it.
func (p *Prover) ProveFile(path string, edit, remove bool) Proof {
	a := attempt{p: p, c: &command.Command{}, line: &eval.Line{}}
	how := puts
	switch {
	case remove:
		how = removes
	case edit:
		how = edits
	}
	a.proof.Proved = a.place(path, how, shell.Span{})
	return a.proof
}

// An attempt is one attempt at a proof.
type attempt struct {
	p        *Prover
	line     *eval.Line
	c        *command.Command
	index    int
	reads    bool // it must change nothing
	own      bool // its script may load modules of the project, and loadsOwn that it does
	loadsOwn bool
	search   []string  // where else it looks for them
	loses    bool      // it may lose what it changes, as long as that lies inside
	dirs     shell.Set // where a script may run
	proof    Proof
}

// failed notes why there is no proof, unless that is known; it returns false.
func (a *attempt) failed(span shell.Span, why string) bool {
	if a.proof.Why == "" {
		a.fail(span, why)
	}
	return false
}

func (a *attempt) fail(span shell.Span, why string) bool {
	a.proof.Why, a.proof.Span = why, span
	return false
}

// surroundings rules out what no program is proved with.
func (a *attempt) surroundings() bool {
	c := a.c
	if d := a.line.Divergence; d != nil {
		return a.fail(d.Span, "shells read it differently: "+d.Construct.Why)
	}
	switch {
	case c.Opaque != "":
		return a.fail(c.Span, c.Opaque)
	case c.Doubt != "":
		return a.fail(c.Span, "it "+c.Doubt)
	case c.Function || c.Place&(command.Defined|command.InFunction) != 0:
		return a.fail(c.Span, "functions and aliases are not checked")
	case c.In(command.Background):
		return a.fail(c.Span, "it runs in the background")
	case c.In(command.OutSubst):
		return a.fail(c.Span, "it reads what another command writes into it")
	case c.Context != program.Local:
		return a.fail(c.Span, "it does not run on this machine")
	case c.Secret:
		return a.fail(c.Span, "a variable's name suggests a secret")
	}
	for k := range c.Assigns {
		if s := &c.Assigns[k]; len(c.Words) > 0 && !c.Keyword && !program.HarmlessVariable(s.Name) && !chooses(c, s) {
			return a.fail(s.Span, "the assignment to "+s.Name+" may change what the program does")
		}
	}
	for k := range a.line.Commands {
		if k != a.index && mayPlant(&a.line.Commands[k]) && !a.movesFiles(k) && (k < a.index || c.Place&command.InLoop != 0) {
			return a.fail(a.line.Commands[k].Span, "it may put links where a later command of the line writes")
		}
	}
	return true
}

// movesFiles reports whether command k moves nothing but regular files that are there, so
// that there is no link among them.
func (a *attempt) movesFiles(k int) bool {
	c := &a.line.Commands[k]
	n := 0
	for _, o := range c.Args.Operands {
		if o.Role != program.RoleMove {
			continue
		}
		w := &c.Words[o.At]
		if !w.Known() || c.Dir.Open || len(c.Dir.Values) == 0 {
			return false
		}
		for _, at := range shell.Paths(c.Dir, w.Set) {
			if f, ok := a.p.File(at); !ok || f.Kind != Regular || f.Link {
				return false
			}
			n++
		}
	}
	return n > 0 && k < a.index && !a.changedUpTo(k)
}

// changedUpTo reports whether a command of the line before k may change a file.
func (a *attempt) changedUpTo(k int) bool {
	return slices.ContainsFunc(a.line.Commands[:k], func(c command.Command) bool { return c.MayChange() })
}

// redirects checks the files that the command's redirections open.
func (a *attempt) redirects() bool {
	for k := range a.c.Redirects {
		r := &a.c.Redirects[k]
		if r.Reads() {
			if why := a.p.MayRead(command.Effect{Kind: command.Reads, Dir: a.c.Dir, Target: r.Target.Set, Span: r.Target.Span}); why != "" {
				return a.fail(r.Target.Span, why)
			}
		}
		if !r.Writes() || r.Target.KeepsNothing() {
			continue
		}
		how := puts
		switch r.Op {
		case ">>", "&>>":
			how = appends
		case "<>":
			how = edits
		}
		if !a.paths(a.c.Dir, r.Target.Set, how, r.Target.Span) {
			return false
		}
	}
	return true
}

// command proves the command without the redirections that write.
func (a *attempt) command() bool {
	c := a.c
	row := lookup(c)
	if row == nil {
		if !hasWrites(c) {
			return a.fail(c.Span, "policyctl cannot show that it stays inside the project")
		}
		if !a.p.OnlyReads(a.line, a.index, bare(c)) {
			return a.fail(c.Span, "it may do more than read and write the file")
		}
		return true
	}
	if !a.written() || !a.options(row) || row.check != nil && !row.check(a) {
		return false
	}
	return row.Git || row.whole || a.effects(row)
}

// bare returns a command without the redirections that write.
func bare(c *command.Command) command.Command {
	out := *c
	out.Redirects = nil
	for _, r := range c.Redirects {
		if !r.Writes() || r.Target.KeepsNothing() {
			out.Redirects = append(out.Redirects, r)
		}
	}
	return out
}

func hasWrites(c *command.Command) bool {
	for k := range c.Redirects {
		if c.Redirects[k].Writes() && !c.Redirects[k].Target.KeepsNothing() {
			return true
		}
	}
	return false
}

// written checks that every word is known, and none may become several.
func (a *attempt) written() bool {
	path, ok := a.c.Words[0].Literal()
	if !ok || !program.Means(program.SystemName(path), a.c.Name) {
		return a.fail(a.c.Words[0].Span, "it may be any program, whatever its name")
	}
	for k := 1; k < len(a.c.Words); k++ {
		w := &a.c.Words[k]
		if w.Glob && k == len(a.c.Words)-1 && a.c.Args.Program.Into {
			return a.fail(w.Span, "the last file that the pattern matches would be written")
		}
		if len(w.Values) > 1 && slices.ContainsFunc(w.Values, func(v string) bool { return strings.HasPrefix(v, "-") }) {
			return a.fail(w.Span, "the word may be an option")
		}
		if !w.Known() && !w.Glob || w.Open || w.Many && !w.Glob || w.Splits {
			return a.fail(w.Span, "its target is unknown")
		}
	}
	return true
}

// options checks that each option is one of the row's.
func (a *attempt) options(row *row) bool {
	args := &a.c.Args
	if args.Unlisted || args.Open {
		return a.fail(a.c.Span, "one of its options is unknown")
	}
	for k := range args.Options {
		o := &args.Options[k]
		known := o.Spec != nil && (row.has(o) || o.Spec.Reads && row.Git)
		if !known {
			return a.fail(a.c.Span, "with the option "+o.Name+" it may do more than its arguments say")
		}
		if o.Is("mode") && o.HasArg && !plainMode(o.Arg.Set) {
			return a.fail(o.Arg.Span, "the mode sets more than permissions")
		}
	}
	return true
}

// effects checks what the program does to the files that it names.
func (a *attempt) effects(row *row) bool {
	all := bare(a.c)
	ok := true
	leaving := moves
	if row.manner == into && a.intoOwn(&all) {
		leaving = removes // what lies there may be gone tomorrow
	}
	all.Effects(func(e command.Effect) bool {
		switch e.Kind {
		case command.Reads:
			why := a.p.MayRead(e)
			if why == "" && namesDevice(e) {
				why = "it reads a device"
			}
			if why == "" && row.manner == into && a.readsForeign(e) {
				why = "others may have made what it copies"
			}
			ok = why == "" || a.fail(e.Span, why)
		case command.Writes:
			if e.Target.KeepsNothing() {
				return true
			}
			ok = a.paths(e.Dir, e.Target, row.how(a.c), e.Span)
		case command.Deletes:
			ok = a.paths(e.Dir, e.Target, removes, e.Span)
		case command.Moves:
			ok = a.paths(e.Dir, e.Target, leaving, e.Span)
		case command.Alters:
			ok = a.paths(e.Dir, e.Target, row.how(a.c), e.Span)
		default:
			ok = a.fail(e.Span, "it "+e.Kind.String()+" something other than a file of the project")
		}
		return ok
	})
	return ok
}

// readsForeign reports whether an effect reads from the directory for temporary files what
// the session has not made.
func (a *attempt) readsForeign(e command.Effect) bool {
	for _, at := range shell.Paths(e.Dir, e.Target) {
		at = shell.Clean(at)
		if _, inside := a.p.Inside(at); inside {
			continue
		}
		for _, dir := range a.p.Scratch {
			if strings.HasPrefix(at, dir+"/") && !a.p.Made(at) && !a.p.Own(at) {
				if f, ok := a.p.File(at); !ok || f.Kind != Absent {
					return true
				}
			}
		}
	}
	return false
}

// intoOwn reports whether a command may write to the agent's own directory, or to what
// a build makes: what lies there may be removed without a question.
func (a *attempt) intoOwn(c *command.Command) bool {
	found := false
	c.Effects(func(e command.Effect) bool {
		for _, v := range e.Target.Values {
			for _, d := range append([]string{"/"}, e.Dir.Values...) {
				at := shell.Abs(d, v)
				found = found || e.Kind == command.Writes && (a.p.Own(at+"/x") || a.rebuilt(at))
			}
		}
		return !found
	})
	return found
}

// namesDevice reports whether an effect may be on what is no file of a disk.
func namesDevice(e command.Effect) bool {
	for _, v := range e.Target.Values {
		for _, d := range append([]string{""}, e.Dir.Values...) {
			at := shell.Abs(d, v)
			if strings.HasPrefix(at, "/dev/") || strings.HasPrefix(at, "/proc/") || strings.HasPrefix(at, "/sys/") {
				return true
			}
		}
	}
	return false
}

// A manner is how a command changes a file.
type manner uint8

// The manners.
const (
	creates manner = iota // it makes what is not there, and loses nothing of what is
	appends               // it adds to what is there
	edits                 // it changes a part of what is there
	puts                  // it replaces what is there
	into                  // it replaces what is there, unless that is a directory
	fills                 // it makes files below a directory whose names it does not tell
	moves                 // it moves what is there away
	removes               // it removes what is there
)

// mannerOf returns the manner of a name, as in [program.Inside.Manner].
func mannerOf(name string) manner {
	names := [...]string{creates: "creates", appends: "appends", edits: "edits", puts: "puts", into: "into", fills: "fills", moves: "moves", removes: "removes"}
	return manner(max(0, slices.Index(names[:], name)))
}

// paths checks each path that a set may name in the directories that are
// possible.
func (a *attempt) paths(dir, s shell.Set, how manner, span shell.Span) bool {
	if s.Glob {
		return a.pattern(dir, s, how, span)
	}
	if !s.Known() {
		return a.fail(span, "the file is unknown")
	}
	for _, v := range s.Values {
		if v == "" || strings.HasPrefix(v, "~") {
			return a.fail(span, "the file is unknown")
		}
		if strings.HasPrefix(v, "/") {
			if !a.place(v, how, span) {
				return false
			}
			continue
		}
		if dir.Open || dir.Glob || len(dir.Values) == 0 {
			return a.fail(span, "the directory is unknown")
		}
		for _, d := range dir.Values {
			if !a.place(strings.TrimSuffix(d, "/")+"/"+v, how, span) {
				return false
			}
		}
	}
	return true
}

// maxMatches bounds the files that a pattern of the shell may match, maxEdited those
// of a directory that a formatter changes.
const (
	maxMatches = 1000
	maxEdited  = 10_000
)

// pattern checks the files of one directory that a pattern of the shell matches.
// One that begins with the directory cannot become an option.
func (a *attempt) pattern(dir, s shell.Set, how manner, span shell.Span) bool {
	ok := !s.Open && !dir.Open && len(dir.Values) > 0 && len(s.Values) > 0
	for _, v := range s.Values {
		at := strings.LastIndexByte(v, '/')
		if at < 0 || strings.ContainsAny(v[:at], `*?[\`) {
			ok = false
		}
		for _, d := range dir.Values {
			if !ok {
				break
			}
			below := shell.Abs(d, v[:at+1])
			in := v[:at+1]
			if !strings.HasPrefix(v, "/") {
				in = strings.TrimSuffix(d, "/") + "/" + in
			}
			if why, inside := a.p.Inside(in + "x"); !inside {
				return a.fail(span, why)
			}
			n := 0
			found := true
			ok = a.p.Below(below, func(name string, typ fs.FileMode) error {
				match, err := path.Match(v[at+1:], path.Base(name))
				switch n++; {
				case err != nil || n > maxMatches:
					found = false
					return fs.SkipAll
				case match && !a.place(in+path.Base(name), how, span):
					found = false
					return fs.SkipAll
				case typ.IsDir():
					return fs.SkipDir
				}
				return nil
			})
			if !found {
				return a.failed(span, "the pattern matches too many files")
			}
		}
	}
	return ok || a.fail(span, "which files the pattern matches is unknown")
}

// place checks one absolute path.
func (a *attempt) place(name string, how manner, span shell.Span) bool {
	if a.loses {
		return a.stays(name, span)
	}
	shown := shell.Clean(name)
	at := name
	if how == creates || how == into || how == fills || how == edits {
		// A space itself may be where files are made, or changed.
		if f, ok := a.p.File(name); ok && f.Kind == Directory {
			at = strings.TrimSuffix(name, "/") + "/x"
		}
	}
	if why, ok := a.p.Inside(at); !ok {
		return a.scratch(name, how, span) || a.failed(span, why)
	}
	real := a.p.Leads(name)
	if w := (&shell.Word{Span: span}); a.runsCode(shown, w) || real != shown && a.runsCode(real, w) {
		return false
	}
	f, ok := a.p.File(name)
	switch {
	case !ok:
		return a.fail(span, "what is at "+shown+" is unknown")
	case f.Kind == Absent && !f.Link && how != creates && how != appends && how != edits && a.movedBefore(shown):
		return a.fail(span, "the line moves something to "+shown+" before")
	case f.Kind == Absent && !f.Link:
		if how != removes && how != moves {
			a.proof.Makes = append(a.proof.Makes, shown)
		}
		return true
	case f.Link:
		return a.p.Own(name) && (how == removes || how == moves) || a.fail(span, shown+" is a link")
	case f.Kind == special:
		return a.fail(span, shown+" is neither a file nor a directory")
	case f.Kind == Directory:
		return a.directory(name, f, how, span)
	case f.Shared:
		return a.fail(span, shown+" has another name, which may lie outside")
	}
	return a.file(name, how, span)
}

// movedBefore reports whether an earlier command of the line may move to a path what lies
// elsewhere, and may be nowhere else.
func (a *attempt) movedBefore(path string) bool {
	for k := range a.index {
		c := &a.line.Commands[k]
		if !slices.ContainsFunc(c.Args.Operands, func(o command.Operand) bool { return o.Role == program.RoleMove }) {
			continue
		}
		found := false
		c.Effects(func(e command.Effect) bool {
			if e.Kind == command.Writes {
				for _, at := range shell.Paths(e.Dir, e.Target) {
					at = shell.Clean(at)
					found = found || at == path || strings.HasPrefix(path, at+"/") || strings.HasPrefix(at, path+"/")
				}
			}
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

// scratch checks a path in the directory for temporary files: new, or the session's own.
// Where others may write, what is there may be theirs.
func (a *attempt) scratch(name string, how manner, span shell.Span) bool {
	shown := shell.Clean(name)
	in := ""
	for _, dir := range a.p.Scratch {
		if rest, ok := strings.CutPrefix(shown, dir+"/"); ok && !strings.HasPrefix(rest, ".") {
			in = dir
		}
	}
	if in == "" || strings.Contains(name, "..") || how == fills || a.runsCode(shown, &shell.Word{Span: span}) {
		return false
	}
	if real := a.p.Leads(name); strings.TrimPrefix(real, "/private") != strings.TrimPrefix(shown, "/private") {
		return false
	}
	f, ok := a.p.File(name)
	switch {
	case !ok || f.Link || f.Shared || f.Kind == special:
		return false
	case f.Kind != Absent:
		return a.p.Made(shown) && (f.Kind == Regular || how != puts && how != edits)
	case how == removes || how == moves:
		return false // it is none of the session's
	}
	for at := path.Dir(shown); at != in; at = path.Dir(at) {
		f, ok := a.p.File(at)
		if a.p.Made(at) && ok && f.Kind == Directory && !f.Link {
			break
		}
		if !ok || f.Link || f.Kind != Absent {
			return false
		}
	}
	a.proof.Makes = append(a.proof.Makes, shown)
	return true
}

// runsCode refuses paths of which the content is secret, or decides what runs.
func (a *attempt) runsCode(shown string, w *shell.Word) bool {
	if e, ok := sensitive.FindRole(shown, a.p.Home, sensitive.Secret|sensitive.Trigger|sensitive.Project); ok {
		a.fail(w.Span, "the path is sensitive: it "+e.Why)
		return true
	}
	switch {
	case isGits(shown):
		a.fail(w.Span, shown+" belongs to git")
	case strings.EqualFold(path.Base(shown), "package.json"):
		a.fail(w.Span, "it may change what npm runs")
	default:
		return false
	}
	return true
}

// isGits reports whether a path is git's own directory, or lies in one, also
// where names are compared without case.
func isGits(path string) bool {
	for name := range strings.SplitSeq(strings.ToLower(path), "/") {
		name, _, _ = strings.Cut(name, ":") // a stream of NTFS
		if name = strings.TrimRight(name, ". "); name == ".git" || name == "git~1" {
			return true
		}
	}
	return false
}

// directory checks a directory that is there.
func (a *attempt) directory(path string, f File, how manner, span shell.Span) bool {
	shown := shell.Clean(path)
	switch how {
	case creates, into, moves, appends:
		return true
	case edits:
		return a.single(path, span)
	case puts:
		return a.fail(span, shown+" is a directory")
	case fills:
		if f.Empty || a.p.Own(path+"/x") || a.rebuilt(path) {
			return true
		}
		return a.fail(span, "it may replace files in "+shown+", which is not empty")
	}
	if f.Empty || a.p.Own(path) || a.rebuilt(path) {
		return true
	}
	return a.fail(span, "the contents of "+shown+" cannot be restored")
}

// single checks that no file below a directory has another name, and that no link
// there leads outside.
func (a *attempt) single(dir string, span shell.Span) bool {
	n := 0
	ok := a.p.Below(dir, func(name string, typ fs.FileMode) error {
		if n++; n > maxEdited {
			a.fail(span, "there are too many files in "+shell.Clean(dir))
			return fs.SkipAll
		}
		base := path.Base(name)
		switch {
		case typ.IsDir() && (base == ".git" || program.IsBuilt(base) && base != "build" && base != "dist"):
			return fs.SkipDir
		case typ&fs.ModeSymlink != 0:
			if a.staysBelow(name) || !a.takes(name) {
				return nil
			}
			a.fail(span, shell.Clean(name)+" is a link that leads outside")
			return fs.SkipAll
		case !typ.IsRegular():
			return nil
		}
		if f, known := a.p.File(name); !known || f.Shared {
			a.fail(span, shell.Clean(name)+" has another name, which may lie outside")
			return fs.SkipAll
		}
		return nil
	})
	return ok && a.proof.Why == "" || a.failed(span, "the contents of "+shell.Clean(dir)+" are unknown")
}

// takes reports whether the command may change what a link below a directory leads to.
func (a *attempt) takes(link string) bool {
	f, known := a.p.File(link)
	return !known || program.Rewrites(a.c.Name, link, f.Kind == Directory)
}

// staysBelow reports whether a link leads to a file or a directory inside, or to what
// is not there, and not to what decides what runs.
func (a *attempt) staysBelow(name string) bool {
	f, known := a.p.File(name)
	if !known || f.Kind == special || f.Shared {
		return false
	}
	real := a.p.Leads(name)
	_, inside := a.p.Inside(name)
	_, found := sensitive.FindRole(real, a.p.Home, sensitive.Secret|sensitive.Trigger|sensitive.Project)
	return inside && !found && !isGits(real)
}

// file checks a regular file that is there.
func (a *attempt) file(path string, how manner, span shell.Span) bool {
	shown := shell.Clean(path)
	if how == creates || how == appends || how == moves || a.p.Own(path) || a.p.Made(shown) {
		return true
	}
	held, unmodified := a.p.Kept(path)
	switch {
	case how == edits && held && !unmodified:
		return true // what it changes stays there but for that
	case unmodified:
		if how == puts || how == into || how == edits {
			a.proof.Makes = append(a.proof.Makes, shown)
		}
		return true
	case !held && a.rebuilt(path):
		return true
	case held:
		return a.fail(span, shown+" has uncommitted changes")
	}
	return a.fail(span, shown+" is not in git, and this session did not create it")
}

// rebuilt reports whether a path is, or lies below, a directory that a build
// makes, of which git holds nothing.
func (a *attempt) rebuilt(path string) bool {
	shown := shell.Clean(path)
	for at := 1; at <= len(shown); at++ {
		if at < len(shown) && shown[at] != '/' {
			continue
		}
		dir := shown[:at]
		if name := dir[strings.LastIndexByte(dir, '/')+1:]; !program.IsBuilt(name) {
			continue
		}
		if _, ok := a.p.Inside(dir); !ok {
			continue
		}
		held, _ := a.p.Kept(dir)
		return !held
	}
	return false
}
