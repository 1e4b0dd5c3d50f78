package policy

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Group is approvers of whom so many must approve.
type Group struct {
	// Approver, Quorum and Profile are those of [AskTerms].
	Approver string `json:"approver"`
	Quorum   int    `json:"quorum,omitempty"`
	Profile  string `json:"profile,omitempty"`
	// Reviewer says that the ask leaves its answer to a language model of this name.
	// Where others ask too, or there is no such model, people answer.
	Reviewer bool `json:"reviewer,omitempty"`
}

// Names returns the names in the approver of the group.
func (g *Group) Names() []string { return Approvers(g.Approver) }

// Need returns how many of the group must approve, at least one.
func (g *Group) Need() int { return max(1, g.Quorum) }

// String says who must approve, such as "2 of ann, bob" or "ann".
func (g *Group) String() string {
	names := g.Names()
	text := strings.Join(names, ", ")
	if g.Need() > 1 {
		return strconv.Itoa(g.Need()) + " of " + text
	}
	if len(names) > 1 {
		return "one of " + text
	}
	return text
}

// GroupsText says of whom each must approve.
func GroupsText(groups []Group) string {
	parts := make([]string, len(groups))
	for i := range groups {
		parts[i] = groups[i].String()
	}
	return strings.Join(parts, ", and ")
}

// Who says who must approve, "" where anybody may. Where a model that an ask names does
// not answer, people do.
func (t *AskTerms) Who() string {
	groups := t.Groups()
	if !t.Reviewer {
		groups = slices.DeleteFunc(slices.Clone(groups), func(g Group) bool { return g.Reviewer })
	}
	return GroupsText(groups)
}

// LeastOf returns how many people must approve at least, the largest number of the
// groups: one person may be in all of them.
func LeastOf(groups []Group) int {
	least := 0
	for i := range groups {
		least = max(least, groups[i].Need())
	}
	return least
}

// Groups returns the groups of whom each must approve; none where anybody may.
func (t *AskTerms) Groups() []Group { return GroupsOf(t.Approver, t.Quorum, t.Reviewer, t.Also) }

// GroupsOf returns the groups of an approver and of those beside it.
func GroupsOf(approver string, quorum int, reviewer bool, also []Group) []Group {
	if len(Approvers(approver)) == 0 {
		return also
	}
	return append([]Group{{Approver: approver, Quorum: quorum, Reviewer: reviewer}}, also...)
}

// Join returns the terms of two asks that one answer is to satisfy. It is a join of
// a lattice: commutative, associative and idempotent, and never less strict than
// either. It changes neither.
//
// Every group must approve, but not one that another group implies. The shorter time
// counts, and silence allows only where both asks let the same silence allow. A model
// may answer only where both leave it to the same model with the same question.
func (t *AskTerms) Join(o *AskTerms) *AskTerms {
	rules := union(t.Rules, o.Rules)
	if t.same(o) {
		out := *t
		out.Rules = rules
		return &out
	}
	out := AskTerms{
		Timeout: shorter(t.Timeout, o.Timeout), FailClosed: t.FailClosed || o.FailClosed, EveryTime: t.EveryTime || o.EveryTime, Rules: rules,
	}
	if t.Rule == o.Rule {
		out.Rule = t.Rule
	}
	if t.OnTimeout == Allow && o.OnTimeout == Allow && t.Timeout == o.Timeout {
		out.OnTimeout = Allow
	}
	if t.Reviewer && t.sameReviewer(o) {
		out.Reviewer, out.Model, out.Prompt, out.CacheTTL = true, t.Model, t.Prompt, min(t.CacheTTL, o.CacheTTL)
	}
	out.take(strictest(append(t.normal(), o.normal()...)))
	out.OnTimeout = out.silent()
	return &out
}

// Covers reports whether those who have approved on these terms have approved on
// others too.
func (t *AskTerms) Covers(o *AskTerms) bool {
	j := t.Join(o)
	return j.Reviewer == t.Reviewer && slices.Equal(strictest(j.normal()), strictest(t.normal()))
}

// same reports whether terms differ at most in the rules that they are of.
func (t *AskTerms) same(o *AskTerms) bool {
	return t.Approver == o.Approver && t.Quorum == o.Quorum && t.Profile == o.Profile && slices.Equal(t.Also, o.Also) &&
		t.Reviewer == o.Reviewer && t.Model == o.Model && t.Prompt == o.Prompt && t.CacheTTL == o.CacheTTL &&
		t.Timeout == o.Timeout && t.OnTimeout == o.OnTimeout && t.FailClosed == o.FailClosed && t.EveryTime == o.EveryTime && t.Rule == o.Rule
}

// sameReviewer reports whether the same model is asked the same.
func (t *AskTerms) sameReviewer(o *AskTerms) bool {
	return o.Reviewer && t.Model == o.Model && t.Prompt == o.Prompt && slices.Equal(t.normal(), o.normal())
}

