package policy

// denied is stage 2. It gathers the replies, before any other stage reads them.
func (r *run) denied() (*opinion, error) {
	if err := r.replies.gather(); err != nil {
		return nil, err
	}
	unasked := r.yoloOn() || r.e.settings.Mode == Skip // nobody is there to answer
	return r.replies.denial(&r.trace, unasked), nil
}

// denial returns what denies of all that was answered, also about the lines that
// a shell may make of the arguments. Where asks reach nobody, what is uncertain
// denies too.
func (r *replies) denial(t *trace, unasked bool) *opinion {
	for i := range r.list {
		a := &r.list[i]
		if a.Decision == Deny && a.Certain {
			t.note(a.match())
			o := opinion{reason: ReasonPermissionRule, rule: a.Rule, why: a.Why, instead: a.instead, span: a.Span, origin: a.Origin}
			if a.refused {
				o.reason, o.instead = ReasonError, faultNext
			}
			return r.say(o)
		}
	}
	if o := (agentFiles{r.facts}).denial(); o != nil {
		return o
	}
	for _, g := range r.guises {
		if o := g.replies.denial(&trace{}, unasked); o != nil {
			o.span = nil // it is none in the call
			return r.say(*o)
		}
	}
	if !unasked {
		return nil
	}
	if p := r.unreadable(); p != nil {
		return r.say(opinion{
			reason: ReasonError, rule: "unreadable", why: p.Why, span: new(p.Span),
			instead: "Split it into shorter, simpler commands and run them one by one.",
		})
	}
	for i := range r.list {
		if a := &r.list[i]; !a.Certain {
			t.note(a.match())
			o := opinion{
				reason: ReasonError, rule: "uncertain", why: a.Why, span: a.Span, origin: a.Origin,
				instead: "Write the words out, without variables or patterns.",
			}
			if a.Rule == failedRule {
				o.instead = faultNext
			}
			if d := r.insteadOf(a); d != nil {
				o.why, o.span, o.instead, o.origin = d.why, d.span, d.instead, Origin{}
			}
			return r.say(o)
		}
	}
	return nil
}
