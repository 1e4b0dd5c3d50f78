package policy

import (
	"maps"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/permission"
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
		if typed, ok := d.isCommand(key); ok {
			d.command(m[key], m, beside, typed)
		}
		d.inside(m[key], beside, depth+1)
	}
}

// isCommand reports whether commands stand under a key, and whether they are typed.
func (d *search) isCommand(key string) (typed, ok bool) {
	typed, ok = d.fields[permission.PlainKey(key)]
	if !d.tool.guessed || ok && !types(d.tool.Name) {
		return typed, ok
	}
	if types(d.tool.Name) && slices.Contains(typedArguments, permission.PlainKey(key)) {
		return true, true
	}
	return false, ok || namesCommand(key) || d.speaksShell() && slices.Contains(shellTexts, permission.PlainKey(key))
}

// speaksShell reports whether the name of the tool says that it hands text to a
// shell.
func (d *search) speaksShell() bool {
	return slices.ContainsFunc(wordsIn(d.tool.Name), func(w string) bool { return slices.Contains(shellTools, w) })
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
		if inner, ok := permission.Opened(v); ok {
			d.inside(inner, beside, depth+1)
		}
	}
}

// settings returns what an object says of where and how a command runs, itself or
// in the objects in it, over what the objects around it say. What is of another
// type says something else.
func settings(m, around map[string]any) map[string]any {
	found := make(map[string]any)
	for _, key := range sortedKeys(m) {
		setting(found, key, m[key])
	}
	for _, key := range sortedKeys(m) {
		if inner, ok := m[key].(map[string]any); ok && !slices.Contains(shellRuns.Env, canonicalSetting(key)) {
			for _, key := range sortedKeys(inner) {
				setting(found, key, inner[key])
			}
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

// setting adds an argument to what is found, unless that is there.
func setting(found map[string]any, key string, v any) {
	field := canonicalSetting(key)
	if _, there := found[field]; field == "" || there {
		return
	}
	if slices.Contains(shellRuns.Env, field) {
		if _, ok := variables(v); ok && v != nil {
			found[field] = v
		}
	} else if text, ok := v.(string); ok {
		found[field] = text
	}
}

// canonicalSetting returns the argument of the shell that a key means, "" for
// none.
func canonicalSetting(key string) string {
	plain := permission.PlainKey(key)
	for _, fields := range [...][]string{shellRuns.Dirs, shellRuns.Env, shellRuns.Stdin} {
		for _, field := range fields {
			if permission.PlainKey(field) == plain {
				return field
			}
		}
	}
	switch plain {
	case "path", "root", "folder":
		return shellRuns.Dirs[0]
	case "environ", "envvars", "environmentvariables", "variables":
		return shellRuns.Env[0]
	case "input", "stdininput", "standardinput":
		return shellRuns.Stdin[0]
	}
	return ""
}

// programArguments are the arguments in which tools are given those of a program
// that stands beside them, in their plain spelling.
var programArguments = []string{"args", "arguments", "argv", "parameters", "params", "flags"}

// command reads one argument of an object as a command, with the arguments of the
// program where they stand beside it.
func (d *search) command(v any, m, beside map[string]any, typed bool) {
	switch v := v.(type) {
	case string:
		if list := wordsOf(v); len(list) > 0 {
			d.list(list, beside, typed)
		}
		if typed {
			d.typed(typings(v), beside)
		} else {
			d.line(v, beside)
		}
		for _, name := range sortedKeys(m) {
			if slices.Contains(programArguments, permission.PlainKey(name)) {
				d.withArguments(v, m[name], beside)
			}
		}
	case []any:
		if list, err := stringList("", v); err == nil && len(list) > 0 {
			d.list(list, beside, typed)
			return
		}
		for _, e := range v { // several commands; objects are looked into anyway
			d.command(e, nil, beside, typed)
		}
	case []string:
		if len(v) > 0 {
			d.list(v, beside, typed)
		}
	}
}

// withArguments reads a program with its arguments.
func (d *search) withArguments(program string, args any, beside map[string]any) {
	switch args := args.(type) {
	case string:
		d.line(program+" "+args, beside)
	case []any:
		if list, err := stringList("", args); err == nil && len(list) > 0 {
			d.line(program+" "+strings.Join(list, " "), beside)
			d.argv(append([]string{program}, list...), beside)
		}
	}
}

// wordsOf returns the words of a list that is written as JSON in a text.
func wordsOf(text string) []string {
	v, _ := permission.Opened(text)
	items, _ := v.([]any)
	list, err := stringList("", items)
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
		d.typed(typedList(list), beside)
	case strings.ContainsAny(list[0], " \t\n"), len(list) == 1:
		d.line(strings.Join(list, "\n"), beside)
	default:
		d.argv(list, beside)
		if slices.ContainsFunc(list[1:], func(s string) bool { return strings.Contains(s, " ") }) {
			d.line(strings.Join(list, "\n"), beside)
		}
	}
}

// typed reads lines that somebody types, all together and one by one.
func (d *search) typed(readings []string, beside map[string]any) {
	for _, text := range readings {
		d.line(text, beside)
		d.each(text, beside)
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
