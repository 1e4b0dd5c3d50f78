package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/lang/shell"
)

// OptionsFor returns the lines that give a program the words of values.
func OptionsFor(program string, value shell.Set) (out shell.Set) {
	for _, v := range value.Values {
		out.Values = append(out.Values, program+" "+v)
	}
	return out
}

// QuotedBehind returns the line that gives a program all values as one word.
func QuotedBehind(program string, value shell.Set) shell.Set {
	word, err := syntax.Quote(strings.Join(value.Values, " "), syntax.LangBash)
	if err != nil {
		return value
	}
	return shell.Set{Values: []string{program + " " + word}}
}

// StartsWith returns the lines that run what a variable has an interpreter run as it
// starts (python(1), node(1), ruby(1), perlrun(1)); text is that of a process
// substitution in it.
func StartsWith(interpreter string, value, text shell.Set) (out shell.Set) {
	for _, v := range value.Values {
		fields := strings.Fields(strings.NewReplacer("-r ", "-r", "=", " ").Replace(v))
		switch interpreter {
		case "python":
			out.Values = append(out.Values, "python3 "+v)
		case "node":
			out.Values = append(out.Values, "node "+v)
		case "lua":
			if file, ok := strings.CutPrefix(v, "@"); ok {
				out.Values = append(out.Values, "lua "+file)
			} else if word, err := syntax.Quote(v, syntax.LangBash); err == nil {
				out.Values = append(out.Values, "lua -e "+word)
			}
		case "ruby":
			for _, f := range fields {
				if file, ok := strings.CutPrefix(f, "-r"); ok {
					out.Values = append(out.Values, "ruby "+strings.TrimSuffix(file, ".rb")+".rb")
				}
			}
		case "perl":
			if _, code, ok := strings.Cut(v, ";"); ok {
				if word, err := syntax.Quote(code, syntax.LangBash); err == nil {
					out.Values = append(out.Values, "perl -e "+word)
				}
				break
			}
			for _, f := range fields {
				if module, ok := strings.CutPrefix(f, "-M"); ok {
					out.Values = append(out.Values, "perl "+strings.ReplaceAll(module, "::", "/")+".pm")
				}
			}
		}
	}
	for _, code := range text.Values {
		if word, err := syntax.Quote(code, syntax.LangBash); err == nil && interpreter == "python" {
			out.Values = append(out.Values, "python3 -c "+word)
		}
	}
	return out
}

// Inner returns what is run of the text of a filter, or of a prompt, of which it is the
// substitutions only.
func Inner(form string, value shell.Set) (out shell.Set) {
	for _, v := range value.Values {
		switch {
		case form == "filter":
			out.Values = append(out.Values, strings.TrimLeft(v, "|-"))
		case strings.Contains(v, "$(") || strings.Contains(v, "`"):
			out.Values = append(out.Values, ": "+v)
		}
	}
	return out
}
