package rego

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/pkg/policy"
)

// named reports whether the base name of the program of a command identifies it
// for allowing.
func named(in *policy.Input, i int) bool {
	return in.Trusted(i) || len(in.Line.Commands[i].Words) == 0
}

// doubtful reports whether an allow is about a command whose base name could be
// that of another program.
func (v *verdicts) doubtful() bool {
	for i := range v.entries {
		e := &v.entries[i]
		if e.decision != policy.Allow {
			continue
		}
		for k := range v.commands() {
			if (e.command < 0 || e.command == k) && !named(v.in, k) && v.in.Barrier(k) == "" {
				return true
			}
		}
	}
	return false
}

// spelledOut returns a copy of the input in which such programs bear the path
// that was written in the place of their base name.
func spelledOut(in *policy.Input, input map[string]any) map[string]any {
	out := maps.Clone(input)
	commands := slices.Clone(input["commands"].([]any))
	for i := range commands {
		if !named(in, i) {
			c := maps.Clone(commands[i].(map[string]any))
			c["program"] = c["path"]
			commands[i] = c
		}
	}
	out["commands"] = commands
	if in.Call.Record != nil {
		return out
	}
	records := slices.Clone(input["records"].([]any))
	for i := range records {
		r := records[i].(map[string]any)
		index, _ := r["command"].(json.Number)
		if k, err := strconv.Atoi(string(index)); err == nil && !named(in, k) {
			records[i] = spelledRecord(r, commands[k].(map[string]any)["path"])
		}
	}
	out["records"] = records // and so the first of them, see inputValue
	return out
}

// spelledRecord returns a copy of a record of the shell without what the base
// name of the program gave.
func spelledRecord(record map[string]any, path any) map[string]any {
	out := maps.Clone(record)
	out["verb"], out["summary"] = nil, nil
	facets, _ := record["facets"].(map[string]any)
	fields, _ := facets["shell"].(map[string]any)
	if fields == nil {
		return out
	}
	facets, fields = maps.Clone(facets), maps.Clone(fields)
	fields["program"] = path
	if _, ok := fields["command"].(string); ok {
		fields["command"] = joined(fields["argv"])
	}
	facets["shell"] = fields
	out["facets"] = facets
	return out
}

// joined returns the words of a command with one blank between them, null
// where one is unknown.
func joined(argv any) any {
	list, _ := argv.([]any)
	out := make([]string, len(list))
	for i, v := range list {
		s, ok := v.(string)
		if !ok {
			return nil
		}
		out[i] = s
	}
	return strings.Join(out, " ")
}
