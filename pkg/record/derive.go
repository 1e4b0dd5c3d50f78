package record

import (
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A Part is a record of a part of a call.
type Part struct {
	Record *Record
	// Command is the index of the simple command that the record describes,
	// -1 for the call as a whole.
	Command int
}

// Derive returns the records of a call. A shell line has at least one for each
// simple command, and one more for each further file, URL, statement or object
// that the command names; a call of another tool one for each path or URL. A
// record that the call brings along is the only one. Of what nobody needs the
// records say nothing. The error says what is wrong with the record of the
// call.
func Derive(in *policy.Input, n Needs) ([]Part, error) {
	if in.Call.Record != nil {
		r, err := Decode(in.Call.Record)
		if err != nil {
			return nil, err
		}
		return []Part{{r, -1}}, nil
	}
	d := recordMaker{in: in, needs: n}
	switch {
	case in.Line != nil:
		d.line()
	case in.Tool.Kind == policy.KindFetch:
		d.fetch()
	case isFileTool(in.Tool):
		d.files()
	case isMCP(in):
		d.mcp()
	case in.Tool.Name == "clauz3.run":
		d.program()
	default:
		d.other()
	}
	return d.parts, nil
}

// A recordMaker makes the records of one call.
type recordMaker struct {
	in    *policy.Input
	needs Needs
	parts []Part
}

// A facet is one facet of a record, with what of it is unknown.
type facet struct {
	name    string
	fields  map[string]any
	unknown []string
}

// hide notes that fields are unknown.
func (f *facet) hide(fields ...string) {
	for _, name := range fields {
		f.unknown = append(f.unknown, f.name+"."+name)
	}
}

// hidden returns a facet of which nothing is known.
func hidden(name string) facet { return facet{name: name, unknown: []string{name}} }

// attach adds a facet to a record.
func (r *Record) attach(f facet) {
	if f.fields != nil {
		r.Facets[f.name] = f.fields
	}
	r.Unknown = append(r.Unknown, f.unknown...)
}

// record starts a record of the call.
func (d *recordMaker) record(kind, verb, primary, summary string, command int) *Record {
	t := d.in.Tool
	r := &Record{Type: kind, Verb: verb, Primary: primary, Summary: summary, Tags: t.Groups, Sensitivity: Mutate, Facets: make(map[string]map[string]any, 2)}
	if d.needs&needTool != 0 {
		r.Facets["tool"] = map[string]any{"name": t.Name, "kind": t.Kind.String(), "risk": t.Risk.String()}
	}
	if isMCP(d.in) {
		r.attach(mcpFacet(d.in))
	}
	d.parts = append(d.parts, Part{r, command})
	return r
}

// files makes a record for each path of a tool that works on files.
func (d *recordMaker) files() {
	kind, harm := "read", Read
	paths := d.in.Subjects
	switch {
	case d.in.Tool.Kind == policy.KindWrite:
		kind, harm = "write", Write
	case d.in.Tool.Kind == policy.KindSearch:
		kind, paths = "search", d.looks()
		if d.in.Tool.Name == "list" {
			kind = "list"
		}
	}
	if d.searchesElsewhere(kind, paths) {
		paths = append(paths[:len(paths):len(paths)], shell.UnknownText)
	}
	for _, p := range paths {
		path, known := d.abs(p)
		known = known && p != shell.UnknownText
		r := d.record("file."+kind, kind, "file", kind+" "+path, -1)
		r.Sensitivity = harm
		f := facet{name: "file", fields: map[string]any{"path": path, "op": kind}}
		if !known {
			f.hide("path")
			r.Unknown = append(r.Unknown, "summary")
		}
		r.attach(f)
	}
	if len(paths) == 0 {
		r := d.record("file."+kind, kind, "file", kind, -1)
		r.Sensitivity = harm
		r.Unknown = append(r.Unknown, "summary")
		r.attach(hidden("file"))
	}
}

// searchesElsewhere reports whether a search looks at files that lie neither in
// the directory of the call nor are named: below another directory, or where
// its pattern leads.
func (d *recordMaker) searchesElsewhere(kind string, paths []string) bool {
	if kind != "search" {
		return false
	}
	for _, p := range paths {
		if path, _ := d.abs(p); d.outside(path, kind) {
			return true
		}
	}
	if d.in.Tool.Name == "glob" {
		for _, s := range d.in.Subjects {
			if strings.HasPrefix(s, "/") || strings.HasPrefix(s, "~") || strings.Contains(s, "..") {
				return true
			}
		}
	}
	return false
}

// looks returns the paths that a search looks into: the directory of the call
// where none is given.
func (d *recordMaker) looks() []string {
	var out []string
	for _, field := range d.in.Tool.Looks {
		name, list := strings.CutSuffix(field, "[]")
		switch v := d.in.Call.Input[name].(type) {
		case string:
			out = append(out, v)
		case []any:
			for _, e := range v {
				if s, ok := e.(string); ok && list {
					out = append(out, s)
				}
			}
		}
	}
	if out == nil && d.in.Call.Dir != "" {
		out = []string{d.in.Call.Dir}
	}
	return out
}

// mcp makes the record of a call of an MCP tool.
func (d *recordMaker) mcp() {
	server, tool, known := mcpName(d.in)
	r := d.record("mcp.call", tool, "mcp", strings.TrimSpace(server+" "+tool), -1)
	if !known && server != "" {
		r.Unknown = append(r.Unknown, "verb")
	}
}

func mcpFacet(in *policy.Input) facet {
	server, tool, known := mcpName(in)
	f := facet{name: "mcp", fields: map[string]any{"server": server, "tool": tool, "arguments": arguments(in)}}
	switch {
	case known:
	case server == "":
		f.hide("server")
	default:
		f.hide("server", "tool")
	}
	return f
}

// other makes the record of a tool that has no facet of its own.
func (d *recordMaker) other() {
	t := d.in.Tool
	r := d.record("tool.call", t.Name, "tool", t.Name, -1)
	if d.in.ReadsOnly(0) {
		r.Sensitivity = Read
	}
	if f := r.Facets["tool"]; f != nil {
		f["arguments"] = arguments(d.in)
	}
}

func arguments(in *policy.Input) map[string]any {
	if in.Call.Input == nil {
		return map[string]any{}
	}
	return in.Call.Input
}

// isMCP reports whether the tool is one of an MCP server.
func isMCP(in *policy.Input) bool {
	return in.Tool.Kind == policy.KindMCP || strings.HasPrefix(in.Call.Tool, "mcp__")
}

// mcpName returns server and tool of a name such as mcp__github__create_issue,
// and whether they are known: several double underscores may be parted in more
// than one way, and other names tell no server.
func mcpName(in *policy.Input) (server, tool string, known bool) {
	rest, ok := strings.CutPrefix(in.Call.Tool, "mcp__")
	if !ok {
		return "", in.Tool.Name, false
	}
	server, tool, ok = strings.Cut(rest, "__")
	if !ok {
		return "", rest, false
	}
	return server, tool, !strings.Contains(tool, "__")
}

// isFileTool reports whether the subjects of a tool, or where it looks, are
// paths.
func isFileTool(t *policy.Tool) bool {
	switch t.Kind {
	case policy.KindRead, policy.KindWrite:
		return t.Name != "shell_output"
	}
	return t.Kind == policy.KindSearch && len(t.Looks) > 0
}
