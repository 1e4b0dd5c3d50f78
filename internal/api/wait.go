package api

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/policyctl/policyctl/internal/webguard"
	"github.com/policyctl/policyctl/pkg/approval"
)

// hold takes a place for an answer that is held back, before anything is done.
// free gives it back.
func (a *API) hold(x *exchange, most time.Duration) (free func(), err error) {
	if most == 0 {
		return func() {}, nil
	}
	if !a.waits.begin(x.who.Name) {
		return nil, &refusal{http.StatusTooManyRequests, "too-many-waiting",
			fmt.Sprintf("%s has %d answers held back already", x.who.Name, a.waits.most), "wait for those, or ask without wait", nil}
	}
	free = func() { a.waits.end(x.who.Name) }
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

// A waits counts the answers that are held back, by identity.
type waits struct {
	most int
	mu   sync.Mutex
	held map[string]int
}

// begin says whether an identity may have one more; if so, end must be called.
func (w *waits) begin(who string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.held[who] >= w.most {
		return false
	}
	if w.held == nil {
		w.held = make(map[string]int)
	}
	w.held[who]++
	return true
}

func (w *waits) end(who string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.held[who]--; w.held[who] == 0 {
		delete(w.held, who)
	}
}
