package world

import "strings"

// interpreters run the file or the module that their first operand names, also
// one in the working directory.
var interpreters = map[string]bool{
	"sh": true, "bash": true, "dash": true, "zsh": true, "ksh": true, "fish": true, "python": true, "python2": true,
	"python3": true, "node": true, "deno": true, "bun": true, "perl": true, "ruby": true, "php": true, "lua": true,
	"env": true, "npx": true, "bunx": true, "make": true, "java": true, "uv": true, "uvx": true, "npm": true, "go": true,
}

// nearby says whether a command line in the configuration of a person may run
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
			runs = runs || i == 0 && interpreters[word[strings.LastIndexByte(word, '/')+1:]]
		case runs, strings.Contains(word, "/"), i > 0 && strings.Contains(word, "."):
			return true
		default:
			runs = runs || interpreters[word]
		}
	}
	return false
}

func isSeparator(r rune) bool { return strings.ContainsRune(" \t\n\r\"'`|&;<>(){}", r) }

// isElsewhere says whether a word is a path that does not depend on the
// working directory.
func isElsewhere(word string) bool {
	for _, start := range []string{"/", "~/", "$HOME/", "${HOME}/"} {
		if strings.HasPrefix(word, start) {
			return true
		}
	}
	return false
}
