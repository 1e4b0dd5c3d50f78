package readonly

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/shell"
)

// tied are variables that only zsh knows: other names of PATH and its like,
// of prompts, and the tables of what a name runs or stands for (zshparam(1),
// zsh/parameter in zshmodules(1)).
var tied = words(`path cdpath fpath fignore module_path MODULE_PATH prompt PROMPT PROMPT2 PROMPT3 PROMPT4 RPROMPT histchars
	aliases dis_aliases galiases dis_galiases saliases dis_saliases functions dis_functions commands builtins options
	nameddirs dirstack widgets modules`)

// active says whether setting a variable may change what later commands run,
// load or write.
func (v *proving) active(name string) bool {
	return shell.ActiveEnv(name) || v.p.mayBeZsh() && tied[name]
}

// loopVariable checks the name that a for or select loop sets.
func (v *proving) loopVariable() bool {
	src := strings.TrimPrefix(strings.TrimPrefix(v.source(v.c.Span), "for"), "select")
	rest := strings.TrimLeft(src, " \t\r\n\\")
	after := strings.TrimLeft(rest, identBytes)
	name := rest[:len(rest)-len(after)]
	if name == "" || after != "" && strings.IndexByte(" \t\r\n;", after[0]) < 0 {
		return v.fail(v.c.Span, "the variable that the loop sets is not known")
	}
	if v.active(name) {
		v.failf(v.c.Span, "the loop sets the variable %s, which changes what later commands do", name)
		return v.instead("give the variable another name")
	}
	return true
}

// subscripts refuses $name[…] with more than a number in it: zsh evaluates it,
// and runs what it substitutes.
func (v *proving) subscripts(src string) bool {
	if strings.IndexByte(src, '[') < 0 || !v.p.mayBeZsh() {
		return true
	}
	for name, rest := range expanded(src) {
		inner, ok := strings.CutPrefix(rest, "[")
		if inner, _, _ = strings.Cut(inner, "]"); ok && strings.ContainsAny(inner, identLetters+"$`(") {
			v.failf(v.c.Span, "zsh evaluates what stands in brackets after $%s", name)
			return v.instead("write ${" + name + "} before a bracket")
		}
	}
	return true
}

// modified refuses a path with $name:x, where zsh changes the value as its
// history does, so that $name:h is the directory of the file.
func (v *proving) modified(w *shell.Word) bool {
	if !w.Quoted || !v.p.mayBeZsh() {
		return true
	}
	src := v.source(w.Span)
	if strings.IndexByte(src, ':') < 0 {
		return true
	}
	for name, rest := range expanded(src) {
		if len(rest) > 1 && rest[0] == ':' && strings.IndexByte("aAceghlpPqQrstuxfFwW&", rest[1]) >= 0 {
			v.failf(w.Span, "zsh takes the colon after $%s for a change of its value", name)
			return v.instead("write ${" + name + "}")
		}
	}
	return true
}

// arrays refuses uses of an array that yield another element, or all, in zsh.
func (v *proving) arrays(src string) bool {
	if strings.IndexByte(src, '$') < 0 || !v.p.mayBeZsh() || !strings.Contains(v.line.Source, "=(") {
		return true
	}
	for i := range v.line.Commands {
		for k := range v.line.Commands[i].Assigns {
			a := &v.line.Commands[i].Assigns[k]
			if strings.Contains(v.source(a.Span), "=(") && unlikeElement(src, a.Name) {
				v.failf(v.c.Span, "zsh counts the elements of %s from 1, and $%s is all of them", a.Name, a.Name)
				return v.instead(`write "${` + a.Name + `[@]}"`)
			}
		}
	}
	return true
}

// unlikeElement says whether a text names an array other than by ${name[@]},
// ${name[*]} or ${#name[@]}.
func unlikeElement(src, name string) bool {
	for rest := src; ; {
		before, after, ok := strings.Cut(rest, name)
		if !ok {
			return false
		}
		rest = after
		if before == "" || strings.IndexByte("${#", before[len(before)-1]) < 0 || after != "" && isIdent(after[0]) {
			continue
		}
		if !strings.HasPrefix(after, "[@]") && !strings.HasPrefix(after, "[*]") {
			return true
		}
	}
}

const identLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"

// expanded returns the names of the plain expansions $name of a text that
// stand outside of single quotes, each with what follows it. Where a
// substitution stands in double quotes it cannot tell, and skips nothing.
func expanded(s string) func(yield func(name, rest string) bool) {
	return func(yield func(name, rest string) bool) {
		double, nested := false, false
		for i := 0; i < len(s); i++ {
			switch c := s[i]; {
			case c == '\\':
				i++
			case c == '"':
				double = !double
			case c == '`' || double && strings.HasPrefix(s[i:], "$("):
				nested = true
			case c == '\'' && !double && !nested:
				end := strings.IndexByte(s[i+1:], '\'')
				if end < 0 {
					return
				}
				i += end + 1
			case c == '$':
				rest := strings.TrimLeft(s[i+1:], identBytes)
				name := s[i+1 : len(s)-len(rest)]
				if name != "" && !yield(name, rest) {
					return
				}
				i += len(name)
			}
		}
	}
}
