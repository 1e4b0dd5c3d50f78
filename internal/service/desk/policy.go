package desk

import (
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A policyPage says of what the policy of the service is made, what it answers to a
// call, and how the chain comes to it.
type policyPage struct {
	Revision string
	// Tool to Session are those of the call to try.
	Tool, Command, Input, Dir, Agent, Session string
	Tools                                     []string
	Stages                                    []policy.StageInfo
	// Explained is nil before a call is given. Wrong says why it cannot be read.
	Explained *policy.Explanation
	Wrong     string
	// Marked is the command with the part that decided.
	Marked   []piece
	Commands []judged
	// InForce is nil where nobody knows.
	InForce *backend.InForce
	// Channels is what is wrong with those that tell people.
	Channels []string
}

// A judged is a simple command of a line with what was found of it.
type judged struct {
	Text, Allowed, NotProved, Instead string
	Permissions                       []policy.Match
	Dangerous                         string
}

func (d *Desk) policy(x *route.Exchange) (string, *frame, error) {
	engine := x.Decider.Engine()
	page := &policyPage{
		Revision: engine.Revision(), Stages: policy.Stages(), Tool: x.Query.Get("tool"), Command: x.Query.Get("command"), Input: x.Query.Get("input"),
		Dir: x.Query.Get("dir"), Agent: x.Query.Get("agent"), Session: x.Query.Get("session"),
	}
	for _, t := range policy.BuiltinTools() {
		page.Tools = append(page.Tools, t.Name)
	}
	page.Channels = x.ChannelProblems()
	if x.Policy != nil {
		page.InForce = x.Policy()
		for _, t := range page.InForce.Tools {
			page.Tools = append(page.Tools, t.Name)
		}
	}
	c, err := page.call()
	switch {
	case err != nil:
		page.Wrong = err.Error()
	case c != nil:
		explained, err := engine.Explain(x.Context(), nil, c)
		if err != nil && explained.Decision != policy.Deny {
			return "", nil, err
		}
		page.explain(&explained)
	}
	return "policy.html", &frame{Title: "Policy", At: "policy", Content: page}, nil
}

// call returns the call to try, nil for none.
func (p *policyPage) call() (*policy.Call, error) {
	c := &policy.Call{Tool: p.Tool, Dir: p.Dir, Agent: p.Agent, Session: p.Session}
	if c.Tool == "" {
		c.Tool = "shell"
	}
	switch {
	case p.Command == "" && p.Input == "":
		return nil, nil
	case p.Command != "" && p.Input != "":
		return nil, fmt.Errorf("both a command and arguments are given: give one of them")
	case p.Command != "":
		c.Input = map[string]any{"command": p.Command}
		return c, approval.CheckCall(c)
	}
	var err error
	if c.Input, err = policy.DecodeObject([]byte(p.Input)); err != nil {
		return nil, fmt.Errorf(`the arguments cannot be read: %w; write them as in {"file_path":"/src/a.go","content":"x"}`, err)
	}
	return c, approval.CheckCall(c)
}

func (p *policyPage) explain(x *policy.Explanation) {
	p.Explained = x
	text := p.Command
	if text == "" && x.Line != nil {
		text = x.Line.Source
	}
	var span *[2]int
	if s := x.Span; s != nil && s.From < s.To && s.To <= len(text) {
		span = &[2]int{s.From, s.To}
	}
	p.Marked = pieces(text, span)
	if x.Line == nil {
		return
	}
	for i := range x.Commands {
		t := &x.Commands[i]
		one := judged{Text: x.Line.Text(x.Line.Commands[t.Index].Span), Permissions: t.Permissions, Dangerous: strings.Join(t.Dangerous, ", ")}
		if t.Allowed != policy.StageNone {
			one.Allowed = strings.TrimSuffix(t.Allowed.String()+": "+t.By, ": ")
		} else {
			one.NotProved, one.Instead = t.NotProved, t.Instead
		}
		p.Commands = append(p.Commands, one)
	}
}
