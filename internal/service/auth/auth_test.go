package auth

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

var noon = time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)

// A clock is a time that tests move.
type clock struct{ time.Time }

func (c *clock) now() time.Time { return c.Time }

// A table is a store of tokens in memory.
type table struct {
	sync.Mutex
	tokens map[string]Token
	err    error
	asked  int
	hidden bool // says that there is none, and returns it
}

func (s *table) TokenByID(_ context.Context, id string) (Token, bool, error) {
	s.Lock()
	defer s.Unlock()
	s.asked++
	t, ok := s.tokens[id]
	return t, ok && !s.hidden, s.err
}

// A rig is an authenticator with all that it uses.
type rig struct {
	*Authenticator
	store *table
	clock *clock
}

func newRig() *rig {
	r := &rig{store: &table{tokens: make(map[string]Token)}, clock: &clock{noon}}
	r.Authenticator = New(r.store, NewLogins(r.clock.now, nil), 1000, r.clock.now)
	return r
}

func (r *rig) token(name string, s Scope, edit func(*Token)) (secret string) {
	secret, t := NewToken(name, s, time.Time{}, noon)
	if edit != nil {
		edit(&t)
	}
	r.store.tokens[t.ID] = t
	return secret
}

// A touching table notes which tokens were used.
type touching struct {
	Store
	used []string
}

func (s *touching) TouchToken(_ context.Context, id string, _ time.Time) error {
	s.used = append(s.used, id)
	return errors.New("disk full") // which refuses nobody
}

func TestTokenUsed(t *testing.T) {
	secret, stored := NewToken("a", Read, time.Time{}, noon)
	s := &touching{Store: &table{tokens: map[string]Token{stored.ID: stored}}}
	a := New(s, NewLogins(func() time.Time { return noon }, nil), 1000, func() time.Time { return noon })
	if _, err := a.Token(t.Context(), secret); err != nil {
		t.Error(err)
	}
	if _, err := a.Token(t.Context(), secret+"x"); err == nil {
		t.Error("another secret is accepted")
	}
	if len(s.used) != 1 || s.used[0] != stored.ID {
		t.Errorf("used: %v", s.used)
	}
}

// The store is told of a use only once the last one is as long ago as it is known.
func TestTokenUsedLately(t *testing.T) {
	for ago, told := range map[time.Duration]int{0: 0, UsedEvery - 1: 0, UsedEvery: 1, 2 * UsedEvery: 1, -time.Hour: 0} {
		secret, stored := NewToken("a", Read, time.Time{}, noon)
		stored.LastUsed = noon.Add(-ago)
		s := &touching{Store: &table{tokens: map[string]Token{stored.ID: stored}}}
		a := New(s, NewLogins(func() time.Time { return noon }, nil), 1000, func() time.Time { return noon })
		if _, err := a.Token(t.Context(), secret); err != nil || len(s.used) != told {
			t.Errorf("used %v ago: told %d times, want %d, %v", ago, len(s.used), told, err)
		}
	}
}

func TestToken(t *testing.T) {
	at := func(d time.Duration) time.Time { return noon.Add(d) }
	for _, tc := range []struct {
		want string
		name string
		s    Scope
		edit func(*Token)
	}{
		{"token:laptop submit", "laptop", Submit, nil},
		{"token:laptop submit", "Laptop", Submit, nil},
		{"token:ann@example.com approve,read", "ann@example.com", Approve | Read, nil},
		{"token:x submit", "x", Submit, func(t *Token) { t.Expires = at(1) }},
		{"denied", "x", Submit, func(t *Token) { t.Expires = at(0) }},
		{"denied", "x", Submit, func(t *Token) { t.Expires = at(-time.Hour) }},
		{"denied", "x", Submit, func(t *Token) { t.Revoked = at(-1) }},
		{"denied", "x", Submit, func(t *Token) { t.Revoked = at(time.Hour) }},
		{"denied", "x", Submit, func(t *Token) { t.Hash[0]++ }},
		{"denied", "x", Submit, func(t *Token) { t.Hash = Token{}.Hash }},
		{"denied", "x", Submit, func(t *Token) { t.ID = "other" }},
		{"denied", "x", 0, nil},
		{"denied", "", Submit, nil},
		{"denied", "a\nb", Submit, nil},
		{"denied", "uid:0 ", Submit, nil},
	} {
		r := newRig()
		secret, stored := NewToken(tc.name, tc.s, time.Time{}, noon)
		id := stored.ID
		if tc.edit != nil {
			tc.edit(&stored)
		}
		r.store.tokens[id] = stored
		if got := text(r.Token(t.Context(), secret)); got != tc.want {
			t.Errorf("%+v: %s, want %s", stored, got, tc.want)
		}
	}
}

// text shows the answer of an authenticator.
func text(i Identity, err error) string {
	switch {
	case errors.Is(err, ErrDenied):
		return "denied"
	case err != nil:
		return err.Error()
	}
	return i.Name + " " + i.Scopes.String()
}

// Nothing tells an unknown token from another that is not accepted: neither
// the error, nor how often the store is asked.
func TestDeniedAlike(t *testing.T) {
	r := newRig()
	good := r.token("a", Submit, nil)
	unknown, _ := NewToken("b", Submit, time.Time{}, noon)
	other := mint(tokenKind, good[4:4+idDigits])
	for name, secret := range map[string]string{
		"unknown": unknown, "other secret": other,
		"revoked": r.token("c", Submit, func(t *Token) { t.Revoked = noon }),
		"expired": r.token("d", Submit, func(t *Token) { t.Expires = noon }),
	} {
		r.store.asked = 0
		i, err := r.Token(t.Context(), secret)
		if err != ErrDenied || i != (Identity{}) || r.store.asked != 1 {
			t.Errorf("%s: %+v, %v, asked %d times", name, i, err, r.store.asked)
		}
	}
}

