package server_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/auth/authtest"
	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/compat"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/server"
	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/internal/service/stream"
	"github.com/policyctl/policyctl/internal/service/webguard"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

// usual has the rates that a service has.
func usual(c *server.Config) {
	c.Identities, c.API.Sessions, c.API.Logins = webguard.Bucket{}, webguard.Bucket{}, webguard.Bucket{}
}

// Whoever has no token and floods the service locks nobody out: not the person
// with the right code, not who looks whether it runs, not a webhook.
func TestFloodOfNobody(t *testing.T) {
	others := func(hub *stream.Hub) []route.Family { return compat.New(hub, "").Families() }
	s := servertest.New(t, servertest.Options{Config: usual, More: others})
	s.Freeze()
	for _, flood := range []func() servertest.Answer{
		func() servertest.Answer { return s.Do(t, "", "GET", "/v1/whoami", "") },
		func() servertest.Answer { return s.Do(t, "", "GET", "/health", "") },
		func() servertest.Answer { return s.Do(t, "", "POST", "/v1/login", `{"code":"x"}`) },
		func() servertest.Answer { return s.Do(t, "pol_wrong", "GET", "/v1/requests", "") },
		func() servertest.Answer { return s.Do(t, "", "GET", "/s/x/requests", "") },
	} {
		statuses(400, flood)
		if a := s.Do(t, "", "GET", "/health", ""); a.Status != 200 {
			t.Errorf("health: %d %s", a.Status, a.Text)
		}
		if a := s.Do(t, "", "GET", "/login", ""); a.Status != 200 {
			t.Errorf("the page: %d %s", a.Status, a.Text)
		}
		if a := s.Do(t, "", "POST", "/api/approvers/slack/act", "{}"); a.Status == 429 {
			t.Errorf("a webhook: %s", a.Text)
		}
		if a := s.Do(t, "", "POST", "/v1/login", `{"code":"`+authtest.Code(s.Logins)+`"}`); a.Status != 200 {
			t.Errorf("the right code: %d %s", a.Status, a.Text)
		}
		if a := s.Do(t, s.Token(t, "boss", "approve"), "GET", "/v1/requests", ""); a.Status != 200 {
			t.Errorf("a token: %d %s", a.Status, a.Text)
		}
	}
	if got := statuses(400, func() servertest.Answer { return s.Do(t, "", "GET", "/v1/whoami", "") }); got[429] == 0 {
		t.Errorf("a flood is not bounded: %v", got)
	}
	long := `{"code":"` + strings.Repeat("x", 5000) + `"}`
	if a := s.Do(t, "", "POST", "/v1/login", long); a.Status != 413 {
		t.Errorf("a long login: %d", a.Status)
	}
}

// Programs of the user that flood the socket lock nobody out either: not the person with
// the right code, not who looks whether it runs, and no credential another one.
func TestFloodOfTheSocket(t *testing.T) {
	s := servertest.New(t, servertest.Options{Config: usual})
	s.Freeze()
	by := overSocket(t, s)
	do := func(token, cookie, method, path, body string) servertest.Answer {
		r, err := http.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if body != "" {
			r.Header.Set("Content-Type", "application/json")
		}
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		if cookie != "" {
			r.Header.Set("Cookie", cookie)
		}
		return servertest.Send(t, by, r)
	}
	for name, flood := range map[string]func() servertest.Answer{
		"no credential": func() servertest.Answer { return do("", "", "GET", "/v1/requests", "") },
		"wrong codes":   func() servertest.Answer { return do("", "", "POST", "/v1/login", `{"code":"x"}`) },
		"a wrong token": func() servertest.Answer { return do("pol_wrong", "", "GET", "/v1/requests", "") },
		"health":        func() servertest.Answer { return do("", "", "GET", "/health", "") },
	} {
		statuses(400, flood)
		for _, path := range []string{"/health", "/health/live", "/health/ready", "/login"} {
			if a := do("", "", "GET", path, ""); a.Status != 200 {
				t.Errorf("%s: %s: %d %s", name, path, a.Status, a.Text)
			}
		}
		a := do("", "", "POST", "/v1/login", `{"code":"`+authtest.Code(s.Logins)+`"}`)
		if a.Status != 200 {
			t.Fatalf("%s: the right code: %d %s", name, a.Status, a.Text)
		}
		login, _ := a.At("token").(string)
		cookie, _, _ := strings.Cut(a.Header.Get("Set-Cookie"), ";")
		if got := statuses(400, func() servertest.Answer { return do("", cookie, "GET", "/v1/requests", "") }); got[200] == 0 || got[429] == 0 {
			t.Errorf("%s: the cookie: %v", name, got)
		}
		if a := do(login, "", "GET", "/v1/requests", ""); a.Status != 200 {
			t.Errorf("%s: the login, beside a flood with its cookie: %d %s", name, a.Status, a.Text)
		}
	}
	one, two := s.Token(t, "ci", "read"), s.Token(t, "ci", "read")
	if got := statuses(400, func() servertest.Answer { return do(one, "", "GET", "/v1/requests", "") }); got[429] == 0 {
		t.Errorf("a token is not bounded: %v", got)
	}
	if a := do(two, "", "GET", "/v1/requests", ""); a.Status != 200 {
		t.Errorf("another token of the same name: %d", a.Status)
	}
}

