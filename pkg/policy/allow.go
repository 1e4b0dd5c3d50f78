package policy

import (
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/pkg/hardline"
	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/program"
	"github.com/policyctl/policyctl/pkg/shell"
	"github.com/policyctl/policyctl/pkg/weburl"
)

// allowsCommand says whether an allow covers a command of a line, whatever the
// values are that it may have.
func (r *run) allowsCommand(p *permission, c *shell.Command) bool {
	if !p.names(r.tool) || p.path {
		return false
	}
	if p.all {
		return r.maybeAllowed(c, "") && c.Opaque == ""
	}
	if !p.glob.coversCommand(r, c) {
		return false
	}
	for i := range p.except {
		if r.hitsTarget(&p.except[i], c) != noHit {
			return false
		}
	}
	return r.maybeAllowed(c, p.glob.text)
}

// coversCommand says whether the pattern covers every form of a command.
func (g *glob) coversCommand(r *run, c *shell.Command) bool {
	if len(c.Words) == 0 || c.Function || c.Path == "" {
		return false
	}
	if g.head != "" && !g.home && g.head != c.Path && g.head != program.BareName(c.Path, false) {
		return false
	}
	there := r.resolved(c, forAllow)
	g = g.in(r.call.Home)
	if !g.coversNamed(r, c) {
		return false
	}
	return there == c || g.coversNamed(r, there) || g.leads(r, there)
}

// coversNamed reports whether the pattern covers a command by the bare name of
// its program or by its path.
func (g *glob) coversNamed(r *run, c *shell.Command) bool {
	return g.coversWords(r, program.BareName(c.Path, false), c) || c.Path != program.BareName(c.Path, false) && g.coversWords(r, c.Path, c)
}

// leads reports whether the pattern itself has a path that leads elsewhere than
// it reads, as ../shared/*, and covers a command once that is resolved.
func (g *glob) leads(r *run, c *shell.Command) bool {
	words := strings.Fields(g.text)
	changed := false
	for i, w := range words {
		if !hasDots(w) || strings.HasPrefix(w, "./") && !hasDots(w[2:]) || r.base() == "" {
			continue
		}
		path := shell.Abs(r.base(), w)
		if rel, ok := below(path, r.base()); ok {
			path = rel
		}
		words[i], changed = path, true
	}
	if !changed {
		return false
	}
	resolved := compileGlob(strings.Join(words, " "))
	return resolved.coversNamed(r, c)
}

func (g *glob) coversWords(r *run, program string, c *shell.Command) bool {
	if program == "" {
		return false
	}
	if text := r.text(c); text.known && program == c.Name {
		return g.covers(text.text) || g.coversAssigned(program, c)
	}
	tail := c.Words[1:]
	all := true
	unsure := forms(tail, program+withJoint(tail), func(text string, _ bool) bool {
		all = g.covers(text)
		return all
	})
	if all && !unsure {
		return true
	}
	return g.coversAssigned(program, c)
}

// coversAssigned compares a pattern that spells the assignments too.
func (g *glob) coversAssigned(program string, c *shell.Command) bool {
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
	all := true
	tail := c.Words[1:]
	unsure := forms(tail, b.String()+program+withJoint(tail), func(text string, _ bool) bool {
		all = g.covers(text)
		return all
	})
	return all && !unsure
}

// maybeAllowed says whether nothing about a command keeps a pattern that
// covers its words from allowing it.
func (r *run) maybeAllowed(c *shell.Command, pattern string) bool {
	return r.barrier(c, pattern) == ""
}

// barrier says why a pattern that covers the words of a command does not allow
// it: what it evaluates is not known, an assignment is neither harmless nor
// spelt in the pattern, or a file it redirects to may not be written.
func (r *run) barrier(c *shell.Command, pattern string) string {
	switch {
	case c.Opaque != "":
		return c.Opaque
	case c.Doubt != "":
		return c.Doubt
	}
	if runsInput(c) {
		return "it runs code from its input, which the pattern does not show"
	}
	for i := range c.Assigns {
		if a := &c.Assigns[i]; !shell.HarmlessEnv(a.Name) && !spelt(pattern, a) && (len(c.Words) > 0 || shell.ActiveEnv(a.Name)) {
			return "the assignment to " + a.Name + " is not spelt in the pattern"
		}
	}
	for i := range c.Redirects {
		rd := &c.Redirects[i]
		if rd.Writes() && !rd.Target.KeepsNothing() && !r.writeAllowed(c.Dir, rd.Target.Set) {
			return "the redirection writes a file that no permission allows to write"
		}
	}
	return ""
}

