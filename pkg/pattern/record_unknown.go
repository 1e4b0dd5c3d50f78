package pattern

import (
	"slices"
	"strconv"
	"strings"
)

// unknownPaths reads the paths of which the value is not known, and writes
// them as paths always are.
func (c *compiler) unknownPaths(key, n Node) []string {
	paths := c.texts(key, n)
	for i, text := range paths {
		paths[i] = c.unknownPath(n.Items[i], strings.TrimPrefix(text, "facets."))
	}
	return paths
}

// unknownPath reads a facet, a path, or a path with the place of an element.
func (c *compiler) unknownPath(n Node, text string) string {
	keys, element := text, ""
	if i := strings.LastIndexByte(text, '['); i >= 0 && strings.HasSuffix(text, "]") {
		keys, element = text[:i], text[i:]
		if _, err := strconv.ParseUint(element[1:len(element)-1], 10, 31); err != nil {
			c.fail(n, "%s: between brackets stands the place of an element, from 0", quoted(text))
			return text
		}
	}
	if strings.ContainsAny(unquoted(keys), "[]") {
		c.fail(n, "%s: the place of an element stands at the end of a path only", quoted(text))
		return text
	}
	if keys != "" && !strings.ContainsAny(keys, `."`) && !slices.Contains(topLevel, keys) {
		return text // a whole facet
	}
	path, err := ParsePath(keys)
	switch {
	case err != nil:
		c.fail(n, "%s", err)
	case path.facet != "":
		c.isField(n, path.facet, path.field)
	}
	return path.String() + element
}

// unquoted returns a path without the keys that stand in quotes.
func unquoted(path string) string {
	var b strings.Builder
	for i, part := range strings.Split(path, `"`) {
		if i%2 == 0 {
			b.WriteString(part)
		}
	}
	return b.String()
}
