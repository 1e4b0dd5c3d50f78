package rego

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
)

// decided is what the rules say of a record.
func decided(s *pattern.Set, rec *record.Record, scope pattern.Scope, in *pattern.Input) pattern.Match {
	m := s.Decide(rec, scope, in)
	m.Certain = m.Certain || m.Decision != policy.Ask || m.Rule.When.Eval(rec, in) == pattern.True
	return m
}

func diff(want, got any) string { return cmp.Diff(want, got) }

// inputText is the input of the module as documented.
func inputText(t testing.TB, rec *record.Record, scope pattern.Scope, in *pattern.Input) string {
	input := map[string]any{"record": rec, "scope": map[string]string{"plugin": scope.Plugin, "profile": scope.Profile, "integration": scope.Integration}}
	if !in.Now.IsZero() {
		input["now"] = in.Now.Format(time.RFC3339Nano)
	}
	text, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// verdictOf is the verdict of a match as the module gives it.
func verdictOf(m pattern.Match) any {
	a := m.Answer()
	if a.Silent {
		return nil
	}
	decision := a.Decision
	if !a.Certain {
		decision = policy.Ask
	}
	v := map[string]any{"decision": decision.String(), "rule": a.Rule, "reason": a.Why}
	if decision == policy.Ask {
		v["ask"] = terms(a.Ask)
	}
	var also []any
	for _, other := range m.Also {
		also = append(also, verdictOf(other))
	}
	if also != nil {
		v["also"] = also
	}
	return v
}
