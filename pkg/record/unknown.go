package record

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/document"
)

// unknownPaths reads the paths of which the value is unknown, and writes
// them as paths always are.
func (c *recordReader) unknownPaths(key, n document.Node) []string {
	paths := c.texts(key, n)
	for i, text := range paths {
		paths[i] = c.unknownPath(n.Items[i], text)
	}
	return paths
}

// unknownPath reads "facets", a facet, a path, or a path with the place of an
// element.
func (c *recordReader) unknownPath(n document.Node, text string) string {
	path, element := cutElement(text)
	keys, err := splitPath(path)
	switch {
	case err != nil:
		c.Fail(n, "%s", err)
		return text
	case hasBrackets(path):
		c.Fail(n, "%s: the index of an element may only end a path", clip.Quote(text))
		return text
	case element != "" && !isPlace(element):
		c.Fail(n, "%s: an index between brackets starts at 0 and has at most %d digits", clip.Quote(text), maxPlaceDigits)
		return text
	}
	written, isFacet := c.unknownKeys(n, keys)
	if isFacet {
		return written
	}
	return written + element
}

// unknownKeys writes the keys of a path that is unknown; isFacet says that it
// is a facet, or all of them, which have no elements.
func (c *recordReader) unknownKeys(n document.Node, keys []string) (text string, isFacet bool) {
	if keys[0] == facetsKey && len(keys) > 1 {
		keys = keys[1:]
	} else if len(keys) == 1 && keys[0] == facetsKey {
		return facetsKey, true
	}
	if len(keys) > 1 {
		CheckField(&c.Checker, n, keys[0], keys[1])
	}
	return joinPath(keys), len(keys) == 1 && !slices.Contains(topLevel, keys[0])
}

// cutElement splits a path and the place of an element in brackets, if it ends
// with one.
func cutElement(text string) (path, element string) {
	if i := strings.LastIndexByte(text, '['); i >= 0 && strings.HasSuffix(text, "]") {
		return text[:i], text[i:]
	}
	return text, ""
}

// maxPlaceDigits bounds the place of an element: the engines agree on fewer
// digits than any integer has.
const maxPlaceDigits = 9

// isPlace reports whether a text is "[0]", "[1]" and so on.
func isPlace(element string) bool {
	digits := element[1 : len(element)-1]
	return digits != "" && len(digits) <= maxPlaceDigits && strings.Trim(digits, "0123456789") == "" && (digits == "0" || digits[0] != '0')
}

// hasBrackets reports whether a key of a path that is not in quotes has a bracket.
func hasBrackets(path string) bool {
	for path != "" {
		_, end, err := firstKey(path)
		if err != nil || path[0] != '"' && strings.ContainsAny(path[:end], "[]") {
			return true
		}
		path = strings.TrimPrefix(path[end:], ".")
	}
	return false
}
