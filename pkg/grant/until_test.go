package grant_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"github.com/policyctl/policyctl/pkg/grant"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A timed store has a clock that can be set.
type timed struct {
	*grant.Store
	t   *testing.T
	dir string
	now time.Time
}

func newTimed(t *testing.T) *timed {
	s := &timed{t: t, dir: t.TempDir(), now: start}
	s.Store = grant.NewStore(s.dir, s.time)
	return s
}

func (s *timed) time() time.Time { return s.now }

func (s *timed) add(text string, life time.Duration) string {
	s.t.Helper()
	list := here(s.t, text)
	for i := range list {
		if life > 0 {
			list[i].Until = s.now.Add(life)
		}
	}
	added, err := s.Add(list...)
	if err != nil {
		s.t.Fatal(err)
	}
	return texts(added)
}

// file returns what is in the file.
func (s *timed) file() string {
	data, err := os.ReadFile(filepath.Join(s.dir, grant.File))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(data)
}

// counting returns what every reader of the store says, which must be the same.
func (s *timed) counting() string {
	s.t.Helper()
	read, err := s.Read()
	if err != nil {
		s.t.Fatal(err)
	}
	list, err := s.List()
	if err != nil || texts(list) != texts(read) {
		s.t.Errorf("%v: Read returns %q, List %q", err, texts(read), texts(list))
	}
	return texts(list)
}

func TestUntil(t *testing.T) {
	s := newTimed(t)
	const until = "make in /home/dev/app, until 2026-05-01 14:00:00Z"
	if got := s.add("make in /home/dev/app", 2*time.Hour); got != until {
		t.Errorf("%q", got)
	}
	s.now = start.Add(2*time.Hour - time.Second)
	if got := s.counting(); got != until {
		t.Errorf("a second before the end: %q", got)
	}
	s.now = start.Add(2 * time.Hour)
	if got := s.counting(); got != "" {
		t.Errorf("at the end: %q", got)
	}
	if got := s.file(); strings.Contains(got, "make") {
		t.Errorf("what has ended is kept: %s", got)
	}
}

// TestUntilSetBack: a clock that is set back revives nothing, and lengthens
// nothing by more than the file has not seen.
func TestUntilSetBack(t *testing.T) {
	for _, tc := range []struct {
		want string
		at   []time.Duration // when the store is looked at
	}{
		{"", []time.Duration{3 * time.Hour, 0}},
		{"", []time.Duration{2 * time.Hour, time.Hour}},
		{"", []time.Duration{time.Hour, 30 * time.Minute}},
		{"", []time.Duration{time.Hour, 30 * time.Minute, time.Hour}}, // set back, it is gone for good
		{"", []time.Duration{-time.Hour}},
		{"", []time.Duration{-time.Hour, time.Minute}},
		{"", []time.Duration{-365 * 24 * time.Hour}},
		{"make", []time.Duration{time.Hour, time.Hour - 5*time.Second}}, // a clock that is adjusted
		{"make", []time.Duration{-5 * time.Second}},
		{"make", []time.Duration{time.Minute, 2 * time.Minute, time.Hour}},
	} {
		s := newTimed(t)
		s.add("make anywhere", 2*time.Hour)
		s.add("npm run anywhere", 0)
		var got string
		for _, at := range tc.at {
			s.now = start.Add(at)
			got = s.counting()
		}
		if strings.HasPrefix(got, "make") != (tc.want != "") || !strings.Contains(got, "npm run anywhere") {
			t.Errorf("%v: %q, want %q", tc.at, got, tc.want)
		}
	}
	// Nor is it set back in small steps.
	steps := newTimed(t)
	steps.add("make anywhere", 2*time.Hour)
	for i := range 4 {
		steps.now = start.Add(time.Hour - time.Duration(i)*50*time.Second)
		steps.add(fmt.Sprintf("tool%d anywhere", i), 0)
	}
	if got := steps.counting(); strings.Contains(got, "make") {
		t.Errorf("set back in small steps: %q", got)
	}
	// A clock that ran ahead once does not spoil what is approved afterwards.
	s := newTimed(t)
	s.now = start.Add(10 * 365 * 24 * time.Hour)
	s.add("make anywhere", time.Hour)
	s.now = start
	s.add("npm run anywhere", time.Hour)
	if got := s.counting(); got != "npm run anywhere, until 2026-05-01 13:00:00Z" {
		t.Errorf("after a clock that ran ahead: %q", got)
	}
}

