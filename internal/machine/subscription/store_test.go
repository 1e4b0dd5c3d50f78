package subscription

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"github.com/policyctl/policyctl/pkg/bundle"
)

// kept fetches bundles with these numbers into a new directory.
func kept(t *testing.T, origin *testServer, numbers ...uint64) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "bundles")
	r := newRig(t, origin.URL, keptIn(dir))
	for _, n := range numbers {
		origin.publish(signed(t, n))
		r.fetch()
	}
	return dir
}

// only returns the one file that a pattern matches.
func only(t *testing.T, dir, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "org", pattern))
	if err != nil || len(files) != 1 {
		t.Fatalf("%s: %v %v", pattern, files, err)
	}
	return files[0]
}

func stateOf(t *testing.T, dir string) (r record) {
	t.Helper()
	data, err := os.ReadFile(only(t, dir, recordFile))
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func change(t *testing.T, file string, edit func(string) string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, []byte(edit(string(data))), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestRestart(t *testing.T) {
	origin := newTestServer(t)
	dir := kept(t, origin, 1, 2)
	for pattern, mode := range map[string]fs.FileMode{"": 0o700, recordFile: 0o600, "*" + archiveEnd: 0o600, lockFile: 0o600} {
		if info, err := os.Stat(only(t, dir, pattern)); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%q: %v %v", pattern, info.Mode(), err)
		}
	}
	if s := stateOf(t, dir); s.Version != 1 || s.Name != "org" || s.ETag != `"2"` || s.Highest != 2 || s.Revision != "r2" || s.Contact != noon || s.Downloaded != noon || s.Activated != noon {
		t.Errorf("state %+v", s)
	}
	origin.misbehave(status(500))
	r := newRig(t, origin.URL, keptIn(dir), func(c *Config) { c.MaxAge = time.Hour })
	r.pass(2 * time.Hour)
	r.restore()
	r.has("r2")
	h := r.Health()
	if !h.Restored || !h.Stale || h.Contact != noon || h.Downloaded != noon || h.Activated != noon.Add(2*time.Hour) || h.Sequence != 2 {
		t.Errorf("health %+v", h)
	}
	r.fetch("500", `"r2" stays active`)
	origin.misbehave(nil)
	r.fetch()
	if h := r.Health(); origin.last().Get("If-None-Match") != `"2"` || h.Stale || len(r.got) != 1 {
		t.Errorf("headers %v, health %+v, activated %v", origin.last(), h, r.got)
	}
	if s := stateOf(t, dir); s.Contact != noon.Add(2*time.Hour) {
		t.Errorf("the contact is not kept: %v", s.Contact)
	}
	origin.publish(signed(t, 3))
	r.fetch()
	if r.Health().Restored {
		t.Error("r3 was not restored")
	}
	only(t, dir, "*"+archiveEnd) // the earlier ones are gone
}

// A kept bundle that has expired is there for who asks for it, and says so.
func TestRestoreExpired(t *testing.T) {
	origin, dir := newTestServer(t), filepath.Join(t.TempDir(), "bundles")
	origin.publish(signed(t, 5, expires(noon.Add(24*time.Hour))))
	newRig(t, origin.URL, keptIn(dir)).fetch()
	r := newRig(t, origin.URL, keptIn(dir), func(c *Config) {
		c.Now, c.RestoreExpired = func() time.Time { return noon.Add(48 * time.Hour) }, true
	})
	if err := r.Restore(t.Context()); err != nil {
		t.Fatal(err)
	}
	if h := r.Health(); !h.Expired || h.Sequence != 5 {
		t.Errorf("%+v", h)
	}
}

func TestRestoreRefuses(t *testing.T) {
	flip := func(s string) string { return s[:len(s)/2] + string(s[len(s)/2]^1) + s[len(s)/2+1:] }
	archive, state := "*"+archiveEnd, recordFile
	for name, row := range map[string]struct {
		file string
		edit func(string) string
		want string
		conf func(*Config)
	}{
		"a changed archive": {archive, flip, "was changed", nil},
		"also unsigned":     {archive, flip, "was changed", unsigned},
		"a cut archive":     {archive, func(s string) string { return s[:9] }, "was changed", nil},
		"no archive":        {archive, nil, "cannot be read", nil},
		"a key that is gone": {archive, strings.Clone, "signature", func(c *Config) {
			c.Verification = &bundle.Verification{Keys: map[string]bundle.Key{"k9": {Algorithm: "HS256", PEM: testSecret}}}
		}},
		"another scope":          {archive, strings.Clone, "signature", func(c *Config) { v := *testKeys; v.Scope = "x"; c.Verification = &v }},
		"lower limits":           {archive, strings.Clone, "limits", func(c *Config) { c.Limits.Files = 1 }},
		"a lower archive limit":  {archive, strings.Clone, "it is larger than", func(c *Config) { c.Limits.Archive = 50 }},
		"one that has expired":   {archive, strings.Clone, "expiry", func(c *Config) { c.Now = func() time.Time { return noon.Add(48 * time.Hour) } }},
		"a state of no JSON":     {state, func(string) string { return "{" }, "no JSON", nil},
		"an empty state":         {state, func(string) string { return "" }, "no JSON", nil},
		"a long state":           {state, func(s string) string { return s + strings.Repeat(" ", maxRecord) }, "it is larger than", nil},
		"a newer state":          {state, func(s string) string { return strings.Replace(s, `"version": 1`, `"version": 2`, 1) }, "only version 1", nil},
		"a state of no version":  {state, func(string) string { return "{}" }, "only version 1", nil},
		"a state of another":     {state, func(s string) string { return strings.Replace(s, `"org"`, `"other"`, 1) }, `subscription "other"`, nil},
		"a digest that is a way": {state, func(s string) string { return strings.Replace(s, `"digest": "`, `"digest": "../`, 1) }, "no SHA-256", nil},
		"a negative number":      {state, func(s string) string { return strings.Replace(s, `sequence": 5`, `sequence": -5`, 1) }, "cannot be used", nil},
	} {
		t.Run(name, func(t *testing.T) {
			origin := newTestServer(t)
			dir := filepath.Join(t.TempDir(), "bundles")
			origin.publish(signed(t, 5, expires(noon.Add(24*time.Hour))))
			newRig(t, origin.URL, keptIn(dir)).fetch()
			if row.edit == nil {
				if err := os.Remove(only(t, dir, row.file)); err != nil {
					t.Fatal(err)
				}
			} else {
				change(t, only(t, dir, row.file), row.edit)
			}
			conf := row.conf
			if conf == nil {
				conf = func(*Config) {}
			}
			r := newRig(t, origin.URL, keptIn(dir), conf)
			if err := r.restore(row.want); errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%v looks as if none were kept", err)
			}
			if h := r.Health(); h.Revision != "" || len(r.got) != 0 {
				t.Errorf("active is %q", h.Revision)
			}
			if row.file == state {
				only(t, dir, recordFile+invalidEnd)
				if err := r.Restore(t.Context()); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("after that: %v", err)
				}
			}
		})
	}
}

