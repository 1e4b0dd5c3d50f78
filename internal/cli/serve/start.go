package serve

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/policyctl/policyctl/internal/agents/install"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/effective"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/service/api"
	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/compat"
	"github.com/policyctl/policyctl/internal/service/desk"
	"github.com/policyctl/policyctl/internal/service/postgres"
	"github.com/policyctl/policyctl/internal/service/push"
	"github.com/policyctl/policyctl/internal/service/reviewer"
	"github.com/policyctl/policyctl/internal/service/ruledb"
	"github.com/policyctl/policyctl/internal/service/schemas"
	"github.com/policyctl/policyctl/internal/service/server"
	"github.com/policyctl/policyctl/internal/service/sqlite"
	"github.com/policyctl/policyctl/internal/service/sqlstore"
	events "github.com/policyctl/policyctl/internal/service/stream"
	"github.com/policyctl/policyctl/internal/service/telemetry"
	"github.com/policyctl/policyctl/internal/support/plainfile"
	"github.com/policyctl/policyctl/internal/support/release"
	"github.com/policyctl/policyctl/internal/support/rendezvous"
	"github.com/policyctl/policyctl/internal/support/shelf"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/grant"
	"github.com/policyctl/policyctl/pkg/policy"
)

// An instance is a service that listens.
type instance struct {
	server *server.Server
	logins *auth.Logins
	// ears are nil until all parts are there.
	ears atomic.Pointer[ears]
	// telemetry counts what the service does; reviewers are the language models that may
	// answer.
	telemetry *telemetry.Telemetry
	reviewers []*reviewer.Reviewer
	// approvers are the files that say who may decide, with their secrets.
	approvers []string
	// url is where clients find it over the network, "" for nowhere; submit is
	// a token that may submit.
	url, submit string
	// ends are what is to be done at the end, the last first.
	ends []func() error
	// log tells the collector too, where there is one.
	log *slog.Logger
}

func (r *instance) loginURL() (string, error) {
	code, err := r.logins.NewCode()
	return r.url + "/login#" + code, err
}

// end lets go of everything.
func (r *instance) end() {
	for _, end := range slices.Backward(r.ends) {
		if err := end(); err != nil {
			r.log.Error("the service did not end well", "error", err)
		}
	}
}

// start puts the service together. What was begun is ended on an error.
func (s *serve) start(ctx context.Context) (r *instance, err error) {
	r = &instance{}
	if err := s.observe(ctx, r); err != nil {
		return r, err
	}
	defer func() {
		if err != nil {
			r.end()
		}
	}()
	if err := os.MkdirAll(s.directory, 0o700); err != nil {
		return r, err
	}
	if err := r.alone("directory "+s.directory, filepath.Join(s.directory, "serve.lock")); err != nil {
		return r, err
	}
	db, err := s.data(ctx, r)
	if err != nil {
		return r, err
	}
	b, err := s.backend(ctx, r, db)
	if err != nil {
		return r, err
	}
	hub := api.NewHub(db)
	r.ears.Store(&ears{hub, b.Service, b.Push, b.Channels})
	r.verify(b)
	if r.server, err = s.server(b, hub); err != nil {
		return r, err
	}
	r.ends = append(r.ends, func() error { r.server.Close(); return nil })
	if s.listen != "" {
		r.url = s.address(r.server.Addresses()[0])
		r.submit, err = s.submitToken(ctx, db, b.Auth)
	}
	if err == nil {
		err = s.meet(r, b)
	}
	if err == nil {
		r.during(func(ctx context.Context) { db.Lead(ctx, "channels", b.Channels.Run) })
	}
	return r, err
}

// alone makes sure that no other service works on the same files.
func (r *instance) alone(what, file string) error {
	lock := plainfile.Lock(file)
	held, err := lock.TryLock()
	if err != nil {
		return fmt.Errorf("%s: the lock of the service: %w", what, err)
	}
	if !held {
		return fmt.Errorf("%s: another policyctl serve is using it: stop that one; for a second service, give another --db and another XDG_STATE_HOME", what)
	}
	r.ends = append(r.ends, lock.Close)
	return nil
}

// data opens the database.
func (s *serve) data(ctx context.Context, r *instance) (Store, error) {
	db, err := s.make(ctx, s.Process, sqlstore.Options{
		Notify:  r.changed,
		Damaged: func(err error) { r.log.Error("a row of the database is left out", "error", err) },
	})
	if err != nil {
		return nil, err
	}
	r.ends = append(r.ends, db.Close)
	if s.remote() {
		return db, nil
	}
	return db, s.claim(r)
}

