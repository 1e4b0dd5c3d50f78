// Package servertest runs a whole service for tests: a database in a new
// directory, a policy of defaults, and a server on the loopback with a socket.
//
// It is for tests alone, and asserts nothing of what the service answers.
package servertest

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/api"
	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/push"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/ruledb"
	"github.com/policyctl/policyctl/internal/service/server"
	"github.com/policyctl/policyctl/internal/service/sqlite"
	"github.com/policyctl/policyctl/internal/service/stream"
	"github.com/policyctl/policyctl/internal/service/telemetry"
	"github.com/policyctl/policyctl/internal/service/webguard"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/grant"
	"github.com/policyctl/policyctl/pkg/policy"
)

// Options say what differs from a plain service. The zero value is one.
type Options struct {
	// Directory is that of the files; "" stands for a new one.
	Directory string
	// Settings are those of the policy; nil stands for policy.Defaults.
	Settings *policy.Settings
	// Sources answer calls beside the rules of the database, as those of files do.
	Sources []policy.Source
	// Home is that of the user whose approvals are stored beside the database; "" has
	// none stored.
	Home string
	// Service may change what the service works with, Config the server.
	Service func(*approval.Options)
	Config  func(*server.Config)
	// Data may wrap the store, such as to have it fail.
	Data func(backend.Data) backend.Data
	// PasskeyAbove says which approvals need a passkey; Push may change how browsers are
	// told.
	PasskeyAbove policy.Threshold
	Push         func(*push.Options)
	// Channels are those that tell people, as Settings names them.
	Channels []channel.Channel
	// More are further routes.
	More func(*stream.Hub) []route.Family
	// Telemetry counts what the service does; nil counts nothing.
	Telemetry *telemetry.Telemetry
	// Log gets the log; nil drops it.
	Log io.Writer
}

// A Service is one that runs until its test ends.
type Service struct {
	*backend.Backend
	Hub *stream.Hub
	// URL is that of the first listener, Socket the path of the socket.
	URL, Socket string
	// Path is that of the database.
	Path string
	// Stop ends the server, and returns what Serve returned.
	Stop func() error

	listen  string // the address of the first listener
	options Options
	skipped atomic.Int64              // nanoseconds that the clock is ahead
	frozen  atomic.Pointer[time.Time] // when the clock stood still
	engine  engine
	run     func() // has channels tell people, when the service has its address
}

// Skip moves the clock of the service.
func (s *Service) Skip(d time.Duration) { s.skipped.Add(int64(d)) }

// Freeze has the clock of the service stand, but for Skip: what happens in between
// takes no time, as on a machine that is fast enough.
func (s *Service) Freeze() {
	now := time.Now()
	s.frozen.Store(&now)
}

// New starts a service.
func New(t testing.TB, o Options) *Service {
	t.Helper()
	dir := o.Directory
	if dir == "" {
		dir = t.TempDir()
	}
	must(t, os.Chmod(dir, 0o700))
	s := &Service{Socket: filepath.Join(dir, "s.sock"), Path: filepath.Join(dir, "policyctl.db")}
	data := s.data(t, s.Path)
	if o.Data != nil {
		data = o.Data(data)
	}
	data = o.Telemetry.Store(data)
	s.Hub = api.NewHub(data)
	s.backend(t, data, &o)
	s.options = o
	s.serve(t, &o)
	if s.run != nil {
		s.run()
	}
	return s
}

