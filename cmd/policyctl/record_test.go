package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// recorded is a record of the audit log as far as these tests look at it.
type recorded struct {
	Seq                                           int64
	Actor, Tool, Decision, Reason, Stage, Session string
	Detail                                        map[string]string
}

// verdicts waits until the log holds a number of decisions of policies, and returns
// them.
func (o *office) verdicts(n int) (all []recorded) {
	o.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		all = nil
		for line := range strings.Lines(o.must("audit", "list", "--kind", "verdict", "--last", "1000", "--json")) {
			var r recorded
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				o.Fatal(err)
			}
			if r.Seq > 0 { // the service has collected it
				all = append(all, r)
			}
		}
		if len(all) >= n {
			return all
		}
	}
	o.Fatalf("%d decisions are on record, want %d", len(all), n)
	return nil
}

// hook sends a command to the hook of an agent.
func (o *office) hook(session, command string) string {
	o.Helper()
	event := fmt.Sprintf(`{"hook_event_name":"PreToolUse","session_id":%q,"permission_mode":"default","cwd":%q,"tool_name":"Bash","tool_use_id":"toolu_%x","tool_input":{"command":%q}}`, session, o.home, command, command)
	out, stderr, code := o.run(event, "hook", "claude")
	if code != 0 || stderr != "" {
		o.Fatalf("hook: exit code %d, %s", code, stderr)
	}
	return out
}

const planted = "ghp_Zq1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2aXy"

// Whatever decides on a machine ends in one record, once: hooks, the service, and
// calls in bulk. What is secret is in no file.
func TestRecord(t *testing.T) {
	o := newOffice(t)
	o.hook("s1", "rm -rf /")
	o.hook("s2", "GH_TOKEN="+planted+" make")
	o.hook("s2", "ls")
	if out, _, _ := o.run(`{"tool":"shell","input":{"command":"git push"},"session":"s3"}`+"\n"+`{"tool":"shell","input":{"command":"ls"}}`+"\n", "eval", "--jsonl", "--audit"); strings.Count(out, "\n") != 2 {
		t.Fatal(out)
	}
	if out := o.must("status"); !strings.Contains(out, "3 decisions wait for policyctl serve") {
		t.Errorf("status says %s", out)
	}
	o.open()
	o.verdicts(3)
	call, err := http.NewRequest("POST", o.url+"/v1/decide", strings.NewReader(`{"tool":"shell","input":{"command":"rm -rf /"},"session":"s4"}`))
	if err != nil {
		t.Fatal(err)
	}
	call.Header = http.Header{"Authorization": {"Bearer " + o.secret("app", "submit")}, "Content-Type": {"application/json"}}
	res, err := http.DefaultClient.Do(call)
	if err != nil || res.StatusCode != 200 {
		t.Fatal(res, err)
	}
	res.Body.Close()
	var got []string
	for _, r := range o.verdicts(4) {
		got = append(got, strings.Join([]string{r.Detail["via"], r.Detail["asked_by"], r.Decision, r.Reason, r.Stage, r.Session}, " "))
		if r.Actor != fmt.Sprintf("uid:%d", os.Getuid()) || r.Detail["id"] == "" || r.Detail["took_us"] == "" {
			t.Errorf("%+v", r)
		}
	}
	me := fmt.Sprintf("uid:%d", os.Getuid())
	want := []string{
		"hook " + me + " deny hardline hardline s1", "hook " + me + " ask none confirm s2", "eval " + me + " ask none confirm s3", "service token:app deny hardline hardline s4",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("on record are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	first := o.verdicts(4)[0]
	if a, b := o.must("audit", "show", fmt.Sprint(first.Seq)), o.must("audit", "show", first.Detail["id"]); a != b || !strings.Contains(a, "hash holds  yes") || !strings.Contains(a, "follows     yes") {
		t.Errorf("%s\n%s", a, b)
	}
	if out := o.must("audit", "list", "--stage", "hardline", "--session", "s4", "--since", "1h"); strings.Count(out, "\n") != 2 || !strings.Contains(out, "rm -rf /") {
		t.Errorf("of one session: %s", out)
	}
	if out := o.must("log", "--json"); strings.Count(out, `"via":`) != 4 || strings.Contains(out, `"record":0`) {
		t.Errorf("the log shows\n%s", out)
	}
	stats := o.must("stats")
	for _, want := range []string{"4 decisions on record since", "2  ask", "2  deny", "2  hardline", "2  claude", "1  s2", "Slowest decisions"} {
		if !strings.Contains(stats, want) {
			t.Errorf("no %q in %s", want, stats)
		}
	}
	o.must("audit", "export", "-o", "log.jsonl")
	o.must("audit", "verify")
	if out := o.must("replay", "log.jsonl"); !regexp.MustCompile(`(?m)^calls +4\b`).MatchString(out) {
		t.Errorf("replay reads %s", out)
	}
	o.end(syscall.SIGTERM)
	o.open()
	time.Sleep(1500 * time.Millisecond) // in which it would collect again
	if n := len(o.verdicts(4)); n != 4 {
		t.Errorf("after a restart %d decisions are on record", n)
	}
	o.end(syscall.SIGTERM)
	_ = filepath.WalkDir(o.home, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if text, _ := os.ReadFile(path); strings.Contains(string(text), planted) {
				t.Errorf("a secret is in %s", path)
			}
		}
		return nil
	})
}

// The decisions of a machine without a service are sent to one elsewhere, in the
// name of the token. What is refused stays, and is sent once.
func TestShip(t *testing.T) {
	far, near := newOffice(t), newOffice(t)
	far.open()
	near.hook("s1", "rm -rf /")
	near.hook("s1", "make")
	token := func(scope string) string {
		name := filepath.Join(near.home, scope)
		if err := os.WriteFile(name, []byte(far.secret(scope, scope)), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	if _, stderr, code := near.run("", "ship", "--once"); code != 2 || !strings.Contains(stderr, "--to is missing") {
		t.Errorf("%d %s", code, stderr)
	}
	for _, scope := range []string{"submit", "admin"} {
		if _, stderr, code := near.run("", "ship", "--once", "--to", far.url, "--token-file", token(scope)); code != 1 || !strings.Contains(stderr, "the rest stays in") {
			t.Errorf("with a token to %s: %d %s", scope, code, stderr)
		}
	}
	if _, stderr, code := near.run("", "ship", "--once", "--to", "http://127.0.0.1:1", "--token-file", token("record")); code != 1 || !strings.Contains(stderr, "see whether policyctl serve runs") {
		t.Errorf("to nowhere: %d %s", code, stderr)
	}
	if out := near.must("ship", "--once", "--to", far.url, "--token-file", token("record")); out != "2 decisions are recorded, 0 were refused for good\n" {
		t.Errorf("%s", out)
	}
	_ = os.Remove(filepath.Join(near.home, ".local/state/policyctl/verdicts/cursor"))
	near.hook("s2", "make")
	following := near.command("ship", "--to", far.url, "--token-file", token("record"))
	if err := following.Start(); err != nil {
		t.Fatal(err)
	}
	all := far.verdicts(3)
	_ = following.Process.Signal(syscall.SIGTERM)
	if err := following.Wait(); err != nil {
		t.Errorf("ship ends with %v", err)
	}
	if len(all) != 3 || all[0].Actor != "token:record" || all[0].Detail["token_id"] == "" || all[2].Session != "s2" {
		t.Errorf("on record are %+v", all)
	}
}
