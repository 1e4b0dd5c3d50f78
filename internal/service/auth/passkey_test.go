package auth_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/auth/authtest"
)

// keyStore is a store in memory.
type keyStore struct{ keys []auth.Passkey }

func (s *keyStore) Passkeys(context.Context) ([]auth.Passkey, error) { return s.keys, nil }

func (s *keyStore) UsePasskey(_ context.Context, id string, count uint32, at time.Time) (bool, error) {
	for i := range s.keys {
		if k := &s.keys[i]; k.ID == id && (count > k.Count || count == 0 && k.Count == 0) {
			k.Count, k.LastUsed = count, at
			return true, nil
		}
	}
	return false, nil
}

// A desk is the ceremonies over a store, with a clock.
type deskRig struct {
	*auth.Passkeys
	store *keyStore
	now   time.Time
}

func newDesk() *deskRig {
	d := &deskRig{store: new(keyStore), now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	d.Passkeys = auth.NewPasskeys(d.store, func() time.Time { return d.now }, nil)
	return d
}

const here = "http://localhost:8765"

// register stores a passkey of a person.
func (d *deskRig) register(t *testing.T, person, origin string) *authtest.Authenticator {
	t.Helper()
	name := strings.TrimPrefix(strings.TrimPrefix(origin, "http://"), "https://")
	name, _, _ = strings.Cut(name, ":")
	a := authtest.New(origin, name)
	draft := auth.Passkey{Person: person, Label: "laptop"}
	options, err := d.Begin(t.Context(), origin, "login:1", draft)
	if err != nil {
		t.Fatal(err)
	}
	k, err := d.Finish(t.Context(), origin, "login:1", draft, a.Make(options))
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Check(); err != nil || k.Person != person || k.Origin != origin {
		t.Fatalf("%+v, %v", k, err)
	}
	d.store.keys = append(d.store.keys, *k)
	return a
}

var purpose = auth.Purpose{Who: "login:1", Act: auth.ToDecide, About: []any{"req_1", "sha256:a", 1, "approved_once", "once", "", ""}}

// An answer proves what it was asked for, once.
func TestPasskeyProves(t *testing.T) {
	d := newDesk()
	ann := d.register(t, "Ann", here)
	options, err := d.Ask(t.Context(), here, "ann", purpose)
	if err != nil {
		t.Fatal(err)
	}
	answer := ann.Sign(options)
	k, err := d.Prove(t.Context(), "ANN", purpose, answer)
	if err != nil || k.Identity() != "passkey:ann" || d.store.keys[0].Count != 1 {
		t.Fatalf("%+v, %v", k, err)
	}
	d.store.keys[0].Count = 0 // the count alone would refuse it
	if _, err := d.Prove(t.Context(), "ann", purpose, answer); !errors.Is(err, auth.ErrStale) {
		t.Errorf("replayed: %v", err)
	}
	d.now = d.now.Add(auth.ProofLife) // and what was used is forgotten when it is over
	if _, err := d.Prove(t.Context(), "ann", purpose, answer); !errors.Is(err, auth.ErrStale) {
		t.Errorf("replayed later: %v", err)
	}
}

// An answer for anything else, by anybody else or from anywhere else proves nothing.
func TestPasskeyRefuses(t *testing.T) {
	about := func(change func(about []any)) auth.Purpose {
		p := purpose
		p.About = append([]any{}, purpose.About.([]any)...)
		change(p.About.([]any))
		return p
	}
	for name, row := range map[string]struct {
		asked  auth.Purpose
		person string // who is logged in
		spoil  func(d *deskRig, a *authtest.Authenticator)
		want   error
	}{
		"another request":  {about(func(a []any) { a[0] = "req_2" }), "", nil, auth.ErrStale},
		"an older text":    {about(func(a []any) { a[1] = "sha256:b" }), "", nil, auth.ErrStale},
		"an older version": {about(func(a []any) { a[2] = 2 }), "", nil, auth.ErrStale},
		"another decision": {about(func(a []any) { a[3] = "approved_remember" }), "", nil, auth.ErrStale},
		"another scope":    {about(func(a []any) { a[4] = "here" }), "", nil, auth.ErrStale},
		"another life":     {about(func(a []any) { a[5] = "1h" }), "", nil, auth.ErrStale},
		"another reason":   {about(func(a []any) { a[6] = "x" }), "", nil, auth.ErrStale},
		"another login":    {auth.Purpose{Who: "login:2", Act: purpose.Act, About: purpose.About}, "", nil, auth.ErrStale},
		"another act":      {auth.Purpose{Who: purpose.Who, Act: auth.ToRemove, About: purpose.About}, "", nil, auth.ErrStale},
		"a login":          {auth.Purpose{Act: auth.ToLogIn}, "", nil, auth.ErrStale},
		"too late":         {purpose, "", func(d *deskRig, _ *authtest.Authenticator) { d.now = d.now.Add(auth.ProofLife) }, auth.ErrStale},
		"another start": {purpose, "", func(d *deskRig, _ *authtest.Authenticator) {
			d.Passkeys = auth.NewPasskeys(d.store, func() time.Time { return d.now }, nil)
		}, auth.ErrStale},
		"another page":        {purpose, "", func(_ *deskRig, a *authtest.Authenticator) { a.Origin = "http://localhost:9999" }, auth.ErrProof},
		"another party":       {purpose, "", func(_ *deskRig, a *authtest.Authenticator) { a.RP = "example.com" }, auth.ErrProof},
		"another person":      {purpose, "bob", nil, auth.ErrStranger},
		"a handle of another": {purpose, "", func(_ *deskRig, a *authtest.Authenticator) { a.Handle = []byte("bob") }, auth.ErrProof},
		"removed":             {purpose, "", func(d *deskRig, _ *authtest.Authenticator) { d.store.keys = d.store.keys[1:] }, auth.ErrStranger},
		"nobody verified":     {purpose, "", func(_ *deskRig, a *authtest.Authenticator) { a.Unverified = true }, auth.ErrUnverified},
		"a copy":              {purpose, "", func(d *deskRig, _ *authtest.Authenticator) { d.store.keys[0].Count = 9 }, auth.ErrCopied},
		"the same count":      {purpose, "", func(d *deskRig, _ *authtest.Authenticator) { d.store.keys[0].Count = 1 }, auth.ErrCopied},
		"another key":         {purpose, "", func(d *deskRig, _ *authtest.Authenticator) { d.store.keys[0].Public = d.store.keys[1].Public }, auth.ErrProof},
	} {
		d := newDesk()
		ann := d.register(t, "ann", here)
		d.register(t, "bob", here)
		options, err := d.Ask(t.Context(), here, "ann", row.asked)
		if err != nil {
			t.Fatal(err)
		}
		if row.spoil != nil {
			row.spoil(d, ann)
		}
		if k, err := d.Prove(t.Context(), row.person, purpose, ann.Sign(options)); !errors.Is(err, row.want) {
			t.Errorf("%s: %+v, %v", name, k, err)
		}
	}
}

// An answer that is none, or was changed on the way, proves nothing.
func TestPasskeyGarbage(t *testing.T) {
	d := newDesk()
	ann := d.register(t, "ann", here)
	options, err := d.Ask(t.Context(), here, "", purpose)
	if err != nil {
		t.Fatal(err)
	}
	good := ann.Sign(options)
	for _, text := range []string{"", "null", "{}", "[]", `{"id":"a"}`, string(good[:len(good)/2])} {
		if k, err := d.Prove(t.Context(), "", purpose, []byte(text)); err == nil || k != nil {
			t.Errorf("%.60s: %+v", text, k)
		}
	}
	var whole map[string]any
	if err := json.Unmarshal(good, &whole); err != nil {
		t.Fatal(err)
	}
	response := whole["response"].(map[string]any)
	for name := range response {
		was := response[name].(string)
		response[name] = was[:len(was)/2] + map[bool]string{true: "A", false: "B"}[was[len(was)/2] != 'A'] + was[len(was)/2+1:]
		text, _ := json.Marshal(whole)
		response[name] = was
		if k, err := d.Prove(t.Context(), "", purpose, text); err == nil {
			t.Errorf("a changed %s: %+v", name, k)
		}
	}
	if _, err := d.Prove(t.Context(), "", purpose, good); err != nil {
		t.Errorf("what was refused has used it up: %v", err)
	}
}

// A passkey is made for the page, the person and the label that were asked for, by an
// authenticator that knows its owner, and a person has one handle.
func TestPasskeyRegistration(t *testing.T) {
	draft := auth.Passkey{Person: "ann", Label: "laptop"}
	for name, row := range map[string]struct {
		spoil func(d *deskRig, a *authtest.Authenticator, to *auth.Passkey, origin, who *string)
		want  error
	}{
		"another person": {func(_ *deskRig, _ *authtest.Authenticator, to *auth.Passkey, _, _ *string) { to.Person = "bob" }, auth.ErrStale},
		"another label":  {func(_ *deskRig, _ *authtest.Authenticator, to *auth.Passkey, _, _ *string) { to.Label = "phone" }, auth.ErrStale},
		"another login":  {func(_ *deskRig, _ *authtest.Authenticator, _ *auth.Passkey, _, who *string) { *who = "login:2" }, auth.ErrStale},
		"another origin": {func(_ *deskRig, _ *authtest.Authenticator, _ *auth.Passkey, o, _ *string) { *o = "http://localhost:1" }, auth.ErrStale},
		"another page": {func(_ *deskRig, a *authtest.Authenticator, _ *auth.Passkey, _, _ *string) {
			a.Origin = "http://localhost:1"
		}, auth.ErrRegistration},
		"nobody verified": {func(_ *deskRig, a *authtest.Authenticator, _ *auth.Passkey, _, _ *string) { a.Unverified = true }, auth.ErrRegistration},
		"too late": {func(d *deskRig, _ *authtest.Authenticator, _ *auth.Passkey, _, _ *string) {
			d.now = d.now.Add(auth.ProofLife)
		}, auth.ErrStale},
	} {
		d, a, to, origin, who := newDesk(), authtest.New(here, "localhost"), draft, here, "login:1"
		options, err := d.Begin(t.Context(), here, who, draft)
		if err != nil {
			t.Fatal(err)
		}
		row.spoil(d, a, &to, &origin, &who)
		if k, err := d.Finish(t.Context(), origin, who, to, a.Make(options)); !errors.Is(err, row.want) {
			t.Errorf("%s: %+v, %v", name, k, err)
		}
	}
	d := newDesk()
	d.register(t, "ann", here)
	d.register(t, "ANN", here)
	d.register(t, "bob", here)
	if k := d.store.keys; !bytes.Equal(k[0].Handle, k[1].Handle) || bytes.Equal(k[0].Handle, k[2].Handle) {
		t.Error("the handles are not those of people")
	}
	if _, err := d.Finish(t.Context(), here, "login:1", draft, []byte("{}")); !errors.Is(err, auth.ErrRegistration) {
		t.Error(err)
	}
}

// Whom nobody asks has no passkey for the page.
func TestPasskeyElsewhere(t *testing.T) {
	d := newDesk()
	d.register(t, "ann", here)
	for _, row := range [][2]string{{here, "bob"}, {"https://desk.example.com", ""}, {"http://localhost:9999", "ann"}} {
		if _, err := d.Ask(t.Context(), row[0], row[1], purpose); !errors.Is(err, auth.ErrNoPasskey) {
			t.Errorf("%v: %v", row, err)
		}
	}
	other := d.register(t, "ann", "https://desk.example.com")
	options, err := d.Ask(t.Context(), here, "", purpose)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Prove(t.Context(), "", purpose, other.Sign(options)); !errors.Is(err, auth.ErrStale) {
		t.Errorf("a challenge of one page is good on another: %v", err)
	}
}

func TestOrigins(t *testing.T) {
	for origin, want := range map[string]string{
		"http://localhost:8765": "", "https://localhost": "", "http://desk.localhost:1": "", "https://desk.example.com:8765": "",
		"http://127.0.0.1:8765": "is a number", "https://10.0.0.1": "is a number", "https://[::1]:1": "is a number", "http://desk.example.com": "https",
		"": "not an origin", "null": "not an origin", "https://": "not an origin", "https://a/b": "not an origin", "localhost": "not an origin", "ftp://localhost": "https",
		"http://localhost.example.com": "https",
	} {
		err := auth.CheckOrigin(origin)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", origin, err)
		}
	}
	for _, row := range []struct {
		host, origin string
		ok           bool
	}{
		{"localhost:8765", "http://localhost:8765", true}, {"LOCALHOST:8765", "http://localhost:8765", true},
		{"localhost:8765", "http://localhost:9999", false}, {"localhost:8765", "", false}, {"localhost:8765", "null", false}, {"127.0.0.1:8765", "http://127.0.0.1:8765", false},
	} {
		r := httptest.NewRequest("POST", "/", nil)
		r.Host = row.host
		r.Header.Set("Origin", row.origin)
		if got, err := auth.OriginOf(r); (err == nil) != row.ok {
			t.Errorf("%+v: %q, %v", row, got, err)
		}
	}
}

