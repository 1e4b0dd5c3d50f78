package hardline

import (
	"slices"
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/program"
	"github.com/policyctl/policyctl/pkg/shell"
)

// deleteVerbs are the calls of common languages that remove files.
var deleteVerbs = &pattern{text: `(?:\brmtree|\brmSync|\brmdirSync|\brimraf["']\)\.sync|\brimraf\.sync|\brimraf|\bremove_tree|\brm_rf|\brm_r|\bremove_dir_all|\bremove_dir|\bremove_entry(?:_secure)?|\bemptyDir(?:Sync)?|\bremoveItem|\bfile\.remove|\bdelete-directory|\bdeleteDir|\bremoveSync|\brm|\brmdir|\bunlinkSync|\bunlink|\bremove|\brename|\brenameSync|\bmove|\bRemoveAll|\bdelete|\bDir\.delete)\b`}

// homeCalls are calls that return the home directory.
var homeCalls = &pattern{text: `^(?:Path\.home\(\)|pathlib\.Path\.home\(\)|os\.homedir\(\)|require\(["']os["']\)\.homedir\(\)|os\.environ\[["']HOME["']\]|process\.env\.HOME|ENV\[["']HOME["']\]|Dir\.home|\$ENV\{HOME\}|(?:os\.)?getenv\(["']HOME["']\)|os\.environ\.get\(["']HOME["']\)|os\.path\.expandvars\(["']\$HOME["']\)|ENV\.fetch\(["']HOME["']\)|["']/home/["']\s*\+\s*getpass\.getuser\(\)|os\.path\.abspath\(os\.sep\)|os\.sep)(?:\s*[,)]|$)`}

var (
	runVerbs  = &pattern{text: `\b(?:system|exec[a-zA-Z]*|popen[0-9]?|Popen|spawn[a-zA-Z]*|subprocess|run|call|check_[a-z]+|qx|passthru|shell_exec|proc_open|do shell script|do script|backtick|Open3|posix_spawnp?|pcntl_exec|create_subprocess_[a-z]+|Command)\b`}
	forkLoops = &pattern{text: `(?s)\bfork\b[\s()]*(?:while|until)\b|\b(?:while|until)[\s(!]*(?:os\.)?fork\b|\bfork\b[\s()]*;\s*redo\b|\biter\(\s*os\.fork\b|\bdef (\w+)\W[^\n]*\bfork\s*\{\s*\w+\s*\}[^\n]*\bfork\s*\{|(?:\b(?:while|loop)\s*(?:\(?\s*(?:1|true|True)\b\s*\)?|\s*\{|do\b)|\bfor\s*\(\s*;\s*;\s*\))[^;}]{0,40}\bfork\b|\bfork\(\)\s+for\b[^\n]*\biter\(`}
	literals  = &pattern{text: `"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|` + "`([^`\n]*)`"}
	// sedEvaluates is the substitution whose result sed runs, sedWrites the file
	// that it writes.
	sedEvaluates = &pattern{text: `s/(?:[^/\\\n]|\\.)*/((?:[^/\\\n]|\\.)*)/[gpiImM0-9]*e`}
	sedWrites    = &pattern{text: `(?m)(?:^|[;{}0-9$/!,gpiI])\s*[wW]\s*(/\S+)\s*$`}
	sedLines     = &pattern{text: `^\s*(?:[0-9$]+|/[^/]*/)?(?:,(?:[0-9$]+|/[^/]*/))?\s*e\s*$`}
	sedRuns      = &pattern{text: `(?m)(?:^|[;{}0-9$/!,])\s*e\s+([^\n]+)$`}
)

// code calls yield for each text in another language that a command
// evaluates.
func code(c *shell.Command, yield func(text string, span shell.Span) bool) {
	script := c.Script != nil // the program comes from elsewhere than the input
	if script && !each(c.Script.Values, c.Span, yield) {
		return
	}
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		if o.Spec == nil || o.Spec.Role != program.RoleCode || !o.HasArg {
			continue
		}
		if script = true; !each(o.Arg.Values, o.Arg.Span, yield) {
			return
		}
	}
	for _, o := range c.Args.Operands {
		switch w := &c.Words[o.At]; o.Role {
		case program.RoleCode:
			if script = true; !each(w.Values, w.Span, yield) {
				return
			}
		case program.RoleExec:
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
		if len(text) >= shell.MaxSource {
			return true
		}
		if !isSed(c) {
			text = folded(c, text)
		}
		ok = match(text) || !isSed(c) && slices.ContainsFunc(evaluated(text), match)
		span = at
		return !ok
	})
	return span, ok
}

