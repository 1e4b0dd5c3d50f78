package command

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// Loads returns the argument by which the command runs, or is ruled by, what neither its
// sub-command nor its directory shows, "" if there is none. What a runner of packages
// starts stands for the runner.
func (c *Command) Loads() string { return c.LoadsBut("") }

// LoadsBut is Loads without some options, blanks between them.
func (c *Command) LoadsBut(but string) string {
	if len(c.Words) == 0 || c.Keyword {
		return ""
	}
	if escapes := c.Escapes(); len(escapes) > 0 && c.Is(program.Leaves) {
		for _, e := range escapes {
			if e.Kind == Shelled {
				return "!" + e.Text // which is no target
			}
		}
	}
	l := loading{c: c, program: program.Find(c.Name), words: c.Words[1:], but: but}
	var started *loading
	switch p := l.program; {
	case p == nil:
	case p.Runner == ".":
		for k := range l.words {
			if v, ok := l.words[k].Literal(); ok && !strings.HasPrefix(v, "-") {
				started = &loading{program: program.Find(v), words: l.words[k+1:], but: but}
				l.words = l.words[:k]
				break
			}
		}
	case p.Language == program.Python:
		if o := c.Args.Option("m"); o != nil && o.End <= len(c.Words) {
			v, _ := o.Arg.Literal()
			started = &loading{program: program.Find(v), words: c.Words[o.End:], but: but}
			l.words = c.Words[1:o.End]
		}
	}
	if what := l.find(); what != "" || started == nil {
		return what
	}
	return started.find()
}

// A loading is a program with what it is given. Where the grammar of c is not that of
// the program, c is nil.
type loading struct {
	c       *Command
	program *program.Program
	words   []shell.Word
	but     string // options that are left out
}

func (l loading) find() string {
	own := ""
	if l.program != nil {
		own = l.program.Loads
	}
	if sub := l.sub(); sub != "" {
		own += " " + sub
	}
	for k := range l.words {
		disabled := k+1 < len(l.words) && disables(l.words[k+1].Values)
		for _, v := range l.words[k].Values {
			name, value, _ := strings.Cut(v, "=")
			name = strings.TrimRight(name, ":+?! \t")
			if program.HasWord(l.but, name) {
				continue
			}
			if program.HasWord(program.LoadsOfAll, name) || program.HasWord(program.LoadsOfAll, strings.Replace(name, "--config.", "--", 1)) || program.HasWord(own, name) && !disabled || l.isProperty(own, name) {
				return name
			}
			switch {
			case l.program == nil:
			case l.program.Is("", "runs-settings") && evaluated(name, value, name != v), l.program.Is("", "links-flags") && !l.links(k, v):
				return name
			}
		}
	}
	for entry := range strings.FieldsSeq(own) {
		if name := strings.TrimLeft(entry, "-"); name != "" && !program.HasWord(l.but, entry) && (name != entry || name == "+") && l.gives(name, len(name) == 1 || strings.HasPrefix(entry, "--")) {
			return entry
		}
	}
	return ""
}

// sub returns what the row of the sub-command adds.
func (l loading) sub() string {
	if l.c == nil || l.c.Args.Sub == "" || l.c.Args.Program == nil {
		return ""
	}
	return l.c.Args.Program.Loads
}

// isProperty reports whether a word is one of the list behind a colon, as -p:NAME=VALUE
// of dotnet, or up to its first colon, as -agentlib:NAME of java.
func (l loading) isProperty(own, name string) bool {
	at := strings.LastIndexByte(name, ':')
	if to := strings.IndexByte(name, ':'); to > 0 && program.HasWord(own, name[:to+1]) {
		return true
	}
	return at > 0 && (name[0] == '-' || name[0] == '/') && program.HasWord(strings.ToLower(own), strings.ToLower(name[at+1:]))
}

// gives reports whether the program may be given an option, which may be short for it.
func (l loading) gives(name string, short bool) bool {
	if l.c != nil && l.c.Args.Program != nil {
		return slices.ContainsFunc(l.c.Args.Options, func(o Option) bool { return (o.Is(name) || short && o.may(name)) && !disables(o.Arg.Values) })
	}
	return slices.ContainsFunc(l.words, func(w shell.Word) bool {
		return slices.ContainsFunc(w.Values, func(v string) bool {
			if flag, _, _ := strings.Cut(v, "="); !short {
				return v != "" && v[0] == '-' && strings.TrimLeft(flag, "-") == name
			}
			return v != "-"+name && mayBeOption(v, name) && !disables([]string{strings.TrimPrefix(v, "-"+name)})
		})
	})
}

// disables reports whether the argument of an option names a plugin that is left out.
func disables(values []string) bool {
	return len(values) > 0 && !slices.ContainsFunc(values, func(v string) bool { return !strings.HasPrefix(v, "no:") })
}

// may reports whether the option may have a name: it is among those that the grammar
// knows, or an unknown one is cut short.
func (o *Option) may(name string) bool {
	return o.Is(name) || o.Spec == nil && len(o.Name) > 2 && strings.HasPrefix(name, o.Name)
}

// mayBeOption reports whether a word of a program without a grammar may be an option:
// -c, among the letters of a bundle, or a long one with an argument or cut
// short.
func mayBeOption(v, name string) bool {
	flag, _, _ := strings.Cut(v, "=")
	long := strings.TrimLeft(flag, "-")
	switch {
	case !strings.HasPrefix(v, "-") || long == "":
		return false
	case len(name) > 1:
		return long == name || len(long) > 2 && strings.HasPrefix(name, long)
	}
	return !strings.HasPrefix(v, "--") && (strings.HasPrefix(long, name) || len(long) < 5 && isLetters(long) && strings.Contains(long, name))
}

func isLetters(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return (r|0x20) < 'a' || (r|0x20) > 'z' })
}

// tools are the variables in which make keeps the programs of its own rules.
const tools = "AR AS CC CPP CXX FC INSTALL LD LEX LINT MAKEINFO RM TEX YACC"

// evaluated reports whether make evaluates the value of a variable, or runs it with
// arguments.
func evaluated(name, value string, assigned bool) bool {
	return assigned && (strings.ContainsAny(value, "$`;|&\n") || program.HasWord(tools, name) && strings.ContainsAny(strings.TrimSpace(value), " \t"))
}

// links reports whether a word of go, if it is that of the flags of the linker, only says
// what the program has in it.
func (l loading) links(k int, v string) bool {
	name, value, attached := strings.Cut(v, "=")
	switch {
	case strings.TrimLeft(name, "-") != "ldflags":
		return true
	case !attached && k+1 < len(l.words):
		value, _ = l.words[k+1].Literal()
	}
	for flag := range strings.FieldsSeq(value) {
		if flag, _, _ = strings.Cut(strings.Trim(flag, `'"`), "="); strings.HasPrefix(flag, "-") && !program.HasWord("-s -w -v -X -linkmode -buildid", flag) {
			return false
		}
	}
	return true
}