func TestLabels(t *testing.T) {
	for label, ok := range map[string]bool{
		"work laptop": true, "Zoës <Telefon> 📱": true, strings.Repeat("é", 64): true, "": false, "  ": false, strings.Repeat("x", 65): false,
		"a\nb": false, "a\u202eb": false, "a\u00a0b": false, "\xff": false, "a\x00": false,
	} {
		if err := auth.CheckLabel(label); (err == nil) != ok {
			t.Errorf("%q: %v", label, err)
		}
	}
}

// A login by a passkey is as any other, in the name of its owner, and ends with those of
// its owner but the one that says so.
func TestEnter(t *testing.T) {
	l := auth.NewLogins(time.Now, nil)
	ann, bob := &auth.Passkey{Person: "Ann"}, &auth.Passkey{Person: "bob"}
	enter := func(k *auth.Passkey) auth.Session {
		s, err := l.Enter(k)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	first, second, other := enter(ann), enter(ann), enter(bob)
	plain, err := l.Exchange(authtest.Code(l))
	if err != nil {
		t.Fatal(err)
	}
	who, err := l.Bearer(first.Secret)
	if err != nil || who.Name != "passkey:ann" || who.Person() != "ann" || !who.Scopes.Has(auth.Approve|auth.Admin) || !who.InBrowser() {
		t.Errorf("%+v, %v", who, err)
	}
	reads, err := l.Cookie(first.Cookie)
	if err != nil || reads.Name != "passkey:ann" || reads.Scopes != auth.Read || reads.InBrowser() {
		t.Errorf("%+v, %v", reads, err)
	}
	if n, err := l.Leave(ann, first.Secret); n != 1 || err != nil {
		t.Errorf("%d ended, %v", n, err)
	}
	for name, row := range map[string]struct {
		s  auth.Session
		ok bool
	}{"the one that asks": {first, true}, "another of hers": {second, false}, "bob's": {other, true}, "by a code": {plain, true}} {
		if _, err := l.Bearer(row.s.Secret); (err == nil) != row.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := l.Undo(first); err != nil {
		t.Error(err)
	}
	if _, err := l.Bearer(first.Secret); err == nil {
		t.Error("it is not undone")
	}
	if n, err := l.Leave(bob, ""); n != 1 || err != nil {
		t.Error("bob's login did not end")
	}
}
