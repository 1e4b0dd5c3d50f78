package spool

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// The test binary is a writer or a shipper of a spool where these name one.
const (
	writing  = "TEST_SPOOL_WRITE"
	shipping = "TEST_SPOOL_SHIP"
)

// What such a process says first.
const begun = "begun"

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(writing) != "":
		fmt.Println(begun)
		writeOn(New(os.Getenv(writing), 0))
	case os.Getenv(shipping) != "":
		fmt.Println(begun)
		shipOn(New(os.Getenv(shipping), 0))
	}
	os.Exit(m.Run())
}

// writeOn adds events until it is killed, and prints each that was added.
func writeOn(s *Spool) {
	s.size = 8 << 10
	for i := 0; ; i++ {
		id := fmt.Sprintf("%d-%d", os.Getpid(), i)
		if err := s.Add([]byte(`{"id":"` + id + `","pad":"` + strings.Repeat("x", i%700) + `"}`)); err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		fmt.Println(id)
	}
}

// shipOn takes events out until it is killed, and prints each before it is
// done.
func shipOn(s *Spool) {
	for {
		t, err := s.Ship()
		if errors.Is(err, ErrBusy) {
			time.Sleep(time.Millisecond)
			continue
		}
		events, err := t.Next()
		if err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		n := min(len(events), 1+rand.IntN(20))
		for _, e := range events[:n] {
			fmt.Println(idOf(e))
		}
		if err := t.Done(n); err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		t.Close()
	}
}

func idOf(event []byte) string { return strings.Split(string(event), `"`)[3] }

// all takes everything out of a spool.
func all(t *testing.T, s *Spool) (ids []string) {
	t.Helper()
	turn, err := s.Ship()
	if err != nil {
		t.Fatal(err)
	}
	defer turn.Close()
	for {
		events, err := turn.Next()
		if err != nil {
			t.Fatal(err)
		}
		if len(events) == 0 {
			return ids
		}
		for _, e := range events {
			ids = append(ids, idOf(e))
		}
		if err := turn.Done(len(events)); err != nil {
			t.Fatal(err)
		}
	}
}

func line(id any) []byte { return fmt.Appendf(nil, `{"id":"%v"}`, id) }

// Writers and shippers that are killed at any moment lose no event.
func TestKilled(t *testing.T) {
	s := New(filepath.Join(t.TempDir(), "spool"), 0)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var added, sent []string
	run := func(env string, into *[]string) {
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), env+"="+s.dir)
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Error(err)
			return
		}
		for lines := bufio.NewReader(out); ; {
			text, err := lines.ReadString('\n')
			if err != nil {
				break // what is not whole was not said
			}
			switch id := strings.TrimSpace(text); {
			case id == begun: // however long a busy machine takes to start a process
				time.AfterFunc(time.Duration(rand.IntN(120))*time.Millisecond, func() { _ = cmd.Process.Kill() })
			case strings.HasPrefix(id, "error"):
				t.Error(id)
			default:
				mu.Lock()
				*into = append(*into, id)
				mu.Unlock()
			}
		}
		_ = cmd.Wait()
	}
	for round := 0; round < 8 || len(added) < 100 && round < 100; round++ { // a slow machine adds few at a time
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() { run(writing, &added) })
		}
		for range 2 {
			wg.Go(func() { run(shipping, &sent) })
		}
		wg.Wait()
	}
	got := map[string]bool{}
	for _, id := range append(sent, all(t, s)...) {
		got[id] = true
	}
	if len(added) < 100 {
		t.Errorf("only %d events were added", len(added))
	}
	for _, id := range added {
		if !got[id] {
			t.Fatalf("%s is lost, of %d events", id, len(added))
		}
	}
	if n := s.Lost(Dropped); n != 0 {
		t.Errorf("%d dropped", n)
	}
	if files, _ := filepath.Glob(s.dir + "/*" + segmentEnd); len(files) > 0 {
		t.Errorf("what was sent is still there: %v", files)
	}
}

