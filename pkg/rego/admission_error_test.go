package rego_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/support/cputime"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/rego"
)

func spanOf(text string) shell.Span { return shell.Span{From: 0, To: len(text)} }

// TestLoadErrors compares the errors of NewAdmission.
func TestLoadErrors(t *testing.T) {
	rule := func(body string) string { return `deny contains {"id": "x", "reason": "r"} if { ` + body + " }" }
	for _, row := range [][2]string{
		{`p.rego:2:47: undefined ref: input.call.tol; have: "tol"; want (one of): ["agent"`, rule(`input.call.tol == "shell"`)},
		{`undefined ref: input.command`, rule(`some c in input.command`)},
		{`undefined ref: r.typ; have: "typ"`, rule(`some r in input.records; r.typ == "x"`)},
		{`have: "progam"`, rule(`input.commands[_].progam == "npm"`)},
		{`have: "typ"`, rule(`input.record.typ == "x"`)},
		{`match error`, rule(`input.commands[0].readonly == "yes"`)},
		{"undefined function http.send: policies have no network", rule(`http.send({"method": "get", "url": "https://example.com"}).status_code == 200`)},
		{"undefined function opa.runtime: policies have no network, environment", rule(`opa.runtime().env.HOME == "x"`)},
		{"undefined function bits.lsh: one call of it may take minutes", rule(`bits.lsh(1, 4000000000) > 1`)},
		{"undefined function graph.reachable_paths: one call", rule(`count(graph.reachable_paths({}, set())) > 1`)},
		{"undefined function strings.render_template: one call", rule(`strings.render_template("{{range .x}}{{end}}", {}) == ""`)},
		{"undefined function time.now_ns", rule(`time.now_ns() > 0`)},
		{"undefined function trace", rule(`trace("x")`)},
		{"undefined function rand.intn", rule(`rand.intn("x", 2) == 1`)},
		{"undefined function json.match_schema", rule(`json.match_schema({}, {})[0]`)},
		{"undefined function crypto.x509.parse_and_verify_certificates", rule(`crypto.x509.parse_and_verify_certificates("x")[0]`)},
		{"p.rego:2:88: var http is unsafe", rule(`f({}) with data.policyctl.admission.f as http.send`) + "\nf(_) := true"},
		{"p.rego:2:57: with keyword target must reference existing input, data, or a function", rule(`true with http.send as count`)},
		{"opa.runtime", "env := opa.runtime()\n" + rule("env.x")},
		{"undefined function http.sned: check the name", rule(`http.sned({})`)},
		{"p.rego:2:47: var x is unsafe: give the variable a value", rule(`not x`)},
		{"var x is unsafe", `deny contains {"id": "x", "reason": x}`},
		{"assigned var x unused", rule(`x := 1`)},
		{"unused", "import data.other\n" + rule("true")},
		{"shadow", rule(`input := 1; input == 1`)},
		{"rule data.policyctl.admission.f is recursive: data.policyctl.admission.f -> data.policyctl.admission.f: rules may not", "f(x) := f(x)\n" + rule("f(1)")},
		{"p.rego:2:1: deny is a function: write deny contains", "deny(x) := x"},
		{"p.rego:2:1: the document deny is boolean: write deny contains", "deny := false"},
		{"p.rego:2:1: the document deny is boolean: write deny contains", `deny if input.call.tool == "shell"`},
		{"p.rego:2:1: `if` keyword is required before rule body", `deny[x] { x := 1 }`},
		{"the document allow is object", "allow := {}"},
		{"the document ask is object", `ask.x contains {"id": "x", "reason": "r"}`},
		{"the package policyctl.admission has no rule deny, ask or allow (Rego modules read: 1)", "den contains 1"},
		{"p.rego:2:1: var cannot be used for rule name: the syntax is that of Rego v1", "deny contain"},
		{"conflict", "deny contains 1\ndeny := [1]"},
		{"p.rego:6:1: unable to compile the schema: remote reference loading disabled", "# METADATA\n# scope: document\n# schemas:\n#   - input.call.input: {\"$ref\": \"http://127.0.0.1:1/x.json\"}\n" + rule(`input.call.input.x == "y"`)},
		{"undefined schema: schema.other", "# METADATA\n# scope: document\n# schemas:\n#   - input: schema.other\n" + rule(`input.x == "y"`)},
	} {
		_, err := rego.NewAdmission(module(row[1]), nil, rego.Options{})
		if err == nil || !strings.Contains(err.Error(), row[0]) {
			t.Errorf("%s\ngot  %v\nwant %s", row[1], err, row[0])
		}
	}
}

