// Package netclaw reads the approvals that netclaw keeps in its file
// tool-approvals.json: verbs with a directory or anywhere, by audience and
// tool. It stores nothing and judges no entry.
package netclaw

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/policyctl/policyctl/pkg/strictjson"
)

// An Entry is one approval as the file has it.
type Entry struct {
	Audience, Tool, Verb string
	// Directory is empty for anywhere.
	Directory string
	// Problem says in a clause why the entry cannot be read, "" if it can.
	Problem string
}

// String names the entry for people.
func (e *Entry) String() string {
	where := " anywhere"
	switch {
	case e.Directory != "":
		where = " in " + e.Directory
	case e.Problem != "":
		where = ""
	}
	return fmt.Sprintf("%s%s for %s", e.Verb, where, e.Audience)
}

// A file is what netclaw writes.
type file struct {
	Version   int                                     `json:"version"`
	Audiences map[string]map[string][]json.RawMessage `json:"audiences"`
}

// Read returns the entries of a file, in the order of their audiences and
// tools.
func Read(data []byte) ([]Entry, error) {
	var head struct {
		Version *int `json:"version"`
	}
	if err := strictjson.DecodeOpen(data, &head); err != nil {
		return nil, fmt.Errorf("it is no JSON object: %w", err)
	}
	switch {
	case head.Version == nil || *head.Version == 1:
		return nil, errors.New("it is of version 1, whose approvals have no directories: netclaw itself uses them no more")
	case *head.Version != 2 && *head.Version != 3:
		return nil, fmt.Errorf("it is of version %d: only 2 and 3 are known", *head.Version)
	}
	var f file
	if err := strictjson.Decode(data, &f); err != nil {
		return nil, err
	}
	var out []Entry
	for _, audience := range slices.Sorted(maps.Keys(f.Audiences)) {
		for _, tool := range slices.Sorted(maps.Keys(f.Audiences[audience])) {
			for _, text := range f.Audiences[audience][tool] {
				out = append(out, entry(audience, tool, text))
			}
		}
	}
	return out, nil
}

// entry reads one approval. A member that is unknown may narrow it, so that
// it is not taken for one without.
func entry(audience, tool string, text json.RawMessage) Entry {
	var e struct {
		Verb      string  `json:"verb"`
		Directory *string `json:"directory"`
		CreatedAt *string `json:"createdAt"`
	}
	out := Entry{Audience: audience, Tool: tool, Verb: string(text)}
	if err := strictjson.Decode(text, &e); err != nil {
		out.Problem = err.Error()
		return out
	}
	out.Verb = e.Verb
	switch {
	case e.Verb == "":
		out.Problem = "it has no verb"
	case e.Directory != nil && *e.Directory == "":
		out.Problem = "its directory is empty, which is not anywhere"
	case e.Directory != nil:
		out.Directory = *e.Directory
	}
	return out
}
