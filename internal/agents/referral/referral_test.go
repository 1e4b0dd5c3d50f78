package referral_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/agents/guard"
	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/internal/agents/referral"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/support/rendezvous"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/world"
)

// A machine is that of a person who uses an agent.
type machine struct {
	t     *testing.T
	guard *guard.Guard
	// wait is how long hooks wait; told says that somebody told them so.
	wait time.Duration
	told bool
}

func newMachine(t *testing.T, text string) *machine {
	home := t.TempDir()
	place := layers.Fixed(home, "")
	place.Managed = filepath.Join(home, "managed")
	m := &machine{t: t, wait: 5 * time.Second, guard: &guard.Guard{Place: place, World: world.New(nil), Now: time.Now}}
	if text != "" {
		m.write(place.UserFile(), "version: 1\n"+text)
	}
	return m
}

func (m *machine) write(path, text string) {
	m.t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o600)
	}
	if err != nil {
		m.t.Fatal(err)
	}
}

// A heard answer is what an agent hears, and what stands on standard error.
type heard struct{ out, notes string }

func (m *machine) run(ctx context.Context, agent, event string) heard {
	m.t.Helper()
	a, _ := hook.Lookup(agent)
	clerk := &referral.Clerk{Guard: m.guard, Now: time.Now}
	var out, notes bytes.Buffer
	h := hook.Host{
		Stdin: strings.NewReader(event), Stdout: &out, Stderr: &notes, Decide: m.guard.Decide,
		Getenv: func(name string) string {
			if name == "CLAUDE_CODE_SESSION_ATTENDED" && strings.Contains(event, `"headless"`) {
				return "0"
			}
			return ""
		},
		Refer: func(ctx context.Context, in hook.Ask) (hook.Outcome, error) {
			in.Until = time.Now().Add(m.wait)
			return clerk.Refer(ctx, in)
		},
	}
	if m.told {
		h.Wait = m.wait
	}
	if code := hook.Run(ctx, a, h); code != 0 {
		m.t.Errorf("%s %s: exit code %d", agent, event, code)
	}
	return heard{out.String(), notes.String()}
}

// event is one about npm test; "headless" in extra says that nobody is there.
func event(name, extra string) string {
	return `{"hook_event_name":"` + name + `","session_id":"s1","cwd":"/repo","permission_mode":"default",` +
		`"tool_name":"Bash","tool_input":{"command":"npm test"}` + extra + `}`
}

const (
	headless = `,"tool_use_id":"t1","prompt_id":"headless"`
	attended = `,"tool_use_id":"t1"`
)

// answer is an answer of Claude before a call.
func answer(notice, permission, reason string) string {
	type output struct {
		Event      string `json:"hookEventName"`
		Permission string `json:"permissionDecision"`
		Reason     string `json:"permissionDecisionReason,omitempty"`
	}
	text, err := json.Marshal(struct {
		Notice string `json:"systemMessage,omitempty"`
		Output output `json:"hookSpecificOutput"`
	}{notice, output{"PreToolUse", permission, reason}})
	if err != nil {
		panic(err)
	}
	return string(text) + "\n"
}

const (
	told         = `{"systemMessage":"policyctl: ` + approvedNote + "\"}\n"
	approvedNote = "approved by token:ann (human), request req_1; not enforced: a hook cannot see what the agent runs then"
	rejected     = "A person rejected this shell call: rejected by token:ann: not on a Friday. Do not try it again unless they ask for it. Ask the user how to continue."
	stands       = "nobody decided in time; the request req_1 is still open"
	timedOut     = "Nobody answered in time whether this shell call may run: " + stands + ". Trying again later may help. Continue with work that needs no approval, and tell the user what is waiting."
	asksDialog   = "This shell call needs an approval: no rule allows it, and it may change something. It runs once somebody approves it."
)

// details names the denial on record, of which each has an id of its own.
const details = " Details: `policyctl why ID`."

var record = regexp.MustCompile("policyctl why [0-9a-f]{8}`")

