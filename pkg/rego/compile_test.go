package rego

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/format"
	"github.com/open-policy-agent/opa/v1/rego"

	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/record"
)

func rule(tb testing.TB, id string, verb pattern.Verb, when document.Node) *pattern.Rule {
	tb.Helper()
	condition, problems := pattern.CompileWhen(when)
	if len(problems) > 0 {
		tb.Fatal(problems)
	}
	return &pattern.Rule{ID: id, When: condition, Decision: pattern.Decision{Verb: verb}}
}

func compile(tb testing.TB, rules ...*pattern.Rule) *Compiled {
	tb.Helper()
	c, err := Compile(pattern.NewSet(rules))
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// A module is written as opa fmt writes it.
func TestFormat(t *testing.T) {
	g := &generator{Rand: rand.New(rand.NewPCG(seed.New(t), 3))}
	for i := range 120 {
		c, err := Compile(g.set(t, allOperators[i%len(allOperators)]))
		if err != nil {
			t.Fatal(err)
		}
		formatted, err := format.Source("rules.rego", []byte(c.Source))
		if err != nil {
			t.Fatalf("%v\n%s", err, c.Source)
		}
		if string(formatted) != c.Source {
			t.Fatalf("opa fmt writes (-) another module (+): %s", diff(string(formatted), c.Source))
		}
	}
}

// No text of a rule becomes code.
func TestInjection(t *testing.T) {
	texts := []string{
		"\"\n\nmatched contains 0 if true\n\n#", "`", "\\\"", "\\", "\n", "\r", "\x00", "\u2028", "\ufeff", "\x7f", "\U0010ffff", "*/", "${x}", "{{x}}", "%s", "\u0085",
	}
	for _, text := range texts {
		deny := rule(t, "r"+text, pattern.Deny, mapNode("x.a", textNode(text), `x.`+quotedKey(text), mapNode("startsWith", textNode(text)), "verb", mapNode("contains", textNode(text))))
		deny.Reason, deny.Label, deny.Scope.Plugin = text, text, text
		c := compile(t, deny)
		rules, err := c.Rules(0)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		rec := &record.Record{Verb: "x" + text, Facets: map[string]map[string]any{"x": {"a": text, text: text + "y"}}}
		for scope, want := range map[string]int{text: 1, "other": 0} {
			if sure, _, err := rules.Truths(context.Background(), rec, pattern.Scope{Plugin: scope}, nil); err != nil || len(sure) != want {
				t.Errorf("%q: %v, %v", text, sure, err)
			}
		}
		if sure, _, err := rules.Truths(context.Background(), &record.Record{}, pattern.Scope{Plugin: text}, nil); err != nil || len(sure) != 0 {
			t.Errorf("%q: an empty record: %v, %v", text, sure, err)
		}
	}
}

func quotedKey(text string) string {
	b, _ := json.Marshal(text) // Go reads what JSON writes
	return strings.NewReplacer(`\/`, "/").Replace(string(b))
}

// What Rego cannot have is refused with the rule that has it.
func TestRefused(t *testing.T) {
	for want, r := range map[string]*pattern.Rule{
		"rule n: the number 1e999999999 is too large or too small for Rego":  rule(t, "n", pattern.Deny, mapNode("x.a", mapNode("gt", numberNode("1e999999999")))),
		`rule u: the text "\xff" is not valid UTF-8, which Rego cannot have`: rule(t, "u", pattern.Deny, mapNode("x.a", textNode("\xff"))),
	} {
		if _, err := Compile(pattern.NewSet([]*pattern.Rule{r})); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A set without rules compiles, and says nothing.
func TestEmpty(t *testing.T) {
	rules, err := compile(t).Rules(0)
	if err != nil {
		t.Fatal(err)
	}
	for _, unknown := range [][]string{nil, {"x"}} {
		sure, maybe, err := rules.Truths(context.Background(), &record.Record{Unknown: unknown}, pattern.Scope{}, nil)
		if err != nil || len(sure)+len(maybe) > 0 {
			t.Errorf("%v, %v, %v", sure, maybe, err)
		}
	}
}

// The opa command of the same version, and with OPA_OLD in the environment that
// of the oldest one, say of the module what the rules say. SEED, SETS and RECORDS
// choose others and more.
func TestCommand(t *testing.T) {
	versions := commands(t)
	g := &generator{Rand: rand.New(rand.NewPCG(seed.New(t), 4))}
	sets, records := seed.Count(t, "SETS", len(allOperators)), seed.Count(t, "RECORDS", 40)
	for i := range sets {
		set := g.set(t, allOperators[i%len(allOperators)])
		c, err := Compile(set)
		if err != nil {
			t.Fatal(err)
		}
		module := filepath.Join(t.TempDir(), "rules.rego")
		must(t, os.WriteFile(module, []byte(c.Source), 0o600))
		run(t, versions[0], "check", "--strict", module)
		if out := run(t, versions[0], "fmt", "--list", module); len(out) > 0 {
			t.Errorf("set %d is not formatted", i)
		}
		want, inputs := []any{}, []any{}
		for range records {
			rec, in := g.record(t), g.instant()
			want = append(want, verdictOf(decided(set, rec, pattern.Scope{Plugin: "p"}, in)))
			inputs = append(inputs, json.RawMessage(inputText(t, rec, pattern.Scope{Plugin: "p"}, in)))
		}
		for _, opa := range versions {
			if d := diff(want, askedAll(t, opa, module, inputs)); d != "" {
				t.Fatalf("set %d (-native +%s): %s\n%s", i, opa, d, c.Source)
			}
		}
	}
}

// commands returns the opa in the path, and the oldest one if there is one.
func commands(t *testing.T) []string {
	t.Helper()
	opa, err := exec.LookPath("opa")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("the gate installs opa: ", err)
		}
		t.Skip("opa is not installed")
	}
	old := os.Getenv("OPA_OLD")
	if old == "" {
		return []string{opa}
	}
	if out, want := string(run(t, old, "version")), "Version: "+OldestOPA+"\n"; !strings.HasPrefix(out, want) {
		t.Fatalf("OPA_OLD: got %s; want %s", out, want)
	}
	return []string{opa, old}
}

func run(t *testing.T, opa string, args ...string) []byte {
	t.Helper()
	out, err := exec.Command(opa, args...).Output()
	if err != nil {
		t.Fatalf("opa %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return out
}

// askedAll asks an opa command for the verdict on each input: on the first one
// as a user does, and on all in one run.
func askedAll(t *testing.T, opa, module string, inputs []any) []any {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, v any) string {
		text, err := json.Marshal(v)
		must(t, err)
		must(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
		return filepath.Join(dir, name)
	}
	all := evaluated(t, opa, "-d", module, "-d", write("inputs.json", map[string]any{"inputs": inputs}),
		"[object.get({1: v | v := data.policyctl.rules.verdict with input as i}, 1, null) | some i in data.inputs]").([]any)
	if first := evaluated(t, opa, "-d", module, "-i", write("input.json", inputs[0]), "data.policyctl.rules.verdict"); diff(first, all[0]) != "" {
		t.Errorf("%s says %v alone and %v among others", opa, first, all[0])
	}
	return all
}

// evaluated returns the value of a query, nil where it is undefined.
func evaluated(t *testing.T, opa string, args ...string) any {
	t.Helper()
	var got struct {
		Result []struct{ Expressions []struct{ Value any } }
	}
	d := json.NewDecoder(bytes.NewReader(run(t, opa, append([]string{"eval"}, args...)...)))
	d.UseNumber()
	must(t, d.Decode(&got))
	if len(got.Result) == 0 {
		return nil
	}
	return got.Result[0].Expressions[0].Value
}

// Some versions of OPA never find what a reference in a set stands for, as in
// input.x in {"a", input.y}: a module has no such set, nor has any the library.
func TestSets(t *testing.T) {
	g := &generator{Rand: rand.New(rand.NewPCG(seed.New(t), 6))}
	sets := 0
	for i := range 10 * len(allOperators) {
		c, err := Compile(g.set(t, allOperators[i%len(allOperators)]))
		if err != nil {
			t.Fatal(err)
		}
		sets += groundSets(t, c.tree)
	}
	whole, err := ast.ParseModuleWithOpts("library.rego", "package p\nimport rego.v1\n"+libraryText, ast.ParserOptions{RegoVersion: ast.RegoV1})
	must(t, err)
	if groundSets(t, whole) == 0 || sets == 0 {
		t.Error("there is no set at all")
	}
}

// groundSets counts the sets of a module, which must be constants.
func groundSets(t *testing.T, module *ast.Module) (n int) {
	t.Helper()
	ast.WalkTerms(module, func(term *ast.Term) bool {
		if set, ok := term.Value.(ast.Set); ok {
			n++
			if !set.IsGround() {
				t.Errorf("%s: the set %v has what is no constant in it", term.Location, set)
			}
		}
		return false
	})
	return n
}

// The OPA that is built in finds them, in a Rego policy of an organisation.
func TestSetOfReferences(t *testing.T) {
	for text, want := range map[string]bool{`{"x": "a", "y": "b"}`: true, `{"x": "b", "y": "b"}`: true, `{"x": "c", "y": "b"}`: false} {
		var input any
		must(t, json.Unmarshal([]byte(text), &input))
		results, err := rego.New(rego.Query(`data.p.r`), rego.Module("p.rego", "package p\n\ndefault r := false\n\nr if input.x in {\"a\", input.y}\n"), rego.Input(input)).Eval(t.Context())
		must(t, err)
		if got := results[0].Expressions[0].Value; got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
