package backend

import (
	"context"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
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
	d.Effects, d.Commands = effectsOf(ctx, b.Decider.Engine(), r)
	if r.State == approval.Pending {
		d.Gains = b.gains(ctx, r)
	}
	var err error
	d.Earlier, err = b.Service.Earlier(ctx, r)
	return d, err
}

// targets are what is done to, by the kind of effect.
type targets [command.Connects + 1][]string

// effectsOf returns what a call does, as far as its words tell, and what each of its
// commands does; nothing for a program, and for a call that cannot be read.
func effectsOf(ctx context.Context, e *policy.Engine, r *approval.Request) (all []approval.Effect, commands []approval.Command) {
	c, err := policy.DecodeCall(r.Call)
	if len(r.Call) == 0 || err != nil {
		return nil, nil
	}
	x, err := e.Explain(ctx, nil, c)
	if err != nil || x.Input == nil {
		return nil, nil
	}
	var found targets
	if x.Line == nil {
		kind, of := toolEffect(x.Input)
		found[kind] = of
		return found.effects(), nil
	}
	for i := range x.Line.Commands {
		c := &x.Line.Commands[i]
		found.collect(c, func(text string, e *command.Effect) string { return located(text, e, x.Input.Call.Dir) })
		var own targets
		own.collect(c, resolved)
		commands = append(commands, approval.Command{Span: [2]int{c.Span.From, c.Span.To}, Effects: own.effects()})
	}
	return found.effects(), commands
}

func (t *targets) effects() []approval.Effect {
	out := []approval.Effect{}
	for kind, of := range t {
		if len(of) > 0 {
			out = append(out, approval.Effect{Kind: command.EffectKind(kind).String(), Targets: of})
		}
	}
	return out
}

// toolEffect returns what a tool does to its subjects.
func toolEffect(in *policy.Input) (command.EffectKind, []string) {
	if in.Tool == nil {
		return command.Reads, nil
	}
	switch in.Tool.Kind {
	case policy.KindWrite:
		return command.Writes, in.Subjects
	case policy.KindRead:
		return command.Reads, in.Subjects
	case policy.KindFetch:
		var hosts []string
		for _, s := range in.Subjects {
			if u, err := url.Parse(s); err == nil && u.Host != "" {
				hosts = append(hosts, u.Host)
			}
		}
		return command.Connects, hosts
	}
	return command.Reads, nil
}

// collect adds the effects of a command, each target once, as name names it.
func (t *targets) collect(c *command.Command, name func(text string, e *command.Effect) string) {
	c.Effects(func(e command.Effect) bool {
		if e.Perhaps {
			return true // the directory itself is told
		}
		for _, text := range targetsOf(&e, name) {
			if !slices.Contains(t[e.Kind], text) {
				t[e.Kind] = append(t[e.Kind], text)
			}
		}
		return true
	})
}

// maxTargets bounds how many values of one word are told.
const maxTargets = 20

// targetsOf returns what an effect is about.
func targetsOf(e *command.Effect, name func(text string, e *command.Effect) string) (out []string) {
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
		add(name(v, e))
	}
	switch {
	case e.Target.Open && e.Target.Prefix != "":
		add("anything that begins with " + e.Target.Prefix)
	case e.Target.Open:
		add("something that is unknown")
	}
	return out
}

// resolved names a path from the root, where its directory is known.
func resolved(text string, e *command.Effect) string {
	if at, ok := e.Dir.Literal(); ok && e.Kind < command.Runs {
		text = shell.Abs(at, text)
	}
	return homely(text)
}

// located names the directory of a path that is not that of the call.
func located(text string, e *command.Effect, dir string) string {
	if at, ok := e.Dir.Literal(); ok && at != dir && e.Kind < command.Runs && !path.IsAbs(text) {
		text = path.Join(at, text)
	}
	return homely(text)
}

// homely writes a path below a home directory that is unknown as a line does: "~/x".
func homely(text string) string {
	if rest, ok := strings.CutPrefix(text, eval.UnknownHome); ok && (rest == "" || rest[0] == '/') {
		return "~" + rest
	}
	return text
}
