package readonly

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/sensitive"
)

// plainWords are those for which people search whole projects, and which no secret is. Text
// of secrets is known of lines only, so a search for one shows no line of a file in
// which it does not stand.
const plainWords = "todo fixme hack note func function import class return const struct interface async await require describe deprecated"

// plainSearch are the options with which a search shows nothing but lines, or parts of
// lines, with what it searches for, and names of files; withArgument those of them that
// may take an argument.
const (
	plainSearch  = "n line-number r recursive i ignore-case l files-with-matches c count w word-regexp x line-regexp H with-filename h no-filename s no-messages q quiet silent F fixed-strings E extended-regexp G basic-regexp I o only-matching S smart-case hidden no-ignore no-heading heading N no-line-number column no-column " + withArgument
	withArgument = "color colour e regexp include exclude exclude-dir m max-count g glob iglob t type T type-not max-depth maxdepth j threads sort"
)

// searchesFor returns the plain word for which a command searches in files, and nothing
// else.
func searchesFor(c *command.Command) (word string, ok bool) {
	args := &c.Args
	if args.Program == nil || args.Program.Reads == nil || args.Program.Reads.Check != "grepPattern" || args.Unlisted || args.Open || len(c.Assigns) > 0 || c.Secret {
		return "", false
	}
	found := 0
	for k := range args.Options {
		o := &args.Options[k]
		switch {
		case !isAny(o, plainSearch), o.HasArg && !isAny(o, withArgument):
			return "", false
		case o.Is("e"), o.Is("regexp"):
			word, ok = o.Arg.Literal()
			found++
		}
	}
	if found == 0 && len(args.Operands) > 0 {
		word, ok = c.Words[args.Operands[0].At].Literal()
		found++
	}
	return word, ok && found == 1 && program.HasWord(plainWords, strings.ToLower(word))
}

// Spares reports whether command i of a line searches for a plain word that does not
// stand in the file at a path, which holds one secret a line. holds reports whether a
// word stands in a file.
func Spares(l *eval.Line, i int, path, home string, holds func(path, word string) (found, ok bool)) bool {
	if holds == nil {
		return false
	}
	word, ok := searchesFor(&l.Commands[i])
	if !ok {
		return false
	}
	e, found := sensitive.FindRole(path, home, sensitive.Secret)
	if !found || !e.Lines {
		return false
	}
	stands, known := holds(path, word)
	return known && !stands
}

// maxLeftOut bounds the files that a message names to be left out.
const maxLeftOut = 4

// LeaveOut returns the options to add to command i of a line, so that it reads neither
// the secrets below the directories that it names nor some further files; "" where
// there are none that do it.
func (p *Prover) LeaveOut(l *eval.Line, i int, files []string) string {
	v := attempt{p: p, line: l, c: &l.Commands[i], index: i}
	walk := walkOf(v.c)
	if p.Below == nil || slices.ContainsFunc(v.c.Words, func(w shell.Word) bool { return w.Has("--") }) {
		return ""
	}
	f := chosen(v.c, walk)
	paths := v.searched()
	for _, dir := range paths {
		f.each(p.Below, dir, func(at string, typ fs.FileMode) bool {
			if _, ok := sensitive.FindRole(at, p.Home, sensitive.Secret); ok && !Spares(l, i, at, p.Home, p.Holds) {
				files = append(files, at)
			}
			return len(files) < 100*maxLeftOut
		})
	}
	var names, options []string
	for _, file := range files {
		name, isDir := leftOutName(file, p.Home)
		option, ok := leavesOutBy(walk, name, isDir)
		if !ok || strings.ContainsFunc(name, func(r rune) bool { return r > 0x7e || !isIdent(byte(r)) && r != '.' && r != '-' }) {
			return ""
		}
		if !slices.Contains(names, name) {
			names, options = append(names, name), append(options, option)
			f.globs = append(f.globs, fileGlob{name, true})
			f.notDir = append(f.notDir, name)
		}
	}
	if len(names) == 0 || len(names) > maxLeftOut {
		return ""
	}
	for _, dir := range paths {
		clear := true
		f.each(p.Below, dir, func(at string, typ fs.FileMode) bool {
			_, secret := sensitive.FindRole(at, p.Home, sensitive.Secret)
			clear = !secret && !slices.Contains(files, at) || Spares(l, i, at, p.Home, p.Holds)
			return clear
		})
		if !clear {
			return ""
		}
	}
	return strings.Join(options, " ")
}

// searched returns the directories in which the command searches: its operands behind
// what it searches for, or where it runs.
func (v *attempt) searched() (out []string) {
	operands := v.c.Args.Operands
	if p := v.c.Args.Program; p != nil && p.Reads != nil && p.Reads.Check == "grepPattern" && len(operands) > 0 && !v.c.Args.Has("e", "regexp", "f", "file", "files") {
		operands = operands[1:]
	}
	for _, o := range operands {
		if w := &v.c.Words[o.At]; w.Known() {
			out = append(out, shell.Paths(v.c.Dir, w.Set)...)
		}
	}
	if len(operands) == 0 {
		out = v.c.Dir.Values
	}
	return out
}

// leftOutName returns the name by which a file is left out: its own, or that of the
// first directory above that holds nothing but secrets.
func leftOutName(file, home string) (name string, isDir bool) {
	for at := 1; at < len(file); at++ {
		if file[at] != '/' {
			continue
		}
		if _, ok := sensitive.FindRole(file[:at]+"/x", home, sensitive.Secret); ok {
			return file[strings.LastIndexByte(file[:at], '/')+1 : at], true
		}
	}
	return file[strings.LastIndexByte(file, '/')+1:], false
}

// leavesOutBy returns the option of a program that leaves a name out.
func leavesOutBy(walk *program.Walk, name string, isDir bool) (option string, ok bool) {
	list := walk.Not
	if isDir {
		list = walk.NotDir
	}
	for o := range strings.FieldsSeq(list) {
		if len(o) > 1 {
			return "--" + o + "=" + name, true
		}
	}
	if program.HasWord(walk.Only, "g") {
		return "-g '!" + name + "'", true
	}
	return "", false
}
