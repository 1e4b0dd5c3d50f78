package permission

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/readonly"
)

// hitsLooks matches where a search looks: in a file, or below a directory.
func (in *View) hitsLooks(p *Pattern) Hit {
	best := None
	for _, s := range in.Looks {
		at := in.Subject(s)
		for _, path := range at.Readings() {
			if in.hitsPath(p, path) || in.hitsPath(p, strings.TrimSuffix(path, "/")+"/"+string(unknown)) {
				return Full
			}
			best = max(best, in.hitsPicks(p, path))
		}
	}
	if len(in.Looks) == 0 {
		best = in.hitsPicks(p, strings.TrimSuffix(in.Dir, "/"))
	}
	return best
}

// hitsSearch reports whether a permission means a file in which a search looks.
func (in *View) hitsSearch(p *Pattern) bool {
	if in.Search == nil {
		return false
	}
	_, ok := in.hitsContents(p)
	return ok
}

// hitsPicks matches the patterns by which a search chooses files below a
// directory.
func (in *View) hitsPicks(p *Pattern, dir string) Hit {
	best := None
	for _, pick := range in.Picks {
		for _, at := range [2]string{shell.Abs(dir, pick), pick} {
			text := globText(at)
			switch {
			case in.hitsPath(p, text), in.hitsPath(p, strings.TrimPrefix(text, string(unknown)+string(unknown)+"/")):
				return Full
			case readonly.SpellsName(pick) && in.mayPath(p, at):
				best = Maybe
			}
		}
	}
	return best
}

// hitsEffects applies a permission about files to what a line reads or writes, and what
// code and other texts on it do.
func (in *View) hitsEffects(p *Pattern) (best Hit, where *shell.Span) {
	for i := range in.Line.Commands {
		c := &in.Line.Commands[i]
		if c.Context != program.Local {
			continue
		}
		look := func(e command.Effect) bool {
			if c.In(command.Adrift) && in.Dir != "" && !e.Dir.Has(in.Dir) { // the cd may have failed
				e.Dir.Values = append(slices.Clone(e.Dir.Values), in.Dir)
			}
			if c.IsProgram(e) {
				return true // the program is run, and not read
			}
			if h := in.hitsEffect(p, &e); h > best {
				best, where = h, new(e.Span)
			}
			return best != Full
		}
		if c.Effects(look); best != Full {
			c.CodeEffects(in.Home, look)
		}
		if p.tool.Kind == Reads && best == None && in.hitsWords(p, c) {
			best, where = Maybe, &c.Span
		}
	}
	if best == Full {
		return best, where
	}
	if at, ok := in.hitsContents(p); ok {
		return Full, at
	}
	if h, at := in.hitsShown(p); h > best {
		if best, where = h, at; best == Full {
			return best, where
		}
	}
	for _, line := range in.lines() {
		for i := range line.Commands {
			c := &line.Commands[i]
			look := func(e command.Effect) bool {
				if c.Context == program.Local && in.hitsEffect(p, &e) == Full {
					best, where = Full, nil // where the code stands is no place of a command
				}
				return best != Full
			}
			if c.Effects(look); best != Full {
				c.CodeEffects(in.Home, look)
			}
		}
	}
	return best, where
}

// hitsWords reports whether a program that no table knows is given a file for which a
// permission to read is meant: it may do so.
func (in *View) hitsWords(p *Pattern, c *command.Command) bool {
	if c.Args.Program != nil || c.Name == "" || c.Keyword || c.Function {
		return false
	}
	for i := 1; i < len(c.Words); i++ {
		w := &c.Words[i]
		if !w.Glob && !w.Open && !w.Has("-") && in.hitsPaths(p, &command.Effect{Dir: c.Dir, Target: w.Set}) == Full {
			return true
		}
	}
	return false
}