// The contract: what each agent is told, byte by byte.
func TestAnswers(t *testing.T) {
	const short = 150 * time.Millisecond
	claudeDenied := func(why string) string { return "policyctl denied this call: " + why + " (confirm)" }
	codexAnswer := func(reason string) string { return answer("", "deny", reason) }
	dialog := func(s string) string {
		return `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":` + s + "}}\n"
	}
	for _, tc := range []struct {
		name, want   string
		agent, event string
		decide       func(*fake, *approval.Request)
		wait         time.Duration
		told         bool
	}{
		{"unattended, approved", answer("policyctl: "+approvedNote, "allow", ""), "claude", event("PreToolUse", headless), approves, 0, false},
		{"unattended, approved later", answer("policyctl: "+approvedNote, "allow", ""), "claude", event("PreToolUse", headless), later(approves), 0, false},
		{"unattended, denied", answer(claudeDenied("rejected by token:ann: not on a Friday")+details, "deny", rejected+details), "claude",
			event("PreToolUse", headless), later(denies), 0, false},
		{"unattended, nobody", answer(claudeDenied(stands)+details, "deny", timedOut+details), "claude", event("PreToolUse", headless), nil, short, false},
		{"a mode that asks nobody", answer("policyctl: "+approvedNote, "allow", ""), "claude",
			strings.Replace(event("PreToolUse", attended), `"default"`, `"bypassPermissions"`, 1), approves, 0, false},
		{"in plan mode", told, "claude", strings.Replace(event("PreToolUse", headless), `"default"`, `"plan"`, 1), approves, 0, false},
		{"attended", answer("", "ask", asksDialog), "claude", event("PreToolUse", attended), approves, 0, false},
		{"a dialog, approved", `{"systemMessage":"policyctl: ` + approvedNote + `",` + dialog(`{"behavior":"allow"}`)[1:], "claude", event("PermissionRequest", ""), later(approves), 0, false},
		{"a dialog, denied", `{"systemMessage":"` + claudeDenied("rejected by token:ann: not on a Friday") + `",` + dialog(`{"behavior":"deny","message":"` + rejected + `"}`)[1:], "claude", event("PermissionRequest", ""), denies, 0, false},
		{"a dialog that goes on", "", "claude", event("PermissionRequest", ""), nil, short, false},
		{"a dialog with nobody there", `{"systemMessage":"` + claudeDenied(stands) + `",` + dialog(`{"behavior":"deny","message":"` + timedOut + `"}`)[1:], "claude", event("PermissionRequest", `,"prompt_id":"headless"`), nil, short, false},

		{"codex, approved", told, "codex", event("PreToolUse", attended), later(approves), 0, false},
		{"codex, denied", codexAnswer(rejected + details), "codex", event("PreToolUse", attended), denies, 0, false},
		{"codex, nobody", codexAnswer(timedOut + details), "codex", event("PreToolUse", attended), nil, short, false},
		{"codex, a dialog", `{"systemMessage":"policyctl: ` + approvedNote + `",` + dialog(`{"behavior":"allow"}`)[1:], "codex", event("PermissionRequest", ""), approves, 0, false},
		{"qwen, approved", answer("policyctl: "+approvedNote, "allow", ""), "qwen", strings.Replace(event("PreToolUse", attended), "Bash", "run_shell_command", 1), approves, 0, false},

		{"copilot", answer("", "ask", asksDialog), "copilot", event("PreToolUse", ""), approves, 0, false},
		{"copilot that was told to wait, approved", answer("", "allow", ""), "copilot", event("PreToolUse", ""), later(approves), 5 * time.Second, true},
		{"copilot that was told to wait, denied", answer("", "deny", rejected+details), "copilot", event("PreToolUse", ""), denies, 5 * time.Second, true},
		{"copilot that was told to wait, nobody", answer("", "ask", asksDialog), "copilot", event("PreToolUse", ""), nil, short, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := newMachine(t, "")
			serve(t, m.guard.Place.State, tc.decide)
			if tc.wait > 0 {
				m.wait = tc.wait
			}
			m.told = tc.told
			got := m.run(t.Context(), tc.agent, tc.event)
			if out := record.ReplaceAllString(got.out, "policyctl why ID`"); out != tc.want {
				t.Errorf("got  %s\nwant %s\nnotes %s", out, tc.want, got.notes)
			}
		})
	}
}

