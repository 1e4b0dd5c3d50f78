package policy

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/dangerous"
	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/program"
	"github.com/policyctl/policyctl/pkg/shell"
)

// rules is stage 5.
func (r *run) rules() (*opinion, error) {
	if o := r.asked(); o != nil {
		r.traceOutdone()
		return r.askLeaving(o), nil
	}
	if r.leaves {
		return r.leaveSandbox(), nil
	}
	for i := range r.answers {
		a := &r.answers[i]
		if a.Decision == Allow && a.Certain && a.command < 0 && !r.barred() {
			r.matched(a)
			return r.say(opinion{decision: Allow, rule: a.Rule, why: a.Why, span: a.Span, origin: a.Origin}), nil
		}
	}
	if r.line == nil {
		return r.allowedSubjects(), nil
	}
	if o := r.byteEqual(); o != nil {
		return o, nil
	}
	if r.barred() {
		return nil, nil
	}
	r.coverByRules()
	return r.union(), nil
}

// asked returns the ask that comes first of those that nothing discharges.
func (r *run) asked() *opinion {
	var first *answered
	for i := range r.answers {
		a := &r.answers[i]
		if a.asks() && (first == nil || a.before(first)) && !r.discharged(a) {
			first = a
		}
	}
	if first == nil {
		return nil
	}
	r.matched(first)
	ask := first.Ask
	if ask == nil {
		ask = r.e.terms(first.Rule, false)
	}
	o := opinion{decision: Ask, rule: first.Rule, why: first.Why, span: first.Span, origin: first.Origin, ask: ask}
	if d := r.insteadOf(first); d != nil {
		o.rule, o.why, o.span, o.instead, o.origin = d.rule, d.why, d.span, d.instead, Origin{}
	}
	return r.say(o)
}

// insteadOf returns the first dangerous pattern of the line where an answer is
// only that a rule may match, which explains less; nil else.
func (r *run) insteadOf(a *answered) *opinion {
	isOpaque := func(c shell.Command) bool { return c.Opaque != "" }
	switch {
	case a.Certain, a.Rule == failedRule, r.line == nil:
		return nil
	case a.permission == nil && !slices.ContainsFunc(r.line.Commands, isOpaque):
		return nil // a rule of a source that says which of its fields is not known
	}
	for i := range r.commands() {
		if f, ok := dangerous.Find(&r.scene, i); ok {
			return dangerOf(f)
		}
	}
	return nil
}

// dangerOf returns a dangerous pattern as an ask.
func dangerOf(f hazard.Finding) *opinion {
	span := f.Span
	return &opinion{decision: Ask, rule: f.Rule.ID, why: "it " + f.Rule.Why, span: &span, instead: f.Rule.Instead}
}

// before reports whether an ask comes before another: of two with the same turn
// what is certain does.
func (a *answered) before(b *answered) bool {
	if a.turn() != b.turn() {
		return a.turn() < b.turn()
	}
	return a.Certain && !b.Certain
}

// turn says which of several asks comes first, and with it who may answer: an
// ask of the organisation is not put on other terms by one that somebody adds,
// nor an ask of the person by one of a project.
func (a *answered) turn() int {
	switch {
	case a.last:
		return 3
	case a.Binding:
		return 0
	case a.Origin.Tightens:
		return 2
	}
	return 1
}

// barred reports whether the line can never be allowed: it cannot be read, the
// shells that may run it read it differently, or it hides text from a reader.
func (r *run) barred() bool {
	return r.doubtful || r.line != nil && (r.line.Problem != nil || r.line.Divergence != nil || len(r.line.Oddities) > 0)
}

// byteEqual returns the allow of a permission without wildcards that is the
// line itself.
func (r *run) byteEqual() *opinion {
	if r.line.Problem != nil {
		return nil
	}
	for _, p := range r.permissions() {
		if p.Action == Allow && r.equalsLine(p) {
			r.noteRule(p, "")
			return r.say(opinion{decision: Allow, rule: p.rule, why: p.why, origin: p.Origin})
		}
	}
	return nil
}

// equalsLine says whether a permission without wildcards is the line itself.
func (r *run) equalsLine(p *permission) bool {
	return p.glob.literal && !p.path && !p.all && p.names(r.tool) && p.glob.text == r.line.Source && r.atBase()
}

// atBase reports whether a line means the same paths as in the project's
// directory.
func (r *run) atBase() bool {
	if r.base() == strings.TrimSuffix(r.call.Dir, "/") {
		return true
	}
	for i := range r.line.Commands {
		if c := &r.line.Commands[i]; r.resolved(c, forAllow) != c {
			return false
		}
	}
	return true
}

// coverByRules marks the commands that a permission, a tool policy or a source
// allows.
func (r *run) coverByRules() {
	for k := range r.answers {
		if a := &r.answers[k]; a.Decision == Allow && a.Certain && a.command >= 0 {
			r.cover(a.command, cover{StageRules, a.Rule, a.Why, a.Origin})
		}
	}
	r.coverByPermissions()
	r.coverGlue(StageRules)
}

