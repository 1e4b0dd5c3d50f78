package shell

import (
	"path"
	"strings"

	"github.com/policyctl/policyctl/pkg/program"
)

// pathOutput returns what a program that prints a path or a variable writes.
func (r *reader) pathOutput(i int) Set {
	c := &r.line.Commands[i]
	if c.Name == "pwd" {
		out := lines(c.Dir)
		out.Open = out.Open || c.In(Adrift) || len(c.Words) > 1 && !(len(c.Words) == 2 && c.Words[1].Has("-L")) // -P shows where a link leads
		return out
	}
	if c.Name == "printenv" {
		return r.environmentOutput(c)
	}
	var words []Word
	for _, o := range c.Args.Operands {
		words = append(words, c.Words[o.At])
	}
	if len(words) == 0 || words[0].Glob || words[0].Many || c.Args.Has("z", "zero", "a", "multiple", "s", "suffix") {
		return Set{Open: true}
	}
	bare := len(c.Args.Options) == 0 && !c.Args.Unlisted
	switch {
	case c.Name != "basename" && c.Name != "dirname":
		return c.realPaths(words)
	case !bare || len(words) > 2:
		return Set{Open: true} // such as --help, or an error
	case c.Name == "basename":
		return baseNames(words)
	}
	return eachLine(words, dirName)
}

// realPaths returns what realpath and readlink print.
func (c *Command) realPaths(words []Word) Set {
	if c.Name == "readlink" && !c.Args.Has("f", "e", "m") || c.Args.Unlisted || c.Args.Has("relative-to", "relative-base") {
		return Set{Open: true}
	}
	out := eachLine(words, func(p string) string { return p })
	for n, v := range out.Values {
		if len(c.Dir.Values) == 0 && !strings.HasPrefix(v, "/") {
			return Set{Open: true}
		}
		out.Values[n] = Paths(c.Dir, Set{Values: []string{strings.TrimSuffix(v, "\n")}})[0] + "\n"
	}
	out.Open = true // a link may lead elsewhere
	return out
}

// lines returns each value as a line of its own.
func lines(s Set) Set {
	out := Set{Open: s.Open}
	for _, v := range s.Values {
		out.Values = append(out.Values, v+"\n")
	}
	return out
}

// eachLine returns what a program prints that changes its only operand.
func eachLine(words []Word, change func(string) string) Set {
	out := Set{Open: words[0].Open}
	if len(words) != 1 {
		return Set{Open: true}
	}
	for _, v := range words[0].Values {
		out.Values = append(out.Values, change(v)+"\n")
	}
	return out
}

// baseNames returns what basename prints, whose second operand is a suffix
// that it removes.
func baseNames(words []Word) Set {
	suffix := ""
	if len(words) == 2 {
		v, ok := words[1].Literal()
		if !ok {
			return Set{Open: true}
		}
		suffix = v
	}
	return eachLine(words[:1], func(p string) string {
		base := path.Base(p)
		if p == "" {
			return ""
		}
		if rest, ok := strings.CutSuffix(base, suffix); ok && rest != "" {
			return rest
		}
		return base
	})
}

// dirName returns a path without its last element, as dirname prints it.
func dirName(p string) string {
	name := strings.TrimRight(p, "/")
	i := strings.LastIndexByte(name, '/')
	switch dir := strings.TrimRight(name[:max(i, 0)], "/"); {
	case i < 0 && (name != "" || p == ""):
		return "."
	case dir == "":
		return "/"
	default:
		return dir
	}
}

// environmentOutput returns what printenv prints of the home directory; other
// variables need not be what the line says.
func (r *reader) environmentOutput(c *Command) Set {
	if len(c.Words) != 2 || c.Context != program.Local || !c.Words[1].Has("HOME") {
		return Set{Open: true}
	}
	return Set{Values: []string{r.env.Home + "\n"}, Open: true}
}