// decision is what an answer of any agent says, "nothing" for none.
func decision(t *testing.T, out string) string {
	t.Helper()
	var a struct {
		Output struct {
			Permission string                    `json:"permissionDecision"`
			Decision   struct{ Behavior string } `json:"decision"`
		} `json:"hookSpecificOutput"`
	}
	if out == "" {
		out = "{}"
	}
	if err := json.Unmarshal([]byte(out), &a); err != nil {
		t.Fatalf("%s: %v", out, err)
	}
	return cmp.Or(a.Output.Permission+a.Output.Decision.Behavior, "nothing")
}

// What a service that is not ours says is no yes.
func TestForgedReceipts(t *testing.T) {
	stranger := approval.NewPrivateKey()
	forge := func(spoil func(*approval.Claims)) func(*fake, *approval.Request) {
		return func(f *fake, q *approval.Request) { f.approve(q, f.key, spoil) }
	}
	for name, decide := range map[string]func(*fake, *approval.Request){
		"another key": func(f *fake, q *approval.Request) { f.approve(q, stranger, nil) },
		"another's key id": func(f *fake, q *approval.Request) {
			f.approveAs(q, approval.NewKey(f.key.Public(), time.Time{}).ID, stranger, nil)
		},
		"another call":        forge(func(c *approval.Claims) { c.Hash = "sha256:00" }),
		"another request":     forge(func(c *approval.Claims) { c.Request = "req_9" }),
		"expired":             forge(func(c *approval.Claims) { c.NotBefore, c.Expires = 1, 2 }),
		"no approval":         forge(func(c *approval.Claims) { c.Word = approval.Rejected }),
		"no receipt":          func(f *fake, q *approval.Request) { approves(f, q); q.Receipt = nil },
		"an empty receipt":    func(f *fake, q *approval.Request) { approves(f, q); q.Receipt.Text = "" },
		"a receipt of no one": func(f *fake, q *approval.Request) { approves(f, q); q.Receipt.Text = "a.b.c" },
		"used already": func(f *fake, q *approval.Request) {
			approves(f, q)
			now := time.Now()
			q.Receipt.Consumed = &now
		},
		"a state that is none": func(_ *fake, q *approval.Request) { q.State = "approved" },
		"executed already":     func(f *fake, q *approval.Request) { approves(f, q); q.State = approval.Executed },
	} {
		for agent, e := range map[string]string{"claude": event("PreToolUse", headless), "codex": event("PreToolUse", attended)} {
			m := newMachine(t, "")
			serve(t, m.guard.Place.State, decide)
			if got := m.run(t.Context(), agent, e); decision(t, got.out) != "deny" {
				t.Errorf("%s, %s: %s", name, agent, got.out)
			}
		}
		m := newMachine(t, "")
		serve(t, m.guard.Place.State, decide)
		if got := m.run(t.Context(), "claude", event("PermissionRequest", "")); decision(t, got.out) == "allow" {
			t.Errorf("%s, a dialog: %s", name, got.out)
		}
	}
}

