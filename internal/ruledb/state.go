package ruledb

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A state is the rules in force at one moment. It is immutable.
type state struct {
	rules    map[string]entry
	source   policy.Source
	revision string
	// problem says why these are not the rules of the table; blind that there
	// never were good ones.
	problem error
	blind   bool
}

// An entry is what a row says, and the rule that it is.
type entry struct {
	says string
	rule *pattern.Rule
}

// firstState returns the state of rows before which there were none.
func firstState(rows []Row) *state {
	rules, problem := compileAll(rows, nil)
	return newState(rules, problem, problem != nil)
}

// next returns the state after the table was read again. kept are the rules
// that stay in force where its rows cannot be understood.
func (s *state) next(kept map[string]entry, rows []Row, err error) *state {
	if err == nil {
		var read map[string]entry
		if read, err = compileAll(rows, kept); err == nil || s.blind {
			kept = read
		}
	}
	return newState(kept, err, err != nil && s.blind)
}

// with returns the rules in force, of which one is another, or none: what was
// stored counts, whatever is wrong with the rest of the table.
func (s *state) with(id string, e *entry) map[string]entry {
	rules := maps.Clone(s.rules)
	delete(rules, id)
	if e != nil {
		rules[id] = *e
	}
	return rules
}

func newState(rules map[string]entry, problem error, blind bool) *state {
	s := &state{rules: rules, problem: problem, blind: blind}
	h := sha256.New()
	fmt.Fprintln(h, "policyctl approval_rules 1", blind)
	var list []*pattern.Rule
	for _, id := range slices.Sorted(maps.Keys(rules)) {
		fmt.Fprintln(h, rules[id].says)
		list = append(list, rules[id].rule)
	}
	s.revision = hex.EncodeToString(h.Sum(nil))
	s.source = pattern.NewSource(pattern.NewSet(list))
	if blind {
		s.source = denials{s.source, problem}
	}
	return s
}

// compileAll returns what the rows mean. The error names those that mean
// nothing. Rows that are known already are not compiled again.
func compileAll(rows []Row, known map[string]entry) (map[string]entry, error) {
	out := make(map[string]entry, len(rows))
	var wrong []error
	for _, row := range rows {
		says := row.says()
		if e, ok := known[row.ID]; ok && e.says == says {
			out[row.ID] = e
			continue
		}
		rule, _, err := row.compile()
		if err != nil {
			wrong = append(wrong, fmt.Errorf("approval_rules: rule %q: %w", row.ID, err))
			continue
		}
		out[row.ID] = entry{says, rule}
	}
	return out, errors.Join(wrong...)
}

// says returns all of a row but who wrote it and when, as JSON.
func (r Row) says() string {
	r.CreatedBy, r.CreatedAt, r.UpdatedAt = nil, time.Time{}, time.Time{}
	text, err := json.Marshal(r)
	if err != nil {
		panic(err) // texts and numbers have a form in JSON
	}
	return string(text)
}

// hash identifies what a row says.
func (r Row) hash() string {
	sum := sha256.Sum256([]byte(r.says()))
	return hex.EncodeToString(sum[:])
}

// A denials is a source of which only denies count. Everything else it cannot
// judge, and so asks.
type denials struct {
	policy.Source
	problem error
}

func (d denials) Judge(ctx context.Context, in *policy.Input) (policy.Answer, error) {
	a, err := d.Source.Judge(ctx, in)
	if err == nil && denies(&a) {
		return a, nil
	}
	return policy.Answer{}, errors.Join(err, d.problem)
}

// denies says whether an answer denies the call for certain.
func denies(a *policy.Answer) bool {
	for i := range a.Parts {
		if denies(&a.Parts[i]) {
			return true
		}
	}
	if a.Parts != nil || a.Silent {
		return false
	}
	for i := range a.More {
		if denies(&a.More[i]) {
			return true
		}
	}
	return a.Certain && a.Decision == policy.Deny
}
