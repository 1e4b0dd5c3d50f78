//go:build !race

package rego

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"

	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
)

// Compiled rules say of every record what the rules say: as a stock OPA
// evaluates the module, and as [Rules] does. SEED, SETS and RECORDS choose
// others and more.
func TestDifferential(t *testing.T) {
	sets, records := seed.Count(t, "SETS", len(allOperators)), seed.Count(t, "RECORDS", 40)
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
			rec, in := g.record(t), g.instant()
			scope := one(g, []pattern.Scope{{Plugin: "p", Profile: "q\"", Integration: "i"}, {Plugin: "p"}, {}})
			m := c.compare(rec, scope, in)
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
		if n.all < 500 { // too few to tell
			continue
		}
		if n.matched*100 < n.all*30 || n.unknown*100 < n.all*10 {
			t.Errorf("%q: %d matched and %d were unknown of %d", name, n.matched, n.unknown, n.all)
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
func (c *compared) compare(rec *record.Record, scope pattern.Scope, in *pattern.Input) pattern.Match {
	c.t.Helper()
	m := decided(c.set, rec, scope, in)
	text := inputText(c.t, rec, scope, in)
	want := verdictOf(m)
	if d := diff(want, verdictOf(decided(c.set, reread(c.t, rec), scope, in))); d != "" {
		c.t.Errorf("the verdict on the record that is read from its JSON differs: %s\ninput %s\n%s", d, text, c.module.Source)
	}
	if d := diff(want, c.stock(text)); d != "" {
		c.t.Errorf("verdict differs (-native +opa): %s\ninput %s\n%s", d, text, c.module.Source)
	}
	sure, maybe, err := c.rules.Truths(context.Background(), rec, scope, in)
	if err != nil {
		c.t.Fatalf("%v: %s\n%s", err, text, c.module.Source)
	}
	got := c.set.Choose(sure, maybe)
	got.Certain = got.Certain || got.Decision != policy.Ask || m.Rule.When.Eval(rec, in) == pattern.True
	if d := diff(want, verdictOf(got)); d != "" {
		c.t.Errorf("evaluation differs (-native +opa): %s\ninput %s\n%s", d, text, c.module.Source)
	}
	return m
}

// reread returns what the loader reads of the JSON of a record.
func reread(t *testing.T, rec *record.Record) *record.Record {
	t.Helper()
	text, err := json.Marshal(rec)
	must(t, err)
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var fields map[string]any
	must(t, d.Decode(&fields))
	again, err := record.Decode(fields)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return again
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
	if d := diff(c.ask(input), c.ask(respelled(input))); d != "" {
		c.t.Errorf("verdict differs with other spellings of what is unknown: %s\ninput %s\n%s", d, text, c.module.Source)
	}
	return c.ask(input)
}

// ask returns the verdict on an input.
func (c *compared) ask(input any) any {
	c.t.Helper()
	results, err := c.verdict.Eval(context.Background(), rego.EvalInput(input))
	if err != nil {
		c.t.Fatalf("%v: %v\n%s", err, input, c.module.Source)
	}
	if len(results) == 0 {
		return nil
	}
	return results[0].Expressions[0].Value
}

// respelled returns an input that says the same in other words: each key of
// what is unknown in quotes, with an escape, and a time that is none for one
// that is missing.
func respelled(input any) any {
	out := maps.Clone(input.(map[string]any))
	rec := maps.Clone(out["record"].(map[string]any))
	if list, ok := rec["unknown"].([]any); ok {
		other := make([]any, len(list))
		for i, path := range list {
			other[i] = otherSpelling(path.(string), i)
		}
		rec["unknown"] = other
	}
	out["record"] = rec
	if _, known := out["now"]; !known {
		odd := []any{nil, "", "2026-03-01T10:00:00", "2026-13-01T10:00:00Z", "1500-03-01T10:00:00Z", "9999-03-01T10:00:00Z", "2026-03-01", true, json.Number("1")}
		out["now"] = odd[len(rec)%len(odd)]
	}
	return out
}

func otherSpelling(path string, n int) string {
	if n%2 == 1 && !strings.HasPrefix(path, "facets") {
		if path == "verb" {
			return path
		}
		return "facets." + path
	}
	keys, place := path, ""
	if i := strings.LastIndexByte(path, '['); i > 0 && strings.HasSuffix(path, "]") {
		keys, place = path[:i], path[i:]
	}
	if strings.Contains(keys, `"`) {
		return path
	}
	parts := strings.Split(keys, ".")
	for i, key := range parts {
		parts[i] = fmt.Sprintf(`"\u%04x%s"`, key[0], key[1:])
	}
	return strings.Join(parts, ".") + place
}

// Whatever stands where paths that are unknown and the instant of the call
// belong: no deny vanishes, and nothing is allowed.
func TestWrongInput(t *testing.T) {
	for _, r := range []struct {
		name  string
		when  document.Node
		input map[string]any
	}{
		{"unknown is a text", mapNode("x.a", textNode("v")), map[string]any{"record": map[string]any{"unknown": "x.a"}}},
		{"unknown is null", mapNode("x.a", textNode("v")), map[string]any{"record": map[string]any{"unknown": nil}}},
		{"unknown has a number", mapNode("x.a", textNode("v")), map[string]any{"record": map[string]any{"unknown": []any{json.Number("1")}}}},
		{"a quote is open", mapNode("x.a", textNode("v")), map[string]any{"record": map[string]any{"unknown": []any{`y."a`}}}},
		{"an empty key", mapNode("x.a", textNode("v")), map[string]any{"record": map[string]any{"unknown": []any{`y..a`}}}},
		{"a place too large", mapNode("x.a", textNode("v")), map[string]any{"record": map[string]any{"unknown": []any{`y.a[9999999999]`}}}},
		{"no record", mapNode("x.a", textNode("v")), map[string]any{}},
		{"the record is a list", mapNode("x.a", textNode("v")), map[string]any{"record": []any{}}},
		{"other quotes", mapNode("x.host", textNode("v")), map[string]any{"record": map[string]any{"unknown": []any{`x."host"`}}}},
		{"all facets", mapNode("x.host", textNode("v")), map[string]any{"record": map[string]any{"unknown": []any{"facets"}}}},
		{"now is null", nightNode(), map[string]any{"record": map[string]any{}, "now": nil}},
		{"now is empty", nightNode(), map[string]any{"record": map[string]any{}, "now": ""}},
		{"now has no zone", nightNode(), map[string]any{"record": map[string]any{}, "now": "2026-03-01T10:00:00"}},
		{"now is out of range", nightNode(), map[string]any{"record": map[string]any{}, "now": "2400-03-01T10:00:00Z"}},
		{"now has no such day", nightNode(), map[string]any{"record": map[string]any{}, "now": "2026-02-31T10:00:00Z"}},
	} {
		for verb, want := range map[pattern.Verb]string{pattern.Deny: "ask", pattern.Allow: ""} {
			module := compile(t, rule(t, "r", verb, r.when))
			query, err := rego.New(rego.Query("data.policyctl.rules.verdict.decision"), rego.Module("rules.rego", module.Source)).PrepareForEval(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			results, err := query.Eval(t.Context(), rego.EvalInput(r.input))
			got := ""
			if len(results) > 0 {
				got, _ = results[0].Expressions[0].Value.(string)
			}
			if err != nil || got != want {
				t.Errorf("%s, %s: got %q, %v; want %q", r.name, verb, got, err, want)
			}
		}
	}
}

// nightNode is a condition that holds at all hours.
func nightNode() document.Node {
	return mapNode("time", mapNode("from", textNode("00:00"), "to", textNode("24:00")))
}
