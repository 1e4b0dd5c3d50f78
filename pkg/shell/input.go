package shell

import "strings"

// readInto binds the variables that read and its like fill.
func (r *reader) readInto(i int, sc *scope) {
	c := &r.line.Commands[i]
	for n := 1; c.Path != "read" && n+1 < len(c.Words); n++ {
		if c.Words[n].Has("-C") {
			inner := *sc
			r.evaluate(i, c.Words[n+1], &inner)
			c = &r.line.Commands[i]
		}
	}
	for _, w := range c.Words[1:] {
		if w.Open {
			sc.doubt(r)
			return
		}
	}
	switch c.Path {
	case "read":
		r.readWords(i, sc)
	case "mapfile", "readarray":
		r.readLines(i, sc)
	default:
		for _, w := range c.Words[1:] {
			for _, v := range w.Values {
				sc.set(r, v, Set{Open: true})
			}
		}
	}
}

// operandNames returns the values of a command's operands, or the name that
// stands for none.
func operandNames(c *Command, none string) []string {
	var out []string
	for _, o := range c.Args.Operands {
		out = append(out, c.Words[o.At].Values...)
	}
	if len(out) == 0 {
		out = append(out, none)
	}
	return out
}

// readWords binds what read reads: each name gets a field of a line, and the
// last one the rest. In a loop it may be any of the lines.
func (r *reader) readWords(i int, sc *scope) {
	c := &r.line.Commands[i]
	names := operandNames(c, "REPLY")
	text, ok := r.inputText(i).Literal()
	lines := strings.Split(strings.TrimRight(text, "\n\x00"), "\n")
	if sc.place&InLoop == 0 {
		lines = lines[:1]
	}
	if o := c.Args.Option("a"); o != nil {
		r.readArray(i, o, lines[0], ok, sc)
		return
	}
	sets := make([]Set, len(names))
	for k := range sets {
		sets[k].Open = true
	}
	for _, line := range lines[:min(len(lines), maxValues)] {
		for k, f := range r.lineFields(i, line, len(names), sc) {
			if ok {
				sets[k].Values = append(sets[k].Values, f)
			}
		}
	}
	if !ok && len(names) == 1 {
		sets[0] = r.foundInput(i)
		sc.found = &names[0]
	}
	for k, n := range names {
		sc.set(r, n, sets[k])
	}
}

// readArray binds the array that read -a fills with the fields of a line.
func (r *reader) readArray(i int, o *Option, line string, ok bool, sc *scope) {
	b := binding{array: true}
	b.set.Open = !ok || sc.place&InLoop != 0 || r.line.Commands[i].Args.Has("d", "n", "N")
	if !b.set.Open {
		for _, f := range r.lineFields(i, line, -1, sc) {
			b.elems = append(b.elems, known(r, f))
		}
	}
	for _, b.name = range o.Arg.Values {
		sc.bind(r, b)
	}
}

// foundInput returns the paths that are listed for a command that reads them
// line by line.
func (r *reader) foundInput(i int) Set {
	c := &r.line.Commands[i]
	if c.Input == nil {
		return r.searchRoots(i)
	}
	if !c.Input.Glob && !c.Input.Open {
		return Set{Open: true}
	}
	out := *c.Input
	out.Open, out.Values, out.Prefix, out.Partial = true, nil, "", "" // a line of it, and of that a part
	for _, v := range c.Input.Values {
		out.Values = append(out.Values, strings.TrimSuffix(v, "\n"))
	}
	return out
}

// lineFields splits a line as read does, into at most n fields unless n is
// negative; the last one keeps its separators.
func (r *reader) lineFields(i int, line string, n int, sc *scope) []string {
	x := expansion{r: r, sc: sc}
	ifs, _ := x.ifs()
	for _, a := range r.line.Commands[i].Assigns {
		if v, ok := a.Value.Literal(); ok && a.Name == "IFS" {
			ifs = v
		}
	}
	blanks := strings.Map(func(c rune) rune {
		if c == ' ' || c == '\t' || c == '\n' {
			return c
		}
		return -1
	}, ifs)
	line = strings.Trim(line, blanks)
	var out []string
	for len(out)+1 != n && line != "" {
		at := strings.IndexAny(line, ifs)
		if at < 0 {
			break
		}
		out = append(out, line[:at])
		rest := strings.TrimLeft(line[at:], blanks)
		if rest == line[at:] || rest != "" && at < len(line) && strings.IndexByte(blanks, line[at]) >= 0 && strings.IndexByte(ifs, rest[0]) >= 0 {
			rest = rest[1:]
		}
		line = strings.TrimLeft(rest, blanks)
	}
	return append(out, line)
}

// readLines binds the array that mapfile fills with the lines of its input.
func (r *reader) readLines(i int, sc *scope) {
	c := &r.line.Commands[i]
	b := binding{array: true, set: Set{Open: true}}
	text, ok := r.inputText(i).Literal()
	if ok && !c.Args.Has("d", "n", "O", "s", "u") && strings.Count(text, "\n") < maxFields {
		b.set.Open = sc.place&InLoop != 0
		for line := range strings.Lines(text) {
			if c.Args.Has("t") {
				line = strings.TrimSuffix(line, "\n")
			}
			b.elems = append(b.elems, known(r, line))
		}
	} else if paths := r.foundInput(i); len(paths.Values) > 0 && c.Args.Has("t") {
		b.elems = []Set{paths}
	}
	for _, b.name = range operandNames(c, "MAPFILE") {
		sc.bind(r, b)
	}
}
