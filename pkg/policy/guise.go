package policy

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/dangerous"
	"github.com/policyctl/policyctl/pkg/sensitive"
	"github.com/policyctl/policyctl/pkg/shell"
)

// The bounds of looking for commands in arguments. What lies beyond asks.
const (
	maxGuises = 64
	maxInside = 16
)

// stranger is a tool that nobody declared.
func stranger(name string) *Tool {
	return &Tool{Name: name, Commands: commandArguments, Undeclared: true}
}

// disguise reads what a shell would make of arguments, at any depth.
func (r *run) disguise(fields []string) {
	if len(fields) == 0 || r.guise {
		return
	}
	d := disguising{run: r, fields: make(map[string]bool, len(fields))}
	for _, field := range fields {
		name, form, _ := strings.Cut(field, "|")
		d.fields[plainKey(name)] = form == "keys"
	}
	d.object(r.call.Input, nil, 0)
	if d.over {
		r.doubt("the arguments hold more commands, or nest deeper, than can be judged: split the call")
	}
}

// plainKey returns a key as tools of all styles may spell it.
func plainKey(key string) string {
	return strings.Map(func(c rune) rune {
		if c == '_' || c == '-' || c == ' ' {
			return -1
		}
		return c
	}, foldKey(key))
}

// A disguising looks for commands in the arguments of a call.
type disguising struct {
	*run
	fields map[string]bool // the plain names of arguments, and whether their text is typed
	over   bool
}

// object looks into an object. beside holds what the objects around it say of
// where a command runs.
func (d *disguising) object(m map[string]any, beside map[string]any, depth int) {
	beside = settings(m, beside)
	for _, key := range sortedKeys(m) {
		if typed, ok := d.fields[plainKey(key)]; ok {
			d.command(m, key, beside, typed)
		}
		d.inside(m[key], beside, depth+1)
	}
}

// inside looks into a value, also where it is JSON in a text.
func (d *disguising) inside(v any, beside map[string]any, depth int) {
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
// what the objects around it say.
func settings(m, around map[string]any) map[string]any {
	out := around
	add := func(key string, v any) {
		if len(out) == len(around) {
			out = make(map[string]any, len(around)+1)
			for k, v := range around {
				out[k] = v
			}
		}
		out[key] = v
	}
	for _, field := range shellRuns.Dirs {
		if dir, ok := m[field].(string); ok {
			add(shellRuns.Dirs[0], dir)
		}
	}
	for _, field := range shellRuns.Env {
		if _, ok := variables(m[field]); ok && m[field] != nil {
			add(shellRuns.Env[0], m[field])
		}
	}
	for _, field := range shellRuns.Stdin {
		if text, ok := m[field].(string); ok {
			add(field, text)
		}
	}
	return out
}

// command reads one argument as a command, with the arguments of the program
// where they stand beside it.
func (d *disguising) command(m map[string]any, key string, beside map[string]any, typed bool) {
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
func (d *disguising) list(list []string, beside map[string]any, typed bool) {
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

func (d *disguising) line(text string, beside map[string]any) {
	if strings.TrimSpace(text) == "" {
		return
	}
	g := d.add(text, beside)
	if g == nil || g.line.Problem == nil || g.line.Problem.Code != "syntax" {
		return
	}
	// It is no line of a shell, or a shell runs what stands before the mistake.
	d.guises = d.guises[:len(d.guises)-1]
	if end := strings.LastIndexByte(text[:g.line.Problem.Span.From], '\n'); end > 0 {
		if g = d.add(text[:end], beside); g != nil && g.line.Problem != nil {
			d.guises = d.guises[:len(d.guises)-1]
		}
	}
}

// each reads the lines of a text one by one, as a shell does that somebody
// types into.
func (d *disguising) each(text string, beside map[string]any) {
	if !strings.Contains(strings.TrimSpace(text), "\n") {
		return
	}
	for line := range strings.Lines(text) {
		d.line(line, beside)
	}
}

func (d *disguising) argv(list []string, beside map[string]any) {
	words := make([]any, len(list))
	for i, w := range list {
		words[i] = w
	}
	d.add(words, beside)
}

// add adds the call of a shell that runs a command, nil where there are too
// many.
func (d *disguising) add(command any, beside map[string]any) *run {
	if len(d.guises) >= maxGuises {
		d.over = true
		return nil
	}
	g := &run{e: d.e, ctx: d.ctx, session: d.session, guise: true}
	g.moved = *d.call
	g.moved.Tool, g.moved.Input = "shell", map[string]any{"command": command}
	for key, v := range beside {
		g.moved.Input[key] = v
	}
	g.call = &g.moved
	if g.prepare() != nil || g.line == nil {
		return nil
	}
	d.guises = append(d.guises, g)
	return g
}

// keystrokes returns what is typed on a terminal as lines: every control
// character, and every key that has no character, ends one.
func keystrokes(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		if end := keyName(text[i:]); end > 0 {
			b.WriteByte('\n')
			i += end
			continue
		}
		if c := text[i]; c < ' ' && c != '\t' || c == 0x7f {
			b.WriteByte('\n')
		} else {
			b.WriteByte(c)
		}
		i++
	}
	return b.String()
}

// keyNames are the keys that agents write in braces.
var keyNames = []string{"enter", "return", "up", "down", "left", "right", "backspace", "escape", "esc", "tab", "delete"}

// keyName returns the length of the name of a key in braces with which a text
// begins, 0 if it does not.
func keyName(text string) int {
	if text[0] != '{' {
		return 0
	}
	end := strings.IndexByte(text, '}')
	if end < 0 || end > 12 || !slices.Contains(keyNames, strings.ToLower(text[1:end])) {
		return 0
	}
	return end + 1
}

// askGuises collects what denies the lines that a shell may make of the
// arguments.
func (r *run) askGuises() error {
	for _, g := range r.guises {
		g.askPermissions()
		g.askToolPolicy()
		if err := g.askSources(); err != nil {
			return err
		}
	}
	return nil
}

// ofGuises returns what a stage says of the first line of which it says
// something. The place in that line is none in the call.
func (r *run) ofGuises(stage func(*run) (*opinion, error)) (*opinion, error) {
	for _, g := range r.guises {
		o, err := stage(g)
		if err != nil {
			return nil, err
		}
		if o != nil {
			o.span = nil
			return r.say(*o), nil
		}
	}
	return nil, nil
}

// peril asks about a line that matches a dangerous pattern, or reads a secret.
func (r *run) peril() (*opinion, error) {
	for i := range r.line.Commands {
		if f, ok := dangerous.Find(&r.scene, i); ok {
			return r.say(opinion{decision: Ask, rule: f.Rule.ID, why: "it " + f.Rule.Why, instead: f.Rule.Instead}), nil
		}
		if why := r.readsSecret(&r.line.Commands[i]); why != "" {
			return r.say(opinion{decision: Ask, why: why}), nil
		}
	}
	return nil, nil
}

// readsSecret says why what a command reads is sensitive.
func (r *run) readsSecret(c *shell.Command) (why string) {
	c.Effects(func(e shell.Effect) bool {
		if e.Kind != shell.Reads {
			return true
		}
		for _, at := range r.places(e.Dir, e.Target) {
			for _, path := range at.readings() {
				if s, ok := sensitive.FindRole(path, r.home(), sensitive.Secret); ok {
					why = "the path is sensitive: " + s.Why
				}
			}
		}
		return why == ""
	})
	return why
}

// perilous reports whether a shell would do something dangerous with the
// arguments.
func (r *run) perilous() bool {
	o, err := r.ofGuises((*run).peril)
	return o != nil || err != nil
}
