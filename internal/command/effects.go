package command

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/internal/support/weburl"
)

// IsProgram reports whether an effect is that the command runs its own program. Where all
// words come from one place, the place does not tell.
func (c *Command) IsProgram(e Effect) bool {
	return e.Kind == Runs && e.Span == c.Words[0].Span && shell.SameSet(&e.Target, &c.Words[0].Set)
}

// Effects calls yield for each effect of the command itself; those of what it
// runs are effects of the commands that follow it. It stops when yield
// returns false.
func (c *Command) Effects(yield func(Effect) bool) {
	for i := range c.Redirects {
		r := &c.Redirects[i]
		kind, ok := Writes, r.Writes()
		if r.Reads() && !ok {
			kind, ok = Reads, true
		}
		if ok && !yield(Effect{Kind: kind, Target: r.Target.Set, Dir: c.Dir, Span: r.Target.Span}) {
			return
		}
	}
	if len(c.Words) == 0 || c.Function {
		return
	}
	if !c.Keyword && (strings.Contains(c.Path, "/") || c.Args.Program == nil) {
		if !yield(Effect{Kind: Runs, Target: c.Words[0].Set, Dir: c.Dir, Span: c.Words[0].Span}) {
			return
		}
	}
	for _, e := range c.saved() {
		if !yield(e) {
			return
		}
	}
	if c.Args.Program == nil {
		c.customary(yield)
		return
	}
	c.argEffects(yield)
}

// MayChange reports whether the command could have an effect other than reading,
// running or connecting if it had other arguments. It is quicker than looking at each.
func (c *Command) MayChange() bool {
	if len(c.Redirects) > 0 || len(c.saved()) > 0 {
		return true
	}
	p := c.Args.Program
	return p == nil && c.changesByCustom() || p != nil && (c.Args.Unlisted || c.Args.Verb > 0 || c.Finds() || c.How("config") == "unit" || p.Changes())
}

// Changes reports whether some effect of the command may be other than reading,
// running or connecting, or than writing to /dev/null. It is quicker than looking at
// each.
func (c *Command) Changes() bool {
	for i := range c.Redirects {
		if r := &c.Redirects[i]; r.Writes() && !r.toNull() {
			return true
		}
	}
	if len(c.saved()) > 0 {
		return true
	}
	p := c.Args.Program
	if (p == nil || c.Args.Unlisted) && c.changesByCustom() {
		return true
	}
	if p == nil {
		return false
	}
	for _, o := range c.Args.Operands {
		if o.Role.Changes() {
			return true
		}
	}
	for i := range c.Args.Options {
		if o := &c.Args.Options[i]; o.HasArg && o.Spec != nil && o.Spec.Role.Changes() {
			return true
		}
	}
	switch {
	case c.Finds(), c.How("web") != "", c.How("config") == "unit", c.Does("lands"):
		return true // by what they are told, or to what they fetch
	}
	return p.Style == program.Pairs || p.Into || p.Fills != "" || p.Suffix != ""
}

// toNull reports whether the redirection can only be to the null device.
func (r *Redirect) toNull() bool {
	v, ok := r.Target.Literal()
	return ok && shell.IsNull(v)
}

func (c *Command) argEffects(yield func(Effect) bool) {
	for _, name := range [2]string{"help", "version"} {
		if o := c.Args.Option(name); o != nil && !o.HasArg {
			return // it prints and leaves
		}
	}
	if !c.downloads(yield) || !c.uploads(yield) {
		return
	}
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		if o.Spec == nil && !c.unlisted(o, yield) {
			return
		}
		if o.Spec == nil || !o.HasArg {
			continue
		}
		kind, ok := effectOf(o.Spec.Role)
		if o.Is("f") && c.given(c.Args.Program.Inward, c.Args.Program.InwardNot) {
			kind = Reads
		}
		if o.Spec.Role == program.RoleConfig {
			if files := c.unitOutput(o.Arg.Set); len(files.Values) > 0 && !yield(Effect{Kind: Writes, Target: files, Dir: c.Dir, Span: o.Arg.Span}) {
				return
			}
		}
		if ok && !yield(Effect{Kind: kind, Target: o.Arg.Set, Dir: c.optionDir(o), Span: o.Arg.Span, Sent: o.Spec.Role == program.RoleSend}) {
			return
		}
		if kind, ok := effectOf(o.Spec.Second); ok && o.Spec.Two && o.End > o.At+2 {
			if w := &c.Words[o.End-1]; !yield(Effect{Kind: kind, Target: w.Set, Dir: c.Dir, Span: w.Span}) {
				return
			}
		}
	}
	if c.operandEffects(yield) && c.shown(yield) && c.searches(yield) {
		c.created(yield)
	}
}

