package policy

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/doom"
	"github.com/policyctl/policyctl/pkg/program"
	"github.com/policyctl/policyctl/pkg/shell"
)

// denied is stage 2. It asks everybody who has a say, and is the first to.
func (r *run) denied() (*opinion, error) {
	if err := r.gather(); err != nil {
		return nil, err
	}
	return r.denial()
}

// denial returns what denies of all that was answered, also about the lines that
// a shell may make of the arguments.
func (r *run) denial() (*opinion, error) {
	for i := range r.replies {
		a := &r.replies[i]
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
		return r.say(opinion{
			reason: ReasonError, rule: "unreadable", why: r.line.Problem.Why, span: new(r.line.Problem.Span),
			instead: "Split it into shorter, simpler commands and run them one by one.",
		}), nil
	}
	for i := range r.replies {
		if a := &r.replies[i]; !a.Certain {
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

// unasked reports whether asks would not reach anybody: under yolo and skip.
func (r *run) unasked() bool {
	return r.yoloOn() || r.e.settings.Mode == Skip
}

func (r *run) yoloOn() bool {
	return r.e.settings.Yolo || r.session != nil && r.session.Yolo
}

// yolo is stage 3. What a bundle or the managed policy asks, it does not answer.
func (r *run) yolo() (*opinion, error) {
	if !r.yoloOn() || slices.ContainsFunc(r.replies, func(a reply) bool { return a.Decision == Ask && a.Binding }) {
		return nil, nil
	}
	if f, err := r.loop(); err != nil || f.Loop {
		return nil, nil // doom_loop says so
	}
	return r.say(opinion{decision: Allow, why: "yolo is on"}), nil
}

// doomLoop is stage 4.
func (r *run) doomLoop() (*opinion, error) {
	f, err := r.loop()
	if err != nil || !f.Loop {
		return nil, err
	}
	return r.say(opinion{reason: ReasonDoomLoop, why: f.String()}), nil
}

// A guard is what the guard against loops has found about a call.
type guard struct {
	asked   bool
	finding doom.Finding
	err     error
}

// loop asks the guard against loops, once: yolo needs its consent.
func (r *run) loop() (doom.Finding, error) {
	g := &r.guard
	if !g.asked {
		g.asked = true
		g.finding, g.err = r.observe()
	}
	return g.finding, g.err
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
		e.polling = append(e.polling, strings.Fields(p))
	}
}

// polls reports whether the repetition of the call is sound as long as its
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

// hasLeading reports whether a command begins with one of several lists of words.
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
		if !ok || v != w && (i > 0 || program.BareName(v) != w) {
			return false
		}
	}
	return true
}
