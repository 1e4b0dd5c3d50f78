package install

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// An agent is found by its folder or by its program, and not by a program that the
// project brings along.
func TestFound(t *testing.T) {
	p := newPlace(t)
	if err := os.RemoveAll(filepath.Join(p.Home, ".gemini")); err != nil {
		t.Fatal(err)
	}
	programs := map[string]string{"qwen": "/usr/bin/qwen", "copilot": filepath.Join(p.Dir, "bin", "copilot")}
	look := func(name string) (string, error) {
		if path, ok := programs[name]; ok {
			return path, nil
		}
		return "", errors.New("not found")
	}
	names := func() (out []string) {
		for _, a := range Found(p, look) {
			out = append(out, a.Name)
		}
		return out
	}
	if diff := cmp.Diff([]string{"qwen"}, names()); diff != "" {
		t.Error(diff)
	}
	put(t, filepath.Join(p.Home, ".codex", "config.toml"), "")
	put(t, filepath.Join(p.Home, ".claude"), "a file is no folder of settings")
	if diff := cmp.Diff([]string{"codex", "qwen"}, names()); diff != "" {
		t.Error(diff)
	}
}

// What npx has fetched is copied to where it stays, with the program beside it.
func TestLasting(t *testing.T) {
	p := newPlace(t)
	from := filepath.Join(p.Home, ".npm", "_npx", "1a2b", "node_modules", "@policyctl", "policyctl-linux-x64", "bin")
	put(t, filepath.Join(from, "policyctl"), "whole")
	put(t, filepath.Join(from, "policyctl-hook"), "hook")
	to := filepath.Join(p.Home, ".local", "bin")

	plan := &Plan{}
	got, err := plan.Lasting(filepath.Join(from, "policyctl-hook"), p)
	if want := filepath.Join(to, "policyctl-hook"); err != nil || got != want {
		t.Fatalf("%q, %v; want %q", got, err, want)
	}
	if len(plan.Changes) != 2 || plan.Changes[0].Action() != "create" {
		t.Fatalf("%d changes", len(plan.Changes))
	}
	if _, err := os.Stat(to); err == nil {
		t.Error("copied before it was asked for")
	}
	for _, c := range plan.Changes {
		if _, err := c.Apply(time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	if get(t, filepath.Join(to, "policyctl")) != "whole" || get(t, filepath.Join(to, "policyctl-hook")) != "hook" {
		t.Error("not what was fetched")
	}
	if info, err := os.Stat(filepath.Join(to, "policyctl-hook")); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("%v, %v", info.Mode(), err)
	}

	again := &Plan{}
	if _, err := again.Lasting(filepath.Join(from, "policyctl-hook"), p); err != nil || len(again.Changes) != 0 {
		t.Errorf("%d changes for what is there, %v", len(again.Changes), err)
	}
	put(t, filepath.Join(from, "policyctl-hook"), "a newer hook")
	if _, err := again.Lasting(filepath.Join(from, "policyctl-hook"), p); err != nil || len(again.Changes) != 1 || again.Changes[0].Action() != "change" {
		t.Errorf("%d changes for a newer one, %v", len(again.Changes), err)
	}
	own := "/usr/local/bin/policyctl-hook"
	if got, err := again.Lasting(own, p); err != nil || got != own || len(again.Changes) != 1 {
		t.Errorf("%q, %v", got, err)
	}
}