func codeDeletes(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	return inCode(s, c, func(text string) bool {
		if isSed(c) {
			return sedRunsCatastrophe(s, c, text)
		}
		return runsInput(s, c, text) || codeDestroys(s, inDirOf(c, text), text)
	})
}

// codeDestroys reports whether code deletes a place or runs what the floor
// denies.
func codeDestroys(s *hazard.Scene, c *shell.Command, text string) bool {
	return deletesLiteral(s, c, text) || runsLiteral(s, c, text) || sweepsPlace(s, c, text) || deletesFound(s, c, text)
}

// inputRuns are the programs of awk that run what they read.
var inputRuns = &pattern{text: `\bsystem\(\s*\$0\s*\)|\bprint\s*(?:\$0\s*)?\|\s*"(?:ba|z|da|k)?sh"`}

// runsInput reports whether awk runs lines that the floor denies.
func runsInput(s *hazard.Scene, c *shell.Command, text string) bool {
	return isAWK(c) && (awkRuns(s, c, text) || inputRuns.get().MatchString(text) && anyInput(s, c, func(v string) bool { return catastrophic(s, c, v) }))
}

func sedRunsCatastrophe(s *hazard.Scene, c *shell.Command, text string) bool {
	if sedLines.get().MatchString(text) && anyInput(s, c, func(v string) bool { return catastrophic(s, c, v) }) {
		return true
	}
	for _, m := range sedRuns.get().FindAllStringSubmatch(text, -1) {
		if catastrophic(s, c, m[1]) {
			return true
		}
	}
	for _, m := range sedEvaluates.get().FindAllStringSubmatch(text, -1) {
		if catastrophic(s, c, unescape(m[1])) {
			return true
		}
	}
	return false
}

func isSed(c *shell.Command) bool { return program.LanguageOf(c.Name) == program.Sed }

func isAWK(c *shell.Command) bool { return program.LanguageOf(c.Name) == program.AWK }

// deletesLiteral reports whether code passes a literal root, system directory or
// home to a call that deletes.
func deletesLiteral(s *hazard.Scene, c *shell.Command, text string) bool {
	p := newScript(text)
	for _, m := range deleteVerbs.get().FindAllStringIndex(p.prose, maxLiterals) {
		if isMethodOfOther(text, m[0], m[1]) {
			continue
		}
		rest := strings.TrimLeft(text[m[1]:], "!([ ")
		rest = withoutFlags(rest)
		for _, call := range []string{"path=", "atPath: ", "os.path.expanduser(", "Path(", "pathlib.Path(", "glob "} {
			rest = strings.TrimPrefix(rest, call)
		}
		if homeCalls.get().MatchString(rest) {
			return true
		}
		if lit, ok := wholeArgument(rest); ok && literalPlaceOf(s, c, unquote(lit)) {
			return true
		}
		name := identifier.get().FindString(rest)
		if name == "" || !strings.HasPrefix(rest, name) || !endsArgument(rest[len(name):]) {
			continue
		}
		for _, eq := range p.assignments(name) {
			if lit, ok := wholeArgument(strings.TrimLeft(text[eq:], " ")); ok && literalPlaceOf(s, c, unquote(lit)) {
				return true
			}
		}
	}
	for _, m := range placeMethods.get().FindAllStringSubmatch(text, maxLiterals) {
		if literalPlaceOf(s, c, unquote(m[1])) {
			return true
		}
	}
	return false
}

// placeMethods are methods of paths that remove them.
var placeMethods = &pattern{text: `\b(?:Path|PurePath|Pathname|Pathname\.new|File|Dir\.new)\(\s*` + literal + `\s*\)\.(?:rmtree|rmdir|delete|unlink|deleteDir|deleteRecursively|rename)\b`}

