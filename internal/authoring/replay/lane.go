package replay

import (
	"context"

	"github.com/policyctl/policyctl/pkg/doom"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A lane is one policy with what it must remember of the calls before.
type lane struct {
	policy Policy
	loops  *doom.Detector
}

func newLane(p Policy) *lane {
	return &lane{policy: p, loops: doom.New(0)}
}

// note remembers what is no call.
func (l *lane) note(e *event) {
	if e.thread == "" {
		return
	}
	switch e.kind {
	case spoke:
		l.loops.ResetTurn(e.thread)
	case answered:
		l.loops.Report(e.thread, e.id, doom.KeyOf("", "", "", e.result))
	}
}

// decide answers a call and remembers it. The error says that it could not be
// judged; the verdict beside it denies.
func (l *lane) decide(ctx context.Context, e *event) (policy.Verdict, error) {
	s := &policy.Session{ID: e.thread}
	if e.thread != "" {
		s.Doom = l.loops
	}
	return l.policy.Of(e.call).Decide(ctx, s, e.call)
}

// explain says why a call asks, and remembers nothing.
func (l *lane) explain(ctx context.Context, c *policy.Call) (policy.Explanation, error) {
	return l.policy.Of(c).Explain(ctx, nil, c)
}

// A seen remembers which calls were read already, the latest half a million at
// least: transcripts of continued sessions repeat what came before.
type seen struct{ now, before map[string]bool }

const maxSeen = 1 << 19

// again reports whether an id was given before, and remembers it.
func (s *seen) again(id string) bool {
	if s.now[id] || s.before[id] {
		return true
	}
	if s.now == nil || len(s.now) >= maxSeen {
		s.now, s.before = make(map[string]bool), s.now
	}
	s.now[id] = true
	return false
}

// A callSet holds numbers of calls, a bit for each.
type callSet []uint64

// add adds a number that is larger than those before.
func (s *callSet) add(n int) {
	for len(*s) <= n/64 {
		*s = append(*s, 0)
	}
	(*s)[n/64] |= 1 << (n % 64)
}

func (s callSet) has(n int) bool { return n/64 < len(s) && s[n/64]&(1<<(n%64)) != 0 }
