//go:build unix

package spool

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Whatever is put into the directory of a spool, events that were added, before
// or after, are sent or counted, and nothing waits for ever.
func TestDisturbed(t *testing.T) {
	segment := func(n uint32) string { return fmt.Sprintf("%010d%s", n, segmentEnd) }
	write := func(name, text string) func(string) error {
		return func(dir string) error { return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600) }
	}
	pipe := func(name string) func(string) error {
		return func(dir string) error {
			os.Remove(filepath.Join(dir, name))
			return syscall.Mkfifo(filepath.Join(dir, name), 0o600)
		}
	}
	link := func(name, to string) func(string) error {
		return func(dir string) error {
			os.Remove(filepath.Join(dir, name))
			return os.Symlink(to, filepath.Join(dir, name))
		}
	}
	folder := func(name string) func(string) error {
		return func(dir string) error { return os.MkdirAll(filepath.Join(dir, name, "x"), 0o700) }
	}
	for what, disturb := range map[string]func(dir string) error{
		"a cursor far ahead":              write(cursorFile, "2000000000 0\n"),
		"a cursor at the end of all":      write(cursorFile, "4294967295 0\n"),
		"a cursor one ahead":              write(cursorFile, "2 0\n"),
		"a cursor behind the end":         write(cursorFile, "1 999999\n"),
		"a cursor far behind the end":     write(cursorFile, "1 9223372036854775807\n"),
		"a cursor that is a pipe":         pipe(cursorFile),
		"a cursor without end":            link(cursorFile, "/dev/zero"),
		"a segment before":                write(segment(0), `{"id":"0"}`+"\n"),
		"a segment long after":            write(segment(2147483646), "\n"+`{"id":"z"}`+"\n"),
		"a pipe as the next":              pipe(segment(2)),
		"a pipe long after":               pipe(segment(900)),
		"a directory as the next":         folder(segment(2)),
		"a link to a device":              link(segment(2), "/dev/zero"),
		"a link to what is full":          link(segment(2), "/dev/full"),
		"a link to nowhere":               link(segment(2), "/no/where"),
		"a link to itself":                link(segment(2), segment(2)),
		"garbage":                         write(segment(2), "\x00\xff\n\n\n[}\n"),
		"zeros, as after a loss of power": write(segment(2), strings.Repeat("\x00", 100_000)),
		"JSON that is no event":           write(segment(2), "5\n[]\nnull\n\"x\"\n"),
		"no end, and an event after it":   write(segment(2), strings.Repeat("x", 3*maxEvent)+"\n"+`{"id":"after"}`+"\n"),
		"an event without end":            write(segment(2), strings.Repeat("x", 3*maxEvent)),
		"a file of another kind":          write("00x.events", "x"),
		"a lock that is a pipe":           pipe(writeLock),
		"the other lock is a pipe":        pipe(shipLock),
		"counters are pipes":              func(dir string) error { return pipe(string(Damaged))(dir) },
	} {
		t.Run(what, func(t *testing.T) {
			s := New(t.TempDir(), 0)
			s.size = 30
			want := []string{"a", "b"}
			for _, id := range want[:1] {
				if err := s.Add(line(id)); err != nil {
					t.Fatal(err)
				}
			}
			if err := disturb(s.dir); err != nil {
				t.Fatal(err)
			}
			var got []string
			done := make(chan struct{})
			go func() {
				defer close(done)
				if err := s.Add(line("b")); err != nil {
					t.Error(err)
				}
				waiting, _ := s.Waiting()
				if got = all(t, s); waiting < 2 {
					t.Errorf("%d wait", waiting)
				}
			}()
			select {
			case <-done:
			case <-time.After(20 * time.Second):
				t.Fatal("it does not end")
			}
			for _, id := range want {
				if !slices.Contains(got, id) {
					t.Errorf("%s is lost: %v", id, got)
				}
			}
			if what == "no end, and an event after it" && !slices.Contains(got, "after") {
				t.Error("what stands after it is lost")
			}
			if again := all(t, s); len(again) > 0 {
				t.Errorf("sent again: %v", again)
			}
		})
	}
}