// withoutFlags returns the arguments of a call after a first one such as
// "-rf".
func withoutFlags(rest string) string {
	if len(rest) < 2 || strings.IndexByte("\"'`", rest[0]) < 0 || rest[1] != '-' {
		return rest
	}
	if at := literals.get().FindStringIndex(rest); at != nil && at[0] == 0 {
		return strings.TrimLeft(rest[at[1]:], ", ")
	}
	return rest
}

// fileModules are what the calls of files belong to.
var fileModules = []string{
	"os", "shutil", "File", "Dir", "FileUtils", "Files", "fs", "fsp", "fse", "fsPromises", "promises", "Deno",
	`fs")`, `fs')`, `fs/promises")`, `fs/promises')`, `fs-extra")`, `fs-extra')`,
}

// isMethodOfOther reports whether the verb between two offsets is a method of
// something else, such as a list or a router: l.remove("/"), app.delete("/").
func isMethodOfOther(text string, from, to int) bool {
	before, dotted := strings.CutSuffix(text[:from], ".")
	if !dotted || !program.HasWord("delete remove move rename", text[from:to]) {
		return false
	}
	for _, m := range fileModules {
		if strings.HasSuffix(before, m) {
			return false
		}
	}
	return true
}

// wholeArgument returns the literal with which text begins, if nothing is
// joined to it.
func wholeArgument(text string) (lit string, ok bool) {
	if i := strings.IndexAny(text, "\"'`"); i > 0 && i <= 2 && strings.Trim(text[:i], "rRbBuU") == "" {
		text = text[i:]
	}
	if text == "" || strings.IndexByte("\"'`", text[0]) < 0 {
		return "", false
	}
	at := literals.get().FindStringIndex(text)
	if at == nil || at[0] != 0 || !endsArgument(text[at[1]:]) {
		return "", false
	}
	return text[:at[1]], true
}