// What was seen is not forgotten by a restart, nor with a lost archive.
func TestReplayAfterRestart(t *testing.T) {
	origin := newTestServer(t)
	for _, spoil := range []func(file string) error{
		func(string) error { return nil },
		os.Remove,
		func(file string) error { return os.Truncate(file, 10) },
		func(file string) error { return os.WriteFile(file, make([]byte, len(signed(t, 6))), 0o600) },
	} {
		dir := kept(t, origin, 6)
		if err := spoil(only(t, dir, "*"+archiveEnd)); err != nil {
			t.Fatal(err)
		}
		r := newRig(t, origin.URL, keptIn(dir))
		origin.publish(signed(t, 5))
		if err := r.fetch(": sequence: "); !errors.Is(err, bundle.ErrReplayed) {
			t.Error(err)
		}
		origin.publish(signed(t, 6, named("r6b")))
		r.fetch(": sequence: ", "another content")
		origin.publish(signed(t, 6))
		_ = r.Fetch(t.Context()) // also says that the archive is lost
		r.has("r6")
		r.fetch()
		s := newRig(t, origin.URL, keptIn(dir))
		s.restore()
		s.has("r6")
	}
}

// A state that cannot be used is told once, and then all begins anew.
func TestStateSetAside(t *testing.T) {
	origin := newTestServer(t)
	dir := kept(t, origin, 6)
	change(t, only(t, dir, recordFile), func(string) string { return "?" })
	r := newRig(t, origin.URL, keptIn(dir))
	origin.publish(signed(t, 5))
	r.fetch("forgotten", "state.json.invalid")
	r.has("r5")
	r.fetch()
	change(t, only(t, dir, recordFile), func(string) string { return "?" })
	r.fetch("forgotten", `"r5" stays active`)
	if s := stateOf(t, dir); s.Highest != 5 {
		t.Errorf("state %+v", s)
	}
	origin.publish(signed(t, 4))
	r.fetch(": sequence: ")
}

