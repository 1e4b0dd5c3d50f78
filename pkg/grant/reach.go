package grant

import (
	"strings"
	"sync"

	"github.com/policyctl/policyctl/pkg/shell"
)

// A reach is what takes a verb beyond its directory, or beyond what it shows.
type reach struct {
	programs string
	verb     string // of the program; "" for all
	// options are names without dashes; those of two and more letters are met
	// abbreviated too.
	options string
	why     string
}

const (
	runsArgument = "an argument names what it runs, or is code"
	runsFile     = "an option names a file that says what it does"
	leaves       = "an option lets it leave its directory"
)

// reaches are options that the roles of the grammar do not tell.
var reaches = []reach{
	{"tar gtar bsdtar", "", "P absolute-names absolute-paths", leaves},
	{"tar gtar bsdtar", "", "T files-from", runsFile}, // which holds paths and options
	{"unzip", "", ":", leaves},
	{"git", "git apply", "unsafe-paths", leaves},
	{"git", "git init", "template", "an option names hooks that it installs"},
	{"git", "git clone", "template", "an option names hooks that it installs"},
	{"go", "go env", "w u", "an option changes what go does everywhere"},
	{"curl", "", "K config", runsFile},
	{"wget", "", "config e execute", runsFile},
}

// exceeds says by which argument a command does what its verb does not show,
// "" for none.
func exceeds(c *shell.Command, verb string) string {
	if c.Loads() != "" {
		return runsArgument
	}
	for _, r := range reachesOf()[c.Name] {
		if r.verb != "" && r.verb != verb {
			continue
		}
		for name := range strings.FieldsSeq(r.options) {
			if given(c, name) {
				return r.why
			}
		}
	}
	switch c.Name {
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

// reachesOf returns the rows of each program.
var reachesOf = sync.OnceValue(func() map[string][]*reach {
	out := map[string][]*reach{}
	for i := range reaches {
		for name := range strings.FieldsSeq(reaches[i].programs) {
			out[name] = append(out[name], &reaches[i])
		}
	}
	return out
})

// given reports whether a command may have an option.
func given(c *shell.Command, name string) bool {
	for i := range c.Args.Options {
		if c.Args.Options[i].May(name) {
			return true
		}
	}
	return c.Args.Program == nil && anyWord(c, func(v string) bool { return shell.Spells(v, name) }, "yes") != ""
}

// goArgument finds a version, which go fetches.
func goArgument(c *shell.Command) string {
	if len(c.Args.Operands) > 0 {
		if v, _ := c.Words[c.Args.Operands[0].At].Literal(); strings.Contains(v, "@") {
			return "it fetches what it runs"
		}
	}
	return ""
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
