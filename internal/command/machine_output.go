package command

import (
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// ThisHost stands for the name that the machine has, which is unknown.
const ThisHost = "localhost"

// AccountLine returns the line of the user in what getent prints and /etc/passwd
// holds.
func AccountLine(c *Command, home string) shell.Set {
	user := shell.Base(home)
	if n := len(c.Words); c.How("accounts") == "named" {
		if n < 2 || n > 3 || !c.Words[1].Has("passwd") {
			return shell.Set{Open: true}
		}
		if v, ok := c.Words[n-1].Literal(); n == 3 && ok && !shell.IsNumber(v) {
			user = v
		}
	}
	its := DirName(home) + "/" + user
	if user == "root" {
		its = "/root"
	}
	if user == "" {
		return shell.Set{Open: true}
	}
	return shell.Set{Values: []string{user + ":x:1000:1000::" + its + ":/bin/bash\n"}, Open: true}
}

// IsAccounts reports whether a word names the file of the users.
func IsAccounts(w *shell.Word) bool {
	v, _ := w.Literal()
	return shell.Clean(v) == "/etc/passwd"
}

// UserOutput returns the name of the user, as whoami and id -un print it.
func UserOutput(c *Command, home string) shell.Set {
	if !c.Does("user") || shell.Base(home) == "" || c.Context != program.Local {
		return shell.Set{Open: true}
	}
	return shell.Set{Values: []string{shell.Base(home) + "\n"}, Open: true}
}

// HostOutput returns the name of the machine, as hostname and uname -n print it.
func HostOutput(c *Command) shell.Set {
	if c.Does("host") {
		return shell.Set{Values: []string{ThisHost + "\n"}, Open: true}
	}
	return shell.Set{Open: true}
}

// PathOutput returns what a program that prints a path or a variable writes.
func PathOutput(c *Command, home string) shell.Set {
	how := c.How("path")
	if how == "directory" {
		out := Lines(c.Dir)
		out.Open = out.Open || c.In(Adrift) || len(c.Words) > 1 && !(len(c.Words) == 2 && c.Words[1].Has("-L")) // -P shows where a link leads
		return out
	}
	if how == "variables" {
		return environmentOutput(c, home)
	}
	var words []shell.Word
	for _, o := range c.Args.Operands {
		words = append(words, c.Words[o.At])
	}
	if len(words) == 0 || words[0].Glob || words[0].Many || c.Args.Has("z", "zero", "a", "multiple", "s", "suffix") {
		return shell.Set{Open: true}
	}
	bare := len(c.Args.Options) == 0 && !c.Args.Unlisted
	switch {
	case how == "real":
		return c.RealPaths(words)
	case !bare || len(words) > 2:
		return shell.Set{Open: true} // such as --help, or an error
	case how == "names":
		return BaseNames(words)
	}
	return EachLine(words, DirName)
}

// environmentOutput returns what printenv prints of the home directory; other
// variables need not be what the line says.
func environmentOutput(c *Command, home string) shell.Set {
	if len(c.Words) != 2 || c.Context != program.Local || !c.Words[1].Has("HOME") {
		return shell.Set{Open: true}
	}
	return shell.Set{Values: []string{home + "\n"}, Open: true}
}
