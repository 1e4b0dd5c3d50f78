package grant_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/grant"
)

var start = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func newStore(t *testing.T) (*grant.Store, string) {
	dir := filepath.Join(t.TempDir(), "state")
	return grant.NewStore(dir, func() time.Time { return start }), dir
}

func TestStore(t *testing.T) {
	s, dir := newStore(t)
	if entries, err := s.List(); err != nil || len(entries) > 0 {
		t.Fatal(entries, err)
	}
	list := here(t, "git commit in /home/dev/app; npm run anywhere")
	for range 2 { // the second time they are there already
		if _, err := s.Add(list...); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := s.List()
	if got := texts(entries); err != nil || got != "git commit in /home/dev/app; npm run anywhere" || !entries[0].Created.Equal(start) {
		t.Errorf("%q, %v", got, err)
	}
	info, err := os.Stat(filepath.Join(dir, grant.File))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	removed, err := s.Remove(func(e *grant.Entry) bool { return e.Scope == grant.Anywhere })
	if texts(removed) != "npm run anywhere" || err != nil {
		t.Errorf("%q, %v", texts(removed), err)
	}
	if entries, _ = s.List(); texts(entries) != "git commit in /home/dev/app" {
		t.Errorf("%q", texts(entries))
	}
	if files, _ := os.ReadDir(dir); len(files) != 2 {
		t.Errorf("beside the file and its lock: %v", files)
	}
}

// TestAddRefuses shows that nothing is stored of a list with a mistake.
func TestAddRefuses(t *testing.T) {
	s, _ := newStore(t)
	good := here(t, "make in /home/dev/app")[0]
	for _, edit := range []func(*grant.Entry){
		func(e *grant.Entry) { e.Dir = "" },
		func(e *grant.Entry) { e.Dir = "/" },
		func(e *grant.Entry) { e.Dir = "/srv" },
		func(e *grant.Entry) { e.Dir = "srv/x" },
		func(e *grant.Entry) { e.Dir = "/srv/x/../y" },
		func(e *grant.Entry) { e.Dir = "/srv/x\ny" },
		func(e *grant.Entry) { e.Scope = grant.Anywhere },
		func(e *grant.Entry) { e.Scope = grant.Once },
		func(e *grant.Entry) { e.Scope = grant.Session },
		func(e *grant.Entry) { e.Verb = "" },
		func(e *grant.Entry) { e.Verb = "make -C" },
		func(e *grant.Entry) { e.Verb = "./make" },
		func(e *grant.Entry) { e.Verb = "make  all" },
		func(e *grant.Entry) { e.Tool = "" },
		func(e *grant.Entry) { e.By = "" },
		func(e *grant.Entry) { e.Audience = 7 },
		func(e *grant.Entry) { e.Conversation = "s" },
		func(e *grant.Entry) { e.Agent = "a" },
	} {
		bad := good
		edit(&bad)
		if _, err := s.Add(good, bad); err == nil {
			t.Errorf("%+v is stored", bad)
		}
	}
	if entries, err := s.List(); err != nil || len(entries) > 0 {
		t.Errorf("%v, %v", entries, err)
	}
}

// TestAside shows what becomes of files that cannot be used.
func TestAside(t *testing.T) {
	const entry = `{"verb":"make","directory":"/home/dev/app","scope":"here","audience":"personal","tool":"shell","created":"2026-05-01T12:00:00Z","by":"x"}`
	for _, tc := range []struct{ aside, text string }{
		{"", `{"version":2,"entries":[` + entry + `]}`},
		{".v1.bak", `{"version":1,"approvals":{"shell":["git commit"]}}`},
		{".invalid-", `{"version":3,"entries":[]}`},
		{".invalid-", `{"version":2,"entries":[` + entry + `]} {}`},
		{".invalid-", `{"version":2,"entries":[` + strings.Replace(entry, `"directory":"/home/dev/app",`, "", 1) + `]}`},
		{".invalid-", `{"version":2,"entries":[` + strings.Replace(entry, `"/home/dev/app"`, "null", 1) + `]}`},
		{".invalid-", `{"version":2,"entries":[` + strings.Replace(entry, `"/home/dev/app"`, `""`, 1) + `]}`},
		{".invalid-", `{"version":2,"entries":[` + strings.Replace(entry, `"scope":"here",`, "", 1) + `]}`},
		{".invalid-", `{"version":2,"entries":[` + strings.Replace(entry, `"personal"`, `"all"`, 1) + `]}`},
		{".invalid-", `{"version":2,"entries":[` + strings.Replace(entry, `"by"`, `"until"`, 1) + `]}`},
		{".invalid-", `{"version":2,"entries":[`},
		{".invalid-", ``},
		{".invalid-", `[]`},
	} {
		s, dir := newStore(t)
		name := filepath.Join(dir, grant.File)
		if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(name, []byte(tc.text), 0o600)); err != nil {
			t.Fatal(err)
		}
		entries, err := s.List()
		if tc.aside == "" {
			if err != nil || len(entries) != 1 {
				t.Errorf("%.80s: %v, %v", tc.text, entries, err)
			}
			continue
		}
		var aside *grant.AsideError
		if !errors.As(err, &aside) || !strings.HasPrefix(aside.File, name+tc.aside) || len(entries) > 0 {
			t.Errorf("%.80s: %v, %v", tc.text, entries, err)
			continue
		}
		kept, _ := os.ReadFile(aside.File)
		files, _ := s.Aside()
		again, err := s.List()
		if string(kept) != tc.text || len(files) != 1 || err != nil || len(again) > 0 {
			t.Errorf("%.80s: %d bytes are kept, %v, then %v, %v", tc.text, len(kept), files, again, err)
		}
		if _, err := s.Add(here(t, "make anywhere")...); err != nil {
			t.Error(err)
		}
	}
}

