package policy

// confirm is stage 8. It looks only at commands that nothing allowed.
func (r *run) confirm() (*opinion, error) {
	if r.e.settings.Mode == Skip {
		return nil, nil
	}
	if r.line == nil {
		return r.ofGuises((*run).peril)
	}
	if r.e.settings.Confirm == DangerousOnly {
		return r.confirmDangerous(), nil
	}
	if p := r.parts.outside; p != nil {
		return r.askOutside(p.Why, new(p.Span)), nil
	}
	return r.confirmAll(), nil
}

func (r *run) confirmAll() *opinion {
	o := r.say(opinion{decision: Ask, why: "nothing allows it and it is not proved to read only"})
	if p := r.line.Problem; p != nil {
		o.why, o.span, o.rule = p.Why, new(p.Span), "unreadable"
		return o
	}
	for i := range r.line.Commands {
		if r.parts.list[i].stage != StageNone {
			continue
		}
		if o := r.parts.danger(i); o != nil {
			return r.say(*o)
		}
		if o.span == nil {
			o.span = new(r.line.Commands[i].Span)
		}
	}
	if p := r.parts.secret; p != nil {
		o.why, o.span, o.instead = p.Why, new(p.Span), p.Instead
	}
	if d := r.line.Divergence; d != nil {
		o.rule, o.span = "shells-differ", new(d.Span)
		o.why = "shells read " + d.Construct.ID + " differently: " + d.Construct.Why
		if d.Construct.Shells == "" {
			o.why = "shells may read a part of it differently"
		}
		o.instead = "Say in the call which shell runs it."
		if d.Construct.Instead != "" {
			o.instead = "To be read alike by every shell, " + d.Construct.Instead + "; or say in the call which shell runs it."
		}
	}
	return o
}

func (r *run) confirmDangerous() *opinion {
	if p := r.line.Problem; p != nil {
		return r.say(opinion{decision: Ask, rule: "unreadable", why: p.Why, span: new(p.Span)})
	}
	if len(r.line.Oddities) > 0 {
		o := r.line.Oddities[0]
		return r.say(opinion{decision: Ask, rule: "hidden-text", why: "the line holds " + o.Why, span: &o.Span})
	}
	for i := range r.line.Commands {
		if r.parts.list[i].stage != StageNone {
			continue
		}
		c := &r.line.Commands[i]
		if o := r.parts.danger(i); o != nil {
			return r.say(*o)
		}
		if c.Opaque != "" {
			return r.say(opinion{decision: Ask, rule: "unknown-text", why: c.Opaque, span: new(c.Span)})
		}
	}
	return r.say(opinion{decision: Allow, why: "nothing dangerous is known of it"})
}

// mode is stage 9.
func (r *run) mode() (*opinion, error) {
	if t := r.e.settings.ToolPolicy.Default; t == Allowed {
		return r.say(opinion{decision: Allow, rule: "tool_policy.default", why: "the tool policy allows tools that it does not name", origin: r.e.settings.ToolPolicy.Origin}), nil
	}
	risk, why := r.risk()
	outside := r.readsOutside()
	switch {
	case r.e.settings.Mode == Skip:
		return r.say(opinion{decision: Allow, why: "the mode is skip"}), nil
	case outside != "":
		return r.askOutside(outside, nil), nil
	case risk == Low, risk == Medium && r.e.settings.Mode == Auto:
		return r.say(opinion{decision: Allow, why: "the tool is of " + risk.String() + " risk and the mode is " + r.e.settings.Mode.String()}), nil
	}
	return r.say(opinion{decision: Ask, why: why}), nil
}
