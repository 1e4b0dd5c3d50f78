//go:build linux

package kernel_test

import (
	"bufio"
	"io"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// marker begins the name under which a line's time limit is started, so that
// the trace says where the line begins.
const marker = "kernel-line-"

// A process is one process, or thread, of a trace.
type process struct {
	parent  int
	at      int // the parent's call that made it
	line    int // whose time limit it is, -1 for others
	calls   []call
	program string // base name of what it runs, "" for what its parent did
	pending string
}

// A call is one system call.
type call struct {
	name, args, result string
	program            string // base name of what made it, "" for the parent's
}

// A trace is what strace saw of a batch, by process id.
type trace map[int]*process

func (t trace) process(pid int) *process {
	p := t[pid]
	if p == nil {
		p = &process{line: -1}
		t[pid] = p
	}
	return p
}

var (
	callForm    = regexp.MustCompile(`^(\w+)\((.*)\) += (.*)$`)
	resumedForm = regexp.MustCompile(`^<\.\.\. \w+ resumed>(.*)$`)
	markerForm  = regexp.MustCompile(`^"[^"]*", \["` + marker + `(\d+)"`)
)

// readTrace reads the output of strace -f.
func readTrace(r io.Reader) (trace, error) {
	t := make(trace)
	scan := bufio.NewScanner(r)
	scan.Buffer(nil, 1<<20)
	for scan.Scan() {
		id, text, _ := strings.Cut(scan.Text(), " ")
		if pid, err := strconv.Atoi(id); err == nil {
			t.add(pid, strings.TrimSpace(text))
		}
	}
	t.finish()
	return t, scan.Err()
}

// add notes one line of the trace. A call in which another process interrupts
// stands in two parts.
func (t trace) add(pid int, text string) {
	p := t.process(pid)
	if begin, ok := strings.CutSuffix(text, "<unfinished ...>"); ok {
		p.pending = begin
		return
	}
	if m := resumedForm.FindStringSubmatch(text); m != nil {
		text, p.pending = strings.TrimSpace(p.pending)+strings.TrimSpace(m[1]), ""
	}
	if m := callForm.FindStringSubmatch(text); m != nil {
		t.note(pid, call{name: m[1], args: m[2], result: m[3]})
	}
}

// finish notes the calls that never returned.
func (t trace) finish() {
	for pid, p := range t {
		if name, args, ok := strings.Cut(p.pending, "("); ok && name != "???" {
			t.note(pid, call{name: name, args: args, result: "?"})
		}
	}
}

func (t trace) note(pid int, c call) {
	p := t.process(pid)
	c.program = p.program
	p.calls = append(p.calls, c)
	switch c.name {
	case "clone", "clone3", "fork", "vfork":
		if child, err := strconv.Atoi(c.result); err == nil {
			made := t.process(child)
			made.parent, made.at = pid, len(p.calls)-1
		}
	case "execve", "execveat":
		if m := markerForm.FindStringSubmatch(c.args); m != nil && p.line < 0 {
			p.line, _ = strconv.Atoi(m[1])
		}
		if c.result == "0" {
			p.program = path.Base(firstString(c.args))
		}
	}
}

// lineOf returns the line to which a process belongs, with its distance from
// the time limit of the line; the line is -1 for the driver.
func (t trace) lineOf(pid int) (line, depth int) {
	for p := t[pid]; p != nil; p = t[p.parent] {
		if p.line >= 0 {
			return p.line, depth
		}
		depth++
	}
	return -1, 0
}

// programAt returns what a process ran when it made a call.
func (t trace) programAt(pid, call int) string {
	for p := t[pid]; p != nil && call < len(p.calls); p = t[p.parent] {
		if name := p.calls[call].program; name != "" {
			return name
		}
		call = p.at
	}
	return ""
}

// tree returns the ids of the processes of a line.
func (t trace) tree(line int) map[string]bool {
	ids := make(map[string]bool)
	for pid := range t {
		if n, _ := t.lineOf(pid); n == line {
			ids[strconv.Itoa(pid)] = true
		}
	}
	return ids
}

// lost returns the processes whose parent is unknown, without the first.
// Nobody could say to which line their calls belong.
func (t trace) lost() []int {
	var list []int
	for pid, p := range t {
		if p.parent == 0 && len(p.calls) > 0 {
			list = append(list, pid)
		}
	}
	slices.Sort(list)
	return list[min(1, len(list)):]
}

// slow reports whether a line was killed for its time.
func (t trace) slow(line int) bool {
	for _, p := range t {
		if p.line == line {
			return slices.ContainsFunc(p.calls, func(c call) bool { return c.name == "kill" })
		}
	}
	return false
}

// firstString returns the first quoted string of a call's arguments.
func firstString(args string) string {
	_, rest, _ := strings.Cut(args, `"`)
	text, _, _ := strings.Cut(rest, `"`)
	return text
}
