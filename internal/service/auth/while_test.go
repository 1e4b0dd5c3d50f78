package auth

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

// sent is a request with a token.
func sent(secret string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "/v1/events", nil)
	r.Header.Set("Authorization", "Bearer "+secret)
	return r
}

// ended counts the contexts that have.
func ended(all []context.Context) (n int) {
	for _, ctx := range all {
		if ctx.Err() != nil {
			n++
		}
	}
	return n
}

// watched returns how many credentials are.
func (r *rig) watched() int {
	r.watches.mu.Lock()
	defer r.watches.mu.Unlock()
	return len(r.watches.all)
}

// Streams with the same credential share one check and end with it, and no others do.
// That one of them has left does not end the checks.
func TestWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig()
		secret, other := r.token("a", Read, nil), r.token("b", Read, nil)
		var streams []context.Context
		for range 20 {
			ctx, cancel := r.While(sent(secret))
			defer cancel()
			streams = append(streams, ctx)
		}
		another, leave := r.While(sent(other))
		defer leave()
		first, cancel := r.While(sent(secret))
		for range 30 {
			cancel() // again has no effect
		}
		if first.Err() == nil || ended(streams) != 0 {
			t.Fatalf("%v, and %d of the others have ended", first.Err(), ended(streams))
		}
		later := func(d time.Duration, then func()) {
			time.Sleep(d)
			synctest.Wait()
			r.store.Lock()
			defer r.store.Unlock()
			then()
		}
		tokens := r.store.tokens
		later(10*RecheckTime+RecheckTime/2, func() {
			if r.store.asked != 20 {
				t.Errorf("the store was asked %d times in 20 s, for two tokens", r.store.asked)
			}
			r.store.err, r.store.tokens = errors.New("gone"), nil
		})
		later(2*RecheckTime, func() {
			if ended(streams) != 0 {
				t.Error("a store that does not answer ends streams")
			}
			kept, _ := parse(tokenKind, other)
			r.store.err, r.store.tokens = nil, map[string]Token{kept: tokens[kept]}
		})
		later(RecheckTime, func() {
			if ended(streams) != len(streams) || another.Err() != nil {
				t.Errorf("%d of %d have ended; the other token's: %v", ended(streams), len(streams), another.Err())
			}
		})
		leave()
		asked := 0
		later(0, func() { asked = r.store.asked })
		later(10*RecheckTime, func() {
			if r.store.asked != asked || r.watched() != 0 {
				t.Errorf("nobody listens, and the store was asked %d times", r.store.asked-asked)
			}
		})
	})
}

// Who comes back with a credential that has ended is ended too, and who left before takes
// nothing from those who came back.
func TestWhileAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig()
		secret := r.token("a", Read, nil)
		clear(r.store.tokens)
		before := func() {}
		for range 3 {
			ctx, cancel := r.While(sent(secret))
			defer cancel()
			before()
			if n := r.watched(); n != 1 {
				t.Errorf("%d credentials are watched", n)
			}
			time.Sleep(RecheckTime + 1)
			synctest.Wait()
			if ctx.Err() == nil {
				t.Error("it goes on")
			}
			before = cancel
		}
	})
}

// A login that is over ends what its cookie began; a peer of a socket stays.
func TestWhileLogin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig()
		s, err := r.logins.Exchange(newCode(r.logins))
		if err != nil {
			t.Fatal(err)
		}
		q := httptest.NewRequest(http.MethodGet, "/", nil)
		q.AddCookie(&http.Cookie{Name: cookieName, Value: s.Cookie})
		page, cancel := r.While(q)
		defer cancel()
		peer, cancel := r.While(httptest.NewRequest(http.MethodGet, "/", nil))
		defer cancel()
		if err := r.logins.Logout(s.Secret); err != nil {
			t.Fatal(err)
		}
		time.Sleep(RecheckTime + 1)
		synctest.Wait()
		if page.Err() == nil || peer.Err() != nil {
			t.Errorf("the page: %v, the peer: %v", page.Err(), peer.Err())
		}
	})
}
