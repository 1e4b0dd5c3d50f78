package backend

import (
	"context"
	"maps"
	"path/filepath"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

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
		if gain.Example == "" || gain.Example == approval.TitleOf(asking) {
			gain.Witness = b.witness(ctx, engine, tried, asking)
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

// witness returns a call that nobody has asked about, which an engine asks about and
// which another one with a grant allows; "" where none is found. It tries the commands
// of a line with another operand, and the file of a call with another name.
func (b *Backend) witness(ctx context.Context, now, tried *policy.Engine, c *policy.Call) string {
	try := func(changed policy.Call) string {
		changed.ID = ""
		if answer(ctx, now, &changed) == policy.Ask && answer(ctx, tried, &changed) == policy.Allow {
			return approval.TitleOf(&changed)
		}
		return ""
	}
	if path, ok := c.Input["file_path"].(string); ok {
		changed := *c
		changed.Input = maps.Clone(c.Input)
		changed.Input["file_path"] = strings.TrimSuffix(path, filepath.Base(path)) + "another-file"
		return try(changed)
	}
	command, ok := c.Input["command"].(string)
	if !ok {
		return ""
	}
	line := eval.Read(command, eval.Env{Dir: c.Dir, Home: c.Home})
	for i := range line.Commands {
		words := line.Commands[i].Words
		for n := 1; n <= min(len(words), 3); n++ { // the widest first
			if text, ok := spelt(words[:n]); ok {
				changed := *c
				changed.Input = map[string]any{"command": text + " another-word"}
				if title := try(changed); title != "" {
					return title
				}
			}
		}
	}
	return ""
}

// spelt returns words that each have one value and need no quotes, as they are written.
func spelt(words []shell.Word) (string, bool) {
	var out []string
	for i := range words {
		v, ok := words[i].Literal()
		if !ok || v == "" || strings.ContainsAny(v, " \t\n\"'`$\\|&;<>()*?[]{}#~") {
			return "", false
		}
		out = append(out, v)
	}
	return strings.Join(out, " "), true
}
