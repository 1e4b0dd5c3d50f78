package hook_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/pkg/policy"
)

const bash = `{"session_id":"s","cwd":"/repo","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"1","tool_input":%s}`

func event(input string) string { return fmt.Sprintf(bash, input) }

// spoken returns an event, or some of one, as an agent of its own names sends it.
func spoken(a *hook.Agent, event string) string {
	call, turn := a.Events()
	names := strings.NewReplacer("PreToolUse", call, "UserPromptSubmit", turn, "PostToolUse", hook.Quiet(a))
	var pairs []string
	for i, key := range []string{"hook_event_name", "session_id", "cwd", "tool_name", "tool_input", "tool_use_id", "prompt"} {
		own, _, _ := strings.Cut(hook.Keys(a)[i], " ")
		pairs = append(pairs, `"`+key+`"`, `"`+own+`"`)
	}
	return strings.NewReplacer(pairs...).Replace(names.Replace(event))
}

// flat are the agents whose events have what is read of them at the top.
func flat() (out []string) {
	for _, name := range hook.Names() {
		a, _ := hook.Lookup(name)
		if keys := hook.Keys(a); !strings.Contains(keys[3]+keys[4], ".") {
			out = append(out, name)
		}
	}
	return out
}

func allowAll(context.Context, *hook.Event) (policy.Verdict, error) {
	return policy.Verdict{Decision: policy.Allow, Reason: policy.ReasonNone}, nil
}

// said is the decision in an answer, "refused" for the exit code 2, "" for
// none.
func said(t *testing.T, agent string, got ran) string {
	t.Helper()
	if got.code == 2 {
		if got.out != "" || strings.TrimSpace(got.stderr) == "" {
			t.Errorf("%s: exit code 2 with output %q and reason %q", agent, got.out, got.stderr)
		}
		return oneRefusal(agent, "refused")
	}
	if why := invalid(agent, []byte(got.out)); why != "" || got.code != 0 {
		t.Errorf("%s: exit code %d, %s: %s", agent, got.code, why, got.out)
	}
	var m struct {
		Decision, Permission string
		Cancel               bool
		HookSpecificOutput   struct {
			PermissionDecision string
			Decision           struct{ Behavior string }
		}
	}
	if got.out == "" {
		return ""
	}
	if err := json.Unmarshal([]byte(got.out), &m); err != nil {
		t.Error(err)
	}
	if m.Cancel || m.Decision == "block" {
		return "deny"
	}
	return m.Decision + m.Permission + m.HookSpecificOutput.PermissionDecision + m.HookSpecificOutput.Decision.Behavior
}

// oneRefusal is a word as of an agent that has one way to be refused, by the exit code or
// by an answer.
func oneRefusal(agent, word string) string {
	if word == "refused" && slices.Contains([]string{"cline", "windsurf", "kiro"}, agent) {
		return "deny"
	}
	return word
}

