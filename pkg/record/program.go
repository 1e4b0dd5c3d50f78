package record

import "strings"

// program makes the record of a proved program.
func (d *recordMaker) program() {
	input := d.in.Call.Input
	f := facet{name: "program", fields: make(map[string]any, 8)}
	for field, key := range map[string]string{"source": "source_name", "target": "target", "sha256": "program_sha256"} {
		switch v := input[key].(type) {
		case nil:
		case string:
			f.fields[field] = v
		default:
			f.hide(field)
		}
	}
	for _, name := range []string{"guarantees", "trusted_roots", "import_roots"} {
		if list, ok := textsOf(input[name]); ok {
			f.fields[name] = list
		} else {
			f.hide(name)
		}
	}
	f.proofs(input["proofs"])
	for field, key := range map[string]string{"bytes": "program_bytes", "prover": "prover"} {
		if v, ok := input[key]; ok {
			f.fields[field] = v
		}
	}
	target, _ := f.fields["target"].(string)
	r := d.record("program.run", "run", "program", strings.TrimSpace("run "+target), -1)
	r.attach(f)
	if a := r.Facets["tool"]; a != nil {
		a["arguments"] = arguments(d.in)
	}
}

// proofs sets what was proved, each as NAME: CONCLUSION.
func (f *facet) proofs(v any) {
	list, ok := v.([]any)
	if v != nil && !ok {
		f.hide("proofs")
		return
	}
	out := []any{}
	for _, e := range list {
		m, _ := e.(map[string]any)
		name, named := m["name"].(string)
		conclusion, concluded := m["conclusion"].(string)
		if !named || !concluded {
			f.hide("proofs")
			return
		}
		out = append(out, name+": "+conclusion)
	}
	f.fields["proofs"] = out
}

// textsOf returns a list of texts, an empty one where there is none.
func textsOf(v any) ([]any, bool) {
	list, ok := v.([]any)
	if v == nil {
		return []any{}, true
	}
	for _, e := range list {
		if _, isText := e.(string); !isText {
			return nil, false
		}
	}
	return list, ok
}
