package hardline

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/program"
	"github.com/policyctl/policyctl/pkg/shell"
)

// otherShells take a line for a shell as the argument of one of textOptions,
// or as their input.
const otherShells = "csh tcsh yash rc es osh ysh posh nu xonsh elvish nix-shell nodemon xterm"

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

// anyInput reports whether a text that a command reads, or the file that it runs,
// matches.
func anyInput(s *hazard.Scene, c *shell.Command, match func(string) bool) bool {
	if c.Script != nil && slices.ContainsFunc(c.Script.Values, match) {
		return true
	}
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

// printed returns what echo or printf prints, "" where that is unknown or
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
const escapers = "vi vim nvim gvim view ex ed red less more gdb lldb sqlite3 duckdb psql mysql mariadb ftp sftp lftp telnet expect tclsh wish dc gnuplot mail mailx mutt m4 gm4 lf ranger nnn vifm"

var escapes = []string{
	"!", ":!", "+!", "+:!", `\!`, "silent !", "silent! !", ":silent !", "terminal ", ":terminal ", "shell ", "platform shell -- ", "platform shell ", "system ",
	".shell ", ".shel ", ".she ", ".sh ", ".system ", ".syste ", ".syst ", ".sys ", ".sy ", "exec ", "spawn ", "spawn -noecho ", "pager ", "~!", "r !", ":r !", "w !", ":w !", "e !", "%!", ":%!", "f !",
}

// pipes leave to the shell in the middle of a line: the targets of output and
// the sources of input of databases and debuggers.
var pipes = &pattern{text: `^\s*(?:\.(?:output|once|read|import|excel)\s+['"]?\||\\[ogiw]x?\s*\|+|[^'"]*\\gx?\s*\||pipe\s[^|]*\||\\setenv\s+\w+\s|(?i:plot|splot|load)\s+['"]<)\s*['"]?([^'"]*)`}

// Commands in the text of a program: what psql runs in the arguments of its own
// commands, what m4 runs, and the editor that sqlite3 starts.
var (
	psqlCommand  = &pattern{text: `^\s*\\[a-z]+[^` + "`" + `]*` + "`([^`]+)`"}
	m4Command    = &pattern{text: `\be?syscmd\(([^)]*)\)`}
	sqliteEditor = &pattern{text: `(?i:\bedit)\([^()]*,\s*('[^']*')\s*\)`}
)

// embedded returns how commands stand in the text of a program, nil where there
// are none.
func embedded(name string) *pattern {
	switch name {
	case "psql":
		return psqlCommand
	case "m4", "gm4":
		return m4Command
	case "sqlite3":
		return sqliteEditor
	}
	return nil
}

// programmable are the escapers with a language of their own.
const programmable = "vi vim nvim gvim view ex gdb lldb"

// escapesToShell matches a program that is told to run a line that the floor
// denies.
func escapesToShell(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	if !local(s, c) {
		return shell.Span{}, false
	}
	leaves := func(text string) bool {
		if strings.HasPrefix(text, "-") {
			_, text, _ = strings.Cut(text, "=") // --eval-command=TEXT
		}
		if program.HasWord(programmable, c.Name) && codeDestroys(s, c, text) || c.Name == "psql" && copiesTo(s, c, text) {
			return true
		}
		if c.Name == "ed" || c.Name == "red" {
			text = shell.WithoutInserts(text)
		}
		for line := range strings.Lines(text) {
			if leavesInLine(s, c, strings.TrimSpace(line)) {
				return true
			}
		}
		return false
	}
	return c.Span, anyWord(c.Words[1:], leaves) || anyInput(s, c, leaves)
}

func leavesInLine(s *hazard.Scene, c *shell.Command, line string) bool {
	if rest, ok := strings.CutPrefix(line, "file delete -force "); ok && catastrophic(s.Quiet(), c, "rm -rf "+rest) {
		return true // of Tcl
	}
	for _, e := range escapes {
		if rest, ok := strings.CutPrefix(line, e); ok && catastrophic(s, c, rest) {
			return true
		}
	}
	if e := embedded(c.Name); e != nil {
		for _, m := range e.get().FindAllStringSubmatch(line, maxLiterals) {
			if catastrophic(s, c, strings.Trim(m[1], "`'\"")) {
				return true
			}
		}
	}
	if !strings.ContainsAny(line, `|<`) && !strings.Contains(line, `\setenv`) {
		return false
	}
	m := pipes.get().FindStringSubmatch(line)
	return m != nil && catastrophic(s, c, strings.Trim(m[1], `'"`))
}

// programCopies are the programs that a statement of PostgreSQL runs.
var programCopies = &pattern{text: `(?i)^\s*\\?copy\b.*\b(?:to|from)\s+program\s+` + literal}

func copiesTo(s *hazard.Scene, c *shell.Command, text string) bool {
	if !strings.Contains(strings.ToLower(text), "program") {
		return false
	}
	m := programCopies.get().FindStringSubmatch(text)
	return m != nil && catastrophic(s, c, unquote(m[1]))
}

// cronTimes is when a line of a crontab runs, up to its command.
var cronTimes = &pattern{text: `^\s*(?:@[a-z]+|(?:[-0-9*/,A-Za-z]+\s+){4}[-0-9*/,A-Za-z]+)\s+`}

// schedules matches crontab with a line that the floor denies.
func schedules(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	bad := func(text string) bool {
		for line := range strings.Lines(text) {
			if at := cronTimes.get().FindString(line); at != "" && catastrophic(s, c, strings.TrimSpace(line[len(at):])) {
				return true
			}
		}
		return false
	}
	return c.Span, local(s, c) && (anyInput(s, c, bad) || c.In(shell.Piped) && c.Source < 0 && groupPrints(s, c, bad))
}

// groupPrints reports whether what echo or printf prints in parentheses before a
// command matches.
func groupPrints(s *hazard.Scene, c *shell.Command, match func(string) bool) bool {
	for i := range s.Line.Commands {
		if w := &s.Line.Commands[i]; w.Span.To <= c.Span.From && w.In(shell.Piping) && match(printed(w)) {
			return true
		}
	}
	return false
}

// evaluators are interpreters of languages without a grammar in pkg/shell.
const evaluators = "puppet chef-apply r rscript julia groovy elixir iex raku scala kotlin clojure clj bb sbcl racket guile emacs emacsclient erl jshell deno ghc runghc ocaml swift crystal " +
	"octave gnuplot maxima mongosh rake mix"

// resourceRuns are the resources of Puppet and Chef that run a literal.
var resourceRuns = &pattern{text: `\b(?:exec\s*\{\s*|command\s*=>\s*)` + literal}

// resourceRunsCatastrophe reports whether code runs what the floor denies as a
// resource.
func resourceRunsCatastrophe(s *hazard.Scene, c *shell.Command, text string) bool {
	if !strings.Contains(text, "exec") && !strings.Contains(text, "command") {
		return false
	}
	for _, m := range resourceRuns.get().FindAllStringSubmatch(text, 16) {
		if catastrophic(s, c, unquote(m[1])) {
			return true
		}
	}
	return false
}

// resources are the resources of Puppet and Chef that are to be absent.
var resources = &pattern{text: `\bfile\s*\{\s*` + literal + `\s*:[^}]*\bensure\s*=>\s*absent|\b(?:directory|file)\s+` + literal + `\s+(?:do|\{)[^}]*\baction\s+:delete`}

// removesResource reports whether code removes a place as a resource.
func removesResource(s *hazard.Scene, c *shell.Command, text string) bool {
	if !strings.Contains(text, "absent") && !strings.Contains(text, ":delete") {
		return false
	}
	for _, m := range resources.get().FindAllStringSubmatch(text, 16) {
		if lit := m[1] + m[2]; literalPlaceOf(s, c, unquote(lit)) {
			return true
		}
	}
	return false
}

// evaluates matches an interpreter whose text deletes a place or runs what the
// floor denies.
func evaluates(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	if !local(s, c) {
		return shell.Span{}, false
	}
	return roughly(s, c, func(text string) bool {
		return codeDestroys(s, c, text) || resourceRunsCatastrophe(s, c, text) || removesResource(s, c, text)
	})
}

// roughly reports whether a text matches that an evaluator is given.
func roughly(s *hazard.Scene, c *shell.Command, match func(text string) bool) (shell.Span, bool) {
	bad := func(text string) bool { return len(text) < shell.MaxSource && match(text) }
	for i := 1; i+1 < len(c.Words); i++ {
		before, _ := c.Words[i].Literal()
		if (strings.HasPrefix(before, "-") || before == "eval") && anyWord(c.Words[i+1:i+2], bad) {
			return c.Words[i+1].Span, true
		}
	}
	if anyWord(c.Words[1:], func(v string) bool { _, v, ok := strings.Cut(v, "="); return ok && bad(v) }) {
		return c.Span, true // --eval=TEXT
	}
	return c.Span, anyInput(s, c, bad)
}
