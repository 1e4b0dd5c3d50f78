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

// fields are the keys of a contract, with where each goes.
func (c *contract) fields() map[string]any {
	return map[string]any{
		"schema_version": &c.Version, "kind": &c.Kind, "request_id": &c.ID, "program_sha256": &c.Hash, "program": &c.Program,
		"source_name": &c.Source, "target": &c.Target, "trusted_roots": &c.Trusted, "import_roots": &c.Imports,
		"guarantees": &c.Guarantees, "proofs": &c.Proofs,
	}
}

// readContract reads a submission. Keys that are unknown are kept, since
// newer clients may send more, and what is missing is completed. The hash of the program
// is computed here: what a person sees is what the receipt is for.
func readContract(keys map[string]json.RawMessage) (*contract, error) {
	c := &contract{}
	if len(keys) == 0 {
		return nil, unfit("request_id: missing, like all else: a submission says what is to run")
	}
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
		if raw, has := keys[key]; has && (string(raw) == "null" || json.Unmarshal(raw, fields[key]) != nil) {
			return nil, unfit("%s: this has another type than in the protocol; correct it", key)
		}
	}
	hash := ""
	if _, has := keys["program"]; has {
		sum := sha256.Sum256([]byte(c.Program))
		hash = hex.EncodeToString(sum[:])
	}
	c.complete(keys, hash)
	return c, c.check(hash)
}

// unnamed is the id of a submission that has neither an id nor a hash; of a hash the id
// has idDigits digits.
const (
	unnamed  = "clr_unknown"
	idDigits = 12
)

// complete fills in what a submission leaves out, as the service of clauz3 does: the id is
// made of the hash. What else is missing is what its protocol always has. hash is that of
// the program, "" where there is none: the hash that is given then stands for it.
func (c *contract) complete(keys map[string]json.RawMessage, hash string) {
	given := func(key string) bool { _, has := keys[key]; return has }
	if !given("schema_version") {
		c.Version = 1
	}
	if !given("kind") {
		c.Kind = approval.KindContract
	}
	if !given("program_sha256") {
		c.Hash = hash
	}
	switch {
	case c.ID != "":
	case c.Hash != "":
		c.ID = "clr_" + c.Hash[:min(len(c.Hash), idDigits)]
	default:
		c.ID = unnamed
	}
}

// check refuses what is no submission. hash is that of the program, "" for none.
func (c *contract) check(hash string) error {
	switch {
	case c.Version != 1:
		return unfit("schema_version: %d is unknown; this service speaks version 1", c.Version)
	case c.Kind != approval.KindContract:
		return unfit("kind: %.64q is unknown; submit %s here, and calls of tools at /v1/requests", c.Kind, approval.KindContract)
	case !webguard.ValidID(c.ID):
		return unfit("request_id: %.64q is not an id; use letters, digits and . _ : - behind a letter or a digit", c.ID)
	case hash != "" && c.Hash != hash:
		return unfit("program_sha256: %.64q is not that of the program, which is %s; send the hash of the UTF-8 text of the program", c.Hash, hash)
	}
	return nil
}

// similar refuses a key that is a known one but for upper and lower case: two
// readers could take it for two things.
func similar(keys map[string]json.RawMessage, fields map[string]any) error {
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
	text := strings.TrimSpace("run " + c.Target)
	if c.Source != "" {
		text += " of " + c.Source
	}
	if len(c.Guarantees) > 0 {
		text += ": " + strings.Join(c.Guarantees, "; ")
	}
	return line(text)
}

// submission returns what the service is asked: the text of the client, with what was
// completed.
func (c *contract) submission(text []byte, keys map[string]json.RawMessage) (approval.Submission, error) {
	full, missing := maps.Clone(keys), false
	for key, value := range map[string]any{"schema_version": c.Version, "kind": c.Kind, "request_id": c.ID, "program_sha256": c.Hash} {
		if given := keys[key]; given != nil && string(given) != `""` || value == "" {
			continue
		}
		raw, err := json.Marshal(value)
		if err != nil {
			return approval.Submission{}, fmt.Errorf("submission: %w", err)
		}
		full[key], missing = raw, true
	}
	var tight bytes.Buffer
	err := json.Compact(&tight, text)
	if missing {
		tight.Reset()
		e := json.NewEncoder(&tight)
		e.SetEscapeHTML(false)
		err = e.Encode(full)
	}
	if err != nil {
		return approval.Submission{}, fmt.Errorf("submission: %w", err)
	}
	return approval.Submission{Name: c.ID, Contract: bytes.TrimSpace(tight.Bytes()), Title: c.title()}, nil
}
