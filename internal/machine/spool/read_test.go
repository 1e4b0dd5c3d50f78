package spool

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// read returns the ids of what waits behind a place, oldest first, with where it ends.
func read(t *testing.T, s *Spool, from Place) (ids []string, broken []string, end Place) {
	t.Helper()
	end = from
	first := true
	for p, err := range s.Pieces(from) {
		if err != nil {
			t.Fatal(err)
		}
		var some []string
		for _, e := range p.Events {
			id := strings.TrimSuffix(strings.TrimPrefix(string(e), `{"id":"`), `"}`)
			some = append(some, id)
		}
		ids = append(some, ids...)
		broken = append(p.Broken, broken...)
		if first {
			end, first = p.End, false
		}
	}
	return ids, broken, end
}

func add(t *testing.T, s *Spool, ids ...string) {
	t.Helper()
	for _, id := range ids {
		if err := s.Add(line(id)); err != nil {
			t.Fatal(err)
		}
	}
}

func is(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// What is read stays, and a reader goes on where it was.
func TestPieces(t *testing.T) {
	s := New(t.TempDir(), 0)
	got, _, at := read(t, s, Place{})
	is(t, "nothing", got)
	add(t, s, "a", "b")
	got, _, at = read(t, s, at)
	is(t, "two", got, "a", "b")
	got, _, at = read(t, s, at)
	is(t, "nothing new", got)
	add(t, s, "c")
	got, _, at = read(t, s, at)
	is(t, "one more", got, "c")
	is(t, "a collector", all(t, s), "a", "b", "c")
	add(t, s, "d")
	got, _, at = read(t, s, at)
	is(t, "after a collector", got, "d")
	got, _, _ = read(t, s, Place{})
	is(t, "from the beginning", got, "d")

	if err := os.RemoveAll(s.dir); err != nil {
		t.Fatal(err)
	}
	add(t, s, "e")
	got, _, _ = read(t, s, at)
	is(t, "another spool in its place", got, "e")
}

// Segments are read newest first, and a reader may stop.
func TestPiecesOrder(t *testing.T) {
	s := New(t.TempDir(), 400) // of which a segment has 100 bytes
	var want []string
	for i := range 15 {
		want = append(want, fmt.Sprint(i))
	}
	add(t, s, want...)
	got, _, _ := read(t, s, Place{})
	is(t, "all", got, want...)
	for p := range s.Pieces(Place{}) {
		if last := string(p.Events[len(p.Events)-1]); last != string(line("14")) {
			t.Errorf("the newest segment ends with %s", last)
		}
		break
	}
}

// A collector that has taken a part of a segment leaves the rest.
func TestPiecesTaken(t *testing.T) {
	s := New(t.TempDir(), 0)
	if _, ok := s.Taken(); ok {
		t.Error("taken before anything was there")
	}
	add(t, s, "a", "b", "c")
	turn, err := s.Ship()
	if err != nil {
		t.Fatal(err)
	}
	defer turn.Close()
	if _, err := turn.Next(); err != nil {
		t.Fatal(err)
	}
	got, _, _ := read(t, s, Place{})
	is(t, "while a collector reads", got, "a", "b", "c")
	if err := turn.Done(2); err != nil {
		t.Fatal(err)
	}
	got, _, _ = read(t, s, Place{})
	is(t, "when it has two", got, "c")
	if when, ok := s.Taken(); !ok || when.IsZero() {
		t.Error("it is not said that something was taken")
	}
}

// Broken lines are named and take no other with them; what is being added is left.
func TestPiecesBroken(t *testing.T) {
	s := New(t.TempDir(), 0)
	add(t, s, "a")
	write := func(segment uint32, text string) {
		f, err := os.OpenFile(s.segment(segment), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.WriteString(text)
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	write(1, "{\"id\":\nrubbish\n")
	add(t, s, "b")
	write(1, `{"id":"to`)
	got, broken, at := read(t, s, Place{})
	is(t, "events", got, "a", "b")
	if len(broken) != 2 || !strings.HasSuffix(broken[1], "a line that is no decision") || !strings.Contains(broken[0], "0000000001.events: byte ") {
		t.Error(broken)
	}
	write(1, "rn\"}\n")
	got, broken, _ = read(t, s, at)
	is(t, "the rest of a line", got, "torn")
	is(t, "nothing is broken", broken)

	write(1, `{"id":"cut`)
	write(2, "\n"+string(line("c"))+"\n")
	got, broken, _ = read(t, s, at)
	is(t, "with a cut one", got, "torn", "c")
	if len(broken) != 1 || !strings.HasSuffix(broken[0], "a decision that was cut off") {
		t.Error(broken)
	}
}

// A link or a pipe in place of a segment is not followed.
func TestPiecesLink(t *testing.T) {
	s := New(t.TempDir(), 0)
	add(t, s, "a")
	other := New(t.TempDir(), 0)
	add(t, other, "secret")
	if err := os.Symlink(other.segment(1), s.segment(2)); err != nil {
		t.Skip(err)
	}
	got, _, _ := read(t, s, Place{})
	is(t, "events", got, "a")
}

// A rotating spool loses its oldest events, and counts them.
func TestRotating(t *testing.T) {
	s := Rotating(t.TempDir(), 1000)
	for i := range 200 {
		add(t, s, fmt.Sprint(i))
	}
	got, _, _ := read(t, s, Place{})
	if len(got) == 0 || got[len(got)-1] != "199" || s.Lost(Dropped) != 0 || int(s.Lost(Displaced))+len(got) != 200 {
		t.Errorf("%d displaced, %d dropped, left %q", s.Lost(Displaced), s.Lost(Dropped), got)
	}
	for i, id := range got {
		if id != fmt.Sprint(200-len(got)+i) {
			t.Fatalf("a gap: %q", got)
		}
	}
	if !strings.Contains(s.Missing(), "decisions gave way to newer ones in ") {
		t.Error(s.Missing())
	}
	is(t, "a collector", all(t, s), got...)
}

// While a collector is at work, nothing gives way: it makes room.
func TestRotatingBusy(t *testing.T) {
	s := Rotating(t.TempDir(), 1000)
	turn, err := s.Ship()
	if err != nil {
		t.Fatal(err)
	}
	defer turn.Close()
	full := 0
	for i := range 100 {
		if errors.Is(s.Add(line(i)), ErrFull) {
			full++
		}
	}
	if full == 0 || s.Lost(Displaced) != 0 || s.Lost(Dropped) != int64(full) {
		t.Errorf("%d full, %d displaced, %d dropped", full, s.Lost(Displaced), s.Lost(Dropped))
	}
}

// While others add, and a collector takes, a reader sees each event at most once, and all
// that nobody takes.
func TestPiecesWhileAdded(t *testing.T) {
	const writers, each = 4, 50
	s := New(t.TempDir(), 0)
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				if err := New(s.dir, 0).Add(line(fmt.Sprint(w, "-", i))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	seen := make(map[string]int)
	var at Place
	look := func() {
		var got, broken []string
		got, broken, at = read(t, s, at)
		for _, id := range got {
			seen[id]++
		}
		if len(broken) > 0 {
			t.Errorf("broken: %q", broken)
		}
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	for more := true; more; {
		select {
		case <-done:
			more = false
		default:
		}
		look()
	}
	if len(seen) != writers*each {
		t.Errorf("%d of %d were seen", len(seen), writers*each)
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("%s was seen %d times", id, n)
		}
	}
	if left := all(t, s); len(left) != writers*each {
		t.Errorf("%d are left for a collector", len(left))
	}
}

// What a collector has taken of a segment that gives way is not lost.
func TestRotatingTaken(t *testing.T) {
	s := Rotating(t.TempDir(), 1000)
	add(t, s, "a", "b", "c")
	turn, err := s.Ship()
	if err != nil {
		t.Fatal(err)
	}
	_, err = turn.Next()
	if err := errors.Join(err, turn.Done(2), turn.Close()); err != nil {
		t.Fatal(err)
	}
	added := 3
	for ; s.Lost(Displaced) == 0 && added < 200; added++ {
		add(t, s, fmt.Sprint(added))
	}
	got, _, _ := read(t, s, Place{})
	if int(s.Lost(Displaced))+len(got) != added-2 {
		t.Errorf("%d gave way and %d are left, of %d without the two that were taken", s.Lost(Displaced), len(got), added-2)
	}
}
