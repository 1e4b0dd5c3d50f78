package storetest

import (
	"encoding/base64"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/push"
	"github.com/policyctl/policyctl/pkg/audit"
)

// newPasskey returns a passkey whose id is made of its owner.
func newPasskey(person string) auth.Passkey {
	return auth.Passkey{
		ID: "id-" + person, Person: person, Label: "<Zoës laptop>", Credential: []byte("credential of " + person), Public: []byte("public\x00"), Handle: []byte("handle"),
		Origin: "https://desk.example.com:8765", Count: 3, Created: day,
	}
}

func passkeys(t *testing.T, place Place) {
	s := open(t, place, Options{})
	a, b := newPasskey("a"), newPasskey("b")
	b.Synced, b.Count, b.LastUsed = true, 0, day.Add(time.Hour)
	for _, k := range []auth.Passkey{a, b} {
		if err := s.AddPasskey(t.Context(), k, entry(audit.KindPasskey, "")); err != nil {
			t.Fatal(err)
		}
	}
	check := func(want ...auth.Passkey) {
		t.Helper()
		got, err := s.Passkeys(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		same(t, "passkeys", got, want)
	}
	check(b, a)
	// The count only goes forward; one that does not count stays at 0.
	for i, row := range []struct {
		id    string
		count uint32
		want  bool
	}{{a.ID, 3, false}, {a.ID, 2, false}, {a.ID, 0, false}, {a.ID, 4, true}, {a.ID, 4, false}, {a.ID, 1<<32 - 1, true}, {b.ID, 0, true}, {b.ID, 0, true}, {b.ID, 1, true}, {b.ID, 0, false}, {"nobody", 9, false}} {
		if forward, err := s.UsePasskey(t.Context(), row.id, row.count, day.Add(time.Duration(i)*time.Hour)); err != nil || forward != row.want {
			t.Errorf("%d: use %s at %d: %v, %v", i, row.id, row.count, forward, err)
		}
	}
	a.Count, a.LastUsed, b.Count, b.LastUsed = 1<<32-1, day.Add(5*time.Hour), 1, day.Add(8*time.Hour)
	check(b, a)
	for _, row := range []struct {
		id   string
		want bool
	}{{b.ID, true}, {b.ID, false}, {"nobody", false}} {
		if done, err := s.RemovePasskey(t.Context(), row.id, entry(audit.KindPasskey, "")); err != nil || done != row.want {
			t.Errorf("remove %s: %v, %v", row.id, done, err)
		}
	}
	check(a)
	same(t, "logs", countsOf(t, s), counts{Audit: 3})
}

func badPasskeys(t *testing.T, place Place) {
	s := open(t, place, Options{})
	if err := s.AddPasskey(t.Context(), newPasskey("a")); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*auth.Passkey){
		"no id": func(k *auth.Passkey) { k.ID = "" }, "the id of another": func(k *auth.Passkey) { k.ID = "id-a" },
		"the credential of another": func(k *auth.Passkey) { k.Credential = newPasskey("a").Credential }, "no credential": func(k *auth.Passkey) { k.Credential = nil },
		"no key": func(k *auth.Passkey) { k.Public = nil }, "no handle": func(k *auth.Passkey) { k.Handle = nil }, "no origin": func(k *auth.Passkey) { k.Origin = "" },
		"a number": func(k *auth.Passkey) { k.Origin = "https://10.0.0.1" }, "no name": func(k *auth.Passkey) { k.Person = "" },
		"bad name": func(k *auth.Passkey) { k.Person = "a b" }, "bad label": func(k *auth.Passkey) { k.Label = "a\nb" },
	} {
		k := newPasskey("b")
		spoil(&k)
		if err := s.AddPasskey(t.Context(), k, entry(audit.KindPasskey, "")); err == nil {
			t.Errorf("%s: stored", name)
		}
	}
	if all, err := s.Passkeys(t.Context()); err != nil || len(all) != 1 {
		t.Errorf("%v, %v", all, err)
	}
	same(t, "logs", countsOf(t, s), counts{})
}

// newSubscription returns a subscription whose id is made of a name; the key is that of
// RFC 8291, appendix A.
func newSubscription(name string) push.Subscription {
	key, err := base64.RawURLEncoding.DecodeString("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4")
	if err != nil {
		panic(err)
	}
	return push.Subscription{
		ID: "id-" + name, Person: "passkey:ann", Label: "phone", Endpoint: "https://push.example.com/" + name, Public: key, Secret: make([]byte, 16), Created: day,
	}
}

func subscriptions(t *testing.T, place Place) {
	s := open(t, place, Options{})
	a, b := newSubscription("a"), newSubscription("b")
	again := a
	again.ID, again.Label = "id-again", "the same phone"
	for _, one := range []push.Subscription{a, b, again} {
		if err := s.AddSubscription(t.Context(), one); err != nil {
			t.Fatal(err)
		}
	}
	check := func(want ...push.Subscription) {
		t.Helper()
		got, err := s.Subscriptions(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		same(t, "subscriptions", got, want)
	}
	check(again, b)
	for name, spoil := range map[string]func(*push.Subscription){
		"no https": func(s *push.Subscription) { s.Endpoint = "http://push.example.com/c" }, "no key": func(s *push.Subscription) { s.Public = nil },
		"no secret": func(s *push.Subscription) { s.Secret = nil }, "no id": func(s *push.Subscription) { s.ID = "" }, "the id of another": func(s *push.Subscription) { s.ID = b.ID },
		"nobody": func(s *push.Subscription) { s.Person = "" },
	} {
		one := newSubscription("c")
		spoil(&one)
		if err := s.AddSubscription(t.Context(), one); err == nil {
			t.Errorf("%s: stored", name)
		}
	}
	check(again, b)
	for _, row := range []struct {
		id   string
		want bool
	}{{b.ID, true}, {b.ID, false}, {a.ID, false}} {
		if done, err := s.RemoveSubscription(t.Context(), row.id); err != nil || done != row.want {
			t.Errorf("remove %s: %v, %v", row.id, done, err)
		}
	}
	check(again)
	for i := range push.MaxSubscriptions - 1 {
		if err := s.AddSubscription(t.Context(), newSubscription(fmt.Sprint("n", i))); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.AddSubscription(t.Context(), newSubscription("last")); !errors.Is(err, push.ErrTooMany) {
		t.Errorf("one too many: %v", err)
	}
	if err := s.AddSubscription(t.Context(), again); err != nil {
		t.Errorf("a browser that is told already: %v", err)
	}
}