// TestLoads has modules that must load.
func TestLoads(t *testing.T) {
	rule := func(body string) string { return `deny contains {"id": "x", "reason": "r"} if { ` + body + " }" }
	for _, body := range []string{
		rule(`input.call.tool == "shell"; print(input)`),
		rule(`input.commands[0].words[1].text == null`),
		rule(`input.record.facets.http.anything.at.all == 1`),
		rule(`input.call.input.url == "x"`),
		rule(`time.parse_rfc3339_ns(input.call.time) > 0`),
		rule(`is_null(input.record)`),
		rule(`every p in input.commands[0].writes { startswith(p, "/tmp/") }`),
		"deny := []", "default ask := set()", "allow contains x if some x in data.list",
		"# METADATA\n# scope: document\n# schemas:\n#   - input: schema.input\n" + rule(`input.call.tool == "shell"`),
		"# METADATA\n# scope: document\n# schemas:\n#   - input.call.input: {type: object, properties: {url: {type: string}}}\n" + rule(`input.call.input.url == "x"`),
	} {
		if _, err := rego.NewAdmission(module(body), map[string]any{"list": []any{}}, rego.Options{}); err != nil {
			t.Errorf("%s\n%v", body, err)
		}
	}
}

func TestModules(t *testing.T) {
	good := rego.Module{Name: "a.rego", Source: `package policyctl.admission
deny contains {"id": "x", "reason": "r"}`}
	other := rego.Module{Name: "b.rego", Source: "package lib\nx := 1"}
	above := rego.Module{Name: "c.rego", Source: `package policyctl
admission.deny contains {"id": "x", "reason": "r"}`}
	within := rego.Module{Name: "d.rego", Source: "package policyctl.admission.deny\nx := 1"}
	bad := rego.Module{Name: "e.rego", Source: "pakage x"}
	for _, row := range []struct {
		has     bool
		want    string
		modules []rego.Module
		data    map[string]any
	}{
		{true, "", []rego.Module{good, other}, map[string]any{"teams": []any{"a"}}},
		{true, "", []rego.Module{above}, nil},
		{false, "has no rule deny, ask or allow", []rego.Module{other}, nil},
		{false, "the package policyctl.admission has no rule deny, ask or allow (Rego modules read: 0)", nil, nil},
		{true, "a.rego: two modules have this name", []rego.Module{good, good}, nil},
		{true, "module 0 has no name", []rego.Module{{Source: good.Source}}, nil},
		{true, "e.rego:1:1: ", []rego.Module{other, bad}, nil},
		{true, "d.rego:2:1: the document deny is object", []rego.Module{within}, nil},
		{true, "conflict", []rego.Module{good, within}, nil},
		{true, "conflict", []rego.Module{good, other}, map[string]any{"lib": map[string]any{"x": "y"}}},
		{true, "data.policyctl.admission is where the answers", []rego.Module{good}, map[string]any{"policyctl": map[string]any{"admission": map[string]any{"allow": []any{}}}}},
		{true, `data["x"][1]: a value of the type chan int is not JSON`, []rego.Module{good}, map[string]any{"x": []any{1, make(chan int)}}},
	} {
		if got := rego.HasAdmission(row.modules); got != row.has {
			t.Errorf("%s: HasAdmission %v", row.want, got)
		}
		switch _, err := rego.NewAdmission(row.modules, row.data, rego.Options{}); {
		case row.want == "" && err != nil:
			t.Error(err)
		case row.want != "" && (err == nil || !strings.Contains(err.Error(), row.want)):
			t.Errorf("got %v, want %s", err, row.want)
		}
	}
	if _, err := rego.NewAdmission([]rego.Module{good}, nil, rego.Options{Deadline: -1}); err == nil {
		t.Error("a negative deadline is taken")
	}
}

