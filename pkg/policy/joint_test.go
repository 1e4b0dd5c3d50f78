package policy_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/policy"
)

var jointPeople = []string{"ann", "bob", "cid", "dan"}

// randomTerms makes terms as sources give them.
func randomTerms(g *rand.Rand) *policy.AskTerms {
	pick := func(list ...string) string { return list[g.IntN(len(list))] }
	t := &policy.AskTerms{
		Timeout: []time.Duration{2 * time.Second, time.Minute, time.Hour}[g.IntN(3)], OnTimeout: []policy.Decision{policy.Deny, policy.Allow}[g.IntN(2)],
		FailClosed: g.IntN(3) > 0, EveryTime: g.IntN(4) == 0, Rule: pick("", "r", "s"), Rules: []string{pick("r", "s", "t")},
	}
	names := slices.Clone(jointPeople)
	g.Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
	names = names[:g.IntN(len(names))]
	slices.Sort(names)
	switch t.Approver = strings.Join(names, ","); {
	case g.IntN(3) == 0:
		t.Reviewer, t.Model, t.Prompt, t.CacheTTL = true, pick("", "m"), pick("", "p"), time.Duration(g.IntN(3))*time.Minute
		t.Approver = pick("", "guard", "judge", "ann")
	case len(names) > 0 && g.IntN(2) == 0:
		if t.Quorum = g.IntN(len(names) + 1); t.Quorum == 1 {
			t.Quorum = 0
		}
		if t.Quorum > 1 {
			t.OnTimeout = policy.Deny
		}
	}
	if t.Approver != "" {
		t.Profile = pick("", "", "ops")
	}
	return t
}

// satisfied reports whether those who approve satisfy every group of terms, where a
// model's name stands for people.
func satisfied(t *policy.AskTerms, by []string) bool {
	for _, g := range t.Groups() {
		n := 0
		for _, name := range g.Names() {
			if slices.Contains(by, name) {
				n++
			}
		}
		if n < g.Need() {
			return false
		}
	}
	return true
}

// The joint terms are a join: the order of asks does not count, nor how often one asks,
// and no ask widens who may decide or what silence means.
func TestJoin(t *testing.T) {
	start := seed.New(t)
	g := rand.New(rand.NewPCG(start, 0))
	everybody := append(slices.Clone(jointPeople), "guard", "judge")
	for range 10_000 {
		a, b, c := randomTerms(g), randomTerms(g), randomTerms(g)
		ab := a.Join(b)
		for what, pair := range map[string][2]*policy.AskTerms{
			"commutative": {ab, b.Join(a)}, "associative": {ab.Join(c), a.Join(b.Join(c))}, "idempotent": {a, a.Join(a)}, "absorbing": {ab, ab.Join(b)},
		} {
			if !reflect.DeepEqual(pair[0], pair[1]) {
				t.Fatalf("SEED=%d not %s:\n%+v\n%+v\n%+v\n%+v\n%+v", start, what, a, b, c, pair[0], pair[1])
			}
		}
		for _, one := range []*policy.AskTerms{a, b} {
			if why := wider(ab, one); why != "" {
				t.Fatalf("SEED=%d %s:\n%+v and\n%+v are\n%+v", start, why, a, b, ab)
			}
			if !ab.Covers(one) {
				t.Fatalf("SEED=%d the join does not cover:\n%+v\n%+v\n%+v", start, a, b, ab)
			}
		}
		var by []string
		for _, name := range everybody {
			if g.IntN(2) == 0 {
				by = append(by, name)
			}
		}
		if lost := lostGroup(ab, a, b); lost != "" {
			t.Fatalf("SEED=%d %s is lost:\n%+v\n%+v\n%+v", start, lost, a, b, ab)
		}
		if satisfied(ab, by) != (satisfied(a, by) && satisfied(b, by)) {
			t.Fatalf("SEED=%d %v satisfies %v of\n%+v and %v of\n%+v, and of both %v:\n%+v", start, by, satisfied(a, by), a, satisfied(b, by), b, satisfied(ab, by), ab)
		}
	}
}

