package policy

import (
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/permission"
)

// The names of safe spaces that each call has of its own: its session and its
// project directory.
const (
	SpaceSession = "session"
	SpaceProject = "project"
)

// audienceSpaces are the safe spaces of an audience, whatever else is
// configured: what others see must not come from elsewhere.
var audienceSpaces = [...][]Entry{
	Personal: nil,
	Team:     {{Text: SpaceSession}, {Text: SpaceProject}},
	Public:   {{Text: SpaceSession}},
}

// ruleOutside is the rule of an ask for a command that would be proved to read
// only if it did not read outside of the safe spaces.
const ruleOutside = "safe-space"

// spaces limit what a command may read: it must lie in one directory of each
// list.
type spaces struct {
	lists [][]string
	world World
}

// limits returns what the call may read, nil for anything.
func (f *facts) limits() *spaces {
	s := &f.e.settings
	audience := f.audience()
	if s.SafeSpaces == nil && audience == Personal {
		return nil
	}
	limits := &spaces{world: f.e.options.World}
	if s.SafeSpaces != nil {
		limits.lists = append(limits.lists, f.directories(s.SafeSpaces))
	}
	if audience != Personal {
		limits.lists = append(limits.lists, f.directories(audienceSpaces[audience]))
	}
	return limits
}

// audience returns who sees what the call reads.
func (f *facts) audience() Audience { return min(max(f.e.settings.Audience, f.call.Audience), Public) }

// limit lets proofs ask about the surroundings, and keeps them within the safe
// spaces of the call.
func (r reader) limit() {
	w := r.e.options.World
	if w != nil {
		r.parts.prover.Git, r.parts.prover.GitDirs, r.parts.prover.Below = w.GitPrograms, w.GitDirs, w.Below
	}
	if t, ok := w.(TextWorld); ok {
		r.parts.prover.Holds, r.view.Spares = t.Holds, r.spares
	}
	limits := r.limits()
	if limits != nil {
		r.parts.prover.Reads = limits.reads
	}
	if w == nil {
		return
	}
	r.parts.prover.Real, r.parts.prover.Links = r.view.RealPath, w.Links
	if !r.strayed() {
		return
	}
	r.view.Astray = true
	r.parts.prover.Git, r.parts.prover.GitDirs, r.parts.prover.Below = unknownDir, unknownDir, nil
	if limits != nil {
		limits.world = nil
	}
}

func unknownDir(string) ([]string, bool) { return nil, false }

// strayed reports whether the line leaves its directory although that is behind a
// link: then the shell may take either parent for "..".
func (r reader) strayed() bool {
	base := shell.Clean(r.call.Dir)
	for i := range r.line.Commands {
		for _, dir := range r.line.Commands[i].Dir.Values {
			if !permission.IsWithin(dir, base) {
				real, ok := r.e.options.World.RealPath(base)
				return !ok || real != base
			}
		}
	}
	return false
}

// directories returns those of a list that are known.
func (f *facts) directories(list []Entry) []string {
	dirs := []string{}
	for _, e := range list {
		dir := e.Text
		switch {
		case dir == SpaceSession:
			dir = f.call.SessionDir
		case dir == SpaceProject:
			dir = f.call.ProjectDir
		case dir == "~":
			dir = f.call.Home
		case strings.HasPrefix(dir, "~/"):
			dir = f.call.Home + dir[1:]
		}
		if strings.HasPrefix(dir, "/") && (e.Text[0] != '~' || f.call.Home != "") {
			dirs = append(dirs, shell.Clean(dir))
		}
	}
	return dirs
}

// reads reports whether a path lies in the safe spaces, as it is written and as
// it is after every link.
func (s *spaces) reads(path string) (why string, ok bool) {
	clean := shell.Clean(path)
	if s.world == nil {
		return "whether a link leads from " + clip.Text(clean, maxQuoted) + " out of the safe spaces is unknown", false
	}
	real, ok := s.world.RealPath(path)
	if !ok {
		return "where " + clip.Text(clean, maxQuoted) + " leads is unknown, so it may lie outside the safe spaces", false
	}
	if how := s.strays(clean, real, false); how != "" {
		return clip.Text(clean, maxQuoted) + " " + how + " the safe spaces", false
	}
	return "", true
}

// strays says how a cleaned path that leads to another does not lie in a directory of
// each list; "" where it does. Where below is set it must not be that directory.
func (s *spaces) strays(clean, real string, below bool) (how string) {
	for _, list := range s.lists {
		if !s.holds(list, clean, false, below) && !s.holds(list, clean, true, below) {
			return "lies outside"
		}
		if !s.holds(list, real, true, below) {
			return "leads out of"
		}
	}
	return ""
}

// holds reports whether a cleaned path is one of the directories or below one, below
// alone that it is below one. real says that their own links are followed.
func (s *spaces) holds(list []string, path string, real, below bool) bool {
	for _, dir := range list {
		if real {
			followed, ok := s.world.RealPath(dir)
			if !ok {
				continue
			}
			dir = followed
		}
		if permission.IsWithin(path, dir) && !(below && path == dir) {
			return true
		}
	}
	return false
}

// hint says how to make what lies outside a safe space.
func (f *facts) hint() string {
	switch {
	case f.call.ProjectDir == "" && f.audience() < Public:
		return "If it belongs to the project, declare the project directory first."
	case f.call.SessionDir == "":
		return "Read in the project or the session directory instead, or declare the session directory first."
	}
	return "Read in the project or the session directory instead."
}

// readsOutside says why a file that a tool reads lies outside of the safe
// spaces, "" if none does.
func (f *facts) readsOutside() string {
	if !f.tool.isFile() || f.tool.Kind != KindRead {
		return ""
	}
	limits := f.limits()
	if limits == nil {
		return ""
	}
	for _, s := range f.view.Subjects {
		path := permission.ExpandHome(s, f.call.Home)
		if !strings.HasPrefix(path, "/") {
			path = f.call.Dir + "/" + path
		}
		if why, ok := limits.reads(path); !ok {
			return why
		}
	}
	return ""
}

// askOutside asks about what lies outside the safe spaces.
func (f *facts) askOutside(why string, span *shell.Span) *opinion {
	return f.say(opinion{decision: Ask, rule: ruleOutside, why: why, instead: f.hint(), span: span})
}
