package policy

import (
	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/support/null"
)

// MarshalJSON encodes the verdict with what every stage had to say and with
// the commands of the line, as docs/reference/verdict.schema.json says.
func (x Explanation) MarshalJSON() ([]byte, error) {
	out := struct {
		verdictJSON
		Steps []Step `json:"stage_trace"`
		// Commands is null for calls of other tools than the shell.
		Commands []commandJSON `json:"commands"`
	}{verdictJSON: x.form(), Steps: append([]Step{}, x.Steps...)}
	for i := range x.Commands {
		out.Commands = append(out.Commands, x.Commands[i].form(x.Line))
	}
	return encode(out)
}

// MarshalJSON encodes the step. That of a stage that did not speak has neither
// decision nor why.
func (s Step) MarshalJSON() ([]byte, error) {
	out := struct {
		Stage    Stage     `json:"stage"`
		Spoke    bool      `json:"spoke"`
		Decided  bool      `json:"decided"`
		Decision *Decision `json:"decision"`
		Why      *string   `json:"why"`
		Rules    []Match   `json:"rules"`
	}{s.Stage, s.Spoke, s.Decided, nil, null.Of(s.Why), append([]Match{}, s.Rules...)}
	if s.Spoke {
		out.Decision = &s.Decision
	}
	return encode(out)
}

// MarshalJSON encodes the match; lost is null for one that decided.
func (m Match) MarshalJSON() ([]byte, error) {
	return encode(struct {
		Rule     string   `json:"rule"`
		Decision Decision `json:"decision"`
		Source   *string  `json:"source"`
		Lost     *string  `json:"lost"`
	}{m.Rule, m.Decision, null.Of(m.Origin.String()), null.Of(m.Lost)})
}

// commandJSON is the form of a simple command in JSON.
type commandJSON struct {
	Text    string     `json:"text"`
	Span    shell.Span `json:"span"`
	Words   []wordJSON `json:"words"`
	Program string     `json:"program"`
	// Parent is the index of the command that runs this one, or null.
	Parent      *int         `json:"parent"`
	Dir         setJSON      `json:"dir"`
	Context     string       `json:"context"`
	Effects     []effectJSON `json:"effects"`
	Unknown     *string      `json:"unknown"`
	Doubt       *string      `json:"doubt"`
	Allowed     *string      `json:"allowed"`
	By          *string      `json:"by"`
	NotProved   *string      `json:"not_proved"`
	Instead     *string      `json:"instead"`
	Permissions []Match      `json:"permissions"`
	Dangerous   []string     `json:"dangerous"`
}

// setJSON is the form of what a word or a directory may be.
type setJSON struct {
	Values []string `json:"values"`
	Open   bool     `json:"open"`
	Glob   bool     `json:"glob"`
	Prefix string   `json:"prefix"`
}

type wordJSON struct {
	Text string `json:"text"`
	setJSON
}

type effectJSON struct {
	Kind      string  `json:"kind"`
	Target    setJSON `json:"target"`
	Recursive bool    `json:"recursive"`
}

func (t *CommandTrace) form(l *eval.Line) commandJSON {
	c := &l.Commands[t.Index]
	out := commandJSON{
		Text: l.Text(c.Span), Span: c.Span, Words: []wordJSON{}, Program: c.Called(),
		Dir: setForm(c.Dir), Context: c.Context.String(), Effects: []effectJSON{},
		Unknown: null.Of(c.Opaque), Doubt: null.Of(c.Doubt),
		By: null.Of(t.By), NotProved: null.Of(t.NotProved), Instead: null.Of(t.Instead),
		Permissions: append([]Match{}, t.Permissions...), Dangerous: append([]string{}, t.Dangerous...),
	}
	if c.Parent >= 0 {
		out.Parent = &c.Parent
	}
	if t.Allowed != StageNone {
		out.Allowed = null.Of(t.Allowed.String())
	}
	for _, w := range c.Words {
		out.Words = append(out.Words, wordJSON{l.Text(w.Span), setForm(w.Set)})
	}
	c.Effects(func(e command.Effect) bool {
		if !e.Perhaps {
			out.Effects = append(out.Effects, effectJSON{e.Kind.String(), setForm(e.Target), e.Recursive})
		}
		return true
	})
	return out
}

func setForm(s shell.Set) setJSON {
	return setJSON{append([]string{}, s.Values...), s.Open, s.Glob, s.Prefix}
}
