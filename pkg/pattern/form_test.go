package pattern

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
)

func packed(t testing.TB, rules []*Rule) *Form {
	t.Helper()
	data, err := Pack(rules)
	if err != nil {
		t.Fatal(err)
	}
	f, err := OpenForm(data, policy.Origin{Layer: "bundle", File: "rules.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Rules in forms, in two of them and beside them, decide as the set of all.
func TestFormsDecideAsSets(t *testing.T) {
	const sets, records = 600, 20
	start := seed.New(t)
	t.Logf("SEED=%d", start)
	g := &ruleMaker{Rand: rand.New(rand.NewPCG(start, 0))}
	var decided truthTally
	for i := range sets {
		size := 1 + g.IntN(30)
		if i%100 == 0 {
			size = 300
		}
		rules, aims := g.rules(t, size)
		whole := NewSet(rules)
		a := g.IntN(size + 1)
		b := a + g.IntN(size-a+1)
		fresh := func() forms {
			return NewFormSource([]*Form{packed(t, rules[:a]), packed(t, rules[a:b])}, rules[b:]).forms
		}
		all := fresh()
		for _, drop := range []func(*Rule) bool{func(*Rule) bool { return false }, allows, neverOfCommand} {
			s := whole.without(drop)
			for range records {
				r, in, scope := g.record(aims[g.IntN(len(rules))]), g.instant(), g.scope(50)
				want := s.Decide(r, scope, in)
				got, err := all.decide(r, scope, in, drop)
				if err != nil || printMatch(got) != printMatch(want) || (got.allow == nil) != (want.allow == nil) {
					t.Fatalf("SEED=%d\nforms %s, set %s (%v)\nrecord %#v\nrules %s", start, printMatch(got), printMatch(want), err, r, printRules(s))
				}
				decided[outcome(want)]++
			}
		}
		if g.chance(10) {
			ordered, err := fresh().ordered()
			if err != nil || len(ordered) != len(whole.Ordered()) {
				t.Fatalf("%d rules of %d: %v", len(ordered), len(whole.Ordered()), err)
			}
			for i, r := range ordered {
				if w := whole.Ordered()[i]; r.ID != w.ID || r.Scope != w.Scope || r.Decision != w.Decision || printNode(r.Source) != printNode(w.Source) {
					t.Fatalf("rule %d is %s, want %s", i, r.ID, w.ID)
				}
			}
		}
	}
	if decided.share(True) < 30 || decided.share(Unknown) < 10 {
		t.Errorf("SEED=%d: the test is too weak: %v", start, decided)
	}
}

// A form that is damaged anywhere is not opened.
func TestDamagedForm(t *testing.T) {
	g := &ruleMaker{Rand: rand.New(rand.NewPCG(7, 0))}
	rules, _ := g.rules(t, 40)
	data, err := Pack(rules)
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(data) {
		if _, err := OpenForm(data[:n], policy.Origin{}); !errors.Is(err, errForm) {
			t.Fatalf("%d of %d bytes: %v", n, len(data), err)
		}
		changed := append([]byte(nil), data...)
		changed[n] ^= 1 << (n % 8)
		if _, err := OpenForm(changed, policy.Origin{}); !errors.Is(err, errForm) {
			t.Fatalf("byte %d changed: %v", n, err)
		}
	}
}

// A form knows all its ids, and only what a call may match is read.
func TestFormReadsLittle(t *testing.T) {
	var rules []*Rule
	for i := range 1000 {
		source := document.Node{Kind: document.Map, Keys: []document.Node{{Kind: document.Text, Text: "shell.program"}}, Items: []document.Node{{Kind: document.Text, Text: "tool" + string(rune('a'+i%26)) + string(rune('a'+i/26))}}}
		when, problems := CompileWhen(source)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		rules = append(rules, &Rule{ID: source.Items[0].Text, When: when, Source: source, Disabled: i == 999})
	}
	f := packed(t, rules)
	for _, r := range rules {
		if !f.MayHave(r.ID) {
			t.Fatalf("no %s", r.ID)
		}
	}
	if f.MayHave("other") || f.Len() != 999 || f.Meets(packed(t, nil)) || !f.Meets(packed(t, rules[500:501])) {
		t.Error("the ids are others")
	}
	rec := &record.Record{Type: "shell.exec", Facets: map[string]map[string]any{"shell": {"program": "toolca"}}}
	m, err := NewFormSource([]*Form{f}, nil).forms.decide(rec, Scope{}, &Input{}, func(*Rule) bool { return false })
	if err != nil || m.Rule == nil || m.Rule.ID != "toolca" || len(f.rules) != 1 {
		t.Errorf("%s, %d rules were read (%v)", printMatch(m), len(f.rules), err)
	}
}
