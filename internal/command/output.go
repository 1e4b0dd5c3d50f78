package command

import (
	"path"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
)

// MaxOutput bounds the text that is followed from one command to another.
const MaxOutput = shell.MaxSource

// KeepsOutput reports whether what a command prints goes to the standard output
// that it was given, and whether that is known.
func (c *Command) KeepsOutput() (kept, known bool) {
	own := -1
	for k := range c.Redirects {
		if rd := &c.Redirects[k]; rd.Fd == "1" || rd.Fd == "" && (rd.Writes() && rd.Op != "<>" || rd.Op == ">&") {
			if own >= 0 {
				return false, false // zsh writes to both
			}
			own = k
		}
	}
	if own < 0 {
		return true, true
	}
	rd := &c.Redirects[own]
	to, ok := rd.Target.Literal()
	switch {
	case !ok, rd.Op == "<>":
		return false, false
	case rd.Op == ">&" && to == "2":
		return false, !slices.ContainsFunc(c.Redirects[:own], func(before Redirect) bool { return before.Fd == "2" })
	case rd.Op == ">&" && !rd.Writes():
		return to == "1", to == "1" || to == "-"
	}
	return false, shell.IsNull(to) || !strings.HasPrefix(to, "/dev/") && !strings.HasPrefix(to, "/proc/")
}

// MayFail reports whether a redirection may fail, so that its command does not
// run: it opens a file, or copies a descriptor that not every command has.
func (rd Redirect) MayFail() bool {
	if rd.Inline() {
		return false
	}
	to, ok := rd.Target.Literal()
	if isDescriptor(rd.Target.Set) && (rd.Op == ">&" || rd.Op == "<&") {
		return to != "0" && to != "1" && to != "2" && to != "-"
	}
	return !ok || !shell.IsNull(to) || rd.Op == "<>"
}

// RealPaths returns what realpath and readlink print.
func (c *Command) RealPaths(words []shell.Word) shell.Set {
	if !c.Does("resolves") || c.Args.Unlisted || c.Args.Has("relative-to", "relative-base") {
		return shell.Set{Open: true}
	}
	out := EachLine(words, func(p string) string { return p })
	for n, v := range out.Values {
		if len(c.Dir.Values) == 0 && !strings.HasPrefix(v, "/") {
			return shell.Set{Open: true}
		}
		out.Values[n] = shell.Paths(c.Dir, shell.Set{Values: []string{strings.TrimSuffix(v, "\n")}})[0] + "\n"
	}
	out.Open = true // a link may lead elsewhere
	return out
}

// Lines returns each value as a line of its own.
func Lines(s shell.Set) shell.Set {
	out := shell.Set{Open: s.Open}
	for _, v := range s.Values {
		out.Values = append(out.Values, v+"\n")
	}
	return out
}

// EachLine returns what a program prints that changes its only operand.
func EachLine(words []shell.Word, change func(string) string) shell.Set {
	out := shell.Set{Open: words[0].Open}
	if len(words) != 1 {
		return shell.Set{Open: true}
	}
	for _, v := range words[0].Values {
		out.Values = append(out.Values, change(v)+"\n")
	}
	return out
}

// BaseNames returns what basename prints, whose second operand is a suffix
// that it removes.
func BaseNames(words []shell.Word) shell.Set {
	suffix := ""
	if len(words) == 2 {
		v, ok := words[1].Literal()
		if !ok {
			return shell.Set{Open: true}
		}
		suffix = v
	}
	return EachLine(words[:1], func(p string) string {
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

// DirName returns a path without its last element, as dirname prints it.
func DirName(p string) string {
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

// MaxVariants bounds how many readings one source command may have.
const MaxVariants = 12

// FeedsInput reports whether a redirection is one of the standard input.
func (rd Redirect) FeedsInput() bool {
	return rd.Fd == "0" || rd.Fd == "" && (rd.Inline() || rd.Reads() || rd.Op == "<&")
}
