package hardline

import (
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// killsListed reports whether kill is given the ids of all processes that ps
// lists, or that a pattern for every name finds.
func killsListed(s *hazard.Scene, c *command.Command) bool {
	if hasWord(c, "-0", "-l", "-L") { // asks whether they run
		return false
	}
	if command.ListsProcesses(c.Words[1:]) || spellsMany(s, c) || inProcesses(c) || c.In(command.InLoop) && loopsOverAll(s, c) {
		return true
	}
	for i := range s.Line.Commands {
		w := &s.Line.Commands[i]
		if isInside(w, c) && listsAll(s, w) {
			if onlyPasses(s, c) {
				return true
			}
			break
		}
	}
	for at := c.Source; at >= 0; at = s.Line.Commands[at].Source {
		at = s.Line.Acting(at)
		switch w := &s.Line.Commands[at]; {
		case listsAll(s, w):
			return true
		case !passes(w):
			return false
		}
	}
	return false
}

// isInside reports whether a command stands in a substitution in the words of
// another. In text that is evaluated, the span of both is all of that text.
func isInside(w, c *command.Command) bool {
	return w != c && w.In(command.InSubst) && w.Span.From >= c.Span.From && w.Span.To <= c.Span.To
}

// listsAll reports whether a command prints the ids of all processes, or of all
// that the user runs.
func listsAll(s *hazard.Scene, c *command.Command) bool {
	processes := func(v string) bool { return strings.HasPrefix(v, "/proc/[0-9]") || strings.HasPrefix(v, "/proc/[1-9]") }
	switch {
	case c.Of("counts"):
		last, _ := c.Words[len(c.Words)-1].Literal()
		n, err := strconv.Atoi(last)
		return err == nil && n >= manyProcesses
	case c.Is(program.ListsBelow):
		return c.Dir.Has("/proc") && inProcesses(c) || anyWord(c.Words[1:], func(v string) bool { return shell.Clean(v) == "/proc" || processes(v) })
	case c.How("prints") != "":
		return spellsMany(s, c) || anyWord(c.Words[1:], processes)
	}
	if c.How("finds") == "patterns" && everyName(c) {
		return true
	}
	return len(c.Processes(shell.Base(s.Home)).Values) > 0
}

// passes are the programs that hand every line on; awk does so by a program
// that prints a field.
func passes(c *command.Command) bool {
	switch c.How("passes") {
	case "all", "words":
		return true
	case "some":
		return anyWord(c.Words[1:], func(v string) bool { return strings.Trim(v, "^[0-9:digt]+*$") == "" && strings.Contains(v, "[") })
	case "end":
		return anyWord(c.Words[1:], func(v string) bool { return strings.Contains(v, "+") })
	}
	if c.Is(program.Appends) || c.Of("trims") || c.How("ends") == "numbers" {
		return true
	}
	for _, o := range c.Args.Operands {
		if v, _ := c.Words[o.At].Literal(); isAWK(c) && o.Role == program.RoleCode {
			v = strings.TrimPrefix(strings.ReplaceAll(v, " ", ""), "NR>1")
			return v == "{print$2}" || v == "{print$1}"
		}
	}
	return false
}

// manyProcesses is how many ids in a row are those of all processes.
const manyProcesses = 1000

var braceRanges = &pattern{text: `\{([0-9]+)\.\.([0-9]+)\}`}

// spellsMany reports whether a command is given a range of so many numbers.
func spellsMany(s *hazard.Scene, c *command.Command) bool { return spellsRange(s, c, manyProcesses) }

// spellsRange reports whether a command is given a range of at least some numbers.
func spellsRange(s *hazard.Scene, c *command.Command, least int) bool {
	if c.Span.To > len(s.Line.Source) {
		return false
	}
	source := s.Line.Source[c.Span.From:c.Span.To]
	if !strings.Contains(source, "..") {
		return false
	}
	for _, m := range braceRanges.get().FindAllStringSubmatch(source, 8) {
		from, _ := strconv.Atoi(m[1])
		if to, err := strconv.Atoi(m[2]); err == nil && to-from >= least-1 {
			return true
		}
	}
	return false
}

// inProcesses reports whether a pattern that matches ids stands for what is in
// /proc.
func inProcesses(c *command.Command) bool {
	for i := range c.Words[1:] {
		if w := &c.Words[i+1]; w.Glob && c.Dir.Has("/proc") && anyWord(c.Words[i+1:i+2], func(v string) bool { return shell.Matches(v, "1") }) {
			return true
		}
	}
	return false
}

// loopsOverAll reports whether a command in a loop is given what the loop goes
// through, and that is the ids of all processes.
func loopsOverAll(s *hazard.Scene, c *command.Command) bool {
	unknown := false
	for i := range c.Words[1:] {
		unknown = unknown || c.Words[i+1].Open || c.Words[i+1].Glob
	}
	for i := range s.Line.Commands {
		w := &s.Line.Commands[i]
		if !unknown || w == c {
			break
		}
		switch {
		case w.Keyword && w.Name == "for" && (spellsMany(s, w) || anyWord(w.Words[1:], func(v string) bool { return strings.HasPrefix(v, "/proc/[0-9]") || strings.HasPrefix(v, "/proc/[1-9]") })):
			return true
		case w.Keyword && w.Name == "((":
			if number := lastNumber.get().FindStringSubmatch(s.Line.Source[w.Span.From:min(w.Span.To, len(s.Line.Source))]); number != nil {
				return true
			}
		case w.In(command.InSubst) && listsAll(s, w) && handedOn(s, i), w.Binds() == "words" && w.Source >= 0 && listsAll(s, &s.Line.Commands[w.Source]):
			return true
		}
	}
	return false
}

// handedOn reports whether what the command with index i prints is handed on by all that
// read it in turn.
func handedOn(s *hazard.Scene, i int) bool {
	for k := range s.Line.Commands {
		if w := &s.Line.Commands[k]; w.Source >= 0 && s.Line.Acting(w.Source) == i && w.In(command.InSubst) {
			k = s.Line.Acting(k)
			return passes(&s.Line.Commands[k]) && handedOn(s, k)
		}
	}
	return true
}

// lastNumber is the end of a loop that counts to so many.
var lastNumber = &pattern{text: `<=?\s*[0-9]{4,}`}

// onlyPasses reports whether the substitutions in a command do so.
func onlyPasses(s *hazard.Scene, c *command.Command) bool {
	for i := range s.Line.Commands {
		w := &s.Line.Commands[i]
		if isInside(w, c) && s.Line.Acting(i) == i && !passes(w) && !listsAll(s, w) {
			return false
		}
	}
	return true
}

// listedDevice reports whether a word, or what xargs appends to a command, is a
// device that another program names.
func listedDevice(s *hazard.Scene, c *command.Command) bool {
	for i := range c.Words[1:] {
		w := &c.Words[i+1]
		if !w.Open {
			continue
		}
		if printsDevices(s, w.Span) {
			return true
		}
	}
	if c.Source < 0 || !s.Line.Appended(c) {
		return false
	}
	at := c.Source
	for n := 0; n < maxDepth && at >= 0; n++ {
		at = s.Line.Acting(at)
		w := &s.Line.Commands[at]
		if program.OfKind(w.Name, "devices") {
			return true
		}
		if !isAWK(w) && !program.OfKind(w.Name, "passes") {
			return false
		}
		at = w.Source
	}
	return false
}

// printsDevices reports whether a substitution in a part of the line begins with a command
// that prints devices.
func printsDevices(s *hazard.Scene, at shell.Span) bool {
	return substituted(s, at, func(c *command.Command) bool { return c.Of("devices") })
}

// substituted reports whether a substitution in a part of the line begins with a command
// of which something holds, also behind others that only start it.
func substituted(s *hazard.Scene, at shell.Span, is func(*command.Command) bool) bool {
	for i := range s.Line.Commands {
		w := &s.Line.Commands[i]
		inside := w.In(command.InSubst) && w.Source < 0 && w.Span.From >= at.From && w.Span.To <= at.To
		if inside && is(&s.Line.Commands[s.Line.Acting(i)]) {
			return true
		}
	}
	return false
}
