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

// While returns a context that ends with that of a request, and within
// [RecheckTime] after who sent it is no longer known: the token was revoked, or
// the login is over. All requests with the same credential share one check. The
// function must be called when the context is not needed any more.
func (a *Authenticator) While(r *http.Request) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(r.Context())
	credential := sentWith(r)
	if credential == "" {
		return ctx, cancel // a peer of a Unix socket stays who it is
	}
	leave := a.watches.join(credential, cancel, func(ctx context.Context) error {
		_, err := a.identify(r.WithContext(ctx))
		return err
	})
	return ctx, func() {
		cancel()
		leave()
	}
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

// watches are the credentials of streams that go on. The zero value has none.
type watches struct {
	mu  sync.Mutex
	all map[string]*watch // by credential
}

// A watch checks one credential again and again.
type watch struct {
	streams int
	ctx     context.Context // ends with the credential, or when no stream is left
	end     context.CancelFunc
}

// join has a function called once a check says that a credential is no longer
// accepted, unless leave is called before.
func (w *watches) join(credential string, ended func(), check func(context.Context) error) (leave func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	one := w.all[credential]
	if one == nil {
		one = new(watch)
		one.ctx, one.end = context.WithCancel(context.Background())
		if w.all == nil {
			w.all = make(map[string]*watch)
		}
		w.all[credential] = one
		go w.keep(credential, one, check)
	}
	one.streams++
	forget := context.AfterFunc(one.ctx, ended)
	return sync.OnceFunc(func() {
		forget()
		w.mu.Lock()
		defer w.mu.Unlock()
		if one.streams--; one.streams == 0 {
			w.close(credential, one)
		}
	})
}

// keep checks until the watch ends.
func (w *watches) keep(credential string, one *watch, check func(context.Context) error) {
	tick := time.NewTicker(RecheckTime)
	defer tick.Stop()
	for {
		select {
		case <-one.ctx.Done():
			return
		case <-tick.C:
		}
		// That the store does not answer says nothing of the credential.
		if errors.Is(check(one.ctx), ErrDenied) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.close(credential, one)
			return
		}
	}
}

// close ends a watch. Who comes later with its credential begins another.
func (w *watches) close(credential string, one *watch) {
	one.end()
	if w.all[credential] == one {
		delete(w.all, credential)
	}
}
