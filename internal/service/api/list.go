package api

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net/http"
	"time"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/webguard"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// A requestList is a page of requests. Next is the id to go on before.
type requestList struct {
	Requests []shown `json:"requests"`
	Next     *string `json:"next"`
}

func (a *API) listRequests(x *route.Exchange) error {
	f, err := filterOf(x)
	if err != nil {
		return err
	}
	out := requestList{Requests: []shown{}}
	if !x.Who.Scopes.Has(auth.Read) && !x.Who.Scopes.Has(auth.Approve) {
		if f.Submitter != "" && f.Submitter != x.Who.Name {
			return x.Answer(http.StatusOK, out)
		}
		f.Submitter = x.Who.Name
	}
	list, err := x.Service.List(x.Context(), f)
	if err != nil {
		return err
	}
	for _, r := range list {
		if seen, ok := backend.Views(x.Who, r); ok {
			out.Requests = append(out.Requests, shownOf(seen))
		}
	}
	if len(list) == f.Limit {
		out.Next = &list[len(list)-1].ID
	}
	return x.Answer(http.StatusOK, out)
}

// filterOf reads which requests are asked for.
func filterOf(x *route.Exchange) (approval.Filter, error) {
	f, err := x.RequestFilter()
	if err != nil {
		return f, err
	}
	limit, err := x.Number("limit", approval.DefaultLimit, 1, approval.MaxLimit)
	f.Limit = int(limit)
	return f, err
}

// requestFormats are those of the export of requests.
var requestFormats = map[string]format[shown]{
	"jsonl": {"application/jsonl", writeLines},
	"csv":   {"text/csv; charset=utf-8", writeTable},
}

func (a *API) exportRequests(x *route.Exchange) error {
	format, err := formatOf(x, requestFormats, "requests")
	if err != nil {
		return err
	}
	f, err := x.RequestFilter()
	if err != nil {
		return err
	}
	f.Limit = approval.MaxLimit
	return export(x, func(w io.Writer) error { return format.write(w, requests(x, f)) })
}

// requests yields what a filter chooses, the newest first.
func requests(x *route.Exchange, f approval.Filter) iter.Seq2[shown, error] {
	return func(yield func(shown, error) bool) {
		for more := true; more; {
			err := webguard.Hold(x.W, pageTime)
			var list []*approval.Request
			if err == nil {
				list, err = x.Service.List(x.Context(), f)
			}
			if err != nil {
				yield(shown{}, err)
				return
			}
			for _, r := range list {
				if seen, ok := backend.Views(x.Who, r); ok && !yield(shownOf(seen), nil) {
					return
				}
			}
			if more = len(list) > 0; more {
				f.Before = list[len(list)-1].ID
			}
		}
	}
}

func writeLines(w io.Writer, all iter.Seq2[shown, error]) error {
	out := bufio.NewWriter(w)
	lines := json.NewEncoder(out)
	for r, err := range all {
		if err == nil {
			err = lines.Encode(r)
		}
		if err != nil {
			return errors.Join(err, out.Flush())
		}
	}
	return out.Flush()
}

// requestColumns are the header of the table of requests.
var requestColumns = []string{
	"id", "asked", "state", "title", "tool", "agent", "session", "dir", "submitter", "stage", "rule", "why", "decision", "decided_by", "decided_at", "reason",
}

func writeTable(w io.Writer, all iter.Seq2[shown, error]) error {
	out := bufio.NewWriter(w)
	audit.WriteCells(out, requestColumns)
	for r, err := range all {
		if err != nil {
			return errors.Join(err, out.Flush())
		}
		var d approval.Decision
		decided := ""
		if r.Decision != nil {
			d, decided = *r.Decision, r.Decision.At.Format(time.RFC3339Nano)
		}
		audit.WriteCells(out, []string{
			r.ID, r.Created.Format(time.RFC3339Nano), string(r.State), r.Title, r.Tool, r.Agent, r.Session, r.Dir, r.Submitter,
			r.Asked.Stage, r.Asked.Rule, r.Asked.Why, string(d.Word), d.By, decided, d.Reason,
		})
	}
	return out.Flush()
}
