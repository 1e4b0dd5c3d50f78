package document

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// maxDepth bounds the nesting of a value.
const maxDepth = 64

// Of returns a value as JSON decodes it as a node without a place, with the
// keys of a mapping sorted. It fails for what JSON does not have, and for what
// is nested more than 64 levels deep.
func Of(v any) (Node, error) { return of(v, 0) }

func of(v any, depth int) (Node, error) {
	if depth > maxDepth {
		return Node{}, fmt.Errorf("nested more than %d levels deep", maxDepth)
	}
	switch v := v.(type) {
	case nil:
		return Node{Text: "null"}, nil
	case string:
		return Node{Kind: Text, Text: v}, nil
	case bool:
		return Node{Kind: Bool, Text: strconv.FormatBool(v)}, nil
	case json.Number:
		return Node{Kind: Number, Text: string(v)}, nil
	case float64:
		return Node{Kind: Number, Text: strconv.FormatFloat(v, 'g', -1, 64)}, nil
	case int:
		return Node{Kind: Number, Text: strconv.Itoa(v)}, nil
	case []string:
		return listNode(v, depth)
	case []any:
		return listNode(v, depth)
	case map[string]any:
		return mapNode(v, depth)
	}
	return Node{}, fmt.Errorf("a value of the type %T is not JSON", v)
}

func listNode[T any](list []T, depth int) (Node, error) {
	out := Node{Kind: List, Items: make([]Node, len(list))}
	var err error
	for i, v := range list {
		if out.Items[i], err = of(v, depth+1); err != nil {
			return out, err
		}
	}
	return out, nil
}

func mapNode(m map[string]any, depth int) (Node, error) {
	out := Node{Kind: Map}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		item, err := of(m[key], depth+1)
		if err != nil {
			return out, err
		}
		out.Keys = append(out.Keys, Node{Kind: Text, Text: key})
		out.Items = append(out.Items, item)
	}
	return out, nil
}
