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
	"sync"
	"sync/atomic"
	"time"

	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/internal/agents/state"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/support/rendezvous"
	"github.com/policyctl/policyctl/internal/support/uuid"
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

	service *config.Service // of the event that was decided last
	// judged is how the event was decided first.
	judged atomic.Pointer[judgment]
	// logging are decisions that are not logged yet, logged those that are. A call
	// that takes too long is told about while it is still being decided.
	mu      sync.Mutex
	logging []<-chan error
	logged  []error
}

// New returns the guard of the user who runs the process.
func New() (*Guard, error) {
	home, err := layers.HomeOf(os.Getuid())
	if err != nil {
		if home = os.Getenv("HOME"); home == "" || runtime.GOOS != "windows" && home[0] != '/' {
			return nil, fmt.Errorf("the home directory is unknown: %w", err)
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
func (g *Guard) Decide(ctx context.Context, e *hook.Event) (policy.Verdict, error) {
	if e.NewTurn {
		return policy.Verdict{}, g.sessions().WithDialogs(ctx, sessionOf(e), func(s *policy.Session, dialogs state.Dialogs) {
			s.ResetTurn()
			clear(dialogs)
		})
	}
	if recorded(e) {
		e.Record = uuid.New()
	}
	return g.judge(ctx, e, look{again: e.Follows, first: true})
}

// Review answers the call of an event that was decided before, under the
// policy of now. It records nothing.
func (g *Guard) Review(ctx context.Context, e *hook.Event) (policy.Verdict, error) {
	return g.judge(ctx, e, look{again: true})
}

// Written returns the files that the call of an event of a file tool writes, as
// paths of this machine; none for other calls, and where that is unknown.
func (g *Guard) Written(ctx context.Context, e *hook.Event) []string {
	call := g.Call(e)
	loaded, _ := g.load(e)
	engine, err := loaded.Engine(g.World)
	if err != nil {
		return nil
	}
	x, err := engine.Explain(ctx, nil, &call)
	if err != nil || x.Input == nil || x.Input.Tool == nil || x.Input.Tool.Kind != policy.KindWrite {
		return nil
	}
	return x.Input.Subjects
}

// A look says how a call is looked at.
type look struct {
	again bool // it was recorded before
	first bool // the event is new: what it says of a dialog counts
}

// Forgive takes note that a person has approved the call of an event, so that
// it is no loop.
func (g *Guard) Forgive(ctx context.Context, e *hook.Event) error {
	call := g.Call(e)
	loaded, _ := g.load(e)
	engine, err := loaded.Engine(g.World)
	if err != nil {
		return err
	}
	stored := g.sessions().With(ctx, sessionOf(e), func(s *policy.Session) { err = engine.Forgive(s, &call) })
	return errors.Join(stored, err)
}

func (g *Guard) judge(ctx context.Context, e *hook.Event, l look) (v policy.Verdict, err error) {
	begin := time.Now()
	call := g.Call(e)
	loaded, beside := g.load(e)
	g.service = &loaded.Service
	engine, err := loaded.Engine(g.World)
	if err != nil {
		return policy.Verdict{}, err
	}
	decide := engine.Decide
	if l.again {
		decide = engine.Review
	}
	stored := g.sessions().WithDialogs(ctx, sessionOf(e), func(s *policy.Session, dialogs state.Dialogs) {
		work := world.Work{Dir: call.Dir, Home: call.Home, Named: g.Place.Project, Transcript: e.Transcript, Before: s.Project}
		s.Project = work.Project()
		call.ProjectDir = s.Project
		v, err = decide(ctx, s, &call)
		if err == nil && l.first && e.DialogFirst && asked(e, &call, &v, dialogs, g.Now()) {
			err = engine.Forgive(s, &call)
		}
	})
	took := time.Since(begin)
	g.judged.CompareAndSwap(nil, &judgment{engine, call, took})
	if err == nil && !l.again {
		g.log(loaded, &call, &v, took)
	}
	v.Notes = append(v.Notes, beside.notes(loaded, stored)...)
	return v, err
}

// trouble is what went wrong beside the policy.
type trouble struct {
	unknown   []string // variables of the environment that assign no key
	ungranted error    // why no stored approval counts
}

// load reads the policy that applies to an event.
func (g *Guard) load(e *hook.Event) (*layers.Policy, trouble) {
	more, unknown := layers.FromEnvironment(g.Environ, config.Tightening)
	store := grant.NewStore(g.Place.State, g.Now)
	entries, ungranted := store.List()
	place := g.Place
	place.Grants = grant.NewSet(entries, g.World, g.Now).Of(store, ungranted)
	place.Count = g.sessions().Count
	return layers.Load(place, e.Call.Dir, more...), trouble{unknown, ungranted}
}

func (g *Guard) sessions() *state.Store { return state.New(g.Place.State, g.Now) }

// sessionOf names the history of calls to which an event belongs.
func sessionOf(e *hook.Event) string {
	name := e.Call.Agent + "\x00" + e.Call.Session
	if e.Subagent != "" {
		name += "\x00" + e.Subagent
	}
	return name
}

// Service returns the approval service that the policy names for an event; the
// zero value for none.
func (g *Guard) Service(e *hook.Event) config.Service {
	loaded, _ := g.load(e)
	return loaded.Service
}

// Serviced reports whether there may be an approval service to which the ask of
// an event can be taken: that of the machine, or one that the policy names that
// decided it.
func (g *Guard) Serviced(e *hook.Event) bool {
	if g.service == nil {
		service := g.Service(e)
		g.service = &service
	}
	return rendezvous.Exists(g.Place.State) || g.service.URL != ""
}

// Call returns the call of an event, with what the event does not say.
func (g *Guard) Call(e *hook.Event) policy.Call {
	if strings.HasPrefix(e.Call.Tool, "mcp__") {
		loaded, _ := g.load(e)
		e.Spell(loaded.Settings.ToolNames())
	}
	c := e.Call
	c.Home = g.Place.Home
	c.OS = cmp.Or(c.OS, runtime.GOOS)
	c.Time = g.Now()
	return c
}

// notes are what the person should know beside the verdict.
func (b trouble) notes(p *layers.Policy, stored error) []string {
	var out []string
	if p.Err != nil {
		out = append(out, "the policy is invalid and allows nothing: "+first(p.Err)+"; `policyctl check` lists all problems")
	}
	if p.TrustErr != nil {
		out = append(out, p.TrustErr.Error())
	}
	if b.ungranted != nil {
		out = append(out, "no stored approval counts: "+b.ungranted.Error())
	}
	if len(b.unknown) > 0 {
		out = append(out, "no key is assigned by "+strings.Join(b.unknown, ", "))
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
