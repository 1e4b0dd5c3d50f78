package grant

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A Set is a list of entries ready for matching. It implements
// [policy.Grants] and is safe for concurrent use.
type Set struct {
	links  Links
	now    func() time.Time
	byTerm map[term]*group
	// denials are what entries deny, ends the entries of them; lacking says why there
	// may be more.
	denials []policy.Denial
	ends    []Entry
	lacking error
	// store counts uses, nil for nobody; gone are the ids of entries that it could count none
	// for.
	store *Store
	gone  sync.Map
	// latest is the latest time at which an entry with an end was asked for, in
	// seconds since 1970: a clock that is set back revives none.
	latest atomic.Int64
}

// A group is the entries with one verb.
type group struct {
	entries []held
	// storable says that they may cover a command. A tool may have a name that no
	// command with an entry has.
	storable bool
}

// A held entry is one with what is said of the commands that it covers.
type held struct {
	Entry
	covered policy.Covered
}

// NewSet returns a set of entries. What is not valid covers nothing. links,
// nil for what knows nothing, follows symbolic links; without it no entry
// covers a command. now tells the time; without it no entry that ends counts.
func NewSet(entries []Entry, links Links, now func() time.Time) *Set {
	s := &Set{links: links, now: now, byTerm: make(map[term]*group)}
	for i := range entries {
		switch e := &entries[i]; {
		case e.Validate() != nil:
		case e.Effect == Denies:
			s.denials, s.ends = append(s.denials, e.denial()), append(s.ends, *e)
		default:
			s.add(e)
		}
	}
	return s
}

// add adds an approval.
func (s *Set) add(e *Entry) {
	t, text := termIn(e.Verb), e.String()
	g := s.byTerm[t]
	if g == nil {
		g = &group{storable: t.unstorable() == "" || isPrinter(e.Verb)}
		s.byTerm[t] = g
	}
	covered := policy.Covered{Grant: text, Why: "a person has approved " + text}
	if e.Uses > 0 {
		covered.Counted = e.ID()
	}
	g.entries = append(g.entries, held{*e, covered})
}

// Denials implements [policy.Grants].
func (s *Set) Denials() ([]policy.Denial, error) {
	if !hasEnd(s.ends) {
		return s.denials, s.lacking
	}
	var out []policy.Denial
	for i := range s.ends {
		if s.isCurrent(&s.ends[i]) {
			out = append(out, s.denials[i])
		}
	}
	return out, s.lacking
}

// Covers returns the entries that cover the commands of a call.
func (s *Set) Covers(in *policy.Input, rule string) []policy.Covered {
	if in.Line == nil {
		return s.coversTool(in, rule)
	}
	if !s.mayCover(in) {
		return nil
	}
	j := newJudging(in, s.links)
	defer j.release()
	if j.messy() != "" {
		return nil
	}
	nowhere := j.locate() != ""
	out := make([]policy.Covered, len(in.Line.Commands))
	for i := range out {
		c := &in.Line.Commands[i]
		known := &j.commands[i]
		known.entries = s.entries(c)
		if !nowhere && len(known.entries) > 0 || known.runs || isPrinter(c.Name) {
			out[i] = s.covers(j, i, rule)
		}
	}
	return out
}

// mayCover reports whether some command of a line has the verb of an entry, or
// needs none.
func (s *Set) mayCover(in *policy.Input) bool {
	for i := range in.Line.Commands {
		c := &in.Line.Commands[i]
		if isPrinter(c.Name) || len(s.entries(c)) > 0 {
			return true
		}
	}
	return false
}

// entries returns those that may cover a command because of its verb.
func (s *Set) entries(c *command.Command) []held {
	if t, ok := termOf(c); ok {
		if g := s.byTerm[t]; g != nil && g.storable {
			return g.entries
		}
	}
	return nil
}

func (s *Set) covers(j *callJudge, i int, rule string) policy.Covered {
	sub, why := j.command(i)
	switch {
	case why != "":
		return policy.Covered{}
	case sub.prints:
		return policy.Covered{Grant: "side-effects", Why: "it only prints", Free: true}
	case sub.free:
		return policy.Covered{Free: true}
	}
	return s.find(j.commands[i].entries, j.in, &sub, rule)
}

func (s *Set) coversTool(in *policy.Input, rule string) []policy.Covered {
	g := s.byTerm[termIn(in.Tool.Name)]
	if g == nil {
		return nil
	}
	j := newJudging(in, s.links)
	if j.locate() != "" {
		return nil
	}
	sub, why := j.tool()
	if why != "" {
		return nil
	}
	return []policy.Covered{s.find(g.entries, in, &sub, rule)}
}

// find returns the first of the entries with the verb of a subject that covers
// it.
func (s *Set) find(list []held, in *policy.Input, sub *subject, rule string) policy.Covered {
	var last policy.Covered
	for i := range list {
		e := &list[i]
		if !e.isFor(in, rule) || !e.holds(sub.places) || !e.Limits.hold(sub.sent) || !s.isCurrent(&e.Entry) {
			continue
		}
		if e.Uses == 0 {
			return e.covered
		}
		if last.Grant == "" {
			last = s.use(e, in)
		}
	}
	return last // one that counts its uses, where no other covers it
}

// use returns what an entry with a number of uses says of a call that it is for.
func (s *Set) use(e *held, in *policy.Input) policy.Covered {
	if _, gone := s.gone.Load(e.covered.Counted); gone || e.left() == 0 && !e.has(spendOf(in.Call)) {
		return policy.Covered{}
	}
	return e.covered
}

// isCurrent reports whether an entry has not ended.
func (s *Set) isCurrent(e *Entry) bool {
	if e.Until.IsZero() {
		return true
	}
	if s.now == nil {
		return false
	}
	now := s.now()
	for {
		seen := s.latest.Load()
		if now.Unix() <= seen {
			now = time.Unix(seen, 0)
			break
		}
		if s.latest.CompareAndSwap(seen, now.Unix()) {
			break
		}
	}
	return !e.ended(now)
}

// isFor reports whether an entry is for a call, and answers a rule if one is
// given.
func (e *Entry) isFor(in *policy.Input, rule string) bool {
	if e.Tool != in.Tool.Name || e.Audience != in.Audience || rule != "" && e.Rule != rule {
		return false
	}
	return e.Scope != Session || in.Call.Session != "" && e.Conversation == in.Call.Session && e.Agent == in.Call.Agent
}

// holds reports whether all places lie in the directory of an entry.
func (e *Entry) holds(places []string) bool {
	switch e.Scope {
	case Anywhere:
		return len(places) > 0
	case Session, Here:
		return e.Dir != "" && len(places) > 0 && !slices.ContainsFunc(places, func(p string) bool { return !isWithin(p, e.Dir) })
	}
	return false
}
