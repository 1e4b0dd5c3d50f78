package install

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/strictjson"
)

// A span is a part of a text.
type span struct{ from, to int }

// elements returns the spans of what a container holds.
func elements(n *strictjson.Node) []span {
	var out []span
	for i, item := range n.Items {
		from := item.From
		if n.Kind == '{' {
			from = n.Keys[i].From
		}
		out = append(out, span{from, item.To})
	}
	return out
}

// replace returns the text with a part exchanged.
func (d *document) replace(s span, with string) string {
	return d.text[:s.from] + with + d.text[s.to:]
}

// appendTo returns the text with one more element at the end of a container.
// write gets the layout of the container's elements.
func (d *document) appendTo(container *strictjson.Node, write func(layout) string) string {
	l := d.layoutIn(container)
	elements := elements(container)
	if len(elements) > 0 {
		end := elements[len(elements)-1].to
		return d.replace(span{end, end}, l.between()+write(l))
	}
	open, closing := d.text[container.From:container.From+1], d.text[container.To-1:container.To]
	return d.replace(span{container.From, container.To}, open+l.open()+write(l)+l.close()+closing)
}

// addItem returns the text with a value at the end of an array.
func (d *document) addItem(array *strictjson.Node, v any) string {
	return d.appendTo(array, func(l layout) string { return l.write(v) })
}

// addMember returns the text with a member at the end of an object.
func (d *document) addMember(object *strictjson.Node, key string, v any) string {
	return d.appendTo(object, func(l layout) string { return compact(key) + ": " + l.write(v) })
}

// removeFrom returns the text without an element of a container. What stands
// around the others stays.
func (d *document) removeFrom(container *strictjson.Node, i int) string {
	all := elements(container)
	switch {
	case i > 0:
		return d.replace(span{all[i-1].to, all[i].to}, "")
	case len(all) > 1:
		return d.replace(span{all[0].from, all[1].from}, "")
	}
	return d.replace(span{container.From + 1, container.To - 1}, "")
}

// layoutIn returns the layout of a container's elements: the one that they
// have, or else that of the document.
func (d *document) layoutIn(container *strictjson.Node) layout {
	l := layout{unit: d.unit(), newline: "\n"}
	if strings.Contains(d.text, "\r\n") {
		l.newline = "\r\n"
	}
	l.indent = d.indentAt(container.From) + l.unit
	sample := container
	if all := elements(container); len(all) > 0 {
		l.indent = d.indentAt(all[len(all)-1].from)
	} else {
		sample = d.root
	}
	first := elements(sample)
	l.oneLine = len(first) > 0 && !strings.Contains(d.text[sample.From:first[0].from], "\n")
	return l
}

// unit returns by how much the document indents.
func (d *document) unit() string {
	if all := elements(d.root); len(all) > 0 && strings.Contains(d.text[:all[0].from], "\n") {
		if unit := d.indentAt(all[0].from); unit != "" {
			return unit
		}
	}
	return "  "
}

// indentAt returns the blanks at the beginning of a line.
func (d *document) indentAt(at int) string {
	line := d.text[strings.LastIndexByte(d.text[:at], '\n')+1:]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}
