package compat

import (
	"strings"
	"testing"
)

func TestContract(t *testing.T) {
	r := newRig(t, nil)
	with := func(key string, value any) string { return body("clr_1", "x", map[string]any{key: value}) }
	for _, row := range []struct {
		status    int
		why, body string
	}{
		{422, "program_sha256: ", with("program_sha256", strings.Repeat("0", 64))},
		{422, "program_sha256: ", with("program_sha256", "2D711642B726B04401627CA9FBAC32F5C8530FB1903CC4DB02258717921A4881")},
		{422, "program: this has another type", with("program", []string{"x"})},
		{422, "request_id: this has another type", with("request_id", 7)},
		{422, "request_id: ", with("request_id", "../../etc/passwd")},
		{422, "request_id: ", `{"program_sha256":"../../etc/passwd"}`}, // of which the id would be made
		{422, "a submission says what is to run", `{}`},
		{422, "program_sha256: ", with("program_sha256", "")},
		{422, "kind: ", with("kind", "")},
		{422, "schema_version: 0 is unknown", with("schema_version", 0)},
		{422, "request_id: ", with("request_id", "a/b")},
		{422, "request_id: ", with("request_id", "a b")},
		{422, "request_id: ", with("request_id", strings.Repeat("a", 129))},
		{422, "schema_version: 2 is unknown", with("schema_version", 2)},
		{422, "schema_version: this has another type", with("schema_version", "1")},
		{422, "schema_version: this has another type", with("schema_version", true)},
		{422, "kind: ", with("kind", "call")},
		{422, "approval: this key is the service's own", with("approval", map[string]any{"decision": "approved_once"})},
		{422, "status: this key is the service's own", with("status", "approved")},
		{422, "submitter: this key is the service's own", with("submitter", "token:boss")},
		{422, "guarantees: this has another type", with("guarantees", "all")},
		{422, "proofs: this has another type", with("proofs", map[string]any{})},
		{422, `"Program": did you mean "program"?`, with("Program", "y")},
		{422, `did you mean "source_name"?`, with("\u017Fource_name", "y")},
		{422, `"PROGRAM_SHA256": did you mean "program_sha256"?`, with("PROGRAM_SHA256", "y")},
		{400, "appears twice", strings.Replace(with("", nil), `{`, `{"program":"y",`, 1)},
		{400, "appears twice", strings.Replace(with("extra", map[string]any{"a": 1}), `{"a":1}`, `{"a":1,"a":2}`, 1)},
		{400, "half of a character", strings.Replace(with("", nil), `"main"`, `"\ud800"`, 1)},
		{400, "deeper than", strings.Replace(with("extra", "X"), `"X"`, strings.Repeat("[", 100)+strings.Repeat("]", 100), 1)},
		{400, "object", `[]`},
		{400, "the JSON ends too early", `{"kind":`},
		{413, "longer", with("extra", strings.Repeat("x", 1<<20))},
	} {
		a := r.do(row.status, r.agent, "POST", "/requests", row.body)
		if detail, _ := a.At("detail").(string); !strings.Contains(detail, row.why) {
			t.Errorf("%s: %s", row.why, a.Text)
		}
	}
	if a := r.do(200, r.boss, "GET", "/requests", ""); a.Text != "[]\n" {
		t.Errorf("stored: %s", a.Text)
	}
}

