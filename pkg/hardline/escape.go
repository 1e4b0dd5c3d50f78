package hardline

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// textOptions are those whose argument is a line for another shell.
var textOptions = []string{"-c", "--command", "--run", "--exec", "-x", "-e"}

func otherShellRuns(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	if !local(s, c) {
		return shell.Span{}, false
	}
	runs := func(v string) bool { return catastrophic(s, c, v) || catastrophic(s, c, shell.FromNu(v)) }
	for i := 1; i+1 < len(c.Words); i++ {
		if anyWord(c.Words[i:i+1], isTextOptionName) && anyWord(c.Words[i+1:i+2], runs) {
			return c.Words[i+1].Span, true
		}
	}
	return c.Span, anyInput(s, c, runs)
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
func anyInput(s *hazard.Scene, c *command.Command, match func(string) bool) bool {
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
func printed(c *command.Command) string {
	how := c.How("prints")
	if how == "" {
		return ""
	}
	var out []string
	for i := range c.Words[1:] {
		v, ok := c.Words[i+1].Literal()
		if !ok {
			return ""
		}
		if how == "format" || v != "-n" && v != "-e" {
			out = append(out, strings.ReplaceAll(v, `\n`, "\n"))
		}
	}
	return strings.Join(out, " ")
}

// escapesToShell matches a program of whose own commands one runs, or does as the
// shell would, what the floor denies.
func escapesToShell(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	return escaped(s, c, func(e *command.Escape) bool {
		switch e.Kind {
		case command.Shelled:
			return catastrophic(s, c, e.Text)
		case command.Rough:
			return false
		}
		return catastrophic(s.Quiet(), c, e.Text) // no shell runs it
	})
}

// escaped returns the first escape of a command that matches.
func escaped(s *hazard.Scene, c *command.Command, match func(*command.Escape) bool) (shell.Span, bool) {
	if !local(s, c) {
		return shell.Span{}, false
	}
	list := c.Escapes()
	for i := range list {
		if match(&list[i]) {
			return list[i].Span, true
		}
	}
	return shell.Span{}, false
}

// resourceRuns are the resources of Puppet and Chef that run a literal.
var resourceRuns = &pattern{text: `\b(?:exec\s*\{\s*|command\s*=>\s*)` + literal}

// resourceRunsCatastrophe reports whether code runs what the floor denies as a
// resource.
func resourceRunsCatastrophe(s *hazard.Scene, c *command.Command, text string) bool {
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
func removesResource(s *hazard.Scene, c *command.Command, text string) bool {
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

// evaluates matches a program with code, in a language that is read only roughly, that
// deletes a place or runs what the floor denies.
func evaluates(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	return escaped(s, c, func(e *command.Escape) bool {
		return inEscape(s, c, e, destroys) || e.Kind == command.Rough && (resourceRunsCatastrophe(s, c, e.Text) || removesResource(s, c, e.Text))
	})
}
