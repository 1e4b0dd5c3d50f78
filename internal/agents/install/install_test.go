package install

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the expected files")

// a program that is not there is enough for all but the doctor
func request(a *Agent, place Place) Request {
	return Request{Agent: a, Scope: User, Place: place, Command: "/usr/local/bin/policyctl hook " + a.Name, Limiter: "/usr/bin/timeout"}
}

func newPlace(t *testing.T) Place {
	t.Helper()
	root := t.TempDir()
	p := Place{Home: filepath.Join(root, "home"), Dir: filepath.Join(root, "project"), Root: filepath.Join(root, "root"), Getenv: func(string) string { return "" }, OS: "linux", IsRoot: true}
	for _, dir := range []string{p.Home, p.Dir, p.Root} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	put(t, filepath.Join(p.Home, ".gemini", "trustedFolders.json"), `{"`+p.Dir+`": "TRUST_FOLDER"}`)
	return p
}

func lookup(t *testing.T, name string) *Agent {
	t.Helper()
	a, ok := Lookup(name)
	if !ok {
		t.Fatalf("no agent %s", name)
	}
	return a
}

// settings returns the path of the user's settings of an agent.
func settings(t *testing.T, r Request) string {
	t.Helper()
	loc, _ := r.Agent.location(r.Scope, r.Place.system())
	path, err := r.Place.path(r.Agent, loc)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// apply makes the changes of a plan and returns how many they are.
func apply(t *testing.T, plan func(Request) (*Plan, error), r Request) int {
	t.Helper()
	p, err := plan(r)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range p.Changes {
		if _, err := c.Apply(time.Date(2026, 1, 2, 3, 4, 5, i*1e6, time.UTC)); err != nil {
			t.Fatal(err)
		}
	}
	return len(p.Changes)
}

// Each file of settings is installed into, once more, and uninstalled from.
func TestSettings(t *testing.T) {
	inputs, err := filepath.Glob("testdata/settings/*.in")
	if err != nil || len(inputs) != 12 {
		t.Fatalf("%d inputs, %v", len(inputs), err)
	}
	for _, input := range inputs {
		name := strings.TrimSuffix(filepath.Base(input), ".in")
		t.Run(name, func(t *testing.T) {
			agent, _, _ := strings.Cut(name, "-")
			r := request(lookup(t, agent), newPlace(t))
			path := settings(t, r)
			before := get(t, input)
			if before != "" {
				put(t, path, before)
			}
			if n := apply(t, Install, r); n != 1 {
				t.Errorf("%d changes", n)
			}
			golden(t, strings.TrimSuffix(input, ".in")+".installed", get(t, path))
			if n := apply(t, Install, r); n != 0 {
				t.Errorf("the second time %d changes", n)
			}
			if n := apply(t, Uninstall, r); n != 1 {
				t.Errorf("%d changes to uninstall", n)
			}
			after := ""
			if _, err := os.Stat(path); err == nil {
				after = get(t, path)
			}
			if strings.HasSuffix(name, "-older") {
				golden(t, strings.TrimSuffix(input, ".in")+".uninstalled", after)
			} else if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("what was there is not what is left:\n%s", diff)
			}
			if n := apply(t, Uninstall, r); n != 0 {
				t.Errorf("%d changes to uninstall again", n)
			}
		})
	}
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		put(t, path, got)
	}
	if diff := cmp.Diff(get(t, path), got); diff != "" {
		t.Errorf("%s (run with -update to accept):\n%s", path, diff)
	}
}
