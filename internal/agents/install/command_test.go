package install

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Which commands are known as ours, and which are exactly what is installed.
func TestInvocation(t *testing.T) {
	const not, ours, exact = "not", "ours", "exact"
	rows := []struct{ want, line string }{
		{exact, "/usr/local/bin/policyctl hook claude"},
		{exact, "/opt/policyctl-hook claude"},
		{exact, "'/Users/A B/policyctl' hook claude"},
		{exact, `'/it'\''s/policyctl' hook claude`},
		{exact, "policyctl hook claude"}, // its path is judged by itself
		{exact, "/usr/local/bin/policyctl hook claude --wait 580s"},
		{exact, "/opt/policyctl-hook claude --wait 1s"},
		{ours, "/opt/policyctl-hook claude --wait 580"},
		{ours, "/opt/policyctl-hook claude --wait -5s"},
		{ours, "/opt/policyctl-hook claude --wait 0s"},
		{ours, "/opt/policyctl-hook claude --wait 1.5s"},
		{ours, "/opt/policyctl-hook claude --wait 9m40s"},
		{ours, "/opt/policyctl-hook claude --wait 580s || true"},
		{ours, "/opt/policyctl-hook claude --wait 580s --wait 1s"},
		{ours, "/opt/policyctl-hook claude --wait"},
		{ours, "/usr/local/bin/policyctl  hook claude"},
		{ours, `"/usr/local/bin/policyctl" hook claude`},
		{ours, "/usr/local/bin/policyctl hook claude || true"},
		{ours, "/usr/local/bin/policyctl hook claude;exit 0"},
		{ours, "/usr/local/bin/policyctl hook claude >/dev/null"},
		{ours, "/usr/local/bin/policyctl hook claude --yolo"},
		{ours, "/usr/local/bin/policyctl hook claude\nexit 0"},
		{ours, "/usr/local/bin/policyctl hook claude # x"},
		{ours, `/usr/local/bin/policyctl hook "claude"`},
		{ours, "$HOME/policyctl hook claude"},
		{not, ""},
		{not, "/usr/local/bin/policyctl"},
		{not, "/usr/local/bin/policyctl hook"},
		{not, "/usr/local/bin/policyctl hook codex"},
		{not, "/usr/local/bin/policyctl eval claude"},
		{not, "/usr/local/bin/policyctl hook; claude"},
		{not, "/usr/local/bin/policyctl-hook hook claude"},
		{not, "/usr/local/bin/policyctl claude"},
		{not, "/usr/local/bin/policyctl2 hook claude"},
		{not, "/usr/local/bin/policyctl-like hook claude"},
		{not, "echo policyctl hook claude"},
		{not, "'/usr/local/bin/policyctl hook claude'"},
		{not, "policyctl hook 'claude"},
		{not, "true | policyctl hook claude"},
		{exact, "/usr/bin/timeout -k 2 596 /opt/policyctl-hook claude"},
		{exact, "'/a b/gtimeout' -k 2 596 /opt/policyctl-hook claude --wait 580s" + guard},
		{exact, "/opt/policyctl-hook claude" + guard},
		{ours, "timeout -s KILL 5m /opt/policyctl-hook claude"},
		{ours, "/usr/bin/timeout -k 2 596 /opt/policyctl-hook claude || true"},
		{ours, "/usr/bin/timeout -k 2 596 /opt/policyctl-hook claude || true" + guard},
		{ours, "/usr/bin/timeout -k 2 09 /opt/policyctl-hook claude"},
		{ours, "/usr/bin/timeout -k 2 99999999999999999999 /opt/policyctl-hook claude"},
		{not, "timeout 5 echo policyctl hook claude"},
		{not, "timeout -k 2 596 true /opt/policyctl-hook claude" + guard},
		{not, "timeout policyctl hook claude"},
		{not, "timeout 5"},
		{not, "timeout"},
		{not, "echo x" + guard},
	}
	a := lookup(t, "claude")
	for _, row := range rows {
		inv, ok := a.invocation(handler{fields: map[string]any{"command": row.line}})
		got := not
		if ok {
			got = ours
		}
		if inv.exact {
			got = exact
		}
		if got != row.want {
			t.Errorf("%s, want %s: %s", got, row.want, row.line)
		}
	}
}

func binary(t *testing.T, path string) string {
	t.Helper()
	return script(t, path, "")
}

