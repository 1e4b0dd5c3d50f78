package shell

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/program"
)

// A Link is a name that the line gives to another place: a symbolic or a hard
// link, a directory mounted a second time, or a loop device.
type Link struct {
	// Path is the name and Target the place, both absolute.
	Path, Target string
	// Span is the command that makes it.
	Span    Span
	Mounted bool
}

// maxLinks bounds how many links of a line are followed.
const maxLinks = 16

// Link returns what ln, cp -l and cp -s, link, mount --bind and losetup link; ok is false
// where the command links nothing.
func (c *Command) Link() (link Link, ok bool) {
	switch c.Name {
	case "ln", "link", "cp", "mount", "losetup", "mknod":
	default:
		return Link{}, false
	}
	mounted := c.Name == "mount"
	if c.Context != program.Local || c.Name == "cp" && !c.Args.Has("l", "s") {
		return Link{}, false
	}
	if bind := c.Args.Option("o"); mounted && !c.Args.Has("B", "R") && (bind == nil || !strings.Contains(bind.Arg.prefix(), "bind")) {
		return Link{}, false
	}
	var paths []string
	for _, o := range c.Args.Operands {
		if v, ok := c.Words[o.At].Literal(); ok {
			paths = append(paths, v)
		}
	}
	if c.Name == "mknod" && len(paths) == 4 && (paths[1] == "b" || paths[1] == "u") {
		paths = []string{"/dev/block/" + paths[2] + ":" + paths[3], paths[0]}
	}
	if c.Name == "losetup" {
		slices.Reverse(paths)
		mounted = true
	}
	if o := c.Args.Option("t"); o != nil && !mounted && len(paths) == 1 {
		paths = append(paths, o.Arg.prefix()+strings.Join(o.Arg.Values, "")+"/")
	}
	if len(paths) == 1 && c.Name == "ln" {
		paths = append(paths, Base(paths[0]))
	}
	if len(paths) != 2 || paths[1] == "" || len(c.Dir.Values) == 0 {
		return Link{}, false
	}
	path := Abs(c.Dir.Values[0], paths[1])
	if strings.HasSuffix(paths[1], "/") && !mounted {
		path = Abs(path, Base(paths[0]))
	}
	from := path[:strings.LastIndexByte(path, '/')+1]
	if mounted || !c.Args.Has("s") || c.Args.Has("r") && c.Name == "ln" {
		from = c.Dir.Values[0]
	}
	return Link{path, Abs(from, paths[0]), c.Span, mounted}, true
}

// Follow returns the paths that a word names for a command, with what the line
// has linked before it in the place of the links. A link itself stands for its
// target only where the word ends with a slash.
func (l *Line) Follow(paths []string, c *Command, word Set) []string {
	return l.follow(paths, c, slices.ContainsFunc(word.Values, func(v string) bool { return strings.HasSuffix(v, "/") }))
}

// FollowAll is [Line.Follow] for what is written: it reaches the target of a link.
func (l *Line) FollowAll(paths []string, c *Command) []string { return l.follow(paths, c, true) }

// FollowEffect is [Line.Follow] for an effect: what removes, moves or replaces a
// link leaves its target alone, and what else is done is done to that.
func (l *Line) FollowEffect(paths []string, c *Command, e Effect) []string {
	if e.Kind == Deletes || e.Kind == Moves || e.Kind == Writes && c.Name == "ln" {
		return l.Follow(paths, c, e.Target)
	}
	return l.FollowAll(paths, c)
}

func (l *Line) follow(paths []string, c *Command, last bool) []string {
	if len(l.Links) == 0 {
		return paths
	}
	out := slices.Clone(paths) // they may be those of the line
	for i, p := range out {
		for k := range l.Links {
			n := &l.Links[k]
			rest, ok := strings.CutPrefix(p, n.Path)
			if ok && n.Span.From < c.Span.From && (strings.HasPrefix(rest, "/") || rest == "" && (last || n.Mounted)) {
				p = Clean(n.Target + rest)
			}
		}
		out[i] = p
	}
	return out
}
