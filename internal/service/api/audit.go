package api

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"net/http"
	"time"

	"github.com/policyctl/policyctl/internal/service/webguard"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// auditPage is how many records are read from the store at once, and the most
// that an answer has.
const auditPage = 1000

func (a *API) audit(x *exchange) error {
	after, err := x.number("after", 0, 0, math.MaxInt64)
	if err != nil {
		return err
	}
	limit, err := x.number("limit", 100, 1, auditPage)
	if err != nil {
		return err
	}
	records, err := a.b.Data.Audit(x.context(), after, int(limit))
	if err != nil {
		return err
	}
	out := struct {
		Records []*audit.Record `json:"records"`
		Next    *int64          `json:"next"`
	}{Records: append([]*audit.Record{}, records...)}
	if len(records) == int(limit) {
		out.Next = &records[len(records)-1].Seq
	}
	return x.answer(http.StatusOK, out)
}

// A verification is what came of verifying the log.
type verification struct {
	OK      bool   `json:"ok"`
	Records int64  `json:"records"`
	Head    string `json:"head,omitempty"`
	Seq     int64  `json:"seq,omitempty"`
	Problem string `json:"problem,omitempty"`
}

// verifyAudit reads the whole log, so that one at a time may.
func (a *API) verifyAudit(x *exchange) error {
	select {
	case a.check <- struct{}{}:
		defer func() { <-a.check }()
	default:
		return &refusal{http.StatusServiceUnavailable, "busy", "the log is being verified already", "wait for that, and try again", nil}
	}
	var v audit.Verifier
	var course approval.Course
	var broken *audit.Broken
	for r, err := range a.records(x) {
		if err == nil {
			err = v.Check(r)
		}
		if err == nil {
			err = course.Check(r)
		}
		if errors.As(err, &broken) {
			break
		}
		if err != nil {
			return err
		}
	}
	n, head := v.Head()
	if broken != nil || errors.As(v.End(), &broken) {
		return x.answer(http.StatusOK, verification{Records: n, Seq: broken.Seq, Problem: broken.Problem})
	}
	return x.answer(http.StatusOK, verification{OK: true, Records: n, Head: head})
}

// pageTime is how long a client may take for a page of the log.
const pageTime = 30 * time.Second

// records yields the log as it is now, so that it ends.
func (a *API) records(x *exchange) iter.Seq2[*audit.Record, error] {
	return func(yield func(*audit.Record, error) bool) {
		head, err := a.b.Data.AuditHead(x.context())
		if err != nil {
			yield(nil, err)
			return
		}
		for at := int64(0); head != nil && at < head.Seq; {
			page, err := a.page(x.context(), x.w, at, head.Seq)
			for _, r := range page {
				if !yield(r, nil) {
					return
				}
			}
			if err != nil {
				yield(nil, err)
				return
			}
			at = page[len(page)-1].Seq
		}
	}
}

// page reads records behind one, up to another.
func (a *API) page(ctx context.Context, w http.ResponseWriter, after, last int64) ([]*audit.Record, error) {
	if err := webguard.Hold(w, pageTime); err != nil {
		return nil, err
	}
	page, err := a.b.Data.Audit(ctx, after, int(min(auditPage, last-after)))
	if err == nil && len(page) == 0 {
		err = fmt.Errorf("the audit log has no record behind %d, and the last one is %d", after, last)
	}
	return page, err
}

func (a *API) checkpoint(x *exchange) error {
	last, err := a.b.Data.AuditHead(x.context())
	if err != nil {
		return err
	}
	c, err := a.b.Service.Checkpoint(x.r.Context(), last)
	if err != nil {
		return err
	}
	return x.answer(http.StatusOK, c)
}
