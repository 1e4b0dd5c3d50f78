package api_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/auth/authtest"
	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

// The client of pkg/approval understands every answer of the service, and the
// errors that it has.
func TestClient(t *testing.T) {
	s := start(t)
	agent, boss := s.Client(t, s.Token(t, "agent", "submit")), s.Client(t, s.Token(t, "boss", "approve,read"))
	both := s.Client(t, s.Token(t, "agent", "approve"))
	ctx := t.Context()
	call := policy.Shell("git push", "/src")
	r, err := agent.Submit(ctx, approval.Submission{Key: "k", Call: call, Timeout: time.Minute})
	if err != nil || r.State != approval.Pending {
		t.Fatal(r, err)
	}
	same := func(name string, got, want error) {
		t.Helper()
		if !errors.Is(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	_, err = agent.Submit(ctx, approval.Submission{Key: "k", Call: policy.Shell("make", "/src")})
	same("another submission", err, approval.ErrMismatch)
	_, err = both.Decide(ctx, r.ID, approval.Answer{Word: approval.ApprovedOnce})
	same("self", err, approval.ErrSelf)
	_, err = agent.Get(ctx, "req_NONE")
	same("nothing", err, approval.ErrNotFound)
	_, err = agent.Report(ctx, r.ID, approval.Execution{Outcome: approval.Executed})
	same("a result too early", err, approval.ErrNotConsumed)
	if list, err := boss.List(ctx, approval.Filter{States: []approval.State{approval.Pending}, Limit: 10}); err != nil || len(list) != 1 || list[0].ID != r.ID {
		t.Errorf("list: %v %v", list, err)
	}
	waited := make(chan *approval.Request, 1)
	go func() {
		r, err := agent.Await(ctx, r.ID)
		if err != nil {
			t.Error(err)
		}
		waited <- r
	}()
	if _, err := boss.Decide(ctx, r.ID, approval.Answer{Word: approval.ApprovedOnce}); err != nil {
		t.Fatal(err)
	}
	stands, err := boss.Decide(ctx, r.ID, approval.Answer{Word: approval.Rejected})
	same("another decision", err, approval.ErrDecided)
	if stands == nil || stands.Decision.Word != approval.ApprovedOnce {
		t.Errorf("what stands: %+v", stands)
	}
	receipt := (<-waited).Receipt.Text
	_, err = agent.Consume(ctx, receipt+"x")
	same("a bad receipt", err, approval.ErrReceipt)
	if _, err := agent.Consume(ctx, receipt); err != nil {
		t.Error(err)
	}
	_, err = agent.Consume(ctx, receipt)
	same("a used receipt", err, approval.ErrConsumed)
	if _, err := agent.Report(ctx, r.ID, approval.Execution{Outcome: approval.Executed}); err != nil {
		t.Error(err)
	}
	stands, err = agent.Report(ctx, r.ID, approval.Execution{Outcome: approval.Failed})
	same("another result", err, approval.ErrReported)
	if stands == nil || stands.State != approval.Executed {
		t.Errorf("what stands: %+v", stands)
	}
	_, err = boss.Revoke(ctx, r.ID, "")
	same("taken back too late", err, approval.ErrConsumed)
	_, err = boss.Revoke(ctx, "req_NONE", "")
	same("taken back, and there is none", err, approval.ErrNotFound)
	stands, err = agent.Cancel(ctx, r.ID)
	same("cancelled too late", err, approval.ErrDecided)
	if stands == nil || stands.ID != r.ID {
		t.Errorf("what stands: %+v", stands)
	}
	var answer *approval.ServiceError
	if _, err := agent.Decide(ctx, r.ID, approval.Answer{Word: approval.Rejected}); !errors.As(err, &answer) || answer.Status != 403 || answer.Hint == "" {
		t.Errorf("without the scope: %v", err)
	}
}

// A gate lets a call run that somebody approved over HTTP, once.
func TestGate(t *testing.T) {
	s := start(t)
	agent, boss := s.Client(t, s.Token(t, "agent", "submit")), s.Client(t, s.Token(t, "boss", "approve,read"))
	keys, err := agent.Keys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		allowed bool
		word    approval.Word
	}{{true, approval.ApprovedOnce}, {false, approval.Rejected}, {false, approval.RequestMore}} {
		ctx, cancel := context.WithCancel(t.Context())
		go decideAll(ctx, t, boss, row.word)
		gate := approval.Gate{Engine: s.Decider.Engine, Desk: agent, Keys: keys}
		grant, err := gate.Authorize(ctx, policy.NewSession("s"), policy.Shell("git push", "/src"))
		cancel()
		if err != nil || grant.Allowed != row.allowed || grant.DecidedBy() != approval.Human {
			t.Errorf("%s: %+v %v", row.word, grant, err)
		}
		if err := grant.Report(t.Context(), approval.Execution{Outcome: approval.Executed}); err != nil {
			t.Errorf("%s: %v", row.word, err)
		}
	}
}

// decideAll decides what is pending until ctx ends.
func decideAll(ctx context.Context, t *testing.T, boss *approval.Client, word approval.Word) {
	for ctx.Err() == nil {
		list, err := boss.List(ctx, approval.Filter{States: []approval.State{approval.Pending}})
		if err != nil && ctx.Err() == nil {
			t.Error(err)
		}
		for _, r := range list {
			_, _ = boss.Decide(ctx, r.ID, approval.Answer{Word: word}) // the gate reports whether it worked
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// The login of a browser ends by its cookie.
func TestLogoutByCookie(t *testing.T) {
	s := start(t)
	login, err := s.Logins.Exchange(authtest.Code(s.Logins))
	if err != nil {
		t.Fatal(err)
	}
	send := func(method, path string) int {
		r, err := http.NewRequest(method, s.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Cookie", "other=1; policyctl_session="+login.Cookie)
		return servertest.Send(t, http.DefaultTransport, r).Status
	}
	if got := send("GET", "/v1/whoami"); got != 200 {
		t.Errorf("before: %d", got)
	}
	if got := send("POST", "/v1/logout"); got != 200 {
		t.Errorf("the end: %d", got)
	}
	if got := send("GET", "/v1/whoami"); got != 401 {
		t.Errorf("after: %d", got)
	}
}
