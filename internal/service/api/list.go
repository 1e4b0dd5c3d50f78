package api

import (
	"net/http"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/pkg/approval"
)

// A requestList is a page of requests. Next is the id to go on before.
type requestList struct {
	Requests []shown `json:"requests"`
	Next     *string `json:"next"`
}

func (a *API) listRequests(x *exchange) error {
	f, err := x.filter()
	if err != nil {
		return err
	}
	out := requestList{Requests: []shown{}}
	if !x.who.Scopes.Has(auth.Read) && !x.who.Scopes.Has(auth.Approve) {
		if f.Submitter != "" && f.Submitter != x.who.Name {
			return x.answer(http.StatusOK, out)
		}
		f.Submitter = x.who.Name
	}
	list, err := a.b.Service.List(x.context(), f)
	if err != nil {
		return err
	}
	for _, r := range list {
		if seen, ok := backend.Views(x.who, r); ok {
			out.Requests = append(out.Requests, shownOf(seen))
		}
	}
	if len(list) == f.Limit {
		out.Next = &list[len(list)-1].ID
	}
	return x.answer(http.StatusOK, out)
}

// filter reads which requests are asked for.
func (x *exchange) filter() (approval.Filter, error) {
	limit, err := x.number("limit", approval.DefaultLimit, 1, approval.MaxLimit)
	f := approval.Filter{
		Session: x.query.Get("session"), Submitter: x.query.Get("submitter"), Kind: x.query.Get("kind"),
		Alike: x.query.Get("alike"), Before: x.query.Get("before"), Limit: int(limit),
	}
	for _, s := range x.query["state"] {
		f.States = append(f.States, approval.State(s))
	}
	return f, err
}
