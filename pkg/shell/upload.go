package shell

import "strings"

// uploads yields the files of which an option of curl sends what they hold, or
// takes its text, as -d @FILE; it is false once yield is.
func (c *Command) uploads(yield func(Effect) bool) bool {
	if c.Name != "curl" {
		return true
	}
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		if o.Spec == nil || !o.HasArg {
			continue
		}
		files := Set{Open: o.Arg.Open, Prefix: o.Arg.Prefix}
		for _, v := range o.Arg.Values {
			if name, ok := uploadOf(o, v); ok {
				files.Values = append(files.Values, name)
			}
		}
		if name, ok := uploadOf(o, o.Arg.Prefix); files.Open {
			files.Open, files.Prefix = ok, name
		}
		if !files.isEmpty() && !yield(Effect{Kind: Reads, Target: files, Dir: c.Dir, Span: o.Arg.Span}) {
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
