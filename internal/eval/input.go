package eval

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
)

// readInto binds the variables that read and its like fill.
func (r *reader) readInto(i int, sc *scope) {
	if o := r.line.Commands[i].Args.Option("C"); o != nil && o.HasArg {
		inner := *sc
		r.evaluate(i, o.Arg, &inner)
	}
	c := &r.line.Commands[i]
	if c.Binds() == "options" {
		r.readOption(i, sc)
		return
	}
	names := []shell.Word{}
	for _, o := range c.Args.Operands {
		names = append(names, c.Words[o.At])
	}
	if o := c.Args.Option("a"); o != nil {
		names = append(names, o.Arg)
	}
	if slices.ContainsFunc(names, func(w shell.Word) bool { return w.Open }) {
		r.setsNames(i, names, shell.Set{Open: true}, sc)
		r.readPerhaps(i, sc)
		return
	}
	if c.Binds() == "words" {
		r.readWords(i, sc)
		r.readBehind(i, sc)
	} else {
		r.readLines(i, sc)
	}
}

// readPerhaps binds variables that read may fill, where the names may be others.
func (r *reader) readPerhaps(i int, sc *scope) {
	if r.line.Commands[i].Binds() != "words" {
		return
	}
	r.readWords(i, sc)
	for _, name := range operandNames(&r.line.Commands[i], "REPLY") {
		if b := sc.lookup(name); b != nil {
			sc.bind(r, b.perhaps())
		}
	}
	sc.doubt(r) // of all others
}

// readBehind notes names behind options of read that take no argument in some shells:
// -p reads from a coprocess in mksh and ksh93, -t needs none in zsh.
func (r *reader) readBehind(i int, sc *scope) {
	for _, o := range r.line.Commands[i].Args.Options {
		if o.HasArg && o.Name != "a" && r.shells != shell.InBash {
			for _, name := range o.Arg.Values {
				r.notes(i, name, shell.Set{Open: true}, o.Arg.Span, sc)
			}
		}
	}
}

// readOption binds the letter that getopts finds, and its argument.
func (r *reader) readOption(i int, sc *scope) {
	args := r.line.Commands[i].Words[1:]
	if len(args) < 2 {
		return
	}
	r.setsNames(i, args[1:2], shell.Set{Open: true}, sc)
	from := arrayOf("@", args[2:])
	if b := sc.lookup("@"); b != nil && len(args) == 2 {
		from = *b
	}
	found := shell.Set{Open: true}
	for _, v := range from.whole().Values {
		if strings.HasPrefix(v, "-") {
			v = v[min(2, len(v)):] // -aVALUE
		}
		found.Values = append(found.Values, v)
	}
	sc.set(r, "OPTARG", found)
}

// operandNames returns the values of a command's operands, or the name that
// stands for none.
func operandNames(c *command.Command, none string) []string {
	var out []string
	for _, o := range c.Args.Operands {
		out = append(out, c.Words[o.At].Values...)
	}
	if len(out) == 0 {
		out = append(out, none)
	}
	return out
}

// wordOf returns where an operand of a command stands that has a value.
func (r *reader) wordOf(i int, value string) shell.Span {
	c := &r.line.Commands[i]
	for _, o := range c.Args.Operands {
		if w := &c.Words[o.At]; w.Has(value) {
			return w.Span
		}
	}
	return c.Span
}

