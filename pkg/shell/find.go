package shell

// narrowing are the tests of find that leave files out.
var narrowing = []string{
	"name", "iname", "path", "ipath", "wholename", "iwholename", "regex", "iregex", "lname", "ilname", "xtype",
	"size", "mtime", "atime", "ctime", "mmin", "amin", "cmin", "newer", "anewer", "cnewer", "newermt", "perm", "user",
	"group", "uid", "gid", "links", "inum", "samefile", "empty", "nouser", "nogroup", "false",
}

// SearchRoots returns the operands below which a find looks, and whether its
// tests leave out all but some files. The roots are nil for other programs.
func (c *Command) SearchRoots() (roots []Set, narrowed bool) {
	if c.Name != "find" {
		return nil, false
	}
	for _, o := range c.Args.Operands {
		switch w := &c.Words[o.At]; {
		case w.Has("!"), w.Has("("), w.Has(")"), w.Has(","):
		default:
			roots = append(roots, w.Set)
		}
	}
	if len(roots) == 0 {
		roots = []Set{{Values: []string{"."}}}
	}
	return roots, c.narrowed()
}

func (c *Command) narrowed() bool {
	if c.Name != "find" {
		return false
	}
	for _, o := range c.Args.Operands {
		if c.Words[o.At].Has("!") {
			return false
		}
	}
	if c.Args.Has("not", "o", "or") {
		return false
	}
	for _, name := range narrowing {
		o := c.Args.Option(name)
		if o != nil && !(o.HasArg && (o.Arg.Has("*") || o.Arg.Has(".*"))) {
			return true
		}
	}
	return c.Args.Option("type") != nil && !c.Args.Option("type").Arg.Has("f") && !c.Args.Option("type").Arg.Has("d")
}
