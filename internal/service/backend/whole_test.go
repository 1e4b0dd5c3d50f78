package backend_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/auth/authtest"
	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/channel/channeltest"
	"github.com/policyctl/policyctl/internal/service/ruledb"
	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/trail"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// submit asks for a command in /w as the agent.
func submit(t *testing.T, s *servertest.Service, command string) *approval.Request {
	t.Helper()
	c := policy.Shell(command, "/w")
	c.Session, c.Home = "s1", "/home/dev"
	r, err := s.Service.Submit(t.Context(), "token:agent", approval.Submission{Call: c})
	must(t, err)
	return r
}

var (
	reader = auth.Identity{Name: "token:boss", Scopes: auth.Read}
	agent  = auth.Identity{Name: "token:agent", Scopes: auth.Submit}
	once   = approval.Answer{Word: approval.ApprovedOnce}
)

// Who only submits sees its own requests, with the receipt; who looks sees all, without.
func TestViews(t *testing.T) {
	r := &approval.Request{Submitter: "token:agent", Owed: []byte("1"), Reviews: []approval.Review{{}}, Receipt: &approval.Issued{ID: "rcp", Text: "secret"}}
	if err := json.Unmarshal([]byte(`{"own":{"stage":"rules"}}`), r); err != nil || r.Own == nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		who                   auth.Identity
		sees, receipt, review bool
	}{
		{agent, true, true, false},
		{auth.Identity{Name: "token:agent", Scopes: auth.Submit | auth.Read}, true, true, true},
		{auth.Identity{Name: "token:agent"}, false, false, false},
		{auth.Identity{Name: "token:other", Scopes: auth.Submit}, false, false, false},
		{reader, true, false, true},
		{auth.Identity{Name: "token:ann", Scopes: auth.Approve}, true, false, true},
	} {
		got, ok := backend.Views(row.who, r)
		if ok != row.sees || ok && ((got.Receipt.Text != "") != row.receipt || (got.Reviews != nil) != row.review || got.Owed != nil || got.Own != nil || got.Receipt.ID != "rcp") {
			t.Errorf("%+v: %+v %t", row.who, got, ok)
		}
	}
	if got, ok := backend.Views(reader, &approval.Request{}); !ok || got.Receipt != nil {
		t.Errorf("without a receipt: %+v", got)
	}
	if r.Receipt.Text != "secret" || r.Owed == nil {
		t.Error("what is stored was changed")
	}
}

// effects joins what a request does: kind: targets; and the commands after a bar.
func effects(d *approval.Detail) string {
	say := func(list []approval.Effect) string {
		var out []string
		for _, e := range list {
			out = append(out, e.Kind+": "+strings.Join(e.Targets, ", "))
		}
		return strings.Join(out, "; ")
	}
	text := say(d.Effects)
	for _, c := range d.Commands {
		text += fmt.Sprintf(" | %d-%d %s", c.Span[0], c.Span[1], say(c.Effects))
	}
	return text
}

