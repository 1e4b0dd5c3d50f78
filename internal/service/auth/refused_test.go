package auth_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/auth"
)

// A passkey that lacks something is not stored.
func TestPasskeyCheck(t *testing.T) {
	whole := auth.Passkey{ID: "k", Person: "ann", Label: "laptop", Credential: []byte("c"), Public: []byte("p"), Handle: []byte("h"), Origin: here}
	for name, edit := range map[string]func(*auth.Passkey){
		"":              func(*auth.Passkey) {},
		"no id":         func(k *auth.Passkey) { k.ID = "" },
		"no person":     func(k *auth.Passkey) { k.Person = "" },
		"an odd name":   func(k *auth.Passkey) { k.Person = "ann bee" },
		"no label":      func(k *auth.Passkey) { k.Label = " " },
		"no key":        func(k *auth.Passkey) { k.Public = nil },
		"no handle":     func(k *auth.Passkey) { k.Handle = nil },
		"no credential": func(k *auth.Passkey) { k.Credential = nil },
		"no origin":     func(k *auth.Passkey) { k.Origin = "" },
	} {
		k := whole
		edit(&k)
		if err := k.Check(); (name == "") != (err == nil) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Whoever registers is told to leave out the passkeys that they have at this address, and
// none of anybody else.
func TestRegisteredExcluded(t *testing.T) {
	d := newDesk()
	d.register(t, "ann", here)
	d.register(t, "ann", "https://policy.example")
	d.register(t, "bob", here)
	options, err := d.Begin(t.Context(), here, "login:1", auth.Passkey{Person: "Ann", Label: "phone"})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(options)
	if err != nil {
		t.Fatal(err)
	}
	var told struct {
		Exclude []struct {
			ID string `json:"id"`
		} `json:"excludeCredentials"`
	}
	if err := json.Unmarshal(text, &told); err != nil || len(told.Exclude) != 1 || told.Exclude[0].ID != base64.RawURLEncoding.EncodeToString(d.store.keys[0].Credential) {
		t.Errorf("%d are left out, %v: %s", len(told.Exclude), err, text)
	}
}

// An answer that proves nothing says why, in words.
func TestProofRefused(t *testing.T) {
	d := newDesk()
	ann := d.register(t, "ann", here)
	options, err := d.Ask(t.Context(), here, "ann", purpose)
	if err != nil {
		t.Fatal(err)
	}
	answer := ann.Sign(options)
	_, err = d.Prove(t.Context(), "ann", purpose, json.RawMessage(strings.Replace(string(answer), `"signature":"`, `"signature":"AAAA`, 1)))
	if !errors.Is(err, auth.ErrProof) || strings.HasSuffix(err.Error(), "()") {
		t.Error(err)
	}
}

// Blanks may stand behind a comma, and nowhere else.
func TestScopeBlanks(t *testing.T) {
	for text, fine := range map[string]bool{"read, submit": true, "read,  submit": true, " read": false, "read ": false, "read ,submit": false, "": false} {
		if _, err := auth.ParseScope(text); fine != (err == nil) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A name says at which place it is wrong.
func TestNamePlaces(t *testing.T) {
	for name, want := range map[string]string{"a b": "position 2", " ab": "position 1", "ab!": "position 3"} {
		if err := auth.CheckName(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", name, err, want)
		}
	}
}

// The session of a request is that of its secret, or else of its cookie.
func TestCurrent(t *testing.T) {
	logins := auth.NewLogins(time.Now, nil)
	session := func() (s auth.Session) {
		code, err := logins.NewCode()
		if err == nil {
			s, err = logins.Exchange(code)
		}
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	first, second := session(), session()
	list, err := logins.List()
	if err != nil || len(list) != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	r := httptest.NewRequest("GET", "/", nil)
	w := httptest.NewRecorder()
	auth.SetCookie(w, r, first)
	r.Header.Set("Cookie", w.Header().Get("Set-Cookie"))
	ofCookie := auth.Current(r)
	r.Header.Set("Authorization", "Bearer "+second.Secret)
	ofSecret := auth.Current(r)
	for _, id := range []string{ofCookie, ofSecret} {
		if id == "" || ofCookie == ofSecret || !slices.ContainsFunc(list, func(l auth.Login) bool { return l.ID == id }) {
			t.Errorf("of the cookie %q, of the secret %q, of %+v", ofCookie, ofSecret, list)
		}
	}
	r = httptest.NewRequest("GET", "/", nil)
	if got := auth.Current(r); got != "" {
		t.Errorf("of nobody: %q", got)
	}
	for _, header := range []string{"Bearer", "Bearer x", "Basic YTpi"} {
		r.Header.Set("Authorization", header)
		if got := auth.Current(r); got != "" {
			t.Errorf("%s: %q", header, got)
		}
	}
}
