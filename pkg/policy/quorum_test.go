package policy_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/policy"
)

// Whoever else asks about the same line, the ask that wants more people has the say,
// and silence never stands in for one of them.
func TestQuorumStands(t *testing.T) {
	two := &policy.AskTerms{Approver: "alice,bob,carol", Quorum: 2, Timeout: time.Minute, OnTimeout: policy.Allow}
	one := &policy.AskTerms{Approver: "zed", Timeout: time.Minute}
	ask := func(rule string, terms *policy.AskTerms) policy.Answer {
		return policy.Answer{Decision: policy.Ask, Certain: true, Rule: rule, Ask: terms}
	}
	for _, answers := range [][]policy.Answer{
		{ask("one", one), ask("two", two)}, {ask("two", two), ask("one", one)}, {ask("open", nil), ask("two", two)},
		{ask("one", one), {Decision: policy.Ask, Rule: "two", Ask: two}},
	} {
		last := len(answers) - 1
		answer := answers[last]
		answer.More = answers[:last]
		v := decide(t, asked(t, nil, answer, "shell make *"), nil, call("make deploy"))
		if v.Rule != "two" || v.Ask.Quorum != 2 || v.Ask.OnTimeout != policy.Deny || two.OnTimeout != policy.Allow {
			t.Errorf("%s: %+v", v.Rule, v.Ask)
		}
	}
}

// asked returns an engine whose source gives an answer, and that asks about permissions.
func asked(t *testing.T, edit func(*policy.Settings), answer policy.Answer, permissions ...string) *policy.Engine {
	t.Helper()
	s := policy.Defaults()
	for _, match := range permissions {
		s.Permissions = append(s.Permissions, policy.Permission{Match: match, Action: policy.Ask})
	}
	if edit != nil {
		edit(&s)
	}
	e, err := policy.New(s, policy.Options{Sources: []policy.Source{fixed{answer: answer}}})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// A supervisor of several is asked wherever nobody else is named, with their number.
func TestSupervisorQuorum(t *testing.T) {
	several := func(s *policy.Settings) {
		s.Approval = policy.Approval{Supervisor: "ann,bob", Quorum: 2, Timeout: time.Minute, OnTimeout: policy.Allow}
	}
	v := decide(t, engine(t, "", several), nil, call("make deploy"))
	if v.Ask == nil || v.Ask.Approver != "ann,bob" || v.Ask.Quorum != 2 || v.Ask.OnTimeout != policy.Deny {
		t.Errorf("%+v", v.Ask)
	}
	for terms, want := range map[*policy.AskTerms]string{
		{}:                            "ann,bob 2",
		{Timeout: time.Second}:        "ann,bob 2",
		{Approver: "zed"}:             "zed 0",
		{Approver: "zed", Quorum: 1}:  "zed 1",
		{Approver: "a,b", Quorum: 2}:  "a,b 2",
		{OnTimeout: policy.Allow}:     "ann,bob 2",
		{Approver: "c", Profile: "p"}: "c 0",
	} {
		answer := policy.Answer{Decision: policy.Ask, Certain: true, Rule: "r", Ask: terms}
		v := decide(t, asked(t, several, answer), nil, call("make deploy"))
		if got := fmt.Sprintf("%s %d", v.Ask.Approver, v.Ask.Quorum); got != want || v.Ask.Quorum > 1 && v.Ask.OnTimeout != policy.Deny {
			t.Errorf("%+v: %s %s, want %s", terms, got, v.Ask.OnTimeout, want)
		}
	}
}

// The number is in the JSON of a verdict where there is one.
func TestQuorumInJSON(t *testing.T) {
	for quorum, want := range map[int]bool{0: false, 2: true} {
		text, err := policy.AskTerms{Approver: "a,b", Quorum: quorum}.MarshalJSON()
		if err != nil || strings.Contains(string(text), `"quorum":2`) != want || strings.Contains(string(text), "quorum") != want {
			t.Errorf("%d: %s, %v", quorum, text, err)
		}
	}
}

func TestCheckQuorum(t *testing.T) {
	many := make([]string, policy.MaxApprovers+1)
	for i := range many {
		many[i] = fmt.Sprint("p", i)
	}
	for _, c := range []struct {
		quorum int
		names  []string
		want   string
	}{
		{1, []string{"a"}, ""},
		{2, []string{"a", "b.c-d_e@f"}, ""},
		{policy.MaxApprovers, many[1:], ""},
		{0, []string{"a"}, "0 people cannot approve: give a number from 1"},
		{-1, nil, "-1 people cannot approve"},
		{1, nil, "1 must approve, and nobody is named"},
		{2, []string{"a"}, "2 must approve, and one is named"},
		{3, []string{"a", "b"}, "3 must approve, and 2 are named: give a lower number, or more names"},
		{1, many, "there are 101 names: give at most 100"},
		{1, []string{"a", "B", "b"}, `"b" stands there twice, and has one vote: remove one of them`},
		{1, []string{""}, "a name of a person has 1 to 64 characters, not 0"},
		{1, []string{strings.Repeat("a", 65)}, "1 to 64 characters, not 65"},
		{1, []string{strings.Repeat("a", 64)}, ""},
		{1, []string{".a"}, `has '.'`},
		{1, []string{"a b"}, `has ' '`},
		{1, []string{"\u0430"}, `the name "\u0430" of a person has '\u0430'`},
		{1, []string{"a\xff"}, `has '\ufffd'`},
		{1, []string{"token:a"}, `has ':'`},
	} {
		err := policy.CheckQuorum(c.quorum, c.names)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%d of %.40q: %v, want %s", c.quorum, c.names, err, c.want)
		}
	}
	if got := policy.Approvers(" a, ,b ,,c"); strings.Join(got, "|") != "a|b|c" {
		t.Errorf("%q", got)
	}
}