// TestHostileEvents has everything allowed that is decided at all.
func TestHostileEvents(t *testing.T) {
	nested := strings.Repeat(`{"a":`, 2000) + "1" + strings.Repeat("}", 2000)
	rows := []struct{ want, what, event string }{
		{"refused", "nothing", ""},
		{"refused", "blanks", " \n"},
		{"refused", "text", "not json"},
		{"refused", "an array", "[" + event(`{"command":"ls"}`) + "]"},
		{"refused", "null", "null"},
		{"refused", "no name", `{"tool_name":"Bash","tool_input":{"command":"ls"}}`},
		{"refused", "a name in capitals", strings.Replace(event(`{"command":"ls"}`), "hook_event_name", "HOOK_EVENT_NAME", 1)},
		{"refused", "two names", strings.Replace(event(`{"command":"ls"}`), `"cwd"`, `"hook_event_name":"SessionStart","cwd"`, 1)},
		{"refused", "a name that is a number", strings.Replace(event(`{"command":"ls"}`), `"PreToolUse"`, "1", 1)},
		{"refused", "an unknown event", strings.Replace(event(`{"command":"ls"}`), "PreToolUse", "pretooluse", 1)},
		{"refused", "cut before the name", event(`{"command":"ls"}`)[:20]},
		{"refused", "a byte order mark", "\ufeff" + event(`{"command":"ls"}`)},
		{"deny", "cut after the name", event(`{"command":"ls"}`)[:120]},
		{"deny", "two objects", event(`{"command":"ls"}`) + event(`{"command":"ls"}`)},
		{"deny", "the object closed early", event(`{"command":"ls"}},"x":{"y":1}`)},
		{"deny", "a key twice", event(`{"command":"rm -rf ~","command":"ls"}`)},
		{"deny", "a key in two cases", event(`{"command":"ls","Command":"rm -rf ~"}`)},
		{"deny", "a key with a Kelvin sign", event("{\"k\":1,\"\u212a\":2}")},
		{"deny", "a key of the event twice", strings.Replace(event(`{"command":"ls"}`), `"cwd"`, `"tool_name":"Read","cwd"`, 1)},
		{"deny", "a key of the event in two cases", strings.Replace(event(`{"command":"ls"}`), `"cwd"`, `"Tool_Name":"Read","cwd"`, 1)},
		{"deny", "a raw NUL", event("{\"command\":\"ls\x00\"}")},
		{"refused", "NUL in front", strings.Replace(event(`{"command":"ls"}`), `"cwd"`, "\x00\"cwd\"", 1) + event("{}")},
		{"deny", "text that is not UTF-8", event("{\"command\":\"ls \xff\"}")},
		{"deny", "half a character", event(`{"command":"ls \ud800"}`)},
		{"deny", "deep nesting", event(nested)},
		{"deny", "arguments that are a string", event(`"ls"`)},
		{"deny", "arguments that are a list", event(`["ls"]`)},
		{"deny", "no arguments", event("null")},
		{"deny", "no tool", strings.Replace(event("{}"), `"tool_name":"Bash",`, "", 1)},
		{"deny", "an empty tool", strings.Replace(event("{}"), `"Bash"`, `""`, 1)},
		{"deny", "a long tool", strings.Replace(event("{}"), `Bash`, strings.Repeat("x", 5000), 1)},
		{"deny", "a tool that is a number", strings.Replace(event("{}"), `"Bash"`, "7", 1)},
		{"deny", "no session", strings.Replace(event("{}"), `"session_id":"s",`, "", 1)},
		{"deny", "a session that is a list", strings.Replace(event("{}"), `"s"`, `["s"]`, 1)},
		{"deny", "a directory that is a number", strings.Replace(event("{}"), `"/repo"`, "1", 1)},
		{"deny", "a mode that is an object", strings.Replace(event("{}"), `"default"`, "{}", 1)},
		{"deny", "an id that is a number", strings.Replace(event("{}"), `"tool_use_id":"1"`, `"tool_use_id":1`, 1)},
		{"deny", "10 MB", event(`{"command":"ls","x":"` + strings.Repeat("x", 10<<20) + `"}`)},
		{"", "a harmless event cut short", `{"hook_event_name":"PostToolUse","tool_response":{"a":1,"A":`},
		{"", "10 MB of output", `{"hook_event_name":"PostToolUse","tool_response":"` + strings.Repeat("x", 10<<20) + `"}`},
		{"", "a message that is broken", `{"hook_event_name":"UserPromptSubmit","prompt":`},
	}
	for _, name := range flat() {
		a, _ := hook.Lookup(name)
		for _, r := range rows {
			if name == "kiro" && r.what == "no session" {
				continue // its events have none: the directory stands for it
			}
			got := said(t, name, run(a, []byte(spoken(a, r.event)), hook.Host{Decide: allowAll}))
			if got != oneRefusal(name, r.want) {
				t.Errorf("%s: %s: got %q, want %q", name, r.what, got, r.want)
			}
		}
	}
}

