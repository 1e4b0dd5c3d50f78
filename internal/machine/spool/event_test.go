package spool

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"math"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/policy"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func at() time.Time { return noon }

func event(id string) Event {
	return Event{
		DecisionID: id, Call: policy.Shell("ls -la", "/home/dev/project"),
		Verdict: &policy.Verdict{Decision: policy.Allow, Stage: policy.StageReadonly, Reason: policy.ReasonNone, Why: "only reads", Revision: "r1"},
	}
}

func fullEvent() Event {
	call := &policy.Call{
		ID: "c1", Tool: "shell", Input: map[string]any{"command": "curl -u ann:hunter2 https://x.test", "env": []any{"TOKEN=$TOKEN", "PASSWORD=hunter2"}},
		Dir: "/home/dev/project", Home: "/home/dev", OS: "linux", Shell: "bash", Agent: "claude", Session: "s1",
		Scope: policy.Scope{Plugin: "p", Profile: "q", Integration: "i"}, Audience: policy.Team, ProjectDir: "/home/dev/project",
		SessionDir: "/home/dev/.s", Time: noon, Record: map[string]any{"type": "shell"},
	}
	v := &policy.Verdict{
		Decision: policy.Deny, Stage: policy.StageRules, Reason: policy.ReasonPermissionRule, Rule: "no-curl", Why: "uses password=hunter2",
		Origin: policy.Origin{Layer: "project", File: "policy.yaml", Line: 3}, Revision: "r1",
	}
	return Event{
		DecisionID: "11111111-2222-4333-8444-555555555555", Call: call, Verdict: v, Bundles: map[string]string{"org": "7", "team": ""},
		Time: noon, Took: 1500 * time.Microsecond, Labels: map[string]string{"team": "a", "id": "forged"},
	}
}

func TestGoldenEvent(t *testing.T) {
	l := &Encoder{Labels: map[string]string{"id": "host1", "version": "1.0"}, Now: at}
	e := fullEvent()
	data, err := l.Encode(&e)
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	json.Indent(&got, data, "", "  ")
	got.WriteByte('\n')
	if *update {
		os.WriteFile("testdata/event.json", got.Bytes(), 0o644)
	}
	want, err := os.ReadFile("testdata/event.json")
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("got\n%s", got.String())
	}
}

// The names are those of OPA's EventV1.
func TestNamesAreThoseOfOPA(t *testing.T) {
	rows := []struct {
		want string
		of   any
	}{
		{"labels decision_id bundles,omitempty path,omitempty input,omitempty result,omitempty erased,omitempty masked,omitempty requested_by,omitempty timestamp metrics,omitempty", record{}},
		{"revision,omitempty", bundle{}},
	}
	for _, r := range rows {
		var got []string
		for f := range reflect.TypeOf(r.of).Fields() {
			got = append(got, f.Tag.Get("json"))
		}
		if names := strings.Join(got, " "); names != r.want {
			t.Errorf("%T has\n%s, want\n%s", r.of, names, r.want)
		}
	}
}

func encoded(t *testing.T, c Encoder, e Event) map[string]any {
	t.Helper()
	c.Now = at
	data, err := c.Encode(&e)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// What is logged of a call reads back as the call.
func TestInputDecodesAsTheCall(t *testing.T) {
	e := fullEvent()
	m := encoded(t, Encoder{NoMask: true}, e)
	data, _ := json.Marshal(m["input"])
	got, err := policy.DecodeCall(data)
	if err != nil || !reflect.DeepEqual(got, e.Call) {
		t.Errorf("%v\n%+v\nwant %+v", err, got, e.Call)
	}
}

func TestMasked(t *testing.T) {
	e := fullEvent()
	e.Labels = map[string]string{"url": "https://ann:hunter2@x.test"}
	m := encoded(t, Encoder{}, e)
	want := []any{"/labels/url", "/input/input/command", "/input/input/env/1", "/result/why"}
	if !reflect.DeepEqual(m["masked"], want) {
		t.Errorf("masked %v, want %v", m["masked"], want)
	}
	if text, _ := json.Marshal(m); strings.Contains(string(text), "hunter2") {
		t.Errorf("a secret is left: %s", text)
	}
	if e.Call.Input["command"] != "curl -u ann:hunter2 https://x.test" {
		t.Error("the call was changed")
	}
	if m := encoded(t, Encoder{NoMask: true}, fullEvent()); m["masked"] != nil || !strings.Contains(m["result"].(map[string]any)["why"].(string), "hunter2") {
		t.Errorf("NoMask masks: %v", m)
	}
}

func TestErased(t *testing.T) {
	long := strings.Repeat("é", 3000)
	secret := strings.Repeat("x ", 2040) + "PASSWORD=" + strings.Repeat("k7Qz", 2000)
	e := event("x")
	e.Call = &policy.Call{Tool: "write", Input: map[string]any{
		"path": "/a", "content": long, "edits": []any{map[string]any{"new_string": secret}, map[string]any{"new_string": "short"}}, "a/b": map[string]any{"body": long},
	}}
	m := encoded(t, Encoder{Bound: 1 << 20}, e)
	if want := []any{"/input/input/a~1b/body", "/input/input/content", "/input/input/edits/0/new_string"}; !reflect.DeepEqual(m["erased"], want) {
		t.Errorf("erased %v, want %v", m["erased"], want)
	}
	input := m["input"].(map[string]any)["input"].(map[string]any)
	if s := input["content"].(string); len(s) > 4<<10+20 || !strings.HasSuffix(s, "é… [cut]") {
		t.Errorf("content has %d bytes", len(s))
	}
	if text, _ := json.Marshal(m); strings.Contains(string(text), "k7Qz") {
		t.Error("half a secret is left")
	}
}

// An event that would not fit into a chunk loses its long arguments, not the
// decision.
func TestLongCommand(t *testing.T) {
	e := event("x")
	e.Call.Input["command"] = "echo " + strings.Repeat("k7Qz ", 20_000)
	m := encoded(t, Encoder{}, e)
	if !reflect.DeepEqual(m["erased"], []any{"/input/input/command"}) || m["result"].(map[string]any)["decision"] != "allow" {
		t.Errorf("%v %v", m["erased"], m["result"])
	}
}

func TestInputThatIsNoJSON(t *testing.T) {
	e := event("x")
	e.Call.Input["n"] = math.NaN()
	m := encoded(t, Encoder{}, e)
	if !reflect.DeepEqual(m["erased"], []any{"/input/input"}) || m["result"].(map[string]any)["decision"] != "allow" {
		t.Errorf("%v", m)
	}
}

// The zero event says that a call was denied because it could not be judged.
func TestZeroEvent(t *testing.T) {
	m := encoded(t, Encoder{}, Event{})
	result := m["result"].(map[string]any)
	if result["decision"] != "deny" || result["reason"] != "error" || m["timestamp"] != "2026-01-02T12:00:00Z" {
		t.Errorf("%v", m)
	}
	if id := m["decision_id"].(string); !regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(id) {
		t.Errorf("decision_id %q is no UUID", id)
	}
	if keys := slices.Sorted(maps.Keys(m)); strings.Join(keys, " ") != "decision_id labels path result timestamp" {
		t.Errorf("keys %v", keys)
	}
}
