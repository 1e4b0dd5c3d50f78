package shell

import (
	"encoding/json"
	"regexp"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/pkg/program"
)

// tempName begins the name that stands for the one that mktemp makes up.
const tempName = "/tmp/tmp.unnamed-"

// A printer is a form of a program in some language that prints one value, and
// nothing else.
type printer struct {
	language program.Language
	form     *regexp.Regexp // of which group 1 is an expression
}

// codeForms are the forms of programs that are understood: those that print one
// value, the home directory in several languages, and those that write a
// literal to a file.
var codeForms = sync.OnceValue(func() (f struct {
	printers []printer
	home     *regexp.Regexp
	writers  []writer
}) {
	f.printers = printerForms()
	f.home = regexp.MustCompile(`^(?:(?:os\.)?path\.expanduser\(["']~["']\)|(?:pathlib\.)?Path\.home\(\)|(?:(?:require\(["']os["']\)|os)\.)?homedir\(\)|os\.environ\[["']HOME["']\]|(?:os\.)?getenv\(["']HOME["']\)|os\.environ\.get\(["']HOME["']\)|process\.env\.HOME|process\.env\[["']HOME["']\]|ENV\[["']HOME["']\]|Dir\.home|\$?ENV\{["']?HOME["']?\}|\$_SERVER\[["']HOME["']\]|ENVIRON\[["']HOME["']\])$`)
	f.writers = writerForms()
	return f
})

func printerForms() []printer {
	expr := `((?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^;"'\n]|\["HOME"\]|\['HOME'\])+?)`
	end := `\s*;?\s*$`
	return []printer{
		{program.Python, regexp.MustCompile(`^\s*(?:(?:import|from)\s[^;\n]*[;\n]\s*)*(?:print|sys\.stdout\.write)\(\s*` + expr + `\s*(?:,\s*end\s*=\s*(?:''|""))?\)` + end)},
		{program.JavaScript, regexp.MustCompile(`^\s*(?:(?:const|let|var|import)\s[^;\n]*[;\n]\s*)*(?:console\.log|process\.stdout\.write|print)\(\s*` + expr + `\s*\)` + end)},
		{program.Perl, regexp.MustCompile(`^\s*(?:use\s[^;\n]*;\s*)*(?:print|say)\s*\(?\s*` + expr + `\s*\)?` + end)},
		{program.Ruby, regexp.MustCompile(`^\s*(?:require\s[^;\n]*[;\n]\s*)*(?:puts|print|p)[\s(]\s*` + expr + `\s*\)?` + end)},
		{program.PHP, regexp.MustCompile(`^\s*(?:echo|print)[\s(]*` + expr + `\s*\)?` + end)},
		{program.Lua, regexp.MustCompile(`^\s*(?:print|io\.write)\s*\(?\s*` + expr + `\s*\)?` + end)},
		{program.AWK, regexp.MustCompile(`^\s*BEGIN\s*\{\s*printf?\s*\(?\s*` + expr + `\s*\)?\s*;?\s*\}` + end)},
	}
}

// codePrints returns what an interpreter prints whose program does nothing else.
// It is always open.
func (r *reader) codePrints(c *Command) Set {
	out := Set{Open: true}
	text, ok := codeOf(c)
	if !ok || c.Context != program.Local {
		return out
	}
	language := program.LanguageOf(c.Name)
	for _, p := range codeForms().printers {
		if p.language != language {
			continue
		}
		if c.Args.Has("p", "print", "pe") && language == program.JavaScript {
			text = "print(" + strings.TrimSpace(text) + ")"
		}
		if m := p.form.FindStringSubmatch(text); m != nil {
			if v, ok := r.valueOfCode(m[1]); ok {
				out.Values = []string{v + "\n"}
			}
		}
	}
	return out
}

// codeOf returns the text in its own language that a command is given.
func codeOf(c *Command) (string, bool) {
	for i := range c.Args.Options {
		if o := &c.Args.Options[i]; o.Spec != nil && o.Spec.Role == program.RoleCode && o.HasArg {
			return o.Arg.Literal()
		}
	}
	for _, o := range c.Args.Operands {
		if o.Role == program.RoleCode {
			return c.Words[o.At].Literal()
		}
	}
	return "", false
}

