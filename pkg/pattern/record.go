package pattern

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A Record describes what a call does. Values are those of JSON: string,
// float64 or json.Number, bool, nil, []any and map[string]any; lists of texts
// may also be []string. A record must not be changed while it is evaluated.
type Record struct {
	Type        string // "shell.exec", "http.request", …
	Summary     string
	Description string
	Verb        string
	Sensitivity Sensitivity
	// Primary is the facet that says most of the call.
	Primary string
	Tags    []string
	// Facets hold the fields of each protocol, by facet and field.
	Facets map[string]map[string]any
	// Unknown lists paths of which the value is not known: "shell.argv" for a
	// field, "shell.argv[2]" for an element, "shell" for a facet, "verb" for a
	// field of the record itself.
	Unknown []string
}

// A Sensitivity says how much harm a call can do.
type Sensitivity uint8

// The sensitivities, the worst first: the zero value is the strictest.
const (
	Destructive Sensitivity = iota
	Mutate
	Write
	Read
)

var sensitivityNames = [...]string{"destructive", "mutate", "write", "read"}

// String returns "destructive", "mutate", "write" or "read".
func (s Sensitivity) String() string { return sensitivityNames[s] }

// UnmarshalText accepts exactly the four names.
func (s *Sensitivity) UnmarshalText(text []byte) error {
	for i, name := range sensitivityNames {
		if name == string(text) {
			*s = Sensitivity(i)
			return nil
		}
	}
	return fmt.Errorf("unknown sensitivity %q: one of %s", text, strings.Join(sensitivityNames[:], ", "))
}

// facetsKey is the key of a record below which its facets stand.
const facetsKey = "facets"

// topLevel are the fields of a record beside its facets.
var topLevel = []string{"type", "summary", "description", "verb", "sensitivity", "primary", "tags"}

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
			writeText(&b, key)
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

// open stands for an element of a list that is not known.
type open struct{}

// A lookup is what a record has at a path.
type lookup struct {
	value   any
	missing bool
	unknown bool
}

// get returns what the record has at a path. The fields beside the facets are
// always there, empty where nothing gives them. JSON's null is there too, and
// exists does not count it.
func (r *Record) get(p *Path) lookup {
	if len(r.Unknown) > 0 && r.isUnknown(p) {
		return lookup{unknown: true}
	}
	if p.facet == "" {
		return r.withOpen(p, lookup{value: r.top(p.field)})
	}
	v, ok := r.Facets[p.facet][p.field]
	for _, key := range p.deeper {
		m, isMap := v.(map[string]any)
		if !ok || !isMap {
			v, ok = nil, false
			break
		}
		v, ok = m[key]
	}
	found := lookup{value: v, missing: !ok}
	return r.withOpen(p, found)
}

func (r *Record) top(field string) any {
	if field == "tags" {
		return r.Tags
	}
	return r.topText(field)
}

// isUnknown reports whether a path, or one above or below it, is not known.
func (r *Record) isUnknown(p *Path) bool {
	for _, u := range r.Unknown {
		u = written(u)
		if u == p.text || isBelow(p.text, u) || isBelow(u, p.text) || u == facetsKey && (p.facet != "" || p.text == clock) {
			return true
		}
	}
	return false
}

// written returns a path of [Record.Unknown] as [Path.String] writes it.
// Loaders leave such paths only; who makes a record by hand may write others.
func written(u string) string {
	if !strings.Contains(u, `"`) && !strings.HasPrefix(u, facetsKey+".") {
		return u
	}
	var c compiler
	if text := c.unknownPath(Node{}, u); len(c.problems) == 0 {
		return text
	}
	return facetsKey // of what cannot be read nothing is known
}

// isBelow reports whether a path lies below another.
func isBelow(path, above string) bool {
	return len(path) > len(above) && path[len(above)] == '.' && path[:len(above)] == above
}

// withOpen returns a list with the elements that are not known marked. What is
// no list then, or no place in one, is not known at all.
func (r *Record) withOpen(p *Path, found lookup) lookup {
	var out []any
	for _, u := range r.Unknown {
		u = written(u)
		if len(u) <= len(p.text) || u[len(p.text)] != '[' || u[:len(p.text)] != p.text {
			continue
		}
		index, err := strconv.ParseUint(strings.TrimSuffix(u[len(p.text)+1:], "]"), 10, 31)
		if err != nil || !isList(found.value) {
			return lookup{unknown: true}
		}
		if out == nil {
			out = list(found.value)
		}
		if int(index) >= len(out) {
			out = append(out, open{})
			continue
		}
		out[index] = open{}
	}
	if out == nil {
		return found
	}
	return lookup{value: out}
}

// list returns a copy of a list value, nil for other values.
func list(v any) []any {
	switch v := v.(type) {
	case []any:
		return append([]any(nil), v...)
	case []string:
		out := make([]any, len(v))
		for i, s := range v {
			out[i] = s
		}
		return out
	}
	return nil
}
