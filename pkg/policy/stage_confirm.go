package policy

// confirm is stage 8. It looks only at commands that nothing allowed.
func (r *run) confirm() (*opinion, error) {
	if r.netted() != nil {
		if o := r.danger((*parts).unallowedLoss); o != nil {
			return o, nil
		}
		return r.say(opinion{decision: Allow, stage: StageYolo, why: "yolo is on"}), nil
	}
	if r.e.settings.Mode == Skip {
		return r.danger((*parts).unallowedLoss), nil
	}
	if r.line == nil {
		return r.risks().perilOfGuises(), nil
	}
	if r.e.settings.Confirm == DangerousOnly {
		return confirmDangerous(&r.facts), nil
	}
	if p := r.parts.outside; p != nil {
		return r.askOutside(p.Why, new(p.Span)), nil
	}
	return confirmAll(&r.facts), nil
}

// confirmAll asks about every command that nothing allowed.
func confirmAll(f *facts) *opinion {
	o := f.say(opinion{decision: Ask, why: "no rule allows it, and it may change something"})
	if p := f.line.Problem; p != nil {
		o.why, o.span, o.rule = p.Why, new(p.Span), "unreadable"
		return o
	}
	f.parts.proveRest()
	for i := range f.line.Commands {
		if o := f.parts.peril(i); o != nil {
			return f.say(*o)
		}
		if o.span == nil && f.parts.list[i].stage == StageNone {
			o.span = new(f.line.Commands[i].Span)
			if why := f.risks().sensitiveRead(&f.line.Commands[i]); why != "" {
				o.why = "no rule allows it, and " + why
			}
		}
	}
	if p := f.parts.secret; p != nil {
		o.why, o.span, o.instead = p.Why, new(p.Span), p.Instead
	}
	if d := f.line.Divergence; d != nil {
		o.rule, o.span = "shells-differ", new(d.Span)
		o.why = "shells read " + d.Construct.ID + " differently: " + d.Construct.Why
		if d.Construct.Shells == 0 {
			o.why = "shells may read part of it differently"
		}
		o.instead = "Name the shell that runs it in the call."
		if d.Construct.Instead != "" {
			o.instead = "For every shell to read it alike, " + d.Construct.Instead + "; or name the shell that runs it in the call."
		}
	}
	return o
}

// confirmDangerous asks about what is dangerous or not known.
func confirmDangerous(f *facts) *opinion {
	if p := f.line.Problem; p != nil {
		return f.say(opinion{decision: Ask, rule: "unreadable", why: p.Why, span: new(p.Span)})
	}
	if len(f.line.Oddities) > 0 {
		o := f.line.Oddities[0]
		return f.say(opinion{decision: Ask, rule: "hidden-text", why: "the line holds " + o.Why, span: &o.Span})
	}
	f.parts.proveRest()
	for i := range f.line.Commands {
		c := &f.line.Commands[i]
		if o := f.parts.unallowedLoss(i); o != nil {
			return f.say(*o)
		}
		if c.Opaque != "" && f.parts.list[i].stage == StageNone {
			return f.say(opinion{decision: Ask, rule: "unknown-text", why: c.Opaque, span: new(c.Span)})
		}
	}
	return f.say(opinion{decision: Allow, why: "it matches no dangerous pattern"})
}

// mode is stage 9.
func (r *run) mode() (*opinion, error) {
	if t := r.e.settings.ToolPolicy.Default; t == Allowed {
		return r.say(opinion{decision: Allow, rule: "tool_policy.default", why: "the tool policy allows tools it does not list", origin: r.e.settings.ToolPolicy.Origin}), nil
	}
	risk, why := r.risks().ofTool()
	outside := r.readsOutside()
	switch {
	case r.e.settings.Mode == Skip:
		return r.say(opinion{decision: Allow, why: "the mode is skip"}), nil
	case outside != "":
		return r.askOutside(outside, nil), nil
	case risk == Low, risk == Medium && r.e.settings.Mode == Auto:
		return r.say(opinion{decision: Allow, why: why}), nil
	}
	return r.say(opinion{decision: Ask, why: why, instead: r.withoutSecrets(nil)}), nil
}
