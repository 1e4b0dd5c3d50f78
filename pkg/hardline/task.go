package hardline

import (
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/script"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// A taskFile is how the files of a program say what it runs: the first group
// of lines is a line for a shell. A text without needs has none.
type taskFile struct {
	// form is the kind lines of the programs.
	form, needs string
	lines       *pattern
	// but are lines that hold none, nil where there are none.
	but *pattern
	// language is that of a file which is all code, without lines.
	language program.Language
}

// taskFiles are the files that name lines for a shell (the programs' manuals).
var taskFiles = []taskFile{
	{form: "recipes", lines: &pattern{text: `(?m)^[ \t]+[-@]*([^#\n].*)$`}},
	{form: "steps", lines: &pattern{text: `(?m)^\s*(?:-\s+)?(?:cmd:|sh:)?\s*["']?([^"'#\n].*?)["']?\s*$`}},
	{form: "steps", lines: &pattern{text: `[\[{,:][ \t]*(?:\{[ \t]*)?(?:cmd:[ \t]*)?(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"'\[\]{},#|>][^"'\[\]{},#\n]*))`}, but: &pattern{text: `(?m)^.*\b(?:desc|summary|prompt|label|msg|aliases)[ \t]*:.*$`}},
	{form: "scripts", lines: &pattern{text: `"[^"\n]*"\s*:\s*"((?:[^"\\\n]|\\.)*)"`}},
	{form: "command", needs: "command", lines: &pattern{text: `(?m)^\s*command\s*=\s*(.*)$`}},
	{form: "procfile", lines: &pattern{text: `(?m)^[\w-]+:\s*(.*)$`}},
	{form: "commands", needs: "commands", lines: &pattern{text: `(?m)^(?:commands\w*\s*=)?\s*(.*)$`}},
	{form: "entries", lines: &pattern{text: `(?m)^\s*[\w".-]+\s*=\s*["'](.*)["']\s*$`}},
	{form: "local-exec", needs: "local-exec", lines: &pattern{text: `\bcommand\s*=\s*"((?:[^"\\\n]|\\.)*)"`}},
	{form: "modules", lines: &pattern{text: `(?:shell|command|raw|cmd)"?\s*:\s*["']?([^"'#\n|>][^"'\n]*)`}},
	{form: "whole", lines: &pattern{text: `(?m)^\s*(.*)$`}},
	{form: "proxies", lines: &pattern{text: `(?mi)^\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand)[ =]+(.*)$`}},
	{form: "python", language: program.Python},
	{form: "lua", language: program.Lua},
	{form: "javascript", language: program.JavaScript},
}

const blanks = " \t\n\r\f"

// isOf reports whether a command is one of a program with such files, or starts one.
func (f *taskFile) isOf(c *command.Command) bool {
	return c.How("lines") == f.form || c.Is(program.IsRunner) && anyWord(c.Words[1:], func(v string) bool { return program.KindOf(v, "lines") == f.form })
}

// runsTask matches a program that runs a file which the line has written, with
// what the floor denies in it.
func runsTask(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	if !local(s, c) {
		return shell.Span{}, false
	}
	reads := hasWord(c, "-") || c.Args.Has("f") && c.Args.Option("f").Arg.Has("-")
	if c.How("tasks") == "recipes" && c.Script == nil && reads && anyInput(s, c, func(text string) bool { return taskFiles[0].runs(s, c, text) }) {
		return c.Span, true
	}
	if c.Script == nil {
		return shell.Span{}, false
	}
	for _, text := range c.Script.Values {
		if c.How("tasks") == "commands" && cmakeRuns(s, c, text) {
			return c.Span, true
		}
		for i := range taskFiles {
			if f := &taskFiles[i]; f.isOf(c) && f.runs(s, c, text) {
				return c.Span, true
			}
		}
	}
	return shell.Span{}, false
}

func (f *taskFile) runs(s *hazard.Scene, c *command.Command, text string) bool {
	if f.form == "scripts" {
		_, scripts, ok := strings.Cut(text, `"scripts"`)
		if text, _, _ = strings.Cut(scripts, "}"); !ok {
			return false
		}
	}
	if !strings.Contains(text, f.needs) {
		return false
	}
	if f.language != program.NoLanguage {
		return (&caller{s: s, c: c, program: script.Read(text, f.language, script.Env{Home: s.Home})}).any(destroys)
	}
	if f.but != nil {
		text = f.but.get().ReplaceAllString(text, "")
	}
	for _, m := range f.lines.get().FindAllStringSubmatch(text, maxLiterals) {
		if catastrophic(s, c, strings.ReplaceAll(strings.Join(m[1:], ""), `\"`, `"`)) {
			return true
		}
	}
	return false
}

// cmakeRuns reports whether a file of CMake runs what the floor denies, or removes
// it itself.
func cmakeRuns(s *hazard.Scene, c *command.Command, text string) bool {
	for rest := range behindWord(text, "COMMAND") {
		if line := strings.TrimLeft(rest, blanks); len(line) < len(rest) && catastrophic(s, c, arguments(line)) {
			return true
		}
	}
	for rest := range behindWord(text, "file") {
		rest, ok := strings.CutPrefix(strings.TrimLeft(rest, blanks), "(")
		rest = strings.TrimLeft(rest, blanks)
		verb := rest[:max(strings.IndexAny(rest, blanks), 0)]
		if ok && (strings.EqualFold(verb, "REMOVE") || strings.EqualFold(verb, "REMOVE_RECURSE")) && catastrophic(s.Quiet(), c, "rm -rf "+arguments(rest[len(verb):])) {
			return true
		}
	}
	return false
}

// arguments returns those up to a parenthesis, on one line.
func arguments(text string) string {
	if i := strings.IndexAny(text, "()"); i >= 0 {
		text = text[:i]
	}
	return strings.Join(strings.Fields(text), " ")
}

// behindWord yields what follows each place of a word, in any case, up to
// maxRecipes of them.
func behindWord(text, word string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		found := 0
		for i := 0; i+len(word) <= len(text); i++ {
			end := i + len(word)
			if text[i]|0x20 != word[0]|0x20 || !strings.EqualFold(text[i:end], word) || i > 0 && isWordByte(text[i-1]) || end < len(text) && isWordByte(text[end]) {
				continue
			}
			if found++; found > maxRecipes || !yield(text[end:]) {
				return
			}
		}
	}
}
