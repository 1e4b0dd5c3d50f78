package policy

// A trace takes down what the stages found, for an explanation.
type trace struct {
	explain *Explanation // nil if nobody wants one
	rules   []Match      // of the stage that runs now
}

// note takes down a rule that matched at the stage that runs now.
func (t *trace) note(m Match) {
	if t.explain != nil {
		t.rules = append(t.rules, m)
	}
}

// match is what an explanation says of a reply.
func (a *reply) match() Match { return Match{Rule: a.Rule, Decision: a.Decision, Origin: a.Origin} }

// match is what an explanation says of a permission.
func (p *permit) match() Match {
	return Match{Rule: p.Permission.Match, Decision: p.Action, Origin: p.Origin}
}

// allowing notes every permission that allows a command.
func (t *trace) allowing(f *facts, i int) {
	if t.explain == nil {
		return
	}
	for _, p := range f.permissions() {
		if p.Action == Allow && f.allowsCommand(p, &f.line.Commands[i]) {
			t.note(p.match())
		}
	}
}

// outdone notes the allows that would have counted if nothing had asked.
func (t *trace) outdone(f *facts) {
	if t.explain == nil {
		return
	}
	for _, p := range f.permissions() {
		if p.Action != Allow {
			continue
		}
		covers := f.line == nil && p.CoversCall(&f.view)
		for i := range f.commands() {
			covers = covers || f.allowsCommand(p, &f.line.Commands[i])
		}
		if covers {
			m := p.match()
			m.Lost = "ask is stricter"
			t.note(m)
		}
	}
}

// step notes what a stage had to say.
func (t *trace) step(r *replies, s Stage, o *opinion, decided bool) {
	step := Step{Stage: s, Spoke: o != nil, Decided: decided, Rules: t.rules}
	if o != nil {
		step.Decision, step.Why = o.decision, o.why
	}
	if s == StageRules || s == StagePermissionDeny {
		step.Rules = losers(r, s, step.Rules, o)
	}
	t.explain.Steps = append(t.explain.Steps, step)
}

// losers adds the rules that matched and did not decide, with the reason.
func losers(r *replies, s Stage, won []Match, o *opinion) []Match {
	for i := range r.list {
		a := &r.list[i]
		atDeny := a.Decision == Deny && a.Certain
		if atDeny != (s == StagePermissionDeny) || o != nil && a.Rule == o.rule {
			continue
		}
		lost := "an earlier rule decided"
		switch {
		case o == nil && a.Decision == Allow:
			lost = "it covers only part of the line"
		case o == nil:
			lost = "a grant or an auto-approve pattern already answers it"
		case o.decision == Ask && a.asks() && !r.discharged(a):
			lost = "it asks too, and its terms count"
		case a.Decision > o.decision:
			lost = o.decision.String() + " is stricter"
		}
		won = append(won, Match{Rule: a.Rule, Decision: a.Decision, Origin: a.Origin, Lost: lost})
	}
	for _, m := range r.others {
		if (m.Decision == Deny) == (s == StagePermissionDeny) {
			won = append(won, m)
		}
	}
	return dedupe(won)
}

// dedupe keeps the first mention of each rule.
func dedupe(list []Match) []Match {
	var out []Match
	seen := make(map[string]bool)
	for _, m := range list {
		if !seen[m.Rule] {
			seen[m.Rule] = true
			out = append(out, m)
		}
	}
	return out
}

// commands says of each simple command what allowed it, or why nothing
// did.
func (t *trace) commands(f *facts) {
	for i := range f.commands() {
		c := CommandTrace{Index: i, Allowed: f.parts.list[i].stage, By: f.parts.list[i].rule}
		if p := f.parts.proof(i); !p.Proved {
			c.NotProved, c.Instead, c.Span = p.Why, p.Instead, p.Span
		}
		for _, d := range f.parts.dangers(i) {
			c.Dangerous = append(c.Dangerous, d.Rule.ID)
		}
		c.Permissions = allows(f, i)
		t.explain.Commands = append(t.explain.Commands, c)
	}
}

// allows returns the allows whose words cover a command, with the reason
// where they still do not allow it.
func allows(f *facts, i int) []Match {
	c := &f.line.Commands[i]
	var out []Match
	for _, p := range f.permissions() {
		if p.Action != Allow || !p.Covers(&f.view, c) {
			continue
		}
		out = append(out, Match{Rule: p.Match, Decision: Allow, Origin: p.Origin, Lost: f.barrier(c, p.Pattern)})
	}
	return out
}

// asks notes the asks that nothing answers.
func (t *trace) asks(r *replies) {
	t.explain.Input = r.input()
	for i := range r.list {
		a := &r.list[i]
		if !a.asks() || r.discharged(a) {
			continue
		}
		open := OpenAsk{Rule: a.dischargedBy()}
		for k := range r.commands() {
			if r.concerns(a, k) {
				open.Commands = append(open.Commands, k)
			}
		}
		t.explain.Asks = append(t.explain.Asks, open)
	}
}