// Without knowing what was seen, nothing is fetched.
func TestStateOutOfReach(t *testing.T) {
	origin := newTestServer(t)
	dir := kept(t, origin, 6)
	file := only(t, dir, recordFile)
	if err := errors.Join(os.Remove(file), os.Mkdir(file, 0o700)); err != nil {
		t.Fatal(err)
	}
	before, _ := origin.counts()
	r := newRig(t, origin.URL, keptIn(dir))
	r.fetch(": restore: ", "it is not a regular file")
	if after, _ := origin.counts(); after != before {
		t.Error("the server was asked")
	}
}

// A full disk leaves the new bundle active, and the old one on disk.
func TestDiskFull(t *testing.T) {
	origin := newTestServer(t)
	dir := kept(t, origin, 1)
	r := newRig(t, origin.URL, keptIn(dir))
	full := map[string]bool{archiveEnd: true, recordFile: true}
	r.store.write = func(file string, data []byte) error {
		for end := range full {
			if strings.HasSuffix(file, end) {
				return &fs.PathError{Op: "write", Path: file, Err: syscall.ENOSPC}
			}
		}
		return replace(file, data)
	}
	origin.publish(signed(t, 2))
	r.fetch(": keep: ", "no space left", `"r2" stays active`)
	r.has("r2")
	check := func(revision string) {
		t.Helper()
		s := newRig(t, origin.URL, keptIn(dir))
		s.restore()
		s.has(revision)
	}
	check("r1")
	delete(full, archiveEnd)
	r.fetch(": keep: ")
	check("r1")
	delete(full, recordFile)
	r.fetch()
	check("r2")
	if len(r.got) != 2 { // r1 from disk, r2 once
		t.Errorf("activated %v", r.got)
	}
}

// Of two processes with one directory, each takes what the other fetched.
func TestShared(t *testing.T) {
	origin := newTestServer(t)
	dir := t.TempDir()
	a, b := newRig(t, origin.URL, keptIn(dir)), newRig(t, origin.URL, keptIn(dir))
	origin.publish(signed(t, 1))
	a.fetch()
	b.fetch()
	b.has("r1")
	origin.publish(signed(t, 2))
	a.fetch()
	origin.misbehave(status(500))
	b.fetch("500", `"r2" stays active`)
	b.has("r2")
	origin.misbehave(nil)
	a.pass(time.Minute)
	a.fetch()
	if b.restore(); b.Health().Contact != noon.Add(time.Minute) {
		t.Error("the contact of the other process does not count")
	}
	if _, full := origin.counts(); full != 2 {
		t.Errorf("%d downloads, want 2", full)
	}
	b.refuse(errors.New("too old to know this rule"))
	origin.publish(signed(t, 3))
	a.fetch()
	b.fetch("too old", `"r2" stays active`)
	if s := stateOf(t, dir); s.Revision != "r3" || s.ETag != `"3"` {
		t.Errorf("the process that is behind stored %+v", s)
	}
	lost := only(t, dir, recordFile)
	if err := os.Rename(lost, lost+".lost"); err != nil {
		t.Fatal(err)
	}
	origin.publish(signed(t, 2))
	b.fetch()
	if _, err := os.Stat(lost); err == nil {
		t.Error("a lower number than the one seen is stored")
	}
	if err := os.Rename(lost+".lost", lost); err != nil {
		t.Fatal(err)
	}
	b.refuse(nil)
	b.restore()
	b.has("r3")
}

