package world

import (
	"cmp"
	"slices"
	"strings"
)

// A probe is one look that is going on.
type probe struct {
	*look
	w            *World
	hooks        []string // the person's core.hooksPath
	repositories int
	files        int
}

// maxRepositories bounds how many repositories within one another are looked
// at, maxFiles how many configuration files.
const (
	maxRepositories = 64
	maxFiles        = 256
)

// probe looks from a directory whose links are followed.
func (w *World) probe(dir string) *look {
	p := &probe{look: &look{}, w: w}
	if p.kind(dir+"/.", true) != directory {
		p.unknown = true
		return p.look
	}
	r, found := p.discover(strings.TrimSuffix(dir, "/"))
	p.personal(&r)
	if found && !p.unknown {
		p.visit(r)
	}
	return p.look
}

// personal reads the configuration of the system and of the user.
func (p *probe) personal(r *repository) {
	c := scope{probe: p, repo: r}
	for _, name := range p.w.system {
		c.file(name, 0)
	}
	c.file(p.w.xdg+"/git/config", 0)
	c.file(p.w.home+"/.gitconfig", 0)
	p.hooks = c.hooks
}

// visit looks at one repository, and at those that its work tree holds as
// submodules: git status and git diff run git in each.
func (p *probe) visit(r repository) {
	if p.repositories++; p.repositories > maxRepositories {
		p.unknown = true
		return
	}
	c := scope{probe: p, repo: &r, shared: true}
	c.file(r.common+"/config", 0)
	for _, dir := range distinct(r.common, r.git) {
		c.file(dir+"/config.worktree", 0)
	}
	p.hook(&c)
	for _, dir := range append(distinct(r.common, r.git), r.top) {
		if dir != "" && !slices.Contains(p.dirs, dir) {
			p.dirs = append(p.dirs, dir)
		}
	}
	p.borrowed(r.common)
	p.submodules(&c)
}

func distinct(a, b string) []string {
	if a == b {
		return []string{a}
	}
	return []string{a, b}
}

// hook notes the one hook that reading verbs run: after they refreshed the
// index (githooks(5), post-index-change). One that the person keeps outside of
// the repository is theirs.
func (p *probe) hook(c *scope) {
	dirs := []string{c.repo.common + "/hooks"}
	for _, dir := range p.hooks {
		if !strings.HasPrefix(dir, "/") || c.within(dir) {
			dirs = append(dirs, join(cmp.Or(c.repo.top, c.repo.git), dir))
		}
	}
	for _, dir := range c.hooks {
		dirs = append(dirs, join(cmp.Or(c.repo.top, c.repo.git), dir))
	}
	p.look.hooks = append(p.look.hooks, dirs...)
	for _, dir := range dirs {
		if p.kind(dir+"/post-index-change", false) != nothing {
			p.names("hooks/post-index-change")
		}
	}
}

// borrowed notes the directories from which a repository takes objects.
func (p *probe) borrowed(common string) {
	text := string(p.read(common+"/objects/info/alternates", maxSmall))
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\n"); line != "" && line[0] != '#' {
			p.dirs = append(p.dirs, join(common+"/objects", line))
		}
	}
}

func (p *probe) submodules(c *scope) {
	links, ok := gitlinks(p.read(c.repo.git+"/index", maxIndex), c.wide)
	if !ok || len(links) > 0 && c.repo.top == "" {
		p.unknown = true
	}
	for _, name := range links {
		if p.unknown {
			return
		}
		if r, ok := p.tree(c.repo.top + "/" + name); ok {
			p.visit(r)
		}
	}
}