// A store that does not answer is no denial, and no identity. What it says is
// not there is not.
func TestStore(t *testing.T) {
	r := newRig()
	secret := r.token("a", Submit, nil)
	r.store.hidden = true
	if got := text(r.Token(t.Context(), secret)); got != "denied" {
		t.Errorf("not found: %s", got)
	}
	r.store.err = errors.New("disk full")
	i, err := r.Token(t.Context(), secret)
	if !errors.Is(err, r.store.err) || errors.Is(err, ErrDenied) || i != (Identity{}) {
		t.Errorf("%+v, %v", i, err)
	}
	if strings.Contains(err.Error(), secret) {
		t.Errorf("the error tells the secret: %v", err)
	}
}

var form = regexp.MustCompile(`^pol([cs]?_[0-9A-Za-z]{11}_[0-9A-Za-z]{49}|o_[0-9A-Za-z]{11}_[0-9A-Za-z]{20})$`)

func TestForm(t *testing.T) {
	seen := make(map[string]bool)
	for range 200 {
		for _, k := range []kind{tokenKind, loginKind, cookieKind, codeKind} {
			text := mint(k, mintID())
			id, ok := parse(k, text)
			if !ok || !form.MatchString(text) || id == "" || !strings.Contains(text, id) || seen[text] || seen[id] {
				t.Fatalf("%s: %q, %t", text, id, ok)
			}
			seen[text], seen[id] = true, true
		}
	}
}

// A text that lost or changed a byte is no credential, and no kind is another.
func TestFormHostile(t *testing.T) {
	good := mint(tokenKind, mintID())
	for i := range good {
		lost := good[:i] + good[i+1:]
		changed := good[:i] + string(good[i]^1) + good[i+1:]
		for _, text := range []string{lost, changed, good[:i]} {
			if _, ok := parse(tokenKind, text); ok {
				t.Errorf("%q is taken for %q", text, good)
			}
		}
	}
	for _, text := range []string{"", "pol_", good + "x", " " + good, good + "\n", "POL_" + good[4:], "pol_" + good, mint(loginKind, mintID())} {
		if _, ok := parse(tokenKind, text); ok {
			t.Errorf("%q is taken for a token", text)
		}
	}
	odd := "pol_" + strings.Repeat("%", idDigits) + good[4+idDigits:len(good)-checkDigits]
	if _, ok := parse(tokenKind, odd+checksum(odd)); ok {
		t.Errorf("%q is taken for a token", odd)
	}
}

func TestNewToken(t *testing.T) {
	secret, tok := NewToken("laptop", Submit|Read, noon.Add(time.Hour), noon)
	if !strings.HasPrefix(secret, "pol_"+tok.ID+"_") || !same(secret, tok.Hash) || tok.Created != noon || !tok.Revoked.IsZero() {
		t.Errorf("%q, %+v", secret, tok)
	}
}

func TestCheckName(t *testing.T) {
	for _, tc := range []struct {
		ok   bool
		name string
	}{
		{true, "laptop"}, {true, "CI-runner_2.eu"}, {true, "ann@example.com"}, {true, strings.Repeat("a", 64)},
		{false, ""}, {false, strings.Repeat("a", 65)}, {false, "-x"}, {false, "a b"}, {false, "a:b"}, {false, "a/b"},
		{false, "lаptop"}, {false, "a\x00"}, {false, "a\u202e"}, {false, "@a"}, {false, "a\xff"},
	} {
		if err := CheckName(tc.name); (err == nil) != tc.ok {
			t.Errorf("%q: %v", tc.name, err)
		}
	}
}

func TestScope(t *testing.T) {
	for _, tc := range []struct {
		want      bool
		have, ask Scope
	}{
		{true, Submit, Submit},
		{true, Admin, Read},
		{true, Admin | Submit, Submit | Read},
		{false, Admin, Approve},
		{false, Admin, Submit},
		{false, Submit | Read, Approve},
		{false, Approve, Read},
		{false, Submit, Submit | Read},
		{false, Submit, 0},
		{false, 0, Read},
		{false, Submit | Approve | Read | Admin, 1 << 7},
	} {
		if got := tc.have.Has(tc.ask); got != tc.want {
			t.Errorf("%s has %s: %t", tc.have, tc.ask, got)
		}
	}
}

func TestParseScope(t *testing.T) {
	for _, tc := range []struct{ want, in string }{
		{"submit", "submit"},
		{"submit,read", "read, submit"},
		{"submit,approve,read,admin,record", "record,admin,read,approve,submit"},
		{`unknown scope "aprove": did you mean "approve"?`, "aprove"},
		{`unknown scope "Admin": did you mean "admin"?`, "Admin"},
		{`unknown scope "": one of submit, approve, read, admin, record, prove`, ""},
		{`unknown scope "": one of submit, approve, read, admin, record, prove`, "read,"},
		{`unknown scope "*": one of submit, approve, read, admin, record, prove`, "*"},
		{`unknown scope "none": one of submit, approve, read, admin, record, prove`, "none"},
	} {
		s, err := ParseScope(tc.in)
		got := s.String()
		if err != nil {
			got = err.Error()
		}
		if got != tc.want || (err != nil && s != 0) {
			t.Errorf("%q: %s, want %s", tc.in, got, tc.want)
		}
	}
}
