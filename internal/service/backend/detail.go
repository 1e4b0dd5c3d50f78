package backend

import (
	"context"
	"net/url"
	"path"
	"slices"
	"time"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/shell"
)

// Detail returns a request as an identity may see it, with what helps to decide
// it, or approval.ErrNotFound. The latter is for those who may see all requests:
// what was decided before may be another's, and to read a line again costs time.
func (b *Backend) Detail(ctx context.Context, who auth.Identity, r *approval.Request) (*approval.Detail, error) {
	seen, ok := Views(who, r)
	if !ok {
		return nil, approval.ErrNotFound
	}
	d := &approval.Detail{Request: seen, Code: r.Reason()}
	if !who.Scopes.Has(auth.Approve) && !who.Scopes.Has(auth.Read) {
		return d, nil
	}
	d.Effects = effectsOf(ctx, b.Decider.Engine(), r)
	if r.State == approval.Pending {
		d.Gains = b.gains(ctx, r)
	}
	var err error
	d.Earlier, err = b.Service.Earlier(ctx, r)
	return d, err
}

// gainTime bounds how long gains may be looked for. Without them a request is shown
// all the same.
const gainTime = 100 * time.Millisecond

// gains judges the last calls anew under what each offer would store; nil where that
// takes too long, or where nothing is known of them.
func (b *Backend) gains(ctx context.Context, r *approval.Request) []approval.Gain {
	ctx, stop := context.WithTimeout(ctx, gainTime)
	defer stop()
	asking, err := policy.DecodeCall(r.Call)
	if len(r.Call) == 0 || err != nil || len(r.Offers) < 2 {
		return nil
	}
	recorded, err := b.Data.Calls(ctx, approval.MaxGain)
	if err != nil || len(recorded) < 2 {
		return nil
	}
	engine := b.Decider.Engine()
	var asked []*policy.Call
	for _, one := range recorded {
		if c, err := policy.DecodeCall(one.JSON); err == nil && answer(ctx, engine, c) == policy.Ask {
			asked = append(asked, c)
		}
	}
	var out []approval.Gain
	for _, o := range r.Offers {
		tried := b.Decider.Tried(ctx, asking, o.Scope)
		if o.Scope == approval.Once || tried == nil {
			continue
		}
		gain := approval.Gain{Scope: o.Scope, Of: len(recorded)}
		for _, c := range asked {
			if answer(ctx, tried, c) != policy.Allow {
				continue
			}
			if gain.Calls++; gain.Example == "" || gain.Example == approval.TitleOf(asking) {
				gain.Example = approval.TitleOf(c) // rather another than the one that is asked about
			}
		}
		out = append(out, gain)
	}
	if ctx.Err() != nil {
		return nil
	}
	return out
}

// answer returns how an engine answers a call, without a session.
func answer(ctx context.Context, e *policy.Engine, c *policy.Call) policy.Decision {
	v, err := e.Review(ctx, nil, c)
	if err != nil {
		return policy.Deny
	}
	return v.Decision
}

// effectsOf returns what a call does, as far as its words tell; nil for a
// program, and for a call that cannot be read.
func effectsOf(ctx context.Context, e *policy.Engine, r *approval.Request) []approval.Effect {
	c, err := policy.DecodeCall(r.Call)
	if len(r.Call) == 0 || err != nil {
		return nil
	}
	x, err := e.Explain(ctx, nil, c)
	if err != nil || x.Input == nil {
		return nil
	}
	var found [shell.Connects + 1][]string
	if x.Line == nil {
		kind, of := toolEffect(x.Input)
		found[kind] = of
	} else {
		for i := range x.Line.Commands {
			collect(&x.Line.Commands[i], x.Input.Call.Dir, &found)
		}
	}
	var out []approval.Effect
	for kind, targets := range found {
		if len(targets) > 0 {
			out = append(out, approval.Effect{Kind: shell.EffectKind(kind).String(), Targets: targets})
		}
	}
	return out
}

// toolEffect returns what a tool does to its subjects.
func toolEffect(in *policy.Input) (shell.EffectKind, []string) {
	if in.Tool == nil {
		return shell.Reads, nil
	}
	switch in.Tool.Kind {
	case policy.KindWrite:
		return shell.Writes, in.Subjects
	case policy.KindRead:
		return shell.Reads, in.Subjects
	case policy.KindFetch:
		var hosts []string
		for _, s := range in.Subjects {
			if u, err := url.Parse(s); err == nil && u.Host != "" {
				hosts = append(hosts, u.Host)
			}
		}
		return shell.Connects, hosts
	}
	return shell.Reads, nil
}

// collect adds the effects of a command, each target once.
func collect(c *shell.Command, home string, into *[shell.Connects + 1][]string) {
	c.Effects(func(e shell.Effect) bool {
		if e.Perhaps {
			return true // the directory itself is told
		}
		for _, text := range targets(&e, home) {
			if !slices.Contains(into[e.Kind], text) {
				into[e.Kind] = append(into[e.Kind], text)
			}
		}
		return true
	})
}

// maxTargets bounds how many values of one word are told.
const maxTargets = 20

// targets returns what an effect is about.
func targets(e *shell.Effect, dir string) (out []string) {
	add := func(text string) {
		if e.Recursive {
			text += " and below"
		}
		out = append(out, text)
	}
	for i, v := range e.Target.Values {
		if i == maxTargets {
			add("more")
			break
		}
		add(located(v, e, dir))
	}
	switch {
	case e.Target.Open && e.Target.Prefix != "":
		add("anything that begins with " + e.Target.Prefix)
	case e.Target.Open:
		add("something that is unknown")
	}
	return out
}

// located names the directory of a path that is not that of the call.
func located(text string, e *shell.Effect, dir string) string {
	at, ok := e.Dir.Literal()
	if !ok || at == dir || e.Kind >= shell.Runs || path.IsAbs(text) || isHome(text) {
		return text
	}
	return path.Join(at, text)
}

func isHome(text string) bool { return text == "~" || len(text) > 1 && text[:2] == "~/" }
