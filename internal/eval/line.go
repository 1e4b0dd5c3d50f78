package eval

import (
	"iter"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// A Cost is what the reading of a line took. It is the same whenever the line is read
// with the same [Env].
type Cost struct {
	// Steps counts the statements, words, values and pieces of values that were
	// looked at.
	Steps int
	// Bytes counts those of the values and words that were made, copies included.
	Bytes int
}

// Sweeper returns the find that runs a command, or one that leads to it, on
// most of what it finds; nil if there is none.
func (l *Line) Sweeper(c *command.Command) *command.Command {
	for c.Parent >= 0 {
		find := &l.Commands[c.Parent]
		switch {
		case !find.Finds():
			c = find
		case c.In(command.Swept):
			return find
		default:
			return nil
		}
	}
	return nil
}

// MatchesHidden reports whether a * may match names that begin with a dot: the line sets
// an option or a variable that may have this effect, or runs text that nobody knows and
// that may set one.
func (l *Line) MatchesHidden() bool {
	return slices.ContainsFunc(l.Commands, func(c command.Command) bool {
		if c.Of("globs") && (c.How("globs") != "letters" || slices.ContainsFunc(c.Words[1:], func(w shell.Word) bool { return !w.Known() || strings.Contains(w.Values[0], "4") })) {
			return true // such as zsh's set -4
		}
		if c.Name == "" && len(c.Words) > 0 || c.Opaque != "" {
			return true
		}
		return slices.ContainsFunc(c.Assigns, func(a command.Assign) bool {
			return a.Name == "GLOBIGNORE" || a.Name == "FIGNORE" || a.Steers
		}) || slices.ContainsFunc(c.Words, func(w shell.Word) bool { return slices.ContainsFunc(w.Values, command.NamesDotOption) })
	})
}

// A Line is what a command line can run. It is immutable once read and may be
// shared between goroutines.
type Line struct {
	// Source is the text that was read; every [shell.Span] counts its bytes.
	Source string
	// Commands holds every simple command in the order of reading: a wrapper
	// comes before its payload. Empty for a blank or unreadable line.
	Commands []command.Command
	// Spawns holds the places that start processes without bound.
	Spawns []Spawn
	// Oddities holds characters that hide text from a human reader.
	Oddities []shell.Oddity
	// Links are what the line links or mounts to other places.
	Links []command.Link
	// OnDisk are the links that lie on the disk before the line runs, as far as who judges
	// it has looked.
	OnDisk []command.Link
	// Control says that the line has a condition, a loop, a case or a function.
	Control bool
	// Divergence is the first place that the shells which may run the line
	// read differently; nil if there is none.
	Divergence *shell.Divergence
	// Problem says why the line could not be read; nil if it was.
	Problem *shell.Problem
	// Unread says why a text that a shell of this machine evaluates could not be read; nil
	// if all of them were.
	Unread *shell.Problem
	// Cost is what the reading took.
	Cost Cost
}

// Unreadable says why the line, or a text that it has a shell evaluate, could not be read;
// nil if all of it was.
func (l *Line) Unreadable() *shell.Problem {
	if l.Problem != nil {
		return l.Problem
	}
	return l.Unread
}

// Foreign reports whether the line is for a shell that cannot be read.
func (l *Line) Foreign() bool { return l.Problem != nil && l.Problem.Code == shell.ForeignShell }

// A Spawn is a construct that starts processes without bound, such as a
// function that pipes itself into itself in the background.
type Spawn struct {
	Why  string
	Span shell.Span
}

// Appended reports whether what runs the command appends what it reads to its words, as
// xargs does.
func (l *Line) Appended(c *command.Command) bool {
	return c.Parent >= 0 && l.Commands[c.Parent].Is(program.Appends)
}

// Follow returns the paths that a word names for a command, with what the line
// has linked before it in the place of the links. A link itself stands for its
// target only where the word ends with a slash.
func (l *Line) Follow(paths []string, c *command.Command, word shell.Set) []string {
	return l.follow(paths, c, slices.ContainsFunc(word.Values, func(v string) bool { return strings.HasSuffix(v, "/") }))
}

// FollowAll is [Line.Follow] for what is written: it reaches the target of a link.
func (l *Line) FollowAll(paths []string, c *command.Command) []string {
	return l.follow(paths, c, true)
}

// FollowEffect is [Line.Follow] for an effect: what removes, moves or replaces a
// link leaves its target alone, and what else is done is done to that.
func (l *Line) FollowEffect(paths []string, c *command.Command, e command.Effect) []string {
	if e.Kind == command.Deletes || e.Kind == command.Moves || e.Kind == command.Writes && c.How("alias") == "name" {
		return l.Follow(paths, c, e.Target)
	}
	return l.FollowAll(paths, c)
}

func (l *Line) follow(paths []string, c *command.Command, last bool) []string {
	made := l.Links[:min(c.Linked, len(l.Links))]
	if len(made) == 0 && len(l.OnDisk) == 0 {
		return paths
	}
	out := slices.Clone(paths) // they may be those of the line
	for i, p := range out {
		for n := range eachLink(l.OnDisk, made) {
			rest, ok := strings.CutPrefix(p, n.Path)
			if ok && (strings.HasPrefix(rest, "/") || rest == "" && (last || n.Mounted)) {
				p = shell.Clean(n.Target + rest)
			}
		}
		out[i] = p
	}
	return out
}

// eachLink yields the links of some lists.
func eachLink(lists ...[]command.Link) iter.Seq[*command.Link] {
	return func(yield func(*command.Link) bool) {
		for _, list := range lists {
			for i := range list {
				if !yield(&list[i]) {
					return
				}
			}
		}
	}
}

// maxWrapped bounds the wrappers around one command.
const maxWrapped = 24

// FedMany reports whether the command reads what one prints that prints many lines, and
// which: through others that hand it on, or by a process substitution.
func (l *Line) FedMany(c *command.Command) bool {
	for n, at := 0, c; n < maxWrapped; n++ {
		span := l.wrapped(at).Span
		for i := range l.Commands {
			if w := &l.Commands[i]; w != at && w.In(command.InSubst) && w.Span.From >= span.From && w.Span.To <= span.To && w.PrintsMany() {
				return true
			}
		}
		if at.Source < 0 {
			return false
		}
		if at = &l.Commands[at.Source]; at.PrintsMany() {
			return true
		}
		if !at.Relays() {
			return false
		}
	}
	return false
}

// wrapped returns the command that starts another through wrappers alone, which hand on
// their input, or that one itself.
func (l *Line) wrapped(c *command.Command) *command.Command {
	for c.Parent >= 0 {
		p := &l.Commands[c.Parent]
		if !p.HandsOver() || p.Is(program.Appends) {
			break
		}
		c = p
	}
	return c
}

// Text returns the part of the source that a span names. What of the span lies
// outside is left out.
func (l *Line) Text(s shell.Span) string {
	from := min(max(s.From, 0), len(l.Source))
	return l.Source[from:min(max(s.To, from), len(l.Source))]
}

// Acting returns the index of the command that does what command i does: of one that only
// starts another in its place, that other one, and i otherwise.
func (l *Line) Acting(i int) int {
	for {
		if !l.Commands[i].HandsOver() {
			return i
		}
		to := l.payload(i)
		if to < 0 {
			return i
		}
		i = to
	}
}

// payload returns the index of the command that command i runs by its own words, -1 if
// there is none.
func (l *Line) payload(i int) int {
	c := &l.Commands[i]
	for k := i + 1; c.Args.Payload > 0 && c.Args.Payload < len(c.Words) && k < len(l.Commands); k++ {
		if d := &l.Commands[k]; d.Parent == i && d.Span.From >= c.Words[c.Args.Payload].Span.From && d.Span.To <= c.Span.To {
			return k
		}
	}
	return -1
}

// writer returns the index of the command that writes the output of command i: that which it
// starts in its place, and else its own. Of what is redirected the wrapper says where it goes.
func (l *Line) writer(i int) int {
	for l.Commands[i].HandsOver() && len(l.Commands[i].Redirects) == 0 {
		to := l.payload(i)
		if to < 0 || l.Commands[to].Variant {
			break
		}
		i = to
	}
	return i
}

// printsMany reports whether one of the commands from an index on, all of which stand in
// substitutions, prints so many lines for the word that they are in.
func (l *Line) printsMany(from int) bool {
	return slices.ContainsFunc(l.Commands[from:], func(c command.Command) bool {
		return !c.In(command.Piping) && (c.PrintsMany() || c.Relays() && l.FedMany(&c))
	})
}
