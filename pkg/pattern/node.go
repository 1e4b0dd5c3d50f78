package pattern

import "github.com/policyctl/policyctl/internal/support/clip"

// A Node is a value with its place in a file. Loaders make it of YAML or JSON.
type Node struct {
	Kind NodeKind
	// Text is the text, or the number or boolean as it was written.
	Text string
	// Keys and Items are the entries of a mapping, in order; Items alone those
	// of a list.
	Keys, Items []Node
	// Line and Column count from 1; 0 where there is no place.
	Line, Column int
}

// A NodeKind says what a node is.
type NodeKind uint8

// The kinds.
const (
	NullNode NodeKind = iota
	TextNode
	NumberNode
	BoolNode
	ListNode
	MapNode
)

// A Problem is something wrong with a condition.
type Problem struct {
	Line, Column int
	Text         string
	// Hint is what was probably meant, "" where nothing is near.
	Hint string
}

// entry returns the value of a key of a mapping, nil where there is none.
func (n *Node) entry(name string) *Node {
	for i := range n.Keys {
		if n.Keys[i].Text == name {
			return &n.Items[i]
		}
	}
	return nil
}

// describe says what a node is, for messages.
func (n *Node) describe() string {
	switch n.Kind {
	case NullNode:
		return "nothing"
	case TextNode:
		return "the text " + clip.Quote(n.Text)
	case NumberNode:
		return "the number " + clip.Line(n.Text)
	case ListNode:
		return "a list"
	case MapNode:
		return "a mapping"
	}
	return clip.Line(n.Text)
}
