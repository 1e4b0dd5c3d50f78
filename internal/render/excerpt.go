package render

import (
	"fmt"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"strings"
)

// Bounds of what is shown of a command.
const (
	maxColumns = 160
	maxLines   = 6
	// before is how much is shown of a long line before what is marked.
	before = 40
)

// An excerptLine is a line of a text, and what marks a part of it from below.
type excerptLine struct{ text, marks string }

// excerpt returns the lines of a text that a span touches, with the span
// marked, or the first lines where there is no span, each of so many columns at
// most. The lines of a longer text have numbers.
func excerpt(text string, s *shell.Span, room int) []excerptLine {
	var out []excerptLine
	all := strings.SplitAfter(text, "\n")
	gutter := len(fmt.Sprint(len(all)))
	if len(all) > 1 {
		room -= gutter + len(" | ")
	}
	from := 0
	more := 0
	for i, line := range all {
		to := from + len(line)
		if s == nil || touches(*s, from, to) {
			if len(out) == maxLines {
				more++
			} else {
				e := mark(strings.TrimSuffix(line, "\n"), s, from, room-1)
				if len(all) > 1 {
					e.number(i+1, gutter)
				}
				out = append(out, e)
			}
		}
		from = to
	}
	if more > 0 {
		out = append(out, excerptLine{text: fmt.Sprintf("… and %d more", more)})
	}
	return out
}

// touches reports whether a span has a part in the bytes [from, to), the end of
// which is a newline or the end of the text.
func touches(s shell.Span, from, to int) bool {
	return s.From < to && s.To > from || s.From == s.To && s.From >= from && s.From <= to
}

func (e *excerptLine) number(n, width int) {
	e.text = fmt.Sprintf("%*d | ", width, n) + e.text
	if e.marks != "" {
		e.marks = strings.Repeat(" ", width+3) + e.marks
	}
}

// mark shows one line, which begins at the byte from, with what the span has
// of it.
func mark(line string, s *shell.Span, from, room int) excerptLine {
	var text, marks strings.Builder
	width := 0
	begin := firstShown(line, s, from, room)
	if begin > 0 {
		text.WriteString("…")
		marks.WriteString(" ")
		width++
	}
	indent := len(line) - len(strings.TrimLeft(line, " \t"))
	for i := begin; i < len(line); {
		show, columns, size := cell(line[i:])
		if width += columns; width > room {
			text.WriteString("…")
			break
		}
		text.WriteString(show)
		sign := " "
		if s != nil && from+i >= s.From && from+i < max(s.To, s.From+1) && i >= indent {
			sign = "^"
		}
		marks.WriteString(strings.Repeat(sign, columns))
		i += size
	}
	if s != nil && s.From >= from+len(line) {
		marks.WriteString("^")
	}
	return excerptLine{text.String(), strings.TrimRight(marks.String(), " ")}
}

// firstShown returns where to begin a line so that what is marked is shown.
func firstShown(line string, s *shell.Span, from, room int) int {
	if s == nil || columns(line) <= room {
		return 0
	}
	width := columns(line[:clamp(s.From-from, len(line))])
	for i := 0; i < len(line); {
		if width <= min(before, room/2) {
			return i
		}
		_, columns, size := cell(line[i:])
		width -= columns
		i += size
	}
	return 0
}

func clamp(n, most int) int { return max(0, min(n, most)) }
