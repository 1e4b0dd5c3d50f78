package strictjson

import (
	"encoding/json"
	"iter"

	"github.com/go-json-experiment/json/jsontext"
)

// A Node is a value with its place.
type Node struct {
	Kind         jsontext.Kind // one of { [ " 0 t f n
	From, To     int           // offsets
	Line, Column int           // of its first character, from 1
	Text         string        // of a string, a number, true, false or null
	Keys         []Node        // of the members of an object, in order
	Items        []Node        // the values of the members, or the items of a list
}

// Read reads a text with the places of its values.
func Read(data []byte, o Options) (Node, error) {
	return whole(data, o, (*reader).node)
}

// Sequence reads values that follow one another, up to the first error.
func Sequence(data []byte, o Options) iter.Seq2[Node, error] {
	return func(yield func(Node, error) bool) {
		r, err := newReader(data, o)
		for err == nil && r.next() < len(data) {
			var n Node
			if n, err = r.node(); err == nil && !yield(n, nil) {
				return
			}
		}
		if err != nil {
			yield(Node{}, err)
		}
	}
}

func (r *reader) node() (Node, error) {
	n := Node{From: r.next()}
	n.Line, n.Column = r.places.Of(n.From)
	t, err := r.token()
	if err != nil {
		return n, err
	}
	item := func() error {
		v, err := r.node()
		n.Items = append(n.Items, v)
		return err
	}
	switch n.Kind = t.Kind(); n.Kind {
	case '{':
		err = r.members(func(name string, at int) error {
			key := Node{Kind: '"', From: at, To: int(r.decoder.InputOffset()), Text: name}
			key.Line, key.Column = r.places.Of(at)
			n.Keys = append(n.Keys, key)
			return item()
		})
	case '[':
		err = r.items(item)
	default:
		n.Text = t.String()
	}
	n.To = int(r.decoder.InputOffset())
	return n, err
}

// Get returns the value under a path of keys, nil if there is none.
func (n *Node) Get(keys ...string) *Node {
	for _, key := range keys {
		i := n.Index(key)
		if i < 0 {
			return nil
		}
		n = &n.Items[i]
	}
	return n
}

// Index returns which member of an object has a key, -1 if none has.
func (n *Node) Index(key string) int {
	for i := range n.Keys {
		if n.Keys[i].Text == key {
			return i
		}
	}
	return -1
}

// Value returns what [Value] reads.
func (n *Node) Value() any {
	switch n.Kind {
	case '{':
		m := make(map[string]any, len(n.Items))
		for i := range n.Items {
			m[n.Keys[i].Text] = n.Items[i].Value()
		}
		return m
	case '[':
		list := make([]any, len(n.Items))
		for i := range n.Items {
			list[i] = n.Items[i].Value()
		}
		return list
	case '"':
		return n.Text
	case '0':
		return json.Number(n.Text)
	case 'n':
		return nil
	}
	return n.Kind == 't'
}