// data opens a database whose events go to the hub.
func (s *Service) data(t testing.TB, path string) backend.Data {
	db, err := sqlite.Open(t.Context(), path, sqlite.Options{Notify: func(e approval.Event) {
		if s.Hub != nil {
			s.Hub.Publish(api.EventOf(e))
		}
		if s.Backend == nil {
			return
		}
		if e.State == approval.Pending {
			s.Push.Wake()
		}
		if s.Channels != nil {
			s.Channels.Wake()
		}
	}})
	must(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// backend joins the parts of the service.
func (s *Service) backend(t testing.TB, data backend.Data, o *Options) {
	now := func() time.Time {
		t := s.frozen.Load()
		if t == nil {
			now := time.Now()
			t = &now
		}
		return t.Add(time.Duration(s.skipped.Load()))
	}
	rules, err := ruledb.Open(t.Context(), data, now)
	must(t, err)
	s.engine = engine{rules: rules, settings: policy.Defaults(), sources: o.Sources}
	if o.Settings != nil {
		s.engine.settings = *o.Settings
	}
	s.engine.settings.Approval.PasskeyAbove = cmp.Or(o.PasskeyAbove, s.engine.settings.Approval.PasskeyAbove)
	judged := backend.JudgeOptions{Engine: s.engine.get, Calls: data, Now: now, Decided: o.Telemetry.Decided}
	var granted *backend.Granted
	if o.Home != "" {
		granted = backend.NewGranted(grant.NewStore(filepath.Dir(s.Path), now), o.Home, plain{}, s.engine.get, data, now)
		judged.Grants, s.engine.grants = granted, granted
	}
	judge := backend.NewJudge(judged)
	ctx, cancel := context.WithCancel(context.Background())
	var work sync.WaitGroup
	work.Go(func() { judge.Run(ctx) })
	t.Cleanup(func() { cancel(); work.Wait() })
	reach := backend.NewReach(now())
	options := approval.Options{Store: data, Judge: judge, Now: now, Unreachable: reach.Unreachable, MayDecide: backend.MayDecide(data, nil, now)}
	log := io.Discard
	if o.Log != nil {
		log = o.Log
	}
	logger := slog.New(slog.NewTextHandler(log, nil))
	var channels *channel.Dispatcher
	if len(o.Channels) > 0 {
		link := func(id string) string { return s.URL + "/ui/requests/" + id }
		channels = channel.New(backend.ChannelOptions(o.Channels, data, logger, func() *backend.Backend { return s.Backend }, link))
		options.Approvers, options.MayDecide = channels.Approvers(), backend.MayDecide(data, channels, now)
	}
	if o.Service != nil {
		o.Service(&options)
	}
	service, err := approval.NewService(t.Context(), options)
	must(t, err)
	logins := auth.NewLogins(service.Now, nil)
	s.Backend = &backend.Backend{
		Service: service, Data: data, Rules: rules, Decider: judge, Logins: logins, Now: service.Now, Reach: reach, Granted: granted,
		Auth: auth.New(data, logins, os.Geteuid(), service.Now), Log: logger,
		Passkeys: auth.NewPasskeys(data, service.Now, nil), Channels: channels,
	}
	if o.Telemetry != nil {
		s.Metrics = o.Telemetry.Write
	}
	told := push.Options{
		Store: data, Waiting: s.Waiting, Now: service.Now, Log: s.Log,
		Key: sync.OnceValues(func() (*push.Key, error) { return push.KeyIn(s.Path + push.Suffix) }),
	}
	if o.Push != nil {
		o.Push(&told)
	}
	s.Push = push.New(told)
	work.Go(func() { s.Push.Run(ctx) })
	if channels != nil {
		s.run = func() { work.Go(func() { channels.Run(ctx) }) }
	}
}

// serve starts the server.
func (s *Service) serve(t testing.TB, o *Options) {
	c := server.Config{Backend: s.Backend, Hub: s.Hub, Listen: []string{cmp.Or(s.listen, "127.0.0.1:0")}, Socket: s.Socket}
	c.Identities = webguard.Bucket{PerSecond: 1e6, Burst: 1e6}
	c.API = api.Options{Version: "test", Sessions: c.Identities, Logins: c.Identities}
	if o.More != nil {
		c.More = o.More(s.Hub)
	}
	if o.Config != nil {
		o.Config(&c)
	}
	srv, err := server.New(c)
	must(t, err)
	s.URL = srv.Addresses()[0]
	s.listen = strings.TrimPrefix(strings.TrimPrefix(s.URL, "https://"), "http://")
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ctx) }()
	s.Stop = sync.OnceValue(func() error { cancel(); return <-served })
	t.Cleanup(func() { must(t, s.Stop()) })
}

// Restart serves again at the same address, after Stop.
func (s *Service) Restart(t testing.TB) {
	t.Helper()
	s.Hub = api.NewHub(s.Data)
	s.serve(t, &s.options)
}

// Token makes a token of a name with scopes such as "submit,read".
func (s *Service) Token(t testing.TB, name, scopes string) string {
	t.Helper()
	set, err := auth.ParseScope(scopes)
	must(t, err)
	secret, token := auth.NewToken(name, set, time.Time{}, s.Now())
	must(t, s.Data.AddToken(context.Background(), token))
	return secret
}

// Client returns a client with a token, over TCP.
func (s *Service) Client(t testing.TB, token string) *approval.Client {
	t.Helper()
	c, err := approval.NewClient(s.URL, token)
	must(t, err)
	return c
}

// An Answer is what the service said. JSON is nil where the body is none.
type Answer struct {
	Status int
	Header http.Header
	Text   string
	JSON   map[string]any
}

// Code is the code of a problem, "" for none.
func (a Answer) Code() string {
	code, _ := a.JSON["code"].(string)
	return code
}

// Do sends a body, "" for none, as JSON with a token, "" for none.
func (s *Service) Do(t testing.TB, token, method, path, body string) Answer {
	t.Helper()
	r, err := http.NewRequest(method, s.URL+path, strings.NewReader(body))
	must(t, err)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	return Send(t, http.DefaultTransport, r)
}

// Send sends a request as it is and reads the answer.
func Send(t testing.TB, by http.RoundTripper, r *http.Request) Answer {
	t.Helper()
	res, err := by.RoundTrip(r)
	must(t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	must(t, err)
	a := Answer{Status: res.StatusCode, Header: res.Header, Text: string(text)}
	_ = json.Unmarshal(text, &a.JSON) // not all is an object
	return a
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// At returns the value at a path such as decision.reason, nil for none.
func (a Answer) At(path string) any {
	var v any = a.JSON
	for key := range strings.SplitSeq(path, ".") {
		m, _ := v.(map[string]any)
		v = m[key]
	}
	return v
}

// plain is a file system without links.
type plain struct{}

func (plain) RealPath(path string) (string, bool) { return path, true }
