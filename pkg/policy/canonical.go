package policy

import "github.com/policyctl/policyctl/pkg/strictjson"

// canonical returns the arguments that count for a tool in the form of
// [strictjson.Append].
func canonical(t *Tool, input map[string]any) string {
	counted := input
	if len(t.Counts) > 0 {
		counted = make(map[string]any, len(t.Counts))
		for _, k := range t.Counts {
			if v, ok := input[k]; ok {
				counted[k] = v
			}
		}
	}
	return string(strictjson.Append(nil, counted))
}
