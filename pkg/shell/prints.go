package shell

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/pkg/program"
	"github.com/policyctl/policyctl/pkg/script"
)

// tempName begins the name that stands for the one that mktemp makes up.
const tempName = "/tmp/tmp.unnamed-"

// codePrints returns what the program of an interpreter prints. It is always open.
func (r *reader) codePrints(c *Command) Set {
	out := Set{Open: true}
	if c.Context != program.Local {
		return out
	}
	for _, code := range c.Code() {
		if code.Program == nil {
			continue
		}
		for _, text := range code.Program.Output {
			out.Values = append(out.Values, script.Filled(text, "unknown"))
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

// codeFiles keeps what the code of command i writes to files.
func (r *reader) codeFiles(i int) {
	c := &r.line.Commands[i]
	for _, code := range c.Code() {
		if code.Program == nil {
			continue
		}
		written := map[string]bool{}
		c.Calls(code.Program, r.env.Home, func(at *Command, call *script.Call) bool {
			if call.Act == script.Writes && call.Text != nil {
				r.codeWrites(i, at.Dir, call, written)
			}
			return true
		})
	}
}

// codeWrites keeps what a call in the code of command i writes that works in a
// directory; written are the files to which others wrote before.
func (r *reader) codeWrites(i int, dir Set, call *script.Call, written map[string]bool) {
	text := Set{Open: true}
	for _, t := range call.Text.Texts {
		text.Values = append(text.Values, script.Filled(t, "unknown"))
	}
	for _, v := range call.Values {
		for _, path := range Paths(dir, Set{Values: slices.DeleteFunc(slices.Clone(v.Texts), isUnknownText)}) {
			r.noteFile(i, Set{Values: []string{path}}, text, written[path] || strings.HasPrefix(call.Name, "append"))
			written[path] = true
		}
	}
}

func isUnknownText(s string) bool { return !script.IsKnown(s) }

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

// rootListed returns a part of what ls and find list of the root directory.
func rootListed(c *Command) Set {
	out := Set{Open: true}
	last := &c.Words[len(c.Words)-1]
	switch {
	case c.Name == "find" && len(c.Words) == 2 && last.Has("/"), c.Name == "ls" && last.Has("/*") && c.Args.Has("d"):
		out.Values = []string{"/etc\n/home\n/usr\n"}
	case c.Name == "ls" && last.Has("/proc"):
		return processList()
	case c.Name == "ls" && len(c.Words) < 4 && last.Has("/"):
		out.Values = []string{"etc\nhome\nusr\n"}
	}
	return out
}