// Where the service cannot be reached, the agent hears what it hears without
// one, and a person reads why.
func TestUnreachable(t *testing.T) {
	path := func(p string) func(*http.Request) bool {
		return func(r *http.Request) bool { return strings.HasPrefix(r.Method+" "+r.URL.Path, p) }
	}
	for name, spoil := range map[string]func(m *machine, f *fake){
		"gone":              func(_ *machine, f *fake) { os.Remove(f.socket) },
		"killed at once":    func(_ *machine, f *fake) { f.down = path("") },
		"no submission":     func(_ *machine, f *fake) { f.down = path("POST") },
		"killed afterwards": func(_ *machine, f *fake) { f.down = path("GET /v1/requests/req") },
		"others may write":  func(m *machine, _ *fake) { os.Chmod(rendezvous.File(m.guard.Place.State), 0o666) },
		"no JSON":           func(m *machine, _ *fake) { m.write(rendezvous.File(m.guard.Place.State), "{") },
		"a link to nowhere": func(m *machine, _ *fake) {
			os.Remove(rendezvous.File(m.guard.Place.State))
			os.Symlink("/x", rendezvous.File(m.guard.Place.State))
		},
	} {
		for _, tc := range []struct{ want, agent, event string }{
			{"deny", "claude", event("PreToolUse", headless)},
			{"nothing", "claude", event("PermissionRequest", "")},
			{"deny", "codex", event("PreToolUse", attended)},
		} {
			m := newMachine(t, "")
			m.wait = time.Second
			f := serve(t, m.guard.Place.State, nil)
			spoil(m, f)
			got := m.run(t.Context(), tc.agent, tc.event)
			if decision(t, got.out) != tc.want {
				t.Errorf("%s, %s: %s, want %s", name, tc.agent, got.out, tc.want)
			}
			told := strings.Contains(got.notes, "policyctl: nobody was asked through the approval service: ")
			if want := name != "killed afterwards"; told != want {
				t.Errorf("%s, %s: notes %q", name, tc.agent, got.notes)
			}
		}
	}
}

// A service that is killed while a hook waits decides nothing.
func TestKilledWhileWaiting(t *testing.T) {
	m := newMachine(t, "")
	m.wait = 2 * time.Second
	f := serve(t, m.guard.Place.State, nil)
	go func() {
		if f.seen(t.Context(), "GET /v1/requests/req_1") {
			f.mu.Lock()
			f.down = func(*http.Request) bool { return true }
			f.mu.Unlock()
		}
	}()
	begin := time.Now()
	got := m.run(t.Context(), "claude", event("PreToolUse", headless))
	if decision(t, got.out) != "deny" || time.Since(begin) > m.wait+hook.Margin {
		t.Errorf("%s after %s", got.out, time.Since(begin))
	}
}

// An approval that came too late for one attempt serves the next one, once.
func TestLateApproval(t *testing.T) {
	m := newMachine(t, "")
	m.wait = 100 * time.Millisecond
	f := serve(t, m.guard.Place.State, nil)
	attempt := func(id string) string {
		m.run(t.Context(), "claude", `{"hook_event_name":"UserPromptSubmit","session_id":"s1","prompt":"again"}`)
		return decision(t, m.run(t.Context(), "claude", strings.Replace(event("PreToolUse", headless), "t1", id, 1)).out)
	}
	if got := attempt("t1"); got != "deny" {
		t.Fatal(got)
	}
	if got := attempt("t2"); got != "deny" || len(f.requests) != 1 {
		t.Errorf("while the first stands: %s, %d requests", got, len(f.requests))
	}
	f.approve(f.requests[0], f.key, nil)
	m.write(m.guard.Place.UserFile(), "version: 1\napprovals: {mode: auto}\n")
	if got := attempt("t3"); got != "deny" || len(f.requests) != 2 {
		t.Errorf("under another policy: %s, %d requests", got, len(f.requests))
	}
	os.Remove(m.guard.Place.UserFile())
	for i, want := range []string{"allow", "deny"} {
		if got := attempt("t" + string(rune('4'+i))); got != want {
			t.Errorf("attempt %d: %s, want %s", i, got, want)
		}
	}
	before := len(f.requests)
	other := strings.NewReplacer("npm test", "npm ci", "t1", "t9").Replace(event("PreToolUse", headless))
	if got := decision(t, m.run(t.Context(), "claude", other).out); got != "deny" || len(f.requests) != before+1 {
		t.Errorf("another command: %s, %d requests", got, len(f.requests)-before)
	}
}

// What a person approves again and again is no loop.
func TestApprovedAgain(t *testing.T) {
	m := newMachine(t, "")
	serve(t, m.guard.Place.State, approves)
	for i := range 6 {
		e := strings.Replace(event("PreToolUse", headless), "t1", "t"+string(rune('1'+i)), 1)
		if got := decision(t, m.run(t.Context(), "claude", e).out); got != "allow" {
			t.Fatalf("approval %d: %s", i+1, got)
		}
	}
}

