package reference

import (
	"fmt"
	"strings"
)

// A document is a page before it is written. Its texts are Markdown, except
// for names and titles.
type document struct {
	title, intro string
	classes      []class
}

// A class is a part of a document: a body, entries, or both.
type class struct {
	name, about, body string
	entries           []entry
}

// An entry is a row of a table: its name, what it is about in few words, and
// all that is to say of it.
type entry struct{ name, about, body string }

const notice = "<!-- Generated from the source by internal/cli/reference: to change this page, change the table there. -->"

func (d document) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n# %s\n\n%s\n\n## Contents\n\n%s", notice, prose(d.title), d.intro, d.contents())
	for _, c := range d.classes {
		fmt.Fprintf(&b, "\n## %s\n", prose(c.name))
		paragraph(&b, c.body)
		for _, e := range c.entries {
			fmt.Fprintf(&b, "\n### %s\n", prose(e.name))
			paragraph(&b, e.body)
		}
	}
	return b.String()
}

func paragraph(b *strings.Builder, text string) {
	if text != "" {
		fmt.Fprintf(b, "\n%s\n", text)
	}
}

// contents lists the headings with links to them.
func (d document) contents() string {
	used := anchors{}
	used.next(d.title)
	used.next("Contents")
	var b strings.Builder
	for _, c := range d.classes {
		item(&b, "- ", c.name, used.next(c.name), c.about)
		for _, e := range c.entries {
			item(&b, "  - ", e.name, used.next(e.name), e.about)
		}
	}
	return b.String()
}

func item(b *strings.Builder, indent, name, anchor, about string) {
	fmt.Fprintf(b, "%s[%s](#%s)", indent, prose(name), anchor)
	if about != "" {
		fmt.Fprintf(b, ": %s", about)
	}
	b.WriteByte('\n')
}

// grouped puts entries into classes, in the order in which the classes come.
func grouped[T any](table []T, of func(T) (class string, e entry)) []class {
	var out []class
	at := make(map[string]int)
	for _, row := range table {
		name, e := of(row)
		i, ok := at[name]
		if !ok {
			i = len(out)
			at[name] = i
			out = append(out, class{name: name})
		}
		out[i].entries = append(out[i].entries, e)
	}
	return out
}
