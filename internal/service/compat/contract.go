package compat

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/service/webguard"
	"github.com/policyctl/policyctl/pkg/approval"
)

// A contract is what a client of clauz3 submits: a proved program and what it
// guarantees.
type contract struct {
	Version    int      `json:"schema_version"`
	Kind       string   `json:"kind"`
	ID         string   `json:"request_id"`
	Hash       string   `json:"program_sha256"`
	Source     string   `json:"source_name"`
	Target     string   `json:"target"`
	Trusted    []string `json:"trusted_roots"`
	Imports    []string `json:"import_roots"`
	Guarantees []string `json:"guarantees"`
	Proofs     []proof  `json:"proofs"`
	Program    string   `json:"program"`
}

// A proof says what was proved of one function.
type proof struct {
	Name        string `json:"name"`
	Conclusion  string `json:"conclusion"`
	Description string `json:"description"`
}

// fields are the keys of a contract, with where each goes, and whether it must
// be there.
func (c *contract) fields() map[string]field {
	return map[string]field{
		"schema_version": {&c.Version, true}, "kind": {&c.Kind, true}, "request_id": {&c.ID, true},
		"program_sha256": {&c.Hash, true}, "program": {&c.Program, true},
		"source_name": {&c.Source, false}, "target": {&c.Target, false}, "trusted_roots": {&c.Trusted, false},
		"import_roots": {&c.Imports, false}, "guarantees": {&c.Guarantees, false}, "proofs": {&c.Proofs, false},
	}
}

type field struct {
	into any
	must bool
}

// readContract reads a submission. Keys that are unknown are kept, since
// newer clients may send more. The hash of the program is computed here: what
// a person sees is what the receipt is for.
func readContract(keys map[string]json.RawMessage) (*contract, error) {
	c := &contract{}
	fields := c.fields()
	if err := similar(keys, fields); err != nil {
		return nil, err
	}
	for _, key := range ownKeys {
		if _, has := keys[key]; has {
			return nil, unfit("%s: this key is the service's own in a record; leave it out", key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		f := fields[key]
		raw, has := keys[key]
		switch {
		case !has && f.must:
			return nil, unfit("%s: missing; a submission has it", key)
		case !has:
			continue
		case string(raw) == "null" || json.Unmarshal(raw, f.into) != nil:
			return nil, unfit("%s: this has another type than in the protocol; correct it", key)
		}
	}
	return c, c.check()
}

func (c *contract) check() error {
	sum := sha256.Sum256([]byte(c.Program))
	hash := hex.EncodeToString(sum[:])
	switch {
	case c.Version != 1:
		return unfit("schema_version: %d is unknown; this service speaks version 1", c.Version)
	case c.Kind != approval.KindContract:
		return unfit("kind: %.64q is unknown; submit %s here, and calls of tools at /v1/requests", c.Kind, approval.KindContract)
	case !webguard.ValidID(c.ID):
		return unfit("request_id: %.64q is not an id; use letters, digits and . _ : - behind a letter or a digit", c.ID)
	case c.Hash != hash:
		return unfit("program_sha256: %.64q is not that of the program, which is %s; send the hash of the UTF-8 text of the program", c.Hash, hash)
	}
	return nil
}

// similar refuses a key that is a known one but for upper and lower case: two
// readers could take it for two things.
func similar(keys map[string]json.RawMessage, fields map[string]field) error {
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if _, known := fields[key]; known {
			continue
		}
		for name := range fields {
			if strings.EqualFold(name, key) {
				return unfit("%.64q: did you mean %q?", key, name)
			}
		}
	}
	return nil
}

func unfit(format string, args ...any) error {
	return refuse(http.StatusUnprocessableEntity, format, args...)
}

// title says in one line what is asked.
func (c *contract) title() string {
	text := "run " + c.Target
	if c.Source != "" {
		text += " of " + c.Source
	}
	if len(c.Guarantees) > 0 {
		text += ": " + strings.Join(c.Guarantees, "; ")
	}
	return line(text)
}

// submission returns what the service is asked.
func (c *contract) submission(text []byte) (approval.Submission, error) {
	var tight bytes.Buffer
	if err := json.Compact(&tight, text); err != nil {
		return approval.Submission{}, fmt.Errorf("submission: %w", err)
	}
	return approval.Submission{Name: c.ID, Contract: tight.Bytes(), Title: c.title()}, nil
}
