package approval

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/policyctl/policyctl/internal/support/redact"
	"github.com/policyctl/policyctl/pkg/audit"
)

// Consume uses a receipt: before the call runs, and once. by must be who
// submitted the request. What the policy denies by now, or another rule asks for, it
// refuses. What has been returned without an error is on disk.
func (s *Service) Consume(ctx context.Context, by, receipt string) (*Request, error) {
	c, err := s.redeemable(ctx, by, receipt)
	if err != nil {
		return nil, err
	}
	now := s.now()
	return s.update(ctx, c.Request, func(r *Request) ([]audit.Entry, error) {
		if err := r.usable(c, by, receipt, now); err != nil {
			return nil, err
		}
		r.Receipt.Consumed = &now
		e := r.entry(audit.KindConsumption, by, now)
		e.Detail = map[string]string{"receipt": c.ID}
		return []audit.Entry{e}, nil
	})
}

// Verify returns the claims of a receipt that [Service.Consume] would take now, and else
// the error that it would return. by is who would use it, "" for whoever submitted the
// request. It uses nothing.
func (s *Service) Verify(ctx context.Context, by, receipt string) (*Claims, error) {
	c, err := s.redeemable(ctx, by, receipt)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// claims returns those of a receipt, by the clock of the machine. It makes no
// allowance for other clocks: this one gave the receipt.
func (s *Service) claims(ctx context.Context, receipt string) (*Claims, error) {
	now := s.o.Now()
	c, err := s.Keys().Verify(receipt, now)
	if err != nil && s.takeKeys(ctx) == nil { // another instance may have signed it with a new key
		c, err = s.Keys().Verify(receipt, now)
	}
	if err == nil && now.Unix() >= c.Expires {
		return nil, fmt.Errorf("%w: it expired at %s", ErrReceipt, unix(c.Expires))
	}
	return c, err
}

// over says that the time of a receipt is over, which no clock that is set
// back undoes.
func (r *Issued) over(now time.Time) error {
	if now.Before(r.Expires) {
		return nil
	}
	return fmt.Errorf("%w: it expired at %s", ErrReceipt, r.Expires.Format(time.RFC3339))
}

// keep notes that a receipt may be used until a time.
func (s *Service) keep(until time.Time) {
	for {
		old := s.live.Load()
		if until.UnixNano() <= old || s.live.CompareAndSwap(old, until.UnixNano()) {
			return
		}
	}
}

// maxDetail bounds what an executor reports, in bytes.
const maxDetail = 16 << 10

// Report records what became of a call whose receipt was consumed. The same
// report again changes nothing.
func (s *Service) Report(ctx context.Context, id, by string, x Execution) (*Request, error) {
	if x.Outcome != Executed && x.Outcome != Failed {
		return nil, &Invalid{fmt.Sprintf("outcome: %q is neither EXECUTED nor FAILED", x.Outcome)}
	}
	if len(x.Detail) > maxDetail {
		return nil, &Invalid{fmt.Sprintf("detail: %d bytes are more than %d", len(x.Detail), maxDetail)}
	}
	x.At = s.now()
	x.Detail, _ = redact.Text(x.Detail) // what programs print
	r, err := s.update(ctx, id, func(r *Request) ([]audit.Entry, error) {
		switch {
		case r.Submitter != by:
			return nil, ErrNotFound
		case r.Execution != nil && r.Execution.same(&x):
			return nil, errRepeated
		case r.Execution != nil:
			return nil, ErrReported
		case r.State != Approved || r.Receipt == nil || r.Receipt.Consumed == nil:
			return nil, ErrNotConsumed
		}
		r.Execution = &x
		r.move(x.Outcome)
		e := r.entry(audit.KindExecution, by, x.At)
		e.ExecutionResult, e.Reason = string(x.Outcome), x.Detail
		if x.ExitCode != nil {
			e.Detail = map[string]string{"exit_code": fmt.Sprint(*x.ExitCode)}
		}
		return []audit.Entry{e}, nil
	})
	if errors.Is(err, errRepeated) {
		return s.Get(ctx, id)
	}
	return r, err
}

func (x *Execution) same(o *Execution) bool {
	return x.Outcome == o.Outcome && x.Detail == o.Detail &&
		(x.ExitCode == nil) == (o.ExitCode == nil) && (x.ExitCode == nil || *x.ExitCode == *o.ExitCode)
}

// Cancel ends a pending request because nobody wants to know any more. by
// must be who submitted it.
func (s *Service) Cancel(ctx context.Context, id, by string) (*Request, error) {
	return s.cancel(ctx, id, by, "the submitter has taken the request back")
}

// cancel takes a request back. One whose time is over is over: it ends as if
// nobody had asked for this, and the error is ErrDecided.
func (s *Service) cancel(ctx context.Context, id, by, why string) (*Request, error) {
	late := false
	r, err := s.update(ctx, id, func(r *Request) ([]audit.Entry, error) {
		switch {
		case r.Submitter != by:
			return nil, ErrNotFound
		case r.State != Pending:
			return nil, ErrDecided
		}
		if late = r.due(s.now()); late {
			return s.timeout(ctx, r)
		}
		r.move(Cancelled)
		e := r.entry(audit.KindCancellation, by, s.now())
		e.Reason = why
		return []audit.Entry{e}, nil
	})
	if err == nil && late {
		err = ErrDecided
	}
	return r, err
}

// EndSession cancels the pending requests that a submitter made in a session,
// and returns how many.
func (s *Service) EndSession(ctx context.Context, session, by string) (int, error) {
	if session == "" {
		return 0, &Invalid{"session: missing"}
	}
	n := 0
	for {
		list, err := s.o.Store.List(ctx, Filter{States: []State{Pending}, Session: session, Submitter: by, Limit: MaxLimit})
		if err != nil || len(list) == 0 {
			return n, err
		}
		for _, r := range list {
			switch _, err := s.cancel(ctx, r.ID, by, "the session has ended"); {
			case err == nil:
				n++
			case !errors.Is(err, ErrDecided):
				return n, err
			}
		}
	}
}

// Expire ends the requests whose time is over, and returns when the next one
// is; the zero time if none is pending.
func (s *Service) Expire(ctx context.Context) (next time.Time, err error) {
	for {
		ids, next, err := s.o.Store.Due(ctx, s.now(), MaxLimit)
		if err != nil || len(ids) == 0 {
			return next, err
		}
		ended := false
		for _, id := range ids {
			switch _, err := s.expire(ctx, id); {
			case errors.Is(err, ErrDamaged): // which is told, and ends nothing else
			case err != nil:
				return next, err
			default:
				ended = true
			}
		}
		if !ended {
			return next, nil
		}
	}
}

// expire ends a request whose time is over, and returns it as it stands.
func (s *Service) expire(ctx context.Context, id string) (*Request, error) {
	r, err := s.update(ctx, id, func(r *Request) ([]audit.Entry, error) {
		if !r.due(s.now()) {
			return nil, errRepeated
		}
		return s.timeout(ctx, r)
	})
	if errors.Is(err, errRepeated) {
		return s.o.Store.Get(ctx, id)
	}
	return r, err
}

// timeout is what happens when nobody decides.
func (s *Service) timeout(ctx context.Context, r *Request) ([]audit.Entry, error) {
	d := &Decision{By: serviceIdentity, Source: Timeout, At: s.now()}
	whole := r.Expires.Sub(r.Created)
	why := fmt.Sprintf("nobody decided within %s", whole)
	if t := s.tally(ctx, r); t != nil && len(t.Approved) > 0 {
		why = fmt.Sprintf("%s within %s, and that was not enough", t.Text(), whole)
	}
	allows := r.OnTimeout == Approved && !r.counts() && r.intact() == nil
	if allows && s.o.Unreachable != nil {
		if cause := s.o.Unreachable(r); cause != "" {
			allows, why = false, why+", and their silence allows nothing: "+cause
		}
	}
	if allows {
		if err := s.stands(ctx, r); err != nil {
			allows, why = false, why+", and their silence allows nothing: "+err.Error()
		}
	}
	if allows {
		d.Word, d.Scope = AutoApproved, Once
		d.Reason = "nobody decided in time, and the policy says on_timeout: allow"
		return s.conclude(ctx, r, d)
	}
	d.Word, d.Reason = Rejected, why
	r.move(TimedOut)
	r.Decision = d
	e := r.entry(audit.KindExpiry, serviceIdentity, d.At)
	e.Decision, e.Reason, e.DecidedBy, e.DecidedAt = string(d.Word), d.Reason, d.By, &d.At
	return []audit.Entry{e}, nil
}

// observe has the store remember the time where something is running out, so
// that a start after the clock was set back goes on from there.
func (s *Service) observe(ctx context.Context, last time.Time, pending bool) (time.Time, error) {
	const every = time.Second
	now := s.now()
	if now.Sub(last) < every || !pending && last.UnixNano() >= s.live.Load() {
		return last, nil
	}
	return now, s.o.Store.Observe(ctx, now)
}

// Run ends requests whose time is over, until ctx is done. failed is told of
// errors of the store; it tries again.
func (s *Service) Run(ctx context.Context, failed func(error)) {
	const sweepEvery, sweepPause = time.Hour, 10 * time.Millisecond
	const keysEvery = 5 * time.Second
	const longest = time.Second // also the time after which a jump of the clock is seen
	var observed, swept, looked time.Time
	for {
		next, err := s.Expire(ctx)
		if err == nil {
			observed, err = s.observe(ctx, observed, !next.IsZero())
		}
		if err == nil && s.owing.Load() {
			err = s.settleOwed(ctx)
		}
		if now := s.now(); err == nil && now.Sub(looked) >= keysEvery {
			looked, err = now, s.takeKeys(ctx)
		}
		more := false
		if now := s.now(); err == nil && now.Sub(swept) >= sweepEvery {
			if more, err = s.sweepOnce(ctx); !more {
				swept = now
			}
		}
		if err != nil && ctx.Err() == nil {
			failed(err)
		}
		pause := longest
		if err == nil && !next.IsZero() {
			pause = min(longest, max(time.Millisecond, next.Sub(s.now())))
		}
		if more && err == nil {
			pause = min(pause, sweepPause)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}
