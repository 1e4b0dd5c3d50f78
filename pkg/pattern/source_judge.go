package pattern

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
)

// A sourceCall is the answer of one source to one call.
type sourceCall struct {
	ctx   context.Context
	s     *Source
	in    *policy.Input
	scope Scope
	input Input
	err   error // of the evaluator
}

// answer combines what the rules say of several records of one thing: denies
// and asks all count, and an allow only where every record is allowed.
func (j *sourceCall) answer(parts []record.Part) policy.Answer {
	var out, allow policy.Answer
	spoke, allowed := false, len(parts) > 0
	var others []policy.Match
	for i := range parts {
		a := j.one(&parts[i])
		others, a.Others = append(others, a.Others...), nil
		switch {
		case a.Silent:
			allowed = false
		case a.Decision == policy.Allow:
			allow = a
		case !spoke:
			out, spoke = a, true
		default:
			more(&out, a)
		}
	}
	switch {
	case spoke:
	case allowed:
		out = allow
	default:
		out = policy.Answer{Silent: true}
	}
	out.Others = others
	return out
}

// more adds an answer about another record to one, with all that it says beside, unless
// the same is there.
func more(to *policy.Answer, a policy.Answer) {
	list := a.More
	a.More = nil
	for _, b := range append([]policy.Answer{a}, list...) {
		same := func(c policy.Answer) bool {
			return b.Rule == c.Rule && b.Decision == c.Decision && b.Certain == c.Certain && b.Beside == c.Beside
		}
		if !same(*to) && !slices.ContainsFunc(to.More, same) {
			to.More = append(to.More, b)
		}
	}
}

// one answers for one record.
func (j *sourceCall) one(p *record.Part) policy.Answer {
	m := j.decide(p.Record, p.Command >= 0, false)
	if m.allow != nil && j.barred(p, m.allow) { // it hides no rule below it either
		m = j.decide(p.Record, p.Command >= 0, true)
	}
	a := policy.Answer{Silent: true}
	if m.Rule != nil {
		a = j.say(p, m)
	}
	if j.in.Explain {
		a.Others = j.others(p, m.Rule)
	}
	return a
}

// decide returns what the rules say of a record: those that may answer for a
// command, or of all only those that deny or ask.
func (j *sourceCall) decide(r *record.Record, command, denials bool) Match {
	if j.s.by != nil {
		sure, maybe := j.truths(r)
		drop := func(at int) bool {
			rule := j.s.set.Ordered()[at]
			return denials && allows(rule) || command && neverOfCommand(rule)
		}
		return j.s.set.Choose(slices.DeleteFunc(slices.Clone(sure), drop), slices.DeleteFunc(slices.Clone(maybe), drop))
	}
	if j.s.forms != nil {
		return j.decideForms(r, command, denials)
	}
	switch {
	case denials:
		return j.s.denials().Decide(r, j.scope, &j.input)
	case command:
		return j.s.lines().Decide(r, j.scope, &j.input)
	}
	return j.s.set.Decide(r, j.scope, &j.input)
}

// decideForms is decide where the rules are read as they are needed.
func (j *sourceCall) decideForms(r *record.Record, command, denials bool) Match {
	if j.err != nil {
		return Match{Certain: true}
	}
	m, err := j.s.forms.decide(r, j.scope, &j.input, func(rule *Rule) bool {
		return denials && allows(rule) || !denials && command && neverOfCommand(rule)
	})
	j.err = err
	return m
}

// ordered returns the rules in the order in which they are asked.
func (j *sourceCall) ordered() []*Rule {
	if j.s.forms == nil {
		return j.s.set.Ordered()
	}
	out, err := j.s.forms.ordered()
	j.err = cmp.Or(j.err, err)
	return out
}

// truths asks the evaluator. After an error nothing matches, and the error
// stands for the answer.
func (j *sourceCall) truths(r *record.Record) (sure, maybe []int) {
	if j.err != nil {
		return nil, nil
	}
	sure, maybe, j.err = j.s.by.Truths(j.ctx, r, j.scope, &j.input)
	return sure, maybe
}

// eval reports whether a rule matches a record.
func (j *sourceCall) eval(rule *Rule, r *record.Record) Truth {
	if j.s.by == nil {
		return rule.When.Eval(r, &j.input)
	}
	sure, maybe := j.truths(r)
	if _, found := slices.BinarySearch(sure, j.s.places[rule]); found {
		return True
	}
	if _, found := slices.BinarySearch(maybe, j.s.places[rule]); found {
		return Unknown
	}
	return False
}

