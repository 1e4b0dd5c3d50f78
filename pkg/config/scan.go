package config

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf8"
)

// maxSize bounds a policy file.
const maxSize = 4 << 20

// scan checks the bytes of a file before a parser sees them, and returns them
// without the byte order mark. It is false where the rest makes no sense.
//
// What YAML takes for the end of a line, but an editor does not, would hide a
// key behind a comment, and so would marks that change the direction of text.
func (d *decoder) scan(data []byte) ([]byte, bool) {
	if len(data) > maxSize {
		d.failAt(1, 1, "the file is larger than 4 MiB: split the policy into files")
		return nil, false
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	for i, line := range bytes.Split(data, []byte("\n")) {
		if column, text := scanLine(line, d.format); text != "" {
			d.failAt(i+1, column, "%s", text)
		}
	}
	return data, len(d.problems) == 0
}

// scanLine returns the first bad character of a line.
func scanLine(line []byte, in *format) (column int, text string) {
	line = bytes.TrimSuffix(line, []byte("\r"))
	indent := in == inYAML // elsewhere a tab is a blank
	for column = 1; len(line) > 0; column++ {
		r, size := utf8.DecodeRune(line)
		line = line[size:]
		switch {
		case r == utf8.RuneError && size == 1:
			return column, "the file is not UTF-8 here: save it as UTF-8"
		case r == '\t' && indent:
			return column, "a tab indents this line: use blanks"
		case r != '\t' && hidden(r):
			return column, fmt.Sprintf("the invisible character U+%04X: remove it, or write it as an escape in double quotes", r)
		}
		indent = indent && r == ' '
	}
	return 0, ""
}

// hidden tells of characters that a reader of the file cannot see.
func hidden(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}
