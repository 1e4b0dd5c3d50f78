package policy

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/program"
	"github.com/policyctl/policyctl/pkg/readonly"
	"github.com/policyctl/policyctl/pkg/shell"
)

// hitsLooks matches where a search looks: in a file, or below a directory.
func (r *run) hitsLooks(p *permission) hit {
	best := noHit
	for _, s := range r.looks {
		at := r.subject(s)
		for _, path := range at.readings() {
			if p.all || r.hitsPath(p, path) || r.hitsPath(p, strings.TrimSuffix(path, "/")+"/"+string(unknown)) {
				return fullHit
			}
			best = max(best, r.hitsPicks(p, path))
		}
	}
	if len(r.looks) == 0 {
		best = r.hitsPicks(p, strings.TrimSuffix(r.call.Dir, "/"))
	}
	return best
}

// hitsPicks matches the patterns by which a search chooses files below a
// directory.
func (r *run) hitsPicks(p *permission, dir string) hit {
	best := noHit
	for _, pick := range r.picks {
		for _, at := range [2]string{shell.Abs(dir, pick), pick} {
			text := globText(at)
			switch {
			case r.hitsPath(p, text), r.hitsPath(p, strings.TrimPrefix(text, string(unknown)+string(unknown)+"/")):
				return fullHit
			case readonly.SpellsName(pick) && r.mayPath(p, at):
				best = maybeHit
			}
		}
	}
	return best
}

// hitsEffects applies a permission about files to what a line reads or writes.
func (r *run) hitsEffects(p *permission) (best hit, where *shell.Span) {
	for i := range r.line.Commands {
		c := &r.line.Commands[i]
		if c.Context != program.Local {
			continue
		}
		c.Effects(func(e shell.Effect) bool {
			if !p.tool.touches(e.Kind) {
				return true
			}
			if c.In(shell.Adrift) && r.call.Dir != "" && !e.Dir.Has(r.call.Dir) { // the cd may have failed
				e.Dir.Values = append(slices.Clone(e.Dir.Values), r.call.Dir)
			}
			h := r.hitsPaths(p, e.Dir, e.Target)
			if h == noHit && e.Recursive {
				h = r.hitsBelow(p, e)
			}
			if h > best {
				span := e.Span
				best, where = h, &span
			}
			return best != fullHit
		})
	}
	return best, where
}

// hitsBelow reports whether a permission about files means all that lies below a
// directory, or some of it that a program may write.
func (r *run) hitsBelow(p *permission, e shell.Effect) hit {
	if e.Target.Glob {
		return noHit
	}
	best := noHit
	for _, at := range r.places(e.Dir, e.Target) {
		for _, path := range at.readings() {
			path = strings.TrimSuffix(path, "/") + "/"
			switch {
			case e.Spares != "" && strings.Contains("/"+p.glob.text+"/", "/"+e.Spares+"/"):
			case r.hitsPath(p, path+string(unknown)):
				return fullHit
			case e.Kind == shell.Writes && !p.glob.wild && r.mayPath(p, path+"*"):
				best = maybeHit
			}
		}
	}
	return best
}

// touches says whether a file tool does what an effect does.
func (t *Tool) touches(k shell.EffectKind) bool {
	switch k {
	case shell.Reads:
		return t.Kind == KindRead
	case shell.Writes, shell.Deletes, shell.Moves, shell.Alters:
		return t.Kind == KindWrite
	}
	return false
}

func (r *run) hitsPaths(p *permission, dir, s shell.Set) hit {
	if p.all {
		return fullHit
	}
	best := noHit
	if s.Glob {
		best = r.hitsGlob(p, dir, s)
	} else {
		for _, at := range r.places(dir, s) {
			if r.hitsPlace(p, &at) {
				return fullHit
			}
		}
	}
	if s.Open && !p.glob.wild {
		path := shell.Abs(first(dir), s.Prefix)
		if strings.HasSuffix(s.Prefix, "/") {
			if path += "/"; r.hitsPath(p, path+string(unknown)) {
				return fullHit // whatever is there
			}
		}
		if r.mayPath(p, path+"*") {
			best = max(best, maybeHit)
		}
	}
	return best
}

// hitsGlob matches the files that a pattern of the shell may name, and those
// to which links among them lead.
func (r *run) hitsGlob(p *permission, dir, s shell.Set) hit {
	reals, _ := r.linked(dir, s)
	for _, real := range reals {
		if r.hitsPath(p, real) {
			return fullHit
		}
	}
	best := noHit
	for _, path := range shell.Paths(dir, s) {
		switch {
		case p.tool.Kind == KindWrite && r.hitsPath(p, globText(path)):
			return fullHit // whatever it names, it is written there
		case r.mayPath(p, path):
			best = maybeHit
		}
	}
	return best
}

// hitsPlace matches a path as it is written and where it leads.
func (r *run) hitsPlace(p *permission, at *place) bool {
	return r.hitsPath(p, at.text) || at.real != at.text && r.hitsPath(p, at.real)
}

func first(s shell.Set) string {
	if len(s.Values) == 0 {
		return ""
	}
	return s.Values[0]
}

// hitsPath says whether a permission about files means a path.
func (r *run) hitsPath(p *permission, path string) bool {
	for i := range p.except {
		if r.pathMatches(&p.except[i].glob, path) {
			return false
		}
	}
	return r.pathMatches(&p.glob, path)
}

// pathMatches compares a path as it is, and as seen from the directories of
// the call and the project, for denying.
func (r *run) pathMatches(g *glob, path string) bool {
	same := loosely
	if r.foldsCase() {
		same = folding
	}
	pattern := g.in(r.call.Home)
	if pattern.matchesBy(path, same) {
		return true
	}
	for _, dir := range [3]string{r.call.Dir, r.call.ProjectDir, r.stands} {
		if rel, ok := below(path, dir); ok && pattern.matchesBy(rel, same) {
			return true
		}
	}
	return false
}

// pathCovers compares a path as it is, and as seen from the project, for
// allowing.
func (r *run) pathCovers(g *glob, path string) bool {
	pattern := g.in(r.call.Home)
	if strings.HasPrefix(path, "/") || r.base() == "" {
		if pattern.matches(path) {
			return true
		}
	}
	rel, ok := below(path, r.base())
	return ok && pattern.matches(rel)
}

func (r *run) mayPath(p *permission, pattern string) bool {
	text := globText(pattern)
	g := p.glob.in(r.call.Home)
	same := loosely
	if r.foldsCase() {
		same = folding
	}
	if mayMatch(g.elem, []rune(text), same) {
		return true
	}
	// What a pattern stands for begins with no slash, so that a path below the
	// directory is no absolute one.
	for _, dir := range [3]string{r.call.Dir, r.call.ProjectDir, r.stands} {
		if rel, ok := below(text, dir); ok && !g.isAbsolute() && mayMatch(g.elem, []rune(rel), same) {
			return true
		}
	}
	return false
}

func (g *glob) isAbsolute() bool { return len(g.elem) > 0 && g.elem[0] == globElem{kind: 'c', r: '/'} }

// globText turns a file name pattern into text with unknown parts.
func globText(p string) string {
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '\\':
			if i++; i < len(p) {
				b.WriteByte(p[i])
			}
		case '*', '?', '[':
			b.WriteRune(unknown)
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

func expandHome(p, home string) string {
	if home == "" {
		home = shell.UnknownHome
	}
	for _, prefix := range []string{"~", "$HOME", "${HOME}"} {
		if rest, ok := strings.CutPrefix(p, prefix); ok && (rest == "" || rest[0] == '/') {
			return home + rest
		}
	}
	return p
}
