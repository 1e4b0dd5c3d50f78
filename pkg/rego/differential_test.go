//go:build !race

package rego

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"

	"github.com/policyctl/policyctl/internal/seed"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
)

// Compiled rules say of every record what the rules say: as a stock OPA
// evaluates the module, and as [Rules] does.
func TestDifferential(t *testing.T) {
	const sets, records = 2000, 50
	g := &generator{Rand: rand.New(rand.NewPCG(seed.New(t), 8))}
	type tally struct{ all, matched, unknown int }
	tallies := map[string]*tally{}
	for _, name := range allOperators {
		tallies[name] = &tally{}
	}
	for i := range sets {
		operator := allOperators[i%len(allOperators)]
		c := compared{t: t, set: g.set(t, operator)}
		c.compile()
		n := tallies[operator]
		for range records {
			record, in := g.record(t), g.instant()
			scope := one(g, []pattern.Scope{{Plugin: "p", Profile: "q\"", Integration: "i"}, {Plugin: "p"}, {}})
			m := c.compare(record, scope, in)
			n.all++
			if m.Rule != nil {
				n.matched++
			}
			if !m.Certain {
				n.unknown++
			}
			if t.Failed() {
				t.Fatalf("set %d", i)
			}
		}
	}
	for name, n := range tallies {
		if n.matched*100 < n.all*30 || n.unknown*100 < n.all*10 {
			t.Errorf("%q: %d matched and %d were not known of %d", name, n.matched, n.unknown, n.all)
		}
	}
}

// A compared is a set with what OPA makes of it.
type compared struct {
	t       *testing.T
	set     *pattern.Set
	module  *Compiled
	rules   *Rules
	verdict rego.PreparedEvalQuery
}

func (c *compared) compile() {
	c.t.Helper()
	var err error
	if c.module, err = Compile(c.set); err != nil {
		c.t.Fatal(err)
	}
	if c.rules, err = c.module.Rules(10 * time.Second); err != nil {
		c.t.Fatalf("%v\n%s", err, c.module.Source)
	}
	if c.verdict, err = rego.New(
		rego.Query("data.policyctl.rules.verdict"), rego.Module("rules.rego", c.module.Source), rego.Strict(true), rego.StrictBuiltinErrors(true),
		rego.SetRegoVersion(ast.RegoV1),
	).PrepareForEval(context.Background()); err != nil {
		c.t.Fatalf("%v\n%s", err, c.module.Source)
	}
}

// compare decides a record natively and in both ways of OPA.
func (c *compared) compare(record *pattern.Record, scope pattern.Scope, in *pattern.Input) pattern.Match {
	c.t.Helper()
	m := decided(c.set, record, scope, in)
	text := inputText(c.t, record, scope, in)
	want := verdictOf(m)
	if d := diff(want, c.stock(text)); d != "" {
		c.t.Errorf("verdict differs (-native +opa): %s\ninput %s\n%s", d, text, c.module.Source)
	}
	sure, maybe, err := c.rules.Truths(context.Background(), record, scope, in)
	if err != nil {
		c.t.Fatalf("%v: %s\n%s", err, text, c.module.Source)
	}
	got := c.set.Choose(sure, maybe)
	got.Certain = got.Certain || got.Decision != policy.Ask || m.Rule.When.Eval(record, in) == pattern.True
	if d := diff(want, verdictOf(got)); d != "" {
		c.t.Errorf("evaluation differs (-native +opa): %s\ninput %s\n%s", d, text, c.module.Source)
	}
	return m
}

// stock evaluates the verdict as OPA does by itself.
func (c *compared) stock(text string) any {
	c.t.Helper()
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	var input any
	if err := d.Decode(&input); err != nil {
		c.t.Fatal(err)
	}
	results, err := c.verdict.Eval(context.Background(), rego.EvalInput(input))
	if err != nil {
		c.t.Fatalf("%v: %s\n%s", err, text, c.module.Source)
	}
	if len(results) == 0 {
		return nil
	}
	return results[0].Expressions[0].Value
}
