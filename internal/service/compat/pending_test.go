package compat

import (
	"bufio"
	"net/http"
	"strings"
	"testing"
	"time"
)

// Who decides sees what the receipt is for, and whose words it is told in.
func TestPendingIsWhole(t *testing.T) {
	r := newRig(t, nil)
	for _, row := range []struct{ body, want string }{
		{`{"call":{"command":"make","dir":"/src"}}`, `"dir":"/src"`},
		{`{"call":{"tool":"http","record":{"verb":"DELETE"}}}`, `"record":{"verb":"DELETE"}`},
		{`{"call":{"command":"make it"},"asked":{"why":"boss has approved it"}}`, `"why":"no rule allows it`},
		{`{"call":{"command":"ls"},"asked":{"why":"boss has\napproved it"}}`, `"why":"token:agent says: boss has approved it"`},
	} {
		id := r.do(201, r.agent, "POST", "/v1/requests", row.body).At("id").(string)
		if got := r.do(200, r.boss, "GET", "/api/pending-actions?limit=1", ""); !strings.Contains(got.Text, row.want) {
			t.Errorf("%s: %s", row.body, got.Text)
		}
		if got := r.do(200, r.boss, "GET", "/api/approvals/"+id, ""); !strings.Contains(row.want, "why") && !strings.Contains(got.Text, row.want) {
			t.Errorf("%s: %s", row.body, got.Text)
		}
	}
}

// The queue of a dashboard, and decisions from it.
func TestPending(t *testing.T) {
	r := newRig(t, nil)
	ids := map[string]string{}
	for _, command := range []string{"make a", "make b", "make c", "make d", "make e", "make f"} {
		ids[command] = r.propose("s1", command)
	}
	a := r.do(200, r.boss, "GET", "/api/pending-actions", "")
	first, _ := a.JSON["pending"].([]any)[0].(map[string]any)
	for key, want := range map[string]any{
		"id": ids["make f"], "tool": "shell", "summary": "shell: make f", "sessionId": "s1", "agent": "claude", "stage": "confirm", "onTimeout": "deny",
	} {
		if first[key] != want {
			t.Errorf("%s: %v, want %v", key, first[key], want)
		}
	}
	if len(a.JSON["pending"].([]any)) != 6 || a.JSON["next"] != nil || first["arguments"].(map[string]any)["command"] != "make f" {
		t.Errorf("%s", a.Text)
	}
	for _, row := range []struct{ status, command, body string }{
		{"approved", "make a", `{"decision":"allow"}`},
		{"approved", "make b", `{"decision":"approve","reason":"fine"}`},
		{"approved", "make c", `{"decision":"approved_once","reviewer":"token:boss"}`},
		{"denied", "make d", `{"decision":"deny","reason":"no"}`},
		{"denied", "make e", `{"decision":"rejected","reviewer":"Boss"}`},
	} {
		got := r.do(200, r.boss, "POST", "/api/pending-actions/"+ids[row.command]+"/decision", row.body)
		if got.At("ok") != true || got.At("status") != row.status || got.At("id") != ids[row.command] {
			t.Errorf("%s: %s", row.body, got.Text)
		}
	}
	left := r.do(200, r.boss, "GET", "/api/pending-actions", "")
	if strings.Count(left.Text, `"id":`) != 1 || !strings.Contains(left.Text, ids["make f"]) {
		t.Errorf("left: %s", left.Text)
	}
	for _, row := range []struct {
		status    int
		why, body string
	}{
		{400, "reviewer: the token says who decides, which is token:boss", `{"decision":"allow","reviewer":"alice"}`},
		{400, "reviewer", `{"decision":"allow","reviewer":"token"}`},
		{400, "reviewer", `{"decision":"allow","reviewer":"bos"}`},
		{400, "reviewer", `{"decision":"allow","reviewer":"other:boss"}`},
		{400, "reviewer", `{"decision":"allow","reviewer":""}`},
		{400, "decision", `{"decision":"Allow"}`},
		{400, "decision", `{"decision":"approved_remember"}`},
		{400, "decision", `{"decision":"auto_approved"}`},
		{400, "decision", `{"decision":""}`},
		{400, "decision", `{}`},
		{400, "unknown", `{"decision":"allow","receipt":"r"}`},
		{400, "unknown", `{"decision":"deny","DECISION":"allow"}`},
	} {
		got := r.do(row.status, r.boss, "POST", "/api/pending-actions/"+ids["make f"]+"/decision", row.body)
		if text, _ := got.At("error").(string); !strings.Contains(text, row.why) {
			t.Errorf("%s: %s", row.body, got.Text)
		}
	}
	r.pending(ids["make f"])
	r.do(404, r.boss, "POST", "/api/pending-actions/none/decision", `{"decision":"allow"}`)
	r.do(409, r.boss, "POST", "/api/pending-actions/"+ids["make a"]+"/decision", `{"decision":"deny"}`)
}

// Who follows is told what begins and what ceases to be pending, and nothing
// of what was decided at once.
func TestFollow(t *testing.T) {
	r := newRig(t, nil)
	q, err := http.NewRequest("GET", r.URL+"/api/pending-actions/stream", nil)
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Authorization", "Bearer "+r.boss)
	res, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != 200 || res.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%d %v", res.StatusCode, res.Header)
	}
	events := make(chan string, 64)
	go func() {
		lines := bufio.NewScanner(res.Body)
		kind := ""
		for lines.Scan() {
			name, value, _ := strings.Cut(lines.Text(), ": ")
			switch name {
			case "event":
				kind = value
			case "data":
				events <- kind + " " + value
			}
		}
		close(events)
	}()
	next := func() string {
		select {
		case e := <-events:
			return e
		case <-time.After(10 * time.Second):
			t.Fatal("no event")
			panic("unreachable")
		}
	}
	r.do(200, r.agent, "POST", "/v1/requests", `{"call":{"id":"c","tool":"shell","input":{"command":"ls"},"session":"s1","dir":"/src"}}`)
	id := r.propose("s1", "make a")
	if e := next(); !strings.HasPrefix(e, `pending {"id":"`+id+`"`) || !strings.Contains(e, `"arguments":{"command":"make a"}`) || !strings.Contains(e, `"summary":"shell: make a"`) {
		t.Errorf("%s", e)
	}
	r.do(200, r.boss, "POST", "/api/pending-actions/"+id+"/decision", `{"decision":"allow"}`)
	if e := next(); e != `removed {"id":"`+id+`","status":"approved"}` {
		t.Errorf("%s", e)
	}
	other := r.propose("s2", "make b")
	if e := next(); !strings.HasPrefix(e, `pending {"id":"`+other+`"`) {
		t.Errorf("%s", e)
	}
	r.Skip(time.Hour)
	if e := next(); e != `removed {"id":"`+other+`","status":"timed_out"}` {
		t.Errorf("%s", e)
	}
}
