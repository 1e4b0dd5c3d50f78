package ruledb

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/policyctl/policyctl/internal/authoring/lint"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
)

// findings are what is probably not meant in the rules of one revision.
type findings struct {
	mu   sync.Mutex
	last *search
}

// A search is for the findings of one revision.
type search struct {
	revision string
	done     chan struct{}
	found    []Finding
}

// Findings returns what is probably not meant in the rules in force. Many rules take a
// while: after the time to wait it returns false, and the search goes on for who asks next.
func (r *Rules) Findings(wait time.Duration) ([]Finding, bool) {
	state := r.state.Load()
	r.found.mu.Lock()
	s := r.found.last
	if s == nil || s.revision != state.revision && s.isDone() { // one search at a time
		s = &search{revision: state.revision, done: make(chan struct{})}
		r.found.last = s
		go s.run(state.list(""))
	}
	r.found.mu.Unlock()
	select {
	case <-s.done:
		return s.found, s.revision == state.revision
	case <-time.After(wait):
		return nil, false
	}
}

func (s *search) isDone() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

func (s *search) run(rules []*pattern.Rule) {
	for _, f := range lint.Lint(rules) {
		if f.Kind != lint.NoExamples {
			s.found = append(s.found, findingOf(&f))
		}
	}
	close(s.done)
}

// list returns the rules in force but one, by their ids.
func (s *state) list(but string) []*pattern.Rule {
	var out []*pattern.Rule
	for _, id := range slices.Sorted(maps.Keys(s.rules)) {
		if id != but {
			out = append(out, s.rules[id].rule)
		}
	}
	return out
}

// engineWith returns an engine that differs in one rule of the table alone, which takes the
// place of another one.
func (s *state) engineWith(e *policy.Engine, of string, rule *pattern.Rule) *policy.Engine {
	return e.Instead(s.source, pattern.NewSource(pattern.NewSet(append(s.list(of), rule))))
}
