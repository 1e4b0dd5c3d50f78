package pattern

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/internal/support/spelling"
	"github.com/policyctl/policyctl/pkg/document"
)

// A bound is a comparison with a number: gt, gte, lt, lte or equals.
type bound struct {
	operator string
	limit    number
}

func (b *bound) holds(n number) bool { return orders(b.operator, n.compare(b.limit)) }

// sizeKeys are the keys of the argument of size.
var sizeKeys = []string{"gt", "gte", "lt", "lte"}

// bounds compiles the argument of size: a number, or a mapping of comparisons.
func (c *compiler) bounds(key, n document.Node) []bound {
	if n.Kind != document.Map {
		return []bound{{"equals", c.limit(key, n)}}
	}
	if len(n.Keys) == 0 {
		c.Fail(n, "size names nothing: give it a number, or one of %s", strings.Join(sizeKeys, ", "))
	}
	c.Repeated(n)
	var out []bound
	for i, k := range n.Keys {
		if !slices.Contains(sizeKeys, k.Text) {
			c.Suggest(k, spelling.Nearest(k.Text, sizeKeys), "unknown key %s of size: one of %s", clip.Quote(k.Text), strings.Join(sizeKeys, ", "))
			continue
		}
		out = append(out, bound{k.Text, c.limit(k, n.Items[i])})
	}
	return out
}

// sized reports whether all bounds hold of a size.
func (o *operator) sized(n int) bool {
	for i := range o.bounds {
		if !o.bounds[i].holds(integer(int64(n))) {
			return false
		}
	}
	return true
}

// sizeOf compares the number of elements of a list or of keys of an object. An element
// that is unknown may stand for several, or for none.
func sizeOf(o *operator, v any) Truth {
	switch v := v.(type) {
	case []any:
		if slices.ContainsFunc(v, isOpen) {
			return Unknown
		}
		return truth(o.sized(len(v)))
	case map[string]any:
		return truth(o.sized(len(v)))
	}
	return False
}

func sizeOfText(o *operator, text string) bool { return o.sized(utf8.RuneCountInString(text)) }

// maxSample bounds the sizes of samples.
const maxSample = 4096

// sizes returns texts and lists of all sizes that bounds tell apart: each limit, the next
// size, and none.
func (o *operator) sizes() (out []any) {
	at := []int{0}
	for _, b := range o.bounds {
		n := int(min(max(b.limit.near, 0), maxSample))
		at = append(at, n, n+1)
	}
	slices.Sort(at)
	for _, n := range slices.Compact(at) {
		out = append(out, strings.Repeat("x", n), slices.Repeat([]any{"x"}, n))
	}
	return out
}

// spelledBounds returns bounds as rules write them.
func spelledBounds(bounds []bound) string {
	if len(bounds) == 1 && bounds[0].operator == "equals" {
		return spelledJSON(plain(bounds[0].limit))
	}
	var parts []string
	for _, b := range bounds {
		parts = append(parts, b.operator+": "+spelledJSON(plain(b.limit)))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// exportedBounds returns bounds as lists of their operator and limit.
func exportedBounds(bounds []bound) []any {
	var out []any
	for _, b := range bounds {
		out = append(out, []any{b.operator, exported(b.limit)})
	}
	return out
}
