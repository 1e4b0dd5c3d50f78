package reference

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A jsonSchema is a piece of a JSON Schema.
type jsonSchema map[string]any

// verdictSchema returns the JSON Schema of verdicts and explanations.
func verdictSchema() (string, error) {
	root := object("A verdict; with stage_trace and commands, an explanation.", verdictKeys())
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["$id"] = "https://github.com/policyctl/policyctl/schema/verdict.schema.json"
	root["$defs"] = map[string]jsonSchema{
		"span":    {"type": "array", "items": jsonSchema{"type": "integer", "minimum": 0}, "minItems": 2, "maxItems": 2, "description": "From and to, in bytes of the command."},
		"danger":  object("A dangerous pattern that matches.", map[string]jsonSchema{"rule": textSchema, "why": textSchema, "instead?": textSchema, "span": ref("span")}),
		"part":    object("What allowed one simple command.", map[string]jsonSchema{"span": ref("span"), "stage": names[policy.Stage](), "rule?": textSchema, "why": textSchema, "source?": textSchema}),
		"group":   object("Approvers of whom so many must approve; with reviewer a language model, in whose place people answer.", map[string]jsonSchema{"approver": textSchema, "quorum?": {"type": "integer", "minimum": 1}, "profile?": textSchema, "reviewer?": flagSchema}),
		"ask":     object("Who may answer, and what happens if nobody does: the strictest of all asks that apply to the call. Durations are Go's.", askKeys()),
		"hook":    object("What the hook of the call's agent says in some of the agent's permission modes: allow, ask or deny, or nothing where the agent's own rules go on.", map[string]jsonSchema{"agent": textSchema, "says": textSchema, "modes": listOf(textSchema)}),
		"step":    object("What one stage had to say.", map[string]jsonSchema{"stage": names[policy.Stage](), "spoke": flagSchema, "decided": flagSchema, "decision": orNull(names[policy.Decision]()), "why": orNull(textSchema), "rules": listOf(ref("match"))}),
		"match":   object("A rule that matched; lost says why it did not decide.", map[string]jsonSchema{"rule": textSchema, "decision": names[policy.Decision](), "source": orNull(textSchema), "lost": orNull(textSchema)}),
		"set":     object("What a word may be: one of the values, or another where it is open.", setKeys()),
		"word":    object("A word of a command.", with(setKeys(), map[string]jsonSchema{"text": textSchema})),
		"effect":  object("What a command does to a target.", map[string]jsonSchema{"kind": textSchema, "target": ref("set"), "recursive": flagSchema}),
		"command": object("A simple command of the line.", commandKeys()),
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(root)
	return b.String(), err
}

// verdictKeys lists the keys of a verdict. A name with a question mark may be
// left out.
func verdictKeys() map[string]jsonSchema {
	return map[string]jsonSchema{
		"id?": orNull(textSchema), "micros?": {"type": "number"},
		"decision": names[policy.Decision](), "stage": names[policy.Stage](), "reason": names[policy.Reason](),
		"rule": orNull(textSchema), "why": orNull(textSchema), "message": orNull(textSchema), "span": orNull(ref("span")), "source": orNull(textSchema),
		"risk": orNull(names[policy.Risk]()), "dangerous": orNull(listOf(ref("danger"))), "parts": orNull(listOf(ref("part"))),
		"revision": textSchema, "dir?": textSchema, "bundles?": {"type": "object", "additionalProperties": textSchema}, "ask": orNull(ref("ask")), "undecided?": flagSchema, "observed?": names[policy.Decision](), "hook?": listOf(ref("hook")),
		"stage_trace?": listOf(ref("step")), "commands?": orNull(listOf(ref("command"))),
		"advice?": {"type": "object"},
	}
}

func askKeys() map[string]jsonSchema {
	return map[string]jsonSchema{
		"approver": orNull(textSchema), "quorum?": {"type": "integer", "minimum": 1}, "profile": orNull(textSchema), "model": orNull(textSchema), "prompt": orNull(textSchema), "timeout": orNull(textSchema),
		"on_timeout": names[policy.Decision](), "cache_ttl": orNull(textSchema), "fail_closed": flagSchema, "every_time": flagSchema, "reviewer?": flagSchema,
		"also?": listOf(ref("group")), "rules?": listOf(textSchema),
	}
}

func setKeys() map[string]jsonSchema {
	return map[string]jsonSchema{"values": listOf(textSchema), "open": flagSchema, "glob": flagSchema, "prefix": textSchema}
}

func commandKeys() map[string]jsonSchema {
	return map[string]jsonSchema{
		"text": textSchema, "span": ref("span"), "words": listOf(ref("word")), "program": textSchema,
		"parent": orNull(jsonSchema{"type": "integer", "minimum": 0}), "dir": ref("set"), "context": textSchema, "effects": listOf(ref("effect")),
		"unknown": orNull(textSchema), "doubt": orNull(textSchema), "allowed": orNull(names[policy.Stage]()), "by": orNull(textSchema),
		"not_proved": orNull(textSchema), "instead": orNull(textSchema), "permissions": listOf(ref("match")), "dangerous": listOf(textSchema),
	}
}

var (
	textSchema = jsonSchema{"type": "string"}
	flagSchema = jsonSchema{"type": "boolean"}
)

func ref(name string) jsonSchema        { return jsonSchema{"$ref": "#/$defs/" + name} }
func listOf(item jsonSchema) jsonSchema { return jsonSchema{"type": "array", "items": item} }
func orNull(s jsonSchema) jsonSchema    { return jsonSchema{"anyOf": []jsonSchema{s, {"type": "null"}}} }

func with(keys, more map[string]jsonSchema) map[string]jsonSchema {
	maps.Copy(keys, more)
	return keys
}

// object is an object with these keys and no others.
func object(description string, keys map[string]jsonSchema) jsonSchema {
	properties, required := jsonSchema{}, []string{}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		name, optional := strings.CutSuffix(key, "?")
		properties[name] = keys[key]
		if !optional {
			required = append(required, name)
		}
	}
	return jsonSchema{"description": description, "type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

// names lists the names of an enumeration.
func names[T interface {
	~uint8
	fmt.Stringer
}]() jsonSchema {
	var all []string
	for v := T(0); !strings.HasPrefix(v.String(), "invalid("); v++ {
		all = append(all, v.String())
	}
	return jsonSchema{"enum": all}
}
