package command

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// A Link is a name that the line gives to another place: a symbolic or a hard
// link, a directory mounted a second time, or a loop device.
type Link struct {
	// Path is the name and Target the place, both absolute.
	Path, Target string
	Mounted      bool
}

// Link returns what ln, cp -l and cp -s, link, mount --bind and losetup link; ok is false
// where the command links nothing.
func (c *Command) Link() (link Link, ok bool) {
	how := c.How("alias")
	if how == "" {
		return Link{}, false
	}
	mounted := how == "mount"
	if c.Context != program.Local || how == "copy" && !c.Args.Has("l", "s") {
		return Link{}, false
	}
	if bind := c.Args.Option("o"); mounted && !c.Args.Has("B", "R") && (bind == nil || !strings.Contains(bind.Arg.Beginning(), "bind")) {
		return Link{}, false
	}
	var paths []string
	for _, o := range c.Args.Operands {
		if v, ok := c.Words[o.At].Literal(); ok {
			paths = append(paths, v)
		}
	}
	if how == "node" && len(paths) == 4 && (paths[1] == "b" || paths[1] == "u") {
		paths = []string{"/dev/block/" + paths[2] + ":" + paths[3], paths[0]}
	}
	if how == "device" {
		slices.Reverse(paths)
		mounted = true
	}
	if o := c.Args.Option("t"); o != nil && !mounted && len(paths) == 1 {
		paths = append(paths, o.Arg.Beginning()+strings.Join(o.Arg.Values, "")+"/")
	}
	if len(paths) == 1 && how == "name" {
		paths = append(paths, shell.Base(paths[0]))
	}
	if len(paths) != 2 || paths[1] == "" || len(c.Dir.Values) == 0 {
		return Link{}, false
	}
	path := shell.Abs(c.Dir.Values[0], paths[1])
	if strings.HasSuffix(paths[1], "/") && !mounted {
		path = shell.Abs(path, shell.Base(paths[0]))
	}
	from := path[:strings.LastIndexByte(path, '/')+1]
	if mounted || !c.Args.Has("s") || c.Args.Has("r") && how == "name" {
		from = c.Dir.Values[0]
	}
	return Link{path, shell.Abs(from, paths[0]), mounted}, true
}
