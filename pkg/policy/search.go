package policy

import (
	"maps"
	"slices"
	"strings"
)

// A search looks for commands in the arguments of a call.
type search struct {
	reader
	fields map[string]bool // the plain names of arguments, and whether their text is typed
	over   bool
}

// object looks into an object. beside holds what the objects around it say of
// where a command runs.
func (d *search) object(m map[string]any, beside map[string]any, depth int) {
	beside = settings(m, beside)
	for _, key := range sortedKeys(m) {
		if typed, ok := d.fields[plainKey(key)]; ok {
			d.command(m, key, beside, typed)
		}
		d.inside(m[key], beside, depth+1)
	}
}

// inside looks into a value, also where it is JSON in a text.
func (d *search) inside(v any, beside map[string]any, depth int) {
	if depth > maxInside {
		d.over = true
		return
	}
	switch v := v.(type) {
	case map[string]any:
		d.object(v, beside, depth)
	case []any:
		for _, e := range v {
			d.inside(e, beside, depth+1)
		}
	case string:
		if text := strings.TrimSpace(v); strings.HasPrefix(text, "{") && strings.HasSuffix(text, "}") {
			if m, err := DecodeObject([]byte(text)); err == nil {
				d.object(m, beside, depth)
			}
		}
	}
}

// settings returns what an object says of where and how a command runs, over
// what the objects around it say. What is of another type says something else.
func settings(m, around map[string]any) map[string]any {
	found := make(map[string]any)
	for _, field := range slices.Concat(shellRuns.Dirs, shellRuns.Stdin) {
		if text, ok := m[field].(string); ok {
			found[field] = text
		}
	}
	for _, field := range shellRuns.Env {
		if _, ok := variables(m[field]); ok && m[field] != nil {
			found[field] = m[field]
		}
	}
	if len(found) == 0 {
		return around
	}
	for field, v := range around {
		if _, inner := found[field]; !inner {
			found[field] = v
		}
	}
	return found
}

// command reads one argument as a command, with the arguments of the program
// where they stand beside it.
func (d *search) command(m map[string]any, key string, beside map[string]any, typed bool) {
	switch v := m[key].(type) {
	case string:
		if typed {
			v = keystrokes(v)
		} else if list := wordsOf(v); len(list) > 0 {
			d.list(list, beside, false)
		}
		if d.line(v, beside); typed {
			d.each(v, beside)
		}
		for _, name := range [...]string{"args", "arguments", "argv", "parameters"} {
			switch args := m[name].(type) {
			case string:
				d.line(v+" "+args, beside)
			case []any:
				if list, err := stringList(name, args); err == nil && len(list) > 0 {
					d.line(v+" "+strings.Join(list, " "), beside)
					d.argv(append([]string{v}, list...), beside)
				}
			}
		}
	case []any:
		if list, err := stringList(key, v); err == nil && len(list) > 0 {
			d.list(list, beside, typed)
		}
	case []string:
		if len(v) > 0 {
			d.list(v, beside, typed)
		}
	}
}

// wordsOf returns the words of a list that is written as JSON in a text.
func wordsOf(text string) []string {
	if !strings.HasPrefix(strings.TrimSpace(text), `["`) {
		return nil
	}
	m, err := DecodeObject([]byte(`{"list":` + text + `}`))
	if err != nil {
		return nil
	}
	items, _ := m["list"].([]any)
	list, err := stringList("list", items)
	if err != nil {
		return nil
	}
	return list
}

// list reads a list as the words of one command, or as several lines: no name
// of a program holds a blank.
func (d *search) list(list []string, beside map[string]any, typed bool) {
	switch {
	case typed:
		text := keystrokes(strings.Join(list, ""))
		d.line(text, beside)
		d.each(text, beside)
	case strings.ContainsAny(list[0], " \t\n"), len(list) == 1:
		d.line(strings.Join(list, "\n"), beside)
	default:
		d.argv(list, beside)
		if slices.ContainsFunc(list[1:], func(s string) bool { return strings.Contains(s, " ") }) {
			d.line(strings.Join(list, "\n"), beside)
		}
	}
}

func (d *search) line(text string, beside map[string]any) {
	if strings.TrimSpace(text) == "" {
		return
	}
	before := len(d.guises)
	g := d.add(text, beside)
	if g == nil || !isNoLine(g) {
		return
	}
	// It is no line of a shell, or a shell runs what stands before the mistake.
	d.guises = d.guises[:before]
	if end := strings.LastIndexByte(text[:g.line.Problem.Span.From], '\n'); end > 0 {
		if g = d.add(text[:end], beside); g != nil && isNoLine(g) {
			d.guises = d.guises[:before]
		}
	}
}

// isNoLine reports whether a text is not written in the language of a shell.
func isNoLine(g *guise) bool { return g.line.Problem != nil && g.line.Problem.Code == "syntax" }

// each reads the lines of a text one by one, as a shell does that somebody
// types into.
func (d *search) each(text string, beside map[string]any) {
	if !strings.Contains(strings.TrimSpace(text), "\n") {
		return
	}
	for line := range strings.Lines(text) {
		d.line(line, beside)
	}
}

func (d *search) argv(list []string, beside map[string]any) {
	words := make([]any, len(list))
	for i, w := range list {
		words[i] = w
	}
	d.add(words, beside)
}

// add adds the call of a shell that runs a command, nil where there are too
// many or it cannot be one.
func (d *search) add(command any, beside map[string]any) *guise {
	if len(d.guises) >= maxGuises {
		d.over = true
		return nil
	}
	c := *d.call
	c.Tool, c.Input = "shell", maps.Clone(beside)
	if c.Input == nil {
		c.Input = make(map[string]any, 1)
	}
	c.Input["command"] = command
	g := d.guiseOf(c)
	if g == nil {
		return nil
	}
	for _, dir := range g.otherDirs {
		d.guiseOf(g.callIn(dir))
	}
	return g
}

// guiseOf adds one guise. Whether an argument of a stranger says where it runs
// is a guess: it may deny, and never asks for itself.
func (d *search) guiseOf(c Call) *guise {
	g := &guise{facts: facts{e: d.e, location: location{guise: true, moved: c}}}
	g.call, g.replies.facts = &g.moved, &g.facts
	if (reader{&g.facts}).prepare() != nil || g.line == nil {
		return nil
	}
	g.doubts = nil
	d.guises = append(d.guises, g)
	return g
}
