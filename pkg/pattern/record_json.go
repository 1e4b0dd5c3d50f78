package pattern

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/policyctl/policyctl/pkg/strictjson"
)

// recordKeys are the keys of a record in JSON.
var recordKeys = append(slices.Clone(topLevel), "facets", "unknown")

// MarshalJSON returns the record with its keys in a fixed order, without those
// that say nothing, and with null for what of its lists and fields is not
// known. [DecodeRecord] reads the same record from it.
func (r *Record) MarshalJSON() ([]byte, error) {
	var tags any
	if len(r.Tags) > 0 {
		tags = r.shownTags()
	}
	return strictjson.Marshal(struct {
		Type        string                    `json:"type,omitempty"`
		Summary     string                    `json:"summary,omitempty"`
		Description string                    `json:"description,omitempty"`
		Verb        string                    `json:"verb,omitempty"`
		Sensitivity string                    `json:"sensitivity"`
		Primary     string                    `json:"primary,omitempty"`
		Tags        any                       `json:"tags,omitempty"`
		Facets      map[string]map[string]any `json:"facets,omitempty"`
		Unknown     []string                  `json:"unknown,omitempty"`
	}{r.Type, r.Summary, r.Description, r.Verb, r.Sensitivity.String(), r.Primary, tags, r.shownFacets(), r.Unknown})
}

// DecodeRecord reads a record from what JSON decodes it to, such as
// [policy.Call.Record]. The error says all that is wrong with it.
func DecodeRecord(m map[string]any) (*Record, error) {
	n, err := nodeOf(m, 0)
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	r, problems := CompileRecord(n)
	var errs []error
	for _, p := range problems {
		if p.Hint != "" {
			p.Text += " (did you mean " + p.Hint + "?)"
		}
		errs = append(errs, errors.New(p.Text))
	}
	return r, errors.Join(errs...)
}

// maxValueDepth bounds the nesting of what a record holds.
const maxValueDepth = 64

// nodeOf returns a value of JSON as a node without a place.
func nodeOf(v any, depth int) (Node, error) {
	if depth > maxValueDepth {
		return Node{}, fmt.Errorf("nested more than %d levels deep", maxValueDepth)
	}
	switch v := v.(type) {
	case nil:
		return Node{Text: "null"}, nil
	case string:
		return Node{Kind: TextNode, Text: v}, nil
	case bool:
		return Node{Kind: BoolNode, Text: strconv.FormatBool(v)}, nil
	case json.Number:
		return Node{Kind: NumberNode, Text: string(v)}, nil
	case float64:
		return Node{Kind: NumberNode, Text: strconv.FormatFloat(v, 'g', -1, 64)}, nil
	case int:
		return Node{Kind: NumberNode, Text: strconv.Itoa(v)}, nil
	case []string:
		return listNode(v, depth)
	case []any:
		return listNode(v, depth)
	case map[string]any:
		return mapNode(v, depth)
	}
	return Node{}, fmt.Errorf("a value of the type %T is none of JSON", v)
}

func listNode[T any](list []T, depth int) (Node, error) {
	out := Node{Kind: ListNode, Items: make([]Node, len(list))}
	var err error
	for i, v := range list {
		if out.Items[i], err = nodeOf(v, depth+1); err != nil {
			return out, err
		}
	}
	return out, nil
}

func mapNode(m map[string]any, depth int) (Node, error) {
	out := Node{Kind: MapNode}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		item, err := nodeOf(m[key], depth+1)
		if err != nil {
			return out, err
		}
		out.Keys = append(out.Keys, Node{Kind: TextNode, Text: key})
		out.Items = append(out.Items, item)
	}
	return out, nil
}
