package rego_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
	"github.com/policyctl/policyctl/pkg/rego"
)

// TestUnknownElements sends the records of calls through JSON, as preview
// prints them, back through the loader: null stands where a value is not
// known, as in the input of admission policies, no marker is left, and rules
// say the same of both, natively and compiled.
func TestUnknownElements(t *testing.T) {
	const text = `version: 1
rules:
  - {id: argv, when: {shell.argv: {contains: rm}}, decision: deny}
  - {id: none, when: {shell.argv: {notContains: -f}}, decision: deny}
  - {id: writes, when: {shell.writes: {contains: /etc/x}}, decision: deny}
  - {id: clean, when: {shell.writes: {notContains: /etc/y}}, decision: deny}
  - {id: file, when: {file.path: /etc/x}, decision: deny}
  - {id: tags, when: {tags: {contains: execution}}, decision: deny}
`
	l, err := config.Load(policy.Defaults(), config.File{Layer: config.User, Name: "p", Data: []byte(text), Admit: config.Everything})
	if err != nil {
		t.Fatal(err)
	}
	set := pattern.NewSet(l.Rules[0].Rules)
	opa, err := rego.NewRules(set, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	nulls := 0
	for _, c := range sample(t) {
		in, err := engine(t, nil).Input(c)
		if err != nil {
			t.Fatal(err)
		}
		parts, err := record.Derive(in, record.Everything)
		if err != nil {
			t.Fatal(err)
		}
		shown, err := rego.Input(in)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range parts {
			printed, again := roundTrip(t, p.Record)
			if after, _ := json.Marshal(again); string(after) != strings.ReplaceAll(string(printed), `\ufffd`, "\ufffd") {
				t.Errorf("printed\n%s\nand after loading\n%s", printed, after)
			}
			if len(p.Record.Unknown) == 0 || c.Home == "" {
				continue
			}
			compareLists(t, normal(t, p.Record), normal(t, shown["records"].([]any)[i]), &nulls)
			sure, maybe, err := opa.Truths(t.Context(), p.Record, pattern.Scope{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			sureAgain, maybeAgain, err := opa.Truths(t.Context(), again, pattern.Scope{}, nil)
			if err != nil || !reflect.DeepEqual([][]int{sure, maybe}, [][]int{sureAgain, maybeAgain}) {
				t.Errorf("%s: %v %v, loaded %v %v, %v", printed, sure, maybe, sureAgain, maybeAgain, err)
			}
			for _, rule := range l.Rules[0].Rules {
				if before, after := rule.When.Eval(p.Record, nil), rule.When.Eval(again, nil); before != after {
					t.Errorf("%s: %s: %v, loaded %v", printed, rule.ID, before, after)
				}
			}
		}
	}
	if nulls < 50 {
		t.Errorf("%d lists with null were compared, want at least 50", nulls)
	}
}

// roundTrip returns a record as JSON, and what the loader reads of that.
func roundTrip(t *testing.T, r *record.Record) ([]byte, *record.Record) {
	t.Helper()
	printed, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	d := json.NewDecoder(strings.NewReader(string(printed)))
	d.UseNumber()
	if err := d.Decode(&m); err != nil {
		t.Fatal(err)
	}
	again, err := record.Decode(m)
	if err != nil {
		t.Fatalf("%s: %v", printed, err)
	}
	return printed, again
}

// compareLists compares the lists of facets in two forms of a record.
func compareLists(t *testing.T, printed, shown map[string]any, nulls *int) {
	t.Helper()
	facets, _ := printed["facets"].(map[string]any)
	others, _ := shown["facets"].(map[string]any)
	for name, fields := range facets {
		other, _ := others[name].(map[string]any)
		for key, v := range fields.(map[string]any) {
			if s, ok := v.(string); ok && key != "line" && key != "arguments" && strings.Contains(s, shell.UnknownText) && other == nil {
				t.Errorf("%s.%s is %q", name, key, s)
			}
			list, ok := v.([]any)
			if !ok || other == nil {
				continue
			}
			if !reflect.DeepEqual(v, other[key]) {
				t.Errorf("%s.%s: preview has %v, admission %v", name, key, v, other[key])
			}
			for _, e := range list {
				if e == nil {
					*nulls++
					break
				}
			}
		}
	}
}

// TestUnknownTags shows that the loader takes null for a tag.
func TestUnknownTags(t *testing.T) {
	r, err := record.Decode(map[string]any{"tags": []any{"a", nil}, "facets": map[string]any{"shell": map[string]any{"argv": []any{"rm", nil}}}})
	if err != nil {
		t.Fatal(err)
	}
	printed, _ := roundTrip(t, r)
	want := `{"sensitivity":"mutate","tags":["a",null],"facets":{"shell":{"argv":["rm",null]}},"unknown":["shell.argv[1]","tags[1]"]}`
	if string(printed) != want {
		t.Errorf("got %s, want %s", printed, want)
	}
}
