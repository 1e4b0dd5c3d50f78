package api

import (
	"errors"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"time"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/webguard"
	"github.com/policyctl/policyctl/pkg/audit"
)

// auditPage is how many records are read from the store at once, and the most
// that an answer has.
const auditPage = 1000

func (a *API) audit(x *route.Exchange) error {
	f, err := x.AuditFilter()
	if err != nil {
		return err
	}
	f.OldestFirst = !x.Query.Has("before")
	limit, err := x.Number("limit", 100, 1, auditPage)
	if err != nil {
		return err
	}
	f.Limit = int(limit)
	list, err := search(x, f)
	if err != nil {
		return err
	}
	out := struct {
		Records []*audit.Record `json:"records"`
		Next    *int64          `json:"next"`
	}{Records: append([]*audit.Record{}, list...)}
	if len(list) == f.Limit {
		out.Next = &list[len(list)-1].Seq
	}
	return x.Answer(http.StatusOK, out)
}

// A verification is what came of verifying the log.
type verification struct {
	OK      bool   `json:"ok"`
	Records int64  `json:"records"`
	Begins  int64  `json:"begins,omitempty"`
	Head    string `json:"head,omitempty"`
	Seq     int64  `json:"seq,omitempty"`
	Problem string `json:"problem,omitempty"`
	// At and By are absent where nobody verified the log yet.
	At *time.Time `json:"verified_at,omitempty"`
	By string     `json:"verified_by,omitempty"`
	// Running is what a verification that goes on has done.
	Running *progress `json:"running,omitempty"`
}

type progress struct {
	Done int64 `json:"done"`
	Of   int64 `json:"of"`
}

func verificationOf(v backend.Verified) verification {
	out := verification{OK: v.Problem == "" && !v.At.IsZero(), Records: v.Records - v.Base, Seq: v.Seq, Problem: v.Problem, By: v.By}
	if v.Base > 0 {
		out.Begins = v.Base + 1
	}
	if out.OK {
		out.Head = v.Head
	}
	if !v.At.IsZero() {
		out.At = &v.At
	}
	if v.Running {
		out.Running = &progress{v.Done, v.All}
	}
	return out
}

// verifyAudit reads the whole log, so that one at a time may.
func (a *API) verifyAudit(x *route.Exchange) error {
	v, err := x.Verify(x.Context(), x.Who.Name, func() error { return webguard.Hold(x.W, pageTime) })
	if errors.Is(err, backend.ErrVerifying) {
		return route.Refuse(http.StatusServiceUnavailable, "busy", err.Error(), "wait for that, and try again")
	}
	if err != nil {
		return err
	}
	return x.Answer(http.StatusOK, verificationOf(v))
}

// verifiedAudit says how far the log was verified.
func (a *API) verifiedAudit(x *route.Exchange) error {
	return x.Answer(http.StatusOK, verificationOf(x.Verified()))
}

// pageTime is how long a client may take for a page of the log.
const pageTime = 30 * time.Second

// records yields what a filter chooses of the log as it is now, the oldest first, so
// that it ends.
func records(x *route.Exchange, f audit.Filter) iter.Seq2[*audit.Record, error] {
	return func(yield func(*audit.Record, error) bool) {
		head, err := x.Data.AuditHead(x.Context())
		if err != nil {
			yield(nil, err)
			return
		}
		if head == nil {
			return
		}
		all := f == audit.Filter{}
		f.OldestFirst, f.Before = true, head.Seq+1
		for more := true; more && f.After < head.Seq; {
			f.Limit = int(min(auditPage, head.Seq-f.After))
			page, err := readPage(x, f)
			if err == nil && all && len(page) == 0 {
				err = fmt.Errorf("the audit log has no record behind %d, and the last one is %d", f.After, head.Seq)
			}
			if all && err == nil {
				if err = backend.CutMeanwhile(x.Context(), x.Data, f.After, page); err != nil {
					page = nil
				}
			}
			for _, r := range page {
				if !yield(r, nil) {
					return
				}
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if more = len(page) > 0; more {
				f.After = page[len(page)-1].Seq
			}
		}
	}
}

func readPage(x *route.Exchange, f audit.Filter) ([]*audit.Record, error) {
	if err := webguard.Hold(x.W, pageTime); err != nil {
		return nil, err
	}
	return search(x, f)
}

// search returns what a filter chooses. All of the log is read as it is verified.
func search(x *route.Exchange, f audit.Filter) ([]*audit.Record, error) {
	plain := audit.Filter{After: f.After, Before: f.Before, OldestFirst: true, Limit: f.Limit}
	if f == plain {
		list, err := x.Data.Audit(x.Context(), f.After, f.Limit)
		if n := len(list); f.Before > 0 && n > 0 && list[n-1].Seq >= f.Before {
			list = slices.DeleteFunc(list, func(r *audit.Record) bool { return r.Seq >= f.Before })
		}
		return list, err
	}
	return x.Data.SearchAudit(x.Context(), f)
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
