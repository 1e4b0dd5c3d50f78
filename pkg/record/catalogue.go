package record

import (
	"encoding/json"
	"slices"
)

// A Field is a field of a well-known facet.
type Field struct {
	Name string    `json:"name"`
	Type FieldType `json:"type"`
	// Meaning is one line for people.
	Meaning string `json:"meaning"`
}

// A FieldType says which values a field has.
type FieldType uint8

// The types. An object may be one of any fields; Any is every other value.
const (
	AnyField FieldType = iota
	TextField
	NumberField
	TextsField // a list of texts
	ObjectField
)

var fieldTypeNames = [...]string{"any", "text", "number", "texts", "object"}

// String returns "any", "text", "number", "texts" or "object".
func (t FieldType) String() string { return fieldTypeNames[t] }

// MarshalText encodes the type as its name.
func (t FieldType) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// A Schema describes one kind of record.
type Schema struct {
	// Plugin says who makes the records.
	Plugin string `json:"pluginId"`
	// Type is the type of the record; one that ends in ".*" stands for all
	// that begin so.
	Type        string      `json:"type"`
	Label       string      `json:"label"`
	Description string      `json:"description"`
	Primary     string      `json:"primary"`
	Sensitivity Sensitivity `json:"defaultSensitivity"`
	Facets      []string    `json:"facets"`
}

// MarshalText encodes the sensitivity as its name.
func (s Sensitivity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Facets returns the names of the well-known facets in the order of the
// reference.
func Facets() []string {
	out := make([]string, len(facets))
	for i := range facets {
		out[i] = facets[i].name
	}
	return out
}

// Fields returns the fields of a well-known facet. Other facets may have any.
func Fields(facet string) (fields []Field, known bool) {
	for i := range facets {
		if facets[i].name == facet {
			return slices.Clone(facets[i].fields), true
		}
	}
	return nil, false
}

// TypeOf returns the type of a field, and whether its facet is well-known.
func TypeOf(facet, field string) (t FieldType, known bool) {
	for i := range facets {
		if facets[i].name != facet {
			continue
		}
		for _, f := range facets[i].fields {
			if f.Name == field {
				return f.Type, true
			}
		}
		return AnyField, true
	}
	return AnyField, false
}

// Schemas returns the kinds of records that are made of calls.
func Schemas() []Schema {
	out := slices.Clone(schemas)
	for i := range out {
		out[i].Facets = slices.Clone(out[i].Facets)
	}
	return out
}

// Catalogue returns the kinds of records and the well-known facets as JSON.
func Catalogue() []byte {
	type facet struct {
		Name   string  `json:"name"`
		Fields []Field `json:"fields"`
	}
	all := struct {
		Schemas []Schema `json:"schemas"`
		Facets  []facet  `json:"facets"`
	}{Schemas: schemas}
	for i := range facets {
		all.Facets = append(all.Facets, facet{facets[i].name, facets[i].fields})
	}
	data, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		panic(err) // every part has a text form
	}
	return data
}

