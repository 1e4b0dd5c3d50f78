package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

func create(t *testing.T, place Place) {
	s := open(t, place, Options{})
	r := newRequest("req_1")
	r.Key, r.Version = "k", 7
	stored, created, undenied, err := s.Create(t.Context(), r, entry(audit.KindRequest, "req_1"))
	if err != nil || !created || !undenied {
		t.Fatal(created, undenied, err)
	}
	if r.Version != 7 {
		t.Error("the argument was changed")
	}
	r.Version = 1
	same(t, "stored", stored, r)
	stored.Title = "changed by who asked"
	got, err := s.Get(t.Context(), "req_1")
	if err != nil {
		t.Fatal(err)
	}
	same(t, "got", got, r)
	if got, err = s.ByKey(t.Context(), "token:agent", "k"); err != nil {
		t.Fatal(err)
	}
	same(t, "got by key", got, r)
	if _, err := s.Get(t.Context(), "req_2"); !errors.Is(err, approval.ErrNotFound) {
		t.Errorf("another id: %v", err)
	}
	if _, err := s.ByKey(t.Context(), "token:other", "k"); !errors.Is(err, approval.ErrNotFound) {
		t.Errorf("the key of another: %v", err)
	}
}

func join(t *testing.T, place Place) {
	s := open(t, place, Options{})
	with := func(id, submitter, key string) *approval.Request {
		r := newRequest(id)
		r.Submitter, r.Key = submitter, key
		return r
	}
	for _, row := range []struct {
		created bool
		want    string
		r       *approval.Request
	}{
		{true, "a", with("a", "token:agent", "k")},
		{false, "a", with("b", "token:agent", "k")},
		{false, "a", with("a", "token:agent", "k")},
		{false, "a", with("a", "token:agent", "")},
		{false, "a", with("a", "token:other", "x")}, // whoever has the id
		{true, "c", with("c", "token:other", "k")},
		{false, "c", with("a", "token:other", "k")}, // the key goes before the id
		{true, "d", with("d", "token:agent", "")},
		{true, "e", with("e", "token:agent", "")}, // no key joins nothing
		{true, "A", with("A", "token:agent", "K")},
		{true, "f", with("f", "token:agent", "k ")},
	} {
		before := countsOf(t, s)
		stored, created, _, err := s.Create(t.Context(), row.r, entry(audit.KindRequest, row.r.ID))
		if err != nil {
			t.Fatal(err)
		}
		if created != row.created || stored.ID != row.want {
			t.Errorf("%s %s %q: created %v, %s; want %v, %s", row.r.ID, row.r.Submitter, row.r.Key, created, stored.ID, row.created, row.want)
		}
		if after := countsOf(t, s); !created && after != before {
			t.Errorf("%s joined, and was logged: %v, then %v", row.r.ID, before, after)
		}
	}
	if _, err := s.ByKey(t.Context(), "token:agent", ""); !errors.Is(err, approval.ErrNotFound) {
		t.Errorf("no key: %v", err)
	}
}

func joinRace(t *testing.T, place Place) {
	s := open(t, place, Options{})
	var made atomic.Int64
	ids := make([]string, 100)
	race(len(ids), func(i int) {
		r := newRequest(fmt.Sprintf("req_%d", i))
		r.Key = "k"
		stored, created, _, err := s.Create(t.Context(), r, entry(audit.KindRequest, r.ID))
		if err != nil {
			t.Error(err)
			return
		}
		if created {
			made.Add(1)
		}
		ids[i] = stored.ID
	})
	for _, id := range ids {
		if made.Load() != 1 || id != ids[0] {
			t.Fatalf("%d were made: %v", made.Load(), ids)
		}
	}
	same(t, "logs", countsOf(t, s), counts{1, 1})
}

// Two submissions under one key: one of them stands, the other is a mismatch.
func mismatchRace(t *testing.T, place Place) {
	service := newService(t, open(t, place, Options{}))
	var stands, mismatch [2]atomic.Int64
	race(60, func(i int) {
		_, err := service.Submit(t.Context(), "token:agent", submission("k", fmt.Sprint("make ", i%2)))
		switch {
		case err == nil:
			stands[i%2].Add(1)
		case errors.Is(err, approval.ErrMismatch):
			mismatch[i%2].Add(1)
		default:
			t.Error(err)
		}
	})
	for i := range 2 {
		if stands[i].Load() == 30 && mismatch[1-i].Load() == 30 {
			return
		}
	}
	t.Errorf("stands %d %d, mismatch %d %d", stands[0].Load(), stands[1].Load(), mismatch[0].Load(), mismatch[1].Load())
}

// documents are what a store must give back as it got it.
func documents(t *testing.T, place Place) {
	s := open(t, place, Options{})
	for i, text := range []string{
		"ünïcödé 日本語 العربية 👩‍💻 \u2028\u2029 \ufeff", "<script>&amp;</script>", "'; DROP TABLE requests; --", "\x01\x1f\x7f", "a\nb\r\n\tc", `\u0000 \\`,
		strings.Repeat("x", 1<<20), strings.Repeat("é<", 1<<18),
	} {
		r := newRequest(fmt.Sprint("req_", i))
		r.Title, r.Session, r.Key = text, text, text
		input, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		r.Call = json.RawMessage(`{"input":{"a":` + string(input) + `,"n":12345678901234567890.10,"e":1E400,"z":"\u0000","s":"\u003c</"}}`)
		put(t, s, r)
		got, err := s.ByKey(t.Context(), r.Submitter, text)
		if err != nil {
			t.Fatal(err)
		}
		same(t, fmt.Sprintf("%.20q", text), got, r)
		if string(got.Call) != string(r.Call) {
			t.Errorf("%.20q: its call is spelled otherwise: %.200s", text, got.Call)
		}
		of, err := s.List(t.Context(), approval.Filter{Session: text})
		if err != nil || len(of) != 1 {
			t.Errorf("%.20q: %d of the session, %v", text, len(of), err)
		}
	}
}

// badText is text that not every database can search.
func badText(t *testing.T, place Place) {
	s := open(t, place, Options{})
	for _, text := range []string{"a\x00b", "a\xffb", "\xed\xa0\x80"} {
		for _, field := range []func(*approval.Request) *string{
			func(r *approval.Request) *string { return &r.ID },
			func(r *approval.Request) *string { return &r.Key },
			func(r *approval.Request) *string { return &r.Session },
			func(r *approval.Request) *string { return &r.Submitter },
		} {
			r := newRequest("req_1")
			*field(r) = text
			if _, created, _, err := s.Create(t.Context(), r); err == nil || created {
				t.Errorf("%q was stored: %+v", text, r)
			}
		}
	}
	same(t, "logs", countsOf(t, s), counts{})
}
