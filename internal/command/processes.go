package command

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// The ids of firstProcess and those after it stand for those of all processes: no
// process has them (proc_sys_kernel(5), pid_max). A list has allProcesses of them, so
// that one of which a filter leaves a few is told from one of all.
const (
	firstProcess = 1<<22 + 1
	allProcesses = 13
	mostOfAll    = 12
)

// ProcessList returns a text that stands for a list of all processes, whichever of its
// columns is taken.
func ProcessList() shell.Set {
	var out strings.Builder
	for n := range allProcesses {
		id := strconv.Itoa(firstProcess + n)
		out.WriteString(strings.Repeat(id+" ", 11) + id + "\n")
	}
	return shell.Set{Values: []string{out.String()}, Open: true}
}

// ListsProcesses reports whether words stand for the ids of all processes, or of all but
// a few, as far as another command lists them.
func ListsProcesses(words []shell.Word) bool {
	found := map[int]bool{}
	for i := range words {
		for _, v := range words[i].Values {
			for f := range strings.FieldsSeq(v) {
				if n, err := strconv.Atoi(f); err == nil && n >= firstProcess && n < firstProcess+allProcesses {
					found[n] = true
				}
			}
		}
	}
	return len(found) >= mostOfAll
}

// Processes returns what a command prints that lists all processes, or all of the user
// who runs the line.
func (c *Command) Processes(user string) shell.Set {
	lists := false
	how := cmp.Or(c.How("finds"), c.How("uses"))
	switch how {
	case "table":
		lists = psListsAll(c.Words[1:], user)
	case "patterns":
		own := c.Args.Has("u", "U", "euid", "uid") && len(c.Args.Operands) == 0 && c.namesUser(user)
		lists = own || c.Args.Has("v", "inverse")
		for _, o := range c.Args.Operands {
			lists = lists || slices.ContainsFunc(c.Words[o.At].Values, func(v string) bool { return strings.Trim(v, "^$.*+?") == "" })
		}
		lists = lists && !c.Args.Has("n", "newest", "o", "oldest", "c", "count")
	case "files":
		lists = c.lsofListsAll(user)
	case "screen":
		lists = slices.ContainsFunc(c.Words[1:], func(w shell.Word) bool { return strings.Contains(w.Text(), "b") }) && !c.Args.Has("p")
	case "mounts":
		lists = slices.ContainsFunc(c.Words[1:], func(w shell.Word) bool { return w.Has("/") })
	}
	if lists && c.Context == program.Local {
		out := ProcessList()
		if how == "screen" { // below its header
			out.Values[0] = strings.Repeat("-\n", 7) + out.Values[0]
		}
		return out
	}
	return shell.Set{Open: true}
}

// psListsAll reports whether the words of ps choose all processes, or all of the user
// (ps(1)).
func psListsAll(words []shell.Word, user string) (lists bool) {
	taken := false // the word is the argument of an option
	for i := range words {
		v, _ := words[i].Literal()
		if taken {
			taken = false
			continue
		}
		if strings.HasPrefix(v, "--") {
			long, _, attached := strings.Cut(v[2:], "=")
			switch long {
			case "pid", "ppid", "sid", "tty", "group", "Group", "quick-pid":
				return false
			case "deselect":
				lists = true
			case "user", "User", "format", "sort":
				taken = !attached
			}
			continue
		}
		letters, unix := strings.CutPrefix(v, "-")
		for n, l := range letters {
			switch {
			case strings.ContainsRune("oOk", l): // the rest is its argument, or the next word
				taken = n == len(letters)-1
			case unix && strings.ContainsRune("uU", l):
				rest := letters[n+1:]
				taken = rest == ""
				lists = lists || taken && i+1 < len(words) && isUser(&words[i+1], user) || rest != "" && isUser(&shell.Word{Set: shell.Set{Values: []string{rest}}}, user)
			case unix && strings.ContainsRune("pCGgtqs", l), !unix && strings.ContainsRune("pqtU0123456789", l):
				return false
			case unix && strings.ContainsRune("eAN", l), !unix && l == 'x':
				lists = true
				continue
			default:
				continue
			}
			break
		}
	}
	return lists
}

// lsofListsAll reports whether lsof prints the ids of all processes that have files open.
func (c *Command) lsofListsAll(user string) (lists bool) {
	lists, ids := true, false
	for i := 1; i < len(c.Words); i++ {
		switch v, ok := c.Words[i].Literal(); {
		case v == "-u" && i+1 < len(c.Words):
			i++
			lists = lists && isUser(&c.Words[i], user)
		case ok && strings.HasPrefix(v, "-") && !strings.ContainsAny(v, "icpgd"):
			ids = ids || strings.Contains(v, "t")
		case v != "/":
			return false
		}
	}
	return lists && ids
}

// namesUser reports whether a word of a command, or a part of one, names the user, or root.
func (c *Command) namesUser(user string) bool {
	if slices.ContainsFunc(c.Args.Options, func(o Option) bool { return o.HasArg && isUser(&o.Arg, user) }) {
		return true
	}
	return slices.ContainsFunc(c.Words[1:], func(w shell.Word) bool { return isUser(&w, user) })
}

// isUser reports whether a word names a user, or root.
func isUser(w *shell.Word, user string) bool { return w.Has(user) || w.Has("root") || w.Has("0") }

// IsProcessFile reports whether a file lists all processes (cgroups(7)).
func IsProcessFile(path string) bool { return shell.Clean(path) == "/sys/fs/cgroup/cgroup.procs" }

// ManyProcesses is the number of processes from which a loop or a list that starts them
// all at once leaves no room for others.
const ManyProcesses = 10000

// PrintsMany reports whether a command prints so many lines, or goes on without end.
func (c *Command) PrintsMany() bool {
	switch {
	case c.Of("repeats"):
		return true
	case c.Of("counts"):
		v, _ := c.Words[len(c.Words)-1].Literal()
		return IsMany(v)
	case c.Of("streams"):
		for _, o := range c.Args.Operands {
			if slices.ContainsFunc(c.Words[o.At].Values, isEndless) {
				return true
			}
		}
	}
	return false
}

// isEndless reports whether a file never ends.
func isEndless(path string) bool {
	switch shell.Clean(path) {
	case "/dev/urandom", "/dev/random", "/dev/zero":
		return true
	}
	return false
}

// IsMany reports whether a number, or what counts as endless, is at least [ManyProcesses].
func IsMany(v string) bool {
	n, err := strconv.ParseFloat(v, 64) // with inf
	return err == nil && n >= ManyProcesses
}

// Relays reports whether a command hands on most of the lines that it reads.
func (c *Command) Relays() bool {
	switch {
	case c.Of("conducts"):
		return true
	case c.How("passes") == "begin":
		for i := range c.Words[1:] {
			if v, _ := c.Words[i+1].Literal(); IsMany(strings.TrimLeft(v, "-n")) {
				return true
			}
		}
	}
	return false
}

// wanted reports whether a program of awk may act on a line, by the patterns between
// slashes before its braces.
func wanted(code, line string) bool {
	head, _, _ := strings.Cut(code, "{")
	before, rest, found := strings.Cut(head, "/")
	pattern, _, closed := strings.Cut(rest, "/")
	if !found || !closed || strings.Contains(before, "!") {
		return true
	}
	re, err := regexp.Compile(pattern)
	return err != nil || re.MatchString(line)
}
