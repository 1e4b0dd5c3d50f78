package effective

import (
	"cmp"
	"io"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/permission"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A spot is where calls are made under the same policy: in a directory, for a
// project that lies elsewhere.
type spot struct{ dir, project string }

func spotOf(c *policy.Call) spot {
	s := spot{cmp.Or(c.Dir, c.ProjectDir, c.SessionDir), c.ProjectDir}
	if permission.IsWithin(s.dir, s.project) {
		s.project = "" // its policies are among those of the directory
	}
	return s
}

// of returns the place with the project of the spot.
func (s spot) of(place layers.Place) layers.Place {
	place.Project = cmp.Or(s.project, place.Project)
	return place
}

// Spots finds the policy that applies to a call, as the files are when the first call
// is made there. It is safe for concurrent use.
type Spots struct {
	stderr     io.Writer
	place      layers.Place
	more       []config.File
	unreadable error
	world      policy.World

	mu     sync.Mutex
	loaded map[spot]*Policy
	told   map[string]bool
}

// Spots returns what finds the policies of calls. Its warnings are told once each.
func (f *Flags) Spots(p *console.Process) (*Spots, error) {
	place, more, unreadable, err := f.Layers(p)
	return &Spots{
		stderr: p.Stderr, place: place, more: more, unreadable: unreadable, world: f.World,
		loaded: make(map[spot]*Policy), told: make(map[string]bool),
	}, err
}

// maxSpots bounds for how many places policies are remembered.
const maxSpots = 1024

// In returns the policy that applies in a directory.
func (s *Spots) In(dir string) (*Policy, error) { return s.at(spot{dir: dir}) }

// Of returns the policy that applies to a call.
func (s *Spots) Of(c *policy.Call) (*Policy, error) { return s.at(spotOf(c)) }

func (s *Spots) at(at spot) (*Policy, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.loaded[at]; known != nil {
		return known, nil
	}
	l := layers.Load(at.of(s.place), at.dir, s.more...)
	if s.unreadable != nil {
		l.Lacks(s.unreadable)
	}
	p, err := inForce(l, s.world)
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	Tell(&text, l)
	if l.Err != nil {
		console.Warn(&text, "", Invalid(l))
	}
	tellOnce(s.stderr, s.told, text.String())
	if len(s.loaded) >= maxSpots {
		clear(s.loaded)
	}
	s.loaded[at] = p
	return p, nil
}

// inForce makes a policy of what was read.
func inForce(l *layers.Policy, world policy.World) (*Policy, error) {
	engine, err := l.Engine(world)
	if err != nil {
		return nil, err
	}
	return &Policy{engine, l.Settings, l.Err != nil, !l.Applies(), world, l.Options}, nil
}
