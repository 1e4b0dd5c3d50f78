package script

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/program"
)

// A writing is a text that a call writes: to is the call that opened the file to which
// it goes, 0 for the standard output.
type writing struct {
	to   int32
	text Value
}

const (
	// maxWritings bounds the texts that are followed, maxOpened the files.
	maxWritings = 256
	maxOpened   = 64
	// elsewhere is where a text goes that goes to no place that is known.
	elsewhere = -1
)

// A form is how a call makes a text of what it is given.
type form struct {
	// between stands between its parts, end behind the last; lines says that each is a
	// line, format that the first is a format of the others.
	between, end  string
	lines, format bool
	// file says that the first says where the text goes; method, that what stands
	// before the name must say it.
	file, method bool
}

// formOf returns the form of the calls by a name.
func formOf(name string, in program.Language) (f form, ok bool) {
	switch name {
	case "print", "echo":
		switch in {
		case program.Ruby, program.Perl, program.PHP:
			return form{}, true
		case program.Lua:
			return form{between: "\t", end: "\n"}, true
		}
		return form{between: " ", end: "\n"}, true
	case "log", "info", "debug":
		return form{between: " ", end: "\n", method: true}, true
	case "say", "println":
		return form{end: "\n"}, true
	case "puts":
		return form{lines: true}, true
	case "printf":
		return form{format: true}, true
	case "write", "writelines", "<<":
		return form{method: true}, true
	case "end":
		return form{method: true}, in == program.JavaScript
	case "fwrite", "fputs", "writeSync":
		return form{file: true}, true
	case "fprintf":
		return form{file: true, format: true}, true
	}
	return form{}, false
}

// tellOutput tells what the program prints, and what it writes to the files that it
// opens.
func (p *parser) tellOutput() {
	for _, n := range p.called {
		p.tellWriting(n)
	}
	if len(p.writings) == 0 {
		return
	}
	p.Output = p.writtenTo(0)
	for i := range p.Calls {
		c := &p.Calls[i]
		if c.Act == Writes && slices.Contains(p.opens, c.node) {
			c.Text = told(Value{Texts: p.writtenTo(c.node)})
		}
	}
}

// tellWriting notes what a call writes.
func (p *parser) tellWriting(n int32) {
	callee := p.nodes[n].first
	d, arg := &p.nodes[callee], p.nodes[callee].next
	if len(p.writings) == maxWritings || d.kind != nameNode && d.kind != memberNode || p.nodes[n].text == redirected {
		return
	}
	f, ok := formOf(d.text, p.language)
	if !ok {
		return
	}
	to := int32(0)
	switch {
	case f.file, d.text == "write" && d.kind == memberNode && p.nameOf(d.first) == "os":
		if arg == 0 {
			return
		}
		to, arg = p.target(arg), p.nodes[arg].next
	case d.kind == memberNode:
		to = p.target(d.first)
	case f.method:
		return
	case p.language == program.Perl && arg != 0:
		to, arg = p.handle(arg)
	}
	text, to := p.made(f, to, arg)
	if to != elsewhere {
		p.writings = append(p.writings, writing{to, text})
	}
}

// redirected is the text of calls of AWK that print to a file or a program.
const redirected = ">"

// target returns where goes what is written to a node.
func (p *parser) target(n int32) int32 {
	for d := &p.nodes[n]; d.kind == callNode && p.nodes[d.first].text == "<<"; d = &p.nodes[n] {
		n = p.nodes[d.first].first // f << "a" << "b"
	}
	if d := &p.nodes[n]; d.kind == memberNode && d.text == "buffer" {
		n = d.first
	}
	switch strings.TrimPrefix(p.nameOf(n), "$") {
	case "stdout", "STDOUT", "out", "io", "console", "Console":
		return 0
	}
	if p.nodes[n].kind == textNode && p.nodes[n].text == "1" {
		return 0
	}
	to := int32(elsewhere)
	p.written(n, 0, func(o int32) bool {
		if slices.Contains(p.opens, o) {
			to = o
		}
		return to == elsewhere
	})
	return to
}

