package approval

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A chat is an approver that was told of requests.
type chat struct {
	id   string
	told *[]string
}

func (c chat) Info() ApproverInfo { return ApproverInfo{ID: c.id, Source: Human} }

func (c chat) Ask(_ context.Context, r *Request, _ func(context.Context, string, Answer) error) error {
	*c.told = append(*c.told, c.id+" "+r.ID)
	return nil
}

func (c chat) Webhook() http.Handler { return nil }

// withChats has a service with two chats, and what they were told.
func withChats(t *testing.T) (*rig, *[]string) {
	r, told := newRig(t), new([]string)
	r.o.Approvers = append(r.o.Approvers, chat{"phone", told}, chat{"slack", told})
	return r, told
}

// Where a rule names a way to decide, only who comes that way counts; the queue is open to
// all.
func TestWaysToDecide(t *testing.T) {
	for _, row := range []struct {
		wants, by string
		may       bool
	}{
		{"phone", "phone:ann", true}, {"phone", "slack:ann", false}, {"phone", "token:ann", false}, {"phone", "token:phone", false},
		{"phone", "phone", false}, {"phone", "phones:ann", false}, {"phone", "Phone:ann", false},
		{"phone,slack", "slack:ann", true}, {"phone,slack", "token:ann", false}, {"phone,ann", "token:ann", true}, {"phone,ann", "slack:ann", true},
		{"ann", "phone:ann", true}, {"ann", "phone:ben", false},
		{Queue, "phone:ben", true}, {Queue + ",phone", "token:ben", true}, {"", "anybody", true},
	} {
		r, _ := withChats(t)
		r.judge.terms = policy.AskTerms{Timeout: time.Minute, Approver: row.wants}
		q := r.submit("make")
		if q.State != Pending {
			t.Fatalf("%+v: %+v", row, q.Decision)
		}
		_, err := r.Decide(t.Context(), q.ID, row.by, once)
		if row.may != (err == nil) || !row.may && !errors.Is(err, ErrNotApprover) {
			t.Errorf("%+v: %v", row, err)
		}
	}
}

// A test goes to one approver whatever the policy says, and stores nothing.
func TestTry(t *testing.T) {
	r, told := withChats(t)
	r.judge.terms = policy.AskTerms{Timeout: time.Hour, Approver: "slack", OnTimeout: policy.Allow}
	q, err := r.Try(t.Context(), "token:ben", "phone", time.Minute)
	if err != nil || q.State != Pending || q.Kind != KindTest || q.OnTimeout != TimedOut || q.Expires.Sub(q.Created) != time.Minute || len(q.Offers) != 1 {
		t.Fatalf("%+v, %v", q, err)
	}
	if len(*told) != 1 || (*told)[0] != "phone "+q.ID {
		t.Errorf("told: %v", *told)
	}
	for _, by := range []string{"token:ben", "slack:ann", "token:ann"} {
		if _, err := r.Decide(t.Context(), q.ID, by, once); !errors.Is(err, ErrNotApprover) && !errors.Is(err, ErrSelf) {
			t.Errorf("%s: %v", by, err)
		}
	}
	if got, err := r.Decide(t.Context(), q.ID, "phone:ann", once); err != nil || got.State != Approved || len(got.Decision.Saved) > 0 {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := r.Get(t.Context(), q.ID); err != nil || got.Kind != KindTest || !strings.Contains(got.Title, "nothing runs") {
		t.Errorf("%+v, %v", got, err)
	}
	for _, row := range []struct {
		name    string
		timeout time.Duration
	}{{"nobody", time.Minute}, {"phone", time.Millisecond}, {"phone", 48 * time.Hour}} {
		if _, err := r.Try(t.Context(), "token:ben", row.name, row.timeout); err == nil {
			t.Errorf("%+v: no error", row)
		}
	}
}
