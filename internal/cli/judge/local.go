package judge

import (
	"slices"
	"sync"

	"github.com/policyctl/policyctl/internal/authoring/replay"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/effective"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A Local is the policy in force for recorded calls: for each that of its
// directory and its project, as a hook applies it.
type Local struct {
	spots *effective.Spots
	// Here is the policy of the directory in which the person is.
	Here *effective.Policy
}

// NewLocal reads the policy that applies in a directory, with what people have approved.
// It tells people of the problems of each policy that it reads.
func NewLocal(p *console.Process, f *effective.Flags, dir string) (*Local, error) {
	f.Granted = true
	spots, err := f.Spots(p)
	if err != nil {
		return nil, err
	}
	here, err := spots.In(dir)
	return &Local{spots, here}, err
}

// Policy returns the policy as recordings are judged by it.
func (l *Local) Policy() replay.Policy {
	return replay.Policy{Engine: l.Here.Engine, Local: func(c *policy.Call) *policy.Engine { return l.of(c).Engine }}
}

// of returns the policy of a call: that of where the person is, where no engine can be
// made of what is in force there.
func (l *Local) of(c *policy.Call) *effective.Policy {
	p, err := l.spots.Of(c)
	if err != nil {
		return l.Here
	}
	return p
}

// With returns the policy with more permissions.
func (l *Local) With(more ...policy.Permission) (replay.Policy, error) {
	with := func(p *effective.Policy) (*policy.Engine, error) {
		s := p.Settings
		s.Permissions = append(slices.Clip(s.Permissions), more...)
		return p.With(s)
	}
	here, err := with(l.Here)
	if err != nil {
		return replay.Policy{}, err
	}
	var mu sync.Mutex
	made := map[*effective.Policy]*policy.Engine{l.Here: here}
	return replay.Policy{Engine: here, Local: func(c *policy.Call) *policy.Engine {
		p := l.of(c)
		mu.Lock()
		defer mu.Unlock()
		e := made[p]
		if e == nil {
			var err error
			if e, err = with(p); err != nil {
				e = p.Engine // it allows no call that it did not before
			}
			made[p] = e
		}
		return e
	}}, nil
}