// readWords binds what read reads: each name gets a field of a line, and the
// last one the rest. In a loop it may be any of the lines.
func (r *reader) readWords(i int, sc *scope) {
	c := &r.line.Commands[i]
	names := operandNames(c, "REPLY")
	text := r.inputText(i)
	if u := c.Args.Option("u"); u != nil && u.HasArg {
		if text, _ = r.disk.text(&r.line.Commands[i], descriptorFile(u.Arg.Set)); len(text.Values) > 0 {
			c.Input = &text
		}
		text.Open = true
	}
	if o := c.Args.Option("a"); o != nil {
		r.readArray(i, o, text, sc)
		return
	}
	sets := make([]shell.Set, len(names))
	for k := range sets {
		sets[k].Open = true
	}
	// Of a pipe and a file, zsh reads both and others the file alone.
	known := !text.Glob && len(text.Values) > 0 && (len(text.Values) > 1 || !text.Open || text.Values[0] == "")
	for _, value := range text.Values {
		lines := r.linesRead(value, sc)
		for _, line := range lines[:min(len(lines), shell.MaxValues)] {
			fields := r.lineFields(i, line, len(names), sc)
			for k := range sets {
				field := "" // of a line with fewer of them
				if k < len(fields) {
					field = fields[k]
				}
				if known && len(sets[k].Values) < shell.MaxValues {
					sets[k].Values = append(sets[k].Values, field)
				}
			}
		}
	}
	if !known && len(names) == 1 {
		if sets[0] = r.foundInput(i); len(sets[0].Values) == 0 && sc.place&command.InLoop != 0 && command.ListsProcesses([]shell.Word{{Set: text}}) {
			sets[0].Values = text.Values
		}
		sc.found = &names[0]
	}
	for k, n := range names {
		r.sets(i, n, sets[k], r.wordOf(i, n), sc)
	}
}

// linesRead returns the lines of text that one read may read.
func (r *reader) linesRead(text string, sc *scope) []string {
	lines := strings.Split(strings.TrimRight(text, "\n\x00"), "\n")
	if sc.place&command.InLoop == 0 {
		lines = lines[:1]
	}
	return lines
}

// readArray binds the array that read -a fills with the fields of a line.
func (r *reader) readArray(i int, o *command.Option, text shell.Set, sc *scope) {
	fills := sc.place&command.InLoop == 0 && !r.line.Commands[i].Args.Has("d", "n", "N")
	b := r.filledBy(text, func(value string) (one binding) {
		one.set.Open = !fills
		if fills {
			for _, f := range r.lineFields(i, r.linesRead(value, sc)[0], -1, sc) {
				one.elems = append(one.elems, known(r, f))
			}
		}
		return one
	})
	for _, b.name = range o.Arg.Values {
		sc.bind(r, b)
		r.notes(i, b.name, b.whole(), o.Arg.Span, sc)
	}
}

// filledBy returns the array that a command fills from text, whatever value this
// has.
func (r *reader) filledBy(text shell.Set, fill func(value string) binding) (b binding) {
	if text.Glob || text.Open && len(text.Values) < 2 {
		return binding{set: shell.Set{Open: true}, array: true}
	}
	for n, value := range text.Values {
		one, before := fill(value), b
		if one.array = true; n == 0 {
			b = one
		} else {
			b = joinedArray("", &before, &one)
		}
	}
	b.set.Open = b.set.Open || text.Open
	return b
}

// foundInput returns the paths that are listed for a command that reads them
// line by line.
func (r *reader) foundInput(i int) shell.Set {
	c := &r.line.Commands[i]
	if c.Input == nil {
		return r.searchRoots(i)
	}
	if !c.Input.Glob && !c.Input.Open {
		return shell.Set{Open: true}
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
	text := r.inputText(i)
	plain := !c.Args.Has("d", "n", "O", "s", "u")
	b := r.filledBy(text, func(value string) (one binding) {
		if !plain || strings.Count(value, "\n") >= shell.MaxFields {
			one.set.Open = true
			return one
		}
		one.set.Open = sc.place&command.InLoop != 0
		for line := range strings.Lines(value) {
			if c.Args.Has("t") {
				line = strings.TrimSuffix(line, "\n")
			}
			one.elems = append(one.elems, known(r, line))
		}
		return one
	})
	if paths := r.foundInput(i); b.set.Open && len(b.whole().Values) == 0 && len(paths.Values) > 0 && c.Args.Has("t") {
		b.elems = []shell.Set{paths}
	}
	for _, b.name = range operandNames(c, "MAPFILE") {
		sc.bind(r, b)
		r.notes(i, b.name, b.whole(), r.line.Commands[i].Span, sc)
	}
}
