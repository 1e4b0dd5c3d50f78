package compat

import (
	"fmt"
	"net/http"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/webguard"
	"github.com/policyctl/policyctl/pkg/approval"
)

// filterOf returns the part of a list that the query asks for.
func filterOf(x *route.Exchange) (approval.Filter, error) {
	f := own(x)
	if f.Before = x.Query.Get("before"); f.Before != "" && !webguard.ValidID(f.Before) {
		return f, refuse(http.StatusBadRequest, "before: %.64q is not an id; give the last id of the page before", f.Before)
	}
	n, err := x.Number("limit", approval.DefaultLimit, 1, approval.MaxLimit)
	f.Limit = int(n)
	return f, err
}

// own returns the filter for what the identity may see: who only submits sees
// what it submitted.
func own(x *route.Exchange) (f approval.Filter) {
	if !x.Who.Scopes.Has(auth.Read) && !x.Who.Scopes.Has(auth.Approve) {
		f.Submitter = x.Who.Name
	}
	return f
}

// refuse returns a refusal: what is wrong and the next step.
func refuse(status int, format string, args ...any) error {
	return route.Refuse(status, "", fmt.Sprintf(format, args...), "")
}
