package cli_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/policyctl/policyctl/internal/cli"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/machine/layers"
)

// A stream is eval --jsonl that waits for calls.
type stream struct {
	*testing.T
	root    string
	calls   *io.PipeWriter
	answers *bufio.Scanner
	errs    *text
	code    chan int
}

// A text is what was written, read while more is written.
type text struct {
	mu sync.Mutex
	b  strings.Builder
}

func (t *text) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.Write(p)
}

// take returns what was written since it was last asked.
func (t *text) take() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	defer t.b.Reset()
	return t.b.String()
}

func newStream(t *testing.T, user string, args ...string) *stream {
	in, calls := io.Pipe()
	answers, out := io.Pipe()
	s := &stream{t, t.TempDir(), calls, bufio.NewScanner(answers), &text{}, make(chan int, 1)}
	s.write("config/policy.yaml", user)
	p := process(in, out, append([]string{"eval", "--jsonl"}, args...)...)
	p.Stderr = s.errs
	p.Getwd = func() (string, error) { return s.root, nil }
	p.Place = func() (layers.Place, error) {
		return layers.Place{Managed: s.root + "/etc", Home: s.root, Config: s.root + "/config", State: s.root + "/state"}, nil
	}
	go func() {
		s.code <- cli.Run(context.Background(), p)
		out.Close()
	}()
	return s
}

func (s *stream) write(name, content string) {
	s.Helper()
	path := filepath.Join(s.root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		s.Fatal(err)
	}
}

// wants asks about "make x" in a directory.
func (s *stream) wants(when, dir, want string) {
	s.Helper()
	fmt.Fprintf(s.calls, "{\"command\":\"make x\",\"dir\":%q}\n", filepath.Join(s.root, dir))
	if !s.answers.Scan() || !strings.Contains(s.answers.Text(), `"decision":"`+want+`"`) {
		s.Errorf("%s: %s, want %s", when, s.answers.Text(), want)
	}
}

// told compares the beginnings of what was told since.
func (s *stream) told(when string, want ...string) {
	s.Helper()
	lines := strings.Split(strings.TrimSuffix(s.errs.take(), "\n"), "\n")
	if lines[0] == "" {
		lines = nil
	}
	for i, line := range lines {
		if i >= len(want) || !strings.Contains(line, want[i]) {
			s.Errorf("%s: told %q, want %q", when, lines, want)
			return
		}
	}
	if len(lines) != len(want) {
		s.Errorf("%s: told %q, want %q", when, lines, want)
	}
}

func (s *stream) ends(code int) {
	s.Helper()
	s.calls.Close()
	if got := <-s.code; got != code {
		s.Errorf("exit code %d, want %d", got, code)
	}
}

const (
	goodPolicy = "version: 1\npermissions: {\"shell make *\": allow}\n"
	denyPolicy = "version: 1\npermissions: {\"shell make *\": deny}\n"
	badPolicy  = "version: 1\npermissions: {\"shell make *\": dney}\n"
)

// A policy that is edited while a stream runs takes effect with the next call,
// and a bad edit is told once and leaves the last good one.
func TestBulkFollows(t *testing.T) {
	s := newStream(t, goodPolicy)
	s.wants("first", "", "allow")
	s.told("first")
	s.write("config/policy.yaml", denyPolicy)
	s.wants("edited", "", "deny")
	s.write("config/policy.yaml", badPolicy)
	for range 3 {
		s.wants("badly edited", "", "deny")
	}
	s.wants("elsewhere", "elsewhere", "ask") // it has no last good one
	s.told("badly edited", `unknown action "dney"`, "the last good one stays in force", "what its other layers deny stays denied")
	s.write("config/policy.yaml", goodPolicy)
	s.wants("corrected", "", "allow")
	s.wants("corrected", "elsewhere", "allow")
	s.told("corrected", "the policy is valid again")
	s.write("config/policy.yaml", badPolicy)
	s.wants("bad again", "", "allow")
	s.told("bad again", `unknown action "dney"`, "the last good one stays in force")
	s.ends(console.ExitUsage) // one call found no policy
}

// Each call is decided under the policy of its own directory.
func TestBulkDirectories(t *testing.T) {
	s := newStream(t, goodPolicy)
	s.write("a/.policyctl/policy.yaml", denyPolicy)
	s.write("b/.policyctl/policy.yaml", goodPolicy)
	for range 2 {
		s.wants("outside", "", "allow")
		s.wants("in a", "a/src", "deny")
		s.wants("in b", "b", "allow")
	}
	s.told("held once", "b/.policyctl/policy.yaml:2: permissions: the project's policy is not trusted")
	s.write("a/.policyctl/policy.yaml", goodPolicy)
	s.wants("a edited", "a/src", "allow")
	for i := range 256 + 10 {
		s.wants("many", fmt.Sprint("many/", i), "allow")
	}
	s.ends(console.ExitAllow)
}

// With --no-config no file is followed, and --policy is read once.
func TestBulkFixed(t *testing.T) {
	s := newStream(t, goodPolicy, "--no-config")
	s.wants("no config", "", "ask")
	s.ends(console.ExitAllow)
	s = newStream(t, goodPolicy, "--policy", "/does/not/exist")
	s.wants("unreadable", "", "ask")
	s.write("config/policy.yaml", denyPolicy)
	s.wants("unreadable still", "", "ask")
	s.told("unreadable", "/does/not/exist: no such file", "what its other layers deny stays denied")
	s.ends(console.ExitUsage)
}
