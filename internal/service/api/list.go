package api

import (
	"net/http"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/pkg/approval"
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
	limit, err := x.Number("limit", approval.DefaultLimit, 1, approval.MaxLimit)
	f := approval.Filter{
		Session: x.Query.Get("session"), Submitter: x.Query.Get("submitter"), Kind: x.Query.Get("kind"),
		Alike: x.Query.Get("alike"), Before: x.Query.Get("before"), Limit: int(limit),
	}
	for _, s := range x.Query["state"] {
		f.States = append(f.States, approval.State(s))
	}
	return f, err
}
