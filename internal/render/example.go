package render

import "strings"

// Command writes an indented command, which goes on in further rows where it does not fit:
// at blanks outside quotes, as a shell reads it on.
func (p *Page) Command(line string) {
	indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
	for _, row := range foldCommand(line, indent+"    ", p.Width) {
		p.line(Plain(row))
	}
}

// foldCommand returns the rows of a command of at most so many columns, as far as it has
// blanks outside quotes.
func foldCommand(line, indent string, width int) (rows []string) {
	const more = " \\"
	for width > 0 && columns(line) > width {
		cut := 0
		for _, at := range bareBlanks(line) {
			if at > len(indent) && (cut == 0 || columns(line[:at])+len(more) <= width) {
				cut = at
			}
		}
		if cut == 0 {
			break
		}
		rows = append(rows, line[:cut]+more)
		line = indent + line[cut+1:]
	}
	return append(rows, line)
}

// bareBlanks returns where the blanks outside quotes and comments are.
func bareBlanks(line string) (at []int) {
	var quote byte
	for i := range len(line) {
		switch c := line[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '#' && i > 0 && line[i-1] == ' ':
			return at
		case c == ' ':
			at = append(at, i)
		}
	}
	return at
}
