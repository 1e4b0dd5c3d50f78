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
	// Records is the number of the record up to which all are as they were written, and
	// Head its hash. Those up to Base were cut off, 0 for none.
	Records int64
	Base    int64
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

// verify verifies the log from where it begins, and again if that moved meanwhile.
func (b *Backend) verify(ctx context.Context, page func() error) (Verified, error) {
	for {
		v, err := Begin(ctx, b.Data)
		if err == nil {
			err = b.verifyFrom(ctx, v, page)
		}
		if err == nil {
			err = v.End()
		}
		if Overtaken(ctx, b.Data, v, err) {
			continue
		}
		var broken *audit.Broken
		if err != nil && !errors.As(err, &broken) {
			return Verified{}, err
		}
		out := Verified{Base: SeqOf(v.Base())}
		if out.Records, out.Head = v.Head(); broken != nil {
			out.Seq, out.Problem = broken.Seq, broken.Problem
		}
		out.Records = max(out.Records, out.Base) // also where nothing was verified
		return out, nil
	}
}

// Overtaken reports whether the log was cut while a verifier went through it, so that
// the error it found says nothing.
func Overtaken(ctx context.Context, data Base, v *approval.Verifier, err error) bool {
	var broken *audit.Broken
	if !errors.As(err, &broken) && !errors.Is(err, ErrCut) {
		return false
	}
	base, err := data.AuditBase(ctx)
	return err == nil && SeqOf(base) != SeqOf(v.Base())
}

// SeqOf returns the number of the record of a checkpoint, 0 for none.
func SeqOf(c *audit.Checkpoint) int64 {
	if c == nil {
		return 0
	}
	return c.Seq
}

// Follows reports whether a record holds the hash of what is before it: a record, or the
// checkpoint behind which the log begins; nil for none.
func Follows(r, before *audit.Record, base *audit.Checkpoint) bool {
	switch {
	case before != nil:
		return before.Hash == r.Prev
	case base != nil:
		return base.Seq == r.Seq-1 && base.Hash == r.Prev
	}
	return r.Seq == 1
}

// verifyFrom verifies what is in the log now, from where a verifier begins.
func (b *Backend) verifyFrom(ctx context.Context, v *approval.Verifier, page func() error) error {
	from, _ := v.Head()
	last := int64(math.MaxInt64)
	head, err := b.Data.AuditHead(ctx)
	var broken *audit.Broken
	switch {
	case err != nil && !errors.As(err, &broken):
		return err
	case err != nil: // the last record is damaged: another may be before it
	case head == nil:
		last = 0
	default:
		last = head.Seq
	}
	for at := from; at < last; {
		if err := page(); err != nil {
			return err
		}
		after := at
		if at == from {
			after = 0 // what was added before the first record shows
		}
		list, err := b.Data.Audit(ctx, after, int(min(auditPage, last-at)))
		for _, r := range list {
			if err := v.Check(r); err != nil {
				return err
			}
		}
		if err != nil {
			return err
		}
		if len(list) == 0 && broken != nil {
			return broken
		}
		if len(list) == 0 {
			return fmt.Errorf("the audit log has no record behind %d, and the last one is %d", at, last)
		}
		at = list[len(list)-1].Seq
		b.Health.advance(at, last)
	}
	return nil
}

// A Base is a store that knows where its audit log begins.
type Base interface {
	AuditBase(ctx context.Context) (*audit.Checkpoint, error)
}

// ErrCut says that a part of the audit log was cut off before it was read.
var ErrCut = errors.New("the beginning of the audit log was cut off while it was read: try again")

// CutMeanwhile returns [ErrCut] if a page of the log does not follow what was read up to a
// record because that was cut off meanwhile.
func CutMeanwhile(ctx context.Context, d Base, after int64, page []*audit.Record) error {
	if after == 0 || len(page) == 0 || page[0].Seq == after+1 {
		return nil
	}
	base, err := d.AuditBase(ctx)
	if err == nil && SeqOf(base) > after {
		err = ErrCut
	}
	return err
}

// Begin returns what verifies an audit log, from where it begins: behind its first record,
// or behind the checkpoint up to which it was cut off. The error is an [*audit.Broken] where
// none of the service's keys vouches for that.
func Begin(ctx context.Context, d interface {
	Base
	Keys(ctx context.Context) ([]approval.Key, error)
}) (*approval.Verifier, error) {
	v := &approval.Verifier{}
	base, err := d.AuditBase(ctx)
	if err != nil || base == nil {
		return v, err
	}
	keys, err := d.Keys(ctx)
	if err != nil {
		return v, err
	}
	return v, v.Begin(base, approval.KeysOf(keys...))
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
