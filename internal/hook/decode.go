package hook

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/policyctl/policyctl/pkg/policy"
)

// object reads one JSON object as strictly as [policy.DecodeCall] does.
func object(data []byte) (map[string]any, error) {
	var whole json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		return nil, fmt.Errorf("it is not one JSON value: %w", err)
	}
	return policy.DecodeObject(data)
}

// eventName returns the name of an event, "" where there is none or are two.
// It reads as far as it can, so that an event that is cut short or broken
// further down still gets an answer of the right form.
func eventName(data []byte) string {
	d := json.NewDecoder(bytes.NewReader(data))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return ""
	}
	name, found := "", false
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return name
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return name
		}
		if key != "hook_event_name" {
			continue
		}
		if found {
			return ""
		}
		found = true
		if json.Unmarshal(value, &name) != nil {
			return ""
		}
	}
	return name
}
