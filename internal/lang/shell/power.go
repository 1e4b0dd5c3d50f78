package shell

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/internal/program"
)

// What follows says in the words of a shell what statements of PowerShell do that name
// what they do it to through a pipe, a call in brackets or a method of .NET. It reads a
// few forms and no language: what it does not know, it leaves out.

// everyProcess stands for what Get-Process returns.
const everyProcess = "\x01"

// The commands of PowerShell by what they do, with their aliases (about_Aliases).
const (
	powerRemoves  = "remove-item ri rm rmdir rd del erase"
	powerChildren = "get-childitem gci dir ls"
	powerPaths    = "get-item gi resolve-path rvpa convert-path cvpa"
	powerStops    = "stop-process spps kill"
	powerWrites   = "out-file set-content sc add-content ac clear-content clc tee-object tee new-item ni export-csv export-clixml"
	powerMoves    = "move-item mi mv move rename-item rni ren"
	powerCopies   = "copy-item cpi cp copy"
	powerStarts   = "start-process saps start"
	powerEach     = "foreach-object foreach %"
	powerWhere    = "where-object where ?"
	powerPicks    = "select-object select sort-object sort"
)

var powerForms = sync.OnceValue(func() (f struct {
	assigned, home, option, call, info, literal, method, static, process, block *regexp.Regexp
}) {
	f.assigned = regexp.MustCompile(`(?:^|[;{\n])\s*\$(\w+)\s*=\s*([^;\n|=]+?)\s*(?:[;\n]|$)`)
	f.home = regexp.MustCompile(`(?i)\$\{?env:(?:HOME|USERPROFILE)\}?|\$\{HOME\}`)
	f.option = regexp.MustCompile(`(\s-[A-Za-z]+):(\S)`)
	f.call = regexp.MustCompile(`(?i)\$?\(\s*(join-path|get-item|gi|resolve-path|rvpa|convert-path|cvpa|get-childitem|gci|ls|dir)\s+([^()|{}]*)\)(?:\.(?:FullName|Path|ProviderPath))?`)
	f.info = regexp.MustCompile(`(?i)\(?\[(?:System\.)?IO\.(?:Directory|File)Info\](?:::new\()?\s*("[^"]*"|'[^']*')\)?|\(\s*New-Object\s+(?:-TypeName\s+)?(?:System\.)?IO\.(?:Directory|File)Info\s+(?:-ArgumentList\s+)?("[^"]*"|'[^']*'|[^\s()]+)\s*\)`)
	f.literal = regexp.MustCompile(`[@$]?\(\s*("[^"]*"|'[^']*')\s*\)`)
	f.method = regexp.MustCompile(`(?i)("[^"]*"|'[^']*'|[^\s();|{}"']+)\.(Delete|MoveTo|Kill)\(`)
	f.static = regexp.MustCompile(`(?i)\[(?:System\.)?IO\.(?:Directory|File)\]::(Delete|Move|WriteAll\w*|Open\w*|Create|Append\w*)\(?` +
		`\s*("[^"]*"|'[^']*'|[^\s(),]+)`)
	f.process = regexp.MustCompile(`(?i)\(\s*(?:get-process|gps|ps)\s*\*?\s*\)(?:\.Id)?|\[(?:System\.)?Diagnostics\.Process\]::GetProcesses\(\)`)
	f.block = regexp.MustCompile(`(?i)\[scriptblock\]::Create\(\s*("[^"]*"|'[^']*')`)
	return f
})

// maxPower bounds how deep and how often a text is looked into.
const maxPower = 8

// fromPower returns what a text of PowerShell does, as lines of a shell.
func fromPower(text string) string {
	p := &powerReader{}
	p.text(plainSigns(text), 0)
	return p.out.String()
}

// A powerReader collects lines of a shell.
type powerReader struct{ out strings.Builder }

