package auth

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// RecheckTime is how long a stream may go on after the credentials with which
// it began have ended.
const RecheckTime = 2 * time.Second

// While returns a context that ends with that of a request, and soon after who
// sent it is no longer known: the token was revoked, or the login is over. They
// are looked at so often. The function must be called when the context is not
// needed any more.
func (a *Authenticator) While(r *http.Request, every time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(r.Context())
	go func() {
		defer cancel()
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			// That the store does not answer says nothing of the credentials.
			if _, err := a.Identify(r.WithContext(ctx)); errors.Is(err, ErrDenied) {
				return
			}
		}
	}()
	return ctx, cancel
}
