package permission

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/internal/support/weburl"
)

// Covers reports whether an allow means a command of a line, whatever the values
// are that it may have.
func (p *Pattern) Covers(in *View, c *command.Command) bool {
	if !p.Names(&in.Tool) || p.path || !p.all && !p.glob.coversCommand(in, c) {
		return false
	}
	for i := range p.except {
		if len(c.Words) > 0 && in.hitsTarget(&p.except[i], c) != None {
			return false
		}
	}
	return true
}

// CoversWrite reports whether an allow means to write a file.
func (p *Pattern) CoversWrite(in *View, at *Place) bool {
	return p.path && p.tool.Kind == Writes && p.coversPath(in, at)
}

// CoversCall reports whether an allow means a call of a tool other than the
// shell, with every subject that it has.
func (p *Pattern) CoversCall(in *View) bool {
	if !p.Names(&in.Tool) && !(p.path && p.tool.Kind == in.Tool.Kind && isFamily(p.tool.Name)) {
		return false
	}
	if p.all && len(p.except) == 0 {
		return true
	}
	if in.Tool.Whole {
		return in.coversArguments(p)
	}
	for _, s := range in.Subjects {
		if in.Tool.Paths {
			if at := in.Subject(s); !p.coversPath(in, &at) {
				return false
			}
			continue
		}
		if !p.all && !in.CoversText(s, p.coversURL) || in.exceptedText(p, s) {
			return false
		}
	}
	return len(in.Subjects) > 0
}

// coversArguments reports whether an allow means all arguments of a tool of which
// nobody says which are its subjects.
func (in *View) coversArguments(p *Pattern) bool {
	text := in.Arguments()
	if !p.all && !match(p.glob.elem, text, loosely) || excepted(p, text) {
		return false
	}
	return len(p.except) == 0 || !slices.ContainsFunc(in.Texts(), func(s string) bool { return in.exceptedText(p, s) })
}

// Equals reports whether a pattern without wildcards is the line itself, where it
// means the same paths as in the project's directory.
func (p *Pattern) Equals(in *View) bool {
	return p.glob.literal && !p.path && !p.all && p.Names(&in.Tool) && p.glob.text == in.Line.Source && in.atBase()
}

// coversPath reports whether an allow means a path as it is written and where it
// leads.
func (p *Pattern) coversPath(in *View, at *Place) bool {
	if p.all && len(p.except) == 0 {
		return true
	}
	if !at.Sure {
		return false
	}
	for _, path := range at.Readings() {
		for i := range p.except {
			if in.pathMatches(&p.except[i].glob, path) {
				return false
			}
		}
		if !p.all && !in.pathCovers(&p.glob, path) {
			return false
		}
	}
	return true
}

// coversURL reports whether the pattern matches the whole text: of a URL its host
// on its own too.
func (t *target) coversURL(text string) bool {
	if scheme, rest, ok := strings.Cut(text, "://"); ok && t.host != nil {
		host, _, _ := strings.Cut(rest, "/")
		if !match(t.host.elem, scheme+"://"+host, loosely) {
			return false
		}
	}
	return match(t.glob.elem, text, loosely)
}

// CoversText reports whether an allow covers a subject that is no path: a URL in
// the one form that all programs agree on.
func (in *View) CoversText(s string, covers func(string) bool) bool {
	if in.Tool.Kind != Fetches && !strings.Contains(s, "://") {
		return covers(s)
	}
	one, ok := weburl.Canonical(s)
	if !ok {
		return in.Tool.Kind != Fetches && covers(s)
	}
	if bare := strings.TrimSuffix(one, "/"); weburl.Same(one, bare) && strings.Count(one, "/") == 3 && covers(bare) {
		return true
	}
	return covers(one)
}

// exceptedText reports whether an exception may mean a subject.
func (in *View) exceptedText(p *Pattern, s string) bool {
	for _, reading := range in.readings(s) {
		if excepted(p, reading) {
			return true
		}
	}
	return false
}

// isFamily reports whether an allow of a tool is one of all tools of its kind.
func isFamily(tool string) bool { return tool == "read" || tool == "write" }

// coversCommand reports whether the pattern covers every form of a command.
func (g *glob) coversCommand(in *View, c *command.Command) bool {
	if len(c.Words) == 0 || c.Function || c.Path == "" && !c.Keyword {
		return false
	}
	if g.head != "" && !g.home && g.head != c.Path && g.head != program.BareName(c.Path) {
		return false
	}
	there := in.resolved(c, forAllow)
	g = g.in(in.Home)
	if !g.coversNamed(in, c) {
		return false
	}
	return there == c || g.coversNamed(in, there) || g.leads(in, there)
}

// coversNamed reports whether the pattern covers a command by the bare name of
// its program or by its path.
func (g *glob) coversNamed(in *View, c *command.Command) bool {
	return g.coversWords(in, program.BareName(c.Path), c) || c.Path != program.BareName(c.Path) && g.coversWords(in, c.Path, c)
}

// leads reports whether the pattern itself has a path that leads elsewhere than
// it reads, as ../shared/*, and covers a command once that is resolved.
func (g *glob) leads(in *View, c *command.Command) bool {
	words := strings.Fields(g.text)
	changed := false
	for i, w := range words {
		if !hasDots(w) || strings.HasPrefix(w, "./") && !hasDots(w[2:]) || in.Base() == "" {
			continue
		}
		path := shell.Abs(in.Base(), w)
		if rel, ok := below(path, in.Base()); ok {
			path = rel
		}
		words[i], changed = path, true
	}
	if !changed {
		return false
	}
	resolved := compileGlob(strings.Join(words, " "))
	return resolved.coversNamed(in, c)
}

func (g *glob) coversWords(in *View, program string, c *command.Command) bool {
	if program == "" {
		return false
	}
	if text := in.text(c); text.known && program == text.text[:text.program] && !g.completes {
		return g.covers(text.text) || g.coversAssigned(program, c)
	}
	tail := c.Words[1:]
	if g.completes {
		tail = g.kept(c)
	}
	return g.coversTail(program, tail) || g.coversAssigned(program, c)
}

// coversTail reports whether the pattern covers every form of a program with the words
// behind it.
func (g *glob) coversTail(program string, tail []shell.Word) bool {
	if g.narrows() && slices.ContainsFunc(tail, func(w shell.Word) bool { return w.Many && !w.Glob }) {
		return false // it may be several words
	}
	all := true
	unsure := spellings(tail, program+withJoint(tail), func(text string, _ bool) bool {
		all = g.covers(text)
		return all
	})
	return all && !unsure
}

// coversAssigned compares a pattern that spells the assignments too.
func (g *glob) coversAssigned(program string, c *command.Command) bool {
	if len(c.Assigns) == 0 {
		return false
	}
	var b strings.Builder
	for _, a := range c.Assigns {
		v, ok := a.Value.Literal()
		if !ok {
			return false
		}
		b.WriteString(a.Name + "=" + clean(v) + string(joint))
	}
	tail := c.Words[1:]
	if g.completes {
		tail = g.kept(c)
	}
	return g.coversTail(b.String()+program, tail)
}