// TestOpenFile shows that a file that others may write counts for nothing, and
// stays where it is.
func TestOpenFile(t *testing.T) {
	s, dir := newStore(t)
	if _, err := s.Add(here(t, "make anywhere")...); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, grant.File)
	if err := os.Chmod(name, 0o622); err != nil {
		t.Fatal(err)
	}
	if entries, err := s.List(); err == nil || len(entries) > 0 {
		t.Errorf("%v, %v", entries, err)
	}
	if err := errors.Join(os.Rename(name, name+"2"), os.Symlink(name+"2", name)); err != nil {
		t.Fatal(err)
	}
	if entries, err := s.List(); err == nil || len(entries) > 0 {
		t.Errorf("through a link: %v, %v", entries, err)
	}
}

// TestForgotten shows that entries of conversations go.
func TestForgotten(t *testing.T) {
	now := start
	s := grant.NewStore(t.TempDir(), func() time.Time { return now })
	e := grant.Entry{Verb: "make", Dir: "/tmp", Scope: grant.Session, Tool: "shell", Conversation: "s", By: "test"}
	if _, err := s.Add(e); err != nil {
		t.Fatal(err)
	}
	now = now.Add(15 * 24 * time.Hour)
	if _, err := s.Add(here(t, "make anywhere")...); err != nil {
		t.Fatal(err)
	}
	if entries, _ := s.List(); texts(entries) != "make anywhere" {
		t.Errorf("%q", texts(entries))
	}
}

// TestManyWriters shows that no entry is lost between writers.
func TestManyWriters(t *testing.T) {
	_, dir := newStore(t)
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			s := grant.NewStore(dir, time.Now)
			if _, err := s.Add(grant.Entry{Verb: fmt.Sprint("tool", i), Scope: grant.Anywhere, Tool: "shell", By: "test"}); err != nil {
				t.Error(err)
			}
			if _, err := s.List(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if entries, err := grant.NewStore(dir, time.Now).List(); err != nil || len(entries) != 20 {
		t.Errorf("%d entries, %v", len(entries), err)
	}
}
