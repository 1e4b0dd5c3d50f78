package servertest

import (
	"slices"
	"sync"

	"github.com/policyctl/policyctl/internal/service/ruledb"
	"github.com/policyctl/policyctl/pkg/policy"
)

// An engine follows the rules of the database: a change makes a new one, with
// a revision of its own.
type engine struct {
	rules    *ruledb.Rules
	settings policy.Settings
	sources  []policy.Source
	grants   policy.Grants

	mu      sync.Mutex
	stamp   string
	current *policy.Engine
}

func (e *engine) get() *policy.Engine {
	sources, stamp := e.rules.InForce()
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.current != nil && e.stamp == stamp {
		return e.current
	}
	current, err := policy.New(e.settings, policy.Options{Sources: append(slices.Clone(e.sources), sources...), Revision: "test-" + stamp, Grants: e.grants})
	if err != nil {
		panic(err) // the settings are those of a test
	}
	e.stamp, e.current = stamp, current
	return current
}
