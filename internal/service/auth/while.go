package auth

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"
)

// RecheckTime is how long a stream may go on after the credentials with which
// it began have ended.
const RecheckTime = 2 * time.Second

// While returns a context that ends with that of a request, and soon after who
// sent it is no longer known: the token was revoked, or the login is over. They
// are looked at so often, once for all requests that were sent with the same.
// The function must be called when the context is not needed any more.
func (a *Authenticator) While(r *http.Request, every time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(r.Context())
	key := vigilKey{sentWith(r), every}
	if key.credential == "" {
		return ctx, cancel // a peer of a Unix socket stays who it is
	}
	return ctx, a.vigils.join(key, cancel, func(ctx context.Context) error {
		_, err := a.identify(r.WithContext(ctx))
		return err
	})
}

// sentWith returns the credential of a request, "" for none.
func sentWith(r *http.Request) string {
	if header := r.Header.Get("Authorization"); header != "" {
		return header
	}
	if cookies := cookieOf(r); len(cookies) > 0 {
		return cookies[0]
	}
	return ""
}

// vigils look at credentials while streams go on. The zero value looks at none.
type vigils struct {
	mu  sync.Mutex
	all map[vigilKey]*vigil
}

type vigilKey struct {
	credential string
	every      time.Duration
}

// A vigil looks at one credential.
type vigil struct {
	streams map[*context.CancelFunc]bool
	stop    context.CancelFunc
}

// join has a stream ended by a function once a look says that its credential is
// no longer accepted. The function that it returns ends the stream too.
func (v *vigils) join(key vigilKey, end context.CancelFunc, look func(context.Context) error) (leave context.CancelFunc) {
	v.mu.Lock()
	defer v.mu.Unlock()
	g := v.all[key]
	if g == nil {
		if v.all == nil {
			v.all = make(map[vigilKey]*vigil)
		}
		ctx, stop := context.WithCancel(context.Background())
		g = &vigil{make(map[*context.CancelFunc]bool), stop}
		v.all[key] = g
		go v.keep(ctx, key, g, look)
	}
	g.streams[&end] = true
	return func() {
		end()
		v.mu.Lock()
		defer v.mu.Unlock()
		if delete(g.streams, &end); len(g.streams) == 0 {
			v.close(key, g)
		}
	}
}

func (v *vigils) keep(ctx context.Context, key vigilKey, g *vigil, look func(context.Context) error) {
	tick := time.NewTicker(key.every)
	defer tick.Stop()
	for denied := false; !denied; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		// That the store does not answer says nothing of the credential.
		denied = errors.Is(look(ctx), ErrDenied)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.close(key, g)
	for end := range g.streams {
		(*end)()
	}
}

// close ends a vigil: who comes later begins another.
func (v *vigils) close(key vigilKey, g *vigil) {
	if g.stop(); v.all[key] == g {
		delete(v.all, key)
	}
}
