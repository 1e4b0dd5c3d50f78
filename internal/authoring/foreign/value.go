package foreign

import (
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/policyctl/policyctl/internal/support/jsonc"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/document"
)

// parseJSON reads JSON with comments and trailing commas.
func parseJSON(s *Source) (*document.Node, error) {
	if len(strings.TrimSpace(string(s.Data))) == 0 {
		return nil, fmt.Errorf("%s: is empty: name a file with permissions", s.Path)
	}
	top, err := config.Parse("settings.json", jsonc.Plain(s.Data))
	if err != nil {
		var problems config.Problems
		if errors.As(err, &problems) && len(problems) > 0 {
			return nil, fmt.Errorf("%s:%d:%d: %s", s.Path, problems[0].Line, problems[0].Column, problems[0].Text)
		}
		return nil, fmt.Errorf("%s: %w", s.Path, err)
	}
	if top.Kind != document.Map {
		return nil, fmt.Errorf("%s: the settings are no JSON object", s.Path)
	}
	return &top, nil
}

// text returns the text of a value, "" where it is none.
func text(n *document.Node) string {
	if n == nil || n.Kind != document.Text {
		return ""
	}
	return n.Text
}

// number returns the digits of a number, "" for what is none.
func number(n *document.Node) string {
	if n == nil || n.Kind != document.Number {
		return ""
	}
	return n.Text
}

// mapsIn yields the names and values in a map that are maps, none of what is no map.
func mapsIn(n *document.Node) iter.Seq2[string, *document.Node] {
	return func(yield func(string, *document.Node) bool) {
		if n == nil || n.Kind != document.Map {
			return
		}
		for i := range n.Keys {
			if value := &n.Items[i]; value.Kind == document.Map && !yield(n.Keys[i].Text, value) {
				return
			}
		}
	}
}

// stringList returns the texts of a value that is a text or a list of texts.
func stringList(n *document.Node) (out []string, ok bool) {
	switch {
	case n == nil:
		return nil, true
	case n.Kind == document.Text:
		return []string{n.Text}, true
	case n.Kind != document.List:
		return nil, false
	}
	for i := range n.Items {
		if n.Items[i].Kind != document.Text {
			return nil, false
		}
		out = append(out, n.Items[i].Text)
	}
	return out, true
}

// either returns the value of the first key that there is.
func either(n *document.Node, keys ...string) *document.Node {
	for _, key := range keys {
		if v := n.Entry(key); v != nil {
			return v
		}
	}
	return nil
}