// What a submission leaves out is completed as the service of clauz3 does, and people see
// what they approve: the hash is that of the program wherever there is one.
func TestCompleted(t *testing.T) {
	r := newRig(t, nil)
	const ofX = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
	for _, row := range []struct{ body, id, hash string }{
		{`{"request_id":"clr_a","program":"x","guarantees":["<b>&"]}`, "clr_a", ofX},
		{`{"program":"x"}`, "clr_2d711642b726", ofX},
		{`{"program_sha256":"abc123"}`, "clr_abc123", "abc123"},
		{`{"request_id":"","program_sha256":"def"}`, "clr_def", "def"},
		{`{"target":"main"}`, "clr_unknown", ""},
		{`{"request_id":"clr_b","kind":"clauz3.run","schema_version":1}`, "clr_b", ""},
	} {
		done := stock{r.url()}.start(row.body)
		r.pending(row.id)
		a := r.do(200, r.boss, "GET", "/requests/"+row.id, "")
		hash, _ := a.At("program_sha256").(string)
		if a.At("request_id") != row.id || hash != row.hash || a.At("kind") != "clauz3.run" || a.At("schema_version") != 1.0 || strings.Contains(row.body, "<b>") && !strings.Contains(a.Text, "b") {
			t.Errorf("%s: %s", row.body, a.Text)
		}
		decision := r.do(200, r.boss, "POST", "/requests/"+row.id+"/decision", once)
		if o := wait(t, done); !o.runs() || o.ID != row.id || *o.Receipt != decision.At("receipt") {
			t.Errorf("%s: %+v", row.body, o)
		}
	}
}

// Who decides in the words of clauz3 is told what is wrong.
func TestProgramAnswers(t *testing.T) {
	r := newRig(t, nil)
	stock{r.url()}.start(body("clr_1", "x", nil))
	r.pending("clr_1")
	call := r.propose("s", "make a")
	const path = "/requests/clr_1/decision"
	for _, row := range []struct {
		status          int
		why, path, body string
	}{
		{400, "auto_approved", path, `{"decision":"auto_approved"}`},
		{400, "nothing of this request can be remembered", path, `{"decision":"approved_remember"}`},
		{400, "reason: feedback says something else", path, `{"decision":"rejected","feedback":"no","reason":"yes"}`},
		{400, "scope", path, `{"decision":"approved_remember","scope":"anywhere"}`},
		{400, "not one of approved_once", path, `{"decision":"allow"}`},
		{400, "not one of approved_once", path, `{}`},
		{400, "Decision: this key is unknown", path, `{"Decision":"approved_once"}`},
		{400, "appears twice", path, `{"decision":"rejected","decision":"approved_once"}`},
		{400, "feedback", path, `{"decision":"rejected","feedback":7}`},
		{400, "empty", path, ``},
		{404, "no such request", "/requests/clr_2/decision", `{"decision":"approved_once"}`},
		{404, "no such request", "/requests/" + call + "/decision", `{"decision":"approved_once"}`},
	} {
		a := r.do(row.status, r.boss, "POST", row.path, row.body)
		if detail, _ := a.At("detail").(string); !strings.Contains(detail, row.why) || a.At("error") != a.At("detail") {
			t.Errorf("%s %s: %s", row.path, row.body, a.Text)
		}
	}
	r.pending("clr_1")
	r.do(200, r.boss, "POST", path, `{"decision":"rejected","feedback":"no"}`)
	r.do(200, r.boss, "POST", path, `{"decision":"rejected","feedback":"no"}`)
	a := r.do(409, r.boss, "POST", path, `{"decision":"approved_once"}`)
	if a.At("request.approval.decision") != "rejected" || a.At("request.approval.feedback") != "no" {
		t.Errorf("%s", a.Text)
	}
	r.do(404, r.boss, "GET", "/requests/"+call, "")
}

func TestTitle(t *testing.T) {
	for _, row := range []struct{ want, source, target, guarantee string }{
		{"run main of a.py: g()", "a.py", "main", "g()"},
		{"run main: g()", "", "main", "g()"},
		{"run main of a.py: \uFFFD[2Jg()", "a.py", "main", "\x1b[2Jg()"},
		{"run main of a.py: a\uFFFDb", "a.py", "main", "a\u202eb"},
		{"run main of a.py: a b", "a.py", "main", "a\r\n\tb"},
		{"run " + strings.Repeat("x", 195) + "…", "a.py", strings.Repeat("x", 300), "g()"},
	} {
		c := contract{Source: row.source, Target: row.target, Guarantees: []string{row.guarantee}}
		if got := c.title(); got != row.want {
			t.Errorf("%q, want %q", got, row.want)
		}
	}
}
