package layers

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// trust trusts the content of a file as it is now.
func (t *tree) trust(path string) {
	t.Helper()
	if err := t.Add(path, read(Source{Path: path}).Digest, time.Now()); err != nil {
		t.Fatal(err)
	}
}

// Trust is for exactly one content.
func TestTrust(t *testing.T) {
	tr := newTree(t)
	inner := tr.policy(innerFile, allowMake+"approvals: {yolo: true}\n")
	check := func(when, want string, trusted, changed bool) {
		t.Helper()
		p := tr.load()
		s := p.Sources[0]
		if got := tr.verdict(p, "make x"); got != want || s.Trusted() != trusted || s.Changed != changed || p.Settings.Yolo {
			t.Errorf("%s: %s, trusted %t, changed %t, %+v", when, got, s.Trusted(), s.Changed, p.Settings)
		}
	}
	check("before", "ask", false, false)
	tr.trust(inner)
	check("trusted", "allow", true, false)
	tr.policy(innerFile, allowMake+"approvals: {yolo: true}\n\n")
	check("changed", "ask", false, true)
	tr.trust(inner)
	check("trusted anew", "allow", true, false)
	if record, err := tr.ReadTrust(); err != nil || len(record.Files) != 1 {
		t.Errorf("%+v, %v", record, err)
	}
	if removed, err := tr.Remove(inner); !removed || err != nil {
		t.Error(removed, err)
	}
	check("removed", "ask", false, false)
	if removed, err := tr.Remove(inner); removed || err != nil {
		t.Error(removed, err)
	}
}

// The trust in one project says nothing of another with the same content.
func TestTrustIsForAPath(t *testing.T) {
	tr := newTree(t)
	outer := tr.policy(outerFile, "")
	tr.policy(innerFile, allowMake)
	tr.write(outerFile, string(must(os.ReadFile(tr.path(innerFile)))))
	tr.trust(outer)
	p := tr.load()
	if len(p.Held()) != 1 || p.Held()[0].Origin.File != tr.path(innerFile) {
		t.Errorf("%+v", p.Held())
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestTrusting(t *testing.T) {
	tr := newTree(t)
	inner := tr.policy(innerFile, allowMake)
	now := tr.load()
	tr.policy(innerFile, skip) // what was read counts
	then := now.Trusting(inner)
	if len(now.Held()) != 1 || len(then.Held()) != 0 || tr.verdict(then, "make x") != "allow" || tr.verdict(now, "make x") != "ask" {
		t.Errorf("now %v, then %v", now.Held(), then.Held())
	}
}

// A record that cannot be read trusts nothing, and is not overwritten.
func TestTrustDamaged(t *testing.T) {
	for what, content := range map[string]string{
		"no JSON":         "{",
		"a later version": `{"version": 2, "files": []}`,
		"unknown fields":  `{"version": 1, "files": [], "all": true}`,
		"two records":     `{"version": 1, "files": []} {}`,
		"empty":           "",
		"too large":       `{"version": 1, "files": []}` + strings.Repeat(" ", 6<<20),
	} {
		tr := newTree(t)
		inner := tr.policy(innerFile, allowMake)
		record := tr.write("home/.local/state/policyctl/trust.json", content)
		p := tr.load()
		if p.TrustErr == nil || !strings.Contains(p.TrustErr.Error(), record) || p.Err != nil || tr.verdict(p, "make x") != "ask" {
			t.Errorf("%s: %v, %v", what, p.TrustErr, p.Err)
		}
		if err := tr.Add(inner, "00", time.Now()); err == nil || string(must(os.ReadFile(record))) != content {
			t.Errorf("%s: it was overwritten: %v", what, err)
		}
	}
}

// Processes that trust at the same time lose nothing of each other.
func TestTrustAtOnce(t *testing.T) {
	tr := newTree(t)
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			if err := tr.Add(filepath.Join("/w", string(rune('a'+i))), "00", time.Now()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if record, err := tr.ReadTrust(); err != nil || len(record.Files) != 20 {
		t.Errorf("%d, %v", len(record.Files), err)
	}
	info := must(os.Stat(filepath.Join(tr.State, "trust.json")))
	if info.Mode().Perm() != 0o600 {
		t.Error(info.Mode())
	}
}
