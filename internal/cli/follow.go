package cli

import (
	"errors"
	"io"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/layers"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A follower knows the policy that applies in a directory, as its files are
// now: one that changes takes effect, and a bad edit leaves the last good one.
type follower struct {
	stderr io.Writer
	place  layers.Place
	more   []config.File
	world  policy.World
	// fixed decides everywhere and always, if not nil.
	fixed *policy.Engine
	// broken says that a directory had no valid policy at all.
	broken bool

	byDir map[string]*followed
	// A policy is looked at once a round.
	round  int
	looked time.Time
	// told are the lines that were told, and troubles those of policies that
	// are invalid still.
	told, troubles map[string]bool
}

// A followed is the policy of one directory.
type followed struct {
	*layers.Live
	engine *policy.Engine
	round  int
	// good says that there was a valid one, bad that the last one is not.
	good, bad bool
}

// follow returns a follower of the layers that the flags admit. It has looked
// at one directory.
func (f *policyFlags) follow(p *Process, dir string) (*follower, error) {
	place, more, unreadable, err := f.layers(p)
	if err != nil {
		return nil, err
	}
	out := &follower{
		stderr: p.Stderr, place: place, more: more, world: f.world,
		byDir: make(map[string]*followed), told: make(map[string]bool), troubles: make(map[string]bool),
	}
	if unreadable == nil {
		_, err = out.engine(dir)
		return out, err
	}
	l := layers.Load(place, dir, more...) // no edit makes it good: these files are read once
	l.Lacks(unreadable)
	out.fixed, err = l.Engine(f.world)
	out.changed(&followed{}, l)
	return out, err
}

// lookAgain is how long a stream without pauses goes on under the same policy.
const lookAgain = 50 * time.Millisecond

// paused has the files looked at before the next call.
func (f *follower) paused() { f.round++ }

// maxFollowed bounds for how many directories policies are remembered.
const maxFollowed = 256

// engine returns the engine of the policy that applies in a directory.
func (f *follower) engine(dir string) (*policy.Engine, error) {
	if f.fixed != nil {
		return f.fixed, nil
	}
	if now := time.Now(); now.Sub(f.looked) >= lookAgain {
		f.looked = now
		f.round++
	}
	l := f.byDir[dir]
	switch {
	case l == nil:
		return f.begin(dir)
	case l.round != f.round:
		l.engine, l.round = l.Engine(), f.round
	}
	return l.engine, nil
}

func (f *follower) begin(dir string) (*policy.Engine, error) {
	if len(f.byDir) == maxFollowed {
		clear(f.byDir)
	}
	l := &followed{round: f.round}
	live, err := layers.NewLive(f.place, dir, f.more, f.world, func(p *layers.Policy) { f.changed(l, p) })
	if err != nil {
		return nil, err
	}
	l.Live, l.engine = live, live.Engine()
	f.byDir[dir] = l
	return l.engine, nil
}

// changed tells of a policy that was read.
func (f *follower) changed(l *followed, p *layers.Policy) {
	var text strings.Builder
	tell(&text, p)
	if p.Err == nil {
		f.once(f.told, text.String())
		if l.bad && len(f.troubles) > 0 {
			clear(f.troubles)
			warn(f.stderr, "", errors.New("the policy is valid again and in force"))
		}
		l.good, l.bad = true, false
		return
	}
	l.bad = true
	effect := invalid(p)
	if l.good {
		effect = errors.New("the policy is invalid: until it is corrected, the last good one stays in force")
	}
	f.broken = f.broken || !l.good
	warn(&text, "", effect)
	f.once(f.troubles, text.String())
}

// once writes the lines of a text that were not told before.
func (f *follower) once(told map[string]bool, text string) {
	for line := range strings.Lines(text) {
		if !told[line] {
			io.WriteString(f.stderr, line)
		}
		told[line] = true
	}
}
