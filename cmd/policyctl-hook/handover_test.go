package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// handingOver makes the test binary a hook whose policy mentions bundles.
const handingOver = "TEST_HAND_OVER"

func TestMain(m *testing.M) {
	if agent := os.Getenv(handingOver); agent != "" {
		handOver(agent, 0)
		os.Stdout.WriteString("not handed over\n")
		os.Exit(0)
	}
	if home := os.Getenv(relaying); home != "" {
		os.Exit(relayed(home))
	}
	os.Exit(m.Run())
}

// What needs bundles is answered by the policyctl beside the hook, which gets
// the event; without one the hook goes on.
func TestHandOver(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	hook, link := filepath.Join(dir, "policyctl-hook"), filepath.Join(t.TempDir(), "hook")
	binary, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{os.WriteFile(hook, binary, 0o700), os.Symlink(hook, link)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv(handingOver, "claude")
	if stdout, _, _ := start(t, "event", link); stdout != "not handed over\n" {
		t.Errorf("without policyctl: %q", stdout)
	}
	if err := os.WriteFile(filepath.Join(dir, "policyctl"), []byte("#!/bin/sh\necho \"$1 $2\"\nexec cat\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if stdout, _, code := start(t, "event", link); stdout != "hook claude\nevent" || code != 0 {
		t.Errorf("%q, exit code %d", stdout, code)
	}
}

// The environment of an agent does not slow the other program down.
func TestUntuned(t *testing.T) {
	d := newDesk(t, `cat >/dev/null; echo "got $GOGC$GOMEMLIMIT$GOMAXPROCS$GODEBUG$GOTRACEBACK $KEPT"`)
	state := d.subscribe(1)
	if err := os.RemoveAll(filepath.Join(state, "forms")); err != nil {
		t.Fatal(err)
	}
	for _, name := range tuning {
		t.Setenv(name, "1")
	}
	t.Setenv("KEPT", "kept")
	if stdout, stderr, _ := start(t, fmt.Sprintf(makeEvent, "s", "ls"), d.hook); stdout != "got  kept\n" {
		t.Errorf("%q %q", stdout, stderr)
	}
}
