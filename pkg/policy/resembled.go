package policy

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/permission"
)

// What the name of a tool that nobody declared says that it does to files, and
// which arguments name what it moves.
var (
	deletingWords = []string{"delete", "remove", "rm", "rmdir", "unlink", "trash", "erase", "purge"}
	movingWords   = []string{"move", "mv", "rename"}
	fileWords     = []string{"file", "files", "directory", "directories", "dir", "folder", "folders", "path", "paths", "filesystem", "fs", "rm", "rmdir", "mv", "unlink"}
	movedKeys     = []string{"source", "src", "from", "oldpath", "sourcepath", "path", "filepath", "oldname"}
	codeKeys      = []string{"code", "sourcecode", "snippet", "program", "expression", "source"}
)

// interpreters are the programs that evaluate code, their options for it, and the
// words by which the name of a tool, or its argument for the language, means them.
var interpreters = [][]string{
	{"python3", "-c", "python", "py", "ipython", "jupyter", "notebook", "code", "interpreter", "repl"},
	{"node", "-e", "javascript", "js", "node", "nodejs", "typescript", "ts", "deno", "bun", "code", "interpreter", "repl"},
	{"ruby", "-e"}, {"perl", "-e"}, {"php", "-r"}, {"lua", "-e"},
	{"Rscript", "-e", "r"}, {"julia", "-e"},
}

// resembled returns commands that would do what the name of a tool says that nobody
// declared. Its arguments may mean another machine or a store, so that they are
// held to the floor alone.
func (a arguments) resembled() [][]string {
	if !a.undeclared() || !a.tool.guessed {
		return nil
	}
	words := wordsIn(a.tool.Name)
	has := func(list []string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(list, w) })
	}
	if has(fileWords) && has(deletingWords) {
		words := []string{"rm", "-rf", "--"}
		for _, p := range a.paths() {
			if rest, ok := strings.CutPrefix(p, "~"); ok && (rest == "" || rest[0] == '/') {
				p = a.home() + rest
			}
			words = append(words, p)
		}
		return [][]string{words}
	}
	if has(fileWords) && has(movingWords) {
		for _, key := range sortedKeys(a.call.Input) {
			if from, ok := a.call.Input[key].(string); ok && slices.Contains(movedKeys, permission.PlainKey(key)) {
				return [][]string{{"mv", "--", from, "/tmp/moved"}}
			}
		}
	}
	return a.evaluated(words)
}

// evaluated returns the commands that evaluate the code which a tool is given: in its
// language, or in those that are usual where nothing tells which.
func (a arguments) evaluated(words []string) (out [][]string) {
	code := ""
	for _, key := range sortedKeys(a.call.Input) {
		text, _ := a.call.Input[key].(string)
		switch plain := permission.PlainKey(key); {
		case slices.Contains(codeKeys, plain):
			code = text
		case plain == "language" || plain == "lang" || plain == "runtime" || plain == "kernel":
			words = []string{strings.TrimRight(strings.ToLower(text), "0123456789.")}
		}
	}
	for _, in := range interpreters {
		if code != "" && slices.ContainsFunc(words, func(w string) bool { return slices.Contains(in[2:], w) }) {
			out = append(out, []string{in[0], in[1], code})
		}
	}
	return out
}
