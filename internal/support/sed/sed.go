// Package sed reads scripts of sed for what they do beside editing text: the
// programs that they run and the files that they write. It reads as GNU's sed
// does, which runs and writes more than others, and goes on behind what it does
// not understand: what it finds is what a script may do.
package sed

import "strings"

// A Command is one of a script that runs a program or writes a file.
type Command struct {
	// Runs says that it runs a program: Text is the line for the shell, or what
	// becomes one with what the substitution has found. It is "" where the line
	// is one that sed reads.
	Runs bool
	Text string
	// Writes is the file that it writes, Reads the one that it reads, "" for none.
	Writes, Reads string
}

// Read returns the commands of a script that reach beyond the text.
func Read(script string) []Command {
	r := reader{text: script}
	for r.i < len(r.text) {
		r.command()
	}
	return r.found
}

// Written returns the files that a script writes.
func Written(script string) (files []string) {
	for _, c := range Read(script) {
		if c.Writes != "" {
			files = append(files, c.Writes)
		}
	}
	return files
}

type reader struct {
	text  string
	i     int
	found []Command
}

// command reads the next command and what stands before it.
func (r *reader) command() {
	r.pass(" \t\n;{}")
	r.addresses()
	if r.i == len(r.text) {
		return
	}
	c := r.text[r.i]
	r.i++
	switch c {
	case 's':
		r.substitution()
	case 'y':
		d := r.delimiter()
		r.upTo(d)
		r.upTo(d)
	case 'e':
		r.found = append(r.found, Command{Runs: true, Text: r.rest()})
	case 'w', 'W':
		r.found = append(r.found, Command{Writes: r.rest()})
	case 'r', 'R':
		r.found = append(r.found, Command{Reads: r.rest()})
	case '#':
		r.rest()
	case 'a', 'i', 'c':
		r.insertion()
	}
}

// pass skips bytes of a set.
func (r *reader) pass(set string) {
	for r.i < len(r.text) && strings.IndexByte(set, r.text[r.i]) >= 0 {
		r.i++
	}
}

// addresses skips those before a command, with their flags and steps.
func (r *reader) addresses() {
	for r.i < len(r.text) {
		switch c := r.text[r.i]; {
		case c == '/' || c == '\\':
			if c == '\\' {
				r.i++
			}
			r.pattern(r.delimiter())
			r.pass("IM")
		case strings.IndexByte("0123456789$,+~! \t", c) >= 0:
			r.i++
		default:
			return
		}
	}
}

// delimiter returns the byte behind a command, 0 at the end.
func (r *reader) delimiter() byte {
	if r.i == len(r.text) {
		return 0
	}
	r.i++
	return r.text[r.i-1]
}

// pattern skips a regular expression up to its delimiter, which is text between
// brackets.
func (r *reader) pattern(d byte) {
	for r.i < len(r.text) {
		c := r.text[r.i]
		r.i++
		switch {
		case c == d:
			return
		case c == '\\':
			r.i = min(r.i+1, len(r.text))
		case c == '[':
			r.bracket()
		}
	}
}

// bracket skips what stands between brackets, if they are closed on the line.
func (r *reader) bracket() {
	line, _, _ := strings.Cut(r.text[r.i:], "\n")
	from := 0
	if strings.HasPrefix(line, "^") {
		from = 1
	}
	if strings.HasPrefix(line[from:], "]") {
		from++
	}
	for from < len(line) {
		switch {
		case line[from] == ']':
			r.i += from + 1
			return
		case line[from] == '[' && from+1 < len(line) && strings.IndexByte(":.=", line[from+1]) >= 0:
			end := strings.Index(line[from+2:], line[from+1:from+2]+"]")
			if end < 0 {
				return
			}
			from += end + 4
		default:
			from++
		}
	}
}

// upTo returns the text up to a delimiter that is not escaped.
func (r *reader) upTo(d byte) string {
	from := r.i
	for r.i < len(r.text) {
		c := r.text[r.i]
		r.i++
		switch c {
		case d:
			return r.text[from : r.i-1]
		case '\\':
			r.i = min(r.i+1, len(r.text))
		}
	}
	return r.text[from:]
}

func (r *reader) substitution() {
	d := r.delimiter()
	r.pattern(d)
	made := r.upTo(d)
	for ; r.i < len(r.text); r.i++ {
		switch c := r.text[r.i]; {
		case c == 'e':
			r.found = append(r.found, Command{Runs: true, Text: strings.ReplaceAll(made, `\`+string([]byte{d}), string([]byte{d}))})
		case c == 'w':
			r.i++
			r.found = append(r.found, Command{Writes: r.rest()})
			return
		case strings.IndexByte("gpiImM0123456789", c) < 0:
			return
		}
	}
}

// rest returns what is left of the line.
func (r *reader) rest() string {
	line, _, _ := strings.Cut(r.text[r.i:], "\n")
	r.i += len(line)
	return strings.TrimLeft(line, " \t")
}

// insertion skips the text of a, i and c: the rest of the line, and each line
// behind a backslash.
func (r *reader) insertion() {
	for {
		line := r.rest()
		if r.i == len(r.text) || !strings.HasSuffix(line, "\\") {
			return
		}
		r.i++
	}
}
