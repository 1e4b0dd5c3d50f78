package hardline

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/program"
	"github.com/policyctl/policyctl/pkg/shell"
)

// maxDepth is how deep texts in texts are looked into.
const maxDepth = 4

// catastrophic reports whether text, read as a line of its own, matches the
// floor.
func catastrophic(s *hazard.Scene, c *shell.Command, text string) bool {
	if len(text) < 4 || len(text) > 4096 {
		return false
	}
	e := env(s, c)
	if strings.Contains(text, "$") || strings.Contains(text, "nv") || strings.Contains(text, "NV") { // environ, env, ENV
		e.Vars = c.Environment()
	}
	return lineMatches(s, shell.Read(text, e))
}

func catastrophicArgv(s *hazard.Scene, c *shell.Command, words []string) bool {
	return lineMatches(s, shell.Argv(words[:min(len(words), 12)], env(s, c)))
}

func env(s *hazard.Scene, c *shell.Command) shell.Env {
	e := shell.Env{Home: s.Home, Files: c.Files()}
	e.Dir, _ = c.Dir.Literal()
	return e
}

func lineMatches(s *hazard.Scene, line *shell.Line) bool {
	inner := hazard.Scene{Line: line, Home: s.Home, OS: s.OS, Protect: s.Protect, Own: s.Own, Depth: s.Depth + 1}
	if len(line.Spawns) > 0 {
		return true
	}
	for i := range line.Commands {
		if inner.Depth > maxDepth && program.Has(line.Commands[i].Name, program.Evaluates) {
			continue
		}
		if _, ok := table().First(&inner, i); ok {
			return true
		}
	}
	return false
}