// A request says what its call does, with paths as they were written and as they are.
func TestDetail(t *testing.T) {
	s := servertest.New(t, servertest.Options{})
	twenty := ""
	for i := range 21 {
		twenty += fmt.Sprintf("f%d,", i)
	}
	for command, want := range map[string]string{
		"cp a b":                 "reads: a; writes: b | 0-6 reads: /w/a; writes: /w/b",
		"cd src && touch a /x b": "writes: /w/src/a, /x, /w/src/b | 0-6  | 10-22 writes: /w/src/a, /x, /w/src/b",
		"cp /x ~/y":              "reads: /x; writes: /home/dev/y | 0-9 reads: /x; writes: /home/dev/y",
		"rm -r a a":              "deletes: a and below | 0-9 deletes: /w/a and below",
		"rm a$X":                 "deletes: anything that begins with a",
		"rm $X":                  "deletes: something that is unknown",
		"curl https://x.test":    "connects to: https://x.test | 0-19 connects to: https://x.test",
	} {
		r := submit(t, s, command)
		d, err := s.Detail(t.Context(), reader, r)
		if got := effects(d); err != nil || !strings.Contains(got, want) {
			t.Errorf("%s: %s, %v, want %s", command, got, err, want)
		}
	}
	for command, want := range map[string]string{
		"cd src && touch ~/y ~ z": "writes: ~/y, ~, /w/src/z | 0-6  | 10-23 writes: ~/y, ~, /w/src/z",
		"touch ~":                 "writes: ~ | 0-7 writes: ~",
		"touch '~/y'":             "writes: ~/y | 0-11 writes: /w/~/y", // a directory of that name
		"cd && touch y":           "writes: ~/y | 0-2  | 6-13 writes: ~/y",
		"touch /~x":               "writes: /~x | 0-9 writes: /~x",
	} {
		c := policy.Shell(command, "/w")
		r, err := s.Service.Submit(t.Context(), "token:agent", approval.Submission{Call: c})
		must(t, err)
		if d, err := s.Detail(t.Context(), reader, r); err != nil || effects(d) != want {
			t.Errorf("%s without a home: %s, %v, want %s", command, effects(d), err, want)
		}
	}
	r := submit(t, s, "touch {"+strings.TrimSuffix(twenty, ",")+"}")
	if d, err := s.Detail(t.Context(), reader, r); err != nil || strings.Contains(effects(d), "anything") {
		t.Errorf("%s %v", effects(d), err)
	}
	if d, err := s.Detail(t.Context(), agent, r); err != nil || d.Effects != nil || d.Commands != nil || d.ID != r.ID {
		t.Errorf("who submits sees %+v, %v", d, err)
	}
	if _, err := s.Detail(t.Context(), auth.Identity{Name: "token:other", Scopes: auth.Submit}, r); !errors.Is(err, approval.ErrNotFound) {
		t.Error(err)
	}
	for want, c := range map[string]*policy.Call{
		"writes: /w/a.md":     {Tool: "write", Input: map[string]any{"file_path": "/w/a.md", "content": "x"}, Dir: "/w"},
		"reads: /w/.env":      {Tool: "read", Input: map[string]any{"file_path": "/w/.env"}, Dir: "/w"},
		"connects to: x.test": {Tool: "fetch", Input: map[string]any{"url": "https://x.test/a"}, Dir: "/w"},
		"":                    {Tool: "mcp__x__y", Input: map[string]any{"a": "b"}, Dir: "/w"},
	} {
		r, err := s.Service.Submit(t.Context(), "token:agent", approval.Submission{Call: c, Asked: &approval.Asked{Rule: "theirs"}})
		must(t, err)
		if d, err := s.Detail(t.Context(), reader, r); err != nil || effects(d) != want || d.Commands != nil {
			t.Errorf("%s: %q, %v", c.Tool, effects(d), err)
		}
	}
	p, err := s.Service.Submit(t.Context(), "token:agent", approval.Submission{Contract: json.RawMessage(`{"program":"x"}`), Title: "x"})
	must(t, err)
	if d, err := s.Detail(t.Context(), reader, p); err != nil || d.Effects != nil || d.Gains != nil {
		t.Errorf("a program: %+v, %v", d, err)
	}
}

// recorded keeps calls for gains, the newest last.
func recorded(t *testing.T, s *servertest.Service, commands ...string) {
	t.Helper()
	for i, command := range commands {
		c := policy.Shell(command, "/w/project")
		c.Home = "/home/dev"
		text, err := policy.EncodeCall(c)
		must(t, err)
		must(t, s.Data.RecordCalls(t.Context(), ruledb.Recorded{At: s.Now().Add(time.Duration(i) * time.Second), JSON: text}))
	}
}

