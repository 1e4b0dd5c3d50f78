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
	// Width is how many columns the page has; 0 for any number. Values go on
	// below their beginning, between words.
	Width int

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
	if value == "" {
		return
	}
	for _, row := range p.wrapped(Plain(value), len(p.indent)+p.width) {
		p.styled(name, row)
		name = ""
	}
}

// wrapped returns the rows of a text that stands behind so many columns.
func (p *Page) wrapped(s string, lead int) []string {
	if p.Width <= 0 {
		return []string{s}
	}
	return wrap(s, max(leastWidth, p.Width-lead))
}

// leastWidth is how narrow a column becomes at most, leastColumn one that is not the last.
const (
	leastWidth  = 20
	leastColumn = 16
)

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

// Entries writes values, each behind its name; a value without a name belongs to the one
// above it.
func (p *Page) Entries(rows [][2]string) {
	width := p.width
	for _, row := range rows {
		p.width = max(p.width, columns(row[0])+2)
	}
	for _, row := range rows {
		p.field(row[0], row[1])
	}
	p.width = width
}

// Heading writes a heading after an empty line.
func (p *Page) Heading(text string) {
	p.line()
	p.line(p.style(bold, Plain(text)))
}

// states are the words that say how things stand, with their colours.
var states = map[string]string{
	"ok": green, "valid": green, "allow": green, "passed": green, "trusted": green,
	"ask": yellow, "note": yellow, "warning": yellow, "skipped": yellow,
	"deny": red, "problem": red, "error": red, "invalid": red, "broken": red, "failed": red,
}

// Text writes a text that others wrote. Where it goes on in another row, that is
// indented. The first of the words that is a state has its colour.
func (p *Page) Text(s string) {
	for i, row := range p.wrapped(Plain(s), 2) {
		if i > 0 {
			p.line("  ", row)
			continue
		}
		for word := range strings.FieldsFuncSeq(row, func(r rune) bool { return r == ' ' || r == ':' }) {
			if colour := states[word]; colour != "" {
				row = strings.Replace(row, word, p.style(colour, word), 1)
				break
			}
		}
		p.line(row)
	}
}

// hanging writes a line that goes on below its second column, if it has one, or else below
// its beginning.
func (p *Page) hanging(line string) {
	lead := len(line) - len(strings.TrimLeft(line, " "))
	indent := lead
	if gap := strings.Index(line[lead:], "  "); gap > 0 {
		indent = lead + gap
		for indent < len(line) && line[indent] == ' ' {
			indent++
		}
	}
	if p.Width <= 0 || columns(line) <= p.Width {
		p.line(line)
		return
	}
	text, longest := line[indent:], 0
	for word := range strings.FieldsSeq(text) {
		longest = max(longest, columns(word))
	}
	head := line[:indent]
	if room := p.Width - longest; room < indent { // no word is broken
		if indent > lead {
			p.line(head)
		}
		indent = max(room, min(lead, 4))
		head = strings.Repeat(" ", indent)
	}
	for _, row := range wrap(text, max(longest, p.Width-indent)) {
		p.line(head, row)
		head = strings.Repeat(" ", indent)
	}
}

// Hanging writes lines each of which goes on below its second column.
func (p *Page) Hanging(text string) {
	for line := range strings.Lines(text) {
		p.hanging(Plain(strings.TrimSuffix(line, "\n")))
	}
}

// Prose writes paragraphs, whose lines may end anywhere. Lines that begin with a
// blank begin a row.
func (p *Page) Prose(text string) {
	paragraph := ""
	flush := func() {
		if paragraph != "" {
			for _, row := range p.wrapped(Plain(paragraph), 0) {
				p.line(row)
			}
		}
		paragraph = ""
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "", line[0] == ' ', strings.HasPrefix(line, "- "):
			flush()
			p.hanging(Plain(line))
		case paragraph == "":
			paragraph = line
		default:
			paragraph += " " + line
		}
	}
	flush()
}

// Block writes lines as they are.
func (p *Page) Block(text string) { p.line(text) }

// Table writes rows with aligned columns. On a page that is too narrow, cells go on below
// their beginning: those of the last column first.
func (p *Page) Table(rows [][]string) {
	widths := p.tableWidths(rows)
	for _, row := range rows {
		cells := make([][]string, len(row))
		height := 1
		for i, text := range row {
			text = Plain(text)
			cells[i] = []string{text}
			if widths[i] > 0 && columns(text) > widths[i] {
				cells[i] = wrap(strings.TrimRight(text, " "), widths[i])
			}
			height = max(height, len(cells[i]))
		}
		for k := range height {
			p.line(p.tableLine(row, cells, widths, k)...)
		}
	}
}

// tableLine returns line k of a row.
func (p *Page) tableLine(row []string, cells [][]string, widths []int, k int) []string {
	parts := make([]string, len(row))
	for i := range row {
		text := ""
		if k < len(cells[i]) {
			text = cells[i][k]
		}
		if i == len(row)-1 {
			parts[i] = text
			continue
		}
		if parts[i] = pad(text, widths[i]+2); k == 0 && states[row[i]] != "" {
			parts[i] = p.style(states[row[i]], parts[i])
		}
	}
	return parts
}

// tableWidths returns how wide each column becomes; 0 is any width, for the last one.
func (p *Page) tableWidths(rows [][]string) (widths []int) {
	last := 0
	for _, row := range rows {
		last = max(last, len(row)-1)
		for i, text := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], columns(Plain(text)))
		}
	}
	if len(widths) == 0 {
		return widths
	}
	if p.Width <= 0 {
		widths[last] = 0
		return widths
	}
	left := p.Width - 2*last
	for _, w := range widths[:last] {
		left -= w
	}
	for wanted := min(widths[last], leastWidth); left < wanted; left++ {
		widest := 0
		for i := range widths[:last] {
			if widths[i] > widths[widest] {
				widest = i
			}
		}
		if widths[widest] <= leastColumn {
			break
		}
		widths[widest]--
	}
	widths[last] = max(leastWidth, left)
	return widths
}
