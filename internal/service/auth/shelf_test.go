package auth

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/support/shelf/shelftest"
)

// A code and a session of one instance are good at another one, which can end them, and
// what both know holds no secret.
func TestLoginsOfInstances(t *testing.T) {
	p := &shelftest.Memory{}
	now := func() time.Time { return noon }
	a, b := NewLogins(now, p), NewLogins(now, p)
	code := newCode(a)
	s, err := b.Exchange(code)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Exchange(code); err != ErrDenied {
		t.Errorf("a code is good twice: %v", err)
	}
	for _, l := range []*Logins{a, b} {
		who, err := l.Bearer(s.Secret)
		reads, failed := l.Cookie(s.Cookie)
		if err != nil || failed != nil || who.Name != "login:1" || reads.Name != who.Name || reads.Scopes != Read {
			t.Errorf("%+v %v, %+v %v", who, err, reads, failed)
		}
	}
	text, _ := p.Look(t.Context())
	for _, secret := range []string{code, s.Secret, s.Cookie} {
		if strings.Contains(string(text), secret) {
			t.Error("the shelf has a secret")
		}
	}
	if second, err := a.Exchange(newCode(b)); err != nil || second.Identity.Name != "login:2" {
		t.Errorf("%+v, %v", second, err)
	}
	if err := a.Logout(s.Secret); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Bearer(s.Secret); err != ErrDenied {
		t.Errorf("logged out elsewhere: %v", err)
	}
}

// Of a code that is tried at several instances at once one try is a login.
func TestLoginRaceOfInstances(t *testing.T) {
	p := &shelftest.Memory{}
	now := func() time.Time { return noon }
	code := newCode(NewLogins(now, p))
	var all sync.WaitGroup
	var mu sync.Mutex
	in := 0
	for range 8 {
		l := NewLogins(now, p)
		all.Go(func() {
			if _, err := l.Exchange(code); err == nil {
				mu.Lock()
				in++
				mu.Unlock()
			}
		})
	}
	if all.Wait(); in != 1 {
		t.Errorf("%d logins", in)
	}
}

// A shelf that cannot be reached is no reason to let anybody in, and none to say that the
// credentials are wrong.
func TestLoginsWithoutShelf(t *testing.T) {
	p := &shelftest.Memory{}
	l := NewLogins(func() time.Time { return noon }, p)
	code := newCode(l)
	s, err := l.Exchange(newCode(l))
	if err != nil {
		t.Fatal(err)
	}
	gone := errors.New("the database is gone")
	p.Fail(gone)
	_, exchange := l.Exchange(code)
	_, bearer := l.Bearer(s.Secret)
	_, cookie := l.Cookie(s.Cookie)
	_, made := l.NewCode()
	_, list := l.List()
	_, end := l.End("x")
	_, leave := l.Leave(&Passkey{Person: "ann"}, "")
	_, enter := l.Enter(&Passkey{Person: "ann"})
	for i, err := range []error{exchange, bearer, cookie, made, list, end, leave, enter, l.Logout(s.Secret), l.Undo(s)} {
		if !errors.Is(err, gone) || errors.Is(err, ErrDenied) {
			t.Errorf("call %d: %v", i, err)
		}
	}
}

// A challenge of one instance may be answered at another one, once at all.
func TestChallengesOfInstances(t *testing.T) {
	p := &shelftest.Memory{}
	now := func() time.Time { return noon }
	a, b := NewPasskeys(nil, now, p), NewPasskeys(nil, now, p)
	to := Purpose{Who: "login:1", Act: ToDecide, About: "req_1"}
	c, err := a.challenge("https://desk.example.com", to)
	if err != nil {
		t.Fatal(err)
	}
	end, ok, err := b.good(encode(c), "https://desk.example.com", to)
	if err != nil || !ok {
		t.Fatalf("not good at another instance: %v", err)
	}
	if first, err := b.once(encode(c), end); err != nil || !first {
		t.Errorf("%v, %v", first, err)
	}
	if first, err := a.once(encode(c), end); err != nil || first {
		t.Errorf("answered twice: %v", err)
	}
	p.Fail(errors.New("the database is gone"))
	if first, err := a.once("another", end); first || err == nil {
		t.Errorf("answered without a shelf: %v", err)
	}
	if _, err := NewPasskeys(nil, now, p).challenge("https://desk.example.com", to); err == nil {
		t.Error("a challenge without a key")
	}
}
