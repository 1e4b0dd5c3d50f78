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

// appendTo returns the text with one more element at the end of a container,
// behind the comments there. write gets the layout of the container's elements.
func (d *document) appendTo(container *strictjson.Node, write func(layout) string) string {
	l := d.layoutIn(container)
	at, comma, between := container.From+1, "", l.open()
	if all := elements(container); len(all) > 0 {
		at, comma, between = all[len(all)-1].to, ",", strings.TrimPrefix(l.between(), ",")
	}
	end := d.behindComments(at, container.To-1)
	switch {
	case end > at:
		l.oneLine = false
		return d.text[:at] + comma + d.text[at:end] + l.open() + write(l) + d.text[end:]
	case comma == "":
		return d.replace(span{at, container.To - 1}, between+write(l)+l.close())
	}
	return d.replace(span{at, at}, comma+between+write(l))
}

// behindComments returns where the last comment between two places ends, the
// first of them where there is none.
func (d *document) behindComments(from, to int) int {
	for ; to > from; to-- {
		if d.text[to-1] != d.plain[to-1] {
			return to
		}
	}
	return from
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
// around the others stays, and comments do.
func (d *document) removeFrom(container *strictjson.Node, i int) string {
	all := elements(container)
	gone, from, to := all[i], container.From+1, container.To-1
	if i > 0 {
		from = all[i-1].to
	}
	if i+1 < len(all) {
		to = all[i+1].from
	}
	before := d.behindComments(from, gone.from)
	if before == from && d.behindComments(gone.to, to) == gone.to {
		switch {
		case i > 0:
			return d.replace(span{from, gone.to}, "")
		case len(all) > 1:
			return d.replace(span{gone.from, to}, "")
		}
		return d.replace(span{from, to}, "")
	}
	text := d.text[gone.to:]
	comma := from + strings.IndexByte(d.plain[from:gone.from], ',')
	switch {
	case i+1 < len(all): // whose comma goes with it
		next := strings.IndexByte(d.plain[gone.to:], ',')
		text = text[:next] + text[next+1:]
		before = max(before, comma+1)
	case i > 0 && comma < before:
		return d.text[:comma] + d.text[comma+1:before] + text
	}
	return d.text[:before] + text
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
