package shell

import "strings"

// gitPayloads reads what git runs without an option that says so: a value that
// git config stores, one that a variable holds, and the command in the place
// of a repository.
func (r *reader) gitPayloads(i int, own *scope) {
	c := &r.line.Commands[i]
	if c.Args.Sub == "config" {
		r.gitSetting(i, own)
	}
	if o := c.Args.Option("config-env"); o != nil && o.HasArg {
		v, _ := o.Arg.Literal()
		if key, name, ok := strings.Cut(v, "="); ok {
			value, span, _ := variableAt(&r.line.Commands[i], name, own)
			r.gitValue(i, key, Word{Set: value, Span: span}, own)
		}
	}
	for k := range r.line.Commands[i].Args.Operands {
		w := r.line.Commands[i].Words[r.line.Commands[i].Args.Operands[k].At]
		for _, v := range w.Values {
			if text, ok := strings.CutPrefix(v, "ext::"); ok { // git-remote-ext(1)
				w.Set = Set{Values: []string{externalHelper(text)}}
				inner := *own
				r.evaluate(i, w, &inner)
				return
			}
		}
	}
}

// gitSetting reads git config NAME VALUE.
func (r *reader) gitSetting(i int, own *scope) {
	c := &r.line.Commands[i]
	operands := c.Args.Operands
	if len(operands) > 2 {
		if v := c.Words[operands[0].At]; v.Has("set") || v.Has("add") {
			operands = operands[1:]
		}
	}
	if len(operands) < 2 || c.Args.Has("get", "unset", "unset-all", "get-all", "get-regexp") {
		return
	}
	if key, ok := c.Words[operands[0].At].Literal(); ok {
		r.gitValue(i, key, c.Words[operands[1].At], own)
	}
}

// gitValue reads the value of a setting if git runs it.
func (r *reader) gitValue(i int, key string, value Word, own *scope) {
	var setting Set
	for _, v := range value.Values {
		setting.Values = append(setting.Values, key+"="+v)
	}
	if code, runs := configText("git", setting); runs {
		inner := *own
		inner.funcs = nil
		value.Set = code
		r.evaluate(i, value, &inner)
	}
}

// externalHelper returns the command of ext::, in which blanks part the words
// and "% " is a blank within one, as a line for a shell.
func externalHelper(text string) string {
	words := strings.Fields(strings.ReplaceAll(text, "% ", "\x00"))
	for i, w := range words {
		w = strings.ReplaceAll(strings.ReplaceAll(w, "\x00", " "), "%%", "%")
		if strings.ContainsAny(w, " '") {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		words[i] = w
	}
	return strings.Join(words, " ")
}