// A segment to which something is being added stays.
func TestBeingAdded(t *testing.T) {
	s := New(t.TempDir(), 0)
	if err := s.Add(line("a")); err != nil {
		t.Fatal(err)
	}
	unlock, err := s.lockToWrite()
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(s.segment(1), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := all(t, s); !slices.Equal(got, []string{"a"}) {
		t.Error(got)
	}
	if _, err := f.Write(append([]byte("\n"), append(line("b"), '\n')...)); err != nil {
		t.Fatal(err)
	}
	f.Close()
	unlock()
	if got := all(t, s); !slices.Equal(got, []string{"b"}) {
		t.Error(got)
	}
	if left, _ := s.segments(); len(left) != 0 {
		t.Errorf("what was sent is still there: %v", left)
	}
}

// What does not fit is counted.
func TestFull(t *testing.T) {
	s := New(t.TempDir(), 1000)
	lost := 0
	for i := range 200 {
		if err := s.Add(line(i)); errors.Is(err, ErrFull) {
			lost++
		} else if err != nil {
			t.Fatal(err)
		}
	}
	got := all(t, s)
	if lost == 0 || len(got)+lost != 200 || s.Lost(Dropped) != int64(lost) {
		t.Errorf("%d lost, %d dropped, %d sent", lost, s.Lost(Dropped), len(got))
	}
	if err := s.Add(line("more")); err != nil {
		t.Errorf("there is room again: %v", err)
	}
	if got := all(t, s); !slices.Equal(got, []string{"more"}) {
		t.Error(got)
	}
}

// An event that a crash cut is counted, and takes no other with it.
func TestTorn(t *testing.T) {
	for name, last := range map[string]bool{"in between": false, "at the end of a segment": true} {
		t.Run(name, func(t *testing.T) {
			s := New(t.TempDir(), 0)
			add := func(id string) {
				if err := s.Add(line(id)); err != nil {
					t.Fatal(err)
				}
			}
			add("a")
			f, err := os.OpenFile(s.segment(1), os.O_WRONLY|os.O_APPEND, 0)
			if err == nil {
				_, err = f.WriteString("\n{\"id\":\"to")
			}
			if err != nil {
				t.Fatal(err)
			}
			f.Close()
			if last {
				s.size = 1
			}
			add("b")
			if got := all(t, s); !slices.Equal(got, []string{"a", "b"}) || s.Lost(Damaged) != 1 {
				t.Errorf("%v, %d damaged", got, s.Lost(Damaged))
			}
		})
	}
}

// Without its cursor, or with one that makes no sense, all is sent again.
func TestLostCursor(t *testing.T) {
	for _, text := range []string{"", "x", "1 -5", "99999999999999 0"} {
		s := New(t.TempDir(), 0)
		for i := range 3 {
			if err := s.Add(line(i)); err != nil {
				t.Fatal(err)
			}
		}
		turn, err := s.Ship()
		if err != nil {
			t.Fatal(err)
		}
		events, err := turn.Next()
		if err = errors.Join(err, turn.Done(2)); err != nil || len(events) != 3 {
			t.Fatal(err)
		}
		turn.Close()
		if err := os.WriteFile(filepath.Join(s.dir, cursorFile), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if again := all(t, s); !slices.Equal(again, []string{"0", "1", "2"}) {
			t.Errorf("%q: %v", text, again)
		}
	}
}

// One at a time takes events out, and what waits is counted.
func TestShip(t *testing.T) {
	s := New(t.TempDir(), 0)
	for i := range 5 {
		if err := s.Add(line(i)); err != nil {
			t.Fatal(err)
		}
	}
	turn, err := s.Ship()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Ship(); !errors.Is(err, ErrBusy) {
		t.Errorf("%v", err)
	}
	events, err := turn.Next()
	if err != nil || len(events) != 5 {
		t.Fatal(events, err)
	}
	if err := errors.Join(turn.Done(2), turn.Reject(1)); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Waiting(); n != 2 || err != nil || s.Lost(Rejected) != 1 {
		t.Errorf("%d wait, %d rejected (%v)", n, s.Lost(Rejected), err)
	}
	if info, err := os.Stat(s.segment(1)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	turn.Close()
	if got := all(t, s); !slices.Equal(got, []string{"3", "4"}) {
		t.Error(got)
	}
}

// A disk that takes nothing is an error, not a silence.
func TestNoDisk(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := New(file, 0).Add(line(1)); err == nil {
		t.Error("no error")
	}
}

// The labels are those that OPA sends, and the id stays.
func TestLabels(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	first := Labels(dir)
	if len(first["id"]) != 36 || first["version"] == "" || first["app"] != "policyctl" {
		t.Errorf("%v", first)
	}
	if again := Labels(dir); again["id"] != first["id"] {
		t.Errorf("%s, then %s", first["id"], again["id"])
	}
	if err := os.WriteFile(filepath.Join(dir, idFile), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	second := Labels(dir)
	if len(second["id"]) != 36 || Labels(dir)["id"] != second["id"] {
		t.Errorf("%v", second)
	}
}

func BenchmarkAdd(b *testing.B) {
	s := New(b.TempDir(), 1<<40)
	data := []byte(`{"pad":"` + strings.Repeat("x", 1000) + `"}`)
	for i := 0; b.Loop(); i++ {
		if err := s.Add(data); err != nil {
			b.Fatal(strconv.Itoa(i), err)
		}
	}
}
