package policy

import (
	"errors"
	"fmt"

	"github.com/policyctl/policyctl/pkg/dangerous"
	"github.com/policyctl/policyctl/pkg/shell"
)

// An answered is what one rule answers, about one command or, with command
// -1, about the call.
type answered struct {
	Answer
	command    int
	permission *permission // the one that answers, nil for others
	supervised bool
	refused    bool // the answer is an error
	last       bool // it asks only where nothing else does
	doubt      bool // an argument of the call cannot be understood
}

// ask collects the answers of all sources once: stages 2 and 5 read them.
// Allows of permissions are found at stage 5.
func (r *run) ask() error {
	r.askPermissions()
	r.askToolPolicy()
	if err := r.askSources(); err != nil {
		return err
	}
	if r.e.settings.DenyWrites {
		r.denyWrites()
	}
	r.askBroken()
	return r.askGuises()
}

// askBroken asks about everything under a policy that could not be read. What
// else asks has its own terms and comes first; what nobody answers is no.
func (r *run) askBroken() {
	err := r.e.options.Broken
	if err == nil {
		return
	}
	terms := r.e.terms("policy", true)
	terms.OnTimeout = Deny
	r.add(answered{command: -1, last: true, Answer: Answer{
		Decision: Ask, Certain: true, Rule: "policy", Why: "the policy could not be read: " + err.Error(), Binding: true, Ask: terms,
	}})
}

func (r *run) askSources() error {
	if len(r.e.options.Sources) == 0 {
		return nil
	}
	in := r.input()
	for _, s := range r.e.options.Sources {
		if err := r.askSource(s, in); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) add(a answered) { r.answers = append(r.answers, a) }

func (r *run) askPermissions() {
	for _, p := range r.permissions() {
		if p.Action == Allow {
			continue
		}
		h, span := r.hits(p)
		if h == noHit {
			h = r.hitsArguments(p)
		}
		if h == noHit {
			continue
		}
		a := answered{command: -1, permission: p, Answer: Answer{
			Decision: p.Action, Certain: h == fullHit, Rule: p.rule, Why: p.why, Span: span, Origin: p.Origin,
		}}
		if h == maybeHit {
			a.Why = fmt.Sprintf("a part that is not known may match %q", p.Match)
		}
		if p.Action == Ask || h == maybeHit {
			a.Ask = r.e.terms(p.rule, p.EveryTime)
			a.Binding = p.Origin.Layer == "managed" || p.Origin.Layer == "bundle"
		}
		r.add(a)
	}
}

func (r *run) askSource(s Source, in *Input) error {
	a, err := s.Judge(r.ctx, in)
	if err != nil {
		if r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		failed := answered{command: -1, Answer: Answer{
			Decision: Ask, Rule: "error", Why: "a source could not judge the call: " + err.Error(),
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

func (r *run) commands() int {
	if r.line == nil {
		return 0
	}
	return len(r.line.Commands)
}

func (r *run) addAnswer(a Answer, command int) {
	r.others = append(r.others, a.Others...)
	for i := range a.More {
		r.addAnswer(a.More[i], command)
	}
	if a.Silent || a.Decision == Allow && !a.Certain {
		return
	}
	if a.Span == nil && command >= 0 {
		span := r.line.Commands[command].Span
		a.Span = &span
	}
	a.Ask = r.e.completed(a.Ask)
	r.add(answered{Answer: a, command: command})
}

// completed returns terms of a source with what they leave open.
func (e *Engine) completed(t *AskTerms) *AskTerms {
	if t == nil || t.Timeout != 0 && t.Approver != "" {
		return t
	}
	out := *t
	if out.Timeout == 0 {
		out.Timeout = e.plain.Timeout
	}
	if out.Approver == "" {
		out.Approver = e.plain.Approver
	}
	return &out
}

// autoApproved says whether auto-approve patterns match all of the call.
func (r *run) autoApproved() bool {
	if len(r.e.settings.AutoApprove) == 0 || r.barred() || r.perilous() {
		return false
	}
	if r.line == nil {
		for i := range r.e.settings.AutoApprove {
			if r.autoApprovesSubjects(&r.e.settings.AutoApprove[i]) {
				return true
			}
		}
		return false
	}
	for i := range r.line.Commands {
		c := &r.line.Commands[i]
		if ok, _ := r.autoApprovesCommand(i); ok {
			continue
		}
		if (isSyntax(c) || r.isTransparent(i)) && r.maybeAllowed(c, "") && !writesFile(c) {
			continue
		}
		return false
	}
	return len(r.line.Commands) > 0
}

// autoApprovesCommand says whether an auto-approve pattern matches one simple
// command, within the conditions of an allow.
func (r *run) autoApprovesCommand(i int) (bool, Origin) {
	c := &r.line.Commands[i]
	name := trustedName(c.Path)
	if len(r.e.settings.AutoApprove) == 0 || name == "" || c.Function || !r.maybeAllowed(c, "") {
		return false, Origin{}
	}
	for k := range r.e.settings.AutoApprove {
		a := &r.e.settings.AutoApprove[k]
		if !r.isTool(a.Tool) || a.Path != nil || a.URL != nil || a.Command == nil && a.Args == nil {
			continue
		}
		if a.Args != nil && !a.Args.MatchString(canonical(r.tool, r.call.Input)) {
			continue
		}
		if _, found := dangerous.Find(&r.scene, i); found {
			return false, Origin{} // a pattern of the beginning does not name what it does
		}
		if a.Command == nil || commandMatches(a, name, c) && commandMatches(a, name, r.resolved(c, forAllow)) {
			return true, a.Origin
		}
	}
	return false, Origin{}
}

func commandMatches(a *AutoApprove, name string, c *shell.Command) bool {
	all := true
	unsure := forms(c.Words[1:], "", func(text string, known bool) bool {
		line := name
		if len(c.Words) > 1 {
			line += " " + blanks(text)
		}
		// A command without arguments still ends its first word: patterns
		// are commonly written as "^(ls|cat) ".
		all = known && (a.Command.MatchString(line) || len(c.Words) == 1 && a.Command.MatchString(line+" "))
		return all
	})
	return all && !unsure
}

// blanks shows joints as blanks.
func blanks(text string) string {
	out := []byte(text)
	for i, b := range out {
		if b == joint {
			out[i] = ' '
		}
	}
	return string(out)
}

func (r *run) isTool(name string) bool {
	t, ok := r.e.tools.lookup(name)
	return ok && t.Name == r.tool.Name || name == r.tool.Name
}

func (r *run) autoApprovesSubjects(a *AutoApprove) bool {
	if !r.isTool(a.Tool) || a.Command != nil {
		return false
	}
	if a.Args != nil && !a.Args.MatchString(canonical(r.tool, r.call.Input)) {
		return false
	}
	if a.Path == nil && a.URL == nil {
		return a.Args != nil
	}
	if len(r.subjects) == 0 {
		return false
	}
	for _, s := range r.subjects {
		if at := r.subject(s); a.Path != nil && !(at.sure && a.Path.MatchString(at.text) && a.Path.MatchString(at.real) && r.riskyFile(s) == "") {
			return false
		}
		if a.URL != nil && !r.coversText(s, a.URL.MatchString) {
			return false
		}
	}
	return true
}
