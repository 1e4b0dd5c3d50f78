package backend

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// A Verified is how far the audit log was verified, by whom and when. The zero value
// is not at all.
type Verified struct {
	// Records are as they were written, up to the one with the hash Head.
	Records int64
	Head    string
	At      time.Time
	By      string
	// Seq is where it first shows that the log was changed, and Problem how; 0 and
	// "" where it was not.
	Seq     int64
	Problem string
	// Running says that somebody verifies the log now: Done of All records.
	Running   bool
	Done, All int64
}

// auditPage is how many records of the log are read at once.
const auditPage = 1000

// errUnverified says that the log is still being verified.
var errUnverified = errors.New("the audit log is being verified")

// ErrVerifying says that somebody else verifies the log.
var ErrVerifying = errors.New("the audit log is being verified already")

// VerifyLog verifies the audit log at the start of the service; until then the log
// is not in order. The error says that it does not hold, or cannot be read.
func (b *Backend) VerifyLog(ctx context.Context) error {
	b.Health.Set("audit-log", errUnverified)
	v, err := b.Verify(ctx, "service", func() error { return nil })
	if err == nil && v.Problem != "" {
		err = &audit.Broken{Seq: v.Seq, Problem: v.Problem}
	}
	if err != nil {
		err = fmt.Errorf("the audit log does not hold: %w", err)
	}
	b.Health.Set("audit-log", err)
	return err
}

// Verify verifies the audit log as it is now, for somebody, and notes in
// [Backend.Health] what comes of it. Before each page of the log it calls page. Only
// one at a time may: for others the error is [ErrVerifying].
func (b *Backend) Verify(ctx context.Context, by string, page func() error) (Verified, error) {
	if !b.Health.begin() {
		return Verified{}, ErrVerifying
	}
	v, err := b.verify(ctx, page)
	if err == nil {
		v.At, v.By = b.Now().UTC(), by
	}
	return b.Health.end(v, err), err
}

// Verified returns how far the log was verified.
func (b *Backend) Verified() Verified {
	b.Health.mu.Lock()
	defer b.Health.mu.Unlock()
	return b.Health.verified
}

func (b *Backend) verify(ctx context.Context, page func() error) (out Verified, err error) {
	var v audit.Verifier
	var course approval.Course
	var broken *audit.Broken
	last := int64(math.MaxInt64)
	head, err := b.Data.AuditHead(ctx)
	switch {
	case err != nil && !errors.As(err, &broken):
		return out, err
	case err != nil: // the last record is damaged: another may be before it
		broken = nil
	case head == nil:
		last = 0
	default:
		last = head.Seq
	}
	for at := int64(0); at < last; {
		if err := page(); err != nil {
			return out, err
		}
		list, err := b.Data.Audit(ctx, at, int(min(auditPage, last-at)))
		if wrong := checkPage(list, &v, &course); wrong != nil {
			err = wrong
		}
		if errors.As(err, &broken) {
			break
		}
		if err != nil {
			return out, err
		}
		if len(list) == 0 {
			return out, fmt.Errorf("the audit log has no record behind %d, and the last one is %d", at, last)
		}
		at = list[len(list)-1].Seq
		b.Health.advance(at, last)
	}
	if broken == nil {
		errors.As(v.End(), &broken)
	}
	if out.Records, out.Head = v.Head(); broken != nil {
		out.Seq, out.Problem = broken.Seq, broken.Problem
	}
	return out, nil
}

func checkPage(list []*audit.Record, v *audit.Verifier, course *approval.Course) error {
	for _, r := range list {
		if err := v.Check(r); err != nil {
			return err
		}
		if err := course.Check(r); err != nil {
			return err
		}
	}
	return nil
}

// begin notes that a verification runs, unless another one does.
func (h *Health) begin() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.verified.Running {
		return false
	}
	h.verified.Running, h.verified.Done, h.verified.All = true, 0, 0
	return true
}

func (h *Health) advance(done, all int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.verified.Done, h.verified.All = done, all
}

// end notes what came of a verification; of one that failed, nothing.
func (h *Health) end(v Verified, err error) Verified {
	h.mu.Lock()
	if err != nil {
		v = h.verified
	}
	v.Running, v.Done, v.All = false, 0, 0
	h.verified = v
	h.mu.Unlock()
	switch {
	case err != nil:
	case v.Problem != "":
		h.Set("audit-log", &audit.Broken{Seq: v.Seq, Problem: v.Problem})
	default:
		h.Set("audit-log", nil)
	}
	return v
}