// facets are the well-known facets.
var facets = []struct {
	name   string
	fields []Field
}{
	{"shell", []Field{
		{"program", TextField, "the base name of the program in lower case"},
		{"argv", TextsField, "the program and its arguments"},
		{"command", TextField, "the program and its arguments with a blank between them"},
		{"dir", TextField, "the absolute directory in which it runs"},
		{"context", TextField, "where it runs: local, container or remote"},
		{"writes", TextsField, "the absolute paths that its words and redirections name to be written, moved, changed or removed"},
		{"reads", TextsField, "the absolute paths that its words and redirections name to be read"},
		{"hosts", TextsField, "the hosts that its words name, in lower case, without port"},
		{"dangerous", TextsField, "the ids of the dangerous patterns that it matches"},
		{"line", TextField, "the whole line; only for rules that deny or ask"},
	}},
	{"file", []Field{
		{"path", TextField, "the absolute path"},
		{"op", TextField, "read, write, search or list; what moves, changes or removes a file writes it"},
	}},
	{"http", []Field{
		{"method", TextField, "the method in upper case"},
		{"url", TextField, "the URL as it was written"},
		{"scheme", TextField, "http or https, in lower case"},
		{"host", TextField, "the host in lower case, without port"},
		{"port", NumberField, "the port, that of the scheme where none is written"},
		{"path", TextField, "the path, decoded; / where there is none"},
		{"query", TextField, "what follows the question mark, as it was written"},
		{"status", NumberField, "the status of a response"},
		{"headers", ObjectField, "the headers by lower-case name"},
		{"body", AnyField, "the body: a text, or an object"},
	}},
	{"ws", []Field{
		{"url", TextField, "the URL of the connection"},
		{"direction", TextField, "in or out"},
	}},
	{"sse", []Field{
		{"url", TextField, "the URL of the stream"},
		{"direction", TextField, "in or out"},
	}},
	{"llm", []Field{
		{"provider", TextField, "who serves the model, such as anthropic"},
		{"model", TextField, "the model that is asked for"},
		{"tokens", NumberField, "how many tokens the request takes, as whoever makes the record counts them"},
		{"cost", NumberField, "what the request costs in US dollars"},
	}},
	{"sql", []Field{
		{"verb", TextField, "the first keyword of the statement in upper case"},
		{"tables", TextsField, "the tables that it names, in lower case where they are not quoted"},
		{"database", TextField, "the database as the client was given it"},
	}},
	{"ssh", []Field{
		{"host", TextField, "the host as written, in lower case"},
		{"user", TextField, "the user, where one is written"},
		{"command", TextField, "the command; missing for a login"},
	}},
	{"k8s", []Field{
		{"verb", TextField, "the sub-command, such as get or delete"},
		{"resource", TextField, "the resource in the plural without its group, such as deployments"},
		{"namespace", TextField, "the namespace that is written"},
		{"name", TextField, "the name of the object"},
		{"cluster", TextField, "the context or the cluster that is written"},
	}},
	{"mcp", []Field{
		{"server", TextField, "the server"},
		{"tool", TextField, "the tool"},
		{"arguments", ObjectField, "the arguments"},
	}},
	{"program", []Field{
		{"source", TextField, "the file of the program"},
		{"target", TextField, "the function that runs"},
		{"guarantees", TextsField, "what the contract guarantees"},
		{"proofs", TextsField, "what was proved, as in \"main: proved!\""},
		{"trusted_roots", TextsField, "the directories whose code is trusted without a proof"},
		{"import_roots", TextsField, "the directories from which the program imports"},
		{"sha256", TextField, "the hash of its text, in lower case"},
		{"bytes", AnyField, "the size of its text; missing where only the hash was sent"},
		{"prover", AnyField, "true if the token is trusted to have proved the program"},
	}},
	{"tool", []Field{
		{"name", TextField, "the tool by the name that policies use"},
		{"kind", TextField, "its kind: shell, read, write, fetch, search, mcp or other"},
		{"risk", TextField, "its risk: low, medium or high"},
		{"arguments", ObjectField, "the arguments, of tools that have no facet of their own"},
	}},
}

// schemas are the kinds of records that are made of calls.
var schemas = []Schema{
	{"policyctl", "shell.exec", "Shell command", "One simple command of a shell line.", "shell", Mutate, []string{"shell", "file", "http", "ssh", "sql", "k8s", "tool"}},
	{"policyctl", "file.read", "Read a file", "A tool reads a file.", "file", Read, []string{"file", "tool"}},
	{"policyctl", "file.write", "Write a file", "A tool writes or changes a file.", "file", Write, []string{"file", "tool"}},
	{"policyctl", "file.search", "Search files", "A tool looks for files or for text in them.", "file", Read, []string{"file", "tool"}},
	{"policyctl", "file.list", "List files", "A tool lists a directory.", "file", Read, []string{"file", "tool"}},
	{"policyctl", "http.request", "HTTP request", "A tool fetches a URL.", "http", Read, []string{"http", "tool"}},
	{"policyctl", "mcp.call", "MCP tool", "A tool of an MCP server is called.", "mcp", Mutate, []string{"mcp", "tool"}},
	{"policyctl", "program.run", "Proved program", "A program of clauz3 is submitted with its contract.", "program", Mutate, []string{"program", "tool"}},
	{"policyctl", "tool.call", "Other tool", "A tool without its own facet is called.", "tool", Mutate, []string{"tool"}},
}
