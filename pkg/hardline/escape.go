package hardline

import (
	"regexp"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/shell"
)

// otherShells take a line for a shell as the argument of one of textOptions,
// or as their input.
const otherShells = "csh tcsh yash nu xonsh elvish sg newgrp gksudo gksu nix-shell nodemon xterm"

var textOptions = []string{"-c", "--command", "--run", "--exec", "-x", "-e"}

func otherShellRuns(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	if !local(s, c) {
		return shell.Span{}, false
	}
	for i := 1; i+1 < len(c.Words); i++ {
		if anyWord(c.Words[i:i+1], isTextOptionName) && anyWord(c.Words[i+1:i+2], func(v string) bool { return catastrophic(s, c, v) }) {
			return c.Words[i+1].Span, true
		}
	}
	return c.Span, anyInput(s, c, func(v string) bool { return catastrophic(s, c, v) })
}

func isTextOptionName(v string) bool {
	for _, o := range textOptions {
		if v == o {
			return true
		}
	}
	return false
}

// anyInput says whether a text that a command reads matches.
func anyInput(s *hazard.Scene, c *shell.Command, match func(string) bool) bool {
	if c.Input != nil {
		for _, v := range c.Input.Values {
			if match(v) {
				return true
			}
		}
		return false
	}
	return c.Source >= 0 && match(printed(&s.Line.Commands[c.Source]))
}

// printed returns what echo or printf prints, "" where that is not known or
// another program prints it.
func printed(c *shell.Command) string {
	if c.Name != "echo" && c.Name != "printf" {
		return ""
	}
	var out []string
	for i := range c.Words[1:] {
		v, ok := c.Words[i+1].Literal()
		if !ok {
			return ""
		}
		if c.Name == "printf" || v != "-n" && v != "-e" {
			out = append(out, strings.ReplaceAll(v, `\n`, "\n"))
		}
	}
	return strings.Join(out, " ")
}

// escapers are programs with commands that leave to the shell; escapes are
// how those begin.
const escapers = "vi vim nvim gvim view ex ed less more gdb lldb sqlite3 psql mysql mariadb ftp sftp lftp expect tclsh"

var escapes = []string{"!", ":!", "+!", "+:!", `\!`, "shell ", "system ", ".shell ", ".system ", "exec ", "spawn "}

// escapesToShell matches a program that is told to run a line that the floor
// denies.
func escapesToShell(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	if !local(s, c) {
		return shell.Span{}, false
	}
	leaves := func(text string) bool {
		for line := range strings.Lines(text) {
			for _, e := range escapes {
				if rest, ok := strings.CutPrefix(strings.TrimSpace(line), e); ok && catastrophic(s, c, rest) {
					return true
				}
			}
		}
		return false
	}
	return c.Span, anyWord(c.Words[1:], leaves) || anyInput(s, c, leaves)
}

// makeCalls are the calls of make that run a line as it reads its text.
var makeCalls = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$\(shell ([^()]*)\)`) })

// makesRun matches make with text on its own command line that runs what the
// floor denies.
func makesRun(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	if !local(s, c) {
		return shell.Span{}, false
	}
	calls := func(text string) bool {
		for _, m := range makeCalls().FindAllStringSubmatch(text, -1) {
			if catastrophic(s, c, m[1]) {
				return true
			}
		}
		return false
	}
	return c.Span, anyWord(c.Words[1:], calls) || anyInput(s, c, calls)
}

// cronTimes is when a line of a crontab runs, up to its command.
var cronTimes = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*(?:@[a-z]+|(?:[-0-9*/,A-Za-z]+\s+){4}[-0-9*/,A-Za-z]+)\s+`)
})

// schedules matches crontab with a line that the floor denies.
func schedules(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	return c.Span, local(s, c) && anyInput(s, c, func(text string) bool {
		for line := range strings.Lines(text) {
			if at := cronTimes().FindString(line); at != "" && catastrophic(s, c, strings.TrimSpace(line[len(at):])) {
				return true
			}
		}
		return false
	})
}

// evaluators are interpreters of languages without a grammar in pkg/shell.
const evaluators = "r rscript julia groovy elixir raku perl6 scala guile emacs erl jshell deno"

// evaluates matches an interpreter whose text deletes a place or runs what the
// floor denies.
func evaluates(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	if !local(s, c) {
		return shell.Span{}, false
	}
	bad := func(text string) bool {
		return len(text) < shell.MaxSource && (deletesLiteral(s, c, text) || runsLiteral(s, c, text))
	}
	for i := 1; i+1 < len(c.Words); i++ {
		before, _ := c.Words[i].Literal()
		if (strings.HasPrefix(before, "-") || before == "eval") && anyWord(c.Words[i+1:i+2], bad) {
			return c.Words[i+1].Span, true
		}
	}
	return c.Span, anyInput(s, c, bad)
}
