package eval

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// configured reads a configuration value that a program evaluates.
func (r *reader) configured(i int, o command.Option, sub *scope) {
	c := &r.line.Commands[i]
	if text, ok := command.ConfigText(c.How("config"), o.Arg.Set); ok {
		w := o.Arg
		w.Set = text
		r.evaluate(i, w, sub)
	} else if o.Arg.Open {
		c.Opaque = "a configuration value is unknown"
	}
}

// gitPayloads reads what git runs without an option that says so: a value that
// git config stores, one that a variable holds, and the command in the place
// of a repository.
func (r *reader) gitPayloads(i int, own *scope) {
	c := &r.line.Commands[i]
	if key, value, ok := stored(c); ok {
		r.gitValue(i, key, value, own)
	}
	if o := c.Args.Option("config-env"); o != nil && o.HasArg {
		v, _ := o.Arg.Literal()
		if key, name, ok := strings.Cut(v, "="); ok {
			value, span, _ := variableAt(&r.line.Commands[i], name, own)
			r.gitValue(i, key, shell.Word{Set: value, Span: span}, own)
		}
	}
	for k := range r.line.Commands[i].Args.Operands {
		w := r.line.Commands[i].Words[r.line.Commands[i].Args.Operands[k].At]
		for _, v := range w.Values {
			if text, ok := strings.CutPrefix(v, "ext::"); ok { // git-remote-ext(1)
				w.Set = shell.Set{Values: []string{command.ExternalHelper(text)}}
				inner := *own
				r.evaluate(i, w, &inner)
				return
			}
		}
	}
}

// stored returns the setting that git config NAME VALUE stores.
func stored(c *command.Command) (name string, value shell.Word, ok bool) {
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

// keepSetting keeps what command i stores for the git commands that follow. It stands in
// git's own files, so that no scope ends it.
func (r *reader) keepSetting(i int) {
	c := &r.line.Commands[i]
	name, value, ok := stored(c)
	if ok && c.Context == program.Local && len(r.settings) < maxSettings {
		r.settings = append(r.settings, setting(name, value.Set, c.Span))
	}
}

// setting returns a setting as NAME=VALUE.
func setting(name string, value shell.Set, at shell.Span) shell.Word {
	w := shell.Word{Set: shell.Set{Open: value.Open}, Span: at}
	for _, v := range value.Values {
		w.Values = append(w.Values, name+"="+v)
	}
	return w
}

// gitValue reads the value of a setting if git runs it.
func (r *reader) gitValue(i int, key string, value shell.Word, own *scope) {
	if code, runs := command.ConfigText("git", setting(key, value.Set, value.Span).Set); runs {
		inner := *own
		inner.funcs = nil
		value.Set = code
		r.evaluate(i, value, &inner)
	}
}

// maxSettings bounds how many settings of git one command is given.
const maxSettings = 64

// gitConfigured reads what the configuration makes a git command run, as the
// command, its variables and the line before it set it: programs that git runs,
// and aliases, which stand for its sub-command (git-config(1), git(1)).
func (r *reader) gitConfigured(i int, own *scope) {
	settings := r.gitSettings(i, own)
	for _, s := range settings {
		if code, runs := command.ConfigText("git", s.Set); runs {
			r.apart(i, shell.Word{Set: code, Span: s.Span}, own)
		}
	}
	var given []shell.Word // they go before those that are stored, and of them the last
	for _, o := range slices.Backward(r.line.Commands[i].Args.Options) {
		if o.Spec != nil && o.Spec.Role == program.RoleConfig && o.HasArg {
			given = append(given, o.Arg)
		}
	}
	settings = append(given, settings...)
	if len(settings) > 0 {
		r.line.Commands[i].SetWorkTree(settings)
		r.gitAlias(i, settings, own)
	}
}

// worktreeLine is the line of a file .git/config that names the directory to work on.
var worktreeLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?mi)^\s*worktree\s*=\s*(\S+)`) })

// apart evaluates text as a shell of its own does.
func (r *reader) apart(i int, text shell.Word, own *scope) {
	inner := *own
	inner.funcs = nil
	r.evaluate(i, text, &inner)
}

// gitSettings returns the settings, NAME=VALUE, that a git command has beside
// those of its option -c. Of two with one name, the first counts.
func (r *reader) gitSettings(i int, own *scope) []shell.Word {
	var out []shell.Word
	c := &r.line.Commands[i]
	for k := range c.Args.Options {
		o := &c.Args.Options[k]
		if v, ok := o.Arg.Literal(); o.HasArg && ok && o.Is("config-env") {
			name, variable, _ := command.CutLast(v, "=")
			if value, _, known := variableAt(&r.line.Commands[i], variable, own); known {
				out = append(out, setting(name, value, o.Arg.Span))
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
		out = append(out, setting(name, value, at))
	}
	if value, at, ok := variableAt(&r.line.Commands[i], "GIT_CONFIG_PARAMETERS", own); ok {
		for _, v := range value.Values {
			out = append(out, shell.Word{Set: shell.Set{Values: parameters(v)}, Span: at})
		}
	}
	if text, ok := r.writtenText(i, shell.Set{Values: []string{".git/config"}}); ok {
		for _, v := range text.Values {
			if m := worktreeLine().FindStringSubmatch(v); m != nil {
				out = append(out, setting("core.worktree", shell.Set{Values: m[1:]}, c.Span))
			}
		}
	}
	if c.Context == program.Local {
		for _, w := range slices.Backward(r.settings) { // the last one counts
			out = append(out, w)
		}
	}
	return out
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

// gitAlias reads the command of git that an alias makes of a sub-command. An
// alias may lead to another.
func (r *reader) gitAlias(i int, settings []shell.Word, own *scope) {
	c := &r.line.Commands[i]
	if c.Args.Verb == 0 {
		return
	}
	name, ok := c.Words[c.Args.Verb].Literal()
	tail, plain := quoted(c.Words[c.Args.Verb+1:])
	for range 8 {
		value, at, found := command.AliasOf(settings, name, ok)
		if !found || strings.HasPrefix(value, "!") {
			return // what follows ! is read as a setting
		}
		if !plain {
			c.Opaque = "an argument of an alias is unknown"
		}
		r.apart(i, shell.Word{Set: shell.Set{Values: []string{"git " + value + tail}}, Span: at}, own)
		name, _, _ = strings.Cut(strings.TrimSpace(value), " ")
		ok = true
	}
}

// quoted returns words as the text of further arguments; ok is false where one
// is unknown.
func quoted(words []shell.Word) (text string, ok bool) {
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
