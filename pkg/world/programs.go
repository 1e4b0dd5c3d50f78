package world

import "strings"

// A scope is one set of configuration files: those of the person and the
// system, or, shared, those of one repository.
type scope struct {
	*probe
	repo   *repository
	shared bool
	hooks  []string // every core.hooksPath: which one counts is unknown
	wide   bool     // the repository uses SHA-256
}

const (
	maxConfig  = 1 << 20
	maxInclude = 10 // as in git
)

// file reads one configuration file and what it includes. A file that is not
// there says nothing, as for git.
func (c *scope) file(name string, depth int) {
	if c.unknown {
		return
	}
	c.files++
	data := c.read(name, maxConfig)
	if c.files > maxFiles || depth > maxInclude || readConfig(data, func(s setting) { c.setting(name, &s, depth) }) != nil {
		c.unknown = true
	}
}

// setting judges one setting. Every condition of an include counts as met.
func (c *scope) setting(from string, s *setting, depth int) {
	if s.is("include.path") || s.is("includeif.*.path") {
		c.include(from, s, depth)
		return
	}
	for i := range settings {
		k := &settings[i]
		if s.is(k.name) {
			if (c.shared || k.always) && k.counts(s) || !c.shared && k.runs && nearby(s.value) {
				c.names(k.name)
			}
			return
		}
	}
	c.layout(s, depth)
}

// include reads a file that another includes. One of the person's that lies
// in the repository is the repository's.
func (c *scope) include(from string, s *setting, depth int) {
	name, ok := c.expand(s.value)
	if !ok {
		c.unknown = true
		return
	}
	name = join(parent(from), name)
	if c.shared || !c.within(name) {
		c.file(name, depth+1)
		return
	}
	inner := scope{probe: c.probe, repo: c.repo, shared: true}
	inner.file(name, depth+1)
	c.hooks = append(c.hooks, inner.hooks...)
}

// within reports whether a path leads into the repository.
func (c *scope) within(name string) bool {
	real, ok := c.w.RealPath(name)
	c.unknown = c.unknown || !ok
	for _, dir := range []string{c.repo.git, c.repo.common, c.repo.top} {
		if dir != "" && strings.HasPrefix(real, dir+"/") {
			return true
		}
	}
	return false
}

// expand replaces the tilde of the user's home.
func (c *scope) expand(path string) (string, bool) {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return c.w.home + "/" + rest, true
	}
	return path, path != "" && path[0] != '~' && !strings.HasPrefix(path, "%(")
}

// layout reads the settings that say where things are and how they are kept.
func (c *scope) layout(s *setting, depth int) {
	ok := true
	switch {
	case s.is("core.hookspath"):
		var dir string
		dir, ok = c.expand(s.value)
		c.hooks = append(c.hooks, dir)
	case s.is("core.worktree") && c.shared:
		c.worktree(s.value)
	case s.is("extensions.objectformat"):
		ok = depth == 0 && !c.wide // git does not look for it in includes
		c.wide = s.value == "sha256"
	case s.section == "extensions" && !extensions(s.name):
		ok = false
	}
	c.unknown = c.unknown || !ok
}

// worktree notes a work tree that is not the one in which the repository was
// found, as one that makes git diff show files from elsewhere.
func (c *scope) worktree(path string) {
	real, ok := c.w.RealPath(join(c.repo.git, path))
	top, found := c.w.RealPath(c.repo.top)
	if !ok || !found || real != top {
		c.names("core.worktree")
	}
}

// extensions are those of repositories that change nothing about what is read
// here (git-config(1), extensions).
func extensions(name string) bool {
	switch name {
	case "noop", "preciousobjects", "worktreeconfig", "refstorage", "compatobjectformat",
		"relativeworktrees":
		return true
	}
	return false
}

// A gitKey is a setting that makes git run a program, or talk to a host.
type gitKey struct {
	name   string
	counts func(*setting) bool
	runs   bool // the value is a command line, so that a person's may count
	always bool // it counts whoever wrote it
}

// settings are all those that count, from git-config(1) and gitattributes(5)
// and from trying them: see the test that runs git. Settings that only matter
// for writing, fetching and editing are left out.
var settings = []gitKey{
	{"core.fsmonitor", isProgram, true, false},
	{"core.virtualfilesystem", anyValue, true, false}, // of Microsoft's git
	{"core.pager", isPager, true, false},
	{"pager.*", isProgram, true, false},
	{"diff.external", anyValue, true, false},
	{"diff.*.command", anyValue, true, false},
	{"diff.*.textconv", anyValue, true, false},
	{"filter.*.clean", anyValue, true, false},
	{"filter.*.smudge", anyValue, true, false},
	{"filter.*.process", anyValue, true, false},
	{"hook.*.command", anyValue, true, false},
	// Showing a merge may merge again.
	{"merge.*.driver", anyValue, true, false},
	// git-lfs, which a person may have set up as a filter, runs these.
	{"lfs.*.clean", anyValue, true, false},
	{"lfs.*.smudge", anyValue, true, false},
	{"lfs.*.path", anyValue, true, false},
	{"gpg.program", anyValue, true, false},
	{"gpg.*.program", anyValue, true, false},
	{"log.showsignature", isTrue, false, false},
	{"format.pretty", verifies, false, false},
	{"pretty.*", verifies, false, false},
	// Git fetches what a partial clone lacks while it reads.
	{"extensions.partialclone", anyValue, false, true},
	{"remote.*.promisor", isTrue, false, true},
	{"remote.*.partialclonefilter", anyValue, false, true},
	// They run git in submodules that the index need not list.
	{"diff.submodule", isInline, false, true},
	{"status.submodulesummary", isTrue, false, true},
}

func anyValue(*setting) bool { return true }

// isTrue reports whether a boolean, or a number, may be other than false.
func isTrue(s *setting) bool {
	value, ok := s.truth()
	return value || !ok
}

// isProgram reports whether the value is no boolean. Versions before 2.36 run
// true as a program, which does nothing.
func isProgram(s *setting) bool {
	_, ok := s.truth()
	return !ok
}

// isPager reports whether the value is a pager: git itself stands in for cat.
func isPager(s *setting) bool { return s.value != "" && s.value != "cat" }

// verifies reports whether a format has %G…, before which a sign may stand.
func verifies(s *setting) bool {
	for _, start := range []string{"%G", "%+G", "%-G", "% G"} {
		if strings.Contains(s.value, start) {
			return true
		}
	}
	return false
}

func isInline(s *setting) bool { return s.value != "short" && s.value != "log" }
