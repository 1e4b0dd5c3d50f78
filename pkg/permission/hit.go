package permission

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/support/weburl"
)

// A Hit is how far a pattern matches.
type Hit uint8

// The hits.
const (
	None  Hit = iota
	Maybe     // for some value of what is unknown
	Full
)

// Hits reports whether a deny or an ask means the call, and where.
func (p *Pattern) Hits(in *View) (Hit, *shell.Span) {
	in.Among = ""
	switch {
	case p.Names(&in.Tool) || p.path && p.tool.Kind == in.Tool.Kind:
		if in.Line == nil {
			h := in.hitsSubjects(p)
			if p.path && p.tool.Kind == Reads && h != Full {
				h = max(h, in.hitsLooks(p))
			}
			if h != Full && p.path && p.tool.Kind == Reads && in.hitsSearch(p) {
				h = Full
			}
			return h, nil
		}
		return in.hitsLine(p)
	case in.Line != nil && p.path:
		return in.hitsEffects(p)
	case in.Line != nil && p.tool.Kind == Fetches:
		return in.hitsRequests(p)
	case p.path && p.tool.Kind == Reads && (len(in.Looks)+len(in.Picks) > 0 || in.Search != nil):
		if h := in.hitsLooks(p); h == Full || !in.hitsSearch(p) {
			return h, nil
		}
		return Full, nil
	}
	return None, nil
}

// hitsLine matches the commands of a shell line; the strictest match counts.
func (in *View) hitsLine(p *Pattern) (best Hit, where *shell.Span) {
	if p.all && (len(p.except) == 0 || len(in.Line.Commands) == 0 || in.Line.Problem != nil || in.Line.Divergence != nil) {
		return Full, nil
	}
	for i := range in.Line.Commands {
		c := &in.Line.Commands[i]
		h := p.HitsCommand(in, c)
		if h == None && c.Opaque != "" && !p.glob.wild && p.mayBeRunBy(c) {
			h = Maybe
		}
		if h > best {
			best, where = h, new(c.Span)
		}
		if best == Full {
			return best, where
		}
	}
	for _, line := range in.lines() {
		for i := range line.Commands {
			if p.HitsCommand(in, &line.Commands[i]) == Full {
				return Full, nil // where the code stands is no place of a command
			}
		}
	}
	return best, where
}

// mayBeRunBy reports whether a command of which something is unknown may run
// what the permission is about, although its words do not match: it evaluates
// text, or its program is unknown and may be one that runs others.
func (p *Pattern) mayBeRunBy(c *command.Command) bool {
	if c.Name != "" || len(c.Words) < 2 || p.program.head == "" {
		return true
	}
	for i := range c.Words[1:] {
		w := &c.Words[1+i]
		if !w.Known() || w.Many || slices.ContainsFunc(w.Values, func(v string) bool { return strings.Contains(strings.ToLower(v), p.program.head) }) {
			return true
		}
	}
	return false
}

// HitsCommand reports whether a deny or an ask means a command of the line.
func (p *Pattern) HitsCommand(in *View, c *command.Command) Hit {
	switch {
	case c.Function:
		return None
	case len(c.Words) == 0 && p.all:
		return Full
	case len(c.Words) == 0:
		return None
	}
	h := Full
	if !p.all {
		h = in.hitsTarget(&p.target, c)
	}
	if h == None {
		return None
	}
	for i := range p.except {
		if p.except[i].glob.coversCommand(in, c) {
			return None
		}
	}
	return h
}

// hitsSubjects matches the subjects of a tool other than the shell.
func (in *View) hitsSubjects(p *Pattern) Hit {
	hits, excused := in.hitsNamed(p)
	switch {
	case excused:
		return None
	case hits, p.all && (len(p.except) == 0 || len(in.Subjects) == 0):
		return Full
	}
	for _, s := range in.Subjects {
		if in.Tool.Paths {
			at := in.Subject(s)
			if p.HitsPath(in, &at) || in.hitsPath(p, shell.Clean(s)) || p.tool.Kind == Writes && in.Holds(p, &at) {
				return Full
			}
			continue
		}
		for _, reading := range in.readings(s) {
			if (p.all || p.glob.matches(reading)) && !in.excused(p, s) {
				return Full
			}
		}
	}
	return None
}

// excused reports whether an exception means a subject, whatever programs take it
// for.
func (in *View) excused(p *Pattern, s string) bool {
	return slices.ContainsFunc(p.except, func(t target) bool { return in.CoversText(s, t.coversURL) })
}

// readings returns what programs may take a subject for, if it is a URL.
func (in *View) readings(s string) []string {
	if in.Tool.Kind != Fetches && !strings.Contains(s, "://") {
		return []string{s}
	}
	return weburl.Readings(s)
}

// About returns what a permission about files or URLs is about, Other for one
// about commands, or about every call of a tool.
func (p *Pattern) About() Kind {
	if p.all || !p.path && p.tool.Kind != Fetches {
		return Other
	}
	return p.tool.Kind
}

// HitsURL reports whether a deny or an ask of URLs means a text.
func (p *Pattern) HitsURL(text string) bool {
	return !excepted(p, text) && slices.ContainsFunc(weburl.Readings(text), p.glob.matches)
}

func excepted(p *Pattern, s string) bool {
	for i := range p.except {
		if p.except[i].glob.matches(s) {
			return true
		}
	}
	return false
}
