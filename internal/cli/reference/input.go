package reference

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/pkg/rego"
)

const inputIntro = `What the package ` + "`" + rego.AdmissionPackage + "`" + ` sees of a call, as ` + "`input`" + `. ` + "`policyctl admission input 'COMMAND'`" + ` prints
it for a call, and ` + "`policyctl schema input`" + ` its JSON Schema, from which this page is made. [Rego](../rego.md#admission) has the rest.

Null stands for what is unknown; in a list it means that there may be more.`

// A schema is what the page needs of a JSON Schema.
type schema struct {
	Ref         string `json:"$ref"`
	Description string
	Properties  properties
	Items       *schema
	Definitions map[string]*schema
}

// properties are those of an object, in their order.
type properties []property

type property struct {
	name string
	schema
}

// UnmarshalJSON implements [json.Unmarshaler].
func (p *properties) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		next := property{name: fmt.Sprint(name)}
		if err := d.Decode(&next.schema); err != nil {
			return err
		}
		*p = append(*p, next)
	}
	return nil
}

// inputPage describes the fields of a schema, a class for each at the top.
func inputPage(text []byte) (document, error) {
	var root schema
	if err := json.Unmarshal(text, &root); err != nil {
		return document{}, fmt.Errorf("the schema of the input: %w", err)
	}
	d := document{title: "The input of admission policies", intro: inputIntro}
	for _, p := range root.Properties {
		rows := root.rows(p.name, &p.schema)
		body := prose(sentence(p.Description))
		if len(rows) > 0 {
			body += "\n\n| field | meaning |\n|---|---|\n" + strings.Join(rows, "\n")
		}
		d.classes = append(d.classes, class{name: p.name, about: prose(p.Description), body: body})
	}
	return d, nil
}

// rows describes the fields below a path.
func (root *schema) rows(path string, s *schema) (out []string) {
	if s.Items != nil {
		path, s = path+"[]", s.Items
	}
	if s.Ref != "" {
		s = root.Definitions[strings.TrimPrefix(s.Ref, "#/definitions/")]
	}
	for _, p := range s.Properties {
		at := path + "." + p.name
		out = append(out, fmt.Sprintf("| %s | %s |", cell(code(at)), cell(prose(p.Description))))
		out = append(out, root.rows(at, &p.schema)...)
	}
	return out
}

// sentence returns a clause as a sentence.
func sentence(clause string) string {
	if clause == "" {
		return ""
	}
	return strings.ToUpper(clause[:1]) + clause[1:] + "."
}
