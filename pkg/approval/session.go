package approval

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/support/redact"
	"github.com/policyctl/policyctl/pkg/audit"
)

// A SessionDenial says that all requests of a session are denied, until a time
// or until somebody ends it. It denies in the name of who made it: what they
// submitted themselves, and what the policy has another approver decide, waits
// as before. What the policy allows by itself needs no approval and goes on.
type SessionDenial struct {
	Session string    `json:"session"`
	By      string    `json:"denied_by"`
	At      time.Time `json:"denied_at"`
	// Until is when it ends by itself, nil for never. That a session has ended
	// is no end of it, since submitters say so, who could begin it anew.
	Until *time.Time `json:"until"`
	// Reason is for the agent, "" for none.
	Reason string `json:"reason,omitempty"`
	// Denied is how many requests were pending and denied when it was made.
	Denied int `json:"denied"`
}

// stands reports whether the denial is not over.
func (d *SessionDenial) stands(now time.Time) bool { return d.Until == nil || now.Before(*d.Until) }

// answer is what it says to each request.
func (d *SessionDenial) answer() Answer { return Answer{Word: Rejected, Reason: d.reason()} }

func (d *SessionDenial) reason() string {
	text := "all requests of this session are denied"
	if d.Until != nil {
		text += " until " + d.Until.UTC().Format(time.RFC3339)
	}
	if d.Reason != "" {
		text += ": " + d.Reason
	}
	return text
}

// maxSessionDenial bounds how long the denial of a session lasts that has an
// end.
const maxSessionDenial = 365 * 24 * time.Hour

// DenySession denies what is pending of a session, and what comes of it until
// a time; the zero time has no end. It replaces the denial that stands.
func (s *Service) DenySession(ctx context.Context, session, by, reason string, until time.Time) (SessionDenial, error) {
	now := s.now()
	if len(reason) <= maxReason { // else it is refused
		reason, _ = redact.Text(reason)
	}
	d := SessionDenial{Session: session, By: by, At: now, Reason: reason}
	switch {
	case session == "":
		return d, &Invalid{"session: missing"}
	case strings.Contains(session, "\x00"):
		return d, &Invalid{"session: it has a NUL"}
	case len(session) > maxName:
		return d, &Invalid{fmt.Sprintf("session: %d bytes are more than %d", len(session), maxName)}
	case len(reason) > maxReason/2: // beside which more is said
		return d, &Invalid{fmt.Sprintf("reason: %d bytes are more than %d", len(reason), maxReason/2)}
	case !until.IsZero() && !until.After(now):
		return d, &Invalid{"until: it is over already"}
	case until.Sub(now) > maxSessionDenial:
		return d, &Invalid{"until: it is more than a year away: leave it out for a denial without an end"}
	}
	if !until.IsZero() {
		until = until.UTC().Truncate(time.Microsecond)
		d.Until = &until
	}
	if err := s.o.Store.PutSessionDenial(ctx, d, d.entry("denied")); err != nil {
		return d, err
	}
	s.places.forget() // who submits from now on finds the denial at once
	// Who submits looks for denials when a request is stored and, if there are any, after
	// that; and this looks for requests after the denial is stored: one of the two sees
	// the other, whatever instance of the service each is.
	var err error
	d.Denied, err = s.denyPending(context.WithoutCancel(ctx), &d) // else some would stay
	return d, err
}

// ReleaseSession ends the denial of a session, or returns ErrNotFound. What was
// denied stays denied.
func (s *Service) ReleaseSession(ctx context.Context, session, by string) error {
	d, err := s.o.Store.SessionDenial(ctx, session)
	if err != nil {
		return err
	}
	if d == nil {
		return ErrNotFound
	}
	e := d.entry("released")
	e.Actor, e.Time = by, s.now()
	return s.o.Store.DropSessionDenial(ctx, session, e)
}

// SessionDenials lists the denials that stand, the newest first.
func (s *Service) SessionDenials(ctx context.Context) ([]SessionDenial, error) {
	all, err := s.o.Store.SessionDenials(ctx)
	now, out := s.now(), []SessionDenial{}
	for i := range all {
		if all[i].stands(now) {
			out = append(out, all[i])
		}
	}
	return out, err
}

// entry is what the audit log records of a denial.
func (d *SessionDenial) entry(change string) audit.Entry {
	e := audit.Entry{
		Time: d.At, Kind: audit.KindSession, Actor: d.By, Session: d.Session, Reason: d.Reason,
		Detail: map[string]string{"change": change},
	}
	if d.Until != nil {
		e.Detail["until"] = d.Until.Format(time.RFC3339)
	}
	return e
}

// resumeDenials denies what came between a denial and the end of the service.
func (s *Service) resumeDenials(ctx context.Context) error {
	all, err := s.SessionDenials(ctx)
	if err != nil {
		return err
	}
	for i := range all {
		if _, err := s.denyPending(ctx, &all[i]); err != nil {
			return err
		}
	}
	return nil
}

// denyPending denies what is pending of a session, and returns how many.
func (s *Service) denyPending(ctx context.Context, d *SessionDenial) (n int, err error) {
	f := Filter{States: []State{Pending}, Session: d.Session, Limit: MaxLimit}
	for {
		list, err := s.o.Store.List(ctx, f)
		if err != nil {
			return n, err
		}
		for _, r := range list {
			f.Before = r.ID
			switch _, err := s.Decide(ctx, r.ID, d.By, d.answer()); {
			case err == nil:
				n++
			case errors.Is(err, ErrDecided), errors.Is(err, ErrSelf), errors.Is(err, ErrNotApprover), errors.Is(err, ErrDamaged):
			default:
				return n, err
			}
		}
		if len(list) < MaxLimit {
			return n, nil
		}
	}
}

// denies returns the decision of a denial about a request of its session, nil for none.
func (s *Service) denies(d *SessionDenial, r *Request) *Decision {
	now := s.now()
	if d == nil || !d.stands(now) || samePerson(d.By, r.Submitter) || !s.mayDecide(r, d.By) {
		return nil
	}
	return &Decision{Word: Rejected, By: d.By, Source: Human, At: now, Reason: d.reason()}
}

// overtaken denies a request that was stored while its session was denied.
func (s *Service) overtaken(ctx context.Context, r *Request) (*Request, error) {
	if r.State != Pending || r.Session == "" {
		return r, nil
	}
	denial, err := s.o.Store.SessionDenial(ctx, r.Session)
	if err != nil {
		return r, err
	}
	d := s.denies(denial, r)
	if d == nil {
		return r, nil
	}
	decided, err := s.Decide(context.WithoutCancel(ctx), r.ID, d.By, Answer{Word: d.Word, Reason: d.Reason})
	if err != nil && !errors.Is(err, ErrDecided) {
		return nil, err
	}
	return decided, nil
}
