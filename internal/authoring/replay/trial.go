package replay

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A trial tries permissions on all calls that ask.
type trial struct {
	*pass
	base       *lane
	open       callSet
	candidates []*candidate
	refused    []Refusal
}

// A candidate is a permission that is tried.
type candidate struct {
	head
	alone  int // asks of the first pass that only its head has
	policy Policy
	saved  int
	forms  map[string]int          // of calls that are allowed with it, by the word after the head
	beyond map[string]*changeCount // the same without the head, by what asked
	risk   *Refusal
}

// Bounds of how many permissions are tried and what is kept of each.
const (
	maxCandidates = 8
	maxRefused    = 8
	maxForms      = 1000
)

// newTrial chooses the heads that alone keep most calls from being allowed.
// The error is one of making a policy.
func newTrial(o *Options, first *tally) (*trial, error) {
	t := &trial{pass: newPass(o, 2), base: first.base, open: first.open}
	t.sizes = first.sizes
	t.pass.batch, t.pass.wrong = batch{work: t.try, tell: t.judged, alone: true}, func(Problem) {}
	for _, a := range ranked(first.heads) {
		if a.alone == 0 || len(t.candidates) == maxCandidates {
			break
		}
		if err := t.consider(a); err != nil {
			return t, err
		}
	}
	return t, nil
}

// ranked returns the heads, those that alone ask most often first.
func ranked(heads map[string]*headCount) []*headCount {
	return slices.SortedFunc(maps.Values(heads), func(a, b *headCount) int {
		return cmp.Or(cmp.Compare(b.alone, a.alone), cmp.Compare(b.count, a.count), cmp.Compare(a.name, b.name))
	})
}

// consider tries the permission for a head, or refuses to.
func (t *trial) consider(a *headCount) error {
	if a.match == "" {
		t.refuse(Refusal{Head: a.name, Asks: a.alone, Why: a.why})
		return nil
	}
	with, err := t.o.With(policy.Permission{Match: a.match, Action: policy.Allow, Why: "tried"})
	if err != nil {
		return err
	}
	if why := covers(t.o.Policy.Engine, with.Engine); why != "" {
		t.refuse(Refusal{Head: a.name, Match: a.match, Asks: a.alone, Why: why})
		return nil
	}
	t.candidates = append(t.candidates, &candidate{
		head: a.head, alone: a.alone, policy: with,
		forms: make(map[string]int), beyond: make(map[string]*changeCount),
	})
	return nil
}

func (t *trial) refuse(r Refusal) {
	if len(t.refused) < maxRefused {
		t.refused = append(t.refused, r)
	}
}

// try tries the permissions on a call.
func (t *trial) try(ctx context.Context, j *job) {
	if j.kind != called || !t.open.has(j.number) {
		return
	}
	in, err := t.o.Policy.Of(j.call).Input(j.call)
	if err != nil {
		return
	}
	for _, c := range t.candidates {
		if !c.mayAllow(in.Line) {
			continue
		}
		if now, err := c.policy.Of(j.call).Decide(ctx, nil, j.call); err == nil && now.Decision == policy.Allow {
			j.allowedBy = append(j.allowedBy, c)
		}
	}
	if len(j.allowedBy) > 0 {
		j.heads = t.base.blame(ctx, t.tools, j.call)
	}
}

func (t *trial) judged(_ context.Context, j *job) {
	if j.kind == called {
		t.calls++
	}
	for _, c := range j.allowedBy {
		c.save(t.pass, &j.event, j.heads)
	}
}

// mayAllow reports whether the permission can allow a call that nothing allowed
// before, so that not each is decided once more for each permission: that of a
// program needs a command that is known to be the program and may have its
// sub-command among its words, that of a tool may let a line redirect to a file.
// A call of another tool has no line.
func (c *candidate) mayAllow(l *eval.Line) bool {
	if l == nil || !strings.HasPrefix(c.match, "shell ") {
		return true
	}
	program, sub, _ := strings.Cut(c.name, " ")
	for i := range l.Commands {
		if command := &l.Commands[i]; command.Called() == program && mayHave(command, sub) {
			return true
		}
	}
	return false
}

// mayHave reports whether each of some words may be a part of an argument.
func mayHave(c *command.Command, words string) bool {
	for word := range strings.FieldsSeq(words) {
		if !slices.ContainsFunc(c.Words[min(1, len(c.Words)):], func(w shell.Word) bool {
			v, known := w.Literal()
			return !known || strings.Contains(v, word)
		}) {
			return false
		}
	}
	return true
}

// save counts a call that the permission allows.
func (c *candidate) save(p *pass, e *event, list []head) {
	c.saved++
	own := slices.IndexFunc(list, func(h head) bool { return h.name == c.name })
	for i := range list {
		if len(list[i].dangerous) > 0 && c.risk == nil {
			c.risk = &Refusal{
				Head: c.name, Match: c.match, Asks: c.alone,
				Why: "it would also allow the recorded " + p.sample(e).Text + " (" + list[i].dangerous[0] + ")",
			}
		}
	}
	if own >= 0 {
		if _, known := c.forms[list[own].form]; known || len(c.forms) < maxForms {
			c.forms[list[own].form]++
		}
		return
	}
	name := list[0].name
	n := c.beyond[name]
	if n == nil {
		n = &changeCount{sample: p.sample(e)}
		c.beyond[name] = n
	}
	n.count++
}
