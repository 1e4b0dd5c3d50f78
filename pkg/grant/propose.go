package grant

import (
	"fmt"
	"slices"

	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/policy"
)

// Propose returns the entries that a person stores by approving a call that
// asks, as [policy.Engine.Explain] explains it: neither more nor fewer than
// [Entry.Text] shows. They have neither Created nor By. With all of them
// stored the same call no longer asks. Where there are none, why says so in a
// clause; [Once] never has any.
func Propose(x *policy.Explanation, scope Scope, links Links) (entries []Entry, why string) {
	switch {
	case x.Decision != policy.Ask:
		return nil, "the call does not ask"
	case x.Input == nil:
		return nil, "the call was not explained"
	case scope == Once:
		return nil, "an approval for one call stores nothing"
	case scope == Session && x.Input.Call.Session == "":
		return nil, "the call belongs to no session"
	}
	p := proposal{x: x, scope: scope, j: newJudging(x.Input, links)}
	if why := p.line(); why != "" {
		return nil, why
	}
	if len(p.entries) == 0 {
		return nil, "no part of the call can be stored"
	}
	return p.entries, ""
}

// A proposal collects the entries for a call.
type proposal struct {
	x       *policy.Explanation
	scope   Scope
	j       *callJudge
	entries []Entry
}

// line adds the entries for every command that needs one.
func (p *proposal) line() string {
	for i := range p.x.Asks {
		if p.x.Asks[i].Rule == "" {
			return "the rule that asks accepts answers for one call only"
		}
	}
	if p.x.Line == nil {
		return p.tool()
	}
	if why := p.j.messy(); why != "" {
		return why
	}
	if why := p.j.locate(); why != "" {
		return why
	}
	for i := range p.x.Line.Commands {
		if why := p.command(i); why != "" {
			span := p.x.Line.Commands[i].Span
			return fmt.Sprintf("%s: %s", middle(p.x.Line.Source[span.From:span.To]), why)
		}
	}
	return ""
}

func (p *proposal) command(i int) string {
	rules := p.rules(i)
	allowed := i < len(p.x.Commands) && p.x.Commands[i].Allowed != policy.StageNone
	if allowed && len(rules) == 0 {
		return ""
	}
	s, why := p.j.command(i)
	switch {
	case why != "":
		return why
	case s.free:
		return ""
	}
	return p.add(&s, rules)
}

// rules returns the rules whose asks are about a command.
func (p *proposal) rules(i int) []string {
	var out []string
	for k := range p.x.Asks {
		if a := &p.x.Asks[k]; slices.Contains(a.Commands, i) && !slices.Contains(out, a.Rule) {
			out = append(out, a.Rule)
		}
	}
	return out
}

func (p *proposal) tool() string {
	if why := p.j.locate(); why != "" {
		return why
	}
	s, why := p.j.tool()
	if why != "" {
		return why
	}
	var rules []string
	for k := range p.x.Asks {
		rules = append(rules, p.x.Asks[k].Rule)
	}
	return p.add(&s, rules)
}

// add adds the entries for a subject: one that names no rule, or one for each
// rule that asks.
func (p *proposal) add(s *subject, rules []string) string {
	in := p.x.Input
	if network(s.verb) && !program.HasVerb(listed, s.verb) && s.sent == nil {
		return fmt.Sprintf("%s talks to other hosts; policyctl approvals trust-verb '%[1]s' stores it", s.verb)
	}
	limits, ok := s.sent.around()
	if !ok {
		return s.verb + " sends too much for a lasting approval"
	}
	e := Entry{Limits: limits, Verb: s.verb, Scope: p.scope, Audience: in.Audience, Tool: in.Tool.Name}
	if p.scope != Anywhere {
		var why string
		if e.Dir, why = p.directory(s); why != "" {
			return why
		}
	}
	if p.scope == Session {
		e.Agent, e.Conversation = in.Call.Agent, in.Call.Session
	}
	if len(rules) == 0 {
		rules = []string{""}
	}
	for _, e.Rule = range rules {
		if err := e.Validate(); err != nil {
			return err.Error()
		}
		if !slices.ContainsFunc(p.entries, func(o Entry) bool { return o.same(&e) }) {
			p.entries = append(p.entries, e)
		}
	}
	return ""
}

// directory returns the directory that an entry names: that of the first path,
// or that of the command where it holds all the others.
func (p *proposal) directory(s *subject) (dir, why string) {
	for _, dir = range []string{s.narrow, s.dir} {
		e := Entry{Scope: Here, Dir: dir}
		if dir != "" && e.holds(s.places) {
			return dir, p.tooWide(dir)
		}
	}
	return "", "its paths lie in different directories"
}

// tooWide says why an entry may not name a directory. A conversation ends, so
// that any may be meant for it.
func (p *proposal) tooWide(dir string) string {
	if p.scope == Session {
		return ""
	}
	return TooWide(dir, p.x.Input.Call.Home)
}

// TooWide says why "always" may not mean a directory, "" if it may. home is
// the home directory, "" where it is unknown.
func TooWide(dir, home string) string {
	switch {
	case isShallow(dir):
		return dir + " holds too much for a lasting approval"
	case home != "" && isWithin(home, dir):
		return dir + " is or holds the home directory, too much for a lasting approval"
	}
	return ""
}
