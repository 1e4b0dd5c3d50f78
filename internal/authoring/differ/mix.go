package differ

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/policy"
)

// Bounds of what is mixed.
const (
	maxMixes  = 4096
	maxChoice = 12 // values of one field, and scopes
)

// A mixer remembers the values that records had, of which others are made: a
// change may show only where several rules meet.
type mixer struct {
	// tested are the fields that some rule tests: no other makes a difference.
	tested map[[2]string]bool
	// values are those of each path; nil stands for none.
	values map[[2]string][]any
	scopes []policy.Scope
}

// note remembers what a record has.
func (m *mixer) note(record map[string]any, scope policy.Scope) {
	if !slices.Contains(m.scopes, scope) && len(m.scopes) < maxChoice {
		m.scopes = append(m.scopes, scope)
	}
	for key, v := range record {
		switch key {
		case "facets":
			facets, _ := v.(map[string]any)
			for facet, fields := range facets {
				fields, _ := fields.(map[string]any)
				for field, v := range fields {
					m.value([2]string{facet, field}, v)
				}
			}
		case "unknown":
		default:
			m.value([2]string{"", key}, v)
		}
	}
}

// test remembers which fields a condition tests.
func (m *mixer) test(n document.Node) {
	if m.tested == nil {
		m.tested = make(map[[2]string]bool)
	}
	for i, key := range n.Keys {
		switch key.Text {
		case "all", "any":
			for _, item := range n.Items[i].Items {
				m.test(item)
			}
		case "not":
			m.test(n.Items[i])
		default:
			parts := strings.SplitN(strings.TrimPrefix(key.Text, "facets."), ".", 3)
			path := [2]string{"", parts[0]}
			if len(parts) > 1 {
				path = [2]string{parts[0], parts[1]}
			}
			m.tested[path] = true
		}
	}
}

func (m *mixer) value(path [2]string, v any) {
	if !m.tested[path] {
		return
	}
	if m.values == nil {
		m.values = make(map[[2]string][]any)
	}
	if m.values[path] == nil {
		m.values[path] = []any{nil}
	}
	known := slices.ContainsFunc(m.values[path], func(x any) bool { return reflect.DeepEqual(x, v) })
	if !known && len(m.values[path]) < maxChoice {
		m.values[path] = append(m.values[path], v)
	}
}

// Mix tries records with values of those that were made up before: all
// combinations where these are few, and else some, always the same.
func (d *Differ) Mix() {
	m := &d.mixer
	paths := slices.SortedFunc(maps.Keys(m.values), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	total := len(m.scopes)
	for _, p := range paths {
		if total *= len(m.values[p]); total > maxMixes {
			break
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	for n := range min(total, maxMixes) {
		choose := func(of int) int {
			if total > maxMixes {
				return r.IntN(of)
			}
			i := n % of
			n /= of
			return i
		}
		d.mixed(paths, choose)
	}
}

// mixed tries one combination.
func (d *Differ) mixed(paths [][2]string, choose func(of int) int) {
	scope := d.mixer.scopes[choose(len(d.mixer.scopes))]
	record, facets := map[string]any{}, map[string]any{}
	for _, p := range paths {
		values := d.mixer.values[p]
		v := values[choose(len(values))]
		switch {
		case v == nil:
		case p[0] == "":
			record[p[1]] = v
		default:
			if facets[p[0]] == nil {
				facets[p[0]] = map[string]any{}
			}
			facets[p[0]].(map[string]any)[p[1]] = v
		}
	}
	record["facets"] = facets
	text, err := json.Marshal(record)
	if err != nil {
		return
	}
	d.once(&policy.Call{Tool: recordTool, Record: record, Scope: scope}, Sample{Witness, "a mix of records", string(text)})
}