// unknowing is a store that finds no tokens any more.
type unknowing struct {
	broken
	blind *atomic.Pointer[error]
}

func (u unknowing) TokenByID(ctx context.Context, id string) (auth.Token, bool, error) {
	if err := u.blind.Load(); err != nil {
		return auth.Token{}, false, *err
	}
	return u.broken.TokenByID(ctx, id)
}

// tolerant is a judge under whose policy silence allows.
type tolerant struct{ judge }

type judge = approval.Judge

func (j tolerant) Judge(ctx context.Context, c *policy.Call) (v, own policy.Verdict, offers []approval.Offer, err error) {
	v, own, offers, err = j.judge.Judge(ctx, c)
	if v.Ask != nil {
		ask := *v.Ask
		ask.OnTimeout = policy.Allow
		v.Ask = &ask
	}
	return v, own, offers, err
}

// withCookie reads a path as a browser does.
func withCookie(t *testing.T, s *servertest.Service, cookie, path string) servertest.Answer {
	r, err := http.NewRequest(http.MethodGet, s.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Cookie", cookie)
	return servertest.Send(t, http.DefaultTransport, r)
}

// Silence allows only where somebody could have spoken.
func TestSilenceOfTheUnreachable(t *testing.T) {
	full := errors.New("the disk is full")
	var blind atomic.Pointer[error]
	for _, row := range []struct {
		want, why string
		meanwhile func(s *servertest.Service, id, boss string, fails *atomic.Pointer[error])
	}{
		{"APPROVED", "nobody decided in time, and the policy says on_timeout: allow",
			func(*servertest.Service, string, string, *atomic.Pointer[error]) {}},
		{"APPROVED", "nobody decided in time", // somebody without a right to decide is turned away
			func(s *servertest.Service, _, _ string, _ *atomic.Pointer[error]) {
				statuses(400, func() servertest.Answer { return s.Do(t, "", "GET", "/v1/whoami", "") })
			}},
		{"TIMED_OUT", "turned somebody away who may decide",
			func(s *servertest.Service, id, boss string, fails *atomic.Pointer[error]) {
				fails.Store(&full)
				s.Do(t, boss, "POST", "/v1/requests/"+id+"/decision", `{"decision":"rejected"}`)
				fails.Store(nil)
			}},
		{"TIMED_OUT", "turned somebody away who may decide",
			func(s *servertest.Service, id, boss string, _ *atomic.Pointer[error]) {
				statuses(400, func() servertest.Answer { return s.Do(t, boss, "GET", "/v1/requests/"+id, "") })
			}},
		{"TIMED_OUT", "turned somebody away who may decide", // in the browser
			func(s *servertest.Service, id, _ string, _ *atomic.Pointer[error]) {
				a := s.Do(t, "", "POST", "/v1/login", `{"code":"`+authtest.Code(s.Logins)+`"}`)
				cookie, _, _ := strings.Cut(a.Header.Get("Set-Cookie"), ";")
				statuses(400, func() servertest.Answer { return withCookie(t, s, cookie, "/v1/requests/"+id) })
			}},
		{"TIMED_OUT", "turned somebody away who may decide", // whose token cannot be looked up
			func(s *servertest.Service, id, boss string, fails *atomic.Pointer[error]) {
				blind.Store(&full)
				s.Do(t, boss, "GET", "/v1/requests/"+id, "")
				blind.Store(nil)
			}},
		{"APPROVED", "nobody decided in time", // a wrong token, and wrong codes
			func(s *servertest.Service, id, _ string, _ *atomic.Pointer[error]) {
				statuses(400, func() servertest.Answer { return s.Do(t, "pol_wrong", "GET", "/v1/requests/"+id, "") })
				statuses(400, func() servertest.Answer { return s.Do(t, "", "POST", "/v1/login", `{"code":"x"}`) })
			}},
		{"APPROVED", "nobody decided in time", // what a client itself does wrong
			func(s *servertest.Service, id, boss string, _ *atomic.Pointer[error]) {
				for _, query := range []string{"?q=%00", "?q=a%00b", "?session=%00", "?agent=%00", "?rule=%00", "?decided_by=%00", "?before=%00", "?submitter=%00", "?kind=%00", "?alike=%00", "?q=%ff"} {
					if a := s.Do(t, boss, "GET", "/v1/requests"+query, ""); a.Status != 400 {
						t.Errorf("%s: %d %s", query, a.Status, a.Text)
					}
				}
				if a := s.Do(t, boss, "POST", "/v1/session-denials", `{"session":"a\u0000b"}`); a.Status != 400 {
					t.Errorf("a session: %d %s", a.Status, a.Text)
				}
				s.Do(t, boss, "POST", "/v1/requests/"+id+"/decision", `{"decision":`)
				s.Do(t, boss, "POST", "/v1/requests/"+id+"/decision", `{"decision":"rejected","reason":"\u0000"}`+"{")
			}},
		{"TIMED_OUT", "was not running all that time",
			func(s *servertest.Service, _, _ string, _ *atomic.Pointer[error]) {
				s.Skip(time.Second)
				*s.Reach = *backend.NewReach(s.Now())
			}},
	} {
		var fails atomic.Pointer[error]
		s := servertest.New(t, servertest.Options{
			Config:  usual,
			Data:    func(d backend.Data) backend.Data { return unknowing{broken{d, &fails}, &blind} },
			Service: func(o *approval.Options) { o.Judge = tolerant{o.Judge} },
		})
		s.Freeze()
		agent, boss := s.Token(t, "agent", "submit"), s.Token(t, "boss", "approve")
		id := submit(t, s, agent, push)
		row.meanwhile(s, id, boss, &fails)
		s.Skip(301 * time.Second)
		r, err := s.Service.Get(t.Context(), id)
		if err != nil || string(r.State) != row.want || !strings.Contains(r.Decision.Reason, row.why) {
			t.Errorf("%s %s: %+v, %v", row.want, row.why, r.Decision, err)
		}
	}
}

// decisions returns how long decisions take, one after the other.
func decisions(t testing.TB, s *servertest.Service, n int) []time.Duration {
	agent, boss := s.Token(t, "agent", "submit"), s.Token(t, "boss", "approve")
	var took []time.Duration
	for range n {
		id := submit(t, s, agent, push)
		began := time.Now()
		if a := s.Do(t, boss, "POST", "/v1/requests/"+id+"/decision", approveOnce); a.Status != 200 {
			t.Fatalf("%d %s", a.Status, a.Text)
		}
		took = append(took, time.Since(began))
		s.Do(t, agent, "POST", "/v1/sessions/s1/end", "")
	}
	return took
}

// replay has so many clients without a token read all events again and again.
func replay(t testing.TB, s *servertest.Service, n int) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	by := overSocket(t, s)
	for range n {
		all.Go(func() {
			for ctx.Err() == nil {
				q, _ := http.NewRequestWithContext(ctx, "GET", "http://localhost/v1/events?last_event_id=0", nil)
				res, err := by.RoundTrip(q)
				if err != nil {
					continue
				}
				text := make([]byte, 64<<10)
				for sum := 0; sum < 1<<20 && err == nil; {
					var k int
					k, err = res.Body.Read(text)
					sum += k
				}
				res.Body.Close()
			}
		})
	}
	return func() { cancel(); all.Wait() }
}

// The time of a decision, alone and beside 32 streams of clients without a
// token that read all events.
func BenchmarkDecisionUnderReplay(b *testing.B) {
	s := servertest.New(b, servertest.Options{Service: func(o *approval.Options) { o.MaxPending, o.MaxSubmitted = 1e6, 1e6 }})
	agent := s.Token(b, "agent", "submit")
	for range 5000 {
		submit(b, s, agent, push)
	}
	s.Do(b, agent, "POST", "/v1/sessions/s1/end", "")
	for _, streams := range []int{0, 32} {
		b.Run("", func(b *testing.B) {
			stop := replay(b, s, streams)
			defer stop()
			time.Sleep(200 * time.Millisecond)
			took := decisions(b, s, 100)
			b.ReportMetric(float64(streams), "streams")
			b.ReportMetric(float64(percentile(took, 50).Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(percentile(took, 95).Microseconds())/1000, "p95-ms")
		})
	}
}
