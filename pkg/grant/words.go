package grant

import (
	"strings"

	"github.com/policyctl/policyctl/internal/program"
)

// words adds whatever may be a path among the arguments.
func (p *places) words() string {
	known := p.plainTexts()
	for i := 1; i < len(p.c.Words); i++ {
		v, _ := p.c.Words[i].Literal()
		if known != nil && known[i] || i == p.c.Args.Verb && p.hasListedSub() {
			continue
		}
		if why := p.word(i, v); why != "" {
			return why
		}
	}
	return ""
}

// hasListedSub reports whether the grammar knows the sub-command, so that its name
// is no file.
func (p *places) hasListedSub() bool { return p.c.Args.Program != nil && p.c.Args.Program.Names != "" }

func (p *places) word(i int, v string) string {
	if role, host := p.role(i); host && role == program.RoleHost {
		return p.host(v)
	}
	if isPlain(v) {
		return p.path(v, false)
	}
	if strings.Contains(v, "://") {
		return "it names a URL"
	}
	name, value, attached := strings.Cut(v, "=")
	switch {
	case v == "" || v == "-" || v == "--":
		return ""
	case !strings.HasPrefix(v, "-"):
		return p.text(v)
	case len(v) > 3 && isPlain(v[1:2]) && (strings.HasPrefix(v[2:], "./") || strings.HasPrefix(v[2:], "../")):
		return p.text(v[2:]) // as -I./include: no option is called "."
	case strings.ContainsAny(name, "/~") || strings.Contains(name, ".."):
		return "an option may contain a path: write it as a separate word"
	case attached:
		return p.text(value)
	case !strings.HasPrefix(v, "--") && len(v) > 2:
		return p.text(v[2:]) // the argument of a short option may be attached
	}
	return ""
}

// isPlain reports whether a word is a name that has no parts: letters, digits,
// underscores and inner hyphens.
func isPlain(v string) bool {
	for i := range len(v) {
		b := v[i]
		letter := b|0x20 >= 'a' && b|0x20 <= 'z' || b >= '0' && b <= '9' || b == '_'
		if !letter && (i == 0 || b != '-') {
			return false
		}
	}
	return v != ""
}

// plainTexts returns the words that are the text of an option that the
// grammar knows to be no path, such as a message.
func (p *places) plainTexts() []bool {
	var out []bool
	for i := range p.c.Args.Options {
		o := &p.c.Args.Options[i]
		v, ok := o.Arg.Literal()
		if o.Spec == nil || !o.HasArg || o.Spec.Role != program.RoleData || !ok || !strings.ContainsAny(v, " \n") || isPathLike(v) {
			continue
		}
		if out == nil {
			out = make([]bool, len(p.c.Words))
		}
		if o.End <= len(out) { // words of the head of a loop are not the command's
			out[o.End-1] = true
		}
	}
	return out
}

// role returns the role of an operand.
func (p *places) role(at int) (program.Role, bool) {
	for _, o := range p.c.Args.Operands {
		if o.At == at {
			return o.Role, true
		}
	}
	return 0, false
}

// host looks at an argument that names a host. git runs programs for some
// addresses, so that it may only be given the name of a remote.
func (p *places) host(v string) string {
	switch {
	case !network(p.verb):
		return "it talks to another host"
	case p.c.How("speaks") == "git":
		if !isVerbWord(v) || strings.Contains(v, ":") {
			return "it names a repository by its address"
		}
		return ""
	case strings.Contains(v, "://") && !strings.HasPrefix(strings.ToLower(v), "file:"):
		return ""
	}
	return p.text(v)
}

// separators are what programs put between the parts of an argument.
const separators = "=:,;@|&+<>(){}[]'\"!#%^?*$`\\ \t\n"

// text adds the parts of a word that may be paths.
func (p *places) text(v string) string {
	if why := p.path(v, false); why != "" {
		return why
	}
	if !strings.ContainsAny(v, separators) {
		return ""
	}
	for part := range strings.FieldsFuncSeq(v, func(r rune) bool { return strings.ContainsRune(separators, r) }) {
		if why := p.path(part, false); why != "" {
			return why
		}
	}
	return ""
}

// isPathLike reports whether a word is spelt as a path.
func isPathLike(v string) bool {
	if v == "~" || v == "." || v == ".." {
		return true
	}
	for _, prefix := range []string{"/", "~", "./", "../"} {
		if strings.HasPrefix(v, prefix) {
			return true
		}
	}
	return strings.Contains(v, "/../") || strings.HasSuffix(v, "/..")
}
