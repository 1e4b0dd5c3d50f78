// Package guard decides the calls that an agent's hook asks about: under the
// policy of the machine, the person and the project, with the session that is
// kept between processes.
//
// What starts a hook may set its environment, so that the environment only
// tightens, and the home directory comes from the user database. The package
// speaks no agent's protocol.
package guard

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/hook"
	"github.com/policyctl/policyctl/internal/layers"
	"github.com/policyctl/policyctl/internal/state"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/grant"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/world"
)

// A Guard decides calls. Its fields must be set; [New] does.
type Guard struct {
	Place   layers.Place
	Environ []string
	World   policy.World
	Now     func() time.Time
}

// New returns the guard of the user who runs the process.
func New() (*Guard, error) {
	home, err := layers.HomeOf(os.Getuid())
	if err != nil {
		if home = os.Getenv("HOME"); home == "" || runtime.GOOS != "windows" && home[0] != '/' {
			return nil, fmt.Errorf("the home directory is not known: %w", err)
		}
	}
	place := layers.Fixed(home, os.Getenv("XDG_CONFIG_HOME"))
	place.Project = os.Getenv("CLAUDE_PROJECT_DIR")
	return &Guard{
		Place:   place,
		Environ: os.Environ(),
		World:   world.New(os.Environ()),
		Now:     time.Now,
	}, nil
}

// Decide answers the call of an event and records it in its session. For an
// event that begins a new turn of the user, it forgets what was repeated.
func (g *Guard) Decide(ctx context.Context, e *hook.Event) (v policy.Verdict, err error) {
	call := g.complete(e.Call)
	store, key := state.New(g.Place.State, g.Now), call.Agent+"\x00"+call.Session
	if e.NewTurn {
		return v, store.With(ctx, key, (*policy.Session).ResetTurn)
	}
	more, unknown := layers.FromEnvironment(g.Environ, config.Tightening)
	entries, ungranted := grant.NewStore(g.Place.State, g.Now).List()
	place := g.Place
	place.Grants = grant.NewSet(entries, g.World)
	loaded := layers.Load(place, call.Dir, more...)
	engine, err := loaded.Engine(g.World)
	if err != nil {
		return policy.Verdict{}, err
	}
	stored := store.With(ctx, key, func(s *policy.Session) {
		if e.Follows {
			v, err = engine.Review(ctx, s, &call)
			return
		}
		v, err = engine.Decide(ctx, s, &call)
	})
	v.Notes = append(v.Notes, notes(loaded, unknown, ungranted, stored)...)
	return v, err
}

// complete fills in what an event does not say.
func (g *Guard) complete(c policy.Call) policy.Call {
	c.Home = g.Place.Home
	c.OS = cmp.Or(c.OS, runtime.GOOS)
	c.Time = g.Now()
	return c
}

// notes are what the person should know beside the verdict.
func notes(p *layers.Policy, unknown []string, ungranted, stored error) []string {
	var out []string
	if p.Err != nil {
		out = append(out, "the policy is invalid and does not apply: "+first(p.Err)+"; `policyctl check` lists all problems")
	}
	if p.TrustErr != nil {
		out = append(out, p.TrustErr.Error())
	}
	if ungranted != nil {
		out = append(out, "no stored approval counts: "+ungranted.Error())
	}
	if len(unknown) > 0 {
		out = append(out, "no key is assigned by "+strings.Join(unknown, ", "))
	}
	if stored != nil && !errors.Is(stored, context.Canceled) {
		out = append(out, stored.Error())
	}
	return out
}

// first returns the first line of an error.
func first(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
