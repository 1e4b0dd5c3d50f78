package grant

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/internal/support/weburl"
	"github.com/policyctl/policyctl/pkg/dangerous"
	"github.com/policyctl/policyctl/pkg/policy"
)

// denial returns the entry in the form of the engine, which matches it as it matches a
// permission that denies.
func (e *Entry) denial() policy.Denial {
	d := policy.Denial{Tool: e.Tool, Dir: e.Dir, Session: e.Conversation, Text: e.String(), Why: e.by()}
	if e.Verb != e.Tool {
		d.Words = e.Verb
	}
	if e.Limits != nil {
		d.Hosts = e.Limits.Hosts
	}
	return d
}

// by says who has denied, and when.
func (e *Entry) by() string {
	text := "denied always by " + e.By
	if e.Scope == Session {
		text = "denied for this session by " + e.By
	}
	return text + " at " + e.Created.UTC().Format(time.DateTime) + "Z"
}

// maxDenied is the most bytes of what a denial names.
const maxDenied = 200

// validateDenial says what is wrong with an entry as a denial.
func (e *Entry) validateDenial() error {
	words := strings.Split(e.Verb, " ")
	switch {
	case len(e.Verb) > maxDenied || strings.HasPrefix(e.Verb, "-") || slices.Contains(words, "") || strings.ContainsAny(e.Verb, "*?[]{}\\~$'\"`"):
		return fmt.Errorf("%.200q is not what a denial names: write a program, its sub-command and options, such as \"git push --force\"", e.Verb)
	case strings.ContainsFunc(e.Verb, func(r rune) bool { return r < ' ' || r > '~' }):
		return fmt.Errorf("%.200q has characters that no name of a command needs", e.Verb)
	case e.Uses != 0:
		return errors.New("a denial has no number of uses")
	case e.Rule != "":
		return errors.New("a denial answers no rule")
	case e.Limits != nil && (e.Limits.MaxBytes != 0 || len(e.Limits.Recipients) > 0 || len(e.Limits.Hosts) == 0):
		return errors.New("a denial may have hosts, and no other limits")
	}
	return nil
}

// ProposeDenial returns what a person stores by denying a call for longer than once, as
// [policy.Engine.Explain] explains it: one entry, which [Entry.Text] shows, for the command
// that asks. Stored it denies the same call, however it is spelled. Where there is none, why
// says so in a clause; [Once] never has one.
func ProposeDenial(x *policy.Explanation, scope Scope, links Links) (e Entry, why string) {
	switch {
	case x.Input == nil:
		return e, "the call was not explained"
	case scope == Once:
		return e, "a denial of one call stores nothing"
	case scope == Session && x.Input.Call.Session == "":
		return e, "the call belongs to no session"
	}
	p := proposal{x: x, scope: scope, j: newJudging(x.Input, links)}
	e = Entry{Effect: Denies, Scope: scope, Audience: x.Input.Audience, Tool: x.Input.Tool.Name}
	if scope == Session {
		e.Agent, e.Conversation = x.Input.Call.Agent, x.Input.Call.Session
	}
	if why := p.deny(&e); why != "" {
		return Entry{}, why
	}
	if err := e.Validate(); err != nil {
		return Entry{}, err.Error()
	}
	d := e.denial()
	if !x.Input.DeniedBy(&d) {
		return Entry{}, "its words do not name what it does"
	}
	return e, ""
}

// deny fills in what an entry denies.
func (p *proposal) deny(e *Entry) (why string) {
	if why := p.j.locate(); why != "" && p.scope != Anywhere {
		return why
	}
	if p.x.Line == nil {
		return p.denyTool(e)
	}
	i := p.deciding()
	if i < 0 {
		return "no part of the call can be named"
	}
	c := &p.x.Line.Commands[i]
	if c.Name == "" || c.Path == "" || !isVerbWord(c.Called()) {
		return "its program is not a plain name"
	}
	e.Verb = p.words(c, i)
	if p.scope == Anywhere {
		return ""
	}
	e.Dir = p.where(c)
	return p.tooWide(e.Dir)
}

// where returns the directory in which a command is denied: that in which it runs.
func (p *proposal) where(c *command.Command) string {
	if dir, ok := c.Dir.Literal(); ok && strings.HasPrefix(dir, "/") {
		if real, ok := p.j.links.RealPath(dir); ok {
			return real
		}
	}
	return p.j.real
}

