package config

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// A schema is a piece of a JSON Schema.
type schema map[string]any

// A shape describes how a value is written. Shapes are called when a schema is
// wanted, which deciding a call never does.
type shape func() schema

// MarshalJSON makes what a shape has within only where all of a schema is wanted:
// most of the time it is the type that is asked for.
func (s shape) MarshalJSON() ([]byte, error) { return strictjson.Marshal(s()) }

func is(key string, value any) shape { return func() schema { return schema{key: value} } }

// textShape is a text on one line that neither begins nor ends with a blank.
func textShape() schema { return fitting(`^\S(?:[^\x00-\x1f\x7f]*\S)?$`)() }

// fitting is a text that fits a pattern.
func fitting(pattern string) shape {
	return func() schema { return schema{"type": "string", "pattern": pattern} }
}

func oneOf(names func() []string) shape {
	return func() schema { return schema{"enum": names()} }
}

func words(names ...string) shape { return is("enum", names) }

func matching(re func() *regexp.Regexp) shape {
	return func() schema { return fitting(re().String())() }
}

// lazily returns a regular expression that is compiled at first use: most
// starts read no policy.
func lazily(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// beginning is a text on one line that begins with one of some texts.
func beginning(texts ...string) shape {
	return fitting("^(?:" + strings.Join(texts, "|") + `)(?:[^\x00-\x1f\x7f]*\S)?$`)
}

func between(least, most int) shape {
	return func() schema { return schema{"type": "integer", "minimum": least, "maximum": most} }
}

func listOf(item shape) shape {
	return func() schema { return schema{"type": "array", "items": item} }
}

// someOf is a list that is not empty.
func someOf(item shape) shape {
	return func() schema { return schema{"type": "array", "minItems": 1, "items": item} }
}

func mapOf(value shape) shape {
	return func() schema {
		return schema{"type": "object", "propertyNames": shape(textShape), "additionalProperties": value}
	}
}

// someMapOf is a mapping that is not empty.
func someMapOf(value shape) shape {
	return func() schema {
		s := mapOf(value)()
		s["minProperties"] = 1
		return s
	}
}

func either(a, b shape) shape {
	return func() schema { return schema{"anyOf": []shape{a, b}} }
}

// tableShape is a mapping with the keys of a table.
func tableShape[T any](table func() []key[T], required ...string) shape {
	return func() schema {
		root := section()
		for _, k := range table() {
			at, parts := root, strings.Split(k.path, ".")
			for _, name := range parts[:len(parts)-1] {
				properties := at["properties"].(schema)
				if properties[name] == nil {
					properties[name] = section()
				}
				at = properties[name].(schema)
			}
			at["properties"].(schema)[parts[len(parts)-1]] = described(k)
		}
		if len(required) > 0 {
			root["required"] = required
		}
		return root
	}
}

// section is a mapping without any key yet.
func section() schema {
	return schema{"type": "object", "additionalProperties": false, "properties": schema{}}
}

// described is the shape of a row with what its table says of it.
func described[T any](k key[T]) schema {
	out := schema{"description": strings.ToUpper(k.about[:1]) + k.about[1:] + "."}
	for name, v := range k.form.shape() {
		out[name] = v
	}
	if k.def != "" {
		var v any
		if err := yaml.Unmarshal([]byte(k.def), &v); err != nil {
			panic("config: the default of " + k.path + ": " + err.Error())
		}
		out["default"] = v
	}
	return out
}

// permissionsShape is a mapping of patterns to actions, or a list.
func permissionsShape() schema {
	return either(
		mapOf(either(words("deny", "ask", "allow"), tableShape(func() []key[policy.Permission] { return permissionKeys()[1:] }, "action"))),
		listOf(tableShape(permissionKeys, "match", "action")),
	)()
}

// Schema returns the JSON Schema of policy files, draft 2020-12. It knows the
// form of a policy; what [Load] also checks, such as that the names of tools
// do not collide, it does not.
func Schema() []byte {
	root := tableShape(settingKeys, "version")()
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["$id"] = "https://github.com/policyctl/policyctl/schema/policy.schema.json"
	root["title"] = "A policy of policyctl"
	root["$defs"] = definitions()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(root); err != nil {
		panic(err) // it holds nothing but texts, numbers and lists
	}
	return b.Bytes()
}

func expressionShape() schema {
	s := fitting(`^[^\x00-\x1f\x7f]*\S[^\x00-\x1f\x7f]*$`)()
	s["format"] = "regex"
	return s
}
