package console

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/internal/render"
)

// A Sheet is a page that a terminal wraps nowhere. A line that it wraps goes on
// at the left edge, where the blanks of a command could draw a false heading.
type Sheet struct{ *render.Page }

// Sheet returns a page as wide as the terminal.
func (p *Process) Sheet() *Sheet { return &Sheet{p.Page()} }

// Width returns how many columns the output has, 0 where it is no terminal and COLUMNS
// does not say. On a terminal, COLUMNS only makes it narrower: a line that the terminal
// wraps could be taken for another.
func (p *Process) Width() int {
	said := p.columns()
	if !IsTerminal(p.Stdout) {
		return said
	}
	width := cmp.Or(terminalWidth(p.Stdout), usualWidth)
	if said > 0 {
		return min(width, said)
	}
	return width
}

// columns returns what the variable of that name says, 0 where it says nothing.
func (p *Process) columns() int {
	if p.Getenv == nil {
		return 0
	}
	n, err := strconv.ParseUint(p.Getenv("COLUMNS"), 10, 16)
	if err != nil {
		return 0
	}
	return int(n)
}

// usualWidth is that of a terminal that does not tell.
const usualWidth = 80

// What stands before a line of what others wrote, and before what goes on from
// the row above.
const (
	quoted = "  | "
	goesOn = "  ¦ "
)

// Quote writes a line of what is asked for.
func (s *Sheet) Quote(line string) {
	sign, room := quoted, s.Width
	if room > 0 {
		room = max(1, room-len(quoted))
	}
	for _, row := range render.Fold(line, room) {
		s.Block(sign + row)
		sign = goesOn
	}
}

// QuoteAll writes the lines of what is asked for.
func (s *Sheet) QuoteAll(text string) {
	for line := range strings.Lines(text) {
		s.Quote(strings.TrimSuffix(line, "\n"))
	}
}

// Heading writes a heading after an empty line.
func (s *Sheet) Heading(text string) {
	rows := render.FoldOn(text, s.Width, goesOn)
	s.Page.Heading(rows[0])
	for _, row := range rows[1:] {
		s.Block(row)
	}
}

// Table writes the rows whose last cell has a value, folded under its column.
func (s *Sheet) Table(rows [][]string) {
	filled := slices.DeleteFunc(rows, func(row []string) bool { return row[len(row)-1] == "" })
	s.Page.Table(render.FoldLast(filled, s.Width))
}

// WriteLine writes a line.
func (p *Process) WriteLine(text string) error {
	_, err := fmt.Fprintln(p.Stdout, strings.Join(render.FoldOn(text, p.Width(), goesOn), "\n"))
	return err
}

// WriteTable writes a table whose lines are folded as a whole, since its columns
// may be wider than the terminal.
func (p *Process) WriteTable(rows [][]string) error {
	var b bytes.Buffer
	page := render.NewPage(&b)
	page.Table(rows)
	if err := page.Close(); err != nil {
		return err
	}
	for line := range strings.Lines(b.String()) {
		if err := p.WriteLine(strings.TrimSuffix(line, "\n")); err != nil {
			return err
		}
	}
	return nil
}
