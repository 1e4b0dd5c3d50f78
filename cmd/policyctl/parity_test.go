package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/world"
)

// parityRules are a rule for each way in which a call can end.
const parityRules = `
- {id: person, when: {shell.program: make}, decision: require_human, approver: {plugin: alice}, timeout: 50s}
- {id: refused, when: {shell.program: deploy}, decision: require_human, approver: {plugin: alice}, timeout: 50s}
- {id: silence-denies, when: {shell.program: npm}, decision: require_human, timeout: 2s}
- {id: silence-allows, when: {shell.program: cargo}, decision: require_human, timeout: 2s, on_timeout: allow}
- {id: nobody, when: {shell.program: yarn}, decision: require_human, approver: {plugin: zed}, timeout: 50s}
- {id: two, when: {shell.program: release}, decision: require_human, approver: {any: 2, of: [alice, bob]}, timeout: 50s}
- {id: one-missing, when: {shell.program: publish}, decision: require_human, approver: {any: 2, of: [alice, bob]}, timeout: 3s}
- {id: too-few, when: {shell.program: rollout}, decision: require_human, approver: {any: 2, of: [alice, zed]}, timeout: 50s}
- {id: allowed, when: {shell.program: mytool}, decision: allow}
- {id: denied, when: {shell.program: curl}, decision: deny}
`

// parity are the calls with the verdict of the policy, and what comes of it with an
// approval service at hand.
var parity = []struct {
	command, verdict, outcome, decidedBy string
}{
	{"make deploy", "ask", "allow", approval.Human},
	{"deploy now", "ask", "deny", approval.Human},
	{"npm run build", "ask", "deny", approval.Timeout},
	{"cargo build", "ask", "allow", approval.Timeout},
	{"yarn install", "ask", "deny", approval.Default},
	{"release now", "ask", "allow", approval.Human},
	{"publish now", "ask", "deny", approval.Timeout},
	{"rollout now", "ask", "deny", approval.Default},
	{"mytool run", "allow", "allow", approval.Static},
	{"curl https://example.com", "deny", "deny", approval.Static},
	{"rm -rf /", "deny", "deny", approval.Static},
}

// A hook, the routes of the service, eval and a gate in an executor give one answer to
// the same call under the same rules, and say the same of who decided it.
func TestParity(t *testing.T) {
	seed.Slow(t)
	o := newOffice(t)
	o.policy(parityRules)
	o.open()
	people := map[string]*approval.Client{}
	for _, name := range []string{"alice", "bob"} {
		people[name] = o.client(o.secret(name, "approve,read"))
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go decideAll(ctx, people)
	executor := o.client(o.secret("executor", "submit"))
	for _, c := range parity {
		t.Run(c.command, func(t *testing.T) {
			want := c.outcome + " by " + c.decidedBy
			if got := o.evaluated(c.command); got != c.verdict {
				t.Errorf("eval: %s, want %s", got, c.verdict)
			}
			if got := o.judged(c.command); got != c.verdict {
				t.Errorf("/v1/decide: %s, want %s", got, c.verdict)
			}
			if got := o.submitted(c.command); got != want {
				t.Errorf("/v1/requests: %s, want %s", got, want)
			}
			if got := o.hooked(c.command); got != want {
				t.Errorf("hook: %s, want %s", got, want)
			}
			if got := o.gated(executor, c.command); got != want {
				t.Errorf("gate: %s, want %s", got, want)
			}
		})
	}
}

func (o *office) client(token string) *approval.Client {
	o.Helper()
	c, err := approval.NewClient(o.url, token)
	if err != nil {
		o.Fatal(err)
	}
	return c
}

// decideAll has alice approve all that she may but what deploy asks, and bob what
// release asks.
func decideAll(ctx context.Context, people map[string]*approval.Client) {
	for ; ctx.Err() == nil; time.Sleep(50 * time.Millisecond) {
		list, _ := people["alice"].List(ctx, approval.Filter{States: []approval.State{approval.Pending}})
		for _, r := range list {
			answer := approval.Answer{Word: approval.ApprovedOnce}
			switch r.Asked.Rule {
			case "silence-denies", "silence-allows":
				continue
			case "refused":
				answer.Word = approval.Rejected
			case "two":
				_, _ = people["bob"].Decide(ctx, r.ID, answer)
			}
			_, _ = people["alice"].Decide(ctx, r.ID, answer)
		}
	}
}

// evaluated returns the decision of eval.
func (o *office) evaluated(command string) string {
	o.Helper()
	out, _, _ := o.run("", "eval", "--json", "--dir", "/w", command)
	var v struct{ Decision string }
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		o.Fatalf("%v: %s", err, out)
	}
	return v.Decision
}

