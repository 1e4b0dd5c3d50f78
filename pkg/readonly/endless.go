package readonly

import (
	"math"
	"path"
	"strconv"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// Limits of what counts as coming to an end.
const (
	maxSeconds = 3600    // that a command waits
	maxBytes   = 1 << 30 // that it reads
	maxCount   = 1e7     // numbers, or words of braces
)

// endlessPaths are files that never end, as patterns of their absolute names.
// Those that wait give something only when it happens.
var endlessPaths = []struct {
	pattern string
	waits   bool
}{
	{"/dev/zero", false}, {"/dev/random", false}, {"/dev/urandom", false},
	{"/dev/tty", true}, {"/proc/kmsg", true},
	{"/sys/kernel/tracing/trace_pipe", true}, {"/sys/kernel/debug/tracing/trace_pipe", true},
	{"/sys/kernel/tracing/*/*/trace_pipe", true}, {"/sys/kernel/debug/tracing/*/*/trace_pipe", true},
	{"/sys/kernel/tracing/*/*/trace_pipe_raw", true}, {"/sys/kernel/debug/tracing/*/*/trace_pipe_raw", true},
}

// endlessNames are the names of those files without their directories.
var endlessNames = sync.OnceValue(func() map[string]bool {
	names := make(map[string]bool)
	for _, e := range endlessPaths {
		names[path.Base(e.pattern)] = true
	}
	return names
})

// streaming are programs that print as they go, so that they end when what
// reads them does.
func streaming(c *command.Command) bool { return c.Of("streams") && c.How("streams") == "" }

// An endless is why a command may never end: its option, what it reads or what
// it prints. The zero value is no reason.
type endless struct {
	span shell.Span
	what string
	// waits says that it waits, so that it does not end when nobody reads what
	// it prints.
	waits bool
}

// ends checks that what would never end is bounded: by timeout around it, by an
// option that says how much is read, or by head, which reads it.
func (v *attempt) ends() bool {
	if v.reads != nil && v.reads.Endless == "*" && !v.has("help", "version") {
		v.never = endless{span: v.c.Span, what: v.c.Called()}
	}
	n := v.never
	if n.what == "" || !n.waits && (v.stops && !v.exceeds || v.drained(v.index)) || v.timed() {
		return true
	}
	v.failf(n.span, "%s never ends", n.what)
	if n.waits {
		return v.instead("write timeout 5 before it")
	}
	return v.instead("pipe it into head, or write timeout 5 before it")
}

// waits notes an option with which the program waits without end.
func (v *attempt) waits(w *shell.Word, dashes, name string) {
	if program.HasWord(v.reads.Endless, name) {
		v.never = endless{w.Span, "the option " + dashes + name + " of " + v.c.Called(), true}
	}
}

// noteEndless notes a path that is read and never ends.
func (v *attempt) noteEndless(w *shell.Word) {
	if v.reads != nil && v.reads.Unopened {
		return
	}
	for _, t := range w.Values {
		if !w.Glob && !endlessNames()[t[strings.LastIndexByte(t, '/')+1:]] {
			continue
		}
		for _, dir := range dirs(v.c.Dir) {
			v.matchEndless(w, shell.Abs(dir, t))
		}
	}
}

// endlessBelow refuses to read all below a directory where one of those files
// lies there.
func (v *attempt) endlessBelow(w *shell.Word, dir string) bool {
	top := strings.TrimSuffix(dir, "/")
	for _, e := range endlessPaths {
		if rest, ok := strings.CutPrefix(e.pattern, top); ok && rest != "" && rest[0] == '/' {
			return v.failf(w.Span, "the files below %s include %s, which never ends", dir, e.pattern)
		}
	}
	return true
}

// matchEndless notes a file where it is one of those, or may be.
func (v *attempt) matchEndless(w *shell.Word, name string) {
	top := name[:min(len(name), len("/dev/"))]
	if w.Glob {
		top = top[:strings.IndexAny(top+"*", `*?[\`)]
	}
	for _, e := range endlessPaths {
		if !strings.HasPrefix(e.pattern, top) {
			continue
		}
		hit := name == e.pattern
		if !hit && (w.Glob || strings.Contains(e.pattern, "*")) {
			hit, _ = path.Match(e.pattern, name)
		}
		if !hit && w.Glob {
			hit, _ = path.Match(name, e.pattern)
		}
		if hit && (v.never.what == "" || e.waits) {
			v.never = endless{w.Span, name, e.waits}
		}
	}
}

// drained reports whether head reads what the command with index i prints, at once
// or through filters, and then leaves.
func (v *attempt) drained(i int) bool {
	if from := &v.line.Commands[i]; !streaming(from) || !from.In(command.Piping) {
		return false
	}
	for k := i + 1; k < len(v.line.Commands); k++ {
		c := &v.line.Commands[k]
		if c.Source != i || !c.In(command.Piped) {
			continue
		}
		return c.How("passes") == "begin" && fromStart(c) && countsFew(c) || v.drained(k)
	}
	return false
}

// countsFew reports whether head is given no count that is too large to wait for.
func countsFew(c *command.Command) bool {
	for k := range c.Args.Options {
		if o := &c.Args.Options[k]; o.HasArg && !isBounded(&o.Arg) {
			return false
		}
	}
	return true
}

// fromStart reports whether head is given no count that it takes from the end.
func fromStart(c *command.Command) bool {
	for i := 1; i < len(c.Words); i++ {
		t, ok := c.Words[i].Literal()
		if !ok {
			return false
		}
		if !strings.HasPrefix(t, "-") {
			continue
		}
		last, _ := c.Words[i-1].Literal()
		argument := last == "--lines" || last == "--bytes" || len(last) > 1 && last[0] == '-' && strings.IndexByte("nc", last[len(last)-1]) >= 0
		if argument || strings.Contains(t, "=-") || t[1:] != "" && t[1] != '-' && strings.Contains(t[1:], "-") {
			return false
		}
	}
	return true
}

// timed reports whether the command runs below a timeout that ends it.
func (v *attempt) timed() bool {
	for i := v.c.Parent; i >= 0; i = v.line.Commands[i].Parent {
		if c := &v.line.Commands[i]; c.Of("limits") && limits(c) {
			return true
		}
	}
	return false
}

// limits reports whether a timeout ends what it runs, and soon: 0 stands for no
// limit, and not every signal ends a process.
func limits(c *command.Command) bool {
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		if t, ok := o.Arg.Literal(); o.Is("signal") && !(ok && ending(strings.TrimPrefix(t, "SIG"))) {
			return false
		}
	}
	return len(c.Args.Operands) > 0 && all(&c.Words[c.Args.Operands[0].At], func(t string) bool {
		n, ok := seconds(t)
		return ok && n > 0 && n <= maxSeconds
	})
}

// ending are the signals with which timeout ends a process for sure.
func ending(name string) bool {
	switch name {
	case "TERM", "KILL", "15", "9":
		return true
	}
	return false
}

// seconds reads a duration of sleep and timeout.
func seconds(t string) (n float64, ok bool) {
	unit := 1.0
	if t != "" {
		if i := strings.IndexByte("smhd", t[len(t)-1]); i >= 0 {
			unit, t = [...]float64{1, 60, 3600, 86400}[i], t[:len(t)-1]
		}
	}
	if t == "" || strings.Trim(t, "0123456789.") != "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(t, 64)
	return n * unit, err == nil
}

// isBounded reports whether a word is an amount, in bytes or with a unit, that is
// not too large to wait for.
func isBounded(w *shell.Word) bool {
	return all(w, func(t string) bool {
		digits := strings.TrimRight(t, "bBkKmMGiwc")
		n, err := strconv.ParseUint(digits, 0, 31)
		switch unit := t[len(digits):]; {
		case strings.ContainsAny(unit, "G"):
			n <<= 30
		case strings.ContainsAny(unit, "mM"):
			n <<= 20
		case unit != "":
			n <<= 10
		}
		return err == nil && n <= maxBytes
	})
}

// sequence checks that seq comes to an end.
func sequence(v *attempt) bool {
	from, step, to := 1.0, 1.0, 1.0
	for k, i := range v.args {
		w := &v.c.Words[i]
		for _, t := range w.Values {
			n, err := strconv.ParseFloat(t, 64)
			if err != nil || n != n || n-n != 0 {
				v.never = endless{span: w.Span, what: "the sequence"}
				return true
			}
			switch {
			case k == len(v.args)-1:
				to = n
			case k == 0:
				from = n
			default:
				step = n
			}
		}
	}
	if count := (to - from) / step; step == 0 || count > maxCount {
		v.never = endless{span: v.c.Span, what: "the sequence"}
	}
	return true
}

// loops refuses what stands in a loop that never ends, and braces that make too
// many words.
func (v *attempt) loops() bool {
	if v.c.In(command.Unending) {
		v.fail(v.c.Span, "the loop around it never ends")
		return v.instead("loop a fixed number of times, or use break")
	}
	if braced(v.source(v.c.Span)) > maxCount {
		return v.fail(v.c.Span, "the braces expand to too many words")
	}
	return true
}

// braced returns how many words the sequences {1..9} of a text make together.
func braced(s string) float64 {
	n := listed(s)
	for {
		before, after, ok := strings.Cut(s, "..")
		if !ok {
			return n
		}
		s = after
		low := before[strings.LastIndexByte(before, '{')+1:]
		end := strings.IndexAny(after, "}.")
		if end <= 0 || len(low) == len(before) {
			continue
		}
		if len(low) == 1 && end == 1 && !isNumber(low) {
			n *= math.Abs(float64(low[0])-float64(after[0])) + 1
			continue
		}
		if !isNumber(low) || !isNumber(after[:end]) {
			continue
		}
		a, _ := strconv.ParseFloat(low, 64)
		b, _ := strconv.ParseFloat(after[:end], 64)
		n *= max(a-b, b-a) + 1
	}
}

// listed returns how many words the lists {a,b} of a text make together.
func listed(s string) float64 {
	n := 1.0
	for {
		_, inner, ok := strings.Cut(s, "{")
		if !ok {
			return n
		}
		end := strings.IndexAny(inner, "{} ")
		if end < 0 {
			return n
		}
		if inner[end] == '}' {
			n *= float64(strings.Count(inner[:end], ",") + 1)
		}
		s = inner[end:]
	}
}