// shown yields the files of a repository that the command names to show them; it is
// false once yield is.
func (c *Command) shown(yield func(Effect) bool) bool {
	if c.Args.Has("no-index") {
		return c.comparesFiles(yield)
	}
	s, _ := c.Shown()
	for i := range s.Paths {
		p := &s.Paths[i]
		if p.Target.Glob && p.Target.Open {
			continue // what the pattern means, only the repository tells
		}
		if !yield(Effect{Kind: Reads, Target: p.Target, Dir: s.Dir, AtRoot: p.AtRoot, Span: p.Span}) {
			return false
		}
	}
	return true
}

// comparesFiles yields the files that git reads as diff and grep do, outside of any
// repository; it is false once yield is.
func (c *Command) comparesFiles(yield func(Effect) bool) bool {
	named := false
	for _, o := range c.Args.Operands {
		w := &c.Words[o.At]
		if o.Role != program.RoleObject || w.Has("-") {
			continue
		}
		named = true
		if !yield(Effect{Kind: Reads, Target: w.Set, Dir: c.DirAt(o.At), Recursive: true, Span: w.Span}) {
			return false
		}
	}
	p := c.Args.Program
	return named || p.Shows == "" || yield(Effect{Kind: Reads, Target: shell.Set{Values: []string{"."}}, Dir: c.DirAt(len(c.Words)), Recursive: true, Span: c.Words[0].Span})
}

// searches yields the directory below which a command searches that is given none;
// it is false once yield is. But for grep, it reads its input instead where that comes
// from the line.
func (c *Command) searches(yield func(Effect) bool) bool {
	p := c.Args.Program
	if p.Operands != "data read*" || !c.recursive() {
		return true
	}
	if given := p.Reads != nil && p.Reads.Recursive != "*"; !given && (c.Source >= 0 || c.Input != nil) {
		return true
	}
	for _, o := range c.Args.Operands {
		if o.Role == program.RoleRead {
			return true
		}
	}
	return yield(Effect{Kind: Reads, Target: shell.Set{Values: []string{"."}}, Dir: c.Dir, Recursive: true, Span: c.Words[0].Span})
}

// operandEffects yields what the command does to its operands; it is false
// once yield is.
func (c *Command) operandEffects(yield func(Effect) bool) bool {
	if len(c.Args.Operands) == 0 {
		return true
	}
	recursive := c.recursive() && !c.Narrowed()
	isRemote := c.remotePaths()
	uploads, links := isRemote != nil && c.copiesToHost(), c.given(c.Args.Program.Links, c.Args.Program.LinksNot)
	for _, o := range c.Args.Operands {
		w := &c.Words[o.At]
		if c.Args.Program.Style == program.Pairs {
			if !c.PairEffects(w, yield) {
				return false
			}
			continue
		}
		kind, ok := effectOf(o.Role)
		if !ok || w.Has("-") && len(w.Values) == 1 {
			continue // only data, or the standard input or output
		}
		if kind == Reads && c.Finds() && c.Args.Has("delete") {
			kind = Deletes
		}
		e := Effect{Kind: kind, Target: w.Set, Dir: c.DirAt(o.At), Recursive: recursive, Span: w.Span, Sent: o.Role == program.RoleSend || uploads && kind == Reads, Linked: links && kind == Reads}
		e.Target.Glob = e.Target.Glob || kind == Deletes && c.Of("expands")
		e.Itself = kind == Deletes && c.Of("itself") && !w.Open && !slices.ContainsFunc(w.Values, endsInDir)
		if kind == Writes && c.restores() {
			e.Recursive, e.Spares = true, ".git"
		}
		if file := filesOf(w.Set); kind == Connects && len(file.Values) > 0 && !yield(Effect{Kind: Reads, Target: file, Dir: c.Dir, Span: w.Span}) {
			return false
		}
		if isRemote == nil && !yield(e) || isRemote != nil && !c.parted(e, isRemote, yield) {
			return false
		}
		if c.Args.Program.Edits && kind == Writes {
			if e.Kind = Reads; !yield(e) {
				return false
			}
		}
	}
	return true
}

