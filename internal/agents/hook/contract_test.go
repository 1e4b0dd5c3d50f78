package hook_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/pkg/policy"
)

// recordings hold events of real clients, by agent.
const recordings = "../../../test/agents/recorded"

// shellEvent is the event before a shell call of an agent, with $COMMAND in it: as a real
// client sent it, or else as its row has it.
func shellEvent(t *testing.T, name string) string {
	t.Helper()
	a, _ := hook.Lookup(name)
	data, err := os.ReadFile(filepath.Join(recordings, name, "shell.json"))
	if errors.Is(err, os.ErrNotExist) {
		return string(a.Sample("$COMMAND", "s1", "/repo"))
	}
	if err != nil || !strings.Contains(string(data), recordedCommand) {
		t.Fatalf("%s: %v, %s", name, err, data)
	}
	return strings.TrimSpace(strings.ReplaceAll(string(data), recordedCommand, "$COMMAND"))
}

// recordedCommand is what the clients were told to run.
const recordedCommand = "touch /home/dev/shop/denied"

// TestContract has the same calls and the same failures judged for every agent, and
// compares what it is told, byte by byte, with one file an agent.
func TestContract(t *testing.T) {
	decide := engine(t)
	for _, name := range hook.Names() {
		t.Run(name, func(t *testing.T) {
			a, _ := hook.Lookup(name)
			event := shellEvent(t, name)
			with := func(command string) string { return strings.ReplaceAll(event, "$COMMAND", command) }
			keys := hook.Keys(a)
			session, _, _ := strings.Cut(keys[1], " ")
			var b strings.Builder
			for _, r := range []struct{ what, event string }{
				{"allowed by a rule", with("npm test x")},
				{"it only reads", with("ls")},
				{"undecided", with("make")},
				{"asked", with("terraform apply")},
				{"denied by a rule", with("git push origin main")},
				{"a catastrophe", with("rm -rf ~")},
				{"no command", with("")},
				{"cut short", event[:len(event)-2]},
				{"a key twice", strings.Replace(with("ls"), "{", `{"zz":1,"zz":2,`, 1)},
				{"two names", strings.Replace(with("ls"), "{", `{"`+keys[0]+`":"x",`, 1)},
				{"no session", strings.Replace(with("ls"), `"`+session+`"`, `"elsewhere"`, 1)},
				{"nothing", ""},
				{"nonsense", "not json"},
				{"a strange event", `{"` + keys[0] + `":"BeforeBigBang"}`},
			} {
				got := run(a, []byte(r.event), hook.Host{Decide: decide})
				said(t, name, got) // checks the form
				fmt.Fprintf(&b, "%s: %d\n%s%s\n", r.what, got.code, got.out, got.stderr)
			}
			failing := func(context.Context, *hook.Event) (policy.Verdict, error) {
				return policy.Verdict{}, errors.New("the disk is full")
			}
			got := run(a, []byte(with("ls")), hook.Host{Decide: failing})
			fmt.Fprintf(&b, "policyctl fails: %d\n%s%s", got.code, got.out, got.stderr)
			others, err := filepath.Glob(filepath.Join(recordings, name, "*.json"))
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range others {
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				e := read(t, name, string(data), nil)
				got := run(a, data, hook.Host{Decide: decide})
				fmt.Fprintf(&b, "\nrecorded %s: %s of %q, subagent %q %q, turn %v: %d\n%s%s",
					filepath.Base(file), e.Call.Tool, e.Call.Session, e.Call.Subagent, e.Subagent, e.NewTurn, got.code, got.out, got.stderr)
			}
			path := filepath.Join("testdata", "contract", name+".txt")
			if *update {
				write(t, path, b.String())
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), b.String()); d != "" {
				t.Errorf("%s (run with -update to accept):\n%s", path, d)
			}
		})
	}
}

// TestSample: what a row has as the agent's event is one, about a call of its shell, and
// what the hook answers is read back as what it was.
func TestSample(t *testing.T) {
	for _, name := range hook.Names() {
		a, _ := hook.Lookup(name)
		const command, session, dir = "printf \"a\\n\" > 'b c'", "s \"1\"", "/work/a b"
		e := read(t, name, string(a.Sample(command, session, dir)), nil)
		tool, _ := policy.ToolNamed(e.Call.Tool)
		given, _ := e.Call.Input["command"].(string)
		if line, ok := e.Call.Input["command_line"].(string); ok {
			given = line
		}
		if tool.Kind != policy.KindShell || given != command || e.Call.Session != session || e.Call.Dir != dir {
			t.Errorf("%s: %+v", name, e.Call)
		}
		for want, v := range map[string]policy.Verdict{
			"deny": {Reason: policy.ReasonPermissionRule, Why: "it is old"},
			"":     {Decision: policy.Ask, Reason: policy.ReasonNone, Undecided: true},
		} {
			if (name == "pi" || name == "amp") && want == "" {
				want = "ask"
			}
			got := run(a, a.Sample(command, session, dir), hook.Host{Decide: func(context.Context, *hook.Event) (policy.Verdict, error) { return v, nil }})
			say, reason, err := a.Heard([]byte(got.out), []byte(got.stderr), got.code)
			if say != want || err != nil || want == "deny" && !strings.Contains(reason, "it is old") {
				t.Errorf("%s: %q, %q, %v for %q", name, say, reason, err, want)
			}
		}
	}
}

// TestHeard: what an agent would not heed is an error, and no answer.
func TestHeard(t *testing.T) {
	for _, name := range hook.Names() {
		a, _ := hook.Lookup(name)
		for _, r := range []struct {
			out, stderr string
			code        int
		}{{"hello", "", 0}, {"[]", "", 0}, {"", "", 1}, {"", "", 2}, {"", "no", 127}} {
			if say, _, err := a.Heard([]byte(r.out), []byte(r.stderr), r.code); err == nil {
				t.Errorf("%s takes %+v for %q", name, r, say)
			}
		}
		if say, _, err := a.Heard(nil, []byte("it is loud"), 0); say != "" || err != nil {
			t.Errorf("%s: %q, %v", name, say, err)
		}
	}
}