func (p *powerReader) line(words ...string) {
	for i, w := range words {
		if len(w) > 1 && (w[0] == '\'' || strings.Contains(w, "*")) {
			if w = strings.Trim(w, `"'`); !strings.Contains(w, "*") {
				w = `"` + w + `"`
			}
			words[i] = w
		}
	}
	p.out.WriteString(strings.ReplaceAll(strings.Join(words, " "), `\`, `\\`) + "\n")
}

// text reads statements, and what their blocks hold.
func (p *powerReader) text(text string, depth int) {
	if depth > maxPower || len(text) > MaxSource || p.out.Len() > MaxSource {
		return
	}
	f := powerForms()
	text = f.home.ReplaceAllString(text, "$$HOME")
	for _, m := range f.block.FindAllStringSubmatch(text, maxPower) {
		p.text(strings.Trim(m[1], `"'`), depth+1)
	}
	for _, m := range f.assigned.FindAllStringSubmatch(text, maxPower) {
		if value := m[2]; !strings.HasPrefix(value, "$") {
			if !strings.ContainsAny(value[:1], `"'(`) {
				value = "(" + value + ")"
			}
			name := regexp.MustCompile(`\$` + m[1] + `\b(\s*=)?`)
			text = name.ReplaceAllStringFunc(text, func(at string) string {
				if strings.HasSuffix(at, "=") {
					return at
				}
				return value
			})
		}
	}
	text = f.option.ReplaceAllString(text, "$1 $2")
	for range maxPower {
		before := text
		text = f.process.ReplaceAllString(text, everyProcess)
		text = f.info.ReplaceAllString(text, "$1$2")
		text = f.call.ReplaceAllStringFunc(text, powerCall)
		if text = f.literal.ReplaceAllString(text, "$1"); text == before {
			break
		}
	}
	p.methods(text)
	for statement := range powerParts(text, ";\n") {
		p.pipeline(statement, depth)
	}
}

// powerCall returns the path that a call in brackets returns, in quotes, or the pattern
// of what it lists.
func powerCall(call string) string {
	m := powerForms().call.FindStringSubmatch(call)
	words, narrow := powerOperands(powerWords(m[2]))
	for i, w := range words {
		if w == "~" || strings.HasPrefix(w, "~/") || strings.HasPrefix(w, `~\`) {
			words[i] = "$HOME" + w[1:]
		}
	}
	switch verb := strings.ToLower(m[1]); {
	case verb == "join-path" && len(words) > 0:
		return `"` + strings.TrimRight(strings.Join(words, "/"), "/") + "/" + `"`
	case narrow || len(words) == 0:
		return call
	case program.HasWord(powerChildren, verb):
		return `"` + strings.TrimRight(words[0], `/\*`) + `/*"`
	}
	return `"` + words[0] + `"`
}

// methods reads the methods of .NET that delete, move, write or kill.
func (p *powerReader) methods(text string) {
	f := powerForms()
	for _, m := range f.method.FindAllStringSubmatch(text, maxBlocks) {
		switch target := m[1]; {
		case strings.HasSuffix(target, everyProcess):
			p.line("kill", "-9", "-1")
		case strings.EqualFold(m[2], "MoveTo"):
			p.line("mv", target, "moved")
		case strings.EqualFold(m[2], "Delete") && strings.ContainsAny(target, `"'/\*$~:`):
			p.line("Remove-Item", target)
		}
	}
	for _, m := range f.static.FindAllStringSubmatch(text, maxBlocks) {
		switch verb := strings.ToLower(m[1]); verb {
		case "delete":
			p.line("Remove-Item", m[2])
		case "move":
			p.line("mv", m[2], "moved")
		case "openread", "opentext":
		default:
			p.line("tee", m[2])
		}
	}
}

// pipeline reads the commands of a statement with what is handed on from one to the next.
func (p *powerReader) pipeline(statement string, depth int) {
	var items []string
	for segment := range powerParts(statement, "|") {
		at := Unquoted(segment, "{")
		head, block := strings.TrimSpace(segment[:at]), ""
		if at < len(segment) {
			block = segment[at+1:]
			block = block[:blockEnd(block)]
		}
		if !strings.HasPrefix(strings.ToLower(head), "foreach-object") {
			head = beginning(head)
		}
		words := powerWords(head)
		if len(words) == 0 {
			p.text(block, depth+1)
			continue
		}
		verb := strings.ToLower(words[0])
		paths, narrow := powerOperands(words[1:])
		switch {
		case head[0] == '"' || head[0] == '\'':
			items = words
		case head == everyProcess, program.HasWord("get-process gps ps", verb) && (len(paths) == 0 || paths[0] == "*") && !narrow:
			items = []string{everyProcess}
		case verb == "join-path":
			items = []string{strings.Join(paths, "/")}
		case program.HasWord(powerPaths, verb):
			items = paths
		case program.HasWord(powerChildren, verb):
			if items = nil; !narrow && len(paths) == 0 {
				items = []string{"*"}
			} else if !narrow {
				items = []string{strings.TrimRight(paths[0], `/\*`) + "/*"}
			}
		case program.HasWord(powerWhere, verb):
			if powerNarrows(head + " " + block) {
				items = nil
			}
			continue
		case program.HasWord(powerPicks, verb):
			if hasOption(words, "-first", "-last", "-skip") {
				items = nil
			}
			continue
		case program.HasWord(powerEach, verb):
			p.each(items, paths, block, depth)
			continue
		default:
			p.does(verb, words, paths, items, depth)
		}
		if strings.HasSuffix(head, "in "+everyProcess) || strings.Contains(strings.ToLower(head), " in get-process") {
			items = []string{everyProcess}
		}
		if block != "" {
			p.each(items, nil, block, depth)
		}
	}
}

// each reads a block, or the name of a method, for each of some items.
func (p *powerReader) each(items, methods []string, block string, depth int) {
	lower := strings.ToLower(block + " " + strings.Join(methods, " "))
	for _, item := range items {
		switch {
		case item == everyProcess:
			if strings.Contains(lower, "kill") || strings.Contains(lower, "stop-process") || strings.Contains(lower, "spps") {
				p.line("kill", "-9", "-1")
			}
		case len(methods) > 0 && strings.EqualFold(methods[0], "delete"):
			p.line("Remove-Item", item)
		default:
			p.text(strings.NewReplacer("$_.FullName", item, "$_.Name", item, "$_", item, "$PSItem", item).Replace(block), depth+1)
		}
	}
	if len(items) == 0 {
		p.text(block, depth+1)
	}
}

// does writes what a command does to its operands, or to the items that it is handed.
func (p *powerReader) does(verb string, words, paths, items []string, depth int) {
	targets := paths
	if len(targets) == 0 || strings.HasPrefix(targets[0], "$_") {
		targets = items
	}
	switch {
	case hasOption(words, "-whatif"):
	case program.HasWord(powerRemoves, verb):
		for _, target := range targets {
			p.line("Remove-Item", target)
		}
	case program.HasWord(powerStops, verb):
		if slices.Contains(targets, everyProcess) || slices.Contains(paths, "*") {
			p.line("kill", "-9", "-1")
		}
	case program.HasWord(powerWrites, verb):
		for _, path := range paths[:min(len(paths), 1)] {
			p.line("tee", path)
		}
	case program.HasWord(powerMoves, verb) && len(targets) > 0:
		p.line("mv", targets[0], "moved")
	case program.HasWord(powerCopies, verb) && len(paths) > 1:
		p.line("cp", paths[0], paths[1])
	case program.HasWord(powerStarts, verb) && len(paths) > 0:
		p.line(paths...)
		if len(paths) > 2 {
			p.line(paths[0], paths[1], `"`+strings.Join(paths[2:], " ")+`"`)
		}
	case program.HasWord("invoke-expression iex", verb):
		for _, target := range targets {
			p.text(target, depth+1)
			p.line(target)
		}
	case program.HasWord("set-location sl cd chdir push-location pushd", verb) && len(paths) > 0:
		p.line("cd", paths[0])
	}
}

// powerNarrows reports whether a condition leaves most items out: it compares with
// something, and not only to leave that out.
func powerNarrows(condition string) bool {
	for word := range strings.FieldsSeq(strings.ToLower(condition)) {
		if program.HasWord("-eq -ceq -like -clike -match -cmatch -in -contains -gt -lt -ge -le -is", word) {
			return true
		}
	}
	return false
}

// hasOption reports whether one of some options is among words, in any case.
func hasOption(words []string, options ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(options, strings.ToLower(w)) })
}

