package api

import (
	"context"
	"net/http"
	"time"

	"github.com/policyctl/policyctl/internal/service/webguard"
	"github.com/policyctl/policyctl/pkg/approval"
)

// hold takes a place for an answer that is held back, before anything is done.
// free gives it back.
func (a *API) hold(x *exchange, most time.Duration) (free func(), err error) {
	if most == 0 {
		return func() {}, nil
	}
	if free, err = a.waits.Begin(x.who.Name); err != nil {
		return nil, &refusal{http.StatusTooManyRequests, "too-many-waiting", err.Error(), "wait for those, or ask without wait", nil}
	}
	if err := webguard.Hold(x.w, most); err != nil {
		free()
		return nil, err
	}
	return free, nil
}

// await returns a request as soon as it is no longer pending, or as it stands
// after so long.
func (a *API) await(x *exchange, r *approval.Request, most time.Duration) (*approval.Request, error) {
	if most == 0 || r.State != approval.Pending {
		return r, nil
	}
	ctx, cancel := context.WithTimeout(x.context(), most)
	defer cancel()
	defer context.AfterFunc(a.closing, cancel)()
	r, err := a.b.Service.Await(ctx, r.ID)
	if err == nil { // the token may have been revoked meanwhile
		err = a.credentials(x)
	}
	return r, err
}