// coverByPermissions marks the commands that a permission allows.
func (r *run) coverByPermissions() {
	for i := range r.line.Commands {
		c := &r.line.Commands[i]
		for _, p := range r.permissions() {
			if p.Action == Allow && r.allowsCommand(p, c) {
				r.noteRule(p, "")
				r.cover(i, cover{StageRules, p.rule, p.why, p.Origin})
			}
		}
	}
}

func (r *run) cover(i int, c cover) {
	if r.covered[i].stage == StageNone {
		r.covered[i] = c
	}
}

// coverGlue marks what does nothing but hold other commands together: the
// heads of loops and tests, harmless assignments, and transparent wrappers
// whose payload is judged on its own.
func (r *run) coverGlue(stage Stage) {
	for i := range r.line.Commands {
		c := &r.line.Commands[i]
		if r.covered[i].stage == StageNone && (isSyntax(c) || r.isTransparent(i)) && r.maybeAllowed(c, "") && !writesFile(c) {
			r.covered[i] = cover{stage: stage, why: "it only holds other commands together"}
		}
	}
}

func writesFile(c *shell.Command) bool {
	found := false
	c.Effects(func(e shell.Effect) bool {
		found = (e.Kind == shell.Writes || e.Kind == shell.Deletes) && !e.Target.KeepsNothing()
		return !found
	})
	return found
}

// isSyntax says whether a command is no program but a part of the shell's
// language.
func isSyntax(c *shell.Command) bool {
	if len(c.Words) == 0 {
		for _, a := range c.Assigns {
			if shell.ActiveEnv(a.Name) {
				return false
			}
		}
		return true
	}
	if !c.Keyword {
		return false
	}
	switch c.Name {
	case "for", "case", "((", "let", "[[", "time":
		return true
	}
	return false
}

// isTransparent says whether a command is a wrapper that changes nothing about
// what its payload may do, or a call of a function whose body is judged.
func (r *run) isTransparent(i int) bool {
	c := &r.line.Commands[i]
	if c.Function {
		return r.hasPayload(i)
	}
	p := program.Lookup(c.Name)
	return p != nil && p.Transparent && program.BareName(c.Path, false) == c.Name && c.Args.Payload > 0 && r.hasPayload(i) && !c.Args.Unlisted && !c.Args.Open
}

func (r *run) hasPayload(i int) bool {
	for k := i + 1; k < len(r.line.Commands); k++ {
		if r.line.Commands[k].Parent == i {
			return true
		}
	}
	return false
}

// union returns the allow of a line of which every command is allowed, and
// the stage that allowed the weakest.
func (r *run) union() *opinion {
	if len(r.line.Commands) == 0 {
		return nil
	}
	var last *cover
	where := 0
	for i := range r.covered {
		c := &r.covered[i]
		if c.stage == StageNone {
			return nil
		}
		if last == nil || c.stage > last.stage || last.rule == "" && c.rule != "" && c.stage == last.stage {
			last, where = c, i
		}
	}
	if last.stage == StageRules && last.rule == "" {
		return nil
	}
	o := r.say(opinion{decision: Allow, stage: last.stage, rule: last.rule, why: last.why, origin: last.origin, parts: r.parts()})
	if last.stage != StageReadonly {
		span := r.line.Commands[where].Span
		o.span = &span
	}
	return o
}

// allowedSubjects returns the allow of a permission for a tool other than the
// shell.
func (r *run) allowedSubjects() *opinion {
	for _, p := range r.permissions() {
		if p.Action == Allow && r.allowsSubjects(p) {
			r.noteRule(p, "")
			return r.say(opinion{decision: Allow, rule: p.rule, why: p.why, origin: p.Origin})
		}
	}
	return nil
}

// allowlist is stage 6.
func (r *run) allowlist() (*opinion, error) {
	if r.line == nil {
		if r.autoApproved() {
			return r.say(opinion{decision: Allow, rule: "auto_approve", why: "an auto-approve pattern matches"}), nil
		}
		return r.grantedTool(), nil
	}
	if r.barred() {
		return nil, nil
	}
	for i := range r.line.Commands {
		for k := range r.e.allowlist {
			a := &r.e.allowlist[k]
			if !a.leads(r, i) {
				continue
			}
			if why := r.stopped(&a.prefix, i); why != "" {
				r.noteLost(a.Text, a.Origin, why)
			} else {
				r.cover(i, cover{StageAllowlist, a.Text, "the command allowlist has " + a.Text, a.Origin})
			}
		}
		if ok, origin := r.autoApprovesCommand(i); ok {
			r.cover(i, cover{StageAllowlist, "auto_approve", "an auto-approve pattern matches", origin})
		}
	}
	r.coverByGrants()
	r.coverGlue(StageRules)
	return r.union(), nil
}

// provedReadonly is stage 7.
func (r *run) provedReadonly() (*opinion, error) {
	if r.line == nil || !r.e.settings.AutoAllowReadonly || r.barred() {
		return nil, nil
	}
	if !r.prove() && r.explain == nil {
		return nil, nil
	}
	o := r.union()
	if o != nil && o.stage == StageReadonly {
		o.why = "it is proved to read only"
		if i := slices.IndexFunc(r.covered, func(c cover) bool { return c.rule != "" }); i >= 0 {
			o.why = "a rule or an approval allows a part of it, and the rest is proved to read only"
			o.rule, o.origin = r.covered[i].rule, r.covered[i].origin
		}
	}
	return o, nil
}

