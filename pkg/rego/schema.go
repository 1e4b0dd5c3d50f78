package rego

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/open-policy-agent/opa/v1/ast"
)

//go:embed schemas/input.json
var inputSchema []byte

// InputSchema returns the JSON Schema of what [Input] returns, within what the
// type checker of OPA reads of draft 7. The caller owns the result.
func InputSchema() []byte { return bytes.Clone(inputSchema) }

// schemaSet returns the schema for the input of every module. Annotations may
// name it as schema.input.
func schemaSet() (*ast.SchemaSet, error) {
	var schema any
	if err := json.Unmarshal(inputSchema, &schema); err != nil {
		return nil, fmt.Errorf("schema of the input: %w", err)
	}
	set := ast.NewSchemaSet()
	set.Put(ast.SchemaRootRef, schema)
	set.Put(ast.MustParseRef("schema.input"), schema)
	return set, nil
}