// script makes a program of the lines of a shell.
func script(t *testing.T, path, lines string) string {
	t.Helper()
	put(t, path, "#!/bin/sh\n"+lines+"\n")
	if err := os.Chmod(path, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCommandLine(t *testing.T) {
	dir := t.TempDir()
	a := lookup(t, "qwen")
	for _, row := range []struct{ want, path string }{
		{"/policyctl hook qwen", "/policyctl"},
		{"/policyctl-hook qwen", "/policyctl-hook"},
		{"/a b/policyctl' hook qwen", "/a b/policyctl"},
		{`/it'\''s/$(x)/policyctl-hook' qwen`, "/it's/$(x)/policyctl-hook"},
		{"/über/policyctl' hook qwen", "/über/policyctl"},
	} {
		path := binary(t, dir+row.path)
		got, err := CommandLine(a, path, path)
		if err != nil || !strings.HasSuffix(got, row.want) {
			t.Errorf("%s: %s %v, want …%s", row.path, got, err, row.want)
		}
		if words := split(got); words[0] != dir+row.path {
			t.Errorf("%s is read as %q", got, words)
		}
	}
}

// A binary that others can exchange is refused.
func TestUnsafeBinary(t *testing.T) {
	rows := []struct {
		want string
		make func(path string) error
	}{
		{"anyone may write to the directory", func(path string) error { return os.Chmod(filepath.Dir(path), 0o777) }},
		{"anyone may write to the directory", func(path string) error { return os.Chmod(filepath.Dir(path), os.ModeSticky|0o777) }},
		{"anyone may write to the directory", func(path string) error { return os.Chmod(filepath.Dir(filepath.Dir(path)), 0o777) }},
		{"anyone may write to ", func(path string) error { return os.Chmod(path, 0o757) }},
		{"is not executable: run chmod +x", func(path string) error { return os.Chmod(path, 0o644) }},
		{"no such file or directory: build or install policyctl there", os.Remove},
		{"is not a file", func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o755)) }},
		{"leads through too many links", func(path string) error { return errors.Join(os.Remove(path), os.Symlink(path, path)) }},
		{"anyone may write to the directory", func(path string) error { return relink(path, 0o777) }},
		{"", func(path string) error { return relink(path, 0o755) }},
		{"", func(path string) error { return os.Chmod(filepath.Dir(filepath.Dir(path)), os.ModeSticky|0o777) }},
		{"", func(path string) error { return os.Chmod(path, 0o775) }},
	}
	for i, row := range rows {
		path := binary(t, filepath.Join(t.TempDir(), "a", "b", "policyctl"))
		if err := row.make(path); err != nil {
			t.Fatal(err)
		}
		_, err := CommandLine(lookup(t, "claude"), path, path)
		if (err == nil) != (row.want == "") || err != nil && !strings.Contains(err.Error(), row.want) {
			t.Errorf("%d: %v, want %q", i, err, row.want)
		}
	}
}

// relink puts the binary into another directory and a link in its place.
func relink(path string, mode os.FileMode) error {
	other := filepath.Join(filepath.Dir(filepath.Dir(path)), "other")
	return errors.Join(os.Mkdir(other, 0o755), os.Rename(path, filepath.Join(other, "policyctl")),
		os.Symlink("../other/policyctl", path), os.Chmod(other, mode))
}

func TestForeignOwner(t *testing.T) {
	path := binary(t, filepath.Join(t.TempDir(), "a", "policyctl"))
	if err := os.Chown(path, 12345, -1); err != nil {
		t.Skip("only root can give files away")
	}
	if _, err := CommandLine(lookup(t, "claude"), path, path); err == nil || !strings.Contains(err.Error(), "belongs to another user (uid 12345)") {
		t.Errorf("%v", err)
	}
}

func TestRefusedNames(t *testing.T) {
	for path, want := range map[string]string{
		"policyctl":                     "is not absolute",
		"./policyctl":                   "is not absolute",
		"/usr/bin/env":                  "is neither policyctl nor policyctl-hook",
		"/a\nb/policyctl":               "a character that cannot be seen",
		"/a\u202eb/policyctl":           "a character that cannot be seen",
		"/a\xffb/policyctl":             "a character that cannot be seen",
		"/tmp/go-build1/x/../policyctl": "is gone when go run ends",
	} {
		if _, err := CommandLine(lookup(t, "claude"), path, path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", path, err, want)
		}
	}
}

func TestBeside(t *testing.T) {
	dir := t.TempDir()
	self := binary(t, filepath.Join(dir, "policyctl"))
	if got := Beside(self); got != self {
		t.Errorf("alone: %s", got)
	}
	put(t, filepath.Join(dir, "policyctl-hook"), "")
	if got := Beside(self); got != self {
		t.Errorf("beside a file that cannot be started: %s", got)
	}
	other := binary(t, filepath.Join(dir, "policyctl-hook"))
	if got := Beside(self); got != other {
		t.Errorf("beside the small one: %s", got)
	}
}