// ears are the parts of an instance that want to know what happens to requests.
type ears struct {
	hub      *events.Hub
	service  *approval.Service
	push     *push.Pusher
	channels *channel.Dispatcher
}

// changed tells the parts of an event, which this instance has stored or another one. What
// came before there are any, they find in the database.
func (r *instance) changed(e approval.Event) {
	to := r.ears.Load()
	if to == nil {
		return
	}
	to.hub.Publish(api.EventOf(e))
	to.service.Changed(e.RequestID)
	to.channels.Wake()
	if e.State == approval.Pending {
		to.push.Wake()
	}
}

// claim keeps other services from the file of the database.
func (s *serve) claim(r *instance) (err error) {
	if s.path, err = filepath.EvalSymlinks(s.path); err != nil {
		return err
	}
	if err := r.alone("database "+s.path, s.path+servedSuffix); err != nil {
		return err
	}
	return plainfile.WriteOwn(s.path+servedSuffix, []byte(sqlite.Identity(s.path)))
}

// verifyTime is how long the start waits for the audit log to be verified,
// which goes on after that.
const verifyTime = 2 * time.Second

// verify verifies the audit log. Until it is verified, and where it does not
// hold, the service is not healthy.
func (r *instance) verify(b *backend.Backend) {
	done := make(chan struct{})
	r.during(func(ctx context.Context) {
		defer close(done)
		if err := b.VerifyLog(ctx); err != nil && ctx.Err() == nil {
			r.log.Error("the service runs and is not healthy: find out who wrote to the database, and restore a backup", "error", err)
		}
	})
	select {
	case <-done:
	case <-time.After(verifyTime):
	}
}

// backend joins the parts of the service.
func (s *serve) backend(ctx context.Context, r *instance, db Store) (*backend.Backend, error) {
	rules, err := r.rules(ctx, db)
	if err != nil {
		return nil, err
	}
	var live *layers.Live
	granted, err := s.approved(db, func() *policy.Engine { return live.Engine() })
	if err != nil {
		return nil, err
	}
	if live, err = s.live(rules, granted, &backend.Counts{Shelf: db.Shelf}); err != nil {
		return nil, err
	}
	failed := func(err error) { r.log.Error("the service goes on", "error", err) }
	record, spooled, err := s.record(r)
	if err != nil {
		return nil, err
	}
	judge := backend.NewJudge(backend.JudgeOptions{
		Engine: live.Engine, Calls: db, Now: time.Now, Grants: granted, Failed: failed,
		Decided: func(ctx context.Context, d *backend.Decided) { r.telemetry.Decided(ctx, d); record(ctx, d) },
	})
	r.during(judge.Run)
	r.during(func(ctx context.Context) { // one instance for all
		db.Lead(ctx, "index", func(ctx context.Context) { indexing(ctx, db, failed) })
	})
	keep, err := keeping(s.keep)
	if err != nil {
		return nil, err
	}
	signer, err := s.key.make(ctx, s.Process, db, s.path, r.log)
	if err != nil {
		return nil, err
	}
	var b *backend.Backend
	data := r.telemetry.Store(db)
	channels, err := s.channels(r, data, live, func() *backend.Backend { return b })
	if err != nil {
		return nil, err
	}
	models, err := s.reviewers(r, &backend.Brief{Engine: live.Engine, Grants: granted, Now: time.Now}, failed)
	if err != nil {
		return nil, err
	}
	var reach *backend.Reach
	service, err := approval.NewService(ctx, approval.Options{
		Store: data, Judge: judge, Now: time.Now, MayDecide: backend.MayDecide(db, channels, time.Now), Failed: failed, Signer: signer, Keep: keep,
		Approvers:   append(channels.Approvers(), models...),
		Unreachable: func(q *approval.Request) string { return reach.Unreachable(q) },
	})
	if err == nil && s.rotate {
		err = s.key.rotate(ctx, s.Process, service, s.path)
	}
	if err != nil {
		return nil, err
	}
	reach = backend.NewReach(service.Now())
	// A clock that is set back revives no token and no login either.
	r.logins = auth.NewLogins(service.Now, common(db, loginShelf))
	b = &backend.Backend{
		Service: service, Data: data, Rules: rules, Decider: judge, Logins: r.logins, Now: service.Now, Log: r.log, Reach: reach, Granted: granted,
		Policy:   func() *backend.InForce { return inForce(live, s.Bundle.Client) },
		Auth:     auth.New(db, r.logins, os.Geteuid(), service.Now).Below(install.Names()),
		Passkeys: auth.NewPasskeys(db, service.Now, common(db, "challenges")), Channels: channels,
	}
	b.Push = push.New(push.Options{
		Store: db, Key: sync.OnceValues(func() (*push.Key, error) { return s.pushKey(db) }),
		Waiting: b.Waiting, Now: service.Now, Log: r.log, Contact: s.pushContact, Guard: s.pushHosts,
	})
	s.watch(r, b, live, judge)
	r.during(func(ctx context.Context) { db.Lead(ctx, "push", b.Push.Run) })
	r.collect(b, spooled)
	return b, nil
}

