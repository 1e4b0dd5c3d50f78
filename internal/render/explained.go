package render

import (
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/shell"
)

// An Explained is a verdict with all that led to it as JSON.
type Explained struct {
	Traced
	// Commands is null for calls of other tools than the shell.
	Commands []Command `json:"commands"`
	Advice   Advice    `json:"advice"`
}

// A Command is a simple command as JSON.
type Command struct {
	Text    string `json:"text"`
	Span    [2]int `json:"span"`
	Words   []Word `json:"words"`
	Program string `json:"program"`
	// Parent is the index of the command that runs this one, or null.
	Parent      *int          `json:"parent"`
	Dir         Set           `json:"dir"`
	Context     string        `json:"context"`
	Effects     []Effect      `json:"effects"`
	Unknown     *string       `json:"unknown"`
	Doubt       *string       `json:"doubt"`
	Allowed     *policy.Stage `json:"allowed"`
	By          *string       `json:"by"`
	NotProved   *string       `json:"not_proved"`
	Instead     *string       `json:"instead"`
	Permissions []Match       `json:"permissions"`
	Dangerous   []string      `json:"dangerous"`
}

// A Set is what a word or a directory may be as JSON.
type Set struct {
	Values []string `json:"values"`
	Open   bool     `json:"open"`
	Glob   bool     `json:"glob"`
	Prefix string   `json:"prefix"`
}

// A Word is a word with its text as JSON.
type Word struct {
	Text string `json:"text"`
	Set
}

// An Effect is one thing that a command does as JSON.
type Effect struct {
	Kind      string `json:"kind"`
	Target    Set    `json:"target"`
	Recursive bool   `json:"recursive"`
}

// NewExplained returns the JSON of what was decided and of what would have
// allowed it.
func NewExplained(d Decided, a Advice) Explained {
	out := Explained{Traced: NewTraced(d), Advice: a}
	for i := range d.Commands {
		out.Commands = append(out.Commands, newCommand(d.Line, &d.Commands[i]))
	}
	return out
}

func newCommand(l *shell.Line, t *policy.CommandTrace) Command {
	c := &l.Commands[t.Index]
	out := Command{
		Text: textOf(l, c.Span), Span: *span(&c.Span), Words: []Word{}, Program: c.Name,
		Dir: newSet(c.Dir), Context: c.Context.String(), Effects: []Effect{},
		Unknown: orNull(c.Opaque), Doubt: orNull(c.Doubt),
		By: orNull(t.By), NotProved: orNull(t.NotProved), Instead: orNull(t.Instead),
		Permissions: newMatches(t.Permissions), Dangerous: append([]string{}, t.Dangerous...),
	}
	if c.Parent >= 0 {
		out.Parent = &c.Parent
	}
	if t.Allowed != policy.StageNone {
		out.Allowed = &t.Allowed
	}
	for _, w := range c.Words {
		out.Words = append(out.Words, Word{textOf(l, w.Span), newSet(w.Set)})
	}
	c.Effects(func(e shell.Effect) bool {
		if e.Perhaps {
			return true
		}
		out.Effects = append(out.Effects, Effect{e.Kind.String(), newSet(e.Target), e.Recursive})
		return true
	})
	return out
}

func newSet(s shell.Set) Set {
	return Set{append([]string{}, s.Values...), s.Open, s.Glob, s.Prefix}
}