func callOf(command, session string) string {
	text, _ := json.Marshal(map[string]any{"tool": "shell", "input": map[string]string{"command": command}, "dir": "/w", "session": session})
	return string(text)
}

// judged returns the decision of the service's policy.
func (o *office) judged(command string) string {
	o.Helper()
	_, v := o.post("/v1/decide", callOf(command, "judged"))
	return fmt.Sprint(v["decision"])
}

// submitted returns what comes of a submission that has no policy of its own.
func (o *office) submitted(command string) string {
	o.Helper()
	_, r := o.post("/v1/requests?wait=40s", `{"call":`+callOf(command, "submitted "+command)+`}`)
	text, _ := json.Marshal(r)
	var found approval.Request
	if err := json.Unmarshal(text, &found); err != nil {
		o.Fatal(err)
	}
	return ending(&found)
}

func ending(r *approval.Request) string {
	outcome := "deny"
	if r.State == approval.Approved {
		outcome = "allow"
	}
	if r.Decision == nil {
		return outcome + " by nobody"
	}
	return outcome + " by " + r.Decision.Source
}

// hooked returns what the hook of an agent answers, and who decided by the request
// that it made; a hook that made none was answered by the policy.
func (o *office) hooked(command string) string {
	o.Helper()
	session := "hooked " + command
	event := fmt.Sprintf(`{"hook_event_name":"PreToolUse","session_id":%q,"cwd":"/w","permission_mode":"default","tool_name":"Bash","tool_use_id":"t","tool_input":{"command":%q}}`, session, command)
	cmd := o.command("hook", "claude", "--wait", "40s")
	cmd.Env, cmd.Stdin = append(cmd.Env, "CLAUDE_CODE_SESSION_ATTENDED=0"), strings.NewReader(event)
	out, err := cmd.Output()
	if err != nil {
		o.Fatal(err)
	}
	var said struct {
		HookSpecificOutput struct{ PermissionDecision string }
	}
	if err := json.Unmarshal(out, &said); err != nil {
		o.Fatalf("%v: %s", err, out)
	}
	by := approval.Static
	for line := range strings.Lines(o.must("requests", "list", "--all", "--json", "--session", session)) {
		var r approval.Request
		if json.Unmarshal([]byte(line), &r) == nil && r.Decision != nil {
			by = r.Decision.Source
		}
	}
	return said.HookSpecificOutput.PermissionDecision + " by " + by
}

// gated returns what a gate says in an executor with the policy of the machine.
func (o *office) gated(desk *approval.Client, command string) string {
	o.Helper()
	links := world.New(nil)
	engine, err := layers.Load(layers.Fixed(o.home, filepath.Join(o.home, ".config")), "/w").Engine(links)
	if err != nil {
		o.Fatal(err)
	}
	keys, err := desk.Keys(o.Context())
	if err != nil {
		o.Fatal(err)
	}
	gate := &approval.Gate{Engine: func() *policy.Engine { return engine }, Desk: desk, Keys: keys}
	c, err := policy.DecodeCall([]byte(callOf(command, "gated "+command)))
	if err != nil {
		o.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(o.Context(), 40*time.Second)
	defer cancel()
	g, err := gate.Authorize(ctx, nil, c)
	if err != nil {
		o.Errorf("gate: %v", err)
	}
	outcome := "deny"
	if g.Allowed {
		outcome = "allow"
	}
	return outcome + " by " + g.DecidedBy()
}
