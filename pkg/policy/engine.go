package policy

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/pkg/own"
	"github.com/policyctl/policyctl/pkg/remote"
	"github.com/policyctl/policyctl/pkg/workspace"
)

// Options are what an engine needs besides its settings. The zero value is
// valid.
type Options struct {
	// World answers questions about the surroundings; nil knows nothing.
	World World
	// Sources answer calls in addition to the permissions.
	Sources []Source
	// Grants are stored approvals; nil for none.
	Grants Grants
	// Revision identifies the policy in verdicts; "" is that of the settings
	// alone.
	Revision string
	// Bundles are the bundles that the policy holds, for verdicts.
	Bundles []Bundle
	// Broken says why the policy, or a part of it, could not be read. The
	// engine then denies what the floor, the settings and the sources deny and
	// asks about everything else, also under yolo and skip.
	Broken error
	// Count keeps how often calls were made, for rules about rates. It returns how many
	// were made before of those that a name counts together, such as those of an agent,
	// and notes those of the call if the tally says so; [Windows] does it for one name. It
	// must be safe for concurrent use. An error leaves the rate unknown, so that a rule
	// about it asks. Nil keeps it in the sessions and, for all of an agent or of
	// everybody, in the engine.
	Count func(ctx context.Context, name string, t *Tally) (before int, err error)
	// Recorder is told what [Engine.Decide] decides, as far as it belongs on
	// record: see [Engine.Records]. Nil records nothing and costs nothing.
	Recorder Recorder
}

// An Engine decides calls under one policy. It is immutable and safe for
// concurrent use; a new policy is a new engine.
type Engine struct {
	settings  Settings
	options   Options
	tools     toolTable
	wrappers  wrappers
	permits   sides // all but the agents'
	agents    map[string]sides
	allowlist []allowEntry
	readonly  [][]string
	declared  []prefix // of readonly
	forms     []workspace.Form
	services  remote.Services
	polling   [][]string
	pollTools map[string]bool
	plain     *AskTerms // of asks that no rule made
	own       *own.State
	denials   *sync.Map // the patterns of stored denials, by their texts
	shared    *names    // what is counted where options count nothing
}

// With returns an engine that differs in its grants alone, which may be nil.
func (e *Engine) With(g Grants) *Engine {
	other := *e
	other.options.Grants = g
	return &other
}

// Sources returns the sources that the engine asks. They must not be changed.
func (e *Engine) Sources() []Source { return e.options.Sources }

// Instead returns an engine that asks one source in place of another. An engine that
// does not ask the other differs in nothing.
func (e *Engine) Instead(of, by Source) *Engine {
	other := *e
	other.options.Sources = slices.Clone(e.options.Sources)
	for i, s := range other.options.Sources {
		if s == of {
			other.options.Sources[i] = by
		}
	}
	return &other
}

// New returns an engine. The error joins all mistakes in the settings.
func New(s Settings, o Options) (*Engine, error) {
	e := &Engine{settings: s, options: o, agents: make(map[string]sides), own: own.New(s.Own), shared: new(names), denials: new(sync.Map)}
	var errs []error
	e.tools = newToolTable(s.Tools, &errs)
	e.compileWrappers(&errs)
	shared := e.compile(s.Permissions, &errs)
	e.permits = bySandbox(shared)
	for _, name := range slices.Sorted(maps.Keys(s.Agents)) {
		list := e.compile(s.Agents[name], &errs)
		if agent, _, ok := strings.Cut(name, "/"); ok {
			list = append(list, e.compile(s.Agents[agent], &errs)...)
		}
		e.agents[name] = bySandbox(append(list, shared...))
	}
	for _, entry := range s.Allowlist {
		e.allowlist = append(e.allowlist, compileAllow(entry, &errs))
	}
	for _, entry := range s.ReadonlyCommands {
		e.readonly = append(e.readonly, strings.Fields(entry.Text))
		e.declared = append(e.declared, compilePrefix(entry.Text))
	}
	e.compileWork(&errs)
	e.compilePolling(s.Polling)
	if err := s.DoomLimits.Validate(); err != nil {
		errs = append(errs, fmt.Errorf("doom_loop: %w", err))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	e.plain = e.terms("", false)
	if e.options.Revision == "" {
		e.options.Revision = revision(s)
	}
	return e, nil
}

// revision identifies settings that come from no file.
func revision(s Settings) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // every field has a text form
	}
	sum := sha256.Sum256(text)
	return fmt.Sprintf("%x", sum[:6])
}

// Revision returns the identity of the policy.
func (e *Engine) Revision() string { return e.options.Revision }

// PasskeyAbove says which approvals need a passkey at the approval service.
func (e *Engine) PasskeyAbove() Threshold { return e.settings.Approval.PasskeyAbove }

// NotifyChannels returns the names of the channels that tell people of asks.
func (e *Engine) NotifyChannels() []string { return e.settings.Approval.Channels() }

// Terms returns the terms of an ask that no rule made.
func (e *Engine) Terms() AskTerms { return *e.plain }

// Decide answers a call and records it in the session. Repeating an id with the
// same call counts once. If Decide cannot judge the call, it returns an error
// and a verdict that denies; a panic while it judges is such an error too.
func (e *Engine) Decide(ctx context.Context, s *Session, c *Call) (Verdict, error) {
	if e.options.Recorder != nil {
		return e.recorded(ctx, s, c)
	}
	return e.decide(ctx, s, c, nil, false)
}

// Review decides a call again, for hosts that ask about it a second time without
// its id: loop detection answers as it did then. It records nothing.
func (e *Engine) Review(ctx context.Context, s *Session, c *Call) (Verdict, error) {
	return e.decide(ctx, s, c, nil, true)
}

// Forgive records that a person has approved this exact call: loop detection
// then ignores earlier calls when it judges the next one. It returns an error if
// the call cannot be read.
func (e *Engine) Forgive(s *Session, c *Call) error {
	if s == nil || s.Doom == nil {
		return nil
	}
	f := &facts{e: e, call: c}
	if err := (reader{f}).prepare(); err != nil {
		return err
	}
	s.Doom.Forgive(s.ID, loopKey(f))
	return nil
}

// Explain decides a call as [Engine.Decide] does, reports what every stage found,
// and records nothing. After a match on the floor it asks no further stage.
func (e *Engine) Explain(ctx context.Context, s *Session, c *Call) (Explanation, error) {
	var x Explanation
	v, err := e.decide(ctx, s, c, &x, false)
	x.Verdict = v
	return x, err
}

// terms returns the terms of an ask that names no approver.
func (e *Engine) terms(rule string, everyTime bool) *AskTerms {
	a := e.settings.Approval
	t := AskTerms{Timeout: a.Timeout, OnTimeout: a.OnTimeout, FailClosed: true, EveryTime: everyTime, Rule: rule}
	if t.Timeout == 0 {
		t.Timeout = DefaultTimeout
	}
	t.Approver, t.Quorum = a.Supervisor, a.Quorum
	t.OnTimeout = t.silent()
	return &t
}
