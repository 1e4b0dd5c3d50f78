package policy

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/pkg/doom"
	"github.com/policyctl/policyctl/pkg/hardline"
	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/own"
	"github.com/policyctl/policyctl/pkg/permission"
	"github.com/policyctl/policyctl/pkg/readonly"
	"github.com/policyctl/policyctl/pkg/shell"
)

// Options are what an engine works with beside its settings. The zero value
// is valid.
type Options struct {
	// World answers questions about the surroundings; nil knows nothing.
	World World
	// Sources answer calls in addition to the permissions.
	Sources []Source
	// Grants are what people have approved; nil for nothing.
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
}

// An Engine decides calls under one policy. It is immutable and safe for
// concurrent use; a new policy is a new engine.
type Engine struct {
	settings  Settings
	options   Options
	tools     toolTable
	permits   sides // all but the agents'
	agents    map[string]sides
	allowlist []allowEntry
	readonly  [][]string
	declared  []prefix // of readonly
	polling   [][]string
	pollTools map[string]bool
	plain     *AskTerms // of asks that no rule made
	own       *own.State
}

// New returns an engine. The error joins everything that is wrong with the
// settings.
func New(s Settings, o Options) (*Engine, error) {
	e := &Engine{settings: s, options: o, agents: make(map[string]sides), own: own.New(s.Own)}
	var errs []error
	e.tools = newToolTable(s.Tools, &errs)
	shared := e.compile(s.Permissions, &errs)
	e.permits = bySandbox(shared)
	for _, name := range slices.Sorted(maps.Keys(s.Agents)) {
		e.agents[name] = bySandbox(append(e.compile(s.Agents[name], &errs), shared...))
	}
	for _, entry := range s.Allowlist {
		e.allowlist = append(e.allowlist, compileAllow(entry, &errs))
	}
	for _, entry := range s.ReadonlyCommands {
		e.readonly = append(e.readonly, strings.Fields(entry.Text))
		e.declared = append(e.declared, compilePrefix(entry.Text))
	}
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

// Terms returns the terms of an ask that no rule made.
func (e *Engine) Terms() AskTerms { return *e.plain }

// Decide answers a call and records it in the session. The same id with the
// same call counts once. The error says that the call could not be judged;
// the verdict beside it denies.
func (e *Engine) Decide(ctx context.Context, s *Session, c *Call) (Verdict, error) {
	return e.decide(ctx, s, c, purpose{})
}

// Review answers a call that was decided before, for hosts that ask about it
// again without its id: the loop guard answers as it did then. It records
// recorded, nor in review.
func (e *Engine) Review(ctx context.Context, s *Session, c *Call) (Verdict, error) {
	return e.decide(ctx, s, c, purpose{review: true})
}

// Forgive takes note that a person has approved this exact call: the loop
// guard does not count what came before it against the next one. The error
// says that the call cannot be read.
func (e *Engine) Forgive(s *Session, c *Call) error {
	if s == nil || s.Doom == nil {
		return nil
	}
	r := &run{e: e, ctx: context.Background(), session: s, call: c}
	if err := r.prepare(); err != nil {
		return err
	}
	s.Doom.Forgive(s.ID, r.key())
	return nil
}

// Explain answers a call as [Engine.Decide] does, says what every stage found,
// and records nothing. Behind the floor no stage is asked.
func (e *Engine) Explain(ctx context.Context, s *Session, c *Call) (Explanation, error) {
	var x Explanation
	v, err := e.decide(ctx, s, c, purpose{explain: &x})
	x.Verdict = v
	return x, err
}

// A purpose says what a call is decided for: beside an explanation nothing is
// recorded, nor in review.
type purpose struct {
	explain *Explanation
	review  bool // the call was decided before
}

func (e *Engine) decide(ctx context.Context, s *Session, c *Call, p purpose) (Verdict, error) {
	r := runs.Get().(*run)
	*r = run{e: e, ctx: ctx, session: s, call: c, purpose: p, replies: r.replies[:0]}
	defer func() {
		if r.explain != nil {
			return // the explanation keeps what sources see of it
		}
		clear(r.replies)
		*r = run{replies: r.replies[:0]}
		runs.Put(r)
	}()
	r.unread = r.prepare()
	r.spread()
	v, err := r.chain()
	if err != nil {
		return r.failed(err), err
	}
	if v.Stage == StageHardline {
		return v, nil
	}
	return r.strictest(v)
}

// spread prepares the call for the other directories in which it may run.
func (r *run) spread() {
	for _, dir := range r.otherDirs {
		other := &run{e: r.e, ctx: r.ctx, session: r.session, purpose: purpose{review: true}, view: permission.View{Stands: r.view.Stands}, location: location{moved: r.callIn(dir)}}
		other.call = &other.moved
		other.unread = other.prepare()
		r.elsewhere = append(r.elsewhere, other)
	}
}

// strictest returns the strictest of the verdicts on a call that may run in
// other directories too. v is that of its own.
func (r *run) strictest(v Verdict) (Verdict, error) {
	for _, other := range r.elsewhere {
		w, err := other.chain()
		if err != nil {
			return other.failed(err), err
		}
		w.Dir = other.call.Dir
		if w.Decision < v.Decision || w.Decision == v.Decision && w.Stage < v.Stage {
			v = w
		}
	}
	return v, nil
}

// callIn returns the call as it is in another directory, without the arguments
// that name one.
func (r *run) callIn(dir string) Call {
	c := *r.call
	c.Dir, c.Input = dir, maps.Clone(r.call.Input)
	for _, field := range r.tool.Runs.Dirs {
		delete(c.Input, field)
	}
	return c
}

// runs are reused; nothing of one outlives its decision.
var runs = sync.Pool{New: func() any { return new(run) }}

// A run is the decision of one call.
type run struct {
	e       *Engine
	ctx     context.Context
	session *Session
	call    *Call
	tool    *Tool
	line    *shell.Line // nil for tools other than the shell
	view    permission.View
	replies []reply
	parts   parts   // what is known of the commands of line
	said    opinion // room for what a stage says
	guard   guard
	in      Input // what sources and grants see
	notes   []string
	leaves  bool    // the call leaves the agent's sandbox
	traced  []Match // rules of the stage that runs now
	others  []Match // rules of sources that matched and lost
	unread  error   // why not all of the call can be read
	purpose
	location
}

// An opinion is what a stage has to say.
type opinion struct {
	decision Decision
	stage    Stage // StageNone for that of the stage itself
	reason   Reason
	rule     string
	why      string
	instead  string
	span     *shell.Span
	origin   Origin
	ask      *AskTerms
	parts    []Part
	of       *run // the run that says it, nil for that of the stage
}

// prepare finds the tool and the directory of the call and reads its subject.
// Beside an error it has read what the floor may look at.
func (r *run) prepare() error {
	r.given = r.call.Dir
	unsettled := r.settle()
	tool, ok := r.e.tools.find(r.call.Tool, r.call.Input)
	if !ok {
		tool = stranger(r.call.Tool)
	}
	r.tool, r.leaves = tool, r.call.LeavesSandbox()
	r.look()
	inexact := tool.exactKeys(r.call.Input)
	if tool.Kind == KindShell {
		err := cmp.Or(unsettled, inexact, r.readLine())
		if err != nil {
			r.disguise(tool.Subject) // for the floor, whichever of them runs
		}
		return err
	}
	err := r.readSubjects()
	r.disguise(tool.Commands)
	return cmp.Or(unsettled, inexact, err)
}

// look lets patterns see the call.
func (r *run) look() {
	c, v := r.call, &r.view
	v.Tool, v.Dir, v.Stands = r.tool.pattern(), c.Dir, cmp.Or(v.Stands, c.Dir)
	v.Project, v.Session, v.Home, v.OS = c.ProjectDir, c.SessionDir, c.Home, c.OS
	if w := r.e.options.World; w != nil {
		v.World = w
	}
	if v.Tool.Whole {
		v.Arguments = func() string { return canonical(r.tool, r.call.Input) }
		v.Texts = func() []string {
			var out []string
			for _, l := range r.argumentTexts() {
				out = append(out, l.text)
			}
			return out
		}
	}
}

// readSubjects reads the arguments of a tool other than the shell.
func (r *run) readSubjects() (err error) {
	tool, input := r.tool, r.call.Input
	if r.view.Subjects, err = tool.subjects(input); err != nil {
		return err
	}
	if tool.isFile() {
		r.view.Subjects = r.fromOtherDirs(r.view.Subjects)
	}
	if r.view.Looks, err = tool.strings(tool.Looks, input); err != nil {
		return err
	}
	list, err := tool.strings(tool.Picks, input)
	for _, p := range list {
		r.view.Picks = append(r.view.Picks, readonly.Picks(p)...)
	}
	return err
}

// home returns the home directory of the call, or what stands for one that is
// not known.
func (r *run) home() string { return cmp.Or(r.call.Home, shell.UnknownHome) }

func (r *run) readLine() error {
	command, argv, err := r.tool.command(r.call.Input)
	if err != nil {
		return err
	}
	env := r.surroundings()
	c := r.call
	if len(argv) == 1 {
		r.disguise(r.tool.Subject) // some tools hand it to a shell
	}
	if argv != nil {
		r.line = shell.Argv(argv, env)
	} else {
		r.line = shell.Read(command, env)
	}
	home := r.home()
	r.parts.scene = hazard.Scene{Line: r.line, Home: home, OS: c.OS, Protect: r.e.settings.Protect, Own: r.e.own, Denies: hardline.Denies}
	r.parts.prover = readonly.Prover{Home: home, Shell: c.Shell, Extra: r.e.readonly, Base: r.view.Base(), Reasons: r.explain != nil}
	r.view.Line = r.line
	r.limit()
	r.parts.fill(r)
	if r.explain != nil {
		r.explain.Line = r.line
	}
	return nil
}

// movedDir returns the directory of the call, "" if it is the one that the
// caller gave.
func (r *run) movedDir() string {
	if r.call.Dir == r.given {
		return ""
	}
	return r.call.Dir
}

// failed returns the verdict for a call that could not be judged.
func (r *run) failed(err error) Verdict {
	return Verdict{
		Reason: ReasonError, Why: err.Error(), Revision: r.e.options.Revision, Bundles: r.e.options.Bundles,
		tool: r.call.Tool, Dir: r.movedDir(),
	}
}

// say keeps what a stage says until the chain has read it.
func (r *run) say(o opinion) *opinion {
	r.said = o
	return &r.said
}

// verdict makes an opinion the answer.
func (r *run) verdict(stage Stage, o *opinion) Verdict {
	if other := o.of; other != nil {
		o.of = nil
		v := other.verdict(stage, o)
		v.Dir = other.call.Dir
		return v
	}
	if o.stage != StageNone {
		stage = o.stage
	}
	v := Verdict{
		Decision: o.decision, Stage: stage, Reason: o.reason, Rule: o.rule, Why: o.why, Span: o.span,
		Origin: o.origin, Revision: r.e.options.Revision, Bundles: r.e.options.Bundles, Notes: r.notes,
		Parts: o.parts, tool: r.tool.Name, instead: o.instead, Dir: r.movedDir(),
	}
	if o.decision != Deny {
		v.Reason = ReasonNone
	}
	if o.decision != Allow {
		r.harm(&v)
	}
	if o.decision == Ask {
		v.Ask = o.ask
		if v.Ask == nil {
			v.Ask = r.e.plain
		}
	}
	return v
}

// terms returns the terms of an ask that names no approver.
func (e *Engine) terms(rule string, everyTime bool) *AskTerms {
	a := e.settings.Approval
	t := AskTerms{Timeout: a.Timeout, OnTimeout: a.OnTimeout, FailClosed: true, EveryTime: everyTime, Rule: rule}
	if t.Timeout == 0 {
		t.Timeout = DefaultTimeout
	}
	if a.Supervisor != "" {
		t.Approver = a.Supervisor
	}
	return &t
}

// key identifies the call for the doom loop.
func (r *run) key() doom.Key {
	args := ""
	if r.line != nil && !r.tool.Runs.given(r.call.Input) {
		args = r.line.Source
	}
	if args == "" {
		args = canonical(r.tool, r.call.Input)
	}
	return doom.KeyOf(r.call.Agent, r.tool.Name, r.call.Dir, []byte(args))
}
