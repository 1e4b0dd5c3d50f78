package command

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/internal/lang/script"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// TempName begins the name that stands for the one that mktemp makes up.
const TempName = "/tmp/tmp.unnamed-"

// CodeOf returns the text in its own language that a command is given.
func CodeOf(c *Command) (string, bool) {
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

// IsUnknownText reports whether a part of the text is unknown.
func IsUnknownText(s string) bool { return !script.IsKnown(s) }

// awkForms are a program of awk that prints something for each line that it
// reads, the parts of what it prints, and the conditions that are told from the
// line alone.
var awkForms = sync.OnceValue(func() (f struct{ lines, parts, conditions *regexp.Regexp }) {
	f.conditions = regexp.MustCompile(`^\s*(?:NR\s*(==|>|>=)\s*([0-9]+)|\$([0-9])\s*==\s*"([^"]*)")\s*\{`)
	f.parts = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\$(?:[0-9]|NF)`)
	f.lines = regexp.MustCompile(`^\s*(?:(?:END|NR\s*[=<>]=?\s*[0-9]+|/[^/]*/|\$[0-9]\s*[~=]=?\s*(?:"[^"]*"|/[^/]*/))\s*)?\{\s*print\s+((?:\s*(?:"(?:[^"\\]|\\.)*"|\$[0-9]|\$NF))+)\s*;?\s*\}\s*$`)
	return f
})

// AwkPrints returns what such a program makes of text; lines that it leaves out
// are among them.
func AwkPrints(c *Command, in shell.Set) shell.Set {
	out := shell.Set{Open: true}
	program, ok := CodeOf(c)
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
		if len(made) <= MaxOutput {
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

// RootListed returns a part of what ls and find list of the root directory.
func RootListed(c *Command) shell.Set {
	out := shell.Set{Open: true}
	names := func(path string) bool {
		return slices.ContainsFunc(c.Args.Operands, func(o Operand) bool {
			return slices.ContainsFunc(c.Words[o.At].Values, func(v string) bool { return shell.Clean(v) == path })
		})
	}
	switch {
	case c.Finds() && len(c.Words) == 2 && names("/"), !c.Finds() && names("/*") && c.Args.Has("d"):
		out.Values = []string{"/etc\n/home\n/usr\n"}
	case !c.Finds() && names("/proc"):
		return ProcessList()
	case !c.Finds() && len(c.Words) < 4 && names("/"):
		out.Values = []string{"etc\nhome\nusr\n"}
	}
	return out
}

// awkSelects reports whether a program of awk may act on line number n.
func awkSelects(c *Command, program, line string, n int) bool {
	m := awkForms().conditions.FindStringSubmatch(program)
	if m == nil {
		return wanted(program, line)
	}
	if m[3] != "" {
		return awkLine(c, line, "$"+m[3]) == m[4]
	}
	at, _ := shell.SmallInt(m[2])
	return m[1] == "==" && n == at || m[1] == ">" && n > at || m[1] == ">=" && n >= at
}
