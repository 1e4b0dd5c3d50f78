package storetest

import (
	"context"
	"errors"
	"strconv"
	"testing"
	"time"
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