// TestResults has documents that are no lists of answers, and evaluations that
// come to none: the error says what was found, and nothing is ever allowed.
func TestResults(t *testing.T) {
	x := func(entry string) string { return "allow contains x if x := " + entry }
	for _, row := range [][2]string{
		{`the document allow: found the string "yes" instead of an object`, x(`"yes"`)},
		{`the document allow: found the boolean true instead of an object`, "allow contains true"},
		{`the document allow: found null instead of an object`, x(`null`)},
		{`the document ask: found the string "abc" instead of a set: write`, "ask := data.text"},
		{`the document ask: found an empty object (an empty set is set()) instead of a set`, "ask := data.empty"},
		{`the document ask: found the object {"id": "x", "reason": "r"} instead of a set`, "ask := data.entry"},
		{"the document ask: found the boolean true", "ask := data.yes"},
		{`the document allow: an entry has no id`, x(`{"reason": "r"}`)},
		{`the document allow: key "id": found the string "" instead of a text`, x(`{"id": "", "reason": "r"}`)},
		{`the document allow: the entry "x" has no reason`, x(`{"id": "x"}`)},
		{`the document ask: key "profile": found the string "ops" instead of "default", the only profile of an approver: name who decides in approver`, `ask contains {"id": "x", "reason": "r", "profile": "ops"}`},
		{`the document allow: key "id": found the number 1 instead of a text`, x(`{"id": 1, "reason": "r"}`)},
		{`the document allow: found the key "commands": an entry has`, x(`{"id": "x", "reason": "r", "commands": 0}`)},
		{`the document allow: found the key 1`, x(`{"id": "x", "reason": "r", 1: 0}`)},
		{`the document allow: key "command": found the string "0" instead of the index`, x(`{"id": "x", "reason": "r", "command": "0"}`)},
		{`key "command": found the number -1`, x(`{"id": "x", "reason": "r", "command": -1}`)},
		{`key "command": found the number 0.5`, x(`{"id": "x", "reason": "r", "command": 0.5}`)},
		{`key "command": found the number 1e30`, x(`{"id": "x", "reason": "r", "command": 1e30}`)},
		{`the document allow: the entry "x" is about command 2 of a call that has 2: take the index`, x(`{"id": "x", "reason": "r", "command": 2}`)},
		{`the document allow: found the key "timeout", which belongs to entries of ask only`, x(`{"id": "x", "reason": "r", "timeout": "5m"}`)},
		{`the document ask: key "timeout": found the number 5 instead of a duration`, `ask contains {"id": "x", "reason": "r", "timeout": 5}`},
		{`key "timeout": found the string "0s"`, `ask contains {"id": "x", "reason": "r", "timeout": "0s"}`},
		{`key "quorum": found the number 0 instead of how many must approve, a whole number from 1`, `ask contains {"id": "x", "reason": "r", "approver": "a,b", "quorum": 0}`},
		{`the entry "x", quorum: 3 must approve, and 2 are named`, `ask contains {"id": "x", "reason": "r", "approver": "a,b", "quorum": 3}`},
		{`the entry "x", quorum: "A" stands there twice`, `ask contains {"id": "x", "reason": "r", "approver": "a, b, A", "quorum": 2}`},
		{`the entry "x", quorum: 1 must approve, and nobody is named`, `ask contains {"id": "x", "reason": "r", "quorum": 1}`},
		{`key "on_timeout": found the string "ask" instead of "deny" or "allow"`, `ask contains {"id": "x", "reason": "r", "on_timeout": "ask"}`},
		{`key "every_time": found the string "true" instead of true or false`, `ask contains {"id": "x", "reason": "r", "every_time": "true"}`},
		{`key "approver": found null instead of a text`, `ask contains {"id": "x", "reason": "r", "approver": null}`},
		{"p.rego:3:1: rule data.policyctl.admission.deny produced conflicting values: [] at p.rego:2 [1] at p.rego:3: a rule has one value", "deny := [] if input.call.dir\ndeny := [1] if input.call.home"},
		{"p.rego:3:45: startswith: operand 1 must be string but got null: null means unknown", `deny contains {"id": "x", "reason": "r"} if false
deny contains {"id": "y", "reason": "r"} if startswith(input.call.os, "x")`},
		{"div: divide by zero", `deny contains {"id": "x", "reason": "r"} if 1 / count(input.call.agent) > 0`},
	} {
		data := map[string]any{"text": "abc", "empty": map[string]any{}, "entry": map[string]any{"id": "x", "reason": "r"}, "yes": true}
		a, err := rego.NewAdmission(module(row[1]+"\nallow contains {\"id\": \"all\", \"reason\": \"r\"} if data.always"), data, rego.Options{Deadline: time.Minute})
		if err != nil {
			t.Errorf("%s: %v", row[1], err)
			continue
		}
		fails(t, a, row[0])
	}
}

