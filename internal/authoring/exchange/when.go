package exchange

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/pkg/document"
)

// shared are the operators that both sides have.
var shared = map[string]bool{
	"equals": true, "in": true, "pattern": true, "contains": true, "notContains": true, "glob": true, "exists": true,
}

// A difference is what of a condition means something else on the other side.
type difference struct {
	text string
	// beyond says that the other side cannot express it at all.
	beyond bool
}

// A comparison finds the differences of one condition.
type comparison struct {
	// allows says that the rule allows, so that what matches more is looser.
	allows bool
	found  []difference
}

// compare returns what a condition means otherwise here than at the service.
func compare(when document.Node, allows bool) []difference {
	c := comparison{allows: allows}
	c.condition(when)
	return c.found
}

func (c *comparison) add(beyond bool, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	for _, d := range c.found {
		if d.text == text {
			return
		}
	}
	c.found = append(c.found, difference{text, beyond})
}

// condition looks at a mapping of paths and combinators.
func (c *comparison) condition(n document.Node) {
	if n.Kind != document.Map {
		return
	}
	for i, key := range n.Keys {
		value := n.Items[i]
		switch key.Text {
		case "all", "any":
			for _, item := range value.Items {
				c.condition(item)
			}
		case "not":
			c.condition(value)
		case "time":
			c.add(true, "time is a condition of policyctl, which at the service never matches")
		default:
			c.path(key.Text)
			c.test(key.Text, value)
		}
	}
}

func (c *comparison) path(path string) {
	if strings.Contains(path, `"`) {
		c.add(true, "the path %s quotes a key, which only policyctl reads", path)
	}
}

// test looks at what a path is compared with.
func (c *comparison) test(path string, n document.Node) {
	if n.Kind != document.Map {
		c.literal(path, n)
		return
	}
	if len(n.Keys) > 1 {
		c.add(true, "%s has %d keys in one condition, of which the service reads one", path, len(n.Keys))
	}
	for i, key := range n.Keys {
		c.operator(path, key.Text, n.Items[i])
	}
}

func (c *comparison) operator(path, name string, n document.Node) {
	switch {
	case !shared[name]:
		c.add(true, "%s: %s is an operator of policyctl, which at the service never matches", path, name)
	case name == "equals" && (n.Kind == document.Map || n.Kind == document.List):
		c.add(true, "%s: equals with an object or a list holds only in policyctl", path)
	case name == "pattern":
		c.regexp(path, n.Text)
	case name == "glob" && c.allows && strings.ContainsAny(n.Text, "*?"):
		c.add(false, "%s: a wildcard also matches a line break here", path)
	default:
		c.literal(path, n)
	}
}

func (c *comparison) regexp(path, text string) {
	for _, s := range foreign(text) {
		switch {
		case s.there != lineBreaks:
			c.add(false, "%s: in a regular expression %s %s at the service; here it is %s", path, s.text, s.there, s.here)
		case c.allows:
			c.add(false, "%s: a dot in a regular expression also matches a carriage return here", path)
		}
	}
}

// exact is the least whole number from which on JavaScript does not know all.
const exact = 1 << 53

// literal looks at values that are compared for equality.
func (c *comparison) literal(path string, n document.Node) {
	for _, item := range n.Items {
		if item.Kind == document.List || item.Kind == document.Map {
			c.add(true, "%s: lists and objects within a list are compared only in policyctl", path)
			continue
		}
		c.literal(path, item)
	}
	if n.Kind != document.Number {
		return
	}
	if v, err := strconv.ParseFloat(n.Text, 64); err != nil || v >= exact || v <= -exact {
		c.add(false, "%s: JavaScript rounds the number %s, policyctl does not", path, n.Text)
	}
}

// always is a condition that every record meets, and never one that none does.
func always() document.Node { return mapping("type", exists("true")) }

func never() document.Node { return mapping("type", exists("false")) }

func exists(want string) document.Node {
	return mapping("exists", document.Node{Kind: document.Bool, Text: want})
}

func mapping(key string, value document.Node) document.Node {
	return document.Node{Kind: document.Map, Keys: []document.Node{textNode(key)}, Items: []document.Node{value}}
}

func textNode(s string) document.Node { return document.Node{Kind: document.Text, Text: s} }
