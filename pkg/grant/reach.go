package grant

import (
	"strings"
	"sync"

	"github.com/policyctl/policyctl/pkg/shell"
)

// A reach is what takes a verb beyond its directory, or beyond what it shows.
type reach struct {
	verbs string
	// options are names without dashes; those of two and more letters are met
	// abbreviated too.
	options string
	why     string
}

const (
	runsArgument = "an option names what it runs"
	runsFile     = "an option names a file that says what it does"
	leaves       = "an option lets it leave its directory"
)

// reaches are options that the roles of the grammar do not tell.
var reaches = []reach{
	{"tar gtar bsdtar", "P absolute-names absolute-paths", leaves},
	{"tar gtar bsdtar", "T files-from", runsFile}, // which holds paths and options
	{"unzip", ":", leaves},
	{"git apply", "unsafe-paths", leaves},
	{"git init", "template", "an option names hooks that it installs"},
	{"git clone", "template", "an option names hooks that it installs"},
	{"go env", "w u", "an option changes what go does everywhere"},
	{"split gsplit", "filter", runsArgument},
	{"cargo hg", "config", runsArgument},
	{"curl", "K config", runsFile},
	{"wget", "config e execute", runsFile},
	{"cmake", "E", runsArgument},
	{"ctest", "S SP script build-and-test test-command", runsArgument},
	{"just", "c command shell shell-arg", runsArgument},
	{"rake", "e execute E execute-continue p execute-print", runsArgument},
	{"pandoc", "F filter L lua-filter pdf-engine", runsArgument},
	{"man", "P pager H html", runsArgument},
	{"tox", "x override", runsArgument},
	{"bazel", "run_under workspace_status_command", runsArgument},
	{"ssh-keygen ssh-add", "D s pkcs11", runsArgument},
	{"cc gcc c++ g++ clang clang++", "wrapper fplugin specs", runsArgument},
}

// exceeds says by which argument a command does what its verb does not show,
// "" for none.
func exceeds(c *shell.Command, verb string) string {
	for _, r := range reachesOf()[c.Name] {
		if !r.isOf(verb) {
			continue
		}
		for name := range strings.FieldsSeq(r.options) {
			if given(c, name) {
				return r.why
			}
		}
	}
	switch c.Name {
	case "make", "gmake", "bmake":
		return makeText(c)
	case "go":
		return goArgument(c)
	case "less", "more", "most":
		return anyWord(c, func(v string) bool { return strings.HasPrefix(v, "+") }, "an argument is a command of "+c.Name)
	case "tar", "gtar", "bsdtar":
		if o := c.Args.Option("f"); o != nil {
			if v, _ := o.Arg.Literal(); strings.Contains(v, ":") {
				return "the archive may lie on another host"
			}
		}
	}
	return ""
}

// isOf reports whether a row is of the verb of one of its programs.
func (r *reach) isOf(verb string) bool {
	return !r.ofVerb() || r.verbs == verb
}

// ofVerb reports whether a row names one verb, and not programs.
func (r *reach) ofVerb() bool {
	return strings.HasPrefix(r.verbs, "git ") || strings.HasPrefix(r.verbs, "go ")
}

// reachesOf returns the rows by program.
var reachesOf = sync.OnceValue(func() map[string][]*reach {
	m := make(map[string][]*reach)
	for i := range reaches {
		r := &reaches[i]
		for name := range strings.FieldsSeq(r.verbs) {
			m[name] = append(m[name], r)
			if r.ofVerb() {
				break
			}
		}
	}
	return m
})

// given reports whether a command may have an option.
func given(c *shell.Command, name string) bool {
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		if o.Is(name) || o.Spec == nil && len(o.Name) > 2 && strings.HasPrefix(name, o.Name) {
			return true
		}
	}
	return c.Args.Program == nil && anyWord(c, func(v string) bool { return spells(v, name) }, "yes") != ""
}

// spells reports whether a word of a program without a grammar may be an option:
// -c, among the letters of a bundle, or a long one with an argument or cut
// short.
func spells(v, name string) bool {
	flag, _, _ := strings.Cut(v, "=")
	long := strings.TrimLeft(flag, "-")
	switch {
	case !strings.HasPrefix(v, "-") || long == "":
		return false
	case len(name) > 1:
		return long == name || len(long) > 2 && strings.HasPrefix(name, long)
	}
	return !strings.HasPrefix(v, "--") && (strings.HasPrefix(long, name) || len(long) < 5 && isName(long) && strings.Contains(long, name))
}

func isName(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return (r|0x20) < 'a' || (r|0x20) > 'z' })
}

// makeText finds variables that make runs or evaluates.
func makeText(c *shell.Command) string {
	return anyWord(c, func(v string) bool {
		name, value, ok := strings.Cut(v, "=")
		switch strings.TrimRight(name, ":+?! \t") {
		case "SHELL", ".SHELLFLAGS", "MAKEFLAGS", "GNUMAKEFLAGS", "MAKEFILES", "MAKE":
			return ok
		}
		return ok && strings.ContainsAny(value, "$`;|&\n") || strings.HasPrefix(v, "--eva")
	}, "an argument is code")
}

// goArgument finds a version, which go fetches, and a linker.
func goArgument(c *shell.Command) string {
	if len(c.Args.Operands) > 0 {
		if v, _ := c.Words[c.Args.Operands[0].At].Literal(); strings.Contains(v, "@") {
			return "it fetches what it runs"
		}
	}
	return anyWord(c, func(v string) bool { return strings.Contains(v, "-extld") }, runsArgument)
}

// anyWord returns why if one of the arguments is as told.
func anyWord(c *shell.Command, is func(string) bool, why string) string {
	for i := 1; i < len(c.Words); i++ {
		if v, ok := c.Words[i].Literal(); ok && is(v) {
			return why
		}
	}
	return ""
}
