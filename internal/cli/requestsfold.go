package cli

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/render"
)

// A sheet is a page that a terminal wraps nowhere. A line that it wraps goes on
// at the left edge, where the blanks of a command could draw a false heading.
type sheet struct {
	*render.Page
	// width is that of the terminal; 0 for none, where nothing is folded.
	width int
}

func (p *Process) sheet() *sheet { return &sheet{p.page(), p.width()} }

// width returns how many columns the output has, 0 where it is no terminal.
func (p *Process) width() int {
	switch {
	case !isTerminal(p.Stdout):
		return 0
	case terminalWidth(p.Stdout) > 0:
		return terminalWidth(p.Stdout)
	}
	return usualWidth
}

// usualWidth is that of a terminal that does not tell.
const usualWidth = 80

// What stands before a line of what others wrote, and before what goes on from
// the row above.
const (
	quoted = "  | "
	goesOn = "  ¦ "
)

// quote writes a line of what is asked for.
func (s *sheet) quote(line string) {
	sign, room := quoted, s.width
	if room > 0 {
		room = max(1, room-len(quoted))
	}
	for _, row := range render.Fold(line, room) {
		s.Block(sign + row)
		sign = goesOn
	}
}

// quoteAll writes the lines of what is asked for.
func (s *sheet) quoteAll(text string) {
	for line := range strings.Lines(text) {
		s.quote(strings.TrimSuffix(line, "\n"))
	}
}

// heading writes a heading after an empty line.
func (s *sheet) heading(text string) {
	rows := render.FoldOn(text, s.width, goesOn)
	s.Heading(rows[0])
	for _, row := range rows[1:] {
		s.Block(row)
	}
}

// table writes the rows whose last cell has a value, folded under its column.
func (s *sheet) table(rows [][]string) {
	filled := slices.DeleteFunc(rows, func(row []string) bool { return row[len(row)-1] == "" })
	s.Table(render.FoldLast(filled, s.width))
}

// writeLine writes a line.
func (p *Process) writeLine(text string) error {
	_, err := fmt.Fprintln(p.Stdout, strings.Join(render.FoldOn(text, p.width(), goesOn), "\n"))
	return err
}

// writeTable writes a table whose lines are folded as a whole, since its columns
// may be wider than the terminal.
func (p *Process) writeTable(rows [][]string) error {
	var b bytes.Buffer
	page := render.NewPage(&b)
	page.Table(rows)
	if err := page.Close(); err != nil {
		return err
	}
	for line := range strings.Lines(b.String()) {
		if err := p.writeLine(strings.TrimSuffix(line, "\n")); err != nil {
			return err
		}
	}
	return nil
}
