//go:build linux

package kernel_test

import (
	"bufio"
	"github.com/policyctl/policyctl/internal/eval"
	"os"
	"path/filepath"
	"strings"
)

// searched is the PATH of the lines: fixed directories, as a proof assumes.
const searched = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/go/bin"

// builtins are the commands that the shell runs itself.
const builtins = ". : [ alias bg break builtin cd command continue declare dirs echo eval exec exit export false fg hash help history jobs kill let local popd printf pushd pwd read readonly return set shift source test times trap true type typeset ulimit umask unalias unset wait"

// keywords are the parts of its language that bear a name.
const keywords = "[[ (( case for select time declare typeset local readonly export nameref"

// names are the programs that a line names.
type names struct {
	bases, paths map[string]bool
}

// named returns the programs that a line names, with the interpreters of those
// that are scripts.
func named(line string) *names {
	n := &names{make(map[string]bool), make(map[string]bool)}
	l := eval.Read(line, eval.Env{Dir: "/home/dev/project", Home: "/home/dev"})
	for i := range l.Commands {
		c := &l.Commands[i]
		if c.Keyword {
			n.bases[c.Name] = true // behind a pipe, or in dash, time and [[ are programs
		}
		if c.Keyword || len(c.Words) == 0 {
			continue
		}
		text, ok := c.Program().Literal()
		switch {
		case !ok:
		case strings.Contains(text, "/"):
			n.paths[text] = true
		default:
			n.bases[text] = true
			n.interpreter(find(text))
		}
	}
	return n
}

// interpreter adds what the first line of a script names after env.
func (n *names) interpreter(file string) {
	f, err := os.Open(file)
	if err != nil {
		return
	}
	defer f.Close()
	first, _ := bufio.NewReader(f).ReadString('\n')
	if words := strings.Fields(first); len(words) == 2 && words[0] == "#!/usr/bin/env" {
		n.bases[words[1]] = true
	}
}

// find returns the file of a program, "" where it is not installed.
func find(name string) string {
	for dir := range strings.SplitSeq(searched, ":") {
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return file
		}
	}
	return ""
}

// absent returns the programs that a line names and the machine lacks.
func absent(line string) []string {
	var list []string
	for name := range named(line).bases {
		if find(name) == "" && !word(builtins, name) && !word(keywords, name) {
			list = append(list, name)
		}
	}
	return list
}

func installed(line string) bool { return len(absent(line)) == 0 }
