// Package exchange carries rules between policy files and the approval rules
// of the service whose dialect they speak: rows of its table approval_rules,
// as JSON or CSV, and the JSON of its HTTP API.
//
// [Import] reads them and [Export] writes them. What a rule means there and
// here is compared: whatever differs is a [Note] with the rule and the reason,
// and a rule that cannot say here, or there, what it said is carried over
// disabled. Nothing is left out.
//
// The package opens no file, runs no query, and decides no call.
package exchange

import (
	"fmt"

	"github.com/policyctl/policyctl/internal/support/spelling"
	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/pattern"
)

// A Kind says what became of a rule.
type Kind string

// The kinds, the most serious first.
const (
	// Disabled rules do not apply until a person rewrites them.
	Disabled Kind = "disabled"
	// Changed rules apply and mean something else.
	Changed Kind = "changed"
	// Lost is what a rule carried beside its meaning.
	Lost Kind = "lost"
)

// A Note says what of a rule is not carried over as it was.
type Note struct {
	Rule string `json:"rule"`
	// At is the place in the file, such as "rules.json:3:5".
	At   string `json:"at"`
	Kind Kind   `json:"kind"`
	Text string `json:"text"`
}

// String returns "AT: rule ID: KIND: TEXT".
func (n Note) String() string {
	text := fmt.Sprintf("rule %s: %s: %s", n.Rule, n.Kind, n.Text)
	if n.At == "" {
		return text
	}
	return n.At + ": " + text
}

// A Result is what came of rules.
type Result struct {
	Rules []*pattern.Rule
	// Notes are in the order of the rules.
	Notes []Note
	// Given is what stood of each imported rule, by the names of the columns; a condition
	// as an object is "when". What was null is left out.
	Given []map[string]document.Node
	// comments stand above rules in YAML, by the index of the rule.
	comments map[int][]string
}

// Strict returns an error that counts the rules whose meaning changes, nil if
// there is none. What is only lost does not count.
func (r *Result) Strict() error {
	changed := make(map[string]bool)
	for _, n := range r.Notes {
		if n.Kind != Lost {
			changed[n.Rule] = true
		}
	}
	if len(changed) == 0 {
		return nil
	}
	return fmt.Errorf("the meaning of %d of %d rules changes: correct them at their source, or leave --strict out", len(changed), len(r.Rules))
}

func (r *Result) note(rule, at string, kind Kind, format string, args ...any) {
	r.Notes = append(r.Notes, Note{rule, at, kind, fmt.Sprintf(format, args...)})
}

// comment adds lines above the rule that is added next.
func (r *Result) comment(lines ...string) {
	if r.comments == nil {
		r.comments = make(map[int][]string)
	}
	at := len(r.Rules)
	r.comments[at] = append(r.comments[at], lines...)
}

// nearest returns the name that was probably meant, as a question, or "".
func nearest(name string, names []string) string {
	if name = spelling.Nearest(name, names); name == "" {
		return ""
	}
	return " (did you mean " + name + "?)"
}
