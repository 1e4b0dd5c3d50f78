package auth

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestLogin(t *testing.T) {
	r := newRig()
	s, err := r.logins.Exchange(newCode(r.logins))
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ want, got string }{
		{"login:1 approve,read,admin", text(s.Identity, nil)},
		{"login:1 approve,read,admin", text(r.logins.Bearer(s.Secret))},
		{"login:1 read", text(r.logins.Cookie(s.Cookie))},
		{"denied", text(r.logins.Bearer(s.Cookie))}, // what another port was sent approves nothing
		{"denied", text(r.logins.Cookie(s.Secret))},
		{"denied", text(r.logins.Bearer("pols_" + s.Cookie[5:]))},
		{"denied", text(r.logins.Bearer(mint(loginKind, s.Secret[5:5+idDigits])))}, // the id is no secret
		{"denied", text(r.logins.Cookie(mint(cookieKind, s.Secret[5:5+idDigits])))},
		{"denied", text(r.logins.Bearer(""))},
		{"denied", text(r.Token(t.Context(), s.Secret))},
	} {
		if tc.got != tc.want {
			t.Errorf("%s, want %s", tc.got, tc.want)
		}
	}
	if second, err := r.logins.Exchange(newCode(r.logins)); err != nil || second.Identity.Name != "login:2" {
		t.Errorf("%+v, %v", second, err)
	}
}

func TestCodeOnce(t *testing.T) {
	l := NewLogins((&clock{noon}).now, nil)
	code := newCode(l)
	if _, err := l.Exchange(code); err != nil {
		t.Fatal(err)
	}
	if s, err := l.Exchange(code); err != ErrDenied || s != (Session{}) {
		t.Errorf("a code again: %+v, %v", s, err)
	}
}

// Of many that try one code at once, one logs in.
func TestCodeRace(t *testing.T) {
	l := NewLogins((&clock{noon}).now, nil)
	code := newCode(l)
	var wg sync.WaitGroup
	won := make(chan Session, 50)
	for range cap(won) {
		wg.Go(func() {
			if s, err := l.Exchange(code); err == nil {
				won <- s
			}
		})
	}
	wg.Wait()
	if len(won) != 1 {
		t.Errorf("%d logins with one code", len(won))
	}
}

func TestCodeExpires(t *testing.T) {
	for _, tc := range []struct {
		want string
		wait time.Duration
	}{
		{"login:1 approve,read,admin", CodeLife - 1},
		{"denied", CodeLife},
		{"denied", 24 * time.Hour},
	} {
		c := &clock{noon}
		l := NewLogins(c.now, nil)
		code := newCode(l)
		c.Time = c.Add(tc.wait)
		s, err := l.Exchange(code)
		if got := text(s.Identity, err); got != tc.want {
			t.Errorf("after %v: %s, want %s", tc.wait, got, tc.want)
		}
	}
}

// The fifth wrong secret for a code voids it, and it alone. Whoever knows no
// code voids none.
func TestCodeTries(t *testing.T) {
	l := NewLogins((&clock{noon}).now, nil)
	code, other := newCode(l), newCode(l)
	id, _ := parse(codeKind, code)
	guess := func(id string, n int) {
		for range n {
			if _, err := l.Exchange(mint(codeKind, id)); err != ErrDenied {
				t.Fatal(err)
			}
		}
	}
	guess(id, 4)
	if _, err := l.Exchange(code); err != nil {
		t.Errorf("behind 4 wrong tries: %v", err)
	}
	code = newCode(l)
	id, _ = parse(codeKind, code)
	guess(id, 5)
	if _, err := l.Exchange(code); err != ErrDenied {
		t.Errorf("behind 5 wrong tries: %v", err)
	}
	guess(mintID(), 1000)
	if _, err := l.Exchange(other); err != nil {
		t.Errorf("another code: %v", err)
	}
}

func TestCodesBounded(t *testing.T) {
	l := NewLogins((&clock{noon}).now, nil)
	var codes []string
	for range 7 {
		codes = append(codes, newCode(l))
	}
	var got strings.Builder
	for _, c := range codes {
		_, err := l.Exchange(c)
		fmt.Fprintf(&got, "%t ", err == nil)
	}
	if want := "false false true true true true true "; got.String() != want {
		t.Errorf("%s, want %s", got.String(), want)
	}
}

func TestSessionEnds(t *testing.T) {
	c := &clock{noon}
	l := NewLogins(c.now, nil)
	login := func() Session { s, _ := l.Exchange(newCode(l)); return s }
	first := login()
	c.Time = c.Add(12*time.Hour - 1)
	if _, err := l.Bearer(first.Secret); err != nil {
		t.Errorf("before the end: %v", err)
	}
	c.Time = c.Add(1)
	if _, err := l.Bearer(first.Secret); err != ErrDenied {
		t.Errorf("at the end: %v", err)
	}
	second, third := login(), login()
	if err := l.Logout(second.Secret); err != nil {
		t.Error(err)
	}
	if err := l.Logout(second.Secret); err != ErrDenied {
		t.Errorf("logged out twice: %v", err)
	}
	_, bearer := l.Bearer(second.Secret)
	_, cookie := l.Cookie(second.Cookie)
	_, still := l.Bearer(third.Secret)
	if bearer != ErrDenied || cookie != ErrDenied || still != nil {
		t.Errorf("after logout: %v, %v, the other %v", bearer, cookie, still)
	}
	if err := l.Logout(third.Cookie); err != nil {
		t.Error(err)
	}
	if _, err := l.Bearer(third.Secret); err != ErrDenied {
		t.Errorf("after logout by cookie: %v", err)
	}
}

func TestSessionsBounded(t *testing.T) {
	l := NewLogins((&clock{noon}).now, nil)
	var all []Session
	for range maxSessions + 1 {
		s, _ := l.Exchange(newCode(l))
		all = append(all, s)
	}
	_, first := l.Bearer(all[0].Secret)
	_, second := l.Bearer(all[1].Secret)
	if first != ErrDenied || second != nil || len(l.kept.value.Sessions) != maxSessions {
		t.Errorf("%v, %v, %d sessions", first, second, len(l.kept.value.Sessions))
	}
}

// A login that came to nothing leaves its code as it was.
func TestUndo(t *testing.T) {
	c := &clock{noon}
	l := NewLogins(c.now, nil)
	code := newCode(l)
	s, err := l.Exchange(code)
	if err != nil {
		t.Fatal(err)
	}
	l.Undo(s)
	l.Undo(s) // once
	if _, err := l.Bearer(s.Secret); err != ErrDenied {
		t.Errorf("the session goes on: %v", err)
	}
	again, err := l.Exchange(code)
	if _, twice := l.Exchange(code); err != nil || twice != ErrDenied {
		t.Errorf("the code again: %v, and once more: %v", err, twice)
	}
	l.Undo(again)
	c.Time = c.Add(CodeLife)
	if _, err := l.Exchange(code); err != ErrDenied {
		t.Errorf("it outlives its time: %v", err)
	}
	for range maxCodes {
		newCode(l)
	}
	s, err = l.Exchange(newCode(l))
	if err != nil {
		t.Fatal(err)
	}
	newCode(l)
	if l.Undo(s); len(l.kept.value.Codes) > maxCodes {
		t.Errorf("%d codes", len(l.kept.value.Codes))
	}
}

// newCode returns a code of logins in memory.
func newCode(l *Logins) string {
	code, err := l.NewCode()
	if err != nil {
		panic(err)
	}
	return code
}