// TestUntilAgain: what is approved again holds for as long as the longer of the
// two.
func TestUntilAgain(t *testing.T) {
	s := newTimed(t)
	for _, tc := range []struct {
		life    time.Duration
		changes bool
	}{
		{time.Hour, true}, {time.Hour, false}, {time.Minute, false}, {2 * time.Hour, true}, {0, true}, {3 * time.Hour, false}, {0, false},
	} {
		if got := s.add("make anywhere", tc.life); (got != "") != tc.changes {
			t.Errorf("for %v: %q is new", tc.life, got)
		}
	}
	if got := s.counting(); got != "make anywhere" {
		t.Errorf("%q", got)
	}
	bad := here(t, "touch anywhere")[0]
	bad.Until = start
	if _, err := s.Add(bad); err == nil {
		t.Error("what ends at once is stored")
	}
}

// TestUntilFile: a program that knows of no end must not read the file, and a
// file that says an end in an old form counts for nothing.
func TestUntilFile(t *testing.T) {
	s := newTimed(t)
	s.add("make anywhere", 0)
	if got := s.file(); !strings.Contains(got, `"version": 2`) || strings.Contains(got, "clock") || strings.Contains(got, "until") {
		t.Errorf("without an end: %s", got)
	}
	s.add("npm run anywhere", time.Hour)
	if got := s.file(); !strings.Contains(got, `"version": 3`) {
		t.Errorf("with an end: %s", got)
	}
	s.now = start.Add(time.Hour)
	s.counting()
	if got := s.file(); !strings.Contains(got, `"version": 2`) {
		t.Errorf("after the end: %s", got)
	}
	const entry = `{"verb":"make","scope":"anywhere","audience":"personal","tool":"shell","created":"2026-05-01T12:00:00Z","by":"x","until":"2027-05-01T12:00:00Z"}`
	for _, text := range []string{
		`{"version":2,"entries":[` + entry + `]}`,
		`{"version":2,"clock":"2026-05-01T12:00:00Z","entries":[` + entry + `]}`,
		`{"version":3,"entries":[` + entry + `]}`,
		`{"version":3,"clock":"2026-05-01T12:00:00Z","entries":[` + strings.Replace(entry, "2027", "2025", 1) + `]}`,
		`{"version":3,"clock":"2026-05-01T12:00:00Z","entries":[` + strings.Replace(entry, `"2027-05-01T12:00:00Z"`, `"soon"`, 1) + `]}`,
	} {
		s := newTimed(t)
		if err := os.WriteFile(filepath.Join(s.dir, grant.File), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var aside *grant.AsideError
		if entries, err := s.List(); !errors.As(err, &aside) || len(entries) > 0 {
			t.Errorf("%s: %q, %v", text, texts(entries), err)
		}
	}
}

// TestUntilSet: a set that is kept looks at the time of each call, and a clock
// that is set back meanwhile revives nothing.
func TestUntilSet(t *testing.T) {
	now := start
	entries := here(t, "make in /home/dev/app")
	entries[0].Created, entries[0].Until = start, start.Add(time.Hour)
	set := grant.NewSet(entries, machine, func() time.Time { return now })
	in := input(t, "make")
	for _, tc := range []struct {
		at   time.Duration
		want bool
	}{{0, true}, {59 * time.Minute, true}, {time.Hour, false}, {30 * time.Minute, false}, {2 * time.Hour, false}, {0, false}} {
		now = start.Add(tc.at)
		if got := covered(set, in); got != tc.want {
			t.Errorf("after %v: covered %v, want %v", tc.at, got, tc.want)
		}
	}
	if covered(grant.NewSet(entries, machine, func() time.Time { return start.Add(-time.Hour) }), in) {
		t.Error("an entry counts before it was made")
	}
	if covered(grant.NewSet(entries, machine, nil), in) {
		t.Error("without a clock an entry with an end counts")
	}
}

func covered(s *grant.Set, in *policy.Input) bool {
	for _, c := range s.Covers(in, "") {
		if c.Grant != "" {
			return true
		}
	}
	return false
}

// TestUntilHurry: who only looks waits for no other process, and sees what has
// not ended.
func TestUntilHurry(t *testing.T) {
	s := newTimed(t)
	s.add("make anywhere; npm run anywhere", time.Hour)
	lock := flock.New(filepath.Join(s.dir, grant.File+".lock"))
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	s.now = start.Add(time.Hour)
	if list, err := s.List(); err != nil || len(list) != 0 || !strings.Contains(s.file(), "make") {
		t.Errorf("%q, %v", texts(list), err)
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	if s.counting(); strings.Contains(s.file(), "make") {
		t.Errorf("what has ended is kept: %s", s.file())
	}
}
