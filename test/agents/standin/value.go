package standin

import "strings"

// The readers below take what is there: a field that is missing or of another
// type is empty.

func object(v any) map[string]any { m, _ := v.(map[string]any); return m }

func list(v any) []any { l, _ := v.([]any); return l }

func text(v any) string { s, _ := v.(string); return s }

// texts joins the texts of a content, which is one text or a list of parts.
func texts(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	var out []string
	for _, part := range list(v) {
		if s, ok := part.(string); ok {
			out = append(out, s)
			continue
		}
		m := object(part)
		for _, key := range []string{"text", "content", "output"} {
			if s := texts(m[key]); s != "" {
				out = append(out, s)
			}
		}
	}
	return strings.Join(out, "\n")
}
