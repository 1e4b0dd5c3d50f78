package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/policyctl/policyctl/pkg/jsontext"
)

// maxDepth bounds how deep the JSON of a call may nest.
const maxDepth = 64

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
			return nil, errors.New(`"command" stands in place of "tool" and "input"; give one or the other`)
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
	"id", "tool", "input", "dir", "home", "os", "shell", "agent", "session", "scope", "audience", "project_dir",
	"session_dir", "time", "record", "command", "outside_sandbox",
}

func (c *Call) set(key string, v any) error {
	text := map[string]*string{
		"id": &c.ID, "tool": &c.Tool, "dir": &c.Dir, "home": &c.Home, "os": &c.OS, "shell": &c.Shell,
		"agent": &c.Agent, "session": &c.Session, "project_dir": &c.ProjectDir, "session_dir": &c.SessionDir,
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
	case "outside_sandbox":
		leaves, ok := v.(bool)
		if !ok && v != nil {
			return fmt.Errorf("%q must be true or false", key)
		}
		c.OutsideSandbox = leaves
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
			return fmt.Errorf("\"time\": %q is no time of RFC 3339", s)
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
	if err := jsontext.Check(data); err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	v, err := decodeValue(d, 0)
	if err != nil {
		return nil, err
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, errNoObject
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("something follows the JSON object")
	}
	return m, nil
}

func decodeValue(d *json.Decoder, depth int) (any, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("the JSON nests deeper than %d levels", maxDepth)
	}
	tok, err := d.Token()
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil, errors.New("the JSON ends too early")
	}
	if err != nil {
		return nil, fmt.Errorf("the JSON does not parse: %w", err)
	}
	switch tok {
	case json.Delim('{'):
		return decodeMembers(d, depth)
	case json.Delim('['):
		list := []any{}
		for d.More() {
			v, err := decodeValue(d, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, end(d)
	}
	return tok, nil
}

func decodeMembers(d *json.Decoder, depth int) (map[string]any, error) {
	m := make(map[string]any)
	folded := make(map[string]string)
	for d.More() {
		tok, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("the JSON does not parse: %w", err)
		}
		key := tok.(string)
		f := foldKey(key)
		switch old, twice := folded[f]; {
		case twice && old == key:
			return nil, fmt.Errorf("the key %q stands twice", key)
		case twice:
			return nil, fmt.Errorf("the keys %q and %q differ only in case", old, key)
		}
		folded[f] = key
		if m[key], err = decodeValue(d, depth+1); err != nil {
			return nil, err
		}
	}
	return m, end(d)
}

// end reads the closing delimiter.
func end(d *json.Decoder) error {
	if _, err := d.Token(); err != nil {
		return errors.New("the JSON ends too early")
	}
	return nil
}

// foldKey folds the case of a key as lenient JSON decoders do, which also
// take U+017F for s and U+212A for k.
func foldKey(key string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case 'ſ':
			return 's'
		case '\u212a':
			return 'k'
		}
		return r
	}, strings.ToLower(key))
}
