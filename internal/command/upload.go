package command

import (
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// uploads yields the files of which an option of curl sends what they hold, or
// takes its text, as -d @FILE; it is false once yield is.
func (c *Command) uploads(yield func(Effect) bool) bool {
	if c.How("web") != "curl" {
		return true
	}
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		if o.Spec == nil || !o.HasArg {
			continue
		}
		files := shell.Set{Open: o.Arg.Open, Prefix: o.Arg.Prefix}
		for _, v := range o.Arg.Values {
			if name, ok := uploadOf(o, v); ok {
				files.Values = append(files.Values, name)
			}
		}
		if name, ok := uploadOf(o, o.Arg.Prefix); files.Open {
			files.Open, files.Prefix = ok, name
		}
		if !files.IsEmpty() && !yield(Effect{Kind: Reads, Target: files, Dir: c.Dir, Span: o.Arg.Span, Sent: !o.Is("w") && !o.Is("b")}) {
			return false
		}
	}
	return true
}

// uploadOf returns the file that the argument of an option of curl names.
func uploadOf(o *Option, v string) (name string, ok bool) {
	switch o.Spec.Names[0] {
	case "d", "data-ascii", "data-binary", "json", "H", "w", "proxy-header":
		name, ok = strings.CutPrefix(v, "@")
	case "data-urlencode":
		if before, file, found := strings.Cut(v, "@"); found && !strings.Contains(before, "=") {
			name, ok = file, true
		}
	case "F":
		if _, value, found := strings.Cut(v, "="); found && strings.IndexAny(value, "@<") == 0 {
			name, _, _ = strings.Cut(value[1:], ";")
			name, ok = strings.Trim(name, `"`), true
		}
	case "b":
		name, ok = v, v != "" && !strings.Contains(v, "=")
	}
	return name, ok && name != "-"
}

// SendsInput reports whether what the command reads from its standard input
// goes to another host.
func (c *Command) SendsInput() bool {
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		if o.Spec == nil || !o.HasArg {
			continue
		}
		v, _ := o.Arg.Literal()
		if o.Spec.Role == program.RoleSend && (v == "-" || v == ".") || c.How("web") == "curl" && isInput(o, v) {
			return true
		}
	}
	return c.Is(program.SendsInput)
}

// isInput reports whether the argument of an option of curl stands for the
// standard input.
func isInput(o *Option, v string) bool {
	switch o.Spec.Names[0] {
	case "d", "data-ascii", "data-binary", "data-urlencode", "json", "H":
		return strings.HasSuffix(v, "@-")
	case "F":
		_, value, _ := strings.Cut(v, "=")
		value, _, _ = strings.Cut(value, ";")
		return value == "@-" || value == "<-"
	}
	return false
}