// endsInDir reports whether a path can only name a directory, be it behind a link.
func endsInDir(path string) bool {
	switch shell.Base(path) {
	case "", ".", "..":
		return true
	}
	return strings.HasSuffix(path, "/")
}

// filesOf returns the files of this machine among URLs.
func filesOf(urls shell.Set) (files shell.Set) {
	for _, v := range urls.Values {
		if path, ok := weburl.File(v); ok {
			files.Values = append(files.Values, path)
		}
	}
	return files
}

// downloads yields the files that curl, wget and git name after what they
// fetch; it is false once yield is.
func (c *Command) downloads(yield func(Effect) bool) bool {
	if !c.Does("lands") {
		return true
	}
	recursive := c.How("speaks") == "git" || c.Args.Has("recursive", "mirror")
	for _, o := range c.Args.Operands {
		w := &c.Words[o.At]
		if o.Role == program.RoleHost && !yield(Effect{Kind: Writes, Target: fileOf(w.Set), Dir: c.downloadDir(), Recursive: recursive, Span: w.Span}) {
			return false
		}
	}
	return true
}

// fileOf returns the file of the working directory that a URL is fetched to.
func fileOf(url shell.Set) shell.Set {
	v, ok := url.Literal()
	v, _, _ = strings.Cut(v, "?")
	if _, path, host := strings.Cut(v, "://"); host {
		v = path
	}
	_, path, found := strings.Cut(v, "/")
	if name := shell.Base(path); ok && found && name != "" && !strings.HasSuffix(v, "/") {
		return shell.Set{Values: []string{strings.TrimSuffix(name, ".git")}}
	}
	return shell.Set{Values: []string{"."}, Open: true}
}

// restores reports whether git writes what its operands name, files and
// directories.
func (c *Command) restores() bool {
	return c.Does("restores")
}

func effectOf(r program.Role) (EffectKind, bool) {
	switch r {
	case program.RoleRead, program.RoleSend:
		return Reads, true
	case program.RoleWrite:
		return Writes, true
	case program.RoleDelete:
		return Deletes, true
	case program.RoleMove:
		return Moves, true
	case program.RoleAlter:
		return Alters, true
	case program.RoleExec:
		return Runs, true
	case program.RoleHost:
		return Connects, true
	}
	return 0, false
}

// PairEffects yields what an operand of dd may read and write; it is false once
// yield is.
func (c *Command) PairEffects(w *shell.Word, yield func(Effect) bool) bool {
	for _, p := range [...]struct {
		name string
		kind EffectKind
	}{{"if=", Reads}, {"of=", Writes}} {
		named := *w
		named.Values = nil
		for _, v := range w.Values {
			if strings.HasPrefix(v, p.name) {
				named.Values = append(named.Values, v)
			}
		}
		if len(named.Values) == 0 && (len(w.Values) > 0 || !strings.HasPrefix(w.Prefix, p.name)) {
			continue
		}
		if !yield(Effect{Kind: p.kind, Target: CutFront(&named, len(p.name)).Set, Dir: c.Dir, Span: w.Span}) {
			return false
		}
	}
	return true
}
