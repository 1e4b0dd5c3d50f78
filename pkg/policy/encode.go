package policy

import (
	"encoding/json"
	"time"
)

// EncodeCall returns a call as JSON that [DecodeCall] reads. What is empty is
// left out. The error says which argument has no form in JSON.
func EncodeCall(c *Call) ([]byte, error) { return json.Marshal(CallObject(c)) }

// CallObject returns the object of which [EncodeCall] is the JSON. It shares the
// arguments and the record of the call.
func CallObject(c *Call) map[string]any {
	out := make(map[string]any, 8)
	for key, text := range map[string]string{
		"id": c.ID, "tool": c.Tool, "dir": c.Dir, "home": c.Home, "os": c.OS, "shell": c.Shell, "agent": c.Agent,
		"subagent": c.Subagent, "session": c.Session, "project_dir": c.ProjectDir, "session_dir": c.SessionDir,
		"audience": audienceText(c.Audience), "time": timeText(c.Time),
	} {
		if text != "" {
			out[key] = text
		}
	}
	if c.Input != nil {
		out["input"] = c.Input
	}
	if c.OutsideSandbox {
		out["outside_sandbox"] = true
	}
	if c.GuardsSubagents {
		out["guards_subagents"] = true
	}
	if c.Record != nil {
		out["record"] = c.Record
	}
	if scope := c.Scope.encode(); len(scope) > 0 {
		out["scope"] = scope
	}
	return out
}

func (s Scope) encode() map[string]string {
	out := map[string]string{"plugin": s.Plugin, "profile": s.Profile, "integration": s.Integration}
	for key, text := range out {
		if text == "" {
			delete(out, key)
		}
	}
	return out
}

func audienceText(a Audience) string {
	if a == Personal {
		return ""
	}
	return a.String()
}

func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}
