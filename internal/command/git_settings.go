package command

import (
	"regexp"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/lang/shell"
)

// MaxSettings bounds how many settings of git one command is given.
const MaxSettings = 64

// Stored returns the setting that git config NAME VALUE stores.
func (c *Command) Stored() (name string, value shell.Word, ok bool) {
	if c.Args.Sub != "config" || c.Args.Has("get", "unset", "unset-all", "get-all", "get-regexp", "list") {
		return "", value, false
	}
	operands := c.Args.Operands
	if len(operands) > 2 {
		if v := c.Words[operands[0].At]; v.Has("set") || v.Has("add") {
			operands = operands[1:]
		}
	}
	if len(operands) < 2 {
		return "", value, false
	}
	name, ok = c.Words[operands[0].At].Literal()
	return name, c.Words[operands[1].At], ok
}

// Setting returns a setting as NAME=VALUE.
func Setting(name string, value shell.Set, at shell.Span) shell.Word {
	w := shell.Word{Set: shell.Set{Open: value.Open}, Span: at}
	for _, v := range value.Values {
		w.Values = append(w.Values, name+"="+v)
	}
	return w
}

// worktreeLine is the line of a file .git/config that names the directory to work on.
var worktreeLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?mi)^\s*worktree\s*=\s*(\S+)`) })

// StoredWorktree returns the setting in the text of a file .git/config that names the
// directory to work on.
func StoredWorktree(text string, at shell.Span) (shell.Word, bool) {
	m := worktreeLine().FindStringSubmatch(text)
	if m == nil {
		return shell.Word{}, false
	}
	return Setting("core.worktree", shell.Set{Values: m[1:]}, at), true
}

// Parameters splits the text of GIT_CONFIG_PARAMETERS: 'NAME=VALUE' or
// 'NAME'='VALUE', blanks between them.
func Parameters(text string) []string {
	var out []string
	text = strings.ReplaceAll(text, "'='", "=")
	for n := 0; n < MaxSettings; n++ {
		_, rest, ok := strings.Cut(text, "'")
		if !ok {
			return out
		}
		var one string
		one, text, _ = strings.Cut(rest, "'")
		out = append(out, one)
	}
	return out
}

// Quoted returns words as the text of further arguments; ok is false where one
// is unknown.
func Quoted(words []shell.Word) (text string, ok bool) {
	ok = true
	for i := range words {
		v, lit := words[i].Literal()
		q, err := syntax.Quote(v, syntax.LangBash)
		if !lit || err != nil {
			ok = false
			continue
		}
		text += " " + q
	}
	return text, ok
}
