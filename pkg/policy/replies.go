package policy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/pkg/permission"
	"github.com/policyctl/policyctl/pkg/readonly"
)

// A reply is what one rule answers, about one command or, with command -1,
// about the call.
type reply struct {
	Answer
	command    int
	inside     bool    // it is about what a text on the line runs
	permission *permit // the one that answers, nil for others
	supervised bool
	refused    bool // the answer is an error
	last       bool // it asks only where nothing else does
	doubt      bool // an argument of the call cannot be understood
	instead    string
}

// The replies about a call are those of everybody who has a say.
type replies struct {
	*facts
	ctx     context.Context
	session *Session
	list    []reply
	others  []Match // rules of sources that matched and lost
	// counted are the grants with a number of uses on which the verdict rests.
	counted []string
}

// gather gathers the replies of everybody who has a say, once: stages 2 and 5
// read them. Allows of permissions are found at stage 5.
func (r *replies) gather() error {
	if r.unread != nil {
		return r.unread
	}
	for _, why := range r.doubts {
		r.add(reply{command: -1, doubt: true, Answer: Answer{Rule: ruleArguments, Why: why}})
	}
	r.gatherDenials()
	r.gatherPermissions()
	r.gatherToolPolicy()
	if err := r.gatherSources(); err != nil {
		return err
	}
	if err := r.gatherRan(); err != nil {
		return err
	}
	if r.e.settings.DenyWrites {
		r.denyWrites()
	}
	ownAsks{r}.gatherOwn()
	r.gatherBroken()
	return r.gatherGuises()
}

// gatherBroken asks about everything under a policy that could not be read. What
// else asks comes first; what nobody answers is no.
func (r *replies) gatherBroken() {
	err := r.e.options.Broken
	if err == nil {
		return
	}
	terms := r.e.terms("policy", true)
	terms.OnTimeout = Deny
	r.add(reply{command: -1, last: true, Answer: Answer{
		Decision: Ask, Certain: true, Rule: "policy", Why: "the policy could not be read: " + err.Error(), Binding: true, Ask: terms,
	}})
}

// failedRule is the rule of a source that could not judge.
const failedRule = "error"

func (r *replies) gatherSources() error {
	if len(r.e.options.Sources) == 0 {
		return nil
	}
	in := r.input()
	for _, s := range r.e.options.Sources {
		if err := r.gatherSource(s, in); err != nil {
			return err
		}
	}
	return nil
}

func (r *replies) add(a reply) { r.list = append(r.list, a) }

func (r *replies) gatherPermissions() {
	for _, p := range r.permissions() {
		if p.Action == Allow {
			continue
		}
		h, span := p.Hits(&r.view)
		if h == permission.None && r.args().hitsArguments(p) {
			h = permission.Full
		}
		if h == permission.None {
			continue
		}
		a := reply{command: -1, permission: p, Answer: Answer{
			Decision: p.Action, Certain: h == permission.Full, Rule: p.Match, Why: p.Why, Span: span, Origin: p.Origin,
		}}
		switch {
		case h == permission.Maybe:
			a.Why, a.instead = r.maybe(p, span)
		case r.view.Among != "":
			a.Why += fmt.Sprintf(": it would %s %s", p.Does(), readonly.Shown(strings.TrimPrefix(r.view.Among, r.call.Dir+"/")))
			a.instead = cmp.Or(r.leavesOut(p, span), "Leave that file out, or name the files that you mean.")
		}
		if p.Action == Ask || h == permission.Maybe {
			a.Ask = r.e.terms(p.Match, p.EveryTime)
			a.Binding = p.Origin.Layer == "managed" || p.Origin.Layer == "bundle"
		}
		r.add(a)
	}
}

// leavesOut says how a search leaves out the files below a directory that a permission is
// about, "" where there is no such way.
func (r *replies) leavesOut(p *permit, span *shell.Span) string {
	files := p.Among(&r.view)
	if r.line == nil {
		return r.withoutSecrets(files)
	}
	for i := range r.line.Commands {
		if span == nil || r.line.Commands[i].Span != *span {
			continue
		}
		if options := r.parts.prover.LeaveOut(r.line, i, files); options != "" {
			return "Add " + options + " to leave it out."
		}
	}
	return ""
}

// maybe says why a permission may match what is unknown.
func (r *replies) maybe(p *permit, span *shell.Span) (why, instead string) {
	if file := r.view.Among; file != "" {
		file = readonly.Shown(strings.TrimPrefix(file, r.call.Dir+"/"))
		return fmt.Sprintf("git may show %s, which %q is about", file, p.Match), "Name the files that you mean, or leave that one out: -- . ':!" + file + "'"
	}
	for i := range r.commands() {
		if c := &r.line.Commands[i]; c.Opaque != "" && span != nil && c.Span == *span {
			return fmt.Sprintf("%s, and may be what %q is about", c.Opaque, p.Match), ""
		}
	}
	return fmt.Sprintf("an unknown part may match %q", p.Match), ""
}

func (r *replies) gatherSource(s Source, in *Input) error {
	a, err := guarded(r.ctx, s, in)
	if err != nil {
		if r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		failed := reply{command: -1, Answer: Answer{
			Decision: Ask, Rule: failedRule, Why: "a policy source failed: " + err.Error(),
		}}
		var refusal *Refusal
		if errors.As(err, &refusal) {
			failed.Decision, failed.Certain, failed.refused = Deny, true, true
		}
		r.add(failed)
		return nil
	}
	if a.Parts == nil {
		r.addAnswer(a, -1)
		return nil
	}
	if r.line == nil || len(a.Parts) != len(r.line.Commands) {
		return fmt.Errorf("a source answered %d commands of %d", len(a.Parts), r.commands())
	}
	for i := range a.Parts {
		r.addAnswer(a.Parts[i], i)
	}
	return nil
}

// guarded lets a source judge; a panic counts as an error.
func guarded(ctx context.Context, s Source, in *Input) (a Answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			a, err = Answer{}, fmt.Errorf("panic: %v", p)
		}
	}()
	return s.Judge(ctx, in)
}

func (f *facts) commands() int {
	if f.line == nil {
		return 0
	}
	return len(f.line.Commands)
}

func (r *replies) addAnswer(a Answer, command int) {
	r.others = append(r.others, a.Others...)
	for i := range a.More {
		r.addAnswer(a.More[i], command)
	}
	if a.Silent || a.Decision == Allow && !a.Certain {
		return
	}
	if a.Span == nil && command >= 0 {
		a.Span = new(r.line.Commands[command].Span)
	}
	a.Ask = r.e.completed(a.Ask)
	r.add(reply{Answer: a, command: command})
}

// completed returns terms of a source with what they leave open.
func (e *Engine) completed(t *AskTerms) *AskTerms {
	if t == nil || t.Timeout != 0 && t.Approver != "" && t.OnTimeout == t.silent() {
		return t
	}
	out := *t
	if out.Timeout == 0 {
		out.Timeout = e.plain.Timeout
	}
	if out.Approver == "" {
		out.Approver, out.Quorum = e.plain.Approver, e.plain.Quorum
	}
	out.OnTimeout = out.silent()
	return &out
}
