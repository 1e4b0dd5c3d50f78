package policy

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/policyctl/policyctl/pkg/strictjson"
)

// DecodeCall reads a call from JSON. Keys are matched exactly: a key that is
// not known, that stands twice, or that differs from another only in case is
// an error, at every level. "command" may stand in place of "tool" and
// "input" for a call of the shell.
func DecodeCall(data []byte) (*Call, error) {
	m, err := DecodeObject(data)
	if errors.Is(err, errNoObject) {
		return nil, errors.New("a call must be a JSON object")
	}
	if err != nil {
		return nil, err
	}
	c := &Call{}
	for _, key := range sortedKeys(m) {
		if err := c.set(key, m[key]); err != nil {
			return nil, err
		}
	}
	if command, ok := m["command"]; ok {
		if c.Input != nil || c.Tool != "" {
			return nil, errors.New(`"command" replaces "tool" and "input"; give one or the other`)
		}
		c.Tool, c.Input = "shell", map[string]any{"command": command}
	}
	if c.Tool == "" {
		return nil, errors.New(`"tool" is missing`)
	}
	return c, nil
}

// callKeys are the keys of a call.
var callKeys = []string{
	"id", "tool", "input", "dir", "home", "os", "shell", "agent", "subagent", "session", "scope", "audience", "project_dir",
	"session_dir", "time", "record", "command", "outside_sandbox", "guards_subagents",
}

func (c *Call) set(key string, v any) error {
	text := map[string]*string{
		"id": &c.ID, "tool": &c.Tool, "dir": &c.Dir, "home": &c.Home, "os": &c.OS, "shell": &c.Shell,
		"agent": &c.Agent, "subagent": &c.Subagent, "session": &c.Session, "project_dir": &c.ProjectDir, "session_dir": &c.SessionDir,
	}
	if p, ok := text[key]; ok {
		s, ok := v.(string)
		if !ok && v != nil {
			return fmt.Errorf("%q must be a string", key)
		}
		*p = s
		return nil
	}
	switch key {
	case "command":
		return nil
	case "input", "record":
		m, ok := v.(map[string]any)
		if !ok && v != nil {
			return fmt.Errorf("%q must be an object", key)
		}
		if key == "input" {
			c.Input = m
		} else {
			c.Record = m
		}
		return nil
	case "outside_sandbox", "guards_subagents":
		is, ok := v.(bool)
		if !ok && v != nil {
			return fmt.Errorf("%q must be true or false", key)
		}
		if key == "outside_sandbox" {
			c.OutsideSandbox = is
		} else {
			c.GuardsSubagents = is
		}
		return nil
	case "scope":
		return c.setScope(v)
	case "audience":
		s, _ := v.(string)
		return c.Audience.UnmarshalText([]byte(s))
	case "time":
		s, _ := v.(string)
		t, err := time.Parse(time.RFC3339, s)
		if err != nil {
			return fmt.Errorf("\"time\": %q is not a time in RFC 3339", s)
		}
		c.Time = t
		return nil
	}
	return &NameError{What: "key of a call", Name: key, Valid: callKeys}
}

func (c *Call) setScope(v any) error {
	m, ok := v.(map[string]any)
	if !ok && v != nil {
		return errors.New(`"scope" must be an object`)
	}
	for _, key := range sortedKeys(m) {
		s, ok := m[key].(string)
		if !ok {
			return fmt.Errorf("\"scope\": %q must be a string", key)
		}
		switch key {
		case "plugin":
			c.Scope.Plugin = s
		case "profile":
			c.Scope.Profile = s
		case "integration":
			c.Scope.Integration = s
		default:
			return &NameError{What: "key of a scope", Name: key, Valid: []string{"plugin", "profile", "integration"}}
		}
	}
	return nil
}

var errNoObject = errors.New("it must be a JSON object")

// DecodeObject reads one JSON object as [DecodeCall] does. Numbers stay as
// written, as [json.Number].
func DecodeObject(data []byte) (map[string]any, error) {
	v, err := strictjson.Value(data, strictjson.Options{Folded: true})
	if err != nil {
		return nil, err
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, errNoObject
	}
	return m, nil
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
