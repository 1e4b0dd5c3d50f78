package policy

// matched notes that an answer matched at the stage that runs now.
func (r *run) matched(a *reply) {
	if r.explain != nil {
		r.traced = append(r.traced, Match{Rule: a.Rule, Decision: a.Decision, Origin: a.Origin})
	}
}

func (r *run) noteRule(p *permit, lost string) {
	if r.explain != nil {
		r.traced = append(r.traced, Match{Rule: p.Match, Decision: p.Action, Origin: p.Origin, Lost: lost})
	}
}

// traceAllowing notes every permission that allows a command.
func (r *run) traceAllowing(i int) {
	if r.explain == nil {
		return
	}
	for _, p := range r.permissions() {
		if p.Action == Allow && r.allowsCommand(p, &r.line.Commands[i]) {
			r.noteRule(p, "")
		}
	}
}

// noteLost notes an allow that matched and does not count.
func (r *run) noteLost(rule string, origin Origin, why string) {
	if r.explain != nil {
		r.traced = append(r.traced, Match{Rule: rule, Decision: Allow, Origin: origin, Lost: why})
	}
}

// traceOutdone notes the allows that would have counted if nothing had asked.
func (r *run) traceOutdone() {
	if r.explain == nil {
		return
	}
	for _, p := range r.permissions() {
		if p.Action != Allow {
			continue
		}
		covers := r.line == nil && p.CoversCall(&r.view)
		for i := range r.commands() {
			covers = covers || r.allowsCommand(p, &r.line.Commands[i])
		}
		if covers {
			r.noteRule(p, "ask is stricter")
		}
	}
}

// trace notes what a stage had to say.
func (r *run) trace(s Stage, o *opinion, decided bool) {
	step := Step{Stage: s, Spoke: o != nil, Decided: decided, Rules: r.traced}
	if o != nil {
		step.Decision, step.Why = o.decision, o.why
	}
	if s == StageRules || s == StagePermissionDeny {
		step.Rules = r.losers(s, step.Rules, o)
	}
	r.explain.Steps = append(r.explain.Steps, step)
}

// losers adds the rules that matched and did not decide, with the reason.
func (r *run) losers(s Stage, won []Match, o *opinion) []Match {
	for i := range r.replies {
		a := &r.replies[i]
		atDeny := a.Decision == Deny && a.Certain
		if atDeny != (s == StagePermissionDeny) || o != nil && a.Rule == o.rule {
			continue
		}
		lost := "an earlier match decided"
		switch {
		case o == nil && a.Decision == Allow:
			lost = "it does not cover the whole line"
		case o == nil:
			lost = "a grant or an auto-approve pattern answers it"
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

// traceCommands says of each simple command what allowed it, or why nothing
// did.
func (r *run) traceCommands() {
	if r.line == nil {
		return
	}
	for i := range r.line.Commands {
		t := CommandTrace{Index: i, Allowed: r.parts.list[i].stage, By: r.parts.list[i].rule}
		if p := r.parts.proof(i); !p.Proved {
			t.NotProved, t.Instead, t.Span = p.Why, p.Instead, p.Span
		}
		for _, f := range r.parts.dangers(i) {
			t.Dangerous = append(t.Dangerous, f.Rule.ID)
		}
		t.Permissions = r.traceAllows(i)
		r.explain.Commands = append(r.explain.Commands, t)
	}
}

// traceAllows returns the allows whose words cover a command, with the reason
// where they still do not allow it.
func (r *run) traceAllows(i int) []Match {
	c := &r.line.Commands[i]
	var out []Match
	for _, p := range r.permissions() {
		if p.Action != Allow || !p.Covers(&r.view, c) {
			continue
		}
		out = append(out, Match{Rule: p.Match, Decision: Allow, Origin: p.Origin, Lost: r.barrier(c, p.Pattern)})
	}
	return out
}
