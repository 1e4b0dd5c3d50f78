package permission

import (
	"regexp"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/internal/program"
)

// foreign is how permissions are spelt for other programs: Bash(git push:*).
var foreign = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([A-Za-z_][\w.-]*)\((.*)\)$`) })

// assignment is what may stand before a command.
var assignment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_]\w*=`) })

// Mistake says why a pattern can mean no call, with the form that was probably meant;
// "" where it can mean one. A deny or an ask like that protects nothing. lookup is as
// for [Compile].
func Mistake(match string, lookup func(name string) (Tool, bool)) string {
	if !strings.ContainsAny(match, "(:=|&;\"'") {
		return "" // as nearly all, which a hook reads at every call
	}
	match = strings.TrimSpace(match)
	if m := foreign().FindStringSubmatch(match); m != nil {
		return "it is spelt as for another program and matches nothing" + instead(translated(m[1], m[2], lookup))
	}
	name, subject, _ := strings.Cut(match, " ")
	if tool, ok := lookup(name); !ok || tool.Name != "shell" {
		if strings.ContainsAny(name, "()") {
			return "no tool has the name " + name + ", so it matches nothing" + instead("")
		}
		return ""
	}
	words := strings.Fields(subject)
	if len(words) == 0 {
		return ""
	}
	if inner, ok := strings.CutPrefix(strings.Join(words, " "), "("); ok && strings.HasSuffix(inner, ")") {
		return "no command has parentheses around it" + instead(translated(name, strings.TrimSuffix(inner, ")"), lookup))
	}
	return mistaken(words)
}

// mistaken says why a pattern of a command can mean no command. A command is matched
// by itself and by its words, without the quotes and assignments of the line.
func mistaken(words []string) string {
	last := len(words) - 1
	prefix, colon := strings.CutSuffix(words[last], ":*")
	switch before := words[:last]; {
	case colon && prefix == "" && (last == 1 || last > 1 && isVerb(words[0], before[1:last-1], words[last-1])):
		return "no command has a word that begins with a colon there" + instead(shellForm(before, "*"))
	case colon && prefix != "" && (last == 0 || isVerb(words[0], before[1:], prefix)):
		return "no command has a word " + prefix + ": there" + instead(shellForm(before, prefix, "*"))
	}
	if assignment().MatchString(words[0]) && last > 0 {
		return "a command is matched without the assignments before it" + instead(shellForm(words[1:]))
	}
	for i, w := range words {
		if !strings.Contains(" && || ; | & ", " "+w+" ") || i == 0 || i == last || program.Lookup(words[i+1]) == nil {
			continue
		}
		return "each command of a line is matched by itself; write one permission for each" + instead(shellForm(words[:i]))
	}
	if bare := unquoted(words); bare != nil {
		return "words are matched without the quotes around them" + instead(shellForm(bare))
	}
	return ""
}

// instead names the form that was meant.
func instead(form string) string {
	if form == "" {
		return `; write "TOOL subject", such as "shell git push *"`
	}
	return "; write " + `"` + form + `"`
}

func shellForm(words []string, more ...string) string {
	return strings.Join(append(append([]string{"shell"}, words...), more...), " ")
}

// isVerb reports whether a word is a sub-command of a program, behind others.
func isVerb(name string, behind []string, word string) bool {
	p := program.Lookup(name)
	for _, w := range behind {
		if p == nil {
			return false
		}
		p = p.Sub(w)
	}
	return p != nil && p.Sub(word) != nil
}

// unquoted returns words without the quotes around them, nil where there are none.
func unquoted(words []string) []string {
	out, found := make([]string, 0, len(words)), false
	open := ""
	for _, w := range words {
		if open == "" && (w[0] == '"' || w[0] == '\'') && len(w) > 1 {
			open, w = w[:1], w[1:]
		}
		if open != "" {
			if bare, ok := strings.CutSuffix(w, open); ok {
				open, w, found = "", bare, true
			}
		}
		out = append(out, w)
	}
	if !found || open != "" {
		return nil
	}
	return out
}

// translated returns the form of policyctl for a rule of another program, "" where it
// is not certain.
func translated(name, spec string, lookup func(name string) (Tool, bool)) string {
	tool, ok := lookup(name)
	if !ok {
		tool, ok = lookup(strings.ToLower(name))
	}
	if !ok {
		return ""
	}
	spec = strings.TrimSpace(spec)
	if host, ok := strings.CutPrefix(spec, "domain:"); ok {
		spec = "*" + host + "*"
	}
	if prefix, ok := strings.CutSuffix(spec, ":*"); ok {
		spec = prefix + " *"
	}
	if spec = strings.TrimPrefix(spec, "./"); spec == "" {
		spec = "*"
	}
	return tool.Name + " " + strings.Join(strings.Fields(spec), " ")
}
