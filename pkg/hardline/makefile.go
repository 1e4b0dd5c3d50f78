package hardline

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/shell"
)

// makesRun matches make with text on its own command line that runs what the
// floor denies.
func makesRun(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	if !local(s, c) {
		return shell.Span{}, false
	}
	calls := func(text string) bool {
		if shellOf, ok := strings.CutPrefix(text, "SHELL="); ok && catastrophic(s, c, shellOf) {
			return true
		}
		for _, call := range strings.Split(text, "$(shell ")[1:] {
			if catastrophic(s, c, call[:closing(call)]) {
				return true
			}
		}
		return false
	}
	readsInput := hasWord(c, "-", "-f-", "--file=-", "--makefile=-", "/dev/stdin")
	dry := c.Args.Has("n", "t", "touch", "q", "question")
	makefile := func(text string) bool { return calls(text) || !dry && makefileRuns(s, c, text) }
	script := c.Script != nil && len(c.Script.Values) > 0 && makefile(c.Script.Values[0])
	evals := func(text string) bool { return calls(text) || makefileRuns(s, c, strings.TrimPrefix(text, "--eval=")) }
	return c.Span, script || anyWord(c.Words[1:], evals) || readsInput && anyInput(s, c, makefile)
}

// closing returns the index of the parenthesis that closes a text, its length where
// there is none.
func closing(text string) int {
	depth := 1
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(text)
}

// maxRecipes bounds how many lines of a makefile are looked at.
const maxRecipes = 2048

// makefileRuns reports whether a makefile runs a line that the floor denies.
func makefileRuns(s *hazard.Scene, c *shell.Command, text string) bool {
	var vars []makeVariable
	for line := range strings.Lines(text) {
		if v, ok := assignment(strings.TrimRight(line, "\n")); ok && len(vars) < maxLiterals {
			vars = append(vars, v)
		}
	}
	recipes := 0
	for line := range strings.Lines(text) {
		recipe, ok := recipeOf(strings.TrimRight(line, "\n"))
		if !ok {
			continue
		}
		if recipes++; recipes > maxRecipes {
			return false
		}
		recipe = inShell(recipe)
		if catastrophic(s, c, boundIn(recipe, vars)+recipe) {
			return true
		}
	}
	return false
}

// A makeVariable is one that a makefile sets.
type makeVariable struct{ name, value string }

// assignment returns what a line of a makefile sets: NAME = VALUE, with a : or ?
// before the equals sign or without.
func assignment(line string) (v makeVariable, ok bool) {
	name, value, ok := strings.Cut(line, "=")
	v.name = strings.TrimRight(strings.TrimRight(name, ":?"), " \t")
	value, _, _ = strings.Cut(value, "#")
	v.value = strings.Trim(value, " \t")
	return v, ok && isName(v.name)
}

func isName(s string) bool {
	for i := range len(s) {
		if !isWordByte(s[i]) {
			return false
		}
	}
	return s != "" && (s[0] < '0' || s[0] > '9')
}

// recipeOf returns the line for the shell that a line of a makefile holds: behind a
// tab, or behind the semicolon of a rule.
func recipeOf(line string) (recipe string, ok bool) {
	recipe, ok = strings.CutPrefix(line, "\t")
	if !ok {
		var rule string
		if rule, recipe, ok = strings.Cut(line, ";"); !ok || strings.Contains(rule, "=") {
			return "", false
		}
		targets, _, isRule := strings.Cut(rule, ":")
		if !isRule || strings.ContainsAny(targets, "\t#") {
			return "", false
		}
	}
	return strings.TrimLeft(strings.TrimLeft(recipe, " \t"), "-@+"), true
}

// inShell returns a recipe as the shell reads it, with variables of make as the
// shell's own.
func inShell(recipe string) string {
	if !strings.Contains(recipe, "$") {
		return recipe
	}
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(recipe, "$")
		out.WriteString(before)
		if !ok {
			return out.String()
		}
		if name, behind, ok := strings.Cut(rest, ")"); ok && strings.HasPrefix(name, "(") && isName(name[1:]) {
			out.WriteString("${" + name[1:] + "}")
			rest = behind
		} else {
			out.WriteByte('$')
			rest = strings.TrimPrefix(rest, "$")
		}
		recipe = rest
	}
}

// boundIn returns assignments of the variables that a line may name, as the shell
// writes them.
func boundIn(line string, vars []makeVariable) string {
	var out strings.Builder
	named := strings.Contains(line, "eval") || strings.Contains(line, "${!")
	for _, v := range vars {
		if named || strings.Contains(line, v.name) {
			out.WriteString(v.name + "='" + strings.ReplaceAll(v.value, "'", "") + "'; ")
		}
	}
	return out.String()
}
