package policy

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// canonical returns the arguments that count for a tool as JSON with sorted
// keys, without blanks and without HTML escapes, in the manner of RFC 8785.
// Numbers keep the spelling in which they came.
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
	var b strings.Builder
	writeCanonical(&b, counted)
	return b.String()
}

func writeCanonical(b *strings.Builder, v any) {
	switch v := v.(type) {
	case map[string]any:
		b.WriteByte('{')
		for i, k := range sortedKeys(v) {
			if i > 0 {
				b.WriteByte(',')
			}
			writeScalar(b, k)
			b.WriteByte(':')
			writeCanonical(b, v[k])
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			writeCanonical(b, e)
		}
		b.WriteByte(']')
	default:
		writeScalar(b, v)
	}
}

func writeScalar(b *strings.Builder, v any) {
	var line strings.Builder
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		fmt.Fprintf(&line, "%q", fmt.Sprint(v))
	}
	b.WriteString(strings.TrimSuffix(line.String(), "\n"))
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
