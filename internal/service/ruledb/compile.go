package ruledb

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/authoring/exchange"
	"github.com/policyctl/policyctl/internal/service/webguard"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
)

// Layer is that of the rules of the table.
const Layer = "database"

// origin is where rules of the table were written. The layer is of their own,
// so that no allow of the table answers a deny of a file.
var origin = policy.Origin{Layer: Layer, File: "approval_rules"}

// compile returns the rule of a row, and what a person should know of it. The
// error says why the row is no rule, or not surely the one that was meant. A
// row that is not enabled may have a condition that means nothing.
func (r Row) compile() (*pattern.Rule, []string, error) {
	if !webguard.ValidID(r.ID) {
		return nil, nil, fmt.Errorf("id: %q must be 1 to 128 letters of ASCII, digits and . _ : -, and begin with a letter or a digit", r.ID)
	}
	if r.ID == "deleted" || r.ID == "preview" { // what the API calls something else
		return nil, nil, fmt.Errorf("id: %q is taken: choose another", r.ID)
	}
	text, err := json.Marshal(r)
	if err != nil {
		return nil, nil, err
	}
	imported, err := exchange.Import("row", text)
	if err != nil {
		return nil, nil, err
	}
	notes, refused := sift(imported)
	if len(refused) > 0 && r.Enabled != 0 {
		return nil, nil, errors.New(reasons(refused))
	}
	rule := imported.Rules[0]
	rule.Origin, rule.Examples = origin, r.examplesOf()
	return rule, append(notes, append(refused, loose(rule)...)...), nil
}

// sift parts the notes on one rule: those that a person should know, and
// those for which it must not apply.
//
// What only policyctl has, such as an operator, cannot be meant otherwise.
// What both dialects have and read differently can: nobody knows which was
// meant. That a wildcard of an allow also stands for a line break is told,
// since no pattern with a wildcard could be written without it.
func sift(r *exchange.Result) (notes, refused []string) {
	rule := r.Rules[0]
	denies := *rule
	denies.Decision = pattern.Decision{Verb: pattern.Deny}
	compared := texts(exchange.Export([]*pattern.Rule{rule}), exchange.Disabled, exchange.Changed)
	differs := texts(exchange.Export([]*pattern.Rule{&denies}), exchange.Changed)
	for _, n := range r.Notes {
		switch {
		case isUnnamed(n.Text): // Put gives it an id
		case isDefault(n.Text), slices.Contains(compared, n.Text) && !slices.Contains(differs, n.Text):
			notes = append(notes, n.Text)
		default:
			refused = append(refused, n.Text)
		}
	}
	return notes, refused
}

// reasons joins notes for which a rule is refused, without what they say about
// a rule that is carried over.
func reasons(refused []string) string {
	var out []string
	for _, text := range refused {
		text, _, _ = strings.Cut(text, "; until a person rewrites it")
		text, _, _ = strings.Cut(text, "; at the service")
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}

// texts returns the notes of some kinds.
func texts(r *exchange.Result, kinds ...exchange.Kind) (out []string) {
	for _, n := range r.Notes {
		if slices.Contains(kinds, n.Kind) {
			out = append(out, n.Text)
		}
	}
	return out
}

// isUnnamed reports whether a note tells that a rule has no id.
func isUnnamed(note string) bool { return strings.HasPrefix(note, "it has no id") }

// isDefault reports whether a note tells that a rule leaves something to its
// default, which is the strict one, or that it matches everything, as it says.
func isDefault(note string) bool {
	return slices.ContainsFunc([]string{
		"it has no priority", "it does not say what silence means", "it does not say what a reviewer that fails means",
		"its condition {}, which matches everything",
	}, func(begins string) bool { return strings.HasPrefix(note, begins) })
}

// loose says where a rule allows without an answer.
func loose(r *pattern.Rule) []string {
	switch d := &r.Decision; {
	case d.Verb == pattern.RequireHuman && d.OnTimeout == policy.Allow:
		return []string{"if nobody answers in time, it allows"}
	case d.Verb == pattern.RequireLLM && d.FailOpen:
		return []string{"where the reviewer fails, it allows"}
	}
	return nil
}
