package storetest

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/grant"
	"github.com/policyctl/policyctl/pkg/policy"
)

// shelves keeps documents by their names, and changes one at a time.
func shelves(t *testing.T, place Place) {
	s := open(t, place, Options{})
	a, b := s.Shelf("a"), s.Shelf("b")
	if text, err := a.Look(t.Context()); text != nil || err != nil {
		t.Fatalf("%q, %v", text, err)
	}
	put := func(want, text string) {
		t.Helper()
		err := a.Change(t.Context(), func(was []byte) ([]byte, error) {
			if string(was) != want {
				t.Errorf("there was %q, not %q", was, want)
			}
			return []byte(text), nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	put("", `{"n": 1}`)
	put(`{"n": 1}`, `{"n": 2}`)
	refused := errors.New("no")
	if err := a.Change(t.Context(), func([]byte) ([]byte, error) { return []byte("x"), refused }); !errors.Is(err, refused) {
		t.Errorf("%v", err)
	}
	if text, err := a.Look(t.Context()); string(text) != `{"n": 2}` || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	if text, err := b.Look(t.Context()); text != nil || err != nil {
		t.Errorf("another one: %q, %v", text, err)
	}
}

// shelfRace counts on a shelf, many at once.
func shelfRace(t *testing.T, place Place) {
	s := open(t, place, Options{})
	race(50, func(int) {
		err := s.Shelf("count").Change(t.Context(), func(was []byte) ([]byte, error) {
			n, _ := strconv.Atoi(string(was))
			return []byte(strconv.Itoa(n + 1)), nil
		})
		if err != nil {
			t.Error(err)
		}
	})
	if text, err := s.Shelf("count").Look(t.Context()); string(text) != "50" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}

// usesRace counts the uses of a grant that instances share: of many calls at once, as many
// pass as there are uses, and a call that was counted counts once.
func usesRace(t *testing.T, place Place) {
	const uses = 7
	s := open(t, place, Options{})
	book := func() *grant.Shared { return grant.NewShared(s.Shelf("uses"), time.Now) }
	e := grant.Entry{Verb: "make", Scope: grant.Anywhere, Tool: "shell", By: "test", Uses: uses}
	if _, err := book().Add(e); err != nil {
		t.Fatal(err)
	}
	call := func(id int) *policy.Call {
		c := policy.Shell("make", "/w")
		c.ID = strconv.Itoa(id)
		return c
	}
	var passed sync.Map
	race(50, func(i int) {
		if book().Spend(call(i), []string{e.ID()}) == nil {
			passed.Store(i, true)
		}
	})
	n := 0
	passed.Range(func(id, _ any) bool {
		n++
		if err := book().Spend(call(id.(int)), []string{e.ID()}); err != nil {
			t.Errorf("asked about again: %v", err)
		}
		return true
	})
	if list, err := book().Read(); n != uses || err != nil || len(list) != 1 || len(list[0].Spent) != uses {
		t.Errorf("%d passed of %d: %+v, %v", n, uses, list, err)
	}
}

// lead has the one who is there do what one does for all, until it is told to stop.
func lead(t *testing.T, place Place) {
	s := open(t, place, Options{})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	began, ended := make(chan struct{}), make(chan struct{})
	go func() {
		s.Lead(ctx, "channels", func(ctx context.Context) {
			close(began)
			<-ctx.Done()
		})
		close(ended)
	}()
	for _, c := range []chan struct{}{began, ended} {
		select {
		case <-c:
		case <-time.After(10 * time.Second):
			t.Fatal("it does not begin, or does not end")
		}
		stop()
	}
}
