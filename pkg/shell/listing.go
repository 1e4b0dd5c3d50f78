package shell

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/pkg/program"
)

// listing returns the paths that command i prints, as patterns: those that
// find, ls and their like list, through filters that leave most of them. It is
// open and empty for what prints other things.
func (r *reader) listing(i, depth int) Set {
	none := Set{Open: true}
	if i < 0 || depth > 8 {
		return none
	}
	c := &r.line.Commands[i]
	switch c.filter() {
	case "find":
		return allFound(c)
	case "ls", "dir", "vdir", "exa", "eza":
		if n := len(c.Args.Operands); n == 1 {
			if w := &c.Words[c.Args.Operands[0].At]; r.isWritten(i, w.Set) {
				return patterns([]Word{*w}) // a file, and no directory
			}
		}
		return listed(c)
	case "echo", "printf", "stat", "realpath", "readlink":
		if globbed(c.Words[1:]) {
			return patterns(c.Words[1:])
		}
	case "basename":
		if n := len(c.Args.Operands); n > 0 {
			return namesOf(c.Words[c.Args.Operands[n-1].At].Set)
		}
	case "compgen":
		return completed(c)
	case "tree":
		if c.Args.Has("f") && c.Args.Has("i") {
			return below(c)
		}
	case "cut":
		if c.Source >= 0 && c.Input == nil && r.line.Commands[c.Source].Name == "du" && secondColumn(c) {
			return below(&r.line.Commands[c.Source])
		}
	case "lsblk":
		return blockDevices(c)
	case "sort", "tac", "cat", "tee", "uniq", "shuf", "grep", "egrep", "sed", "awk", "head", "tail":
		if out := c.produced(); len(out.Values) > 0 {
			return out
		}
		if c.Source >= 0 && c.Input == nil && r.line.Commands[c.Source].Name == "du" && secondColumn(c) {
			return below(&r.line.Commands[c.Source])
		}
		if c.Input == nil && r.onlyFilters(c) {
			return passed(c, r.listing(c.Source, depth+1))
		}
	}
	if c.Args.Payload > 0 && c.Args.Program.Input != program.RoleEnv && i+1 < len(r.line.Commands) && r.line.Commands[i+1].Parent == i {
		return r.listing(i+1, depth+1)
	}
	return c.produced()
}

// onlyFilters reports whether a filter reads its standard input alone.
func (r *reader) onlyFilters(c *Command) bool {
	for _, o := range c.Args.Operands {
		if o.Role == program.RoleRead && !c.Words[o.At].Has("-") {
			return false
		}
	}
	return true
}

// lister returns the index of the command that a statement ends with if that
// lists paths, -1 if not. from is the index of the statement's first command.
func (r *reader) lister(from int, s *syntax.Stmt) int {
	i := r.feeder(from, s)
	if b, ok := s.Cmd.(*syntax.BinaryCmd); ok && isPipe(b.Op) && plain(s) && r.tail >= from {
		i = r.tail
	}
	if len(r.listing(i, 0).Values) == 0 {
		return r.groupLister(from, s)
	}
	return i
}

// listed returns what ls prints: its operands where it is told to, else the
// names in a directory.
func listed(c *Command) Set {
	out := Set{Open: true}
	if c.Args.Has("l", "g", "n", "o", "s", "i", "R", "m", "Z", "long", "recurse") {
		return out
	}
	var words []Word
	for _, o := range c.Args.Operands {
		words = append(words, c.Words[o.At])
	}
	if c.Args.Has("d", "directory") || globbed(words) {
		return patterns(words)
	}
	dir := Set{Values: []string{"."}}
	if len(words) == 1 {
		dir = words[0].Set
	}
	if len(words) > 1 {
		return out
	}
	return namesIn(Paths(c.Dir, dir))
}

// below returns what du and tree print: the directories that they are given, and
// paths below.
func below(c *Command) Set {
	var words []Word
	for _, o := range c.Args.Operands {
		if w := c.Words[o.At]; !w.Number && !allNumbers(w.Set) {
			words = append(words, w)
		}
	}
	if len(words) == 0 {
		words = []Word{{Set: Set{Values: []string{"."}}}}
	}
	return patterns(words)
}

// secondColumn reports whether cut or awk leaves the second column of what it
// reads.
func secondColumn(c *Command) bool {
	if o := c.Args.Option("f"); c.Name == "cut" && o != nil && o.HasArg {
		v, _ := o.Arg.Literal()
		return strings.HasPrefix(v, "2") && !c.Args.Has("d")
	}
	program, ok := codeOf(c)
	m := awkForms().lines.FindStringSubmatch(program)
	return ok && m != nil && (strings.TrimSpace(m[1]) == "$2" || strings.TrimSpace(m[1]) == "$NF")
}

// namesIn returns the names of what stands in one of some directories.
func namesIn(dirs []string) Set {
	out := Set{Open: true, Glob: true, Names: true}
	for _, d := range dirs {
		if strings.HasPrefix(d, "/") {
			out.Values = append(out.Values, deviceNames(strings.TrimSuffix(escape(d), "/")+"/")+"*")
		}
	}
	return out
}

