package rego

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/policyctl/policyctl/pkg/policy"
)

// Input returns the document that policies of the package policyctl.admission
// see of a call, in the form of [InputSchema]. Its values are those of JSON,
// numbers as [json.Number], and it shares nothing with the call. Null stands
// for what is unknown; in a list it says that there may be more. The error
// says which part of the call has no form in JSON.
func Input(in *policy.Input) (map[string]any, error) {
	call, err := callValue(in.Call)
	if err != nil {
		return nil, err
	}
	hidden := recordMask{home: in.Call.Home == ""}
	records, err := hidden.records(in)
	if err != nil {
		return nil, err
	}
	commands, err := hidden.commands(in, records)
	if err != nil {
		return nil, err
	}
	out := map[string]any{
		"call": call, "tool": toolValue(in.Tool), "records": records, "record": nil, "commands": commands, "unreadable": nil,
	}
	if len(records) > 0 {
		out["record"] = records[0]
	}
	if in.Line != nil && in.Line.Problem != nil {
		out["unreadable"] = validText(in.Line.Problem.Why)
	}
	return out, nil
}

func toolValue(t *policy.Tool) map[string]any {
	return map[string]any{
		"name": validText(t.Name), "kind": t.Kind.String(), "risk": t.Risk.String(), "groups": validTexts(t.Groups),
	}
}

func callValue(c *policy.Call) (map[string]any, error) {
	args := any(map[string]any{})
	if c.Input != nil {
		var err error
		if args, err = jsonValue(c.Input); err != nil {
			return nil, fmt.Errorf("call.input%w", err)
		}
	}
	s := &c.Scope
	out := map[string]any{
		"id": validText(c.ID), "tool": validText(c.Tool), "input": args, "agent": validText(c.Agent), "session": validText(c.Session),
		"dir": known(c.Dir), "home": known(c.Home), "os": known(c.OS), "shell": known(c.Shell),
		"project_dir": known(c.ProjectDir), "session_dir": known(c.SessionDir), "audience": c.Audience.String(),
		"scope": map[string]any{"plugin": validText(s.Plugin), "profile": validText(s.Profile), "integration": validText(s.Integration)},
	}
	if c.Subagent != "" {
		out["subagent"] = validText(c.Subagent)
	}
	if c.LeavesSandbox() {
		out["outside_sandbox"] = true
	}
	if !c.Time.IsZero() {
		out["time"] = c.Time.Format(time.RFC3339Nano)
	}
	return out, nil
}

// known returns a text, null for "".
func known(s string) any {
	if s == "" {
		return nil
	}
	return validText(s)
}

// at returns the index of a command, null for that of none.
func at(index int) any {
	if index < 0 {
		return nil
	}
	return json.Number(strconv.Itoa(index))
}
