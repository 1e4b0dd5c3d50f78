package foreign

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/strictjson"
)

// An object is a JSON object whose members have an order.
type object struct {
	keys   []string
	values []any
}

// set adds a member: a text, a list of texts, or an object.
func (o *object) set(key string, value any) {
	o.keys, o.values = append(o.keys, key), append(o.values, value)
}

// bytes returns the object as a file.
func (o *object) bytes() []byte {
	var b strings.Builder
	o.write(&b, "")
	b.WriteString("\n")
	return []byte(b.String())
}

func (o *object) write(b *strings.Builder, indent string) {
	if len(o.keys) == 0 {
		b.WriteString("{}")
		return
	}
	b.WriteString("{\n")
	for i, key := range o.keys {
		b.WriteString(indent + "  " + jsonText(key) + ": ")
		switch v := o.values[i].(type) {
		case *object:
			v.write(b, indent+"  ")
		case []string:
			writeList(b, v, indent+"  ")
		case string:
			b.WriteString(jsonText(v))
		}
		if i < len(o.keys)-1 {
			b.WriteString(",")
		}
		b.WriteString("\n")
	}
	b.WriteString(indent + "}")
}

func writeList(b *strings.Builder, list []string, indent string) {
	if len(list) == 0 {
		b.WriteString("[]")
		return
	}
	b.WriteString("[\n")
	for i, s := range list {
		b.WriteString(indent + "  " + jsonText(s))
		if i < len(list)-1 {
			b.WriteString(",")
		}
		b.WriteString("\n")
	}
	b.WriteString(indent + "]")
}

// jsonText returns a text in the quotes of JSON, which TOML and Starlark read
// alike.
func jsonText(s string) string { return string(strictjson.AppendString(nil, s)) }