// The policy that changes while somebody decides is the one that counts.
func TestPolicyChanges(t *testing.T) {
	for _, tc := range []struct{ want, then string }{
		{"allow", "approvals: {mode: auto}"},
		{"allow", "permissions: {shell npm test: allow}"},
		{"deny", "permissions: {shell npm *: deny}"},
		{"deny", "permissions: {shell npm test: ask}"}, // another rule asks
		{"deny", "nonsense: 1"},
	} {
		m := newMachine(t, "")
		serve(t, m.guard.Place.State, func(f *fake, q *approval.Request) {
			m.write(m.guard.Place.UserFile(), "version: 1\n"+tc.then+"\n")
			approves(f, q)
		})
		if got := m.run(t.Context(), "claude", event("PreToolUse", headless)); decision(t, got.out) != tc.want {
			t.Errorf("%s: %s, want %s", tc.then, got.out, tc.want)
		}
	}
}

// What the agent shows is what is asked about, and only what asks is.
func TestRequest(t *testing.T) {
	m := newMachine(t, "permissions: {shell npm test: {action: ask, why: the tests are slow}, AskUserQuestion: ask}")
	f := serve(t, m.guard.Place.State, approves)
	m.run(t.Context(), "claude", event("PreToolUse", headless))
	q := f.requests[0]
	call, err := policy.DecodeCall(q.Call)
	if err != nil {
		t.Fatal(err)
	}
	if q.Agent != "claude" || q.Session != "s1" || q.Dir != "/repo" || call.Input["command"] != "npm test" || call.Home == "" || call.Time.IsZero() {
		t.Errorf("%s", q.Call)
	}
	if q.Asked.Rule != "shell npm test" || q.Asked.Why != "the tests are slow" || q.Asked.Revision == "" || !strings.HasPrefix(q.Key, "hook/t1/sha256:") {
		t.Errorf("%+v, key %s", q.Asked, q.Key)
	}
	for _, command := range []string{"ls", "rm -rf ~"} {
		m.run(t.Context(), "claude", strings.NewReplacer("npm test", command, "t1", command).Replace(event("PreToolUse", headless)))
	}
	question := strings.NewReplacer(`"Bash"`, `"AskUserQuestion"`, "t1", "t4").Replace(event("PreToolUse", headless))
	m.run(t.Context(), "claude", question)
	if len(f.requests) != 1 {
		t.Errorf("%d requests", len(f.requests))
	}
}

// Of a file that is written the request reports whether it is there; of other calls
// it claims nothing.
func TestRequestFiles(t *testing.T) {
	m := newMachine(t, "permissions: {write *: ask, shell npm test: ask}")
	f := serve(t, m.guard.Place.State, approves)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "old"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for i, row := range []struct {
		tool, input string
		want        []approval.File
	}{
		{"Write", `{"file_path":"` + dir + `/old","content":"x"}`, []approval.File{{Path: dir + "/old", Exists: true}}},
		{"Write", `{"file_path":"` + dir + `/new","content":"x"}`, []approval.File{{Path: dir + "/new"}}},
		{"Bash", `{"command":"npm test"}`, nil},
	} {
		e := strings.NewReplacer(`"Bash"`, `"`+row.tool+`"`, `{"command":"npm test"}`, row.input, "t1", fmt.Sprint("t", i)).Replace(event("PreToolUse", headless))
		m.run(t.Context(), "claude", e)
		if len(f.requests) != i+1 || !slices.Equal(f.requests[i].Asked.Files, row.want) {
			t.Fatalf("%s %s: %d requests, want %+v", row.tool, row.input, len(f.requests), row.want)
		}
	}
}

// A program into which Codex could type is asked about although the policy
// allows it.
func TestTypedPrograms(t *testing.T) {
	for want, decide := range map[string]func(*fake, *approval.Request){"nothing": approves, "deny": denies} {
		m := newMachine(t, "permissions: {shell python3: allow}")
		f := serve(t, m.guard.Place.State, decide)
		got := m.run(t.Context(), "codex", strings.Replace(event("PreToolUse", attended), "npm test", "python3", 1))
		if decision(t, got.out) != want || len(f.requests) != 1 {
			t.Errorf("%s, want %s, %d requests", got.out, want, len(f.requests))
		}
	}
}

