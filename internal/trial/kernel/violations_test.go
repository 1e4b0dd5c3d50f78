//go:build linux

package kernel_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// violating are lines with the call by which each is more than reading; those
// without one only read.
var violating = []struct{ want, line string }{
	{"openat", "touch new"},
	{"openat", "sort -o out f"},
	{"openat", "echo x > out"},
	{"openat", "cat f >> /tmp/out"},
	{"openat", "echo x > missing/out"},
	{"mkdir", "mkdir made"},
	{"unlinkat", "rm a.txt"},
	{"renameat2", "mv a.txt b.txt"},
	{"linkat", "ln f hard"},
	{"symlinkat", "ln -s f soft"},
	{"fchmodat", "chmod 644 f"},
	{"utimensat", "touch -c f"},
	{"openat", "truncate -c -s 0 empty"},
	{"kill", "kill -0 1"},
	{"execve", "sed 1e f"},
	{"execve", "sh ./p"},
	{"socket", "exec 3<>/dev/tcp/127.0.0.1/1"},
	{"", "ls -la | head -3 2>/dev/null"},
	{"", "timeout 5 sh -c ls"},
	{"", "cat f >/dev/null 2>&1"},
}

// TestViolations shows that the judge sees what it is there to see.
func TestViolations(t *testing.T) {
	need(t)
	var lines []string
	for _, r := range violating {
		lines = append(lines, r.line)
	}
	found := runBatch(t, newPlayground(t), lines).violations
	for _, r := range violating {
		calls := callsOf(found, r.line)
		if r.want == "" && len(calls) > 0 || r.want != "" && !slices.Contains(calls, r.want) {
			t.Errorf("%q: violations by %q, want %q", r.line, calls, r.want)
		}
	}
}

// TestChanges shows that a playground which changed is a violation, whatever
// the trace holds.
func TestChanges(t *testing.T) {
	need(t)
	home := newPlayground(t)
	before := snapshot(t, home)
	must(t, os.Chmod(filepath.Join(home, projectDir, "f"), 0o600))
	if got := changed(before, snapshot(t, home)); !strings.HasSuffix(got, "/f") {
		t.Errorf("changed: %q, want the file f", got)
	}
}

// callsOf returns the names of the calls with which a line violates.
func callsOf(found []violation, line string) []string {
	var calls []string
	for _, v := range found {
		if name, _, _ := strings.Cut(v.call, "("); v.line == line {
			calls = append(calls, name)
		}
	}
	return calls
}

// TestExcepted shows what a race between pidof and a process that ends makes
// of a line: the two calls are its own, and nobody else's.
func TestExcepted(t *testing.T) {
	for _, tt := range []struct {
		name, args, program string
		want                bool
	}{
		{"connect", `5, {sa_family=AF_UNIX, sun_path="/dev/log"}, 110`, "pidof", true},
		{"openat", `AT_FDCWD, "/dev/console", O_WRONLY|O_NOCTTY|O_CLOEXEC`, "pidof", true},
		{"connect", `5, {sa_family=AF_UNIX, sun_path="/run/other"}, 110`, "pidof", false},
		{"openat", `AT_FDCWD, "/dev/sda", O_WRONLY|O_NOCTTY|O_CLOEXEC`, "pidof", false},
		{"connect", `5, {sa_family=AF_UNIX, sun_path="/dev/log"}, 110`, "cat", false},
	} {
		c := call{name: tt.name, args: tt.args, result: "-1 EACCES", program: tt.program}
		if c.excepted() != tt.want {
			t.Errorf("%s of %s: excepted %v, want %v", c, tt.program, !tt.want, tt.want)
		}
	}
}
