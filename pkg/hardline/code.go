package hardline

import (
	"regexp"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/shell"
)

// interpreters are the programs whose text is looked at for literals.
const interpreters = "python python2 python3 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14 pypy pypy3 ipython node nodejs bun deno perl ruby php lua luajit awk gawk mawk nawk osascript sed gsed"

// deleteVerbs are the calls of common languages that remove files, each up to
// its first argument.
var deleteVerbs = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:\brmtree|\brmSync|\brmdirSync|\brimraf|\bremove_tree|\brm_rf|\brm_r|\bremove_dir_all|\bremoveSync|\brm|\brmdir|\bunlinkSync|\bunlink|\bremove|\bRemoveAll|\bdelete|\bDir\.delete)\s*\(?\s*(.{0,80})`)
})

// homeCalls are calls that return the home directory.
var homeCalls = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:Path\.home\(\)|pathlib\.Path\.home\(\)|os\.homedir\(\)|require\(["']os["']\)\.homedir\(\)|os\.environ\[["']HOME["']\]|process\.env\.HOME|ENV\[["']HOME["']\]|Dir\.home|\$ENV\{HOME\}|getenv\(["']HOME["']\))\s*[,)]`)
})

var (
	runVerbs = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("\\b(?:system|exec[a-zA-Z]*|popen[0-9]?|Popen|spawn[a-zA-Z]*|subprocess|run|call|check_[a-z]+|qx|passthru|shell_exec|proc_open|do shell script|backtick|Open3)\\b|`|\\|\\s*getline|%x")
	})
	writeVerbs = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\bopen\s*\(?[^;\n]*["'](?:w|a|r\+|wb|ab|r\+b|wb\+|w\+)["']|\bopen\s*\(?[^;\n]*["']\+?[>]|\bwrite[A-Za-z_]*\s*\(|\bWriteFile\b|\bappendFile|\bcreateWriteStream\b|File\.(?:write|open)|file_put_contents|\bO_WRONLY\b|\bO_RDWR\b|\bunlink|\bremove\b|\brename|\btruncate|print\s*>`)
	})
	forkLoops = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?s)\bfork\b[\s()]*while\b|(?:while|loop|for)\s*(?:\(?\s*(?:1|true|True|;\s*;)\s*\)?|\s*\{|do\b)[^;}]{0,40}\bfork\b|\bfork\(\)\s+for\b[^\n]*\biter\(`)
	})
	literals = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|` + "`([^`\n]*)`")
	})
	sedRuns = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)(?:^|[;{}0-9$/!,])\s*e\s+([^\n]+)$`)
	})
)

// code calls yield for each text in another language that a command
// evaluates.
func code(c *shell.Command, yield func(text string, span shell.Span) bool) {
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		if o.Spec != nil && o.Spec.Role == shell.RoleCode && o.HasArg && !each(o.Arg.Values, o.Arg.Span, yield) {
			return
		}
	}
	script := false
	for _, o := range c.Args.Operands {
		switch w := &c.Words[o.At]; o.Role {
		case shell.RoleCode:
			if !each(w.Values, w.Span, yield) {
				return
			}
		case shell.RoleExec:
			script = script || !w.Has("-")
		}
	}
	if c.Input != nil && !script {
		each(c.Input.Values, c.Span, yield)
	}
}

func each(values []string, span shell.Span, yield func(string, shell.Span) bool) bool {
	for _, v := range values {
		if !yield(v, span) {
			return false
		}
	}
	return true
}

// inCode returns a matcher for commands with code that matches.
func inCode(s *hazard.Scene, c *shell.Command, match func(text string) bool) (span shell.Span, ok bool) {
	if !local(s, c) {
		return span, false
	}
	code(c, func(text string, at shell.Span) bool {
		if len(text) < shell.MaxSource && match(text) {
			span, ok = at, true
		}
		return !ok
	})
	return span, ok
}

func codeDeletes(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	return inCode(s, c, func(text string) bool {
		if c.Name == "sed" || c.Name == "gsed" {
			return sedRunsCatastrophe(s, c, text)
		}
		return deletesLiteral(s, c, text) || runsLiteral(s, c, text)
	})
}

func sedRunsCatastrophe(s *hazard.Scene, c *shell.Command, text string) bool {
	for _, m := range sedRuns().FindAllStringSubmatch(text, -1) {
		if catastrophic(s, c, m[1]) {
			return true
		}
	}
	return false
}

// deletesLiteral says whether code passes a literal root, system directory or
// home to a call that deletes.
func deletesLiteral(s *hazard.Scene, c *shell.Command, text string) bool {
	for _, m := range deleteVerbs().FindAllStringSubmatch(text, -1) {
		rest := strings.TrimLeft(m[1], "([ ")
		rest = strings.TrimPrefix(rest, "os.path.expanduser(")
		rest = strings.TrimPrefix(rest, "Path(")
		rest = strings.TrimPrefix(rest, "pathlib.Path(")
		rest = strings.TrimPrefix(rest, "glob ")
		if homeCalls().MatchString(rest) {
			return true
		}
		lit := literals().FindStringSubmatchIndex(rest)
		if lit == nil || lit[0] != 0 {
			continue
		}
		if literalPlaceOf(s, c, unquote(rest[lit[0]:lit[1]])) {
			return true
		}
	}
	return false
}

func literalPlaceOf(s *hazard.Scene, c *shell.Command, path string) bool {
	if path == "" {
		return false
	}
	if path == "~" || strings.HasPrefix(path, "~/") {
		path = s.Home + path[1:]
	}
	set := shell.Set{Values: []string{path}, Glob: strings.ContainsAny(path, "*?[")}
	return worst(s, c, set) != elsewhere
}

func unquote(lit string) string {
	body := lit[1 : len(lit)-1]
	return strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\'`, `'`, `\n`, "\n", `\t`, "\t").Replace(body)
}