// A request that the agent does not wait for any more is taken back.
func TestInterrupted(t *testing.T) {
	m := newMachine(t, "")
	f := serve(t, m.guard.Place.State, nil)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		f.seen(t.Context(), "GET /v1/requests/req_1")
		cancel()
	}()
	begin := time.Now()
	got := m.run(ctx, "claude", event("PreToolUse", headless))
	if decision(t, got.out) != "deny" || f.requests[0].State != approval.Cancelled || time.Since(begin) > 3*time.Second {
		t.Errorf("%s: %s after %s", got.out, f.requests[0].State, time.Since(begin))
	}
}

// The service that the policy names wins over that of the machine, and is
// trusted only by the keys that the policy names.
func TestNamedService(t *testing.T) {
	for name, want := range map[string]string{
		"security: {approval: {service: 'http://127.0.0.1:1', keys_file: KEYS}}":                          "nobody was asked through the approval service: approval service: ",
		"security: {approval: {service: 'http://127.0.0.1:1'}}":                                           "without security.approval.keys_file",
		"security: {approval: {service: 'http://127.0.0.1:1', keys_file: /none}}":                         "security.approval.keys_file: open /none",
		"security: {approval: {service: 'http://127.0.0.1:1', keys_file: EMPTY}}":                         "it pins no key",
		"security: {approval: {service: 'http://127.0.0.1:1', keys_file: KEYS, token_file: /none}}":       "security.approval.token_file: open /none",
		"security: {approval: {service: 'http://approvals.example', keys_file: KEYS, token_file: EMPTY}}": "a token travels readable over http",
	} {
		m := newMachine(t, "")
		f := serve(t, m.guard.Place.State, approves)
		keys, err := json.Marshal(approval.KeysOf(approval.NewKey(f.key.Public(), time.Time{})))
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		m.write(filepath.Join(dir, "keys"), string(keys))
		m.write(filepath.Join(dir, "empty"), `{"keys":[]}`)
		text := strings.NewReplacer("KEYS", filepath.Join(dir, "keys"), "EMPTY", filepath.Join(dir, "empty")).Replace(name)
		m.write(m.guard.Place.UserFile(), "version: 1\n"+text+"\n")
		got := m.run(t.Context(), "claude", event("PreToolUse", headless))
		if decision(t, got.out) != "deny" || !strings.Contains(got.notes, want) || len(f.requests) > 0 {
			t.Errorf("%s: %s %q", name, got.out, got.notes)
		}
	}
}

// A service elsewhere is spoken to with the token of its file.
func TestRemoteService(t *testing.T) {
	m := newMachine(t, "")
	f := serve(t, t.TempDir(), approves)
	remote := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret" {
			t.Errorf("authorization %q", r.Header.Get("Authorization"))
		}
		f.routes().ServeHTTP(w, r)
	}))
	defer remote.Close()
	keys, err := json.Marshal(approval.KeysOf(approval.NewKey(f.key.Public(), time.Time{})))
	if err != nil {
		t.Fatal(err)
	}
	m.write(filepath.Join(m.guard.Place.Home, "keys"), string(keys))
	m.write(filepath.Join(m.guard.Place.Home, "token"), "secret\n")
	m.write(m.guard.Place.UserFile(), "version: 1\nsecurity: {approval: {service: '"+remote.URL+"', keys_file: ~/keys, token_file: ~/token}}\n")
	if got := m.run(t.Context(), "claude", event("PreToolUse", headless)); decision(t, got.out) != "allow" {
		t.Errorf("%s %s", got.out, got.notes)
	}
	for _, file := range []string{"keys", "token"} {
		got := m.run(t.Context(), "claude", strings.NewReplacer("npm test", "cp x ~/"+file, "t1", file).Replace(event("PreToolUse", headless)))
		if !strings.Contains(got.out, "catastrophic") {
			t.Errorf("%s may be changed: %s", file, got.out)
		}
	}
}
