package render

import (
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/policy"
)

// Commands writes each simple command of a shell line, what it runs below it.
func (p *Page) Commands(d Decided) {
	if d.Line == nil || len(d.Commands) == 0 {
		return
	}
	p.Heading("commands")
	names := numbers(d.Line.Commands)
	for i := range d.Commands {
		p.command(d, &d.Commands[i], names)
	}
	p.indent, p.width = "", 11
}

// numbers returns the numbers of commands, such as 2.1 for the first that the
// second one runs.
func numbers(all []command.Command) []string {
	out := make([]string, len(all))
	children := make(map[int]int)
	for i := range all {
		parent := all[i].Parent
		children[parent]++
		if parent >= 0 {
			out[i] = out[parent] + "."
		}
		out[i] += fmt.Sprint(children[parent])
	}
	return out
}

func (p *Page) command(d Decided, t *policy.CommandTrace, names []string) {
	c := &d.Line.Commands[t.Index]
	number := names[t.Index]
	p.indent = strings.Repeat("  ", strings.Count(number, "."))
	p.line(p.indent, p.style(bold, pad(number, len(number)+2)), Plain(firstLine(d.Line.Text(c.Span))))
	p.indent += "     "
	p.width = 13
	p.reading(d, c, names)
	p.effects(c)
	p.judgement(d.Line, t)
}

// reading writes how the command was read.
func (p *Page) reading(d Decided, c *command.Command, names []string) {
	p.field("words", words(d.Line, c))
	p.field("program", programOf(c))
	if c.Parent >= 0 {
		p.field("run by", through(d.Line.Commands, c, names))
	}
	if dir, ok := c.Dir.Literal(); !ok || dir != d.Call.Dir {
		p.field("directory", setText(c.Dir))
	}
	if c.Context != program.Local {
		p.field("runs", c.Context.String())
	}
	p.field("unknown", c.Opaque)
	p.field("doubt", c.Doubt)
}

// judgement writes what allowed the command, or what keeps it from it.
func (p *Page) judgement(l *eval.Line, t *policy.CommandTrace) {
	if t.Allowed != policy.StageNone {
		p.field("allowed", strings.TrimSuffix(t.Allowed.String()+": "+t.By, ": "))
	}
	if t.NotProved != "" && t.Allowed == policy.StageNone {
		why := t.NotProved
		if t.Span.To > t.Span.From {
			why += ": " + firstLine(l.Text(t.Span))
		}
		p.field("not proved", why)
		p.field("instead", t.Instead)
	}
	for _, m := range t.Permissions {
		p.field("permission", strings.TrimSuffix(fmt.Sprintf("%q: %s, %s", m.Rule, m.Decision, outcome(m)), ", "))
	}
	p.field("dangerous", strings.Join(t.Dangerous, ", "))
}

func programOf(c *command.Command) string {
	switch {
	case c.Function:
		return c.Name + ", defined in this line"
	case c.Keyword:
		return c.Name + ", a part of the shell's language"
	case len(c.Words) == 0:
		return "none: it only assigns or redirects"
	case c.Name == "":
		return "unknown"
	case c.Args.Sub != "":
		return c.Called() + " " + c.Args.Sub
	}
	return c.Called()
}

// through names the commands that lead to this one, the outermost first.
func through(all []command.Command, c *command.Command, names []string) string {
	var chain []string
	for i := c.Parent; i >= 0; i = all[i].Parent {
		name := all[i].Name
		if name == "" {
			name = "a program that is unknown"
		}
		chain = append([]string{names[i] + " " + name}, chain...)
	}
	return strings.Join(chain, ", ")
}

// words shows each word as it is written, and what it stands for where that
// differs; "" if none does.
func words(l *eval.Line, c *command.Command) string {
	parts := make([]string, len(c.Words))
	differ := false
	for i, w := range c.Words {
		text, value := firstLine(l.Text(w.Span)), setText(w.Set)
		parts[i] = value
		if v, ok := w.Literal(); !ok || v != text {
			parts[i], differ = text+" = "+value, true
		}
	}
	if !differ {
		return ""
	}
	return strings.Join(parts, " · ")
}

// maxValues bounds how many values of a set are shown.
const maxValues = 5

// setText shows what a word may be.
func setText(s shell.Set) string {
	if v, ok := s.Literal(); ok {
		return word(v)
	}
	var parts []string
	for i, v := range s.Values {
		if i == maxValues {
			parts = append(parts, fmt.Sprintf("%d more", len(s.Values)-i))
			break
		}
		parts = append(parts, word(v))
	}
	if s.Glob {
		parts = append(parts, "a glob")
	}
	switch {
	case s.Open && s.Number:
		parts = append(parts, "any number")
	case s.Open && s.Prefix != "":
		parts = append(parts, "anything after "+word(s.Prefix))
	case s.Open:
		parts = append(parts, "anything")
	}
	return "(" + strings.Join(parts, " | ") + ")"
}

// word shows one value, in quotes where it does not stand for itself.
func word(v string) string {
	if v == "" || strings.ContainsAny(v, " \t\n'|()") {
		return "'" + v + "'"
	}
	return v
}

// effects writes what the command does to the world, one line a kind.
func (p *Page) effects(c *command.Command) {
	var targets [command.Connects + 1][]string
	c.Effects(func(e command.Effect) bool {
		if e.Perhaps {
			return true // the directory itself is shown
		}
		text := setText(e.Target)
		if e.Recursive {
			text += " and below"
		}
		targets[e.Kind] = append(targets[e.Kind], text)
		return true
	})
	for kind, list := range targets {
		p.field(command.EffectKind(kind).String(), strings.Join(list, " · "))
	}
}

func firstLine(s string) string {
	line, _, more := strings.Cut(s, "\n")
	if more {
		return line + " …"
	}
	return line
}
