package api

import (
	"context"
	"fmt"
	"time"

	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/webguard"
	"github.com/policyctl/policyctl/pkg/approval"
)

// maxWait is how long an answer may be held back.
const maxWait = 60 * time.Second

// waitOf returns how long the answer is to be held back, 0 for not at all.
func waitOf(x *route.Exchange) (time.Duration, error) {
	if !x.Query.Has("wait") {
		return 0, nil
	}
	d, err := time.ParseDuration(x.Query.Get("wait"))
	if err != nil || d < 0 || d > maxWait {
		return 0, webguard.BadQuery(fmt.Sprintf("wait: %.64q", x.Query.Get("wait")), "give a time from 0s to 60s, such as 30s")
	}
	return d, nil
}

// await returns a request as soon as it is no longer pending, or as it stands
// after so long.
func (a *API) await(x *route.Exchange, r *approval.Request, most time.Duration) (*approval.Request, error) {
	if most == 0 || r.State != approval.Pending {
		return r, nil
	}
	ctx, cancel := context.WithTimeout(x.Context(), most)
	defer cancel()
	defer context.AfterFunc(a.closing, cancel)()
	r, err := x.Service.Await(ctx, r.ID)
	if err == nil { // the token may have been revoked meanwhile
		err = x.Authenticate()
	}
	return r, err
}