// indexEvery is how often what was stored is read into the indexes of the search.
const indexEvery = 2 * time.Second

// indexing keeps the indexes of the search current, so that who searches waits for
// little.
func indexing(ctx context.Context, db Store, failed func(error)) {
	for more := false; ; {
		if !more {
			select {
			case <-ctx.Done():
				return
			case <-time.After(indexEvery):
			}
		}
		var err error
		if more, err = db.Index(ctx); err != nil {
			if ctx.Err() != nil {
				return
			}
			failed(fmt.Errorf("what was stored cannot be searched yet: %w", err))
			more = false
		}
	}
}

// during has something run until the service ends.
func (r *instance) during(run func(context.Context)) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { run(ctx); close(done) }()
	r.ends = append(r.ends, func() error { cancel(); <-done; return nil })
}

// pushKey returns the key that signs what browsers are told.
func (s *serve) pushKey(db Store) (*push.Key, error) {
	if on := common(db, pushShelf); on != nil {
		return push.KeyOn(context.Background(), on)
	}
	return push.KeyIn(s.path + push.Suffix)
}

// The names of the shelves of logins and of the key of Web Push.
const (
	loginShelf = "logins"
	pushShelf  = "push key"
)

// common returns the shelf of a document that all instances of the service need, nil where
// there is one instance, whose memory will do.
func common(db Store, name string) shelf.Shelf {
	if !db.Shared() {
		return nil
	}
	return db.Shelf(name)
}

// approved returns what was approved for longer than once, to which the service adds: by
// the person on this machine, or by the team of all instances.
func (s *serve) approved(db Store, engine func() *policy.Engine) (*backend.Granted, error) {
	place, err := s.Policies()
	if err != nil {
		return nil, err
	}
	var store backend.Approvals = grant.NewStore(place.State, time.Now)
	if on := common(db, "grants"); on != nil {
		store = grant.NewShared(on, time.Now)
	}
	return backend.NewGranted(store, place.Home, s.World, engine, db, time.Now), nil
}

// live returns the policy of the service, which follows its files and the
// rules of the database. No project's policy is one of them.
func (s *serve) live(rules *ruledb.Rules, granted policy.Grants, counts *backend.Counts) (*layers.Live, error) {
	place, more, unreadable, err := s.Layers(s.Process)
	if err := errors.Join(err, unreadable); err != nil {
		return nil, console.Usagef("%v", err)
	}
	place.Extra, place.Grants, place.Count = rules.InForce, granted, counts.Count
	tells := &effective.Follower{Stderr: s.Stderr, Told: make(map[string]bool), Troubles: make(map[string]bool)}
	seen := &effective.Followed{}
	return layers.NewLive(place, string(filepath.Separator), more, s.World, func(p *layers.Policy) { tells.Changed(seen, p) })
}

// server listens.
func (s *serve) server(b *backend.Backend, hub *events.Hub) (*server.Server, error) {
	c := server.Config{Backend: b, Hub: hub, Hosts: s.names(), API: api.Options{Version: release.Read().Version, Full: func(err error) bool { return sqlite.IsFull(err) || postgres.IsFull(err) }}, More: append(compat.New(hub, schemas.Dir(filepath.Join(s.directory, "plugins"))).Families(), desk.New().Family())}
	if s.socket != "none" {
		c.Socket = s.socket
	}
	if s.certFile != "" {
		pair, err := tls.LoadX509KeyPair(s.certFile, s.keyFile)
		if err != nil {
			return nil, console.Usagef("--tls-cert %s, --tls-key %s: %v", s.certFile, s.keyFile, err)
		}
		c.TLS = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	}
	if s.listen != "" {
		address := netip.MustParseAddrPort(s.listen)
		c.Listen = []string{s.listen}
		if address.Addr() == netip.AddrFrom4([4]byte{127, 0, 0, 1}) {
			c.Listen = server.Loopback(address.Port()) // nobody else may answer to localhost there
		}
	}
	return server.New(c)
}

