package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/policy"
)

// options returns options for a policy with permissions.
func options(t testing.TB, permissions ...policy.Permission) Options {
	t.Helper()
	with := func(more ...policy.Permission) (*policy.Engine, error) {
		s := policy.Defaults()
		s.Permissions = slices.Concat(permissions, more)
		return policy.New(s, policy.Options{Revision: "r"})
	}
	engine, err := with()
	if err != nil {
		t.Fatal(err)
	}
	return Options{
		Policy: Policy{Engine: engine},
		With: func(p ...policy.Permission) (Policy, error) {
			engine, err := with(p...)
			return Policy{Engine: engine}, err
		},
		Complete: func(c *policy.Call, _ string) { c.Home = "/home/dev" },
	}
}

func allow(match string) policy.Permission {
	return policy.Permission{Match: match, Action: policy.Allow}
}

// run replays recordings that are given as text.
func run(t *testing.T, o Options, recordings ...string) *Report {
	t.Helper()
	var inputs []Input
	for i, text := range recordings {
		name := filepath.Join(t.TempDir(), fmt.Sprintf("r%d.jsonl", i))
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		in := File(name)
		in.Name = filepath.Base(name)
		inputs = append(inputs, in)
	}
	r, err := Run(context.Background(), inputs, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// shellCalls returns a recording of commands in one session.
func shellCalls(session string, commands ...string) string {
	var b strings.Builder
	for _, c := range commands {
		fmt.Fprintf(&b, "{\"command\":%q,\"dir\":\"/home/dev/p\",\"session\":%q}\n", c, session)
	}
	return b.String()
}

func TestFixtures(t *testing.T) {
	rows := []struct {
		file               string
		format             Format
		allow, ask, deny   int
		notUnderstoodLines string
	}{
		{"calls.jsonl", Calls, 1, 3, 0, "5 6"},
		{"claude.jsonl", Claude, 2, 9, 2, "36"},
		{"claude-agent.jsonl", Claude, 1, 1, 0, ""},
		{"codex.jsonl", Codex, 3, 5, 0, "19 20"},
		{"codex-old.jsonl", Codex, 0, 1, 0, ""},
		{"copilot.jsonl", Copilot, 0, 4, 0, ""},
		{"qwen.jsonl", Qwen, 0, 4, 0, ""},
	}
	for _, r := range rows {
		in := File(filepath.Join("testdata", r.file))
		in.Name = ""
		got, err := Run(context.Background(), []Input{in}, options(t))
		if err != nil {
			t.Fatal(err)
		}
		if d := got.Decisions; d != (Decisions{r.allow, r.ask, r.deny}) || got.Files.Formats[r.format] != 1 {
			t.Errorf("%s: got %+v %v", r.file, d, got.Files.Formats)
		}
		var lines []string
		for _, p := range got.Problems {
			for _, place := range p.Places {
				lines = append(lines, strings.TrimPrefix(place, ":"))
			}
		}
		if strings.Join(lines, " ") != r.notUnderstoodLines {
			t.Errorf("%s: not understood: %v", r.file, got.Problems)
		}
	}
}

// TestDeterministic shows that the same recordings give the same report, and
// that a call which stands in two transcripts counts once.
func TestDeterministic(t *testing.T) {
	seed.Slow(t)
	var first []byte
	for range 5 {
		inputs, problems := Find("testdata")
		r, err := Run(context.Background(), inputs, options(t))
		if err != nil || len(problems) > 0 {
			t.Fatal(err, problems)
		}
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = text
		}
		if !bytes.Equal(first, text) {
			t.Fatalf("differs:\n%s\n%s", first, text)
		}
		if r.Calls != 35 || r.Repeated != 1 || r.Decisions.Allow+r.Decisions.Ask+r.Decisions.Deny != r.Calls {
			t.Errorf("calls %d, repeated %d, %+v", r.Calls, r.Repeated, r.Decisions)
		}
	}
}

func TestDetect(t *testing.T) {
	rows := []struct {
		want Format
		line string
	}{
		{Calls, `{"command":"ls"}`},
		{Calls, `{"tool":"write","input":{}}`},
		{Claude, `{"type":"user","message":{"role":"user","content":"x"},"uuid":"u"}`},
		{Claude, `{"type":"summary","summary":"x","leafUuid":"u"}`},
		{Claude, `{"type":"system","subtype":"init","session_id":"s","cwd":"/w"}`},
		{Codex, `{"timestamp":"x","type":"session_meta","payload":{}}`},
		{Codex, `{"type":"function_call","name":"shell","arguments":"{}","call_id":"c"}`},
		{Codex, `{"type":"message","role":"user","content":[]}`},
		{Codex, `{"record_type":"state"}`},
		{"", `{}`},
		{"", `[]`},
		{"", `7`},
		{"", `{"type":7}`},
		{"", `{"type":"text"}`},
		{"", `{"commands":"ls"}`},
		{"", `not json`},
	}
	for _, r := range rows {
		got, err := detect([]byte(r.line))
		if got != r.want || (err == nil) != (r.want != "") {
			t.Errorf("%s: got %q, %v", r.line, got, err)
		}
	}
}

// TestBadRecordings shows what is said of what is no recording.
func TestBadRecordings(t *testing.T) {
	long := strings.Repeat("x", maxLine)
	call := `{"command":"ls","dir":"/w"}` + "\n"
	rows := []struct {
		calls int
		want  string // reason and place
		text  string
	}{
		{0, "", ""},
		{0, "", "\n \n\n"},
		{1, "", call},
		{1, "", "\ufeff" + call},
		{1, "", strings.ReplaceAll(call, "\n", "\r\n")},
		{1, "", strings.TrimSuffix(call, "\n")},
		{0, "not JSON: invalid character '\\x00' looking for beginning of value r0.jsonl:1", "\x00\x01\x02\n"},
		{1, "the last line ends too early: it may still be written r0.jsonl:2", call + `{"command":"l`},
		{1, "the line is longer than 32 MiB r0.jsonl:2", call + long + "y\n"},
		{2, "the line is longer than 32 MiB r0.jsonl:2", call + long + "y\n" + call},
		{1, "unknown key of a call \"message\": one of id, tool, input, dir, home, os, shell, agent, subagent, session, scope, audience, project_dir, session_dir, time, record, command, outside_sandbox, guards_subag… r0.jsonl:2",
			call + `{"type":"user","message":{"content":"x"},"uuid":"u"}` + "\n"},
		{0, "the keys \"command\" and \"COMMAND\" differ only in case r0.jsonl:1", `{"command":"ls","COMMAND":"rm"}` + "\n"},
		{1, "the call could not be judged, which denies it: dir \"w\" is not absolute r0.jsonl:1", `{"command":"ls","dir":"w"}` + "\n"},
		{0, "neither a call, nor a line of Claude Code, Codex, Copilot CLI, Qwen Code or the audit log: see policyctl help replay for the formats r0.jsonl:1", "{}\n"},
	}
	for _, r := range rows {
		got := run(t, options(t), r.text)
		said := ""
		for _, p := range got.Problems {
			said += p.Why + " " + strings.Join(p.Places, " ")
		}
		if got.Calls != r.calls || said != r.want {
			t.Errorf("%.60q: %d calls, %q", r.text, got.Calls, said)
		}
	}
}

// TestLongLine shows that a picture in a transcript does not hide what follows.
func TestLongLine(t *testing.T) {
	picture := `{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":[{"type":"image","source":{"data":"` +
		strings.Repeat("A", 10<<20) + `"}}]}}` + "\n"
	call := `{"type":"assistant","uuid":"v","sessionId":"s","cwd":"/w","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]}}` + "\n"
	got := run(t, options(t), picture+call)
	if got.Calls != 1 || len(got.Problems) != 0 {
		t.Errorf("%d calls, %v", got.Calls, got.Problems)
	}
}

func TestMissing(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	rows := []struct{ want, name string }{
		{"not read: no *.jsonl file lies below it: name a directory with recordings", dir},
		{"not read: no such file or directory", filepath.Join(dir, "gone.jsonl")},
	}
	for _, r := range rows {
		found, problems := Find(r.name)
		if len(found) != 0 || len(problems) != 1 || problems[0].Why != r.want || !problems[0].Unread {
			t.Errorf("%s: %v %v", r.name, found, problems)
		}
	}
	r, err := Run(context.Background(), []Input{File(dir), File("testdata/calls.jsonl")}, options(t))
	if err != nil || r.Files.Read != 1 || r.Calls != 4 || !r.Problems[0].Unread || r.Problems[0].Places[0] != dir {
		t.Errorf("%v %+v", err, r)
	}
}

// TestLoop shows that a loop ends when the user speaks, when a result changes,
// and that a subagent does not continue the loop of its parent.
func TestLoop(t *testing.T) {
	use := func(id, extra string) string {
		return fmt.Sprintf(`{"type":"assistant","sessionId":"s","cwd":"/w"%s,"message":{"content":[{"type":"tool_use","id":%q,"name":"Bash","input":{"command":"make x"}}]}}`+"\n", extra, id)
	}
	result := func(id, text string) string {
		return fmt.Sprintf(`{"type":"user","sessionId":"s","message":{"content":[{"type":"tool_result","tool_use_id":%q,"content":%q}]}}`+"\n", id, text)
	}
	say := func(extra, text string) string {
		return fmt.Sprintf(`{"type":"user","sessionId":"s"%s,"message":{"content":%q}}`+"\n", extra, text)
	}
	rows := []struct {
		denied int
		text   string
	}{
		{1, use("1", "") + use("2", "") + use("3", "")},
		{0, use("1", "") + use("2", "") + use("2", "")},
		{1, use("1", "") + result("1", "a") + use("2", "") + result("2", "a") + use("3", "")},
		{0, use("1", "") + result("1", "a") + use("2", "") + result("2", "b") + use("3", "")},
		{0, use("1", "") + use("2", "") + say("", "go on") + use("3", "")},
		{1, use("1", "") + use("2", "") + say(`,"isMeta":true`, "Caveat") + use("3", "")},
		{1, use("1", "") + use("2", "") + say("", "<system-reminder>x</system-reminder>") + use("3", "")},
		{0, use("1", "") + use("2", "") + use("3", `,"isSidechain":true,"agentId":"a"`)},
		{1, use("1", `,"agentId":"a"`) + use("2", `,"agentId":"a"`) + use("3", `,"agentId":"a"`)},
	}
	for i, r := range rows {
		got := run(t, options(t, allow("shell make *")), r.text)
		if got.Decisions.Deny != r.denied || got.Sessions.Count != 1 || len(got.Loops) != r.denied {
			t.Errorf("row %d: %+v %+v", i, got.Decisions, got.Loops)
		}
	}
}

func TestSessions(t *testing.T) {
	got := run(t, options(t),
		shellCalls("a", "ls", "pwd")+shellCalls("b", "make x")+shellCalls("c", "make x", "make y", "make z")+shellCalls("", "make x"))
	s := got.Sessions
	if s.Count != 3 || *s.Median != 1 || *s.P90 != 3 || s.WithoutAsk != 1 || s.Nowhere != 1 {
		t.Errorf("%+v median %d p90 %d", s, *s.Median, *s.P90)
	}
	if *got.AsksPer100 != 71.4 {
		t.Errorf("asks per 100: %v", *got.AsksPer100)
	}
	if none := run(t, options(t), ""); none.AsksPer100 != nil || none.Sessions.Median != nil {
		t.Errorf("numbers of nothing: %+v", none)
	}
}

func TestRank(t *testing.T) {
	rows := []struct {
		want, percent int
		sorted        []int
	}{
		{0, 50, []int{0}},
		{0, 50, []int{0, 1}},
		{1, 50, []int{0, 1, 2}},
		{9, 90, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
		{10, 90, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
	}
	for _, r := range rows {
		if got := *rank(r.sorted, r.percent); got != r.want {
			t.Errorf("%d %% of %v: got %d, want %d", r.percent, r.sorted, got, r.want)
		}
	}
}

func TestInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	o := options(t)
	calls := 0
	o.Complete = func(*policy.Call, string) {
		if calls++; calls == 3 {
			stop()
		}
	}
	name := filepath.Join(t.TempDir(), "r.jsonl")
	if err := os.WriteFile(name, []byte(shellCalls("a", "ls", "pwd", "id", "make x")), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Run(ctx, []Input{File(name), File(name)}, o)
	if err != nil || !r.Interrupted || r.Calls != 2 || len(r.Permissions) != 0 || r.Decisions.Allow != 2 {
		t.Errorf("%v %+v", err, r)
	}
}
