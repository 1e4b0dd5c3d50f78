package own

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// Process returns the process whose open files or memory a cleaned absolute path names,
// by its number or as a pattern, as in /proc/12/fd/7 and /proc/*/mem (proc(5)). They
// are the state of policyctl under another name where the process is policyctl.
func Process(path string) (id string, ok bool) {
	rest, ok := strings.CutPrefix(ownRoot(path), "/proc/")
	if !ok {
		return "", false
	}
	elems := strings.Split(rest, "/")
	if id = elems[0]; len(elems) > 3 && shell.Matches(elems[1], "task") {
		elems = elems[2:]
	}
	switch len(elems) {
	case 2:
		return id, shell.Matches(elems[1], "mem")
	case 3:
		return id, shell.Matches(elems[1], "fd") || shell.Matches(elems[1], "map_files")
	}
	return "", false
}

// mayBeAny reports whether the name of a process may be that of any: it is no number,
// and not that of the process itself.
func mayBeAny(id string) bool {
	return id != "self" && id != "thread-self" && strings.Trim(id, "0123456789") != ""
}

// inProcess reports whether a word of a command, as a path or as code, names the open
// files or the memory of a process that may be policyctl.
func inProcess(line *eval.Line, c *command.Command, at int) bool {
	if !strings.Contains(line.Source, "proc") || listsNames(c) {
		return false
	}
	w := &c.Words[at]
	path := argument(w)
	if slices.Contains(c.Args.Operands, command.Operand{At: at, Role: program.RoleDir}) { // what follows is read there
		path.Partial += "/x"
		for i := range path.Values {
			path.Values[i] += "/x"
		}
	}
	return ofAnyProcess(line, c.DirAt(at), path) || slices.ContainsFunc(w.Values, func(v string) bool { return strings.ContainsAny(v, "('\"") && spellsProcess(v) })
}

// ofAnyProcess reports whether a word names the open files or the memory of a process
// that may be policyctl: a pattern, or one whose number is not known.
func ofAnyProcess(line *eval.Line, dir shell.Set, w *shell.Word) bool {
	paths := shell.Paths(dir, w.Set)
	if partial := w.Partial; w.Open && partial != "" && w.Span.To <= len(line.Source) && !strings.Contains(line.Source[w.Span.From:w.Span.To], "$$") { // $$ is the shell itself
		paths = append(paths[:len(paths):len(paths)], shell.Abs("", strings.ReplaceAll(partial, shell.UnknownText, "*")))
	}
	return slices.ContainsFunc(paths, func(p string) bool {
		id, ok := Process(p)
		return ok && mayBeAny(id)
	})
}

// argument returns what a word is behind the name and = that dd and options put before
// a path.
func argument(w *shell.Word) *shell.Word {
	after := func(text string) string {
		if at := strings.Index(text, "=/"); at > 0 && !strings.Contains(text[:at], "/") {
			return text[at+1:]
		}
		return text
	}
	out := *w
	out.Partial, out.Values = after(w.Partial), make([]string, len(w.Values))
	for i, v := range w.Values {
		out.Values[i] = after(v)
	}
	return &out
}

// listsNames reports whether a command tells names of files and nothing of what is in
// them.
func listsNames(c *command.Command) bool {
	p := c.Args.Program
	return p != nil && p.Reads != nil && p.Reads.Lists == "*" && !p.Recursive && p.Output == program.NoOutput
}

// spellsProcess reports whether code names the open files or the memory of a process
// whose number it does not say.
func spellsProcess(text string) bool {
	for {
		_, rest, ok := strings.Cut(text, "/proc/")
		if !ok {
			return false
		}
		text = rest
		if len(rest) > maxSpelled {
			rest = rest[:maxSpelled]
		}
		id, _, _ := strings.Cut(rest, "/")
		if mayBeAny(id) && (strings.Contains(rest, "/mem") && !strings.Contains(rest, "/meminfo") || strings.Contains(rest, "/fd/") || strings.Contains(rest, "/map_files/")) {
			return true
		}
	}
}

// maxSpelled bounds how far from /proc/ the rest of the path may stand in code.
const maxSpelled = 120