// An offer says what it would have allowed of the last calls, and otherwise a call that it
// would newly allow.
func TestGains(t *testing.T) {
	for name, row := range map[string]struct {
		command string
		calls   []string
		state   approval.State
		want    string // of "always here"
	}{
		"others":        {"make build", []string{"make test", "ls", "git commit -m x", "make build"}, approval.Pending, "3 of 5, shell: make test, "},
		"itself alone":  {"make build", []string{"ls", "make build"}, approval.Pending, "2 of 3, shell: make build, shell: make another-word"},
		"nothing":       {"make build", []string{"ls", "git commit -m x"}, approval.Pending, "1 of 3, shell: make build, shell: make another-word"},
		"a sub-command": {"git commit -m x", []string{"ls", "make"}, approval.Pending, "1 of 3, shell: git commit -m x, shell: git commit another-word"},
		"alone":         {"make build", nil, approval.Pending, "none"},
		"one more":      {"make build", []string{"ls"}, approval.Pending, "1 of 2, shell: make build, shell: make another-word"},
		"over":          {"make build", []string{"make test", "make"}, approval.Denied, "none"},
		"only once":     {"make $X", []string{"make test", "make"}, approval.Pending, "none"},
	} {
		t.Run(name, func(t *testing.T) {
			s := servertest.New(t, servertest.Options{Home: "/home/dev"})
			recorded(t, s, row.calls...)
			c := policy.Shell(row.command, "/w/project")
			c.Home = "/home/dev"
			r, err := s.Service.Submit(t.Context(), "token:agent", approval.Submission{Call: c})
			must(t, err)
			if len(row.calls) > 0 { // the submission itself is kept soon after
				channeltest.Until(t, "the call is kept", func() bool {
					list, err := s.Data.Calls(t.Context(), 100)
					return err == nil && len(list) > len(row.calls)
				})
			}
			r.State = row.state
			d, err := s.Detail(t.Context(), reader, r)
			must(t, err)
			got := "none"
			for _, g := range d.Gains {
				if g.Scope == approval.Here {
					got = fmt.Sprintf("%d of %d, %s, %s", g.Calls, g.Of, g.Example, g.Witness)
				}
				if g.Scope == approval.Once {
					t.Error("once gains something")
				}
			}
			if got != row.want {
				t.Errorf("%s, want %s", got, row.want)
			}
		})
	}
}

// What a grant for a file would newly allow is another file of its directory.
func TestGainsOfFiles(t *testing.T) {
	s := servertest.New(t, servertest.Options{Home: "/home/dev"})
	recorded(t, s, "ls", "make")
	r, err := s.Service.Submit(t.Context(), "token:agent", approval.Submission{Call: &policy.Call{
		Tool: "write", Input: map[string]any{"file_path": "/w/project/docs/a.md", "content": "x"}, Dir: "/w/project", Home: "/home/dev",
	}})
	must(t, err)
	d, err := s.Detail(t.Context(), reader, r)
	if err != nil || len(d.Gains) == 0 || d.Gains[0].Witness != "write: /w/project/docs/another-file" {
		t.Errorf("%+v %v", d.Gains, err)
	}
}

