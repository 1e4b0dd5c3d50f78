package exchange

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/document"
)

// block writes a mapping of paths and combinators over several lines.
func (w yamlWriter) block(n document.Node, indent string) {
	for i, key := range n.Keys {
		value := n.Items[i]
		w.WriteString(indent + scalar(key.Text) + ":")
		switch combines := key.Text == "all" || key.Text == "any"; {
		case combines && value.Kind == document.List && len(value.Items) > 0:
			w.WriteString("\n")
			w.branches(value, indent+"  ")
		case key.Text == "not" && value.Kind == document.Map && len(value.Keys) > 0:
			w.WriteString("\n")
			w.block(value, indent+"  ")
		default:
			w.WriteString(" ")
			w.flow(value)
			w.WriteString("\n")
		}
	}
}

// branches writes the members of all and any.
func (w yamlWriter) branches(n document.Node, indent string) {
	for _, item := range n.Items {
		if item.Kind != document.Map || len(item.Keys) == 0 {
			w.WriteString(indent + "- ")
			w.flow(item)
			w.WriteString("\n")
			continue
		}
		var b strings.Builder
		yamlWriter{&b}.block(item, indent+"  ")
		w.WriteString(indent + "- " + strings.TrimPrefix(b.String(), indent+"  "))
	}
}

// flow writes a value on one line.
func (w yamlWriter) flow(n document.Node) {
	switch n.Kind {
	case document.Text:
		w.WriteString(flowScalar(n.Text))
	case document.Null:
		w.WriteString("null")
	case document.List:
		w.list("[]", n.Items, w.flow)
	case document.Map:
		keys := n.Keys
		w.list("{}", n.Items, func(item document.Node) {
			w.WriteString(flowScalar(keys[0].Text) + ": ")
			w.flow(item)
			keys = keys[1:]
		})
	default:
		w.WriteString(n.Text)
	}
}

// list writes items on one line between brackets.
func (w yamlWriter) list(brackets string, items []document.Node, write func(document.Node)) {
	w.WriteString(brackets[:1])
	for i, item := range items {
		if i > 0 {
			w.WriteString(", ")
		}
		write(item)
	}
	w.WriteString(brackets[1:])
}
