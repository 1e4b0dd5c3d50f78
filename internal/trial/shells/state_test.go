//go:build linux

package shells_test

import (
	"slices"
	"testing"
)

// TestResume shows that a run that goes on where it stopped finds what one run
// finds, and that the same seed makes the same lines.
func TestResume(t *testing.T) {
	need(t)
	c := newCrew(t)
	var whole, parts state
	whole.Seed, parts.Seed = 5, 5
	c.batch(t, &whole, 60)
	c.batch(t, &parts, 25)
	c.batch(t, &parts, 35)
	if whole.Position != parts.Position || whole.Proved != parts.Proved || whole.Covered != parts.Covered || whole.Unreadable != parts.Unreadable {
		t.Errorf("one run: %s\ntwo: %s", whole.summary(), parts.summary())
	}
	if got, want := positions(&parts), positions(&whole); !slices.Equal(got, want) {
		t.Errorf("one run finds %v, two %v", want, got)
	}
}

func positions(s *state) (list []int) {
	for _, f := range s.Findings {
		list = append(list, f.Position)
	}
	return list
}