// address returns the URL under which clients find the service.
func (s *serve) address(listening string) string {
	if s.certFile == "" || len(s.hosts) == 0 {
		return listening
	}
	at, err := netip.ParseAddrPort(listening[len("https://"):])
	if err != nil {
		return listening
	}
	return fmt.Sprintf("https://%s:%d", s.hosts[0], at.Port())
}

// names are those under which clients reach the service beside those of this machine.
func (s *serve) names() []string {
	if s.publicHost == "" || slices.Contains(s.hosts, s.publicHost) {
		return slices.Clone(s.hosts)
	}
	return append(slices.Clone(s.hosts), s.publicHost)
}

// checkPublic takes the host of the address for people into those of the service, and
// refuses what is no such address.
func (s *serve) checkPublic() error {
	if s.public == "" {
		return nil
	}
	u, err := url.Parse(s.public)
	if err == nil && u.User != nil {
		return console.Usagef("--public-url: a name or a password in it would stand in every message: leave it out")
	}
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" || u.Opaque != "" {
		return console.Usagef("--public-url %q: give the address of the desk without a path, such as https://desk.example.com", s.public)
	}
	if at, err := netip.ParseAddr(u.Hostname()); u.Scheme == "http" && u.Hostname() != "localhost" && (err != nil || !at.IsLoopback()) {
		return console.Usagef("--public-url %q: people log in there, so that it must begin with https://", s.public)
	}
	s.public = u.Scheme + "://" + u.Host
	s.publicHost = u.Host
	return nil
}

// meet tells the programs of this machine where the service is.
func (s *serve) meet(r *instance, b *backend.Backend) error {
	place, err := s.Policies()
	if err != nil {
		return err
	}
	keys, err := json.Marshal(b.Service.Keys())
	if err != nil {
		return err
	}
	if err := rendezvous.Remember(place.State, rendezvous.Kept{Private: append(s.private(), r.approvers...), Logs: logFiles(s.Stdout, s.Stderr)}); err != nil {
		return err
	}
	info := rendezvous.Info{URL: r.url, Also: s.further(r), Keys: keys, PID: os.Getpid(), Started: time.Now().UTC()}
	if s.socket != "none" {
		info.Socket = s.socket
	}
	if err := rendezvous.Write(place.State, info); err != nil {
		return err
	}
	r.ends = append(r.ends, func() error { return rendezvous.Remove(place.State, info.PID) })
	return nil
}

// private returns the files of the service that lie outside of its directory.
func (s *serve) private() []string {
	out := []string{s.path, s.path + "-wal", s.path + "-shm"}
	if file := os.Getenv("PGPASSFILE"); s.remote() && file != "" { // who reads it may approve anything
		if name, err := s.Absolute(file); err == nil {
			out = append(out, name)
		}
	}
	if name, err := s.key.path(s.Process, s.path); err == nil && s.key.command == "" {
		out = append(out, name)
	}
	if s.keyFile != "" {
		if name, err := s.Absolute(s.keyFile); err == nil {
			out = append(out, name)
		}
	}
	return out
}

// further returns the addresses of the service under its other names.
func (s *serve) further(r *instance) []string {
	u, err := url.Parse(r.url)
	if err != nil || r.url == "" {
		return nil
	}
	var out []string
	for _, host := range append(slices.Clone(s.hosts), addressHosts(r.server.Addresses())...) {
		out = append(out, u.Scheme+"://"+net.JoinHostPort(host, u.Port()))
	}
	if s.public != "" {
		out = append(out, s.public)
	}
	return out
}

// addressHosts returns the hosts of URLs.
func addressHosts(addresses []string) []string {
	var out []string
	for _, a := range addresses {
		if u, err := url.Parse(a); err == nil {
			out = append(out, u.Hostname())
		}
	}
	return out
}

// logFiles returns the files to which streams are written, where the system
// tells.
func logFiles(streams ...any) []string {
	var out []string
	for _, stream := range streams {
		f, ok := stream.(*os.File)
		if !ok {
			continue
		}
		info, err := f.Stat()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if name, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", f.Fd())); err == nil {
			out = append(out, name)
		}
	}
	return out
}