// deciding returns the command of a line that is denied: the one that asks, and of several
// the first of those that are dangerous; -1 for none.
func (p *proposal) deciding() int {
	best, rank := -1, 0
	for i := range p.x.Line.Commands {
		c := &p.x.Line.Commands[i]
		if len(c.Words) == 0 || c.Function || c.Keyword {
			continue
		}
		r := 1
		if i < len(p.x.Commands) && p.x.Commands[i].Allowed == policy.StageNone {
			r = 2
		}
		if len(p.rules(i)) > 0 {
			r = 3
		}
		if at := p.x.Span; at != nil && r > 1 && at.From >= c.Span.From && at.To <= c.Span.To {
			r = 4
		}
		if r > 1 && p.j.in.Danger(i) != "" {
			r = 5
		}
		if r > 1 && p.j.commands[i].runs { // what it runs is named
			r = 1
		}
		if r > rank {
			best, rank = i, r
		}
	}
	return best
}

// words returns what of a command a denial names: the verb, and those of its options
// without which it would not be dangerous.
func (p *proposal) words(c *command.Command, i int) string {
	t, ok := termOf(c)
	verb := t.verb()
	if !ok {
		verb = c.Called()
	}
	if p.j.in.Danger(i) == "" {
		return verb
	}
	for _, o := range flags(c) {
		if p.isDangerous(without(c, o)) {
			continue // it is dangerous without this one
		}
		if text := verb + " " + o; p.names(text) {
			return text
		}
	}
	return verb
}

// names reports whether a denial of some words means the call.
func (p *proposal) names(words string) bool {
	return p.x.Input.DeniedBy(&policy.Denial{Tool: p.x.Input.Tool.Name, Words: words})
}

// flags returns the options of a command that take no argument, as they are written one by
// one.
func flags(c *command.Command) (out []string) {
	for i := range c.Args.Options {
		if o := &c.Args.Options[i]; !o.HasArg && o.Name != "" {
			out = append(out, program.Typed(o.Name))
		}
	}
	return out
}

// without returns the words of a command without one of its options, nil where they are
// not known.
func without(c *command.Command, option string) (words []string) {
	for i := range c.Words {
		v, ok := c.Words[i].Literal()
		if !ok {
			return nil
		}
		switch {
		case v == option:
			continue
		case len(option) == 2 && i > 0 && strings.HasPrefix(v, "-") && !strings.HasPrefix(v, "--"):
			if v = strings.ReplaceAll(v, option[1:], ""); v == "-" {
				continue
			}
		}
		words = append(words, v)
	}
	return words
}

// isDangerous reports whether a command matches a dangerous pattern.
func (p *proposal) isDangerous(words []string) bool {
	if len(words) == 0 {
		return false
	}
	call := p.x.Input.Call
	line := eval.Argv(words, eval.Env{Dir: call.Dir, Home: call.Home})
	scene := policy.Scene(line, p.j.scene.Home)
	for i := range line.Commands {
		if _, found := dangerous.Find(&scene, i); found {
			return true
		}
	}
	return false
}

// denyTool fills in what is denied of a tool other than the shell: a file, a host, or all
// its calls.
func (p *proposal) denyTool(e *Entry) string {
	t := p.x.Input.Tool
	e.Verb = t.Name
	switch t.Kind {
	case policy.KindRead, policy.KindWrite:
		return p.denyFile(e)
	case policy.KindShell:
		return "its line is not known"
	case policy.KindFetch:
		host := ""
		if len(p.x.Input.Subjects) > 0 {
			host, _ = weburl.Host(p.x.Input.Subjects[0])
		}
		if host == "" {
			return "the host that it talks to is unknown"
		}
		e.Limits = &Limits{Hosts: []string{host}}
	}
	if p.scope == Anywhere {
		return ""
	}
	e.Dir = p.j.real
	return p.tooWide(e.Dir)
}

// denyFile names the file of a call: a denial of all files would leave nothing to work
// with.
func (p *proposal) denyFile(e *Entry) string {
	subjects := p.x.Input.Subjects
	switch {
	case p.scope == Anywhere:
		return "a file is denied where it is"
	case len(subjects) != 1 || strings.HasPrefix(subjects[0], "$") || strings.HasPrefix(subjects[0], "~"):
		return "it does not name one file"
	}
	real, ok := p.j.links.RealPath(shell.Abs(p.j.real, subjects[0]))
	if !ok {
		return "where its file leads is unknown"
	}
	e.Dir = real
	return p.tooWide(e.Dir)
}
