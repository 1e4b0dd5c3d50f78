package world

import (
	"strings"

	"github.com/policyctl/policyctl/internal/program"
)

// startsFile reports whether a program runs the file or the module that an operand
// names, also one in the working directory, as shells and interpreters do.
func startsFile(name string) bool {
	return program.OfKind(name, "starts-files") || program.Has(name, program.Interprets) || program.Has(name, program.IsRunner)
}

// nearby reports whether a command line in the configuration of a person may run
// something of the directory in which git works. Bare names are looked up in
// PATH and absolute paths are elsewhere; what else may be a path of a file
// counts, and so do the operands of interpreters.
func nearby(command string) bool {
	runs := false
	for i, word := range strings.FieldsFunc(command, isSeparator) {
		if strings.HasPrefix(word, "-") {
			_, value, ok := strings.Cut(word, "=")
			if !ok {
				continue
			}
			word = value
		}
		switch {
		case isElsewhere(word):
			runs = runs || i == 0 && startsFile(word[strings.LastIndexByte(word, '/')+1:])
		case runs, strings.Contains(word, "/"), i > 0 && strings.Contains(word, "."):
			return true
		default:
			runs = runs || startsFile(word)
		}
	}
	return false
}

func isSeparator(r rune) bool { return strings.ContainsRune(" \t\n\r\"'`|&;<>(){}", r) }

// isElsewhere reports whether a word is a path that does not depend on the
// working directory.
func isElsewhere(word string) bool {
	for _, start := range []string{"/", "~/", "$HOME/", "${HOME}/"} {
		if strings.HasPrefix(word, start) {
			return true
		}
	}
	return false
}
