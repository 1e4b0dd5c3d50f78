package hardline

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/program"
	"github.com/policyctl/policyctl/pkg/shell"
)

// A taskFile is how the files of a program say what it runs: the first group
// of lines is a line for a shell, behind what stands in before.
type taskFile struct {
	programs, before string
	lines            *pattern
}

// taskFiles are the files that name lines for a shell (the programs' manuals).
var taskFiles = []taskFile{
	{programs: "just", lines: &pattern{text: `(?m)^[ \t]+[-@]*([^#\n].*)$`}},
	{programs: "task go-task", lines: &pattern{text: `(?m)^\s*(?:-\s+)?(?:cmd:|sh:)?\s*["']?([^"'#\n].*?)["']?\s*$`}},
	{programs: "npm pnpm yarn bun", lines: &pattern{text: `"[^"\n]*"\s*:\s*"((?:[^"\\\n]|\\.)*)"`}},
	{programs: "ninja", lines: &pattern{text: `(?m)^\s*command\s*=\s*(.*)$`}},
	{programs: "cmake", lines: &pattern{text: `(?i)\bCOMMAND\s+([^()]*)`}},
	{programs: "cmake", lines: &pattern{text: `(?i)\bfile\s*\(\s*REMOVE(?:_RECURSE)?\s+([^()]*)`}, before: "rm -rf "},
}

const taskRunners = "just task go-task npm pnpm yarn bun ninja cmake"

// runsTask matches a program that runs a file which the line has written, with
// what the floor denies in it.
func runsTask(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	if !local(s, c) {
		return shell.Span{}, false
	}
	if c.Name == "just" && c.Script == nil && hasWord(c, "-") && anyInput(s, c, func(text string) bool { return taskFiles[0].runs(s, c, text) }) {
		return c.Span, true
	}
	if c.Script == nil {
		return shell.Span{}, false
	}
	for _, text := range c.Script.Values {
		for i := range taskFiles {
			if f := &taskFiles[i]; program.HasWord(f.programs, c.Name) && f.runs(s, c, text) {
				return c.Span, true
			}
		}
	}
	return shell.Span{}, false
}

func (f *taskFile) runs(s *hazard.Scene, c *shell.Command, text string) bool {
	if strings.HasPrefix(f.programs, "npm") {
		_, scripts, ok := strings.Cut(text, `"scripts"`)
		if text, _, _ = strings.Cut(scripts, "}"); !ok {
			return false
		}
	}
	for _, m := range f.lines.get().FindAllStringSubmatch(text, maxLiterals) {
		if catastrophic(s, c, f.before+strings.ReplaceAll(m[1], `\"`, `"`)) {
			return true
		}
	}
	return false
}
