package server_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/auth/authtest"
	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/server"
	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/internal/service/webguard"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// statuses counts the statuses of so many requests.
func statuses(n int, send func() servertest.Answer) map[int]int {
	out := make(map[int]int)
	for range n {
		out[send().Status]++
	}
	return out
}

// The default rates hold: by identity, by session, and for logins.
func TestRates(t *testing.T) {
	s := servertest.New(t, servertest.Options{Config: func(c *server.Config) {
		c.Identities, c.API.Sessions, c.API.Logins = webguard.Bucket{}, webguard.Bucket{PerSecond: 0.001, Burst: 3}, webguard.Bucket{}
	}})
	s.Freeze()
	busy, calm := s.Token(t, "busy", "submit"), s.Token(t, "calm", "submit")
	decide := func(token, session string) func() servertest.Answer {
		return func() servertest.Answer {
			return s.Do(t, token, "POST", "/v1/decide", `{"command":"ls","session":"`+session+`"}`)
		}
	}
	if got := statuses(5, decide(busy, "a")); got[200] != 3 || got[429] != 2 {
		t.Errorf("one session: %v", got)
	}
	if got := statuses(1, decide(busy, "b")); got[200] != 1 {
		t.Errorf("another session: %v", got)
	}
	if got := statuses(1, decide(calm, "a")); got[200] != 1 {
		t.Errorf("the session of the same name of another: %v", got)
	}
	login := func() servertest.Answer { return s.Do(t, "", "POST", "/v1/login", `{"code":"x"}`) }
	if got := statuses(8, login); got[401] != 5 || got[429] != 3 {
		t.Errorf("logins: %v", got)
	}
	if a := s.Do(t, "", "POST", "/v1/login", `{"code":"`+authtest.Code(s.Backend.Logins)+`"}`); a.Status != 200 {
		t.Errorf("the right code after wrong ones: %d %s", a.Status, a.Text)
	}
	whoami := func() servertest.Answer { return s.Do(t, busy, "GET", "/v1/whoami", "") }
	if got := statuses(400, whoami); got[200] != 194 || got[429] != 206 {
		t.Errorf("one identity: %v", got)
	}
	if a := whoami(); a.Header.Get("Retry-After") == "" || a.Code() != "too-many-requests" {
		t.Errorf("too many: %d %v %s", a.Status, a.Header, a.Text)
	}
	if got := statuses(1, func() servertest.Answer { return s.Do(t, calm, "GET", "/v1/whoami", "") }); got[200] != 1 {
		t.Errorf("another identity: %v", got)
	}
	s.Skip(time.Second)
	if got := statuses(100, whoami); got[200] != 50 {
		t.Errorf("a second later: %v", got)
	}
}

// One identity cannot hold all answers.
func TestWaitsAreBounded(t *testing.T) {
	s := servertest.New(t, servertest.Options{Config: func(c *server.Config) { c.API.MaxWaits = 2 }})
	agent, other, boss := s.Token(t, "agent", "submit"), s.Token(t, "other", "read"), s.Token(t, "boss", "approve")
	id := submit(t, s, agent, push)
	wait := func(token string) servertest.Answer { return s.Do(t, token, "GET", "/v1/requests/"+id+"?wait=20s", "") }
	answers := make(chan servertest.Answer, 4)
	for range 3 {
		go func() { answers <- wait(agent) }()
	}
	if a := <-answers; a.Status != 429 || a.Code() != "too-many-waiting" {
		t.Errorf("the third one: %d %s", a.Status, a.Text)
	}
	go func() { answers <- wait(other) }()
	time.Sleep(50 * time.Millisecond)
	s.Do(t, boss, "POST", "/v1/requests/"+id+"/decision", approveOnce)
	for range 3 {
		if a := <-answers; a.Status != 200 || a.At("state") != "APPROVED" {
			t.Errorf("%d %s", a.Status, a.Text)
		}
	}
	if a := wait(agent); a.Status != 200 {
		t.Errorf("afterwards: %d %s", a.Status, a.Text)
	}
}

// A session has so many pending requests and no more.
func TestPendingAreBounded(t *testing.T) {
	s := servertest.New(t, servertest.Options{Service: func(o *approval.Options) { o.MaxPending = 2 }})
	agent := s.Token(t, "agent", "submit")
	submit(t, s, agent, push)
	submit(t, s, agent, push)
	if a := s.Do(t, agent, "POST", "/v1/requests", `{"call":`+push+`}`); a.Status != 429 || a.Code() != "too-many-pending" || a.Header.Get("Retry-After") == "" {
		t.Errorf("%d %s", a.Status, a.Text)
	}
	submit(t, s, agent, strings.Replace(push, "s1", "s2", 1))
}

// broken is a store whose writes fail.
type broken struct {
	backend.Data
	fails *atomic.Pointer[error]
}

func (b broken) failure() error {
	if err := b.fails.Load(); err != nil {
		return *err
	}
	return nil
}

func (b broken) Create(ctx context.Context, r *approval.Request, log ...audit.Entry) (stored *approval.Request, created, undenied bool, err error) {
	if err := b.failure(); err != nil {
		return nil, false, false, err
	}
	return b.Data.Create(ctx, r, log...)
}

func (b broken) Update(ctx context.Context, id string, change func(*approval.Request) ([]audit.Entry, error)) (*approval.Request, error) {
	if err := b.failure(); err != nil {
		return nil, err
	}
	return b.Data.Update(ctx, id, change)
}

// Where nothing can be stored nothing is promised, and nothing of the store is
// told.
func TestBrokenStore(t *testing.T) {
	var fails atomic.Pointer[error]
	full := errors.New("the disk of /var/secret is full")
	s := servertest.New(t, servertest.Options{
		Data:   func(d backend.Data) backend.Data { return broken{d, &fails} },
		Config: func(c *server.Config) { c.API.Full = func(err error) bool { return errors.Is(err, full) } },
	})
	agent, boss := s.Token(t, "agent", "submit"), s.Token(t, "boss", "approve")
	id := submit(t, s, agent, push)
	other := errors.New("the file /var/secret is damaged")
	for _, row := range []struct {
		want int
		err  error
	}{{507, full}, {503, other}} {
		fails.Store(&row.err)
		for _, a := range []servertest.Answer{
			s.Do(t, agent, "POST", "/v1/requests", `{"call":`+push+`}`),
			s.Do(t, boss, "POST", "/v1/requests/"+id+"/decision", approveOnce),
		} {
			if a.Status != row.want || a.Code() != "storage" || strings.Contains(a.Text, "secret") {
				t.Errorf("%v: %d %s", row.err, a.Status, a.Text)
			}
		}
		fails.Store(nil)
	}
	if got := state(t, s, id); got != "PENDING" {
		t.Errorf("it is %s", got)
	}
	if a := s.Do(t, boss, "POST", "/v1/requests/"+id+"/decision", approveOnce); a.Status != http.StatusOK {
		t.Errorf("when the store works again: %d %s", a.Status, a.Text)
	}
}
