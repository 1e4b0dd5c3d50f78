package mockservice

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/policyctl/policyctl/internal/service/webguard"
)

// read reads a request. It may have more keys than the mock knows, but none
// twice.
func read(body io.Reader) (submission, error) {
	var keys map[string]json.RawMessage
	if err := webguard.Decode(body, &keys); err != nil {
		return submission{}, err
	}
	id, err := member(keys, "request_id")
	if err != nil {
		return submission{}, err
	}
	if id == nil || *id == "" {
		return submission{}, fmt.Errorf("request_id: missing; write a string that names the request")
	}
	in := submission{id: *id}
	if in.program, err = member(keys, "program"); err != nil {
		return submission{}, err
	}
	declared, err := member(keys, "program_sha256")
	if declared != nil {
		in.declared = *declared
	}
	return in, err
}

// member returns a string of an object, nil where it is absent.
func member(keys map[string]json.RawMessage, key string) (*string, error) {
	raw, has := keys[key]
	if !has {
		return nil, nil
	}
	var s *string
	if err := json.Unmarshal(raw, &s); err != nil || s == nil {
		return nil, fmt.Errorf("%s: this is not a string", key)
	}
	return s, nil
}
