package command

import (
	"slices"
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
)

// patchMarks begin the lines of a patch that name a file.
var patchMarks = [...]string{
	"*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:", gitHeader, "--- ", "+++ ", "Index: ", "rename to ", "rename from ", "copy to ",
}

// gitHeader begins what git writes before each file of a patch. Where no other
// line names the file, it does.
const gitHeader = "diff --git "

// PatchPaths returns every path that a patch names, in the form of unified
// diffs and of "*** Update File:" patches.
func PatchPaths(patch string) []string {
	return patchPaths(patch, func(path string) string {
		return strings.TrimPrefix(strings.TrimPrefix(path, "a/"), "b/")
	})
}

// patchPaths returns the paths of a patch, those of diffs as plain shows them.
func patchPaths(patch string, plain func(string) string) []string {
	var out []string
	for line := range strings.Lines(patch) {
		line = strings.TrimSpace(line) // agents read headers with blanks around them
		for _, mark := range patchMarks {
			path, ok := strings.CutPrefix(line, mark)
			if !ok {
				continue
			}
			if mark == gitHeader {
				for _, path := range headerPaths(path) {
					out = append(out, plain(path))
				}
				continue
			}
			if path = strings.TrimSpace(path); !strings.HasPrefix(mark, "***") {
				path, _, _ = strings.Cut(path, "\t")
				path = plain(plainPath(path))
			}
			if path != "" && path != "/dev/null" {
				out = append(out, path)
			}
		}
	}
	return out
}

// headerPaths returns the two paths of a header of git.
func headerPaths(rest string) []string {
	if quoted, err := strconv.QuotedPrefix(rest); err == nil {
		return []string{plainPath(quoted), plainPath(strings.TrimSpace(rest[len(quoted):]))}
	}
	if at := strings.Index(rest, ` "`); at >= 0 {
		return []string{rest[:at], plainPath(rest[at+1:])}
	}
	at := strings.LastIndex(rest, " b/")
	if at < 0 {
		return strings.Fields(rest)
	}
	return []string{rest[:at], rest[at+1:]}
}

// plainPath returns a path that git and diff have quoted as in C.
func plainPath(path string) string {
	if plain, err := strconv.Unquote(path); err == nil && path[0] == '"' {
		return plain
	}
	return path
}

// AddedPaths returns the paths of which a patch holds the whole text, so that it
// may write anew what lies there.
func AddedPaths(patch string) []string {
	var out []string
	fresh := false
	for line := range strings.Lines(patch) {
		line = strings.TrimSpace(line)
		if _, added := strings.CutPrefix(line, "*** Add File:"); added || fresh && strings.HasPrefix(line, "+++ ") {
			out = append(out, PatchPaths(line)...)
		}
		fresh = line == "--- /dev/null"
	}
	return out
}

// RemovedPaths returns the paths of which a patch says that it takes the file away.
func RemovedPaths(patch string) []string {
	var out []string
	for line := range strings.Lines(patch) {
		if path, ok := strings.CutPrefix(strings.TrimSpace(line), "*** Delete File:"); ok {
			out = append(out, strings.TrimSpace(path))
		}
	}
	return out
}

// MovedPaths returns the paths to which a patch moves files.
func MovedPaths(patch string) []string {
	var out []string
	for line := range strings.Lines(patch) {
		if path, ok := strings.CutPrefix(strings.TrimSpace(line), "*** Move to:"); ok {
			out = append(out, strings.TrimSpace(path))
		}
	}
	return out
}

// agentMarks begin the lines of a patch in the form of agents that are no text of a file.
var agentMarks = [...]string{"*** Begin Patch\n", "*** End Patch\n", "*** End of File\n", "*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "}

// OddPatch reports whether a line of a patch in the form of agents is a header of which
// nothing is known.
func OddPatch(patch string) bool {
	for line := range strings.Lines(patch) {
		line = strings.TrimRight(line, " \t\r\n") + "\n"
		isMark := func(mark string) bool { return strings.HasPrefix(line, mark) && line != mark+"\n" }
		if strings.HasPrefix(line, "***") && !slices.ContainsFunc(agentMarks[:], isMark) {
			return true
		}
	}
	return false
}

// obeyPatch notes the files that the command changes by a patch that the line holds.
func (c *Command) obeyPatch(told *Told) {
	p := c.Args.Program
	if !p.Is("", "patches") || c.Function || p.FillsNot != "" && c.Args.HasAny(p.FillsNot) {
		return
	}
	texts := slices.Clone(told.Input().Values)
	for k := range c.Words[1:] {
		texts = append(texts, c.Words[k+1].Values...)
	}
	for _, text := range texts {
		if len(text) > shell.MaxSource || !strings.Contains(text, "\n") {
			continue
		}
		for _, path := range patchPaths(text, c.stripped) {
			c.save(path, c.patchDir(), c.Span)
		}
	}
}

// stripped returns a path of a diff without the elements that the program takes
// away: those of option p, one for git, and for patch all that lead to no file.
func (c *Command) stripped(path string) string {
	n := 0
	if o := c.Args.Option("p"); o != nil && o.HasArg {
		text, _ := o.Arg.Literal()
		n, _ = strconv.Atoi(text)
	} else if c.Args.Sub == "apply" || strings.HasPrefix(path, "a/") || strings.HasPrefix(path, "b/") {
		n = 1
	}
	for ; n > 0; n-- {
		_, rest, found := strings.Cut(path, "/")
		if !found {
			break
		}
		path = strings.TrimLeft(rest, "/")
	}
	return path
}

// patchDir returns the directory from which the paths of a patch are meant.
func (c *Command) patchDir() shell.Set {
	dir := c.DirAt(len(c.Words))
	if o := c.Args.Option("directory"); o != nil && o.HasArg && c.Args.Sub != "" {
		return within(dir, o.Arg.Set)
	}
	return dir
}
