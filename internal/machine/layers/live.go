package layers

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/policyctl/policyctl/internal/support/plainfile"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A Live is an engine that follows its files: when one of them changes, the
// next call is decided under the new policy. A policy that cannot be loaded
// leaves the last good one in force, unless a bundle is withdrawn. It is safe
// for concurrent use.
type Live struct {
	place  Place
	dir    string
	more   []config.File
	world  policy.World
	report func(*Policy)

	mu     sync.Mutex
	seen   look
	engine *policy.Engine
	// last is the policy that was read last, in force or not; withdrawn says
	// that a bundle was too old then. force is the one in force.
	last, force *Policy
	withdrawn   bool
}

// NewLive returns a live engine of the layers that [Load] would read. report
// is told of each policy that takes effect, and of each that is refused, which
// has an Err. Where the first one has, nothing is allowed until a good one is
// there.
func NewLive(p Place, dir string, more []config.File, w policy.World, report func(*Policy)) (*Live, error) {
	l := &Live{place: p, dir: dir, more: more, world: w, report: report, seen: p.look(dir)}
	l.last = Load(p, dir, more...)
	l.force = l.last
	var err error
	if l.engine, err = l.last.Engine(w); err != nil {
		return nil, err
	}
	report(l.last)
	return l, nil
}

// Engine returns the engine in force. It costs a look at each file.
func (l *Live) Engine() *policy.Engine {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.place.look(l.dir)
	if now.stamp == l.seen.stamp && !l.seen.fresh() {
		return l.engine
	}
	l.seen = now
	loaded := Load(l.place, l.dir, l.more...)
	e, err := loaded.Engine(l.world)
	withdrawn := l.place.Bundler != nil && l.place.Bundler.Withdrawn()
	if same(loaded, l.last) && withdrawn == l.withdrawn {
		return l.engine
	}
	l.last, l.withdrawn = loaded, withdrawn
	if loaded.Err != nil && !withdrawn && l.force.holds(loaded) {
		e, err = l.keep(loaded.extra)
	} else {
		l.force = loaded
	}
	if err == nil {
		l.engine = e
	}
	l.report(loaded)
	return l.engine
}

// Policies returns the policy that was read last, and the one in force: another one
// where the last is wrong.
func (l *Live) Policies() (last, force *Policy) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last, l.force
}

// With returns the engine in force with more permissions, behind the others.
func (l *Live) With(more ...policy.Permission) (*policy.Engine, error) {
	_, force := l.Policies()
	tried := *force
	tried.Settings.Permissions = append(slices.Clip(tried.Settings.Permissions), more...)
	return tried.engine(l.world)
}

// keep returns the engine of the policy in force. What comes from no file is
// not wrong: it counts as it is now.
func (l *Live) keep(now extra) (*policy.Engine, error) {
	if now.stamp == l.force.extra.stamp {
		return l.engine, nil
	}
	l.force = l.force.renewed(now)
	return l.force.Engine(l.world)
}

// holds reports whether a policy may stay in force beside one that is wrong: all
// that is right is in it as it is now, and nothing else but what is wrong. So
// an edit that is right takes effect while another is wrong.
func (p *Policy) holds(now *Policy) bool {
	if !now.Applies() {
		return true
	}
	for name, content := range now.standing {
		if content != "" && p.standing[name] != content {
			return false
		}
	}
	for name := range p.standing {
		if _, there := now.standing[name]; !there {
			return false
		}
	}
	return true
}

// same reports whether two policies are of the same content.
func same(a, b *Policy) bool {
	return a.Revision == b.Revision && a.extra.stamp == b.extra.stamp && text(a.Err) == text(b.Err)
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// A look is what the file system said of the files, and when.
type look struct {
	stamp string
	// at is when it was looked, newest when a file was changed last.
	at, newest time.Time
}

// tick is how long a file may be changed again without another time of its
// change.
const tick = 100 * time.Millisecond

// fresh says that a file may have changed since without looking different.
func (l *look) fresh() bool { return l.at.Sub(l.newest) < tick }

func (p Place) look(dir string) look {
	l := look{at: time.Now()}
	bundles := ""
	if p.Bundler != nil {
		bundles = p.Bundler.Stamp()
	}
	beside := p.extra().stamp
	if p.Off {
		l.stamp = bundles + beside
		return l
	}
	names, err := filesOf(p.Managed)
	own, ownErr := filesOf(p.Config)
	names = append(append(names, own...), filepath.Join(p.State, trustFile))
	if p.Shadow != "" {
		names = append(names, policiesIn(p.Shadow)...)
	}
	for _, at := range append(above(p.Project), above(dir)...) {
		names = append(names, policiesIn(at)...)
	}
	var b strings.Builder
	fmt.Fprintln(&b, err, ownErr, bundles, beside)
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			fmt.Fprintf(&b, "%q %v\n", name, plainfile.Bare(err))
			continue
		}
		fmt.Fprintf(&b, "%q %d %s %d %s\n", name, info.Size(), info.Mode(), info.ModTime().UnixNano(), identity(info))
		if info.ModTime().After(l.newest) {
			l.newest = info.ModTime()
		}
	}
	l.stamp = b.String()
	return l
}