// powerOperands returns the words of a command without its options, and whether one of
// these leaves out all but some names. The words of an option -ArgumentList are operands.
func powerOperands(words []string) (out []string, narrow bool) {
	for i := 0; i < len(words); i++ {
		name := strings.ToLower(words[i])
		if !strings.HasPrefix(name, "-") || len(name) < 2 || len(out) > 0 && name != strings.TrimLeft(name, "-") && isShellOption(words[i]) {
			out = append(out, words[i])
			continue
		}
		switch name {
		case "-filter", "-include":
			if i++; i < len(words) && strings.Trim(words[i], "*.") != "" {
				narrow = true
			}
		case "-value", "-inputobject", "-encoding", "-depth", "-exclude", "-itemtype", "-type", "-erroraction", "-ea", "-width":
			if i++; i < len(words) && words[i] == everyProcess {
				out = append(out, words[i])
			}
		}
	}
	return out, narrow
}

// isShellOption reports whether a word is an option as other programs have them, which
// Start-Process hands on.
func isShellOption(word string) bool {
	return len(word) == 2 || strings.Contains(word, " ") || strings.HasPrefix(word, "--") || word == "-rf" || word == "-fr" || word == "-Rf"
}

// powerWords returns the words of a command without their quotes. Commas part them, too.
func powerWords(command string) (out []string) {
	var word strings.Builder
	quote, started := byte(0), false
	end := func() {
		if started {
			out = append(out, word.String())
		}
		word.Reset()
		started = false
	}
	for i := range len(command) {
		switch c := command[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, started = c, true
		case quote == 0 && strings.IndexByte(" \t\r\n,()@", c) >= 0:
			end()
		default:
			word.WriteByte(c)
			started = true
		}
	}
	end()
	return out
}

// powerParts yields the parts of a text between signs that stand in no quotes, brackets
// or blocks.
func powerParts(text, signs string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		quote, depth, from := byte(0), 0, 0
		for i := range len(text) {
			switch c := text[i]; {
			case quote != 0:
				if c == quote {
					quote = 0
				}
			case c == '"' || c == '\'':
				quote = c
			case strings.IndexByte("({[", c) >= 0:
				depth++
			case strings.IndexByte(")}]", c) >= 0:
				depth = max(0, depth-1)
			case depth == 0 && strings.IndexByte(signs, c) >= 0:
				if !yield(text[from:i]) {
					return
				}
				from = i + 1
			}
		}
		yield(text[from:])
	}
}
