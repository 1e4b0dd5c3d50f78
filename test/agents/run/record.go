//go:build linux

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/test/agents/standin"
)

// heard is where a script in front of the hook keeps what the hook is sent.
const heard = "/tmp/heard"

// listenIn puts a script in front of the hook.
func (w *world) listenIn() error {
	if err := os.MkdirAll(heard, 0o777); err != nil {
		return err
	}
	if err := os.Chmod(heard, 0o777); err != nil {
		return err
	}
	return w.replaceHook(`f=` + heard + `/$(date +%s%N); cat > "$f"; exec ` + programs + `/real/policyctl-hook "$@" < "$f"`)
}

// keepEvents copies one event of each kind to the directory of records.
func (w *world) keepEvents() error {
	if os.Getenv("RECORD") == "" {
		return nil
	}
	all, err := filepath.Glob(heard + "/*")
	if err != nil {
		return err
	}
	slices.Sort(all)
	kept := map[string]bool{}
	for _, path := range all {
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		kind := kindOf(string(b))
		if kind == "" || kept[kind] {
			continue
		}
		kept[kind] = true
		to := filepath.Join(records, w.agent.name, kind+".json")
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, b, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// kindOf names an event by what the scripts put into it; "" is one of no use.
func kindOf(event string) string {
	about := "" // the agent's own dialog, where it is not the call
	var named struct {
		Name string `json:"hook_event_name"`
	}
	_ = json.Unmarshal([]byte(event), &named) // one that is no object has no name
	if strings.Contains(named.Name, "Permission") {
		about = "dialog-"
	}
	for _, row := range []struct{ mark, kind string }{
		{prompt, "prompt"},
		{standin.ChildMark, "sub-agent"},
		{"/child-denied", "sub-agent-call"},
		{"/denied", "shell"},
		{"/guarded", "edit"},
		{"refund", "mcp"},
		{"notes.txt", "read"},
		{standin.Page, "fetch"},
	} {
		if strings.Contains(event, row.mark) {
			return about + row.kind
		}
	}
	return ""
}
