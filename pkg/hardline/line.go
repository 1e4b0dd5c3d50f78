package hardline

import (
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// maxDepth is how deep texts in texts are looked into.
const maxDepth = 4

// Bounds of what a line hands on to the texts that it runs, and these to no
// others: its files and its variables may hold the line itself.
const (
	maxGiven  = 1 << 18 // bytes, over all texts
	leastCost = 512     // of a text that is given something
)

// catastrophic reports whether text, read as a line of its own, matches the
// floor.
func catastrophic(s *hazard.Scene, c *command.Command, text string) bool {
	if len(text) < 4 || len(text) > 4096 {
		return false
	}
	e := env(s, c, text)
	if len(c.Dir.Values) < 2 {
		return lineMatches(s, c, eval.Read(text, e))
	}
	for _, dir := range c.Dir.Values[:min(len(c.Dir.Values), maxDirs)] {
		if e.Dir = dir; lineMatches(s, c, eval.Read(text, e)) {
			return true
		}
	}
	return false
}

// maxDirs bounds in how many directories a text is read where a command may run in one of
// several.
const maxDirs = 4

func catastrophicArgv(s *hazard.Scene, c *command.Command, words []string) bool {
	words = words[:min(len(words), 12)]
	return lineMatches(s, c, eval.Argv(words, env(s, c, strings.Join(words, " "))))
}

// env returns what a text finds that a command runs: the files that it names and,
// where it may use them, the variables.
func env(s *hazard.Scene, c *command.Command, text string) eval.Env {
	e := eval.Env{Home: s.Home}
	e.Dir, _ = c.Dir.Literal()
	if s.Depth > 0 {
		return e
	}
	for path, content := range c.Files() {
		if strings.Contains(text, shell.Base(path)) && give(s, textLength(content)) {
			e.Files = c.Files()
			break
		}
	}
	if (strings.Contains(text, "$") || strings.Contains(text, "nv") || strings.Contains(text, "NV")) && give(s, 0) { // environ, env, ENV
		e.Vars = c.Environment()
	}
	return e
}

// give reports whether so many bytes may still be handed on.
func give(s *hazard.Scene, size int) bool {
	if s.Given == nil {
		left := maxGiven
		s.Given = &left
	}
	*s.Given -= max(size, leastCost)
	return *s.Given >= 0
}

func textLength(set shell.Set) (n int) {
	for _, v := range set.Values {
		n += len(v)
	}
	return n
}

func lineMatches(s *hazard.Scene, c *command.Command, line *eval.Line) bool {
	inner := s.Inner(c, line)
	if len(line.Spawns) > 0 {
		return true
	}
	for i := range line.Commands {
		if c := &line.Commands[i]; inner.Depth > maxDepth && (c.Is(program.Evaluates) || c.How("cmd") != "") {
			continue
		}
		if _, ok := table().First(inner, i); ok {
			return true
		}
	}
	return false
}