// TestAllowIsSeen shows that the events of the table above would be allowed
// if nothing were wrong with them.
func TestAllowIsSeen(t *testing.T) {
	for name, want := range map[string]string{"claude": "allow", "codex": "", "copilot": "allow", "qwen": "allow"} {
		a, _ := hook.Lookup(name)
		if got := said(t, name, run(a, []byte(event(`{"command":"ls"}`)), hook.Host{Decide: allowAll})); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// TestFailures has the decision fail in every way.
func TestFailures(t *testing.T) {
	type verdict = policy.Verdict
	rows := []struct {
		want   string
		decide func(context.Context, *hook.Event) (verdict, error)
	}{
		{"policyctl failed", func(context.Context, *hook.Event) (verdict, error) { panic("boom") }},
		{"policyctl failed", nil},
		{"policyctl failed", func(context.Context, *hook.Event) (verdict, error) {
			return verdict{Decision: policy.Allow}, errors.New("secret text of a project")
		}},
		{"policyctl failed", func(context.Context, *hook.Event) (verdict, error) {
			return verdict{Decision: policy.Allow, Why: "a rule"}, errors.New("the history cannot be stored")
		}},
		{"is missing", func(context.Context, *hook.Event) (verdict, error) {
			return verdict{Why: "the command is missing"}, errors.New("the command is missing")
		}},
		{"no reason was recorded", func(context.Context, *hook.Event) (verdict, error) { return verdict{}, nil }},
		{"no reason was recorded", func(context.Context, *hook.Event) (verdict, error) {
			return verdict{Decision: 77}, nil
		}},
		{"20ms", func(ctx context.Context, _ *hook.Event) (verdict, error) {
			time.Sleep(time.Minute) // does not heed ctx
			return verdict{Decision: policy.Allow}, nil
		}},
		{"20ms", func(ctx context.Context, _ *hook.Event) (verdict, error) {
			<-ctx.Done()
			return verdict{Decision: policy.Allow}, ctx.Err()
		}},
	}
	for _, name := range flat() {
		a, _ := hook.Lookup(name)
		for i, r := range rows {
			var got ran
			var took time.Duration
			synctest.Test(t, func(*testing.T) { // where the machine is slow, nothing else takes 20 ms
				begin := time.Now()
				got = run(a, []byte(spoken(a, event(`{"command":"ls"}`))), hook.Host{Decide: r.decide, Timeout: 20 * time.Millisecond})
				took = time.Since(begin)
				time.Sleep(time.Minute) // until what does not heed ctx ends
			})
			if word := said(t, name, got); word != "deny" || !strings.Contains(got.out+got.stderr, r.want) {
				t.Errorf("%s, row %d: %q, want a denial with %q: %s", name, i, word, r.want, got.out)
			}
			if _, reason, _ := strings.Cut(got.out, `eason":`); strings.Contains(reason, "secret") {
				t.Errorf("%s, row %d: the model reads an error: %s", name, i, got.out)
			}
			if took > 20*time.Millisecond {
				t.Errorf("%s, row %d: took %s", name, i, took)
			}
		}
	}
}

// TestPersonReadsFailures checks that what went wrong stands in the notice
// and not in the reason.
func TestPersonReadsFailures(t *testing.T) {
	a, _ := hook.Lookup("claude")
	got := run(a, []byte(event(`{"command":"ls"}`)), hook.Host{Decide: func(context.Context, *hook.Event) (policy.Verdict, error) {
		return policy.Verdict{}, errors.New("policy.yaml:1: \x1b[2Jbad")
	}})
	notice, reason, _ := strings.Cut(got.out, "hookSpecificOutput")
	if !strings.Contains(notice, "policy.yaml:1: \ufffd[2Jbad") || strings.Contains(reason, "policy.yaml") {
		t.Errorf("got %s", got.out)
	}
}

// broken is a stream that takes nothing.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

// bursting is a stream that panics.
type bursting struct{}

func (bursting) Write([]byte) (int, error) { panic("burst") }

func TestStreams(t *testing.T) {
	a, _ := hook.Lookup("claude")
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	silence, _ := io.Pipe()
	rows := []struct {
		want int
		what string
		ctx  context.Context
		host hook.Host
	}{
		{2, "output that cannot be written", context.Background(), hook.Host{Stdin: strings.NewReader(event(`{"command":"ls"}`)), Stdout: broken{}}},
		{2, "output that panics", context.Background(), hook.Host{Stdin: strings.NewReader(event(`{"command":"ls"}`)), Stdout: bursting{}}},
		{2, "input that cannot be read", context.Background(), hook.Host{Stdin: iotest.ErrReader(errors.New("gone"))}},
		{2, "no input", context.Background(), hook.Host{}},
		{2, "input that never ends", context.Background(), hook.Host{Stdin: silence, Timeout: 20 * time.Millisecond}},
		{2, "a signal", stopped, hook.Host{Stdin: silence}},
	}
	for _, r := range rows {
		var out, stderr strings.Builder
		r.host.Stderr, r.host.Decide = &stderr, allowAll
		if r.host.Stdout == nil {
			r.host.Stdout = &out
		}
		if code := hook.Run(r.ctx, a, r.host); code != r.want || out.Len() > 0 || stderr.Len() == 0 {
			t.Errorf("%s: exit code %d, output %q, reason %q", r.what, code, out.String(), stderr.String())
		}
	}
}

// TestDrains checks that a long event is read to its end, so that the agent
// gets no broken pipe.
func TestDrains(t *testing.T) {
	a, _ := hook.Lookup("claude")
	in := strings.NewReader(event(`{"command":"` + strings.Repeat("x", 2*hook.MaxEvent) + `"}`))
	hook.Run(context.Background(), a, hook.Host{Stdin: in, Stdout: io.Discard, Stderr: io.Discard, Decide: allowAll})
	if in.Len() > 0 {
		t.Errorf("%d bytes were not read", in.Len())
	}
}

// TestMemory checks that a long event is not kept.
func TestMemory(t *testing.T) {
	a, _ := hook.Lookup("claude")
	in := io.MultiReader(strings.NewReader(event("{}")[:100]), io.LimitReader(blanks{}, 500<<20))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	hook.Run(context.Background(), a, hook.Host{Stdin: in, Stdout: io.Discard, Stderr: io.Discard, Decide: allowAll})
	runtime.ReadMemStats(&after)
	if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 200 {
		t.Errorf("%d MiB for 500 MiB of input", used)
	}
}

// blanks is a stream of blanks without end.
type blanks struct{}

func (blanks) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// TestTurn checks that a new turn is told, and never answered.
func TestTurn(t *testing.T) {
	for _, name := range flat() {
		a, _ := hook.Lookup(name)
		told := ""
		decide := func(_ context.Context, e *hook.Event) (policy.Verdict, error) {
			if e.NewTurn {
				told += e.Call.Session
			}
			return policy.Verdict{}, errors.New("no")
		}
		for _, event := range []string{"UserPromptSubmit", "PostToolUse"} {
			got := run(a, []byte(spoken(a, `{"hook_event_name":"`+event+`","session_id":"s","prompt":"x"}`)), hook.Host{Decide: decide})
			if got.code != 0 || got.out != "" {
				t.Errorf("%s %s: %+v", name, event, got)
			}
		}
		if told != "s" {
			t.Errorf("%s: told of the turn %q", name, told)
		}
	}
}

// FuzzRun gives any bytes to every agent.
func FuzzRun(f *testing.F) {
	for _, name := range own() {
		files, err := os.ReadDir("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			if data, err := os.ReadFile("testdata/" + name + "/" + file.Name()); err == nil && strings.HasSuffix(file.Name(), ".json") {
				f.Add(data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range hook.Names() {
			a, _ := hook.Lookup(name)
			got := run(a, data, hook.Host{Decide: allowAll})
			if word := said(t, name, got); word == "allow" && !json.Valid(data) {
				t.Errorf("%s: allowed %q", name, data)
			}
		}
	})
}