func endsArgument(rest string) bool {
	return rest == "" || strings.ContainsRune(" \t\n,;)]}", rune(rest[0]))
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

// codes are the characters that a literal spells by their numbers.
var codes = &pattern{text: `\\(?:\\|x[0-9a-fA-F]{2}|u00[0-9a-fA-F]{2}|[0-3][0-7]{2})`}

func unquote(lit string) string {
	body := lit[1 : len(lit)-1]
	if strings.Contains(body, `\`) {
		body = codes.get().ReplaceAllStringFunc(body, func(code string) string {
			if code == `\\` {
				return code
			}
			digits, base := strings.TrimLeft(code[1:], "xu"), 16
			if len(digits) == 3 {
				base = 8
			}
			n, _ := strconv.ParseUint(digits, base, 8)
			if n == 0 {
				return code
			}
			return string(rune(n))
		})
	}
	return strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\'`, `'`, `\n`, "\n", `\t`, "\t").Replace(body)
}

// runsLiteral reports whether code runs a literal command that is catastrophic,
// given as one text or as a list of words.
func runsLiteral(s *hazard.Scene, c *shell.Command, text string) bool {
	p := newScript(text)
	for _, m := range runVerbs.get().FindAllStringIndex(p.prose, maxLiterals) {
		if !p.isCall(m[0], m[1]) {
			continue
		}
		argv := p.takesArgv(m[0], m[1])
		lists := p.passed(m[1])
		if own := lists[0]; argv && len(own) > 0 && isCommandName(own[0]) {
			for i, more := range lists[1:] { // variables among the words
				lists[i+1] = append(slices.Clone(own), more...)
			}
		}
		for _, words := range lists {
			if argv && len(words) > 1 && isCommandName(words[0]) {
				if runsArgv(s, c, words) {
					return true
				}
				continue
			}
			if runsWords(s, c, words) {
				return true
			}
		}
	}
	for _, q := range append(quotedRuns(text), p.operatorRuns(program.LanguageOf(c.Name))...) {
		if catastrophic(s, c, q) {
			return true
		}
	}
	return false
}

func runsWords(s *hazard.Scene, c *shell.Command, words []string) bool {
	for _, w := range words {
		if catastrophic(s, c, w) {
			return true
		}
	}
	for i := range words {
		if isCommandName(words[i]) && i+1 < len(words) && catastrophicArgv(s, c, words[i:]) {
			return true
		}
	}
	return false
}

// runsArgv reports whether a list of words is catastrophic as a command and its
// arguments, of which none is a line for a shell.
func runsArgv(s *hazard.Scene, c *shell.Command, words []string) bool {
	again := shell.Base(words[0]) == shell.Base(words[1]) // execlp("rm", "rm", …)
	return catastrophicArgv(s, c, words) || again && catastrophicArgv(s, c, words[1:])
}

func isCommandName(w string) bool {
	return w != "" && !strings.ContainsAny(w, " \n\t{}()<>=;")
}

// runQuotes are the quoting operators of Perl and Ruby that run their text.
var runQuotes = &pattern{text: `(?:\bqx|%x)\s*([^\w\s])`}

// quotedRuns returns the texts in those operators, up to the sign that closes
// each.
func quotedRuns(text string) []string {
	var out []string
	for _, m := range runQuotes.get().FindAllStringSubmatchIndex(text, maxLiterals) {
		closing := text[m[2]:m[3]]
		if i := strings.IndexAny("([{<", closing); i >= 0 {
			closing = ")]}>"[i : i+1]
		}
		rest := text[m[3]:]
		rest = rest[:min(len(rest), 4096)] // as catastrophic does
		end := strings.Index(rest, closing)
		if closing == "/" {
			end = strings.LastIndex(rest, closing) // a path may hold more of them
		}
		if end > 0 {
			out = append(out, rest[:end])
		}
	}
	return out
}

// catastrophic reports whether text, read as a line of its own, matches the
// floor. The text of interpreters is not looked into again.
func catastrophic(s *hazard.Scene, c *shell.Command, text string) bool {
	if len(text) < 4 || len(text) > 4096 {
		return false
	}
	return lineMatches(s, shell.Read(text, env(s, c)))
}

func catastrophicArgv(s *hazard.Scene, c *shell.Command, words []string) bool {
	return lineMatches(s, shell.Argv(words[:min(len(words), 12)], env(s, c)))
}

func env(s *hazard.Scene, c *shell.Command) shell.Env {
	e := shell.Env{Home: s.Home}
	e.Dir, _ = c.Dir.Literal()
	return e
}

func lineMatches(s *hazard.Scene, line *shell.Line) bool {
	inner := hazard.Scene{Line: line, Home: s.Home, OS: s.OS, Protect: s.Protect, Own: s.Own}
	if len(line.Spawns) > 0 {
		return true
	}
	for i := range line.Commands {
		if c := &line.Commands[i]; !isSed(c) && program.Has(c.Name, program.Evaluates) {
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
		if !strings.Contains(text, "/dev/") && !strings.Contains(text, sysrq) {
			return false
		}
		written := redirected(c, text)
		if !isSed(c) {
			written = append(written, newScript(text).written()...)
		}
		return slices.ContainsFunc(written, func(v string) bool {
			v = strings.TrimLeft(v, "+>< ")
			return isDevice(v) || v == sysrq
		})
	})
}

// redirected returns the files that a program of awk or sed writes.
func redirected(c *shell.Command, text string) []string {
	var out []string
	switch {
	case isSed(c):
		for _, m := range sedWrites.get().FindAllStringSubmatch(text, -1) {
			out = append(out, m[1])
		}
	case isAWK(c):
		p := newScript(text)
		for i, l := range p.literals {
			if strings.HasSuffix(strings.TrimRight(text[:l[0]], " "), ">") {
				out = append(out, p.value(i))
			}
		}
	}
	return out
}

func codeForks(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	return inCode(s, c, func(text string) bool {
		return strings.Contains(text, "fork") && forkLoops.get().MatchString(text) && !strings.Contains(text, "wait")
	})
}

var killVerbs = &pattern{text: `\b(?:posix_)?kill(?:pg)?\s*\(?\s*(?:-1\s*[,)]|:?["']?[A-Za-z0-9.]+["']?\s*(?:,|=>)\s*-1\b)`}

func codeKills(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	return inCode(s, c, func(text string) bool { return killVerbs.get().MatchString(text) })
}

// codeTouches matches code that names a protected path and writes.
func codeTouches(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	if !program.Has(c.Name, program.Evaluates) {
		return shell.Span{}, false
	}
	return inCode(s, c, func(text string) bool {
		var written []string
		for _, path := range s.Protect {
			if written == nil {
				written = append(newScript(text).written(), redirected(c, text)...)
			}
			if mentions(written, path, s.Home) {
				return true
			}
		}
		return false
	})
}