// hitsEffect applies a permission about files to one effect of a command.
func (in *View) hitsEffect(p *Pattern, e *command.Effect) Hit {
	if !p.tool.touches(e.Kind) && (p.tool.Kind != Writes || !e.Linked) {
		return None
	}
	h := in.hitsPaths(p, e)
	if h == None && e.Recursive {
		h = in.hitsBelow(p, e)
	}
	return h
}

// hitsBelow reports whether a permission about files means all that lies below a
// directory, or some of it that a program may write.
func (in *View) hitsBelow(p *Pattern, e *command.Effect) Hit {
	if e.Target.Glob {
		return None
	}
	best := None
	for _, at := range in.places(e) {
		for _, path := range at.Readings() {
			path = strings.TrimSuffix(path, "/") + "/"
			switch {
			case e.Spares != "" && strings.Contains("/"+p.glob.text+"/", "/"+e.Spares+"/"):
			case in.hitsPath(p, path+string(unknown)):
				return Full
			case e.Kind == command.Writes && !p.glob.wild && in.mayPath(p, path+"*"):
				best = Maybe
			}
		}
	}
	return best
}

// touches reports whether a file tool does what an effect does.
func (t *Tool) touches(k command.EffectKind) bool {
	switch k {
	case command.Reads, command.Runs: // a script is read
		return t.Kind == Reads
	case command.Moves: // to where no permission may mean it
		return t.Kind == Reads || t.Kind == Writes
	case command.Writes, command.Deletes, command.Alters:
		return t.Kind == Writes
	}
	return false
}

func (in *View) hitsPaths(p *Pattern, e *command.Effect) Hit {
	dir, s := e.Dir, e.Target
	if p.all && (len(p.except) == 0 || s.Glob || s.Open) {
		return Full
	}
	best := None
	if s.Glob {
		best = in.hitsGlob(p, dir, s)
	} else {
		for _, at := range in.places(e) {
			if p.HitsPath(in, &at) {
				return Full
			}
		}
	}
	if s.Open && !p.glob.wild {
		path := shell.Abs(first(dir), s.Prefix)
		if strings.HasSuffix(s.Prefix, "/") {
			if path += "/"; in.hitsPath(p, path+string(unknown)) {
				return Full // whatever is there
			}
		}
		if in.mayPath(p, path+"*") {
			best = max(best, Maybe)
		}
	}
	return best
}

// hitsGlob matches the files that a pattern of the shell may name, and those
// to which links among them lead.
func (in *View) hitsGlob(p *Pattern, dir, s shell.Set) Hit {
	reals, _ := in.Linked(dir, s)
	for _, real := range reals {
		if in.hitsPath(p, real) {
			return Full
		}
	}
	best := None
	for _, path := range shell.Paths(dir, s) {
		switch {
		case p.tool.Kind == Writes && in.hitsPath(p, globText(path)):
			return Full // whatever it names, it is written there
		case in.mayText(p, in.expandable(path, s.Open)):
			best = Maybe
		}
	}
	return best
}

// expandable turns a pattern of the shell into text with unknown parts: * ? and [ stand
// for no slash, and at the beginning of a name for no dot, unless the line says
// otherwise, or the pattern stands for what a program finds or lists.
func (in *View) expandable(p string, found bool) string {
	if found {
		return globText(p)
	}
	return expanded(p, func(rest string, begins bool) rune {
		switch {
		case strings.HasPrefix(rest, "**"):
			return unknown
		case begins && !strings.Contains(rest, "(") && !in.Line.MatchesHidden(): // and none of zsh's qualifiers
			return shown
		}
		return inName
	})
}

// HitsPath reports whether a deny or an ask of files means a path, as it is
// written or where it leads.
func (p *Pattern) HitsPath(in *View, at *Place) bool {
	return in.hitsPath(p, at.Text) || at.Real != at.Text && in.hitsPath(p, at.Real)
}

func first(s shell.Set) string {
	if len(s.Values) == 0 {
		return ""
	}
	return s.Values[0]
}

