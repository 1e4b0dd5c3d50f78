package rego

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/policyctl/policyctl/pkg/policy"
)

// sampleLines are lines of the shell: a command, none, one that writes and
// connects, several and one within another, words, a program and a directory
// that are unknown, a program that is called by a path, and a line that
// cannot be read.
var sampleLines = []string{
	"ls -la", "", "make build", "./scripts/build.sh all", "curl -sS https://example.com/x -o out.txt",
	"cd web && npm test 2>&1 | tail -5", `sh -c "git push origin main"`, "rm -rf build && cp a b && mv c d",
	`cat "$FILE" > "$OUT"`, "$TOOL run", `cd "$PLACE" && make`, "curl $URL", "ssh host.example.com uptime", "X=1", `echo "`, "if",
}

// sampleArguments are what the argument that a tool is about holds.
var sampleArguments = map[policy.Kind]string{
	policy.KindShell: "make build",
	policy.KindWrite: "/home/dev/app/notes.txt", policy.KindRead: "/home/dev/app/notes.txt", policy.KindFetch: "https://example.com/x",
	policy.KindSearch: "needle", policy.KindMCP: "text", policy.KindOther: "text",
}

// samplePatch is an argument that is a patch.
const samplePatch = "*** Begin Patch\n*** Update File: notes.txt\n@@\n-a\n+b\n*** End Patch"

// Samples returns calls as an engine of settings sees them: of each tool, of
// each kind, of some that nobody knows, of lines of the shell that hold what
// lines can hold, each of a caller that says nothing of itself and of one that
// says all; and of what the rules name. What the engine itself denies as no call
// of its tool is left out. The error says what is wrong with the settings.
func (a *Admission) Samples(s policy.Settings) ([]Sample, error) {
	s.Tools = slices.Clone(s.Tools)
	for _, k := range policy.Kinds() {
		s.Tools = append(s.Tools, policy.Tool{Name: "tool_of_kind_" + k.String(), Kind: k, Subject: []string{"about"}})
	}
	e, err := policy.New(s, policy.Options{})
	if err != nil {
		return nil, err
	}
	l := loader{modules: a.modules}
	if err := l.parse(); err != nil {
		return nil, err
	}
	var calls []policy.Call
	for _, c := range sampleCalls(append(policy.BuiltinTools(), s.Tools...)) {
		calls = append(calls, c, spoken(c))
	}
	var out []Sample
	for _, c := range append(calls, namedCalls(l.trees)...) {
		if in, err := e.Input(&c); err == nil {
			out = append(out, Sample{callName(&c), in})
		}
	}
	return out, nil
}

// spoken returns a call of a caller that says all of itself.
func spoken(c policy.Call) policy.Call {
	c.ID, c.Agent, c.Session, c.Dir, c.Home = "call-1", "agent", "session-1", "/home/dev/app", "/home/dev"
	c.OS, c.ProjectDir, c.SessionDir = "linux", "/home/dev/app", "/home/dev/.sessions/1"
	c.Scope = policy.Scope{Plugin: "plugin", Profile: "profile", Integration: "integration"}
	c.Time, c.OutsideSandbox = time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC), true
	return c
}

func sampleCalls(tools []policy.Tool) []policy.Call {
	var out []policy.Call
	for _, line := range sampleLines {
		out = append(out, *policy.Shell(line, "/home/dev/app"))
	}
	for i := range tools {
		out = append(out, toolCalls(&tools[i])...)
	}
	for _, name := range []string{"unheard_of", "mcp__server__tool", "Unheard.of"} {
		out = append(out, policy.Call{Tool: name}, policy.Call{Tool: name, Input: map[string]any{
			"text": "a", "number": json.Number("1"), "list": []any{nil, true}, "object": map[string]any{"key": "value"},
		}})
	}
	return out
}

// toolCalls returns a call of a tool without arguments, one with those that it
// is about, and one for each of its operations.
func toolCalls(t *policy.Tool) []policy.Call {
	out := []policy.Call{{Tool: t.Name, Input: map[string]any{}}}
	if len(t.Subject) > 0 {
		out = append(out, policy.Call{Tool: t.Name, Input: argument(t.Subject[0], sampleArguments[t.Kind])})
	}
	if len(t.Operation) > 0 {
		for _, name := range slices.Sorted(maps.Keys(t.Operations)) {
			out = append(out, policy.Call{Tool: t.Name, Input: map[string]any{t.Operation[0]: name, "path": "/home/dev/app/notes.txt"}})
		}
	}
	return out
}

// argument returns arguments in which a path such as "edits[].path" leads to a
// value.
func argument(path, value string) map[string]any {
	path, how, _ := strings.Cut(path, "|")
	if how == "patch" {
		value = samplePatch
	}
	names := strings.Split(path, ".")
	out := any(value)
	for _, name := range slices.Backward(names) {
		name, list := strings.CutSuffix(name, "[]")
		if list {
			out = []any{out}
		}
		out = map[string]any{name: out}
	}
	return out.(map[string]any)
}

// callName tells people which call a sample is.
func callName(c *policy.Call) string {
	name := "a call of " + c.Tool
	if line, ok := c.Input["command"].(string); ok && c.Tool == "shell" {
		name = fmt.Sprintf("the shell line %q", line)
	} else if len(c.Input) > 0 {
		text, err := json.Marshal(c.Input)
		if err == nil {
			name += " " + string(text)
		}
	}
	if c.Agent != "" {
		name += " of the agent " + c.Agent
	}
	if c.ID != "" {
		name += ", which gives its time and directories"
	}
	return name
}
