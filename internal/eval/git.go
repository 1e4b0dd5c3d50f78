package eval

import (
	"slices"
	"strconv"
	"strings"

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
	if key, value, ok := c.Stored(); ok {
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

// keepSetting keeps what command i stores for the git commands that follow. It stands in
// git's own files, so that no scope ends it.
func (r *reader) keepSetting(i int) {
	c := &r.line.Commands[i]
	name, value, ok := c.Stored()
	if ok && c.Context == program.Local && len(r.settings) < command.MaxSettings {
		r.settings = append(r.settings, command.Setting(name, value.Set, c.Span))
	}
}

// gitValue reads the value of a setting if git runs it.
func (r *reader) gitValue(i int, key string, value shell.Word, own *scope) {
	if code, runs := command.ConfigText("git", command.Setting(key, value.Set, value.Span).Set); runs {
		inner := *own
		inner.funcs = nil
		value.Set = code
		r.evaluate(i, value, &inner)
	}
}

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
				out = append(out, command.Setting(name, value, o.Arg.Span))
			}
		}
	}
	for n := range command.MaxSettings {
		key, at, ok := variableAt(&r.line.Commands[i], "GIT_CONFIG_KEY_"+strconv.Itoa(n), own)
		value, _, okValue := variableAt(&r.line.Commands[i], "GIT_CONFIG_VALUE_"+strconv.Itoa(n), own)
		name, literal := key.Literal()
		if !ok || !okValue || !literal {
			break
		}
		out = append(out, command.Setting(name, value, at))
	}
	if value, at, ok := variableAt(&r.line.Commands[i], "GIT_CONFIG_PARAMETERS", own); ok {
		for _, v := range value.Values {
			out = append(out, shell.Word{Set: shell.Set{Values: command.Parameters(v)}, Span: at})
		}
	}
	if text, ok := r.disk.text(&r.line.Commands[i], shell.Set{Values: []string{".git/config"}}); ok {
		for _, v := range text.Values {
			if s, ok := command.StoredWorktree(v, c.Span); ok {
				out = append(out, s)
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

// gitAlias reads the command of git that an alias makes of a sub-command. An
// alias may lead to another.
func (r *reader) gitAlias(i int, settings []shell.Word, own *scope) {
	c := &r.line.Commands[i]
	if c.Args.Verb == 0 {
		return
	}
	name, ok := c.Words[c.Args.Verb].Literal()
	tail, plain := command.Quoted(c.Words[c.Args.Verb+1:])
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