// hitsPath reports whether a permission about files means a path.
func (in *View) hitsPath(p *Pattern, path string) bool {
	for i := range p.except {
		if in.exceptsPath(&p.except[i], path) {
			return false
		}
	}
	return p.all || in.pathMatches(&p.glob, path)
}

// exceptsPath reports whether a deny or an ask leaves out a path. What is written as seen
// from a directory leaves out nothing elsewhere, although ./* is * once it is cleaned.
func (in *View) exceptsPath(t *target, path string) bool {
	return in.pathMatches(&t.glob, path) && (!t.here || in.isNear(path))
}

// isNear reports whether a path is in a directory from which relative paths are seen.
func (in *View) isNear(path string) bool {
	for _, dir := range [3]string{in.Dir, in.Project, in.Stands} {
		if _, ok := below(path, dir); ok {
			return true
		}
	}
	return !strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "../") && path != ".."
}

// pathMatches compares a path as it is, and as seen from the directories of
// the call and the project, for denying.
func (in *View) pathMatches(g *glob, path string) bool {
	same := loosely
	if in.foldsCase() {
		same = folding
	}
	pattern := g.in(in.Home)
	if pattern.matchesBy(path, same) {
		return true
	}
	for _, dir := range [3]string{in.Dir, in.Project, in.Stands} {
		if rel, ok := below(path, dir); ok && pattern.matchesBy(rel, same) {
			return true
		}
	}
	return false
}

// pathCovers compares a path as it is, and as seen from the project, for
// allowing.
func (in *View) pathCovers(t *target, path string) bool {
	pattern := t.glob.in(in.Home)
	if !t.here && (strings.HasPrefix(path, "/") || in.Base() == "") && pattern.matches(path) {
		return true
	}
	rel, ok := below(path, in.Base())
	return ok && pattern.matches(rel)
}

func (in *View) mayPath(p *Pattern, pattern string) bool { return in.mayText(p, globText(pattern)) }

// mayText reports whether a permission may mean a path with unknown parts.
func (in *View) mayText(p *Pattern, text string) bool {
	g := p.glob.in(in.Home)
	same := loosely
	if in.foldsCase() {
		same = folding
	}
	if mayMatch(g.elem, []rune(text), same) {
		return true
	}
	// What a pattern stands for begins with no slash, so that a path below the
	// directory is no absolute one.
	for _, dir := range [3]string{in.Dir, in.Project, in.Stands} {
		if rel, ok := below(text, dir); ok && !g.isAbsolute() && mayMatch(g.elem, []rune(rel), same) {
			return true
		}
	}
	return false
}

func (g *glob) isAbsolute() bool { return len(g.elem) > 0 && g.elem[0] == globElem{kind: 'c', r: '/'} }

// globText turns a file name pattern into text with unknown parts.
func globText(p string) string {
	return expanded(p, func(string, bool) rune { return unknown })
}

// expanded turns a file name pattern into text in which part says what stands for a
// wildcard, given the pattern from there on and whether it begins a name.
func expanded(p string, part func(rest string, begins bool) rune) string {
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '\\':
			if i++; i < len(p) {
				b.WriteByte(p[i])
			}
		case '*', '?', '[':
			b.WriteRune(part(p[i:], i == 0 || p[i-1] == '/'))
			if p[i] == '[' {
				if end := strings.IndexByte(p[i:], ']'); end > 0 {
					i += end
				}
			}
		default:
			b.WriteByte(p[i])
		}
	}
	return b.String()
}

func ExpandHome(p, home string) string {
	if home == "" {
		home = eval.UnknownHome
	}
	for _, prefix := range []string{"~", "$HOME", "${HOME}"} {
		if rest, ok := strings.CutPrefix(p, prefix); ok && (rest == "" || rest[0] == '/') {
			return home + rest
		}
	}
	return p
}
