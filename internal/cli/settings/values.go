package settings

import (
	"encoding/json"
	"strings"

	"github.com/policyctl/policyctl/pkg/config"
)

// A shape is what the schema of a policy says of a value.
type shape struct {
	Type       string            `json:"type"`
	Enum       []any             `json:"enum"`
	AnyOf      []*shape          `json:"anyOf"`
	Properties map[string]*shape `json:"properties"`
}

// wordsOf returns the words that a key may have as its value, none where it may have
// others too.
func wordsOf(key string) []string {
	var at *shape
	if json.Unmarshal(config.Schema(), &at) != nil {
		return nil
	}
	for name := range strings.SplitSeq(key, ".") {
		if at = at.Properties[name]; at == nil {
			return nil
		}
	}
	return at.values()
}

func (s *shape) values() (out []string) {
	if s.Type == "boolean" {
		return []string{"true", "false"}
	}
	for _, v := range s.Enum {
		if word, ok := v.(string); ok {
			out = append(out, word)
		}
	}
	for _, way := range s.AnyOf {
		out = append(out, way.values()...)
	}
	return out
}
