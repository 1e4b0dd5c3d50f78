package policy

import (
	"path"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/doom"
)

func (r *run) yoloOn() bool {
	return r.e.settings.Yolo || r.replies.session != nil && r.replies.session.Yolo
}

// yolo is stage 3. What a bundle or the managed policy asks, it does not answer,
// nor what its settings keep for a person.
func (r *run) yolo() (*opinion, error) {
	if !r.yoloOn() || slices.ContainsFunc(r.replies.list, func(a reply) bool { return a.Decision == Ask && a.Binding }) {
		return nil, nil
	}
	if f, err := r.guard.find(r); err != nil || f.Loop {
		return nil, nil // doom_loop says so
	}
	if o := r.netted(); o != nil {
		r.trace.note(Match{Rule: o.rule, Decision: Ask, Lost: "approvals.yolo_confirm is dangerous: a later stage answers"})
		return nil, nil
	}
	return r.say(opinion{decision: Allow, why: "yolo is on"}), nil
}

// netted returns the first dangerous pattern that the call matches, where yolo is
// to ask about these; nil otherwise.
func (r *run) netted() *opinion {
	if !r.yoloOn() || r.e.settings.YoloConfirm != ConfirmDangerous {
		return nil
	}
	return r.danger((*parts).loss)
}

// danger returns what is found first in the commands of the call, and in the
// lines that a shell may make of its arguments. The place in such a line is none
// in the call.
func (f *facts) danger(find func(*parts, int) *opinion) *opinion {
	for i := range f.commands() {
		if o := find(&f.parts, i); o != nil {
			return f.say(*o)
		}
	}
	for _, g := range f.guises {
		if o := g.danger(find); o != nil {
			o.span = nil
			return f.say(*o)
		}
	}
	return nil
}

// doomLoop is stage 4.
func (r *run) doomLoop() (*opinion, error) {
	f, err := r.guard.find(r)
	if err != nil || !f.Loop {
		return nil, err
	}
	return r.say(opinion{reason: ReasonDoomLoop, why: f.String()}), nil
}

// A guard is what loop detection has found about a call.
type guard struct {
	asked   bool
	finding doom.Finding
	err     error
}

// find judges a call, once: yolo needs the consent of the guard.
func (g *guard) find(r *run) (doom.Finding, error) {
	if !g.asked {
		g.asked = true
		g.finding, g.err = r.observe()
	}
	return g.finding, g.err
}

// observe judges the call for the loop guard, and records it unless it is
// only explained.
func (r *run) observe() (doom.Finding, error) {
	s := r.replies.session
	if s == nil || s.Doom == nil {
		return doom.Finding{}, nil
	}
	if s.Unreadable != nil {
		r.notes = append(r.notes, "loop detection is off: the history of the session could not be read: "+s.Unreadable.Error())
		return doom.Finding{}, nil
	}
	c := doom.Call{ID: r.call.ID, Key: loopKey(&r.facts), Polling: polls(&r.facts)}
	if r.review {
		if f, ok := s.Doom.Recall(s.ID, c.Key); ok {
			return f, nil
		}
	}
	if r.explained || r.review {
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
func polls(f *facts) bool {
	if f.e.pollTools[f.tool.Name] {
		return true
	}
	for i := range f.commands() {
		if slices.ContainsFunc(f.e.polling, func(words []string) bool { return leads(&f.line.Commands[i], words) }) {
			return true
		}
	}
	return false
}

// loopKey identifies the call for loop detection, however it is spelled.
func loopKey(f *facts) doom.Key {
	var args []byte
	if f.line != nil && !f.tool.Runs.given(f.call.Input) {
		args = f.line.Gist()
	}
	if len(args) == 0 {
		args = []byte(canonical(f.tool, f.call.Input))
	}
	return doom.KeyOf(f.call.Agent, f.tool.Name, path.Clean(f.call.Dir), args)
}

// leads reports whether a command begins with words.
func leads(c *command.Command, words []string) bool {
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
