package shell

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/pkg/program"
)

// maxSettings bounds how many settings of git one command is given.
const maxSettings = 64

// gitConfigured reads what the configuration makes a git command run, as the
// command, its variables and the line before it set it: programs that git runs,
// and aliases, which stand for its sub-command (git-config(1), git(1)).
func (r *reader) gitConfigured(i int, own *scope) {
	settings := r.gitSettings(i, own)
	for _, s := range settings {
		if code, runs := configText("git", s.Set); runs {
			r.apart(i, Word{Set: code, Span: s.Span}, own)
		}
	}
	for k := range r.line.Commands[i].Args.Options {
		if o := &r.line.Commands[i].Args.Options[k]; o.Spec != nil && o.Spec.Role == program.RoleConfig && o.HasArg {
			settings = append(settings, o.Arg)
		}
	}
	if len(settings) > 0 {
		r.line.Commands[i].SetWorkTree(settings)
		r.gitAlias(i, settings, own)
	}
}

// worktreeLine is the line of a file .git/config that names the directory to work on.
var worktreeLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?mi)^\s*worktree\s*=\s*(\S+)`) })

// apart evaluates text as a shell of its own does.
func (r *reader) apart(i int, text Word, own *scope) {
	inner := *own
	inner.funcs = nil
	r.evaluate(i, text, &inner)
}

// gitSettings returns the settings, NAME=VALUE, that a git command has beside
// those of its option -c.
func (r *reader) gitSettings(i int, own *scope) []Word {
	var out []Word
	add := func(name string, value Set, at Span) {
		w := Word{Set: Set{Open: value.Open}, Span: at}
		for _, v := range value.Values {
			w.Values = append(w.Values, name+"="+v)
		}
		out = append(out, w)
	}
	c := &r.line.Commands[i]
	for k := range c.Args.Options {
		o := &c.Args.Options[k]
		if v, ok := o.Arg.Literal(); o.HasArg && ok && o.Is("config-env") {
			name, variable, _ := cutLast(v, "=")
			if value, _, known := variableAt(&r.line.Commands[i], variable, own); known {
				add(name, value, o.Arg.Span)
			}
		}
	}
	for n := range maxSettings {
		key, at, ok := variableAt(&r.line.Commands[i], "GIT_CONFIG_KEY_"+strconv.Itoa(n), own)
		value, _, okValue := variableAt(&r.line.Commands[i], "GIT_CONFIG_VALUE_"+strconv.Itoa(n), own)
		name, literal := key.Literal()
		if !ok || !okValue || !literal {
			break
		}
		add(name, value, at)
	}
	if value, at, ok := variableAt(&r.line.Commands[i], "GIT_CONFIG_PARAMETERS", own); ok {
		for _, v := range value.Values {
			out = append(out, Word{Set: Set{Values: parameters(v)}, Span: at})
		}
	}
	if text, ok := r.writtenText(i, Set{Values: []string{".git/config"}}); ok {
		for _, v := range text.Values {
			if m := worktreeLine().FindStringSubmatch(v); m != nil {
				add("core.worktree", Set{Values: m[1:]}, c.Span)
			}
		}
	}
	for b := own.vars; b != nil && len(out) < maxSettings; b = b.next {
		if name, ok := strings.CutPrefix(b.name, gitBinding); ok {
			add(name, b.set, c.Span)
		}
	}
	return out
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// parameters splits the text of GIT_CONFIG_PARAMETERS: 'NAME=VALUE' or
// 'NAME'='VALUE', blanks between them.
func parameters(text string) []string {
	var out []string
	text = strings.ReplaceAll(text, "'='", "=")
	for n := 0; n < maxSettings; n++ {
		_, rest, ok := strings.Cut(text, "'")
		if !ok {
			return out
		}
		var setting string
		setting, text, _ = strings.Cut(rest, "'")
		out = append(out, setting)
	}
	return out
}

// gitBinding begins the names under which a scope keeps what git config sets;
// no variable of the shell is called like that.
const gitBinding = "git config "

// setsConfig keeps what git config sets for the git commands that follow.
func (r *reader) setsConfig(i int, sc *scope) {
	c := &r.line.Commands[i]
	words := c.Args.Operands
	if len(words) > 0 && (c.Words[words[0].At].Has("set") || c.Words[words[0].At].Has("add")) {
		words = words[1:]
	}
	if len(words) < 2 || c.Args.Has("get", "get-all", "get-regexp", "unset", "unset-all", "list") {
		return
	}
	if name, ok := c.Words[words[0].At].Literal(); ok {
		sc.set(r, gitBinding+name, c.Words[words[1].At].Set)
	}
}

// gitAlias reads the command of git that an alias makes of a sub-command. An
// alias may lead to another.
func (r *reader) gitAlias(i int, settings []Word, own *scope) {
	c := &r.line.Commands[i]
	if c.Args.Verb == 0 {
		return
	}
	name, ok := c.Words[c.Args.Verb].Literal()
	tail, plain := quoted(c.Words[c.Args.Verb+1:])
	for range 8 {
		value, at, found := aliasOf(settings, name, ok)
		if !found || strings.HasPrefix(value, "!") {
			return // what follows ! is read as a setting
		}
		if !plain {
			c.Opaque = "an argument of an alias is unknown"
		}
		r.apart(i, Word{Set: Set{Values: []string{"git " + value + tail}}, Span: at}, own)
		name, _, _ = strings.Cut(strings.TrimSpace(value), " ")
		ok = true
	}
}

// aliasOf returns the text of an alias; of any where its name is unknown.
func aliasOf(settings []Word, name string, known bool) (value string, at Span, found bool) {
	for _, s := range settings {
		for _, v := range s.Values {
			key, value, ok := strings.Cut(v, "=")
			if ok && len(key) > 6 && strings.EqualFold(key[:6], "alias.") && (!known || strings.EqualFold(key[6:], name)) {
				return value, s.Span, true
			}
		}
	}
	return "", at, false
}

// quoted returns words as the text of further arguments; ok is false where one
// is unknown.
func quoted(words []Word) (text string, ok bool) {
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
