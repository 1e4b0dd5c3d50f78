package command

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// Listed returns what ls prints: its operands where it is told to, else the
// names in a directory.
func Listed(c *Command) shell.Set {
	out := shell.Set{Open: true}
	if c.Args.Has("l", "g", "n", "o", "s", "i", "R", "m", "Z", "long", "recurse") {
		return out
	}
	var words []shell.Word
	for _, o := range c.Args.Operands {
		words = append(words, c.Words[o.At])
	}
	if c.Args.Has("d", "directory") || shell.Globbed(words) {
		return shell.Patterns(words)
	}
	dir := shell.Set{Values: []string{"."}}
	if len(words) == 1 {
		dir = words[0].Set
	}
	if len(words) > 1 {
		return out
	}
	return namesIn(shell.Paths(c.Dir, dir))
}

// Below returns what du and tree print: the directories that they are given, and
// paths below.
func Below(c *Command) shell.Set {
	var words []shell.Word
	for _, o := range c.Args.Operands {
		if w := c.Words[o.At]; !w.Number && !shell.AllNumbers(w.Set) {
			words = append(words, w)
		}
	}
	if len(words) == 0 {
		words = []shell.Word{{Set: shell.Set{Values: []string{"."}}}}
	}
	return shell.Patterns(words)
}

// SecondColumn reports whether cut or awk leaves the second column of what it
// reads.
func SecondColumn(c *Command) bool {
	if o := c.Args.Option(c.How("columns")); o != nil && o.HasArg {
		v, _ := o.Arg.Literal()
		return strings.HasPrefix(v, "2") && !c.Args.Has("d")
	}
	program, ok := CodeOf(c)
	m := awkForms().lines.FindStringSubmatch(program)
	return ok && m != nil && (strings.TrimSpace(m[1]) == "$2" || strings.TrimSpace(m[1]) == "$NF")
}

// namesIn returns the names of what stands in one of some directories.
func namesIn(dirs []string) shell.Set {
	out := shell.Set{Open: true, Glob: true, Names: true}
	for _, d := range dirs {
		if strings.HasPrefix(d, "/") {
			out.Values = append(out.Values, deviceNames(strings.TrimSuffix(shell.EscapePattern(d), "/")+"/")+"*")
		}
	}
	return out
}

// NamesOf returns the last elements of the paths that stand for all that a pattern of
// one directory matches, and nothing for others.
func NamesOf(paths shell.Set) shell.Set {
	if paths.Glob && All(paths, func(v string) bool {
		return strings.HasPrefix(v, "/proc/") && strings.Count(v, "/") == 2 && shell.Matches(v[len("/proc/"):], "1")
	}) {
		return ProcessList()
	}
	out := shell.Set{Open: true, Glob: true, Names: true}
	for _, v := range paths.Values {
		if at := strings.LastIndexByte(v, '/') + 1; paths.Glob && at > 0 && v[0] == '/' && !strings.ContainsAny(v[:at], "*?[") {
			out.Values = append(out.Values, deviceNames(v[:at])+v[at:])
		}
	}
	if len(out.Values) == 0 {
		return shell.Set{Open: true}
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

// Completed returns what compgen -f, -d and -G print: the paths that begin
// with a text, or that match a pattern.
func Completed(c *Command) shell.Set {
	out := shell.Set{Open: true, Glob: true}
	for i := 1; i < len(c.Words); i++ {
		if pattern, ok := strings.CutPrefix(c.Words[i].Beginning(), "-G"); ok && pattern != "" {
			out.Values = append(out.Values, pattern) // -GPATTERN
		}
		if i+1 == len(c.Words) {
			break
		}
		begins := c.Words[i].Has("-f") || c.Words[i].Has("-d")
		for _, v := range c.Words[i+1].Values {
			switch {
			case begins:
				out.Values = append(out.Values, shell.EscapePattern(v)+"*")
			case c.Words[i].Has("-G"):
				out.Values = append(out.Values, v)
			}
		}
	}
	return out
}

// BlockDevices returns what lsblk prints: the names of devices, or their paths.
func BlockDevices(c *Command) shell.Set {
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
	return shell.Set{Open: true}
}

// prefixes is a program of awk that prints a text before each line.
var prefixes = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*\{\s*print\s*(?:"([^"\\]*)"\s*)?\$(?:0|1|NF)\s*;?\s*\}\s*$`)
})

// Passed returns the paths that a filter leaves, or makes, of those that it
// reads. One that picks a few of them leaves none.
func Passed(c *Command, in shell.Set) shell.Set {
	out := shell.Set{Open: true, Glob: in.Glob, Names: in.Names}
	for _, v := range in.Values {
		before, after := "", v
		if in.Names {
			at := strings.LastIndexByte(v, '/') + 1
			before, after = v[:at], v[at:]
		}
		text, ok := passedText(c, after)
		if in.Names && strings.HasPrefix(v, "/dev/") && (c.How("passes") == "begin" || c.How("passes") == "end") {
			text, ok = after, true // of devices, one is enough
		}
		switch {
		case !ok:
		case text == after:
			out.Values = append(out.Values, v)
		case !in.Names:
			out.Values = append(out.Values, text)
		case strings.HasSuffix(text, after) && shell.Clean(text[:len(text)-len(after)]) == shell.Clean(before):
			out.Values, out.Names = append(out.Values, v), false
		}
	}
	return out
}

func passedText(c *Command, text string) (string, bool) {
	switch how := c.How("passes"); {
	case how == "all":
		return text, true
	case how == "begin", how == "end":
		return text, false
	case how == "some":
		return text, c.Args.Has("v")
	case program.LanguageOf(c.Name) == program.Sed:
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

// NamesBehind returns names as the paths that they are behind a text: those of the
// directory that the text names. Names of another directory are unknown.
func NamesBehind(s shell.Set, text string, dir shell.Set) shell.Set {
	if !s.Names {
		return s
	}
	out := shell.Set{Open: true, Glob: true, Prefix: text}
	if text != "" && !strings.HasSuffix(text, "/") {
		return shell.Set{Open: true, Prefix: text}
	}
	if text == "" {
		text = "."
	}
	here := shell.Paths(dir, shell.Set{Values: []string{text}})
	for _, v := range s.Values {
		if in := shell.Clean(v[:strings.LastIndexByte(v, '/')+1]); slices.Contains(here, shell.UnescapePattern(in)) {
			out.Values = append(out.Values, v)
		}
	}
	out.Glob = len(out.Values) > 0
	return out
}
