package rego

import (
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
)

// A recordMask puts null in the place of what is unknown. home says that the
// home directory is unknown: then what the shell put in its place is none.
type recordMask struct{ home bool }

// records returns the records of a call.
func (h recordMask) records(in *policy.Input) ([]any, error) {
	parts, err := record.Derive(in, record.Everything)
	if err != nil {
		return nil, err
	}
	out := make([]any, len(parts))
	for i := range parts {
		if out[i], err = h.record(&parts[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// derived returns the records that the engine makes of a call that brings its
// own.
func (h recordMask) derived(in *policy.Input) ([]any, error) {
	plain, call := *in, *in.Call
	call.Record = nil
	plain.Call = &call
	return h.records(&plain)
}

// record returns a record with the keys of its JSON form, and the command that
// it is about.
func (h recordMask) record(p *record.Part) (map[string]any, error) {
	r := p.Record
	out := map[string]any{"sensitivity": r.Sensitivity.String(), "command": at(p.Command)}
	for key, v := range map[string]string{
		"type": r.Type, "summary": r.Summary, "description": r.Description, "verb": r.Verb, "primary": r.Primary,
	} {
		if v != "" {
			out[key] = h.text(v)
		}
	}
	if len(r.Tags) > 0 {
		out["tags"] = validTexts(r.Tags)
	}
	if len(r.Facets) > 0 {
		facets, err := h.facets(r.Facets)
		if err != nil {
			return nil, err
		}
		out["facets"] = facets
	}
	if len(r.Unknown) == 0 {
		return out, nil
	}
	out["unknown"] = validTexts(r.Unknown)
	for _, u := range r.Unknown {
		hide(out, u)
	}
	return out, nil
}

func (h recordMask) facets(facets map[string]map[string]any) (map[string]any, error) {
	out := make(map[string]any, len(facets))
	for name, fields := range facets {
		v, err := jsonValue(fields)
		if err != nil {
			return nil, fmt.Errorf("record.facets[%q]%w", name, err)
		}
		if h.home {
			h.fields(v.(map[string]any))
		}
		out[validText(name)] = v
	}
	return out, nil
}

// fields hides what names an unknown home in the fields of a facet. The source
// of the line and the arguments are as the agent wrote them.
func (h recordMask) fields(fields map[string]any) {
	for key, v := range fields {
		if key != "line" && key != "arguments" {
			fields[key] = h.value(v)
		}
	}
}

func (h recordMask) value(v any) any {
	switch v := v.(type) {
	case string:
		return h.text(v)
	case []any:
		for i := range v {
			v[i] = h.value(v[i])
		}
	case map[string]any:
		h.fields(v)
	}
	return v
}

// text returns a text, null for one that names a home that is unknown.
func (h recordMask) text(s string) any {
	if h.home && strings.Contains(s, eval.UnknownHome) {
		return nil
	}
	return validText(s)
}

// hide puts null where a path of [record.Record.Unknown] leads. A list of
// which more is unknown keeps what is.
func hide(whole map[string]any, path string) {
	keys, element := record.SplitUnknown(path)
	if keys[0] == "facets" && len(keys) > 1 {
		keys = keys[1:]
	} else if len(keys) == 1 && isTop(keys[0]) {
		whole[keys[0]] = record.Masked(whole[keys[0]], element)
		return
	}
	m, _ := whole["facets"].(map[string]any)
	if m == nil {
		m = map[string]any{}
		whole["facets"] = m
	}
	for _, key := range keys[:len(keys)-1] {
		next, ok := m[key].(map[string]any)
		if !ok {
			m[key] = nil
			return
		}
		m = next
	}
	last := keys[len(keys)-1]
	m[last] = record.Masked(m[last], element)
}

// orMore returns a list that ends with null: there may be more.
func orMore(list []any) []any {
	if n := len(list); n > 0 && list[n-1] == nil {
		return list
	}
	return append(list, nil)
}

func isTop(key string) bool {
	switch key {
	case "type", "summary", "description", "verb", "sensitivity", "primary", "tags":
		return true
	}
	return false
}
