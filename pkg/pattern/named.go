package pattern

import (
	"slices"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/internal/support/spelling"
	"github.com/policyctl/policyctl/pkg/dangerous"
	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/record"
)

// named reports ids in a condition on shell.dangerous that no dangerous pattern
// has: such a condition would never hold.
func (c *compiler) named(path record.Path, n document.Node) {
	if path.Facet() != "shell" || path.Field() != "dangerous" {
		return
	}
	switch n.Kind {
	case document.Text:
		c.isDangerous(n)
	case document.List:
		for _, item := range n.Items {
			c.named(path, item)
		}
	case document.Map:
		for i, key := range n.Keys {
			kind, ok := kindOf(key.Text)
			if row := &operatorTable[kind]; ok && (row.pins || row.elements) {
				c.named(path, n.Items[i])
			}
		}
	}
}

func (c *compiler) isDangerous(n document.Node) {
	ids := dangerous.IDs()
	if slices.Contains(ids, n.Text) {
		return
	}
	c.Suggest(n, spelling.Nearest(n.Text, ids), "no dangerous pattern has the id %s: `policyctl dangerous` lists them", clip.Quote(n.Text))
}
