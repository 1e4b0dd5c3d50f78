package effective

import (
	"errors"
	"io"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A Follower knows the policy that applies in a directory, as its files are
// now: one that changes takes effect, and a bad edit leaves the last good one.
type Follower struct {
	Stderr io.Writer
	place  layers.Place
	more   []config.File
	world  policy.World
	// fixed decides everywhere and always, if not nil.
	fixed *policy.Engine
	// broken says that a directory had no valid policy at all.
	Broken bool

	bySpot map[spot]*Followed
	// A policy is looked at once a round.
	round  int
	looked time.Time
	// told are the lines that were told, and troubles those of policies that
	// are invalid still.
	Told, Troubles map[string]bool
}

// A Followed is the policy of one directory.
type Followed struct {
	*layers.Live
	engine *policy.Engine
	round  int
	// good says that there was a valid one, bad that the last one is not.
	good, bad bool
}

// Follow returns a follower of the layers that the flags admit. It has looked
// at one directory.
func (f *Flags) Follow(p *console.Process, dir string) (*Follower, error) {
	place, more, unreadable, err := f.Layers(p)
	if err != nil {
		return nil, err
	}
	out := &Follower{
		Stderr: p.Stderr, place: place, more: more, world: f.World,
		bySpot: make(map[spot]*Followed), Told: make(map[string]bool), Troubles: make(map[string]bool),
	}
	if unreadable == nil {
		_, err = out.at(spot{dir: dir})
		return out, err
	}
	l := layers.Load(place, dir, more...) // no edit makes it good: these files are read once
	l.Lacks(unreadable)
	out.fixed, err = l.Engine(f.World)
	out.Changed(&Followed{}, l)
	return out, err
}

// lookAgain is how long a stream without pauses goes on under the same policy.
const lookAgain = 50 * time.Millisecond

// Paused has the files looked at before the next call.
func (f *Follower) Paused() { f.round++ }

// maxFollowed bounds for how many directories policies are remembered.
const maxFollowed = 256

// Engine returns the engine of the policy that applies to a call.
func (f *Follower) Engine(c *policy.Call) (*policy.Engine, error) { return f.at(spotOf(c)) }

func (f *Follower) at(s spot) (*policy.Engine, error) {
	if f.fixed != nil {
		return f.fixed, nil
	}
	if now := time.Now(); now.Sub(f.looked) >= lookAgain {
		f.looked = now
		f.round++
	}
	l := f.bySpot[s]
	switch {
	case l == nil:
		return f.begin(s)
	case l.round != f.round:
		l.engine, l.round = l.Engine(), f.round
	}
	return l.engine, nil
}

func (f *Follower) begin(s spot) (*policy.Engine, error) {
	if len(f.bySpot) == maxFollowed {
		clear(f.bySpot)
	}
	l := &Followed{round: f.round}
	live, err := layers.NewLive(s.of(f.place), s.dir, f.more, f.world, func(p *layers.Policy) { f.Changed(l, p) })
	if err != nil {
		return nil, err
	}
	l.Live, l.engine = live, live.Engine()
	f.bySpot[s] = l
	return l.engine, nil
}

// Changed tells of a policy that was read.
func (f *Follower) Changed(l *Followed, p *layers.Policy) {
	var text strings.Builder
	Tell(&text, p)
	if p.Err == nil {
		tellOnce(f.Stderr, f.Told, text.String())
		if l.bad && len(f.Troubles) > 0 {
			clear(f.Troubles)
			console.Warn(f.Stderr, "", errors.New("the policy is valid again and in force"))
		}
		l.good, l.bad = true, false
		return
	}
	l.bad = true
	effect := Invalid(p)
	if l.good {
		effect = errors.New("the policy is invalid: until it is corrected, the last good one stays in force")
	}
	f.Broken = f.Broken || !l.good
	console.Warn(&text, "", effect)
	tellOnce(f.Stderr, f.Troubles, text.String())
}

// tellOnce writes the lines of a text that were not told before.
func tellOnce(w io.Writer, told map[string]bool, text string) {
	for line := range strings.Lines(text) {
		if !told[line] {
			io.WriteString(w, line)
		}
		told[line] = true
	}
}
