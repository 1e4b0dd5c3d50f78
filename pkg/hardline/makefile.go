package hardline

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// makesRun matches make with text on its own command line, or in a makefile that the
// line writes, that runs what the floor denies.
func makesRun(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	if !local(s, c) {
		return shell.Span{}, false
	}
	m := &makeLine{s: s, c: inDir(c, c.DirAt(len(c.Words)))}
	for i := range c.Words[1:] {
		m.give(&c.Words[i+1])
	}
	readsInput := hasWord(c, "-", "-f-", "--file=-", "--makefile=-") || anyWord(c.Words[1:], shell.IsInput)
	dry := c.Args.Has("n", "t", "touch", "q", "question")
	makefile := func(text string) bool { return m.calls(text) || !dry && m.runs(text) }
	script := c.Script != nil && len(c.Script.Values) > 0 && makefile(c.Script.Values[0])
	evals := func(text string) bool {
		eval, given := strings.CutPrefix(text, "--eval=")
		return m.calls(text) || (given || strings.ContainsAny(text, "\t;\n")) && m.runs(eval)
	}
	return c.Span, script || !dry && m.shells(m.vars) || anyWord(c.Words[1:], evals) || readsInput && anyInput(s, c, makefile)
}

// A makeLine is a command line of make.
type makeLine struct {
	s *hazard.Scene
	c *command.Command
	// vars are the variables that it sets, which beat those of a makefile; set are
	// the names also of those whose value is unknown, and of the environment.
	vars []makeVariable
	set  []string
}

// give notes a variable that a word of the command line sets.
func (m *makeLine) give(w *shell.Word) {
	if name, _, ok := strings.Cut(w.Prefix, "="); ok {
		m.set = append(m.set, strings.TrimRight(name, ":?+"))
	}
	for _, v := range w.Values[:min(len(w.Values), 1)] {
		if v, ok := assignment(v); ok {
			m.vars, m.set = append(m.vars, v), append(m.set, v.name)
		}
	}
}

// calls reports whether a text of make calls $(shell) with what the floor denies.
func (m *makeLine) calls(text string) bool {
	for _, call := range strings.Split(text, "$(shell ")[1:] {
		if catastrophic(m.s, m.c, call[:closing(call)]) {
			return true
		}
	}
	return false
}

