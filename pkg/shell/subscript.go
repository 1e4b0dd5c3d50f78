package shell

import "strings"

// substitutions reads the substitutions in texts that a shell expands once
// more: a prompt, or the subscript of an array.
func (r *reader) substitutions(i int, texts Set, at Span, sc *scope) {
	for _, v := range texts.Values {
		if !strings.Contains(v, "$(") && !strings.Contains(v, "`") {
			continue
		}
		sub := *sc
		r.evaluate(i, Word{Set: Set{Values: []string{`: "` + v + `"`}}, Span: at}, &sub)
	}
}

// subscripts reads the names of arrays that a built-in is given, in which it
// expands what stands in brackets: test -v 'a[$(date)]'.
func (r *reader) subscripts(i int, sc *scope) {
	c := &r.line.Commands[i]
	switch c.Path {
	case "test", "[", "[[", "printf", "read", "unset", "let", "mapfile", "readarray", "declare", "typeset", "local", "export", "readonly", "wait":
	default:
		return
	}
	for k := 1; k < len(r.line.Commands[i].Words); k++ {
		w := r.line.Commands[i].Words[k]
		if named := w.prefix() + strings.Join(w.Values, ""); !strings.Contains(named, "[$(") && !strings.Contains(named, "[`") {
			continue
		}
		before := r.line.Commands[i].Words[k-1]
		isTest := c.Path == "test" || strings.HasPrefix(c.Path, "[")
		if isTest && !before.Has("-v") && !before.Has("-R") || c.Path == "printf" && !before.Has("-v") {
			continue
		}
		r.substitutions(i, w.Set, w.Span, sc)
		c = &r.line.Commands[i]
	}
}
