package policy

import (
	"github.com/policyctl/policyctl/pkg/doom"
	"github.com/policyctl/policyctl/pkg/program"
	"github.com/policyctl/policyctl/pkg/shell"
)

// denied is stage 2. It asks everybody who has a say, and is the first to.
func (r *run) denied() (*opinion, error) {
	if err := r.ask(); err != nil {
		return nil, err
	}
	return r.denial()
}

// denial returns what denies of all that was answered, also about the lines that
// a shell may make of the arguments.
func (r *run) denial() (*opinion, error) {
	for i := range r.answers {
		a := &r.answers[i]
		if a.Decision == Deny && a.Certain {
			r.matched(a)
			reason := ReasonPermissionRule
			if a.refused {
				reason = ReasonError
			}
			return r.say(opinion{reason: reason, rule: a.Rule, why: a.Why, span: a.Span, origin: a.Origin}), nil
		}
	}
	if o := r.agentFiles(); o != nil {
		return o, nil
	}
	if o, err := r.ofGuises((*run).denial); o != nil || err != nil {
		return o, err
	}
	if !r.unasked() {
		return nil, nil
	}
	if r.line != nil && r.line.Problem != nil {
		span := r.line.Problem.Span
		return r.say(opinion{
			reason: ReasonError, rule: "unreadable", why: r.line.Problem.Why, span: &span,
			instead: "Split it into shorter, simpler commands and run them one by one.",
		}), nil
	}
	for i := range r.answers {
		if a := &r.answers[i]; !a.Certain {
			r.matched(a)
			o := opinion{
				reason: ReasonError, rule: "uncertain", why: a.Why, span: a.Span, origin: a.Origin,
				instead: "Write the words literally, without variables or patterns.",
			}
			if d := r.insteadOf(a); d != nil {
				o.why, o.span, o.instead, o.origin = d.why, d.span, d.instead, Origin{}
			}
			return r.say(o), nil
		}
	}
	return nil, nil
}

// unasked says whether asks would not reach anybody: under yolo and skip.
func (r *run) unasked() bool {
	return r.yoloOn() || r.e.settings.Mode == Skip
}

func (r *run) yoloOn() bool {
	return r.e.settings.Yolo || r.session != nil && r.session.Yolo
}

// yolo is stage 3. It allows only once the doom loop has agreed.
func (r *run) yolo() (*opinion, error) {
	if !r.yoloOn() {
		return nil, nil
	}
	for i := range r.answers {
		if a := &r.answers[i]; a.Decision == Ask && a.Binding {
			return nil, nil
		}
	}
	r.pending = &opinion{decision: Allow, stage: StageYolo, why: "yolo is on"}
	return nil, nil
}

// doomLoop is stage 4.
func (r *run) doomLoop() (*opinion, error) {
	f, err := r.observe()
	if err != nil {
		return nil, err
	}
	if f.Loop {
		return r.say(opinion{
			reason: ReasonDoomLoop, why: f.String(),
		}), nil
	}
	return r.pending, nil
}

// observe judges the call for the loop guard, and records it unless it is
// only explained.
func (r *run) observe() (doom.Finding, error) {
	s := r.session
	if s == nil || s.Doom == nil {
		return doom.Finding{}, nil
	}
	if s.Unreadable != nil {
		r.notes = append(r.notes, "the guard against loops is off, because the history of the session could not be read: "+s.Unreadable.Error())
		return doom.Finding{}, nil
	}
	c := doom.Call{ID: r.call.ID, Key: r.key(), Polling: r.polls()}
	if r.review {
		if f, ok := s.Doom.Recall(s.ID, c.Key); ok {
			return f, nil
		}
	}
	if r.explain != nil || r.review {
		return s.Doom.Peek(s.ID, c, r.e.settings.DoomLimits)
	}
	return s.Doom.Observe(s.ID, c, r.e.settings.DoomLimits)
}

func (e *Engine) compilePolling(list []string) {
	e.pollTools = make(map[string]bool)
	for _, p := range append([]string{"sleep", "gh run view", "gh run watch", "gh pr checks", "wait"}, list...) {
		if t, ok := e.tools.lookup(p); ok {
			e.pollTools[t.Name] = true
		}
		e.polling = append(e.polling, fields(p))
	}
}

// polls says whether the repetition of the call is sound as long as its
// result changes.
func (r *run) polls() bool {
	if r.e.pollTools[r.tool.Name] {
		return true
	}
	if r.line == nil {
		return false
	}
	for i := range r.line.Commands {
		if hasLeading(&r.line.Commands[i], r.e.polling) {
			return true
		}
	}
	return false
}

// hasLeading says whether a command begins with one of several lists of words.
func hasLeading(c *shell.Command, lists [][]string) bool {
	for _, words := range lists {
		if leads(c, words) {
			return true
		}
	}
	return false
}

func leads(c *shell.Command, words []string) bool {
	if len(words) == 0 || len(words) > len(c.Words) {
		return false
	}
	for i, w := range words {
		v, ok := c.Words[i].Literal()
		if !ok || v != w && (i > 0 || program.BareName(v, false) != w) {
			return false
		}
	}
	return true
}