// lostGroup returns a group of people that no group of people of joint terms implies.
func lostGroup(joint *policy.AskTerms, asks ...*policy.AskTerms) string {
	people := *joint
	people.Reviewer, people.Approver, people.Also = false, "", nil
	for _, g := range joint.Groups() {
		if !g.Reviewer {
			people.Also = append(people.Also, g)
		}
	}
	for _, ask := range asks {
		for _, g := range ask.Groups() {
			if one := (policy.AskTerms{Also: []policy.Group{g}}); !g.Reviewer && !people.Covers(&one) {
				return g.String()
			}
		}
	}
	return ""
}

// wider says in what joint terms allow more than those of one ask, "" where in nothing.
func wider(joint, one *policy.AskTerms) string {
	switch {
	case joint.Timeout > one.Timeout:
		return "it waits longer"
	case joint.OnTimeout == policy.Allow && (one.OnTimeout != policy.Allow || joint.Timeout != one.Timeout):
		return "silence says more"
	case joint.EveryTime != one.EveryTime && one.EveryTime:
		return "a grant answers"
	case one.FailClosed && !joint.FailClosed:
		return "a failure allows"
	case joint.Reviewer && (!one.Reviewer || joint.Model != one.Model || joint.Prompt != one.Prompt || joint.CacheTTL > one.CacheTTL):
		return "a model answers more"
	case joint.Rule != "" && joint.Rule != one.Rule:
		return "a grant for another rule answers"
	}
	return ""
}

// Covers tells whether an approval that was given counts under other terms.
func TestCovers(t *testing.T) {
	for _, row := range []struct {
		covers       bool
		given, wants policy.AskTerms
	}{
		{true, policy.AskTerms{}, policy.AskTerms{Timeout: time.Second}},
		{true, policy.AskTerms{Approver: "ann"}, policy.AskTerms{}},
		{true, policy.AskTerms{Approver: "ann"}, policy.AskTerms{Approver: "bob, ann"}},
		{true, policy.AskTerms{Approver: "ann", Also: []policy.Group{{Approver: "bob"}}}, policy.AskTerms{Approver: "bob"}},
		{true, policy.AskTerms{Approver: "ann,bob", Quorum: 2}, policy.AskTerms{Approver: "bob,ann"}},
		{false, policy.AskTerms{}, policy.AskTerms{Approver: "ann"}},
		{false, policy.AskTerms{Approver: "ann,bob"}, policy.AskTerms{Approver: "ann"}},
		{false, policy.AskTerms{Approver: "ann,bob"}, policy.AskTerms{Approver: "ann,bob", Quorum: 2}},
		{false, policy.AskTerms{Approver: "bob"}, policy.AskTerms{Approver: "ann", Also: []policy.Group{{Approver: "bob"}}}},
		{false, policy.AskTerms{Reviewer: true}, policy.AskTerms{}},
		{false, policy.AskTerms{Reviewer: true, Model: "m"}, policy.AskTerms{Reviewer: true, Model: "n"}},
	} {
		if got := row.given.Covers(&row.wants); got != row.covers {
			t.Errorf("%v: %+v covers %+v", got, row.given, row.wants)
		}
	}
}

