package render

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/policyctl/policyctl/internal/support/clip"
)

// Plain returns text on one line that does nothing to a terminal: what a
// reader cannot see is an escape.
func Plain(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		show, _, size := cell(s[i:])
		b.WriteString(show)
		i += size
	}
	return b.String()
}

// cell returns how the first character of s is shown, the columns that this
// takes, and its length in bytes.
func cell(s string) (show string, width, size int) {
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError && size == 1:
		show = fmt.Sprintf(`\x%02x`, s[0])
	case r == '\t':
		show = "    "
	case r < 0x80 && unicode.IsControl(r):
		show = escape(r)
	case r > 0xffff && clip.Empty(r):
		show = fmt.Sprintf(`\U%08x`, r)
	case r >= 0x80 && clip.Empty(r):
		show = fmt.Sprintf(`\u%04x`, r)
	case unicode.In(r, unicode.Mn, unicode.Me):
		return s[:size], 0, size
	case unicode.Is(wide, r):
		return s[:size], 2, size
	default:
		return s[:size], 1, size
	}
	return show, len(show), size
}

func escape(r rune) string {
	switch r {
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	}
	return fmt.Sprintf(`\x%02x`, r)
}

// Fold returns text as rows of at most so many columns, each as [Plain] shows
// it; without a width it is one row. A terminal may give a character more room
// than it should have, so that a row counts two columns for all but ASCII.
func Fold(s string, width int) []string {
	var rows []string
	var row strings.Builder
	used := 0
	for _, r := range Plain(s) {
		need := 1
		if r >= 0x80 && !unicode.In(r, unicode.Mn, unicode.Me) {
			need = 2
		}
		if width > 0 && used > 0 && used+need > width {
			rows = append(rows, row.String())
			row.Reset()
			used = 0
		}
		row.WriteRune(r)
		used += need
	}
	return append(rows, row.String())
}

// wrap returns a text as rows of at most so many columns, cut between words where
// that can be. Every row but the first begins with a word.
func wrap(s string, width int) (rows []string) {
	for columns(s) > width {
		cut, used := 0, 0 // behind the last blank that fits
		end := 0
		for end < len(s) {
			_, n, size := cell(s[end:])
			if used += n; used > width && s[end] != ' ' {
				break
			}
			if end += size; s[end-1] == ' ' {
				cut = end
			}
		}
		if strings.TrimSpace(s[:cut]) == "" {
			cut = max(1, end)
		}
		rows = append(rows, strings.TrimRight(s[:cut], " "))
		s = strings.TrimLeft(s[cut:], " ")
	}
	if s != "" || rows == nil {
		rows = append(rows, s)
	}
	return rows
}

// FoldLast returns the rows of a table of at most so many columns: what does
// not fit into the last cell goes on below it, behind a sign. Without a width
// the rows stay as they are.
func FoldLast(rows [][]string, width int) [][]string {
	if width <= 0 {
		return rows
	}
	lead := 0
	for i := 0; len(rows) > 0 && i < len(rows[0])-1; i++ {
		most := 0
		for _, row := range rows {
			most = max(most, columns(row[i]))
		}
		lead += most + 2
	}
	var out [][]string
	for _, row := range rows {
		last := len(row) - 1
		for i, text := range FoldOn(row[last], max(1, width-lead), goesOn) {
			cells := make([]string, last, last+1)
			if i == 0 {
				copy(cells, row)
			}
			out = append(out, append(cells, text))
		}
	}
	return out
}

// goesOn stands before what goes on from the row above.
const goesOn = "¦ "

// FoldOn returns text as [Fold] does, with a sign before each row but the first.
func FoldOn(s string, width int, sign string) []string {
	rows := Fold(s, width)
	if len(rows) == 1 {
		return rows
	}
	rows = Fold(s, max(1, width-columns(sign)))
	for i := range rows[1:] {
		rows[i+1] = sign + rows[i+1]
	}
	return rows
}

// columns returns how many columns a text takes.
func columns(s string) int {
	n := 0
	for i := 0; i < len(s); {
		_, width, size := cell(s[i:])
		n += width
		i += size
	}
	return n
}

// pad returns s with blanks up to a number of columns.
func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-columns(s)))
}

// wide are the characters that terminals show in two columns (Unicode
// Standard Annex 11, W and F, in ranges).
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x1100, 0x115f, 1}, {0x231a, 0x231b, 1}, {0x23e9, 0x23ec, 1}, {0x2614, 0x2615, 1}, {0x26a1, 0x26a1, 1},
		{0x2705, 0x2705, 1}, {0x274c, 0x274c, 1}, {0x2753, 0x2755, 1}, {0x2757, 0x2757, 1}, {0x2e80, 0x303e, 1},
		{0x3041, 0x33ff, 1}, {0x3400, 0x4dbf, 1}, {0x4e00, 0x9fff, 1}, {0xa000, 0xa4cf, 1}, {0xa960, 0xa97c, 1},
		{0xac00, 0xd7a3, 1}, {0xf900, 0xfaff, 1}, {0xfe30, 0xfe6f, 1}, {0xff00, 0xff60, 1}, {0xffe0, 0xffe6, 1},
	},
	R32: []unicode.Range32{
		{0x16fe0, 0x18aff, 1}, {0x1b000, 0x1b2ff, 1}, {0x1f004, 0x1f004, 1}, {0x1f0cf, 0x1f0cf, 1},
		{0x1f18e, 0x1f19a, 1}, {0x1f200, 0x1f320, 1}, {0x1f32d, 0x1f64f, 1}, {0x1f680, 0x1f6ff, 1},
		{0x1f7e0, 0x1f7eb, 1}, {0x1f900, 0x1faff, 1}, {0x20000, 0x3fffd, 1},
	},
}

// Cut returns text on one line of at most so many columns, as [Plain] shows it; what was
// cut off has a sign in its place.
func Cut(s string, width int) string {
	if s = Plain(s); columns(s) <= width {
		return s
	}
	end, used := 0, 1
	for end < len(s) {
		_, n, size := cell(s[end:])
		if used += n; used > width {
			break
		}
		end += size
	}
	return s[:end] + "…"
}

// cutBefore is [Cut] for a text whose end says most, such as a path.
func cutBefore(s string, width int) string {
	s = Plain(s)
	cut := false
	for columns(s) > width-1 && (cut || columns(s) > width) {
		_, _, size := cell(s)
		s, cut = s[size:], true
	}
	if cut {
		return "…" + s
	}
	return s
}
