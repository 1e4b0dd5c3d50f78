package document

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/policyctl/policyctl/pkg/strictjson"
)

// MarshalJSON returns the value as JSON on one line, keys in their order. It
// fails for numbers that JSON cannot write.
func (n Node) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	if err := n.writeJSON(&b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func (n *Node) writeJSON(b *bytes.Buffer) error {
	switch n.Kind {
	case Text:
		writeText(b, n.Text)
	case Number:
		if !json.Valid([]byte(n.Text)) {
			return fmt.Errorf("the number %s is not JSON", n.Text)
		}
		b.WriteString(n.Text)
	case Bool:
		b.WriteString(n.Text)
	case List:
		return n.writeItems(b, '[', ']')
	case Map:
		return n.writeItems(b, '{', '}')
	default:
		b.WriteString("null")
	}
	return nil
}

func (n *Node) writeItems(b *bytes.Buffer, open, end byte) error {
	b.WriteByte(open)
	for i := range n.Items {
		if i > 0 {
			b.WriteByte(',')
		}
		if n.Kind == Map {
			writeText(b, n.Keys[i].Text)
			b.WriteByte(':')
		}
		if err := n.Items[i].writeJSON(b); err != nil {
			return err
		}
	}
	b.WriteByte(end)
	return nil
}

// writeText writes a text in quotes, without the escapes that HTML needs.
func writeText(b *bytes.Buffer, s string) {
	text, _ := strictjson.Marshal(s) // which a text always has
	b.Write(text)
}
