package rego

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/format"

	"github.com/policyctl/policyctl/internal/seed"
	"github.com/policyctl/policyctl/pkg/pattern"
)

func rule(tb testing.TB, id string, verb pattern.Verb, when pattern.Node) *pattern.Rule {
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
		record := &pattern.Record{Verb: "x" + text, Facets: map[string]map[string]any{"x": {"a": text, text: text + "y"}}}
		for scope, want := range map[string]int{text: 1, "other": 0} {
			if sure, _, err := rules.Truths(context.Background(), record, pattern.Scope{Plugin: scope}, nil); err != nil || len(sure) != want {
				t.Errorf("%q: %v, %v", text, sure, err)
			}
		}
		if sure, _, err := rules.Truths(context.Background(), &pattern.Record{}, pattern.Scope{Plugin: text}, nil); err != nil || len(sure) != 0 {
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
		sure, maybe, err := rules.Truths(context.Background(), &pattern.Record{Unknown: unknown}, pattern.Scope{}, nil)
		if err != nil || len(sure)+len(maybe) > 0 {
			t.Errorf("%v, %v, %v", sure, maybe, err)
		}
	}
}

// The opa command of the same version, and with OPA_OLD in the environment that
// of the oldest one, say of the module what the rules say.
func TestCommand(t *testing.T) {
	opa, err := exec.LookPath("opa")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("the gate installs opa: ", err)
		}
		t.Skip("opa is not installed")
	}
	versions := []string{opa}
	if old := os.Getenv("OPA_OLD"); old != "" {
		versions = append(versions, old)
		out, err := exec.Command(old, "version").Output()
		if want := "Version: " + OldestOPA + "\n"; err != nil || !strings.HasPrefix(string(out), want) {
			t.Fatalf("OPA_OLD: got %s, %v; want %s", out, err, want)
		}
	}
	g := &generator{Rand: rand.New(rand.NewPCG(seed.New(t), 4))}
	dir := t.TempDir()
	run := func(opa string, args ...string) []byte {
		t.Helper()
		cmd := exec.Command(opa, args...)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("opa %s: %v: %s", strings.Join(args, " "), err, out)
		}
		return out
	}
	for i, operator := range allOperators {
		set := g.set(t, operator)
		c, err := Compile(set)
		if err != nil {
			t.Fatal(err)
		}
		module, input := filepath.Join(dir, "rules.rego"), filepath.Join(dir, "input.json")
		must(t, os.WriteFile(module, []byte(c.Source), 0o600))
		run(opa, "check", "--strict", module)
		if out := run(opa, "fmt", "--list", module); len(out) > 0 {
			t.Errorf("set %d is not formatted", i)
		}
		record, in := g.record(t), g.instant()
		must(t, os.WriteFile(input, []byte(inputText(t, record, pattern.Scope{Plugin: "p"}, in)), 0o600))
		for _, opa := range versions {
			var got struct {
				Result []struct{ Expressions []struct{ Value any } }
			}
			must(t, json.Unmarshal(run(opa, "eval", "-d", module, "-i", input, "data.policyctl.rules.verdict"), &got))
			var value any
			if len(got.Result) > 0 {
				value = got.Result[0].Expressions[0].Value
			}
			if d := diff(verdictOf(decided(set, record, pattern.Scope{Plugin: "p"}, in)), value); d != "" {
				t.Errorf("set %d (-native +%s): %s\n%s", i, opa, d, c.Source)
			}
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