// handle returns where print of Perl writes what it is given from an argument on, and
// the first argument that it writes.
func (p *parser) handle(arg int32) (to, first int32) {
	switch d := &p.nodes[arg]; d.kind {
	case callNode: // F "…"
		if k := p.nodes[d.first].next; k != 0 && p.nodes[d.first].kind == nameNode && isHandle(p.nodes[d.first].text) {
			return p.target(d.first), k
		}
	case functionNode: // {$f} "…"
		if d.next > arg+1 {
			return p.target(arg + 1), d.next // its body is behind it
		}
	case nameNode: // $f "…"
		if to := p.target(arg); d.next != 0 && (to > 0 || isHandle(d.text)) {
			return to, d.next
		}
	}
	return 0, arg
}

// isHandle reports whether a name of Perl is one that files have: F, STDERR.
func isHandle(name string) bool { return name != "" && name == strings.ToUpper(name) && name[0] != '$' }

// made returns what a call writes that is given the arguments from one on, and where
// that goes.
func (p *parser) made(f form, to, arg int32) (Value, int32) {
	var parts []Value
	for k := arg; k != 0; k = p.nodes[k].next {
		switch d := p.nodes[k]; d.kind {
		case functionNode:
			continue
		case pairNode: // sep="", end="", file=f
			switch p.nodes[d.first].text {
			case "sep":
				f.between = p.value(d.last).first()
			case "end":
				f.end = p.value(d.last).first()
			case "file":
				to = p.target(d.last)
			}
			continue
		}
		v := p.value(k)
		if v.Items != nil && len(v.Texts) == 0 && f.between == "" {
			parts = append(parts, v.Items...)
		} else {
			parts = append(parts, v)
		}
	}
	switch {
	case f.format && len(parts) > 0:
		return formatted(parts[0], parts[1:], nil), to
	case f.lines:
		for i := range parts {
			parts[i] = mapped(parts[i], func(s string) string { return strings.TrimSuffix(s, "\n") + "\n" })
		}
		return combined(parts, ""), to
	}
	out := combined(parts, f.between)
	if f.end != "" {
		out = mapped(out, func(s string) string { return s + f.end })
	}
	return out, to
}

// puts completes a call that writes to a file which it names.
func (p *parser) puts(c *Call, g gift) {
	switch {
	case !p.env.Output:
	case c.Name == "print>":
		c.Text = told(p.awkPrints(c.node))
	case len(g.values) > 1:
		c.Text = told(g.values[1])
	default:
		p.opening(c.node)
	}
	if c.Text != nil && slices.ContainsFunc(c.Values, isStandardOutput) && len(p.writings) < maxWritings {
		p.writings = append(p.writings, writing{0, *c.Text})
	}
}

func isStandardOutput(path Value) bool {
	switch path.first() {
	case "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "php://stdout", "php://output":
		return true
	}
	return false
}

// awkPrints returns what a call of AWK prints that leads elsewhere.
func (p *parser) awkPrints(n int32) Value {
	print := p.nodes[p.nodes[p.nodes[n].first].next].next
	if d := p.nodes[print]; d.kind == sameNode {
		print = d.first
	}
	callee := p.nodes[print].first
	f, ok := formOf(p.nameOf(callee), program.AWK)
	if p.nodes[print].kind != callNode || !ok {
		return text(Field(0))
	}
	out, _ := p.made(f, 0, p.nodes[callee].next)
	return out
}

// opening notes that a call opens a file to which others write.
func (p *parser) opening(n int32) {
	if len(p.opens) < maxOpened {
		p.opens = append(p.opens, n)
	}
}

// writtenTo returns what is written to a place, nil where nothing is known of it.
func (p *parser) writtenTo(to int32) []string {
	var parts []Value
	for _, w := range p.writings {
		if w.to == to {
			parts = append(parts, w.text)
		}
	}
	if parts == nil {
		return nil
	}
	var out []string
	for _, t := range combined(parts, "").Texts {
		if IsKnown(t) || !isBlank(strings.ReplaceAll(t, Unknown, "")) {
			out = append(out, t)
		}
	}
	return out
}

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }
