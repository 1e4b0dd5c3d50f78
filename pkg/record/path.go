package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/strictjson"
)

// A Path names a field of a record.
type Path struct {
	// facet is "" for a field of the record itself.
	facet, field string
	// deeper are the keys within a field that is an object.
	deeper []string
	text   string
}

// String returns the path as rules write it, without the prefix "facets.".
func (p Path) String() string { return p.text }

// ParsePath reads "verb", "http.method", "facets.http.method" or, for a key
// with dots, `http.headers."x.y"`. The error says what is wrong.
func ParsePath(text string) (Path, error) {
	keys, err := splitPath(text)
	if err != nil {
		return Path{}, err
	}
	if keys[0] == facetsKey && len(keys) > 1 {
		keys = keys[1:]
	} else if len(keys) == 1 {
		for _, name := range topLevel {
			if keys[0] == name {
				return Path{field: name, text: name}, nil
			}
		}
		return Path{}, fmt.Errorf("unknown field %q of a record: one of %s, or FACET.FIELD", text, strings.Join(topLevel, ", "))
	}
	if len(keys) < 2 {
		return Path{}, fmt.Errorf("%q names a facet and no field of it", text)
	}
	return Path{facet: keys[0], field: keys[1], deeper: keys[2:], text: joinPath(keys)}, nil
}

// ClockKey is the key of conditions on the instant of the call.
const ClockKey = "time"

// ClockPath names the instant of the call, which stands in no record.
func ClockPath() Path { return Path{text: ClockKey} }

// joinPath is how a path is always written: only keys that need quotes have
// them, and the facet "facets" stands behind its prefix.
func joinPath(keys []string) string {
	var b bytes.Buffer
	if keys[0] == facetsKey {
		b.WriteString(facetsKey + ".")
	}
	for i, key := range keys {
		if i > 0 {
			b.WriteByte('.')
		}
		if strings.ContainsAny(key, `."[]`) {
			b.WriteString(quoted(key))
			continue
		}
		b.WriteString(key)
	}
	return b.String()
}

// splitPath splits a path at its dots; a key in double quotes is a text of
// JSON, which may hold dots.
func splitPath(text string) ([]string, error) {
	var keys []string
	rest := text
	for {
		key, end, err := firstKey(rest)
		switch rest = rest[end:]; {
		case err != nil:
			return nil, fmt.Errorf("%w in the path %q", err, text)
		case key == "":
			return nil, fmt.Errorf("the path %q has an empty key", text)
		}
		keys = append(keys, key)
		if rest == "" {
			return keys, nil
		}
		if rest[0] != '.' {
			return nil, fmt.Errorf("a dot is missing in the path %q", text)
		}
		rest = rest[1:]
	}
}

// firstKey returns the first key of a path, and where it ends.
func firstKey(text string) (key string, end int, err error) {
	if !strings.HasPrefix(text, `"`) {
		if end = strings.IndexByte(text, '.'); end < 0 {
			end = len(text)
		}
		return text[:end], end, nil
	}
	if end = quoteEnd(text); end < 0 {
		return "", 0, errors.New("a quote is not closed")
	}
	if json.Unmarshal([]byte(text[:end]), &key) != nil {
		return "", 0, errors.New("a quoted key is malformed")
	}
	return key, end, nil
}

// quoteEnd returns the place behind the quote that closes the one at the
// beginning of a text, -1 where none does.
func quoteEnd(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// Keys returns the path as the keys from the record on: "verb", or "facets",
// "http", "method".
func (p Path) Keys() []string {
	if p.facet == "" {
		return []string{p.field}
	}
	return slices.Concat([]string{"facets", p.facet, p.field}, p.deeper)
}

// Type returns the type of the field; ok is false where the catalogue does not
// have it.
func (p Path) Type() (t FieldType, ok bool) {
	switch {
	case p.facet == "" && p.field == "tags":
		return TextsField, true
	case p.facet == "":
		return TextField, true
	case len(p.deeper) > 0:
		return AnyField, false
	}
	return TypeOf(p.facet, p.field)
}

// Facet returns the facet of the field, "" for a field of the record itself.
func (p Path) Facet() string { return p.facet }

// Field returns the field.
func (p Path) Field() string { return p.field }

// Deeper returns the keys below the field. The list must not be changed.
func (p Path) Deeper() []string { return p.deeper }

// quoted returns a text in quotes, without the escapes that HTML needs.
func quoted(text string) string {
	data, _ := strictjson.Marshal(text) // which a text always has
	return string(data)
}
