package render

import (
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/internal/null"
	"github.com/policyctl/policyctl/pkg/readonly"
)

// A Program is an entry of the table of what reads only, as JSON.
type Program struct {
	Names    []string  `json:"names"`
	Options  []string  `json:"options"`
	Operands string    `json:"operands"`
	Subs     []Program `json:"sub_commands"`
	// Git says when the repository's configuration must name no program:
	// "always", or the options with which it must.
	Git    *string  `json:"git"`
	Source *string  `json:"source"`
	Proved []string `json:"proved"`
	Not    []string `json:"not"`
}

// NewPrograms returns the JSON of entries.
func NewPrograms(entries []*readonly.Entry) []Program {
	out := make([]Program, len(entries))
	for i, e := range entries {
		out[i] = Program{
			Names: strings.Fields(e.Names), Options: options(e), Operands: operands(e), Subs: NewPrograms(e.Subs),
			Git: null.Of(e.Git), Source: null.Of(e.Source),
			Proved: append([]string{}, e.Proved...), Not: append([]string{}, e.Not...),
		}
	}
	return out
}

// ProgramList writes one line for each entry.
func (p *Page) ProgramList(entries []*readonly.Entry) {
	rows := [][]string{{"PROGRAM", "OPTIONS", "OPERANDS"}}
	for _, e := range entries {
		rows = append(rows, []string{few(strings.Fields(e.Names)), fmt.Sprint(len(options(e))), takes(e)})
	}
	p.Table(rows)
}

// few returns names, the last of many only by their number.
func few(names []string) string {
	const most = 4
	if len(names) > most {
		names = append(names[:most-1:most-1], fmt.Sprintf("and %d more", len(names)-most+1))
	}
	return strings.Join(names, " ")
}

// takes says what may follow the program.
func takes(e *readonly.Entry) string {
	if len(e.Subs) > 0 {
		return fmt.Sprintf("one of %d sub-commands", len(e.Subs))
	}
	return operands(e)
}

// Program writes one entry, which is found under a name.
func (p *Page) Program(name string, e *readonly.Entry) {
	p.width = 14
	p.field("program", name)
	p.fields("options", wrap(options(e), ", "))
	if len(e.Subs) == 0 {
		p.field("operands", operands(e))
	}
	var subs []string
	for _, s := range e.Subs {
		subs = append(subs, strings.Fields(s.Names)...)
	}
	p.fields("sub-commands", wrap(subs, " "))
	switch e.Git {
	case "":
	case "always":
		p.field("needs", "a repository whose configuration names no programs")
	default:
		p.fields("needs", append([]string{"a repository whose configuration names no programs, with"}, wrap(dashed(strings.Fields(e.Git)), ", ")...))
	}
	p.field("source", e.Source)
	p.fields("proved", e.Proved)
	p.fields("not", e.Not)
}

// operands says what the operands of a program may be.
func operands(e *readonly.Entry) string {
	count, kind, ok := strings.Cut(e.Operands, " ")
	if !ok {
		count, kind = "", e.Operands
	}
	text := map[string]string{
		"none": "none", "data": "anything", "path": "paths that are not sensitive", "": "none",
	}[kind]
	if text == "" {
		text = kind
	}
	if count != "" {
		text = count + " of any kind, then " + text
	}
	if e.Max > 0 {
		text += fmt.Sprintf(", at most %d", e.Max)
	}
	return text
}

// options returns the harmless options as they are typed.
func options(e *readonly.Entry) []string {
	out := []string{}
	for f := range strings.FieldsSeq(e.Options) {
		list, kind := f, ""
		if i := strings.IndexAny(f, "=?"); i >= 0 {
			list, kind = f[:i], f[i:]
		}
		names := dashed(strings.Split(list, ","))
		if e.Words {
			names = []string{"-" + list}
		}
		out = append(out, strings.Join(names, " ")+argument(names[len(names)-1], kind))
	}
	return out
}

// dashed returns options with the dashes that they are typed with.
func dashed(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		switch {
		case n == "#":
			out[i] = "-NUMBER"
		case len(n) == 1:
			out[i] = "-" + n
		default:
			out[i] = "--" + n
		}
	}
	return out
}

// argument shows what an option takes.
func argument(option, kind string) string {
	long := strings.HasPrefix(option, "--")
	switch {
	case kind == "":
		return ""
	case kind[0] == '?' && long:
		return "[=ARG]"
	case kind[0] == '?':
		return "[ARG]"
	case kind == "=path":
		return " PATH"
	}
	return " ARG"
}

// wrap joins words into lines of about 80 columns.
func wrap(words []string, sep string) []string {
	var lines []string
	line := ""
	for i, w := range words {
		if i < len(words)-1 {
			w += sep
		}
		if line != "" && len(line)+len(w) > 66 {
			lines = append(lines, line)
			line = ""
		}
		line += w
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
