package pattern_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/pattern"
)

// A profile of an approver that is none is refused with what to write in its place.
func TestCheckProfile(t *testing.T) {
	for _, name := range []string{"", "default"} {
		if err := pattern.CheckProfile(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"Default", "ops", " ", "default "} {
		if err := pattern.CheckProfile(name); err == nil || !strings.Contains(err.Error(), "{plugin: NAME}") {
			t.Errorf("%q: %v", name, err)
		}
	}
}
