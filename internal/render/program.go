package render

import (
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/internal/support/null"
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
func NewPrograms(entries []*program.Program) []Program {
	out := make([]Program, len(entries))
	for i, e := range entries {
		out[i] = Program{
			Names: strings.Fields(e.Names), Options: options(e), Operands: operands(e), Subs: NewPrograms(program.Readers(e.Subs)),
			Git: null.Of(e.Reads.Git), Source: null.Of(e.Reads.Source),
			Proved: append([]string{}, e.Reads.Proved...), Not: append([]string{}, e.Reads.Not...),
		}
	}
	return out
}

// ProgramList writes one line for each entry.
func (p *Page) ProgramList(entries []*program.Program) {
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
func takes(e *program.Program) string {
	if n := len(program.Readers(e.Subs)); n > 0 {
		return fmt.Sprintf("one of %d sub-commands", n)
	}
	return operands(e)
}

// Program writes one entry, which is found under a name.
func (p *Page) Program(name string, e *program.Program) {
	p.width = 14
	p.field("program", name)
	p.fields("options", wrapList(options(e), ", "))
	below := program.Readers(e.Subs)
	if len(below) == 0 {
		p.field("operands", operands(e))
	}
	var subs []string
	for _, s := range below {
		subs = append(subs, strings.Fields(s.Names)...)
	}
	p.fields("sub-commands", wrapList(subs, " "))
	switch e.Reads.Git {
	case "":
	case "always":
		p.field("needs", "a repository whose configuration runs no programs")
	default:
		p.fields("needs", append([]string{"a repository whose configuration runs no programs, with"}, wrapList(dashed(strings.Fields(e.Reads.Git)), ", ")...))
	}
	p.field("source", e.Reads.Source)
	p.fields("proved", e.Reads.Proved)
	p.fields("not", e.Reads.Not)
}

// operands says what the operands of a program may be.
func operands(e *program.Program) string {
	count, kind, ok := strings.Cut(e.ReadOperands(), " ")
	if !ok {
		count, kind = "", e.ReadOperands()
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
	if e.Reads.Max > 0 {
		text += fmt.Sprintf(", at most %d", e.Reads.Max)
	}
	return text
}

// options returns the harmless options as they are typed.
func options(e *program.Program) []string {
	out := []string{}
	for _, o := range e.Grammar().Options {
		if !o.Reads || len(o.Names) == 0 {
			continue
		}
		names := dashed(o.Names)
		if e.Style.OfWords() {
			for i, n := range o.Names {
				names[i] = "-" + n
			}
		}
		out = append(out, strings.Join(names, " ")+argument(names[len(names)-1], &o))
	}
	return out
}

// dashed returns options with the dashes that they are typed with.
func dashed(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = program.Typed(n)
	}
	return out
}

// argument shows what an option takes.
func argument(option string, o *program.Option) string {
	long := strings.HasPrefix(option, "--")
	switch {
	case o.Takes == program.Nothing:
		return ""
	case o.Takes == program.Attached && long:
		return "[=ARG]"
	case o.Takes == program.Attached:
		return "[ARG]"
	case o.Role == program.RoleRead:
		return " PATH"
	}
	return " ARG"
}

// wrapList joins words into lines of about 80 columns.
func wrapList(words []string, sep string) []string {
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