// barred reports whether a rule that matches a record may still not allow what it
// describes. A simple command is allowed by its words: by the program as it is
// written unless it lies where bare names lead, not by what it reads or
// connects to alone, and never by the line around it.
func (j *sourceCall) barred(p *record.Part, rule *Rule) bool {
	if p.Command < 0 {
		return j.in.Line != nil && j.in.Call.Record == nil
	}
	if j.in.Barrier(p.Command) != "" {
		return true
	}
	r := p.Record
	if c := &j.in.Line.Commands[p.Command]; !j.in.Trusted(p.Command) && len(c.Words) > 0 {
		r = without(with(r, "program", c.Path), "verb")
		if strings.HasPrefix(c.Path, "/") { // which the text of the command leaves out
			r = without(r, "shell.command")
		}
	}
	if j.eval(rule, without(r, "shell.line")) != True {
		return true
	}
	if needsOf(&rule.When)&record.BesideShell == 0 {
		return false
	}
	return j.eval(rule, without(r, "file", "http", "ssh", "sql", "k8s")) != True &&
		j.eval(rule, without(r, "shell.program", "shell.argv", "shell.command")) == True
}

// without returns a copy of the record of which some paths are unknown.
func without(r *record.Record, paths ...string) *record.Record {
	out := *r
	out.Unknown = append(slices.Clip(r.Unknown), paths...)
	return &out
}

// with returns a copy of the record with another value of a field of the
// shell.
func with(r *record.Record, field string, value any) *record.Record {
	out := *r
	out.Facets = maps.Clone(r.Facets)
	out.Facets["shell"] = maps.Clone(r.Facets["shell"])
	out.Facets["shell"][field] = value
	return &out
}

// say makes an answer of what a set says.
func (j *sourceCall) say(p *record.Part, m Match) policy.Answer {
	m.Certain = m.Certain || m.Decision != policy.Ask || j.eval(m.Rule, p.Record) == True
	return m.Answer()
}

// Answer returns what the rule that decides says of the call, [policy.Answer]
// Silent where no rule does. An answer that is not certain has the decision of
// the rule that may match.
func (m Match) Answer() policy.Answer {
	rule := m.Rule
	if rule == nil {
		return policy.Answer{Silent: true}
	}
	a := policy.Answer{Decision: m.Decision, Certain: m.Certain, Rule: rule.ID, Origin: rule.Origin, Why: rule.why()}
	for _, also := range m.Also {
		beside := also.Answer()
		beside.Beside = true
		a.More = append(a.More, beside)
	}
	if !a.Certain {
		a.Decision = rule.Decision.Verb.Decision()
		a.Why = "an unknown part may match the rule " + rule.Name()
	}
	if a.Decision == policy.Allow {
		return a
	}
	a.Binding = rule.Origin.Layer == "managed" || rule.Origin.Layer == "bundle"
	if rule.Decision.Verb != Deny {
		a.Ask = rule.terms(a.Certain)
	} else if !a.Certain {
		a.Ask = &policy.AskTerms{FailClosed: true, EveryTime: true, Rule: rule.grant()}
	}
	return a
}

// why returns the reason that the rule gives, or names it.
func (r *Rule) why() string {
	if r.Reason != "" {
		return r.Reason
	}
	return "the rule " + r.Name() + " matches"
}

// Name returns the label of the rule in quotes, or its id.
func (r *Rule) Name() string {
	if r.Label != "" {
		return clip.Quote(r.Label)
	}
	return r.ID
}

// terms returns the terms on which the rule asks. What is not certain to
// match never allows by itself.
func (r *Rule) terms(certain bool) *policy.AskTerms {
	d := &r.Decision
	t := &policy.AskTerms{
		Approver: d.Approver, Quorum: d.Quorum, Profile: d.Profile, Model: d.Model, Prompt: d.Prompt, Timeout: d.Timeout,
		OnTimeout: d.OnTimeout, CacheTTL: d.CacheTTL, Reviewer: d.Verb == RequireLLM, FailClosed: !d.FailOpen, Rule: r.grant(),
	}
	if !certain {
		t.OnTimeout, t.FailClosed, t.EveryTime = policy.Deny, true, true
	}
	return t
}

// grant names the rule for grants: two layers may have rules of the same id.
func (r *Rule) grant() string {
	if r.Origin.Layer == "" {
		return r.ID
	}
	return r.Origin.Layer + "/" + r.ID
}

// others returns the rules that match, or may match, and do not decide.
func (j *sourceCall) others(p *record.Part, won *Rule) []policy.Match {
	var out []policy.Match
	for _, rule := range j.ordered() {
		if rule == won || !rule.Scope.Covers(j.scope) {
			continue
		}
		t := rule.When.Eval(p.Record, &j.input)
		if t == False {
			continue
		}
		m := policy.Match{Rule: rule.ID, Decision: rule.Decision.Verb.Decision(), Origin: rule.Origin}
		switch {
		case t == Unknown:
			m.Lost = "a part that it tests is unknown"
		case rule.Decision.Verb == Allow && j.barred(p, rule):
			m.Lost = j.bar(p)
		case won != nil:
			m.Lost = "the rule " + won.ID + " comes first"
		default:
			m.Lost = "it allows only a part of the call"
		}
		out = append(out, m)
	}
	return out
}

// bar says what keeps rules from allowing a record.
func (j *sourceCall) bar(p *record.Part) string {
	if p.Command >= 0 {
		if why := j.in.Barrier(p.Command); why != "" {
			return why
		}
		if !j.in.Trusted(p.Command) {
			return "its program is not one that a bare name leads to"
		}
	}
	return "a rule that allows a command must test its words, and not the whole line"
}
