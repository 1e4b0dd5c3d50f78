package storetest

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

func update(t *testing.T, place Place) {
	s := open(t, place, Options{})
	put(t, s, newRequest("req_1"))
	for version := int64(2); version <= 3; version++ {
		r, err := s.Update(t.Context(), "req_1", func(r *approval.Request) ([]audit.Entry, error) {
			if r.Version != version-1 {
				t.Errorf("change sees version %d, want %d", r.Version, version-1)
			}
			decide(r, approval.Denied)
			r.Version = 99
			return []audit.Entry{entry(audit.KindDecision, "req_1"), entry(audit.KindReceipt, "req_1")}, nil
		})
		if err != nil || r.Version != version || r.State != approval.Denied {
			t.Fatalf("%+v, %v", r, err)
		}
		got, err := s.Get(t.Context(), "req_1")
		if err != nil {
			t.Fatal(err)
		}
		same(t, "got", got, r)
	}
	same(t, "logs", countsOf(t, s), counts{Audit: 5, Events: 3})
}

func updateFails(t *testing.T, place Place) {
	s := open(t, place, Options{Notify: func(e approval.Event) {
		if e.Version != 1 {
			t.Errorf("told of %+v", e)
		}
	}})
	put(t, s, newRequest("req_1"), newRequest("req_2"))
	own := errors.New("no")
	bad := entry("nonsense", "req_1")
	for name, row := range map[string]struct {
		id     string
		change func(*approval.Request) ([]audit.Entry, error)
		want   func(error) bool
	}{
		"own error": {"req_1", func(r *approval.Request) ([]audit.Entry, error) {
			decide(r, approval.Denied)
			return []audit.Entry{entry(audit.KindDecision, "req_1")}, own
		}, func(err error) bool { return err == own }},
		"unknown id": {"req_3", func(*approval.Request) ([]audit.Entry, error) {
			t.Error("change was called")
			return nil, nil
		}, func(err error) bool { return errors.Is(err, approval.ErrNotFound) }},
		"bad entry": {"req_1", func(r *approval.Request) ([]audit.Entry, error) {
			decide(r, approval.Denied)
			return []audit.Entry{entry(audit.KindDecision, "req_1"), bad}, nil
		}, nil},
		"other id":        {"req_1", func(r *approval.Request) ([]audit.Entry, error) { r.ID = "req_9"; return nil, nil }, nil},
		"id of another":   {"req_1", func(r *approval.Request) ([]audit.Entry, error) { r.ID = "req_2"; return nil, nil }, nil},
		"other key":       {"req_1", func(r *approval.Request) ([]audit.Entry, error) { r.Key = "k"; return nil, nil }, nil},
		"other submitter": {"req_1", func(r *approval.Request) ([]audit.Entry, error) { r.Submitter = "uid:0"; return nil, nil }, nil},
		"bad session":     {"req_1", func(r *approval.Request) ([]audit.Entry, error) { r.Session = "\xff"; return nil, nil }, nil},
	} {
		r, err := s.Update(t.Context(), row.id, row.change)
		if err == nil || r != nil || row.want != nil && !row.want(err) {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	got, err := s.Get(t.Context(), "req_1")
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the request", got, newRequest("req_1"))
	same(t, "logs", countsOf(t, s), counts{2, 2})
}

// One change panics among many: it goes on in its caller, and leaves nothing.
func updatePanics(t *testing.T, place Place) {
	s := open(t, place, Options{})
	put(t, s, newRequest("req_1"))
	own := errors.New("the value of the panic")
	var panics atomic.Int64
	race(40, func(i int) {
		defer func() {
			if v := recover(); v != nil {
				panics.Add(1)
				if v != own || i%2 != 0 {
					t.Errorf("%d: panic %v", i, v)
				}
			}
		}()
		_, err := s.Update(t.Context(), "req_1", func(r *approval.Request) ([]audit.Entry, error) {
			if r.Title = "changed"; i%2 == 0 {
				panic(own)
			}
			return []audit.Entry{entry(audit.KindDecision, "req_1")}, nil
		})
		if err != nil {
			t.Error(err)
		}
	})
	r, err := s.Get(t.Context(), "req_1")
	if err != nil || panics.Load() != 20 || r.Version != 21 {
		t.Errorf("%d panics, version %d, %v", panics.Load(), r.Version, err)
	}
	same(t, "logs", countsOf(t, s), counts{21, 21})
}

// No change is lost among racing ones, and a change that fails takes no other
// one with it.
func updateRace(t *testing.T, place Place) {
	s := open(t, place, Options{})
	r := newRequest("req_1")
	r.Title = "0"
	put(t, s, r)
	own := errors.New("no")
	race(300, func(i int) {
		_, err := s.Update(t.Context(), "req_1", func(r *approval.Request) ([]audit.Entry, error) {
			n, err := strconv.Atoi(r.Title)
			if err != nil {
				return nil, err
			}
			if r.Title = strconv.Itoa(n + 1); i%3 == 0 {
				return nil, own
			}
			return []audit.Entry{entry(audit.KindDecision, "req_1")}, nil
		})
		if i%3 == 0 && err != own || i%3 != 0 && err != nil {
			t.Error(i, err)
		}
	})
	got, err := s.Get(t.Context(), "req_1")
	if err != nil || got.Title != "200" || got.Version != 201 {
		t.Errorf("title %s, version %d, %v", got.Title, got.Version, err)
	}
	same(t, "logs", countsOf(t, s), counts{201, 201})
}

func oneDecision(t *testing.T, place Place) {
	s := open(t, place, Options{})
	service := newService(t, s)
	r, err := service.Submit(t.Context(), "token:agent", submission("", "make"))
	if err != nil {
		t.Fatal(err)
	}
	words := []approval.Word{approval.ApprovedOnce, approval.Rejected}
	var won atomic.Int64
	race(1000, func(i int) {
		by := fmt.Sprint("token:decider", i)
		got, err := service.Decide(t.Context(), r.ID, by, approval.Answer{Word: words[i%2]})
		switch {
		case err == nil && got.Decision.By == by:
			won.Add(1)
		case err == nil || !errors.Is(err, approval.ErrDecided):
			t.Errorf("%s: %v, decided by %s", by, err, got.Decision.By)
		}
	})
	got, err := s.Get(t.Context(), r.ID)
	if err != nil || won.Load() != 1 {
		t.Fatalf("%d won, %v", won.Load(), err)
	}
	log := verify(t, s)
	receipts := 0
	if got.State == approval.Approved {
		receipts = 1
	}
	if ofKind(log, audit.KindDecision) != 1 || ofKind(log, audit.KindReceipt) != receipts || (got.Receipt != nil) != (receipts == 1) {
		t.Errorf("%s: %d decisions, %d receipts", got.State, ofKind(log, audit.KindDecision), ofKind(log, audit.KindReceipt))
	}
}

func oneConsumption(t *testing.T, place Place) {
	s := open(t, place, Options{})
	service := newService(t, s)
	r, err := service.Submit(t.Context(), "token:agent", submission("", "make"))
	if err != nil {
		t.Fatal(err)
	}
	if r, err = service.Decide(t.Context(), r.ID, "token:human", approval.Answer{Word: approval.ApprovedOnce}); err != nil {
		t.Fatal(err)
	}
	var won atomic.Int64
	race(200, func(int) {
		_, err := service.Consume(t.Context(), "token:agent", r.Receipt.Text)
		switch {
		case err == nil:
			won.Add(1)
		case !errors.Is(err, approval.ErrConsumed):
			t.Error(err)
		}
	})
	if n := ofKind(verify(t, s), audit.KindConsumption); won.Load() != 1 || n != 1 {
		t.Errorf("%d consumed it, %d records", won.Load(), n)
	}
}

// A change that ends its goroutine, as a test's FailNow does, holds up nobody.
func goexit(t *testing.T, place Place) {
	s := open(t, place, Options{})
	put(t, s, newRequest("a"))
	var all sync.WaitGroup
	var stored atomic.Int64
	for i := range 40 {
		all.Go(func() {
			_, err := s.Update(t.Context(), "a", func(*approval.Request) ([]audit.Entry, error) {
				if i%8 == 0 {
					runtime.Goexit()
				}
				return nil, nil
			})
			switch {
			case err == nil:
				stored.Add(1)
			case !strings.Contains(err.Error(), "nothing was stored"):
				t.Error(err)
			}
		})
	}
	all.Wait()
	if r, err := s.Get(t.Context(), "a"); err != nil || r.Version != 1+stored.Load() {
		t.Errorf("version %d after %d changes, %v", r.Version, stored.Load(), err)
	}
	put(t, s, newRequest("b"))
}
