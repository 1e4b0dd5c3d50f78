package render

import (
	"bufio"
	"io"
	"strings"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A Page is text for people, written when it is closed.
type Page struct {
	// Colour says that the page has the escapes of a terminal.
	Colour bool

	out *bufio.Writer
	// What stands before the name of a field, and how wide the name is.
	indent string
	width  int
}

// NewPage returns a page without colours that is written to w.
func NewPage(w io.Writer) *Page { return &Page{out: bufio.NewWriter(w), width: 11} }

// Close writes the page and returns the first error in doing so.
func (p *Page) Close() error { return p.out.Flush() }

// The escapes of a terminal (ECMA-48, SGR).
const (
	bold   = "\x1b[1m"
	faint  = "\x1b[2m"
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	reset  = "\x1b[0m"
)

func colourOf(d policy.Decision) string {
	switch d {
	case policy.Allow:
		return green
	case policy.Ask:
		return yellow
	}
	return red
}

// style returns text between escapes, if the page has colours.
func (p *Page) style(escape, text string) string {
	if !p.Colour || text == "" {
		return text
	}
	return escape + text + reset
}

// line writes parts that are safe to show, less the blanks at the end.
func (p *Page) line(parts ...string) {
	p.out.WriteString(strings.TrimRight(strings.Join(parts, ""), " "))
	p.out.WriteByte('\n')
}

// field writes a value with its name before it, unless the value is empty.
func (p *Page) field(name, value string) {
	if value != "" {
		p.styled(name, Plain(value))
	}
}

// styled writes a value that is safe to show.
func (p *Page) styled(name, value string) {
	p.line(p.indent, p.style(faint, pad(name, p.width)), value)
}

// fields writes values one below the other.
func (p *Page) fields(name string, values []string) {
	for _, v := range values {
		p.field(name, v)
		name = ""
	}
}

// Heading writes a heading after an empty line.
func (p *Page) Heading(text string) {
	p.line()
	p.line(p.style(bold, Plain(text)))
}

// Block writes lines as they are.
func (p *Page) Block(text string) { p.line(text) }

// Table writes rows with aligned columns.
func (p *Page) Table(rows [][]string) {
	var widths []int
	for _, row := range rows {
		for i, text := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], columns(text))
		}
	}
	for _, row := range rows {
		parts := make([]string, len(row))
		for i, text := range row {
			parts[i] = pad(Plain(text), widths[i]+2)
		}
		p.line(parts...)
	}
}
