package ruledb

import (
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
	// problem says why these are not the rules of the table.
	problem error
}

// An entry is what a row says, and the rule that it is.
type entry struct {
	says string
	rule *pattern.Rule
}

// firstState returns the state of rows before which there were none.
func firstState(rows []Row) *state {
	rules, problem := compileAll(rows, nil)
	return newState(rules, problem)
}

// next returns the state after the table was read again. kept are the rules
// that stay in force where the table cannot be read.
func (s *state) next(kept map[string]entry, rows []Row, err error) *state {
	if err == nil {
		kept, err = compileAll(rows, kept)
	}
	return newState(kept, err)
}

// with returns the rules in force, of which some are others, or none: what was
// stored counts, whatever is wrong with the rest of the table.
func (s *state) with(list map[string]*entry) map[string]entry {
	rules := maps.Clone(s.rules)
	for id, e := range list {
		delete(rules, id)
		if e != nil {
			rules[id] = *e
		}
	}
	return rules
}

func newState(rules map[string]entry, problem error) *state {
	s := &state{rules: rules, problem: problem}
	h := sha256.New()
	fmt.Fprintln(h, "policyctl approval_rules 1")
	var list []*pattern.Rule
	for _, id := range slices.Sorted(maps.Keys(rules)) {
		fmt.Fprintln(h, rules[id].says)
		list = append(list, rules[id].rule)
	}
	s.revision = hex.EncodeToString(h.Sum(nil))
	s.source = pattern.NewSource(pattern.NewSet(list))
	return s
}

// compileAll returns what the rows mean. The error names those that mean
// nothing: such a row takes no other with it. It allows nothing any more; what
// it denied or asked as it was known before it still does, since nobody has
// taken that back. Rows that are known already are not compiled again.
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
			if e, ok := known[row.ID]; ok && e.rule.Decision.Verb != pattern.Allow {
				out[row.ID] = e
			}
			continue
		}
		out[row.ID] = entry{says, rule}
	}
	return out, errors.Join(wrong...)
}

// says returns all of a row but who wrote it and when, as JSON.
func (r Row) says() string {
	r.CreatedBy, r.UpdatedBy, r.CreatedAt, r.UpdatedAt = nil, nil, time.Time{}, time.Time{}
	text, err := json.Marshal(r)
	if err != nil {
		panic(err) // texts and numbers have a form in JSON
	}
	return string(text)
}

// Hash identifies what a row says: all but who wrote it and when.
func (r Row) Hash() string {
	sum := sha256.Sum256([]byte(r.says()))
	return hex.EncodeToString(sum[:])
}
