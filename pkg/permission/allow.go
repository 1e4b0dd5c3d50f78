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
	return p.misses(in, c).Kind == command.Covered
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
	if covers, ok := in.coversNamed(p); ok {
		return covers
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
		if !p.all && !in.pathCovers(&p.target, path) {
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
	return g.missesCommand(in, c).Kind == command.Covered
}

// missesCommand returns why the pattern does not cover a form of a command.
func (g *glob) missesCommand(in *View, c *command.Command) command.Miss {
	if len(c.Words) == 0 || c.Function || c.Path == "" && !c.Keyword {
		return command.Miss{Kind: command.Unnamed}
	}
	if g.head != "" && !g.home && g.head != c.Path && g.head != program.BareName(c.Path) {
		return g.otherProgram(c)
	}
	c = numbered(c)
	there := in.resolved(c, forAllow)
	g = g.in(in.Home)
	if m := g.missesNamed(in, c); m.Kind != command.Covered {
		return m
	}
	if there == c || g.missesNamed(in, there).Kind == command.Covered || g.leads(in, there) {
		return command.Miss{}
	}
	return command.Miss{Kind: command.Elsewhere}
}

// numbered returns a command with its words of which only numbers are unknown as patterns of
// files: a number leads nowhere that its pattern does not.
func numbered(c *command.Command) *command.Command {
	out := c
	for i := range c.Words {
		w := &c.Words[i]
		if !w.Digits || w.Many || len(w.Values) > 0 || i == 0 {
			continue
		}
		if out == c {
			out = new(*c)
			out.Words = slices.Clone(c.Words)
		}
		pattern := strings.ReplaceAll(shell.EscapePattern(w.Partial), shell.EscapePattern(shell.UnknownText), "*")
		out.Words[i].Set = shell.Set{Values: []string{pattern}, Glob: true, Prefix: w.Prefix}
	}
	return out
}

// missesNamed returns why the pattern covers a command neither by the bare name of its
// program nor by its path.
func (g *glob) missesNamed(in *View, c *command.Command) command.Miss {
	m := g.missesWords(in, program.BareName(c.Path), c)
	if m.Kind == command.Covered || c.Path == program.BareName(c.Path) {
		return m
	}
	other := g.missesWords(in, c.Path, c)
	if other.Kind == command.Covered || m.Kind <= command.OtherName || other.Word > m.Word {
		return other
	}
	return m
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
	return resolved.missesNamed(in, c).Kind == command.Covered
}

func (g *glob) missesWords(in *View, program string, c *command.Command) command.Miss {
	if program == "" {
		return g.otherProgram(c)
	}
	var m command.Miss
	if text := in.text(c); text.known && program == text.text[:text.program] && !g.completes {
		m = g.misses(text.text)
	} else {
		m = g.missesKept(program, c)
	}
	if m.Kind == command.Covered || g.coversAssigned(program, c) {
		return command.Miss{}
	}
	return m
}

// missesKept is missesTail for what a pattern must cover of a command.
func (g *glob) missesKept(program string, c *command.Command) (m command.Miss) {
	if !g.completes {
		return g.missesTail(program, c.Words[1:])
	}
	g.kept(c, func(tail []shell.Word) bool {
		m = g.missesTail(program, tail)
		return m.Kind != command.Covered
	})
	return m
}

// missesTail returns why the pattern does not cover a form of a program with the words behind
// it.
func (g *glob) missesTail(program string, tail []shell.Word) (m command.Miss) {
	many := func(w shell.Word) bool { return w.Many && !w.Glob } // it may be several words
	if i := slices.IndexFunc(tail, many); i >= 0 && g.narrows() {
		return command.Miss{Kind: command.OpenWord, Word: i + 1}
	}
	unsure := spellings(tail, program+withJoint(tail), func(text string, _ bool) bool {
		m = g.misses(text)
		return m.Kind == command.Covered
	})
	switch {
	case m.Kind == command.Covered && unsure:
		return command.Miss{Kind: command.OpenWord}
	case m.Kind == command.OtherWord && m.Word > 0 && m.Word <= len(tail) && !tail[m.Word-1].Known():
		m.Kind = command.OpenWord
	}
	return m
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
	return g.missesKept(b.String()+program, c).Kind == command.Covered
}