// A grant is listed with its last use, revoked, listed as such for a day, and restored once.
func TestGrantsAndNotes(t *testing.T) {
	s := servertest.New(t, servertest.Options{Home: "/home/dev"})
	ctx := t.Context()
	approve := func(command string, life time.Duration) {
		t.Helper()
		c := policy.Shell(command, "/w/project")
		c.Home = "/home/dev"
		r, err := s.Service.Submit(ctx, "token:agent", approval.Submission{Call: c})
		must(t, err)
		_, err = s.Service.Decide(ctx, r.ID, "token:ann", approval.Answer{Word: approval.ApprovedRemember, Scope: approval.Here, For: approval.Life(life)})
		must(t, err)
	}
	list := func(want string) (counting, revoked []backend.Grant) {
		t.Helper()
		counting, revoked, err := s.Granted.List(ctx)
		must(t, err)
		var out []string
		for _, g := range counting {
			out = append(out, fmt.Sprintf("%s used %t", g.Verb, g.LastUsed != nil))
		}
		for _, g := range revoked {
			out = append(out, fmt.Sprintf("%s revoked by %s", g.Verb, g.RevokedBy))
		}
		if got := strings.Join(out, "; "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		return counting, revoked
	}
	list("")
	s.Freeze()
	approve("make build", 0)
	s.Skip(2 * time.Second)
	approve("git commit -m x", 2*time.Hour)
	counting, _ := list("git commit used false; make used false")
	commit, build := counting[0].ID, counting[1].ID
	s.Skip(time.Second)
	c := policy.Shell("make test && ls", "/w/project")
	c.Home = "/home/dev"
	if v, err := s.Decider.Decide(ctx, c); err != nil || v.Decision != policy.Allow {
		t.Fatal(v.Decision, err)
	}
	counting, _ = list("git commit used false; make used true")
	used := *counting[1].LastUsed
	c = policy.Shell("git commit -m y", "/w/project")
	c.Home = "/home/dev"
	if v, err := s.Decider.Decide(ctx, c); err != nil || v.Decision != policy.Allow {
		t.Fatal(v.Decision, err)
	}
	for range 2 { // the second time there is nothing to store
		must(t, s.Granted.Flush(ctx))
		counting, _ = list("git commit used true; make used true")
	}
	if !counting[1].LastUsed.Equal(used) || !used.Equal(s.Now().UTC().Truncate(time.Microsecond)) {
		t.Errorf("used at %s, at %s when it was stored", used, counting[1].LastUsed)
	}
	if _, err := s.Granted.Revoke(ctx, "grant_none", "token:ann"); !errors.Is(err, backend.ErrNoGrant) {
		t.Error(err)
	}
	gone, err := s.Granted.Revoke(ctx, build, "token:ann")
	if err != nil || gone.ID != build || gone.RevokedBy != "token:ann" || gone.Revoked == nil {
		t.Fatalf("%+v, %v", gone, err)
	}
	s.Skip(time.Second)
	_, err = s.Granted.Revoke(ctx, commit, "token:bob")
	must(t, err)
	list("git commit revoked by token:bob; make revoked by token:ann")
	back, err := s.Granted.Restore(ctx, build, "token:ann")
	if err != nil || back.ID != build || back.LastUsed == nil {
		t.Errorf("%+v, %v", back, err)
	}
	list("make used true; git commit revoked by token:bob")
	for id, want := range map[string]error{build: backend.ErrNoGrant, "grant_none": backend.ErrNoGrant} {
		if _, err := s.Granted.Restore(ctx, id, "token:ann"); !errors.Is(err, want) {
			t.Errorf("%s: %v", id, err)
		}
	}
	s.Skip(3 * time.Hour)
	if _, err := s.Granted.Restore(ctx, commit, "token:ann"); !errors.Is(err, backend.ErrGrantEnded) {
		t.Error(err)
	}
	list("make used true")
	_, err = s.Granted.Revoke(ctx, build, "token:ann")
	must(t, err)
	s.Skip(backend.UndoTime - time.Second)
	list("make revoked by token:ann")
	s.Skip(time.Second)
	list("")
	if _, err := s.Granted.Restore(ctx, build, "token:ann"); !errors.Is(err, backend.ErrNoGrant) {
		t.Errorf("a day later: %v", err)
	}
	var changes []string
	log, err := s.Data.Audit(ctx, 0, 1000)
	must(t, err)
	for _, r := range log {
		if change := r.Detail["change"]; r.Kind == audit.KindGrant && change != "" {
			changes = append(changes, change+" "+r.Actor)
		}
	}
	if got := strings.Join(changes, ", "); got != "revoked token:ann, revoked token:bob, restored token:ann, revoked token:ann" {
		t.Error(got)
	}
}

// A noteless store cannot note that a grant was restored.
type noteless struct {
	backend.Data
	err error
}

func (n *noteless) NoteRestored(ctx context.Context, id string, log ...audit.Entry) error {
	if n.err != nil {
		return n.err
	}
	return n.Data.NoteRestored(ctx, id, log...)
}

// A grant that is restored and not on record does not count.
func TestRestoredOffRecord(t *testing.T) {
	n := &noteless{err: errors.New("disk full")}
	s := servertest.New(t, servertest.Options{Home: "/home/dev", Data: func(d backend.Data) backend.Data { n.Data = d; return n }})
	c := policy.Shell("make", "/w/project")
	c.Home = "/home/dev"
	r, err := s.Service.Submit(t.Context(), "token:agent", approval.Submission{Call: c})
	must(t, err)
	_, err = s.Service.Decide(t.Context(), r.ID, "token:ann", approval.Answer{Word: approval.ApprovedRemember, Scope: approval.Here})
	must(t, err)
	counting, _, err := s.Granted.List(t.Context())
	must(t, err)
	_, err = s.Granted.Revoke(t.Context(), counting[0].ID, "token:ann")
	must(t, err)
	if _, err := s.Granted.Restore(t.Context(), counting[0].ID, "token:ann"); !errors.Is(err, n.err) {
		t.Error(err)
	}
	if counting, revoked, err := s.Granted.List(t.Context()); err != nil || len(counting) != 0 || len(revoked) != 1 {
		t.Errorf("%+v %+v %v", counting, revoked, err)
	}
}

// A sick store has something wrong.
type sick struct {
	backend.Data
	mu      sync.Mutex
	check   error
	observe error
	damaged int
	looked  int
}

func (d *sick) Check() error { return d.check }
func (d *sick) Damaged() int { return d.damaged }
func (d *sick) Observe(ctx context.Context, at time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.looked++
	return d.observe
}

// What is out of order says whether the service can be relied on, and whether it is ready.
func TestCondition(t *testing.T) {
	d := &sick{}
	down := &channeltest.Driver{}
	s := servertest.New(t, servertest.Options{
		Data:     func(b backend.Data) backend.Data { d.Data = b; return d },
		Channels: []channel.Channel{{Name: "phone", Type: "memory", Driver: down, People: map[string]string{"1": "kim"}}},
	})
	odd := errors.New("odd")
	beside := false
	s.Beside = map[string]func() bool{"bundles": func() bool { return beside }}
	for name, row := range map[string]struct {
		spoil, mend func()
		state       string
		ready       bool
		part        string
	}{
		"nothing":    {func() {}, func() {}, backend.Healthy, true, ""},
		"the log":    {func() { s.Health.Set("audit-log", odd) }, func() { s.Health.Set("audit-log", nil) }, backend.Failing, false, "audit-log"},
		"the files":  {func() { d.check = odd }, func() { d.check = nil }, backend.Failing, false, "database"},
		"the policy": {func() { s.PolicyProblem = func() error { return odd } }, func() { s.PolicyProblem = func() error { return nil } }, backend.Degraded, false, "policy"},
		"rows":       {func() { d.damaged = 1 }, func() { d.damaged = 0 }, backend.Degraded, true, "rows"},
		"beside":     {func() { beside = true }, func() { beside = false }, backend.Degraded, true, "bundles"},
		"two": {func() { d.damaged = 1; s.Health.Set("audit-log", odd) }, func() { d.damaged = 0; s.Health.Set("audit-log", nil) },
			backend.Failing, false, "audit-log rows"},
	} {
		row.spoil()
		state, parts := s.Condition()
		ready, _ := s.Ready()
		if state != row.state || ready != row.ready || strings.Join(parts, " ") != row.part {
			t.Errorf("%s: %s, ready %t, %v", name, state, ready, parts)
		}
		all := s.Parts()
		for part, fine := range all {
			if fine == slices.Contains(parts, part) {
				t.Errorf("%s: %s is in order: %t", name, part, fine)
			}
		}
		if len(all) != 8 {
			t.Errorf("%d parts", len(all))
		}
		row.mend()
	}
	if list := s.ChannelProblems(); list != nil {
		t.Errorf("%q", list)
	}
	bare := &backend.Backend{Data: s.Data, Rules: s.Rules, Now: s.Now}
	if state, parts := bare.Condition(); state != backend.Healthy {
		t.Errorf("with no browsers and channels: %s %v", state, parts)
	}
}

// Whether something can be stored is tried at most once a second.
func TestProbe(t *testing.T) {
	d := &sick{observe: errors.New("disk full")}
	s := servertest.New(t, servertest.Options{Data: func(b backend.Data) backend.Data { d.Data = b; return d }})
	for range 50 {
		if state, _ := s.Condition(); state != backend.Failing {
			t.Fatal(state)
		}
	}
	d.mu.Lock()
	looked := d.looked
	d.mu.Unlock()
	if looked < 1 || looked > 25 { // slow machines take seconds for it
		t.Errorf("tried %d times", looked)
	}
}

// A cause that is unknown says nothing.
func TestCauseOf(t *testing.T) {
	for want, err := range map[string]error{": it is full": caused("it is full"), "": caused("")} {
		if got := backend.CauseOf(fmt.Errorf("x: %w", err)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := backend.CauseOf(errors.New("x")); got != "" {
		t.Error(got)
	}
}

type caused string

func (c caused) Error() string { return "an error" }
func (c caused) Cause() string { return string(c) }

// Channels that are down or that a policy names by mistake are told of.
func TestChannelProblems(t *testing.T) {
	settings := policy.Defaults()
	settings.Approval.NotifyChannel = "fone,mail"
	s := servertest.New(t, servertest.Options{
		Settings: &settings,
		Channels: []channel.Channel{{Name: "phone", Type: "memory", Driver: &channeltest.Driver{}, People: map[string]string{"1": "kim"}}},
	})
	if list := s.ChannelProblems(); len(list) != 2 || !strings.Contains(list[0], "fone") || !strings.Contains(list[1], "mail") {
		t.Errorf("%q", list)
	}
	s.Channels = nil
	if list := s.ChannelProblems(); list != nil {
		t.Errorf("%q", list)
	}
}

// Whom a channel could not serve counts as turned away, where somebody counts them: a
// request that ends then was not refused by silence.
func TestTurnedAway(t *testing.T) {
	s := servertest.New(t, servertest.Options{})
	r := &approval.Request{Created: s.Now()}
	turn := backend.ChannelOptions(nil, s.Data, nil, func() *backend.Backend { return s.Backend }, nil).TurnedAway
	reach := s.Reach
	if why := reach.Unreachable(r); why != "" {
		t.Error(why)
	}
	s.Reach = nil
	if turn(); reach.Unreachable(r) != "" {
		t.Error("counted by nobody")
	}
	s.Reach = reach
	if turn(); !strings.Contains(reach.Unreachable(r), "turned somebody away") {
		t.Error("not counted")
	}
}

// Somebody may decide by a token, a passkey or a channel, each by its own identity, and a
// person by any of them.
func TestMayDecide(t *testing.T) {
	s := servertest.New(t, servertest.Options{
		Channels: []channel.Channel{{Name: "phone", Type: "memory", Driver: &channeltest.Driver{}, People: map[string]string{"1": "kim"}}},
	})
	s.Token(t, "Ann", "approve")
	s.Token(t, "reader", "read")
	_, ended := auth.NewToken("old", auth.Approve, s.Now().Add(time.Second), s.Now())
	must(t, s.Data.AddToken(t.Context(), ended))
	must(t, s.Data.AddPasskey(t.Context(), auth.Passkey{ID: "k", Person: "Bob", Label: "l", Credential: []byte("c"), Public: []byte("p"), Handle: []byte("h"), Origin: "http://localhost", Created: s.Now()}))
	s.Skip(time.Minute)
	may := backend.MayDecide(s.Data, s.Channels, s.Now)
	for who, want := range map[string]bool{
		"ann": true, "bob": true, "kim": true, "reader": false, "old": false, "nobody": false, "": false,
		"token:ann": true, "token:bob": false, "token:kim": false, "token:old": false, "token:reader": false,
		"passkey:bob": true, "passkey:ann": false, "phone:kim": true, "phone:ann": false, "mail:kim": false, "login:1": false,
	} {
		if got := may(t.Context(), who); got != want {
			t.Errorf("%q: %t", who, got)
		}
	}
}

// What waits is told with its number, and the newest request.
func TestWaiting(t *testing.T) {
	s := servertest.New(t, servertest.Options{})
	if w, err := s.Waiting(t.Context()); err != nil || w.Count != 0 || w.Request != "" {
		t.Errorf("%+v, %v", w, err)
	}
	submit(t, s, "make a")
	c := policy.Shell("git push --force", "/w")
	c.Session = "s2"
	last, err := s.Service.Submit(t.Context(), "token:agent", approval.Submission{Call: c})
	must(t, err)
	if w, err := s.Waiting(t.Context()); err != nil || w.Count != 2 || w.Request != last.ID || w.Risk != "high" || !w.Until.Equal(last.Expires) {
		t.Errorf("%+v, %v", w, err)
	}
}

// Above a risk only a passkey approves, and in whose name; a denial never needs one.
func TestPasskeyDecides(t *testing.T) {
	s := servertest.New(t, servertest.Options{PasskeyAbove: "medium"})
	ctx, here := t.Context(), "http://localhost:8765"
	key := authtest.New(here, "localhost")
	draft := auth.Passkey{Person: "ann", Label: "laptop"}
	boss := auth.Identity{Name: "login:1", Scopes: auth.Approve}
	options, err := s.Passkeys.Begin(ctx, here, boss.Name, draft)
	must(t, err)
	k, err := s.Passkeys.Finish(ctx, here, boss.Name, draft, key.Make(options))
	must(t, err)
	must(t, s.Data.AddPasskey(ctx, *k))
	prove := func(who auth.Identity, r *approval.Request, a approval.Answer) json.RawMessage {
		options, err := s.Passkeys.Ask(ctx, here, "", s.DecisionPurpose(who, r, &a))
		must(t, err)
		return key.Sign(options)
	}
	high, low := "git push --force", "make"
	for name, row := range map[string]struct {
		command string
		who     auth.Identity
		answer  approval.Answer
		proof   bool
		by      string // "" where it needs a passkey
	}{
		"without, high":        {high, boss, once, false, ""},
		"without, medium":      {low, boss, once, false, "login:1"},
		"denied":               {high, boss, approval.Answer{Word: approval.Rejected}, false, "login:1"},
		"proved":               {high, boss, once, true, "passkey:ann"},
		"proved though medium": {low, boss, once, true, "passkey:ann"},
		"by a token":           {high, auth.Identity{Name: "token:bob", TokenID: "x", Scopes: auth.Approve}, once, true, ""},
	} {
		r := submit(t, s, row.command+" "+strings.ReplaceAll(name, " ", "-"))
		var proof json.RawMessage
		if row.proof {
			proof = prove(row.who, r, row.answer)
		}
		got, err := s.Backend.Decide(ctx, row.who, r.ID, row.answer, proof)
		if row.by == "" && (!errors.Is(err, backend.ErrPasskeyRequired) || backend.PasskeyCode(err) != "passkey-required") || row.by != "" && (err != nil || got.Decision.By != row.by) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if row.by == "" {
			continue
		}
		if again, err := s.Backend.Decide(ctx, row.who, r.ID, once, nil); row.answer.Word == approval.Rejected && !errors.Is(err, approval.ErrDecided) {
			t.Errorf("%s: decided again: %+v, %v", name, again, err)
		}
	}
	plain := servertest.New(t, servertest.Options{})
	if _, err := plain.Backend.Decide(ctx, boss, submit(t, plain, low).ID, once, json.RawMessage(`{}`)); backend.PasskeyCode(err) != "bad-passkey" {
		t.Errorf("a proof that nobody needs and that proves nothing: %v", err)
	}
	if _, err := s.Backend.Decide(ctx, boss, "req_none", once, nil); !errors.Is(err, approval.ErrNotFound) {
		t.Error(err)
	}
}

// Where nothing lasting is offered, the offer of one call says why.
func TestOnlyOnce(t *testing.T) {
	s := servertest.New(t, servertest.Options{Home: "/home/dev"})
	for command, want := range map[string]string{"git push --force": "git push", "make $X": "unknown"} {
		if r := submit(t, s, command); len(r.Offers) != 1 || !strings.Contains(r.Offers[0].Why, want) {
			t.Errorf("%s: %+v", command, r.Offers)
		}
	}
}

// A batch that says nothing of its source is refused, and the entries of one that does are
// on record as collected.
func TestCollect(t *testing.T) {
	s := servertest.New(t, servertest.Options{})
	var invalid *approval.Invalid
	if _, err := s.Collect(t.Context(), "token:ship", trail.Batch{}); !errors.As(err, &invalid) {
		t.Error(err)
	}
	entry := audit.Entry{Time: s.Now(), Kind: audit.KindVerdict, Actor: "uid:1000", Tool: "shell", Decision: "deny", DecidedBy: "policy", Reason: "permission_rule", Stage: "rules", Detail: map[string]string{"id": "d-1"}}
	if at, err := s.Collect(t.Context(), "token:ship", trail.Batch{Source: "laptop", Entries: []trail.Placed{{Position: 7, Entry: entry}}}); err != nil || at != 7 {
		t.Errorf("%d, %v", at, err)
	}
}

// The record of a passkey says who confirmed it, where somebody did.
func TestPasskeyAdded(t *testing.T) {
	k := &auth.Passkey{ID: "k", Person: "ann", Label: "laptop", Created: time.Unix(1, 0)}
	if e := backend.PasskeyAdded("login:1", k, nil); e.Detail["confirmed_by"] != "" || e.Detail["person"] != "ann" {
		t.Errorf("%v", e.Detail)
	}
	if e := backend.PasskeyAdded("login:1", k, &auth.Passkey{ID: "other", Person: "bob"}); e.Detail["confirmed_by"] != "passkey:bob" || e.Detail["confirmed_with"] != "other" {
		t.Errorf("%v", e.Detail)
	}
}