// valueOfCode returns the value of an expression that is a literal or the home
// directory.
func (r *reader) valueOfCode(expr string) (string, bool) {
	expr = strings.TrimSpace(expr)
	if strings.Count(expr, "(") > strings.Count(expr, ")") {
		expr += ")" // which the form took for its own
	}
	if codeForms().home.MatchString(expr) {
		return r.env.Home, true
	}
	return literalOfCode(expr)
}

// literalOfCode returns the text of a literal in quotes.
func literalOfCode(expr string) (string, bool) {
	n := len(expr)
	if n < 2 || expr[0] != '"' && expr[0] != '\'' || expr[n-1] != expr[0] {
		return "", false
	}
	body, quote := expr[1:n-1], expr[:1]
	if strings.Contains(strings.ReplaceAll(body, `\`+quote, ""), quote) {
		return "", false // several literals
	}
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\"`, `"`, `\'`, `'`).Replace(body), true
}

// A writer is a form in which programs write a literal to a file.
type writer struct {
	name string // with which each begins
	form *regexp.Regexp
}

// writerForms returns those of awk, and of the calls of other languages.
func writerForms() []writer {
	lit := `(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')`
	var out []writer
	for _, w := range [][2]string{
		{"print", `^\s+(?P<text>LIT)\s*>>?\s*(?P<file>LIT)`},
		{"open(", `^\s*(?P<file>LIT)\s*,\s*["'][wa]["']\s*\)\.write\(\s*(?P<text>LIT)\s*\)`},
		{"Path(", `^\s*(?P<file>LIT)\s*\)\.write_text\(\s*(?P<text>LIT)\s*\)`},
		{"File.write(", `^\s*(?P<file>LIT)\s*,\s*(?P<text>LIT)\s*\)`},
		{"writeFileSync(", `^\s*(?P<file>LIT)\s*,\s*(?P<text>LIT)\s*[,)]`},
	} {
		out = append(out, writer{w[0], regexp.MustCompile(strings.ReplaceAll(w[1], "LIT", lit))})
	}
	return out
}

// codeFiles keeps the literals that the code of command i writes to files.
func (r *reader) codeFiles(i int) {
	text, ok := codeOf(&r.line.Commands[i])
	if !ok || len(text) > maxOutput {
		return
	}
	for _, w := range codeForms().writers {
		for before, rest, found := strings.Cut(text, w.name); found; before, rest, found = strings.Cut(rest, w.name) {
			if n := len(before); n > 0 && isWord(before[n-1]) {
				continue // the end of another name
			}
			m := w.form.FindStringSubmatch(rest)
			if m == nil {
				continue
			}
			file, okFile := literalOfCode(m[w.form.SubexpIndex("file")])
			content, okText := literalOfCode(m[w.form.SubexpIndex("text")])
			if okFile && okText {
				r.noteFile(i, Set{Values: []string{file}}, Set{Values: []string{content + "\n"}, Open: true}, false)
			}
		}
	}
}

// queried returns what jq prints for a program that is a literal, one of its
// arguments, or the name of a member of the text that it reads.
func (r *reader) queried(i, depth int) Set {
	c := &r.line.Commands[i]
	out := Set{Open: true}
	program, ok := codeOf(c)
	program = strings.TrimSpace(program)
	if !ok || !c.Args.Has("r", "raw-output", "j", "join-output", "raw-output0") {
		return out
	}
	var v any
	name, isArgument := strings.CutPrefix(program, "$")
	switch {
	case isArgument:
		for k := 1; k+2 < len(c.Words); k++ {
			if value, ok := c.Words[k+2].Literal(); ok && c.Words[k].Has("--arg") && c.Words[k+1].Has(name) {
				v = value
			}
		}
	case strings.HasPrefix(program, `"`) && !strings.Contains(program, `\(`):
		if json.Unmarshal([]byte(program), &v) != nil {
			return out
		}
	case strings.HasPrefix(program, "."):
		in := r.inputOf(i, depth)
		if len(in.Values) != 1 || json.Unmarshal([]byte(in.Values[0]), &v) != nil {
			return out
		}
		for key := range strings.SplitSeq(strings.TrimPrefix(program, "."), ".") {
			if m, ok := v.(map[string]any); ok && key != "" {
				v = m[key]
			}
		}
	}
	if text, ok := v.(string); ok {
		out.Values = []string{text + "\n"}
	}
	return out
}

// awkForms are a program of awk that prints something for each line that it
// reads, the parts of what it prints, and the conditions that are told from the
// line alone.
var awkForms = sync.OnceValue(func() (f struct{ lines, parts, conditions *regexp.Regexp }) {
	f.conditions = regexp.MustCompile(`^\s*(?:NR\s*(==|>|>=)\s*([0-9]+)|\$([0-9])\s*==\s*"([^"]*)")\s*\{`)
	f.parts = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\$(?:[0-9]|NF)`)
	f.lines = regexp.MustCompile(`^\s*(?:(?:END|NR\s*[=<>]=?\s*[0-9]+|/[^/]*/|\$[0-9]\s*[~=]=?\s*(?:"[^"]*"|/[^/]*/))\s*)?\{\s*print\s+((?:\s*(?:"(?:[^"\\]|\\.)*"|\$[0-9]|\$NF))+)\s*;?\s*\}\s*$`)
	return f
})

// awkPrints returns what such a program makes of text; lines that it leaves out
// are among them.
func awkPrints(c *Command, in Set) Set {
	out := Set{Open: true}
	program, ok := codeOf(c)
	m := awkForms().lines.FindStringSubmatch(program)
	if !ok || m == nil {
		return out
	}
	for _, text := range in.Values {
		if strings.HasPrefix(strings.TrimSpace(program), "END") { // the last line
			text = strings.TrimSuffix(text, "\n")
			text = text[strings.LastIndexByte(text, '\n')+1:]
		}
		made, n := "", 0
		for line := range strings.Lines(text) {
			line = strings.TrimSuffix(line, "\n")
			if n++; awkSelects(c, program, line, n) {
				made += awkLine(c, line, m[1]) + "\n"
			}
		}
		if len(made) <= maxOutput {
			out.Values = append(out.Values, made)
		}
	}
	return out
}

// awkLine returns what literals and fields behind one another make of a line.
func awkLine(c *Command, line, parts string) string {
	fields := strings.Fields(line)
	if o := c.Args.Option("F"); o != nil && o.HasArg && len(o.Arg.Values) == 1 && len(o.Arg.Values[0]) == 1 {
		fields = strings.Split(line, o.Arg.Values[0])
	}
	made := ""
	for _, p := range awkForms().parts.FindAllString(parts, 16) {
		switch {
		case p[0] == '"':
			text, _ := literalOfCode(p)
			made += text
		case p == "$0":
			made += line
		case p == "$NF" && len(fields) > 0:
			made += fields[len(fields)-1]
		case int(p[1]-'0') <= len(fields) && p[1] != 'N':
			made += fields[p[1]-'1']
		}
	}
	return made
}

// accounts returns the line of the user in what getent prints and /etc/passwd
// holds.
func (r *reader) accounts(c *Command) Set {
	user := r.user()
	if n := len(c.Words); c.Name == "getent" {
		if n < 2 || n > 3 || !c.Words[1].Has("passwd") {
			return Set{Open: true}
		}
		if v, ok := c.Words[n-1].Literal(); n == 3 && ok && !isNumber(v) {
			user = v
		}
	}
	home := dirName(r.env.Home) + "/" + user
	if user == "root" {
		home = "/root"
	}
	if user == "" {
		return Set{Open: true}
	}
	return Set{Values: []string{user + ":x:1000:1000::" + home + ":/bin/bash\n"}, Open: true}
}

// user returns the name of the user, as the home directory tells it.
func (r *reader) user() string { return Base(r.env.Home) }