// prove marks the commands that only read. It notes what keeps the line from
// being proved if that is nothing but the safe spaces, and looks further than
// the first command that is not proved only where that matters.
func (r *run) prove() (all bool) {
	only := true
	for i := range r.line.Commands {
		if r.covered[i].rule != "" {
			continue
		}
		glue := r.covered[i].stage != StageNone && r.payloadAllowed(i)
		p := r.proof(r.line, i)
		if p.Proved {
			r.covered[i] = cover{stage: StageReadonly, why: "it only reads"}
			continue
		}
		if glue {
			continue
		}
		r.covered[i] = cover{}
		if p.Secret != "" && r.found == nil {
			first := p // so that only this one outlives the proof
			r.found = &first
		}
		if only = only && p.Outside; !only && r.explain == nil {
			break
		}
		r.noteOutside(p)
	}
	if !only {
		r.outside = nil
	}
	return only && r.outside == nil
}

// payloadAllowed says whether a rule allows what a wrapper runs: then the
// wrapper needs no proof of its own.
func (r *run) payloadAllowed(i int) bool {
	found := false
	for k := i + 1; k < len(r.line.Commands); k++ {
		if r.line.Commands[k].Parent == i {
			if r.covered[k].rule == "" {
				return false
			}
			found = true
		}
	}
	return found
}

// confirm is stage 8. It looks only at commands that nothing allowed.
func (r *run) confirm() (*opinion, error) {
	if r.e.settings.Mode == Skip {
		return nil, nil
	}
	if r.line == nil {
		return r.ofGuises((*run).peril)
	}
	if r.e.settings.Confirm == DangerousOnly {
		return r.confirmDangerous(), nil
	}
	if r.outside != nil {
		return r.askOutside(), nil
	}
	return r.confirmAll(), nil
}

func (r *run) confirmAll() *opinion {
	o := r.say(opinion{decision: Ask, why: "nothing allows it and it is not proved to read only"})
	if p := r.line.Problem; p != nil {
		span := p.Span
		o.why, o.span, o.rule = p.Why, &span, "unreadable"
		return o
	}
	for i := range r.line.Commands {
		if r.covered[i].stage != StageNone {
			continue
		}
		if f, ok := dangerous.Find(&r.scene, i); ok {
			return r.say(*dangerOf(f))
		}
		if o.span == nil {
			span := r.line.Commands[i].Span
			o.span = &span
		}
	}
	if r.found != nil {
		o.why, o.span, o.instead = r.found.Why, &r.found.Span, r.found.Instead
	}
	if d := r.line.Divergence; d != nil {
		span := d.Span
		o.rule, o.span = "shells-differ", &span
		o.why = "shells read " + d.Construct.ID + " differently: " + d.Construct.Why
		if d.Construct.Shells == "" {
			o.why = "shells may read a part of it differently"
		}
		o.instead = "Say in the call which shell runs it."
		if d.Construct.Instead != "" {
			o.instead = "To be read alike by every shell, " + d.Construct.Instead + "; or say in the call which shell runs it."
		}
	}
	return o
}

func (r *run) confirmDangerous() *opinion {
	if p := r.line.Problem; p != nil {
		span := p.Span
		return r.say(opinion{decision: Ask, rule: "unreadable", why: p.Why, span: &span})
	}
	if len(r.line.Oddities) > 0 {
		o := r.line.Oddities[0]
		return r.say(opinion{decision: Ask, rule: "hidden-text", why: "the line holds " + o.Why, span: &o.Span})
	}
	for i := range r.line.Commands {
		if r.covered[i].stage != StageNone {
			continue
		}
		c := &r.line.Commands[i]
		if f, ok := dangerous.Find(&r.scene, i); ok {
			return r.say(*dangerOf(f))
		}
		if c.Opaque != "" {
			span := c.Span
			return r.say(opinion{decision: Ask, rule: "unknown-text", why: c.Opaque, span: &span})
		}
	}
	return r.say(opinion{decision: Allow, why: "nothing dangerous is known of it"})
}

// mode is stage 9.
func (r *run) mode() (*opinion, error) {
	if t := r.e.settings.ToolPolicy.Default; t == Allowed {
		return r.say(opinion{decision: Allow, rule: "tool_policy.default", why: "the tool policy allows tools that it does not name", origin: r.e.settings.ToolPolicy.Origin}), nil
	}
	risk, why := r.risk()
	switch {
	case r.e.settings.Mode == Skip:
		return r.say(opinion{decision: Allow, why: "the mode is skip"}), nil
	case r.readsOutside():
		return r.askOutside(), nil
	case risk == Low, risk == Medium && r.e.settings.Mode == Auto:
		return r.say(opinion{decision: Allow, why: "the tool is of " + risk.String() + " risk and the mode is " + r.e.settings.Mode.String()}), nil
	}
	return r.say(opinion{decision: Ask, why: why}), nil
}
