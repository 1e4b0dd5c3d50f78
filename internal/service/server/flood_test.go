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

// tolerant is a judge under whose policy silence allows.
type tolerant struct{ judge }

type judge = approval.Judge

func (j tolerant) Judge(ctx context.Context, c *policy.Call) (policy.Verdict, []approval.Offer, error) {
	v, offers, err := j.judge.Judge(ctx, c)
	if v.Ask != nil {
		v.Ask.OnTimeout = policy.Allow
	}
	return v, offers, err
}

// Silence allows only where somebody could have spoken.
func TestSilenceOfTheUnreachable(t *testing.T) {
	full := errors.New("the disk is full")
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
		{"TIMED_OUT", "was not running all that time",
			func(s *servertest.Service, _, _ string, _ *atomic.Pointer[error]) {
				s.Skip(time.Second)
				*s.Reach = *backend.NewReach(s.Now())
			}},
	} {
		var fails atomic.Pointer[error]
		s := servertest.New(t, servertest.Options{
			Config:  usual,
			Data:    func(d backend.Data) backend.Data { return broken{d, &fails} },
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
