package policy

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/shell"
	"github.com/policyctl/policyctl/pkg/weburl"
)

// A hit says how far a permission matches.
type hit uint8

const (
	noHit    hit = iota
	maybeHit     // for some value of what is not known
	fullHit
)

// hits says whether a deny or an ask applies to the call, and where.
func (r *run) hits(p *permission) (hit, *shell.Span) {
	switch {
	case p.names(r.tool) || p.path && p.tool.Kind == r.tool.Kind:
		if r.line == nil {
			return r.hitsSubjects(p), nil
		}
		return r.hitsLine(p)
	case r.line != nil && p.path:
		return r.hitsEffects(p)
	case p.path && p.tool.Kind == KindRead && len(r.looks)+len(r.picks) > 0:
		return r.hitsLooks(p), nil
	}
	return noHit, nil
}

// hitsLine matches the commands of a shell line; the strictest match counts.
func (r *run) hitsLine(p *permission) (best hit, where *shell.Span) {
	if p.all {
		return fullHit, nil
	}
	for i := range r.line.Commands {
		c := &r.line.Commands[i]
		h := r.hitsCommand(p, c)
		if h == noHit && c.Opaque != "" && !p.glob.wild && p.mayBeRunBy(c) {
			h = maybeHit
		}
		if h > best {
			span := c.Span
			best, where = h, &span
		}
		if best == fullHit {
			break
		}
	}
	return best, where
}

// mayBeRunBy reports whether a command of which something is not known may run
// what the permission is about, although its words do not match: it evaluates
// text, or its program is not known and may be one that runs others.
func (p *permission) mayBeRunBy(c *shell.Command) bool {
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

func (r *run) hitsCommand(p *permission, c *shell.Command) hit {
	if len(c.Words) == 0 || c.Function {
		return noHit
	}
	h := r.hitsTarget(&p.target, c)
	if h == noHit {
		return noHit
	}
	for i := range p.except {
		if p.except[i].glob.coversCommand(r, c) {
			return noHit
		}
	}
	return h
}

// hitsSubjects matches the subjects of a tool other than the shell.
func (r *run) hitsSubjects(p *permission) hit {
	if p.all {
		return fullHit
	}
	for _, s := range r.subjects {
		if r.tool.isFile() {
			at := r.subject(s)
			if r.hitsPlace(p, &at) || r.hitsPath(p, shell.Clean(s)) {
				return fullHit
			}
			continue
		}
		for _, reading := range r.readings(s) {
			if p.glob.matches(reading) && !excepted(p, s) {
				return fullHit
			}
		}
	}
	return noHit
}

// readings returns what programs may take a subject for, if it is a URL.
func (r *run) readings(s string) []string {
	if r.tool.Kind != KindFetch && !strings.Contains(s, "://") {
		return []string{s}
	}
	return weburl.Readings(s)
}

func excepted(p *permission, s string) bool {
	for i := range p.except {
		if p.except[i].glob.matches(s) {
			return true
		}
	}
	return false
}
