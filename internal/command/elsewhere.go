package command

import (
	"github.com/policyctl/policyctl/internal/lang/shell"
)

// DirAt returns the directory from which the word at an index is meant: that
// of the command, or the one that options before it name.
func (c *Command) DirAt(at int) shell.Set {
	name := c.How("dir")
	if name == "" {
		return c.Dir
	}
	dir := c.Dir
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		switch {
		case !o.HasArg || o.At >= at:
		case c.Args.Verb > 0 && o.At >= c.Args.Verb: // of the sub-command
		case o.Is("work-tree"):
			dir.Open = true // git may change to it first
		case o.Is(name):
			dir = within(dir, o.Arg.Set)
		}
	}
	return dir
}

// optionDir returns the directory from which the argument of an option is
// meant. The archive of tar and its like are not looked for in another one.
func (c *Command) optionDir(o *Option) shell.Set {
	switch {
	case c.How("speaks") == "git":
		return c.DirAt(o.At)
	case c.How("web") == "curl" && o.Is("o"):
		return c.downloadDir()
	case c.Of("first") && !o.Is("d"):
		return c.DirAt(len(c.Words)) // it changes to it before all else
	}
	return c.Dir
}

// within returns a directory as seen from another one.
func within(dir, sub shell.Set) shell.Set {
	if !sub.Known() || sub.Glob || len(dir.Values)*len(sub.Values) > shell.MaxValues {
		dir.Open = true
		return dir
	}
	return shell.Set{Values: shell.Paths(dir, sub), Open: dir.Open, Glob: dir.Glob}
}

// downloadDir returns the directory in which curl and wget keep what they
// fetch.
func (c *Command) downloadDir() shell.Set {
	for i := range c.Args.Options {
		if o := &c.Args.Options[i]; o.HasArg && (o.Is("output-dir") || o.Is("directory-prefix")) {
			return within(c.Dir, o.Arg.Set)
		}
	}
	return c.DirAt(c.Args.Verb)
}
