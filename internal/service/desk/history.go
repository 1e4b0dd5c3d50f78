package desk

import (
	"html/template"
	"net/url"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/pkg/approval"
)

// A filter is what a list was asked for, as its form and its links have it.
type filter struct {
	url.Values
	// Behind counts rows that cannot be searched yet, 0 where that is soon over.
	Behind int64
}

// behind is from how many rows on a page says that not all can be searched.
const behind = 5000

// filterOf returns what a list was asked for.
func filterOf(x *route.Exchange) (filter, error) {
	f := filter{Values: url.Values{}}
	for name, values := range x.Query {
		for _, v := range values {
			if v != "" && name != "before" {
				f.Add(name, v)
			}
		}
	}
	n, err := x.Data.Behind(x.Context())
	if n > behind {
		f.Behind = n
	}
	return f, err
}

// More reports whether something is chosen beside words and a state.
func (f filter) More() bool {
	for name := range f.Values {
		if name != "q" && name != "state" && name != "kind" {
			return true
		}
	}
	return false
}

// With returns the query with a parameter more, encoded.
func (f filter) With(name, value string) template.URL {
	out := url.Values{name: {value}}
	for key, values := range f.Values {
		out[key] = values
	}
	return template.URL(out.Encode())
}

// A historyPage is what was asked, the newest first.
type historyPage struct {
	filter
	States   []approval.State
	Words    []approval.Word
	Requests []*approval.Request
	// Next is the query of the older ones, "" for none.
	Next template.URL
}

// historyLimit is how many requests a page of the history shows.
const historyLimit = 100

func (d *Desk) history(x *route.Exchange) (string, *frame, error) {
	f, err := x.RequestFilter()
	if err != nil {
		return "", nil, err
	}
	revision := x.Decider.Engine().Revision()
	known := d.large.under(revision)
	f.Limit, f.Known = historyLimit, known.versions()
	list, err := x.Service.List(x.Context(), f)
	if err != nil {
		return "", nil, err
	}
	page := &historyPage{States: approval.States(), Words: approval.Words()}
	if page.filter, err = filterOf(x); err != nil {
		return "", nil, err
	}
	for _, r := range list {
		if isLarge(r) {
			r = d.large.row(known, r, revision).Request
		}
		if seen, ok := backend.Views(x.Who, r); ok {
			page.Requests = append(page.Requests, seen)
		}
	}
	if len(list) == historyLimit {
		page.Next = page.With("before", list[len(list)-1].ID)
	}
	return "history.html", &frame{Title: "History", At: "history", Content: page}, nil
}