// normal returns the groups in the form in which equal ones are equal.
func (t *AskTerms) normal() []Group {
	out := slices.Clone(t.Groups())
	if len(out) > len(t.Also) {
		out[0].Profile = t.Profile
	}
	for i := range out {
		g := &out[i]
		names := g.Names()
		slices.Sort(names)
		g.Approver = strings.Join(slices.Compact(names), ",")
		if g.Quorum == 1 {
			g.Quorum = 0
		}
	}
	return out
}

// take makes groups those of the terms: those of people first, the largest number
// before all.
func (t *AskTerms) take(groups []Group) {
	if len(groups) > 0 && groups[0].Reviewer == t.Reviewer {
		first := &groups[0]
		t.Approver, t.Quorum, t.Profile = first.Approver, first.Quorum, first.Profile
		groups = groups[1:]
	}
	if len(groups) > 0 {
		t.Also = groups
	}
}

// strictest returns the groups that no other implies, in their order.
func strictest(groups []Group) []Group {
	slices.SortFunc(groups, Group.compare)
	groups = slices.Compact(groups)
	var out []Group
	for i := range groups {
		g := &groups[i]
		if !slices.ContainsFunc(groups, func(other Group) bool { return other != *g && other.implies(g) }) {
			out = append(out, *g)
		}
	}
	return out
}

func (g Group) compare(h Group) int {
	last := func(is bool) int {
		if is {
			return 1
		}
		return 0
	}
	return cmp.Or(
		cmp.Compare(last(g.Reviewer), last(h.Reviewer)), cmp.Compare(h.Need(), g.Need()), cmp.Compare(g.Approver, h.Approver), cmp.Compare(g.Profile, h.Profile),
	)
}

// implies reports whether whoever satisfies the group satisfies another.
func (g *Group) implies(h *Group) bool {
	switch {
	case g.Reviewer && !h.Reviewer, h.Profile != "" && g.Profile != h.Profile, g.Need() < h.Need():
		return false
	}
	of := h.Names()
	return !slices.ContainsFunc(g.Names(), func(name string) bool { return !slices.Contains(of, name) })
}

// shorter returns the shorter of two times, of which 0 is none.
func shorter(a, b time.Duration) time.Duration {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// union returns the texts of two lists, in order and each once.
func union(a, b []string) []string {
	switch {
	case len(b) == 0, slices.Equal(a, b):
		return a
	case len(a) == 0:
		return b
	}
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}

// A gathering joins the terms of the asks about one call.
type gathering struct {
	terms *AskTerms
	rules []string // of all asks, each once
}

// add joins the terms of one more ask.
func (g *gathering) add(rule string, t *AskTerms) {
	if !slices.Contains(g.rules, rule) {
		g.rules = append(g.rules, rule)
	}
	switch {
	case g.terms == nil:
		g.terms = t
	case g.terms != t:
		g.terms = g.terms.Join(t)
	}
}

// joined returns the terms of all, with the rules where several ask, and as the rule
// for a grant that of the ask which comes first.
func (g *gathering) joined(first *AskTerms) *AskTerms {
	if first == nil || g.terms == first {
		first = g.terms
	}
	if len(g.rules) < 2 && g.terms == first {
		return first
	}
	out := *g.terms
	out.Rule = first.Rule
	if len(g.rules) > 1 {
		slices.Sort(g.rules)
		out.Rules = g.rules
	}
	return &out
}

// joint returns the terms of all asks that apply to a call about which a stage asks:
// the asks that nothing answers, and what else would ask if these were answered.
func (r *run) joint(stage Stage, o *opinion) *AskTerms {
	if stage != StageRules && len(r.replies.list) == 0 && len(r.guises) == 0 {
		return cmp.Or(o.ask, r.e.plain)
	}
	var g gathering
	if stage != StageRules {
		g.add(cmp.Or(o.rule, stage.String()), cmp.Or(o.ask, r.e.plain))
	}
	open := r.replies.open()
	r.replies.gatherTerms(&g, open)
	for _, of := range r.guises {
		of.replies.gatherTerms(&g, of.replies.open())
	}
	if stage == StageRules {
		if rest, rule := r.rest(open); rest != nil {
			g.add(rule, rest)
		}
	}
	return g.joined(o.ask)
}

// gatherTerms adds the terms of asks.
func (r *replies) gatherTerms(g *gathering, asks []*reply) {
	for _, a := range asks {
		g.add(a.Rule, r.termsOf(a))
	}
}

// termsOf returns the terms on which a reply asks.
func (r *replies) termsOf(a *reply) *AskTerms {
	if a.Ask != nil {
		return a.Ask
	}
	return r.e.terms(a.Rule, false)
}
