package rego_test

import (
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/rego"
)

const rateRules = `version: 1
permissions: {"shell *": allow, "mcp__*": allow}
rules:
- id: deletes
  when: {shell.program: rm, rate: {more_than: 3, per: 1m}}
  decision: deny
  reason: more than three deletions a minute
- id: agent
  when: {shell.program: curl, rate: {more_than: 2, per: 10s, by: agent}}
  decision: require_human
- id: everybody
  when: {mcp.server: mail, rate: {more_than: 2, per: 1h, by: all}}
  decision: deny
- id: budget
  when: {mcp.server: search, not: {rate: {more_than: 2, per: 1m}}}
  decision: allow
- id: search
  priority: -1
  when: {mcp.server: search}
  decision: require_human
`

// rateEngines are two engines of the same rules: ours, and one that asks OPA about them.
func rateEngines(t *testing.T, o policy.Options) map[string]*policy.Engine {
	t.Helper()
	list, err := config.Load(policy.Defaults(), config.File{Layer: config.User, Name: "p", Admit: config.Everything, Data: []byte(rateRules)})
	if err != nil {
		t.Fatal(err)
	}
	set := pattern.NewSet(list.Sources()[0].(*pattern.Source).Rules())
	by, err := rego.NewRules(set, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*policy.Engine{}
	for name, s := range map[string]policy.Source{"native": pattern.NewSource(set), "OPA": pattern.NewSourceBy(set, by)} {
		o.Sources = []policy.Source{s}
		if out[name], err = policy.New(list.Settings, o); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// A rateStep is a call at a second, and what is decided.
type rateStep struct {
	at      int
	session *policy.Session
	call    policy.Call
	want    string
}

var rateStart = time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)

func (s *rateStep) run(t *testing.T, name string, decide func(*policy.Session, *policy.Call) (policy.Verdict, error)) {
	t.Helper()
	c := s.call
	if s.at >= 0 {
		c.Time = rateStart.Add(time.Duration(s.at) * time.Second)
	}
	v, err := decide(s.session, &c)
	if got := strings.TrimSpace(v.Decision.String() + " " + v.Rule); err != nil || got != s.want {
		t.Errorf("%s: %v %v at %d: want %s, got %s (%s), %v", name, c.Tool, c.Input, s.at, s.want, got, v.Why, err)
	}
}

func TestRates(t *testing.T) {
	rm := *shellCall("rm x")
	mail := policy.Call{Tool: "mcp__mail__send", Input: map[string]any{"to": "a"}}
	search := policy.Call{Tool: "mcp__search__find", Input: map[string]any{"q": "a"}}
	curl := func(agent string) policy.Call {
		c := *shellCall("curl https://example.com")
		c.Agent = agent
		return c
	}
	numbered := func(c policy.Call, id string) policy.Call { c.ID = id; return c }
	a, b := &policy.Session{ID: "a"}, &policy.Session{ID: "b"}
	steps := []rateStep{
		// Four deletions within a minute are one too many, and the first is forgotten then.
		{0, a, rm, "allow shell *"},
		{10, a, rm, "allow shell *"},
		{20, a, *shellCall("sudo rm -f y"), "allow shell *"},
		{30, a, rm, "deny deletes"},
		{31, b, rm, "allow shell *"}, // another session
		{65, a, rm, "deny deletes"},  // what was denied counts too
		{150, a, rm, "allow shell *"},
		// Each command of a line counts, and a call that asks again counts once.
		{300, a, *shellCall("rm a; rm b && rm c"), "allow shell *"},
		{400, a, *shellCall("rm a; rm b; rm c; rm d"), "deny deletes"},
		{500, a, numbered(rm, "1"), "allow shell *"},
		{501, a, numbered(rm, "1"), "allow shell *"},
		{502, a, numbered(rm, "1"), "allow shell *"},
		{503, a, numbered(rm, "2"), "allow shell *"},
		{504, a, numbered(rm, "3"), "allow shell *"},
		{505, a, numbered(rm, "3"), "allow shell *"},
		{506, a, numbered(rm, "4"), "deny deletes"},
		{506, b, numbered(rm, "1"), "allow shell *"},
		{507, b, numbered(*shellCall("rm other"), "1"), "allow shell *"}, // another call with that id
		{508, b, numbered(*shellCall("rm more"), "1"), "allow shell *"},
		{509, b, numbered(*shellCall("rm most"), "1"), "deny deletes"},
		{507, a, *shellCall("ls"), "allow shell *"},
		// Without a time nothing is known, and without a session nothing was before.
		{-1, a, rm, "ask deletes"},
		{508, nil, rm, "allow shell *"},
		// By agent, whatever the session.
		{600, a, curl("claude"), "allow shell *"},
		{601, b, curl("claude"), "allow shell *"},
		{602, b, curl("codex"), "allow shell *"},
		{603, b, curl("claude"), "ask agent"},
		{615, a, curl("claude"), "allow shell *"},
		// By nobody in particular.
		{700, a, mail, "allow mcp__*"},
		{701, b, mail, "allow mcp__*"},
		{4100, &policy.Session{ID: "c"}, mail, "deny everybody"},
		// An allow up to a limit.
		{800, a, search, "allow budget"},
		{801, a, search, "allow budget"},
		{802, a, search, "ask search"},
		{900, a, search, "allow budget"},
	}
	for name, e := range rateEngines(t, policy.Options{}) {
		// Each engine begins with sessions of its own.
		fresh := map[*policy.Session]*policy.Session{nil: nil}
		for _, s := range steps {
			if fresh[s.session] == nil && s.session != nil {
				fresh[s.session] = &policy.Session{ID: s.session.ID}
			}
			s.session = fresh[s.session]
			s.run(t, name, func(session *policy.Session, c *policy.Call) (policy.Verdict, error) {
				return e.Decide(t.Context(), session, c)
			})
		}
	}
}

// Explaining and reviewing count nothing, and a review says what was decided.
func TestRatesOfReviews(t *testing.T) {
	for name, e := range rateEngines(t, policy.Options{}) {
		s := &policy.Session{ID: "a"}
		review := func(s *policy.Session, c *policy.Call) (policy.Verdict, error) { return e.Review(t.Context(), s, c) }
		explain := func(s *policy.Session, c *policy.Call) (policy.Verdict, error) {
			x, err := e.Explain(t.Context(), s, c)
			return x.Verdict, err
		}
		decide := func(s *policy.Session, c *policy.Call) (policy.Verdict, error) { return e.Decide(t.Context(), s, c) }
		for i := range 5 { // of calls that were never decided
			step := rateStep{i, s, *shellCall("rm y"), "allow shell *"}
			step.run(t, name, review)
			step.run(t, name, explain)
		}
		for i := range 3 {
			step := rateStep{i + 5, s, *shellCall("rm x"), "allow shell *"}
			step.run(t, name, explain)
			step.run(t, name, decide)
			step.run(t, name, review)
			step.run(t, name, review)
		}
		fourth := rateStep{9, s, *shellCall("rm x"), "deny deletes"}
		fourth.run(t, name, decide)
		fourth.run(t, name, review)
	}
}

// What was counted goes with a session to another process, and an engine that is made anew
// goes on.
func TestRatesOutliveTheEngine(t *testing.T) {
	s := &policy.Session{ID: "a"}
	for i := range 4 {
		e := rateEngines(t, policy.Options{})["native"]
		want := "allow shell *"
		if i == 3 {
			want = "deny deletes"
		}
		step := rateStep{i, s, *shellCall("rm x"), want}
		step.run(t, "native", func(s *policy.Session, c *policy.Call) (policy.Verdict, error) { return e.Decide(t.Context(), s, c) })
		kept, err := s.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		s = &policy.Session{ID: "a"}
		if err := s.Restore(kept); err != nil {
			t.Fatal(err)
		}
	}
}
