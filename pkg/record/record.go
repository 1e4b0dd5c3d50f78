// Package record makes records of calls: uniform descriptions of what a call
// does, by facets such as that of HTTP or of SQL, over which rules are
// evaluated. It knows which facets and fields there are, and reads and writes
// records as JSON.
package record

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/pkg/document"
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
	// Unknown lists paths of which the value is unknown: "shell.argv" for a
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

// Sensitivities returns the names of the sensitivities, the worst first.
func Sensitivities() []string { return slices.Clone(sensitivityNames[:]) }

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

// TopLevel returns the fields of a record beside its facets. The list must not
// be changed.
func TopLevel() []string { return topLevel }

var topLevel = []string{"type", "summary", "description", "verb", "sensitivity", "primary", "tags"}

// OpenElement stands for an element of a list that is unknown.
type OpenElement struct{}

// A Entry is what a record has at a path.
type Entry struct {
	Value   any
	Missing bool
	Unknown bool
}

// Lookup returns what the record has at a path. The fields beside the facets are
// always there, empty where nothing gives them. JSON's null is there too, and
// exists does not count it.
func (r *Record) Lookup(p *Path) Entry {
	if len(r.Unknown) > 0 && r.isUnknown(p) {
		return Entry{Unknown: true}
	}
	if p.facet == "" {
		return r.withOpen(p, Entry{Value: r.top(p.field)})
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
	found := Entry{Value: v, Missing: !ok}
	return r.withOpen(p, found)
}

func (r *Record) top(field string) any {
	if field == "tags" {
		return r.Tags
	}
	return r.TopText(field)
}

// isUnknown reports whether a path, or one above or below it, is unknown.
func (r *Record) isUnknown(p *Path) bool {
	for _, u := range r.Unknown {
		u = written(u)
		if u == p.text || isBelow(p.text, u) || isBelow(u, p.text) || u == facetsKey && (p.facet != "" || p.text == ClockKey) {
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
	var c recordReader
	if text := c.unknownPath(document.Node{}, u); len(c.Problems) == 0 {
		return text
	}
	return facetsKey // of what cannot be read nothing is known
}

// isBelow reports whether a path lies below another.
func isBelow(path, above string) bool {
	return len(path) > len(above) && path[len(above)] == '.' && path[:len(above)] == above
}

// withOpen returns a list with the elements that are unknown marked. What is
// no list then, or no place in one, is unknown at all.
func (r *Record) withOpen(p *Path, found Entry) Entry {
	var out []any
	for _, u := range r.Unknown {
		u = written(u)
		if len(u) <= len(p.text) || u[len(p.text)] != '[' || u[:len(p.text)] != p.text {
			continue
		}
		index, err := strconv.ParseUint(strings.TrimSuffix(u[len(p.text)+1:], "]"), 10, 31)
		known, isList := list(found.Value)
		if err != nil || !isList {
			return Entry{Unknown: true}
		}
		if out == nil {
			out = known
		}
		if int(index) >= len(out) {
			out = append(out, OpenElement{})
			continue
		}
		out[index] = OpenElement{}
	}
	if out == nil {
		return found
	}
	return Entry{Value: out}
}

// list returns a copy of a list, and whether the value is one.
func list(v any) (out []any, ok bool) {
	switch v := v.(type) {
	case []any:
		return append(out, v...), true
	case []string:
		for _, s := range v {
			out = append(out, s)
		}
		return out, true
	}
	return nil, false
}

// TopText returns a field of the record itself that is a text.
func (r *Record) TopText(field string) string {
	switch field {
	case "type":
		return r.Type
	case "summary":
		return r.Summary
	case "description":
		return r.Description
	case "verb":
		return r.Verb
	case "sensitivity":
		return r.Sensitivity.String()
	}
	return r.Primary
}