// namesOf returns the last elements of the paths that stand for all that a pattern of
// one directory matches, and nothing for others.
func namesOf(paths Set) Set {
	if paths.Glob && all(paths, func(v string) bool {
		return strings.HasPrefix(v, "/proc/") && strings.Count(v, "/") == 2 && Matches(v[len("/proc/"):], "1")
	}) {
		return processList()
	}
	out := Set{Open: true, Glob: true, Names: true}
	for _, v := range paths.Values {
		if at := strings.LastIndexByte(v, '/') + 1; paths.Glob && at > 0 && v[0] == '/' && !strings.ContainsAny(v[:at], "*?[") {
			out.Values = append(out.Values, deviceNames(v[:at])+v[at:])
		}
	}
	if len(out.Values) == 0 {
		return Set{Open: true}
	}
	return out
}

// deviceNames returns the directory whose entries have the names of those of another,
// which is itself but for the devices that the kernel lists (sysfs(5)).
func deviceNames(dir string) string {
	switch strings.TrimSuffix(dir, "/") {
	case "/sys/block", "/sys/class/block", "/sys/dev/block":
		return "/dev/"
	}
	return dir
}

// patterns returns the paths that words name, as patterns.
func patterns(words []Word) Set {
	out := Set{Open: true, Glob: true}
	for i := range words {
		w := &words[i]
		for _, v := range w.Values {
			if strings.HasPrefix(v, "-") || strings.HasPrefix(v, "%") {
				continue // an option or a format
			}
			if !w.Glob {
				v = escape(v)
			}
			out.Values = append(out.Values, v)
		}
	}
	return out
}

func globbed(words []Word) bool {
	for i := range words {
		if words[i].Glob {
			return true
		}
	}
	return false
}

// completed returns what compgen -f, -d and -G print: the paths that begin
// with a text, or that match a pattern.
func completed(c *Command) Set {
	out := Set{Open: true, Glob: true}
	for i := 1; i+1 < len(c.Words); i++ {
		begins := c.Words[i].Has("-f") || c.Words[i].Has("-d")
		for _, v := range c.Words[i+1].Values {
			switch {
			case begins:
				out.Values = append(out.Values, escape(v)+"*")
			case c.Words[i].Has("-G"):
				out.Values = append(out.Values, v)
			}
		}
	}
	return out
}

// blockDevices returns what lsblk prints: the names of devices, or their paths.
func blockDevices(c *Command) Set {
	names, paths := false, false
	for i := range c.Words[1:] {
		v, _ := c.Words[i+1].Literal()
		names = names || v == "NAME" || v == "KNAME"
		paths = paths || v == "PATH" || len(v) > 1 && v[0] == '-' && v[1] != '-' && strings.Contains(v, "p") || v == "--paths"
	}
	if names || paths {
		out := namesIn([]string{"/dev"})
		out.Names = !paths
		return out
	}
	return Set{Open: true}
}

// prefixes is a program of awk that prints a text before each line.
var prefixes = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*\{\s*print\s*(?:"([^"\\]*)"\s*)?\$(?:0|1|NF)\s*;?\s*\}\s*$`)
})

// passed returns the paths that a filter leaves, or makes, of those that it
// reads. One that picks a few of them leaves none.
func passed(c *Command, in Set) Set {
	out := Set{Open: true, Glob: in.Glob, Names: in.Names}
	for _, v := range in.Values {
		before, after := "", v
		if in.Names {
			at := strings.LastIndexByte(v, '/') + 1
			before, after = v[:at], v[at:]
		}
		text, ok := passedText(c, after)
		if in.Names && strings.HasPrefix(v, "/dev/") && program.HasWord("head tail", c.Name) {
			text, ok = after, true // of devices, one is enough
		}
		switch {
		case !ok:
		case text == after:
			out.Values = append(out.Values, v)
		case !in.Names:
			out.Values = append(out.Values, text)
		case strings.HasSuffix(text, after) && Clean(text[:len(text)-len(after)]) == Clean(before):
			out.Values, out.Names = append(out.Values, v), false
		}
	}
	return out
}

func passedText(c *Command, text string) (string, bool) {
	switch c.Name {
	case "sort", "tac", "cat", "tee", "uniq", "shuf":
		return text, true
	case "head", "tail":
		return text, false
	case "grep", "egrep":
		return text, c.Args.Has("v")
	case "sed":
		made, ok := substituted(c, text+"\n")
		return strings.TrimSuffix(made, "\n"), ok
	}
	for _, o := range c.Args.Operands {
		v, _ := c.Words[o.At].Literal()
		if m := prefixes().FindStringSubmatch(v); m != nil {
			return m[1] + text, true
		}
	}
	return "", false
}

// namesBehind returns names as the paths that they are behind a text: those of the
// directory that the text names. Names of another directory are unknown.
func namesBehind(s Set, text string, dir Set) Set {
	if !s.Names {
		return s
	}
	out := Set{Open: true, Glob: true, Prefix: text}
	if text != "" && !strings.HasSuffix(text, "/") {
		return Set{Open: true, Prefix: text}
	}
	if text == "" {
		text = "."
	}
	here := Paths(dir, Set{Values: []string{text}})
	for _, v := range s.Values {
		if in := Clean(v[:strings.LastIndexByte(v, '/')+1]); slices.Contains(here, unescape(in)) {
			out.Values = append(out.Values, v)
		}
	}
	out.Glob = len(out.Values) > 0
	return out
}