// What another process fetches while this one activates stays on disk.
func TestSharedAtOnce(t *testing.T) {
	for want, other := range map[string][]byte{"": signed(t, 3), "another process keeps sequence 2": signed(t, 2, named("r2b"))} {
		first, second := newTestServer(t), newTestServer(t)
		first.publish(signed(t, 2))
		second.publish(other)
		dir := t.TempDir()
		a := newRig(t, second.URL, keptIn(dir))
		b := newRig(t, first.URL, keptIn(dir), func(c *Config) {
			activate := c.Activate
			c.Activate = func(ctx context.Context, b *bundle.Bundle) error {
				if b.Revision == "r2" {
					a.fetch()
				}
				return activate(ctx, b)
			}
		})
		if want == "" {
			b.fetch()
		} else {
			b.fetch(want)
		}
		b.has("r2")
		if s, h := stateOf(t, dir), a.Health(); s.Digest != h.Digest {
			t.Errorf("%q: kept is %s, want %s", want, s.Revision, h.Revision)
		}
	}
}

// A bundle that is signed again, by another key, is the bundle that it was.
func TestSignedAgain(t *testing.T) {
	second := bundle.SigningKey{ID: "k2", Algorithm: "HS256", PEM: "fedcba9876543210fedcba9876543210"}
	both := func(c *Config) {
		c.Verification = &bundle.Verification{Keys: map[string]bundle.Key{"k1": testKeys.Keys["k1"], "k2": {Algorithm: "HS256", PEM: second.PEM}}}
	}
	one := func(c *Config) {
		c.Verification = &bundle.Verification{Keys: map[string]bundle.Key{"k2": {Algorithm: "HS256", PEM: second.PEM}}}
	}
	origin := newTestServer(t)
	dir := kept(t, origin, 6)
	r, behind := newRig(t, origin.URL, keptIn(dir), both), newRig(t, origin.URL, keptIn(dir), both)
	r.restore()
	behind.restore()
	r.pass(time.Hour)
	origin.publish(signedBy(t, second, plain(t, 6)))
	r.fetch()
	origin.misbehave(status(304))
	behind.fetch()
	origin.misbehave(nil)
	if s := stateOf(t, dir); s.Digest != r.Health().Digest {
		t.Error("the process that is behind stored the old signature again")
	}
	s := newRig(t, origin.URL, keptIn(dir), one)
	s.restore()
	s.has("r6")
	origin.publish(signedBy(t, second, plain(t, 6, named("r6b"))))
	s.fetch(": sequence: ", "another content")

	late := newRig(t, origin.URL, keptIn(kept(t, origin, 7)), one) // k1 is taken out first
	if err := late.Restore(t.Context()); !errors.Is(err, bundle.ErrSignature) {
		t.Error(err)
	}
	origin.publish(signedBy(t, second, plain(t, 7)))
	_ = late.Fetch(t.Context()) // also says that what is kept does not count
	late.has("r7")
}

// A tag of one server means nothing to another.
func TestAnotherServer(t *testing.T) {
	first, second := newTestServer(t), newTestServer(t)
	dir := kept(t, first, 1)
	second.publish(signed(t, 2)) // with the same tag
	r := newRig(t, second.URL, keptIn(dir))
	r.fetch()
	r.has("r2")
}

func TestLocked(t *testing.T) {
	origin := newTestServer(t)
	dir := kept(t, origin, 1)
	l := flock.New(only(t, dir, lockFile))
	if ok, err := l.TryLock(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	r := newRig(t, origin.URL, keptIn(dir))
	done := make(chan error, 1)
	go func() { done <- r.Restore(context.Background()) }()
	select {
	case err := <-done:
		t.Fatalf("it did not wait: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	if err := errors.Join(l.Unlock(), <-done); err != nil {
		t.Fatal(err)
	}
	r.has("r1")
}
