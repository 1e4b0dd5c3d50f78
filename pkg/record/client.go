package record

import (
	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/program"
)

// read are the clients of which the words are read here.
const read = "curl wget nc ncat socat ssh psql mysql sqlite3"

// clientOf returns what a command is a client of, without those that are read.
func clientOf(c *command.Command) program.Client {
	kind := program.NoClient
	if p := c.Row(); p != nil {
		kind = p.Client
	}
	if kind == program.NoClient && mayHave(c, c.How("sql")) {
		return program.SQL
	}
	if kind != program.NoClient && (program.HasWord(read, c.Name) || asksItself(c)) {
		return program.NoClient
	}
	return kind
}

// mayHave reports whether an argument of a command may be a word.
func mayHave(c *command.Command, word string) bool {
	for i := 1; i < len(c.Words) && word != ""; i++ {
		if text, known := wordText(&c.Words[i]); !known || text == word {
			return true
		}
	}
	return false
}

// asksItself reports whether a command only asks a program for its help or its
// version.
func asksItself(c *command.Command) bool {
	if len(c.Words) != 2 {
		return false
	}
	text, _ := wordText(&c.Words[1])
	return text == "--help" || text == "--version" || text == "-V"
}

// connectsElsewhere reports whether a command talks to a host that its words do
// not name, or not in a form that is read.
func connectsElsewhere(c *command.Command) bool {
	switch {
	case clientOf(c).Remote():
		return true
	case c.Is(program.IsEngine):
		switch c.Args.Sub {
		case "pull", "push", "login", "image pull", "image push":
			return true
		}
	case c.How("speaks") == "git":
		switch c.Args.Sub {
		case "fetch", "pull", "push":
			return !c.Args.Has("repo") && len(c.Args.Operands) == 0
		case "ls-remote", "remote update", "remote prune", "submodule update":
			return true
		}
	}
	return false
}
