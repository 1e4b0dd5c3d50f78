package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/internal/trial/seed"
)

// modules are all that the binary links beside the standard library. Whoever
// adds one makes every call of every agent pay for it.
var modules = []string{
	"github.com/go-json-experiment/json", // jsontext alone, 135 kB
	"github.com/gofrs/flock",
	"github.com/hashicorp/golang-lru/v2",
	"github.com/pelletier/go-toml/v2",
	"github.com/policyctl/policyctl",
	"go.yaml.in/yaml/v3",
	"golang.org/x/sys",
	"mvdan.cc/sh/v3",
}

// agents are those that the hook knows.
var agents = strings.Join(hook.Names(), ", ")

func TestDependencies(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	linked := slices.Compact(slices.Sorted(slices.Values(strings.Fields(string(out)))))
	for _, m := range linked {
		if !slices.Contains(modules, m) {
			t.Errorf("the hook links %s", m)
		}
	}
	packages, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Fields(string(packages)) {
		if name == "net" || name == "net/http" || name == "text/template" || name == "testing" {
			t.Errorf("the hook links %s", name)
		}
	}
}

// build returns the hook, and a program that does nothing.
func build(t testing.TB) (hook, nothing string) {
	t.Helper()
	dir := t.TempDir()
	source := filepath.Join(dir, "main.go")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	hook, nothing = filepath.Join(dir, "policyctl-hook"), filepath.Join(dir, "nothing")
	for _, args := range [][]string{{"-o", hook, "."}, {"-o", nothing, source}} {
		cmd := exec.Command("go", append([]string{"build"}, args...)...)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	return hook, nothing
}

// start runs a program with an event and returns what it printed.
func start(t testing.TB, event, program string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.Command(program, args...)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(event), &out, &errs
	err := cmd.Run()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func TestUsage(t *testing.T) {
	seed.Slow(t)
	hook, _ := build(t)
	for _, tc := range []struct {
		args []string
		want string
	}{
		{nil, "policyctl-hook: name one agent whose event is on standard input: " + agents + "\n"},
		{[]string{"claud"}, "policyctl-hook: no agent is called \"claud\": one of " + agents + "\n"},
		{[]string{"claude", "x"}, "policyctl-hook: name one agent whose event is on standard input: " + agents + "\n"},
	} {
		stdout, stderr, code := start(t, "{}", hook, tc.args...)
		if code != 2 || stdout != "" || stderr != tc.want {
			t.Errorf("%q: exit code %d, %q, %q", tc.args, code, stdout, stderr)
		}
	}
	if stdout, stderr, code := start(t, "", hook, "--version"); code != 0 || stderr != "" || !strings.HasPrefix(stdout, "policyctl-hook ") {
		t.Errorf("--version: exit code %d, %q, %q", code, stdout, stderr)
	}
	for _, flag := range []string{"--help", "-h", "help"} {
		if stdout, stderr, code := start(t, "", hook, flag); code != 0 || stderr != "" || !strings.HasPrefix(stdout, "usage: policyctl-hook AGENT [--wait DURATION]\n") || !strings.Contains(stdout, "\n  amp auggie claude ") {
			t.Errorf("%s: exit code %d, %q, %q", flag, code, stdout, stderr)
		}
	}
	if _, stderr, code := start(t, "{", hook, "claude"); code != 2 || stderr == "" {
		t.Errorf("a broken event: exit code %d, %q", code, stderr)
	}
	if stdout, stderr, code := start(t, `{"hook_event_name":"SessionStart","session_id":"s"}`, hook, "claude"); code != 0 || stdout+stderr != "" {
		t.Errorf("an event that wants no answer: exit code %d, %q, %q", code, stdout, stderr)
	}
}

// An answer that nobody reads is refused by the exit code, and the answers that
// are none are none.
func TestOutput(t *testing.T) {
	seed.Slow(t)
	hook, _ := build(t)
	for _, tc := range []struct {
		want           int
		event, command string
	}{
		{2, "PreToolUse", "rm -rf ~"},
		{2, "PreToolUse", "ls"},
		{0, "SessionStart", ""},
	} {
		cmd := exec.Command(hook, "claude") // without an output it is the null device
		cmd.Stdin = strings.NewReader(`{"hook_event_name":"` + tc.event + `","session_id":"output","cwd":"/","tool_name":"Bash","tool_input":{"command":"` + tc.command + `"}}`)
		_ = cmd.Run() // the exit code says
		if got := cmd.ProcessState.ExitCode(); got != tc.want {
			t.Errorf("%s %s: exit code %d, want %d", tc.event, tc.command, got, tc.want)
		}
	}
}

// initTrace is a line of GODEBUG=inittrace=1 about a package of this module.
var initTrace = regexp.MustCompile(`(?m)^init github\.com/policyctl/policyctl/(\S+) .* (\d+) allocs$`)

// TestStart bounds what happens before main: no table is built that the event
// does not need.
func TestStart(t *testing.T) {
	hook, _ := build(t)
	cmd := exec.Command(hook)
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, _ := cmd.CombinedOutput()
	total := 0
	for _, m := range initTrace.FindAllStringSubmatch(string(out), -1) {
		n, err := strconv.Atoi(m[2])
		if err != nil {
			t.Fatal(err)
		}
		total += n
	}
	if total == 0 || total > 300 {
		t.Errorf("%d allocations before main, want some and at most 300", total)
	}
}

// BenchmarkStart runs a program and an empty one in turn, and reports the ratio of
// their times from start to exit: of an event that wants no answer, of a call
// that is decided in a repository and stored in its session, and of policyctl
// where a person asks.
func BenchmarkStart(b *testing.B) {
	hook, nothing := build(b)
	tool := filepath.Join(filepath.Dir(hook), "policyctl")
	repository := b.TempDir()
	for _, args := range [][]string{
		{"go", "build", "-ldflags", "-s -w", "-o", tool, "../policyctl"},
		{"go", "build", "-ldflags", "-s -w", "-o", hook, "."},
		{"git", "init", "-q", repository},
	} {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%q: %v: %s", args, err, out)
		}
	}
	const event = `{"hook_event_name":"SessionStart","session_id":"s"}`
	call := func(n int) string {
		return fmt.Sprintf(`{"hook_event_name":"PreToolUse","session_id":"bench","cwd":%q,"tool_name":"Bash","tool_input":{"command":"git status && ls -la # %d"}}`, repository, n)
	}
	for _, bm := range []struct {
		name  string
		event func(n int) string
		args  []string
	}{
		{"no-answer", func(int) string { return event }, []string{hook, "claude"}},
		{"decision", call, []string{hook, "claude"}},
		{"eval", func(int) string { return "" }, []string{tool, "eval", "ls"}},
	} {
		b.Run(bm.name, func(b *testing.B) {
			var ratios []float64
			for n := 0; b.Loop(); n++ {
				ratios = append(ratios, float64(timed(b, bm.event(n), bm.args...))/float64(timed(b, event, nothing)))
			}
			slices.Sort(ratios)
			b.ReportMetric(ratios[len(ratios)/2], "x-empty")
		})
	}
}

func timed(b *testing.B, event string, args ...string) time.Duration {
	begin := time.Now()
	if _, stderr, code := start(b, event, args[0], args[1:]...); code != 0 {
		b.Fatal(stderr)
	}
	return time.Since(begin)
}