// runsLiteral says whether code runs a literal command that is catastrophic,
// given as one text or as a list of words.
func runsLiteral(s *hazard.Scene, c *shell.Command, text string) bool {
	if !runVerbs().MatchString(text) {
		return false
	}
	var words []string
	for _, lit := range literals().FindAllString(text, 64) {
		v := unquote(lit)
		if catastrophic(s, c, v) {
			return true
		}
		words = append(words, v)
	}
	for i := range words {
		if isCommandName(words[i]) && i+1 < len(words) && catastrophicArgv(s, c, words[i:]) {
			return true
		}
	}
	for _, q := range quotedRuns(text) {
		if catastrophic(s, c, q) {
			return true
		}
	}
	return false
}

func isCommandName(w string) bool {
	return w != "" && !strings.ContainsAny(w, " \n\t{}()<>=;")
}

// quotedRuns returns the texts in the quoting operators of Perl and Ruby.
func quotedRuns(text string) []string {
	var out []string
	for _, mark := range []string{"qx{", "qx(", "qx/", "qx[", "%x{", "%x(", "%x["} {
		for rest := text; ; {
			i := strings.Index(rest, mark)
			if i < 0 {
				break
			}
			rest = rest[i+len(mark):]
			if end := strings.IndexAny(rest, "})/]"); end > 0 && mark[len(mark)-1] != '/' {
				out = append(out, rest[:end])
			} else if i := strings.LastIndexByte(rest, '/'); i > 0 {
				out = append(out, rest[:i])
			}
		}
	}
	return out
}

// catastrophic says whether text, read as a line of its own, matches the
// floor. The text of interpreters is not looked into again.
func catastrophic(s *hazard.Scene, c *shell.Command, text string) bool {
	if len(text) < 4 || len(text) > 4096 {
		return false
	}
	return lineMatches(s, c, shell.Read(text, env(s, c)))
}

func catastrophicArgv(s *hazard.Scene, c *shell.Command, words []string) bool {
	return lineMatches(s, c, shell.Argv(words[:min(len(words), 12)], env(s, c)))
}

func env(s *hazard.Scene, c *shell.Command) shell.Env {
	e := shell.Env{Home: s.Home}
	e.Dir, _ = c.Dir.Literal()
	return e
}

func lineMatches(s *hazard.Scene, c *shell.Command, line *shell.Line) bool {
	inner := hazard.Scene{Line: line, Home: s.Home, Protect: s.Protect}
	if len(line.Spawns) > 0 {
		return true
	}
	for i := range line.Commands {
		if strings.Contains(" "+interpreters+" ", " "+line.Commands[i].Name+" ") {
			continue
		}
		if _, ok := table().First(&inner, i); ok {
			return true
		}
	}
	return false
}

func codeWritesDevice(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	return inCode(s, c, func(text string) bool {
		if !strings.Contains(text, "/dev/") || !writeVerbs().MatchString(text) {
			return false
		}
		for _, lit := range literals().FindAllString(text, 64) {
			if isDevice(strings.TrimLeft(unquote(lit), "+>< ")) {
				return true
			}
		}
		return false
	})
}

func codeForks(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	return inCode(s, c, func(text string) bool {
		return strings.Contains(text, "fork") && forkLoops().MatchString(text) && !strings.Contains(text, "wait")
	})
}

var killVerbs = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\bkill\s*\(?\s*(?:-1\s*,|["']?[A-Za-z0-9.]+["']?\s*(?:,|=>)\s*-1\b)`)
})

func codeKills(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	return inCode(s, c, func(text string) bool { return killVerbs().MatchString(text) })
}

// codeTouches matches code that names a protected path and writes.
func codeTouches(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	if c.Args.Program == nil || !strings.Contains(" "+interpreters+" ", " "+c.Name+" ") {
		return shell.Span{}, false
	}
	return inCode(s, c, func(text string) bool {
		for _, p := range s.Protect {
			short := "~" + strings.TrimPrefix(p, s.Home)
			if (strings.Contains(text, p) || strings.HasPrefix(p, s.Home) && strings.Contains(text, short)) &&
				(writeVerbs().MatchString(text) || deleteVerbs().MatchString(text) || runVerbs().MatchString(text)) {
				return true
			}
		}
		return false
	})
}

// foreignText matches cmd /c and pwsh -Command whose text is catastrophic.
func foreignText(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	if !local(s, c) {
		return shell.Span{}, false
	}
	for i := 1; i < len(c.Words); i++ {
		for _, v := range c.Words[i].Values {
			if (strings.Contains(v, " ") || isTextOption(&c.Words[i-1])) && catastrophic(s, c, strings.ReplaceAll(v, `\`, `\\`)) {
				return c.Words[i].Span, true
			}
		}
		if words, ok := rest(c.Words[i:]); ok && len(words) > 1 && !strings.HasPrefix(words[0], "-") && !strings.HasPrefix(words[0], "/") && catastrophicArgv(s, c, words) {
			return c.Span, true
		}
	}
	return shell.Span{}, false
}

// isTextOption says whether what follows a word is text for cmd or pwsh.
func isTextOption(w *shell.Word) bool {
	for _, name := range []string{"-c", "-command", "/c", "/k"} {
		if v, ok := w.Literal(); ok && strings.EqualFold(v, name) {
			return true
		}
	}
	return false
}

func rest(words []shell.Word) ([]string, bool) {
	out := make([]string, len(words))
	for i := range words {
		v, ok := words[i].Literal()
		if !ok {
			return nil, false
		}
		out[i] = v
	}
	return out, true
}
