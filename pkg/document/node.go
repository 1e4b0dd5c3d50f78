// Package document is what YAML and JSON say, with the places where they say
// it, and notes of what is wrong there. Rules and records are read of it.
package document

import "github.com/policyctl/policyctl/internal/support/clip"

// A Node is a value with its place in a file. Loaders make it of YAML or JSON.
type Node struct {
	Kind Kind
	// Text is the text, or the number or boolean as it was written.
	Text string
	// Keys and Items are the entries of a mapping, in order; Items alone those
	// of a list.
	Keys, Items []Node
	// Line and Column count from 1; 0 where there is no place.
	Line, Column int
}

// A Kind says what a node is.
type Kind uint8

// The kinds.
const (
	Null Kind = iota
	Text
	Number
	Bool
	List
	Map
)

// A Problem is something wrong with a condition.
type Problem struct {
	Line, Column int
	Text         string
	// Hint is what was probably meant, "" where nothing is near.
	Hint string
}

// Entry returns the value of a key of a mapping, nil where there is none.
func (n *Node) Entry(name string) *Node {
	for i := range n.Keys {
		if n.Keys[i].Text == name {
			return &n.Items[i]
		}
	}
	return nil
}

// Describe says what a node is, for messages.
func (n *Node) Describe() string {
	switch n.Kind {
	case Null:
		return "nothing"
	case Text:
		return "the text " + clip.Quote(n.Text)
	case Number:
		return "the number " + clip.Line(n.Text)
	case List:
		return "a list"
	case Map:
		return "a mapping"
	}
	return clip.Line(n.Text)
}