// fails tests that an admission answers with an error, and that nothing is
// allowed then.
func fails(t *testing.T, a *rego.Admission, want string) {
	t.Helper()
	in, err := engine(t, nil).Input(shellCall("make a; make b"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := a.Judge(context.Background(), in)
	if err == nil || !strings.HasPrefix(err.Error(), "admission policy: ") || !strings.Contains(err.Error(), want) {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if got.Decision != policy.Deny || got.Certain || got.Parts != nil {
		t.Errorf("%s: an answer beside the error: %+v", want, got)
	}
	for name, change := range map[string]func(*policy.Settings){"default": nil, "yolo": yolo, "skip": skip} {
		v, err := engine(t, change, a).Decide(context.Background(), nil, shellCall("ls"))
		if err != nil || v.Decision == policy.Allow || name != "default" && v.Decision != policy.Deny {
			t.Errorf("%s: %s: got %s, %v", want, name, v.Decision, err)
		}
	}
}

// TestDeadline stops policies that would run for years.
func TestDeadline(t *testing.T) {
	over := "longer than 20ms"
	if cputime.Known {
		over = "more than 20ms of processor time"
	}
	for _, body := range []string{
		`deny contains {"id": "x", "reason": "r"} if count(numbers.range(1, 9000000000)) > 5`,
		`deny contains {"id": "x", "reason": "r"} if { r := numbers.range(1, 2000); count([1 | r[_] + r[_] + r[_] == 7000]) > 1 }`,
		`deny contains {"id": "x", "reason": "r"} if { r := numbers.range(1, 2000); every a in r { every b in r { every c in r { a + b + c > 0 } } } }`,
		`deny contains {"id": "x", "reason": "r"} if { some a, b, c, d in numbers.range(1, 5000); a * b * c * d == 7; a > 9000 }`,
	} {
		if strings.Contains(body, "some a, b") {
			body = strings.Replace(body, "some a, b, c, d in numbers.range(1, 5000)", "r := numbers.range(1, 5000); a := r[_]; b := r[_]; c := r[_]; d := r[_]", 1)
		}
		a, err := rego.NewAdmission(module(body), nil, rego.Options{Deadline: 20 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		fails(t, a, "the evaluation took "+over+", the first and only one of this process: make the rules cheaper, or raise admission.deadline_ms")
		if took := time.Since(begin); took > 20*time.Second {
			t.Errorf("%s: stopped after %v", body, took)
		}
	}
}

// TestCancelled shows that a caller that gives up gets its own error.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	a := admission(t, module(`deny contains {"id": "x", "reason": "r"} if count(numbers.range(1, 9000000000)) > 5`))
	v, err := engine(t, nil, a).Decide(ctx, nil, shellCall("ls"))
	if !errors.Is(err, context.Canceled) || v.Decision != policy.Deny || v.Reason != policy.ReasonError {
		t.Errorf("got %s %s, %v", v.Decision, v.Reason, err)
	}
	in, err := engine(t, nil).Input(shellCall("ls"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Judge(ctx, in); !errors.Is(err, context.Canceled) {
		t.Errorf("Judge: got %v", err)
	}
}

// TestLongLine shows that a line of very many commands is answered, and its
// denies found, or refused.
func TestLongLine(t *testing.T) {
	a := admission(t, files(t, "team.rego", "teams.rego"))
	c := shellCall(strings.Repeat("echo x; ", 400) + "npm publish")
	begin := time.Now()
	if got := answer(t, engine(t, yolo, a), c); !strings.HasPrefix(got, "deny permission_deny ") {
		t.Errorf("got %q", got)
	}
	t.Logf("%v", time.Since(begin))
}