// shells reports whether the shell that variables name, with the options that they
// give it, is what the floor denies.
func (m *makeLine) shells(vars []makeVariable) bool {
	name, flags, named := "sh", "-c", false
	for _, v := range vars {
		switch v.name {
		case "SHELL":
			name, named = v.value, true
		case ".SHELLFLAGS":
			flags, named = v.value, true
		}
	}
	return named && (catastrophic(m.s, m.c, name) || catastrophic(m.s, m.c, name+" "+flags+" true"))
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

// runs reports whether a makefile runs a line that the floor denies.
func (m *makeLine) runs(text string) bool {
	var vars []makeVariable
	for line := range strings.Lines(text) {
		if v, ok := assignment(strings.TrimRight(line, "\n")); ok && len(vars) < maxLiterals {
			vars = append(vars, v)
		}
	}
	vars = append(vars, m.vars...)
	if m.shells(vars) {
		return true
	}
	recipes, made, target := 0, m.reached(text), ""
	for line := range strings.Lines(text) {
		if targets, _, isRule := ruleOf(line); isRule {
			target = targets
		}
		recipe, ok := recipeOf(strings.TrimRight(line, "\n"))
		if !ok {
			continue
		}
		if recipes++; recipes > maxRecipes {
			return false
		}
		bound := vars
		if slices.ContainsFunc(strings.Fields(target), func(t string) bool { return made[t] }) {
			bound = append(m.unset(recipe, text), vars...)
		}
		recipe = inShell(recipe)
		if catastrophic(m.s, m.c, boundIn(recipe, bound)+recipe) {
			return true
		}
	}
	return false
}

// ruleOf returns the targets of a rule of a makefile, and what they need.
func ruleOf(line string) (targets, needs string, ok bool) {
	targets, needs, ok = strings.Cut(strings.TrimRight(line, "\n"), ":")
	needs, _, _ = strings.Cut(needs, ";")
	return targets, needs, ok && targets != "" && !strings.ContainsAny(targets[:1], "\t#.") && !strings.Contains(targets, "=") && !strings.HasPrefix(needs, "=")
}

// reached returns the targets that make makes: those that its command line names, or else
// the first one, and what these need.
func (m *makeLine) reached(text string) map[string]bool {
	made := map[string]bool{}
	for _, o := range m.c.Args.Operands {
		if v, ok := m.c.Words[o.At].Literal(); ok && !strings.Contains(v, "=") {
			made[v] = true
		}
	}
	for range maxDepth {
		for line := range strings.Lines(text) {
			targets, needs, ok := ruleOf(line)
			if names := strings.Fields(targets); ok && (len(made) == 0 || slices.ContainsFunc(names, func(t string) bool { return made[t] })) {
				for _, name := range append(names, strings.Fields(needs)...) {
					made[name] = true
				}
			}
		}
	}
	return made
}

var (
	// makeNames are the variables of make that a recipe expands, makeSets the places of
	// a makefile that set one, makeIncludes what may set others.
	makeNames    = &pattern{text: `\$(?:[({]([A-Za-z_][A-Za-z0-9_]*)[)}]|([A-Za-z]))`}
	makeSets     = &pattern{text: `(?m)^(?:[^\t#=\n][^=#\n]*?\b)??([A-Za-z_][A-Za-z0-9_]*)[ \t]*[:?+!]{0,3}=|^[ \t]*(?:override[ \t]+)?define[ \t]+([A-Za-z_][A-Za-z0-9_]*)`}
	makeIncludes = &pattern{text: `(?m)^[ \t]*-?s?include\b|\$[({]eval\b`}
)

// makeOwn are variables that make sets itself, or that every environment has.
const makeOwn = "CURDIR MAKE MAKECMDGOALS MAKEFILE_LIST MAKEFLAGS MAKELEVEL SHELL AR AS CC CXX CPP FC LD LEX YACC RM HOME PATH PWD USER LOGNAME TMPDIR LANG TERM"

// unset returns the variables of make in a recipe that nothing sets: they are empty
// unless the environment of the line has them.
func (m *makeLine) unset(recipe, text string) (out []makeVariable) {
	names := makeNames.get().FindAllStringSubmatch(strings.ReplaceAll(recipe, "$$", ""), maxLiterals)
	if len(names) == 0 || makeIncludes.get().MatchString(text) {
		return nil
	}
	known := slices.Clone(m.set)
	for _, v := range m.c.Environment() {
		known = append(known, v.Name)
	}
	for _, found := range makeSets.get().FindAllStringSubmatch(text, maxRecipes) {
		known = append(known, found[1], found[2])
	}
	for _, n := range names {
		if name := n[1] + n[2]; !slices.Contains(known, name) && !program.HasWord(makeOwn, name) {
			out = append(out, makeVariable{name: name})
		}
	}
	return out
}

// A makeVariable is one that a makefile sets.
type makeVariable struct{ name, value string }

// assignment returns what a line of a makefile sets: NAME = VALUE, with a : or ?
// before the equals sign or without.
func assignment(line string) (v makeVariable, ok bool) {
	for _, word := range [...]string{"export ", "override ", "private "} {
		line = strings.TrimPrefix(line, word)
	}
	name, value, ok := strings.Cut(line, "=")
	v.name = strings.TrimRight(strings.TrimRight(name, ":?"), " \t")
	value, _, _ = strings.Cut(value, "#")
	v.value = strings.Trim(value, " \t")
	return v, ok && isName(strings.TrimPrefix(v.name, "."))
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
		if v.name[0] != '.' && (named || strings.Contains(line, v.name)) {
			out.WriteString(v.name + "='" + strings.ReplaceAll(v.value, "'", "") + "'; ")
		}
	}
	return out.String()
}
