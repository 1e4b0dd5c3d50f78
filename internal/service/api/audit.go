package api

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"net/http"
	"time"

	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/webguard"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// auditPage is how many records are read from the store at once, and the most
// that an answer has.
const auditPage = 1000

func (a *API) audit(x *route.Exchange) error {
	after, err := x.Number("after", 0, 0, math.MaxInt64)
	if err != nil {
		return err
	}
	limit, err := x.Number("limit", 100, 1, auditPage)
	if err != nil {
		return err
	}
	records, err := x.Data.Audit(x.Context(), after, int(limit))
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
	return x.Answer(http.StatusOK, out)
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
func (a *API) verifyAudit(x *route.Exchange) error {
	select {
	case a.check <- struct{}{}:
		defer func() { <-a.check }()
	default:
		return route.Refuse(http.StatusServiceUnavailable, "busy", "the log is being verified already", "wait for that, and try again")
	}
	var v audit.Verifier
	var course approval.Course
	var broken *audit.Broken
	for r, err := range records(x) {
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
		return x.Answer(http.StatusOK, verification{Records: n, Seq: broken.Seq, Problem: broken.Problem})
	}
	return x.Answer(http.StatusOK, verification{OK: true, Records: n, Head: head})
}

// pageTime is how long a client may take for a page of the log.
const pageTime = 30 * time.Second

// records yields the log as it is now, so that it ends.
func records(x *route.Exchange) iter.Seq2[*audit.Record, error] {
	return func(yield func(*audit.Record, error) bool) {
		head, err := x.Data.AuditHead(x.Context())
		if err != nil {
			yield(nil, err)
			return
		}
		for at := int64(0); head != nil && at < head.Seq; {
			page, err := readPage(x, at, head.Seq)
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

// readPage reads records behind one, up to another.
func readPage(x *route.Exchange, after, last int64) ([]*audit.Record, error) {
	if err := webguard.Hold(x.W, pageTime); err != nil {
		return nil, err
	}
	page, err := x.Data.Audit(x.Context(), after, int(min(auditPage, last-after)))
	if err == nil && len(page) == 0 {
		err = fmt.Errorf("the audit log has no record behind %d, and the last one is %d", after, last)
	}
	return page, err
}

func (a *API) checkpoint(x *route.Exchange) error {
	last, err := x.Data.AuditHead(x.Context())
	if err != nil {
		return err
	}
	c, err := x.Service.Checkpoint(x.R.Context(), last)
	if err != nil {
		return err
	}
	return x.Answer(http.StatusOK, c)
}