// Who says in words of whom each must approve.
func TestWho(t *testing.T) {
	for want, terms := range map[string]policy.AskTerms{
		"":                       {},
		"ann":                    {Approver: "ann"},
		"one of ann, bob":        {Approver: "ann, bob"},
		"2 of ann, bob, and cid": {Approver: "ann,bob", Quorum: 2, Also: []policy.Group{{Approver: "cid"}}},
		"ann, and bob":           {Approver: "ann", Also: []policy.Group{{Approver: "bob"}, {Approver: "guard", Reviewer: true}}},
		"guard":                  {Approver: "guard", Reviewer: true},
	} {
		if got := terms.Who(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// What several sources answer about one call, in every order.
func TestJointOfSources(t *testing.T) {
	at := func(rule string, terms *policy.AskTerms, certain bool) policy.Answer {
		return policy.Answer{Decision: policy.Ask, Certain: certain, Rule: rule, Ask: terms}
	}
	quick := &policy.AskTerms{Approver: "cid", Timeout: 2 * time.Second, OnTimeout: policy.Allow, Rule: "quick"}
	slow := &policy.AskTerms{Approver: "ann", Timeout: time.Hour, FailClosed: true, Rule: "slow"}
	model := &policy.AskTerms{Approver: "guard", Model: "m", Timeout: time.Minute, Reviewer: true, Rule: "model"}
	for _, row := range []struct {
		want    string
		answers []policy.Answer
		setting func(*policy.Settings)
	}{
		{"cid 2s allow", []policy.Answer{at("quick", quick, true)}, nil},
		{"ann, and cid 2s deny", []policy.Answer{at("quick", quick, true), at("slow", slow, true)}, nil},
		{"ann, and cid 2s deny", []policy.Answer{at("quick", quick, true), at("slow", slow, false)}, nil},
		{"cid 2s deny", []policy.Answer{at("quick", quick, true), at("model", model, true)}, nil},
		{"guard 1m0s deny model", []policy.Answer{at("model", model, true), at("model", model, true)}, nil},
		{"ann, and cid 2s deny", []policy.Answer{at("quick", quick, true), at("slow", slow, true), at("model", model, true)}, nil},
		{"cid 2s deny", []policy.Answer{at("quick", quick, true), at("plain", nil, true)}, nil},
		{"zed, and cid 2s deny every time", []policy.Answer{at("quick", quick, true)}, func(s *policy.Settings) {
			s.Approval.Supervisor = "zed"
			s.Permissions = []policy.Permission{{Match: "shell make *", Action: policy.Ask, EveryTime: true}}
		}},
		{"zed, and cid 1s deny", []policy.Answer{at("quick", quick, true)}, func(s *policy.Settings) {
			s.Approval.Supervisor, s.Approval.Timeout = "zed", time.Second
			s.ToolPolicy.Tools = map[string]policy.Treatment{"shell": policy.Supervised}
		}},
		{"2 of zed, yan, and cid 2s deny", []policy.Answer{at("quick", quick, true)}, func(s *policy.Settings) {
			s.Approval.Supervisor, s.Approval.Quorum = "zed,yan", 2
			s.ToolPolicy.Groups = map[string]policy.Treatment{"runtime": policy.Supervised}
			s.ToolPolicy.Default = policy.Supervised
		}},
	} {
		for i := range row.answers {
			list := slices.Concat(row.answers[i:], row.answers[:i])
			last := len(list) - 1
			answer := list[last]
			answer.More = list[:last:last]
			v := decide(t, asked(t, row.setting, answer), nil, call("make deploy"))
			if got := termsText(v.Ask); sortedText(got) != sortedText(row.want) {
				t.Errorf("%d: %s, want %s (%v)", i, got, row.want, v.Ask.Rules)
			}
		}
	}
}

// sortedText makes texts equal that differ in the order of groups and names.
func sortedText(s string) string {
	words := strings.Fields(strings.NewReplacer(",", "", " and", "").Replace(s))
	slices.Sort(words)
	return strings.Join(words, " ")
}

func termsText(a *policy.AskTerms) string {
	text := fmt.Sprintf("%s %s %s", a.Who(), a.Timeout, a.OnTimeout)
	if a.EveryTime {
		text += " every time"
	}
	if a.Reviewer {
		text += " model"
	}
	return strings.TrimSpace(text)
}

// An ask that a grant answers has no say in the terms.
func TestDischargedDropsOut(t *testing.T) {
	quick := policy.Answer{Decision: policy.Ask, Certain: true, Rule: "quick", Ask: &policy.AskTerms{Approver: "cid", Timeout: 2 * time.Second, OnTimeout: policy.Allow, Rule: "quick"}}
	slow := policy.Answer{Decision: policy.Ask, Certain: true, Rule: "slow", Ask: &policy.AskTerms{Approver: "ann", Timeout: time.Hour, Rule: "slow"}}
	quick.More = []policy.Answer{slow}
	e := asked(t, nil, quick)
	s := &policy.Session{ID: "s"}
	for _, want := range []string{"ann, and cid 2s deny", "cid 2s allow"} {
		if v := decide(t, e, s, call("make deploy")); termsText(v.Ask) != want {
			t.Errorf("%s, want %s", termsText(v.Ask), want)
		}
		s.Grant("slow")
	}
}

// What the later stages would ask about the rest of a line counts, and what they allow
// does not.
func TestRestOfLine(t *testing.T) {
	for _, row := range []struct{ want, command string }{
		{"allow", "pe x"}, {"allow", "cd web && pe x"}, {"allow", "pe x | wc -l"}, {"allow", "LC_ALL=C pe x"}, {"allow", "pe x; echo done"},
		{"allow", "sh -c 'pe x'"}, {"allow", "bash -c 'cd web && pe x'"}, {"allow", "env A=1 pe x"}, {"allow", "timeout 5 pe x"}, {"allow", "for i in 1 2; do pe $i; done"},
		{"allow", "pe x > out"}, {"allow", "pe x && ls -l"}, {"allow", "f() { pe x; }; f"}, {"allow", "xargs pe"},
		{"deny", "pe x && make"}, {"deny", "make; pe x"}, {"deny", "pe x | tee log"}, {"deny", "pe x; git push"}, {"deny", `pe "$(make)"`},
		{"deny", "sh -c 'pe x; make'"}, {"deny", "sudo pe x"}, {"deny", "find . -exec pe {} \\; -delete"}, {"deny", "ssh host pe x"},
		{"deny", "pe x; rm -rf build"}, {"deny", "if make; then pe x; fi"}, {"deny", "pe x & make"}, {"deny", "pe x || (make)"},
		{"deny", "pe x; $UNKNOWN"}, {"deny", "python3 -c 'import os; os.system(\"make\")'; pe x"},
	} {
		e, err := policy.New(policy.Defaults(), policy.Options{Sources: []policy.Source{ofProgram("pe")}})
		if err != nil {
			t.Fatal(err)
		}
		v := decide(t, e, nil, call(row.command))
		if v.Decision != policy.Ask || v.Ask.OnTimeout.String() != row.want || v.Ask.Timeout != 2*time.Second {
			t.Errorf("%s: %s %s, want %s (%v)", row.command, v.Decision, termsText(v.Ask), row.want, v.Ask.Rules)
		}
	}
}

// ofProgram is a source that asks about commands of a program, on terms on which
// silence soon allows.
type ofProgram string

func (p ofProgram) Judge(_ context.Context, in *policy.Input) (policy.Answer, error) {
	parts := make([]policy.Answer, len(in.Line.Commands))
	for i := range parts {
		parts[i] = policy.Answer{Silent: true}
		if in.Line.Commands[i].Name == string(p) {
			parts[i] = policy.Answer{Decision: policy.Ask, Certain: true, Rule: string(p), Ask: &policy.AskTerms{Timeout: 2 * time.Second, OnTimeout: policy.Allow, Rule: string(p)}}
		}
	}
	return policy.Answer{Parts: parts}, nil
}

// binding makes the asks of a source survive yolo.
type binding struct{ policy.Source }

func (b binding) Judge(ctx context.Context, in *policy.Input) (policy.Answer, error) {
	a, err := b.Source.Judge(ctx, in)
	for i := range a.Parts {
		a.Parts[i].Binding = true
	}
	return a, err
}

// Under yolo the rest of a line is nobody's to answer, but for what yolo itself keeps
// for a person. A call that leaves the agent's sandbox is asked about for that too.
func TestRestUnderYolo(t *testing.T) {
	yolo := func(s *policy.Settings) { s.Yolo = true }
	careful := func(s *policy.Settings) { s.Yolo, s.YoloConfirm = true, policy.ConfirmDangerous }
	outside := func(c *policy.Call) { c.OutsideSandbox = true }
	for _, row := range []struct {
		want, command string
		edit          func(*policy.Settings)
		change        func(*policy.Call)
	}{
		{"2s allow", "pe x; make", yolo, nil},
		{"2s allow", "pe x; rm -rf src", yolo, nil},
		{"2s allow", "pe x; make", careful, nil},
		{"2s allow", "pe x; rm -rf build", careful, nil}, // which a build makes again
		{"2s deny", "pe x; rm -rf src", careful, nil},
		{"2s deny every time", "pe x", nil, outside},
		{"zed 2s deny every time", "pe x", func(s *policy.Settings) { s.Approval.Supervisor = "zed" }, outside},
		{"2s deny every time", "pe x", func(s *policy.Settings) {
			s.Approval.Supervisor = "zed"
			s.Permissions = []policy.Permission{{Match: "shell pe *", Action: policy.Allow, OutsideSandbox: true}}
		}, outside},
	} {
		s := policy.Defaults()
		if row.edit != nil {
			row.edit(&s)
		}
		source := policy.Source(binding{ofProgram("pe")})
		if s.Approval.Supervisor != "" {
			source = binding{named{ofProgram("pe")}}
		}
		e, err := policy.New(s, policy.Options{Sources: []policy.Source{source}})
		if err != nil {
			t.Fatal(err)
		}
		c := call(row.command)
		if row.change != nil {
			row.change(c)
		}
		want := row.want
		if s.Approval.Supervisor != "" { // which the source does not ask
			want = strings.TrimSpace("cid, and " + row.want)
			if !strings.HasPrefix(row.want, "zed") {
				want = "cid " + row.want
			}
		}
		v := decide(t, e, nil, c)
		if v.Ask == nil || termsText(v.Ask) != want {
			t.Errorf("%s: %s %+v, want %s", row.command, v.Decision, v.Ask, want)
		}
	}
}

// named has a source ask cid.
type named struct{ policy.Source }

func (n named) Judge(ctx context.Context, in *policy.Input) (policy.Answer, error) {
	a, err := n.Source.Judge(ctx, in)
	for i := range a.Parts {
		if a.Parts[i].Ask != nil {
			a.Parts[i].Ask.Approver = "cid"
		}
	}
	return a, err
}

// What another tool hands to a shell, and what code on the line runs, keeps its terms
// where the call asks anyway.
func TestJointOfGuises(t *testing.T) {
	e, err := policy.New(policy.Defaults(), policy.Options{Sources: []policy.Source{ofLines{ofProgram("pe")}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*policy.Call{
		{Tool: "mcp__x__run", Input: map[string]any{"command": "pe x"}, Dir: "/w/app"},
		call(`python3 -c 'import os; os.system("pe x")'`),
	} {
		if v := decide(t, e, nil, c); v.Ask == nil || v.Ask.Timeout != 2*time.Second || v.Ask.OnTimeout != policy.Deny {
			t.Errorf("%v: %s %+v", c.Input, v.Decision, v.Ask)
		}
	}
}

// ofLines asks a source about shell lines alone.
type ofLines struct{ policy.Source }

func (o ofLines) Judge(ctx context.Context, in *policy.Input) (policy.Answer, error) {
	if in.Line == nil {
		return policy.Answer{Silent: true}, nil
	}
	return o.Source.Judge(ctx, in)
}

// A call that may run in several directories is asked about on the terms of all.
func TestJointOfDirectories(t *testing.T) {
	quick := inDir{"/w/app", &policy.AskTerms{Approver: "cid", Timeout: 2 * time.Second, OnTimeout: policy.Allow}}
	slow := inDir{"/other", &policy.AskTerms{Approver: "ann", Timeout: time.Minute}}
	e, err := policy.New(policy.Defaults(), policy.Options{Sources: []policy.Source{quick, slow}})
	if err != nil {
		t.Fatal(err)
	}
	c := call("make x")
	c.Dir, c.Input["cwd"], c.Input["workdir"] = "/w/app", "/w/app", "/other"
	if v := decide(t, e, nil, c); v.Ask == nil || termsText(v.Ask) != "ann, and cid 2s deny" {
		t.Errorf("%s %+v", v.Decision, v.Ask)
	}
}

// inDir asks about every call in a directory.
type inDir struct {
	dir   string
	terms *policy.AskTerms
}

func (d inDir) Judge(_ context.Context, in *policy.Input) (policy.Answer, error) {
	if in.Call.Dir != d.dir {
		return policy.Answer{Silent: true}, nil
	}
	return policy.Answer{Decision: policy.Ask, Certain: true, Rule: d.dir, Ask: d.terms}, nil
}
