package readonly

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/shell"
)

// tied are variables that only zsh knows: other names of PATH and its like,
// of prompts, and the tables of what a name runs or stands for (zshparam(1),
// zsh/parameter in zshmodules(1)).
func tied(name string) bool {
	switch name {
	case "path", "cdpath", "fpath", "fignore", "module_path", "MODULE_PATH", "prompt", "PROMPT", "PROMPT2", "PROMPT3", "PROMPT4", "RPROMPT", "histchars",
		"aliases", "dis_aliases", "galiases", "dis_galiases", "saliases", "dis_saliases", "functions", "dis_functions", "commands", "builtins", "options",
		"nameddirs", "dirstack", "widgets", "modules":
		return true
	}
	return false
}

// active reports whether setting a variable may change what later commands run,
// load or write, or run what it is set to.
func (v *attempt) active(name string) bool {
	return shell.ActiveEnv(name) || shell.IntegerEnv(name) || v.p.mayBeZsh() && tied(name)
}

// loopVariable checks the name that a for or select loop sets.
func (v *attempt) loopVariable() bool {
	src := strings.TrimPrefix(strings.TrimPrefix(v.source(v.c.Span), "for"), "select")
	rest := strings.TrimLeft(src, " \t\r\n\\")
	after := strings.TrimLeft(rest, identBytes)
	name := rest[:len(rest)-len(after)]
	if name == "" || after != "" && strings.IndexByte(" \t\r\n;", after[0]) < 0 {
		return v.fail(v.c.Span, "the variable that the loop sets is unknown")
	}
	if v.active(name) {
		v.failf(v.c.Span, "the loop sets the variable %s, which changes what later commands do", name)
		return v.instead("give the variable another name")
	}
	return true
}
