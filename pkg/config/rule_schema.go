package config

import (
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/record"
)

// definitions are the shapes that rules refer to.
func definitions() schema {
	return schema{"condition": conditionSchema(), "record": recordSchema()}
}

// conditionSchema is a mapping of paths and combinators. What an operator takes
// is left to the loader.
func conditionSchema() schema {
	condition := schema{"$ref": "#/$defs/condition"}
	several := schema{"type": "array", "minItems": 1, "items": condition}
	names := pattern.Operators()
	properties := make(schema, len(names))
	for _, name := range names {
		properties[name] = true
	}
	return schema{
		"type":          "object",
		"minProperties": 1,
		"properties": schema{
			"all": several, "any": several, "not": condition, "time": timeSchema(), "rate": rateSchema(),
		},
		"additionalProperties": schema{"anyOf": []schema{
			{"type": []string{"string", "number", "boolean", "array", "null"}},
			{"type": "object", "minProperties": 1, "additionalProperties": false, "properties": properties},
		}},
	}
}

func rateSchema() schema {
	return schema{
		"type":                 "object",
		"required":             []string{"more_than", "per"},
		"additionalProperties": false,
		"properties": schema{
			"more_than": schema{"type": "integer", "minimum": 0, "maximum": 500},
			"per":       schema{"type": "string"},
			"by":        schema{"enum": []string{"session", "agent", "all"}},
		},
	}
}

func timeSchema() schema {
	day, clock := schema{"enum": []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}}, schema{"type": "string", "pattern": "^[0-9]{2}:[0-9]{2}$"}
	return schema{
		"type":                 "object",
		"minProperties":        1,
		"additionalProperties": false,
		"properties": schema{
			"days": schema{"anyOf": []schema{day, {"type": "array", "minItems": 1, "items": day}}},
			"from": clock, "to": clock, "tz": schema{"type": "string"},
		},
	}
}

func recordSchema() schema {
	var sensitivities []string
	for s := record.Destructive; s <= record.Read; s++ {
		sensitivities = append(sensitivities, s.String())
	}
	text, texts := schema{"type": "string"}, schema{"type": "array", "items": schema{"type": "string"}}
	return schema{
		"type":                 "object",
		"additionalProperties": false,
		"properties": schema{
			"type": text, "summary": text, "description": text, "verb": text, "primary": text, "tags": texts, "unknown": texts,
			"sensitivity": schema{"enum": sensitivities},
			"facets":      schema{"type": "object", "additionalProperties": schema{"type": "object"}},
		},
	}
}