// runsInput says whether an interpreter runs what it reads.
func runsInput(c *shell.Command) bool {
	p := program.Lookup(c.Name)
	if p == nil || p.Input != program.RoleCode || c.Input == nil && c.Source < 0 && !c.In(shell.Piped) {
		return false
	}
	for _, o := range c.Args.Operands {
		switch o.Role {
		case program.RoleExec:
			return c.Words[o.At].Has("-")
		case program.RoleCode:
			return false
		}
	}
	for i := range c.Args.Options {
		if s := c.Args.Options[i].Spec; s != nil && (s.Role == program.RoleCode || s.Role == program.RoleExec) {
			return false
		}
	}
	return true
}

func spelt(pattern string, a *shell.Assign) bool {
	v, ok := a.Value.Literal()
	return ok && strings.Contains(" "+pattern+" ", " "+a.Name+"="+v+" ")
}

// writeAllowed says whether a permission allows writing to a file.
func (r *run) writeAllowed(dir, s shell.Set) bool {
	if !s.Known() || dir.Open {
		return false
	}
	for _, at := range r.places(dir, s) {
		ok := false
		for _, p := range r.permissions() {
			if p.Action == Allow && p.path && p.tool.Kind == KindWrite && r.allowsPath(p, &at) {
				ok = true
				break
			}
		}
		if !ok {
			return false
		}
	}
	return len(s.Values) > 0
}

// allowsPath says whether an allow covers a path as it is written and where it
// leads.
func (r *run) allowsPath(p *permission, at *place) bool {
	if p.all && len(p.except) == 0 {
		return true
	}
	if !at.sure {
		return false
	}
	for _, path := range at.readings() {
		for i := range p.except {
			if r.pathMatches(&p.except[i].glob, path) {
				return false
			}
		}
		if !p.all && !r.pathCovers(&p.glob, path) {
			return false
		}
	}
	return true
}

// allowsSubjects says whether an allow covers every subject of a tool other
// than the shell.
func (r *run) allowsSubjects(p *permission) bool {
	if !p.names(r.tool) && !(p.path && p.tool.Kind == r.tool.Kind && isFamily(p.tool.Name)) {
		return false
	}
	if p.all {
		return true
	}
	if len(r.tool.Subject) == 0 {
		return match(p.glob.elem, canonical(r.tool, r.call.Input), loosely)
	}
	if len(r.subjects) == 0 {
		return false
	}
	for _, s := range r.subjects {
		if r.tool.isFile() {
			if at := r.subject(s); !r.allowsPath(p, &at) {
				return false
			}
			continue
		}
		if !r.coversText(s, p.coversURL) || r.exceptedText(p, s) {
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

// coversText reports whether an allow covers a subject that is no path: a URL in
// the one form that all programs agree on.
func (r *run) coversText(s string, covers func(string) bool) bool {
	if r.tool.Kind != KindFetch && !strings.Contains(s, "://") {
		return covers(s)
	}
	one, ok := weburl.Canonical(s)
	if !ok {
		return r.tool.Kind != KindFetch && covers(s)
	}
	if bare := strings.TrimSuffix(one, "/"); weburl.Same(one, bare) && strings.Count(one, "/") == 3 && covers(bare) {
		return true
	}
	return covers(one)
}

// exceptedText reports whether an exception may mean a subject.
func (r *run) exceptedText(p *permission, s string) bool {
	for _, reading := range r.readings(s) {
		if excepted(p, reading) {
			return true
		}
	}
	return false
}

// isFamily says whether an allow of a tool is one of all tools of its kind.
func isFamily(name string) bool { return name == "read" || name == "write" }

// An allowEntry is an entry of the command allowlist.
type allowEntry struct {
	Entry
	words []string
	prefix
}

func compileAllow(e Entry, errs *[]error) allowEntry {
	a := allowEntry{Entry: e, words: fields(e.Text), prefix: compilePrefix(e.Text)}
	if len(a.words) == 0 {
		*errs = append(*errs, fmt.Errorf("%scommand_allowlist: an empty entry; write leading words such as \"go test\"", at(e.Origin)))
	}
	return a
}

// Scene returns a line as the tables of dangerous commands look at it.
func Scene(line *shell.Line, home string) hazard.Scene {
	return hazard.Scene{Line: line, Home: home, Denies: hardline.Denies}
}

func fields(text string) []string { return strings.Fields(text) }

// listed says whether the entry covers a command.
func (a *allowEntry) listed(r *run, i int) bool {
	return a.leads(r, i) && r.stopped(&a.prefix, i) == ""
}

// leads says whether a command begins with the entry, within the conditions of
// an allow.
func (a *allowEntry) leads(r *run, i int) bool {
	c := &r.line.Commands[i]
	return !c.Function && leads(c, a.words) && leads(r.resolved(c, forAllow), a.words) && r.maybeAllowed(c, "")
}
