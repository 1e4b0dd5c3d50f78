package policy

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/internal/support/weburl"
	"github.com/policyctl/policyctl/pkg/permission"
)

// ruleArguments is the rule of an ask about arguments that nobody understands.
const ruleArguments = "arguments"

// settle finds the directory of the call. The caller's call stays as it is.
func (r reader) settle() error {
	c := r.call
	switch {
	case c.Dir != "" && !shell.IsAbs(c.Dir):
		r.moveTo("")
		return fmt.Errorf("dir %q is not absolute", c.Dir)
	case c.Dir != "":
	case shell.IsAbs(c.ProjectDir):
		r.moveTo(c.ProjectDir)
	case shell.IsAbs(c.SessionDir):
		r.moveTo(c.SessionDir)
	}
	return nil
}

// moveTo lets the call run in a directory.
func (r reader) moveTo(dir string) {
	if r.call != &r.moved {
		r.moved = *r.call
		r.call = &r.moved
	}
	r.moved.Dir, r.view.Dir = dir, dir
}

// surroundings reads the arguments that say where and how a command runs, and
// moves the call.
func (r reader) surroundings() eval.Env {
	env := eval.Env{Shell: cmp.Or(r.call.Shell, shellOf(r.call.Tool))}
	runs, input := &r.tool.Runs, r.call.Input
	if len(input) > 1 { // there is more than the command
		r.move(runs.Dirs)
		r.setEnv(&env, runs.Env)
		r.setShell(&env, runs.Shells)
		r.setInput(&env, runs.Stdin)
		for _, field := range runs.Background {
			if v := input[field]; v != nil && v != false {
				env.Background = true
			}
		}
		r.unread()
	}
	env.Dir, env.Home = r.call.Dir, r.call.Home
	return env
}

// unread doubts a call with arguments that may be commands, the arguments of one,
// or where it runs, but which the tool is not known to drop.
func (r reader) unread() {
	if knows(r.call.Tool) {
		return
	}
	for _, key := range sortedKeys(r.call.Input) {
		if r.tool.reads(key) || isEmpty(r.call.Input[key]) {
			continue
		}
		plain := permission.PlainKey(key)
		switch {
		case slices.Contains(programArguments, plain), holdsCommand(map[string]any{key: r.call.Input[key]}, 0):
			r.doubt("what %q adds to the command is unknown: write one command", clip.Text(key, maxQuoted))
			r.disguise(commandArguments)
		case slices.Contains(elsewhereArguments, plain):
			r.doubt("with %q the command may run elsewhere, or as somebody else", clip.Text(key, maxQuoted))
		}
	}
}

// holdsCommand reports whether a value has an argument of a command in it.
func holdsCommand(v any, depth int) bool {
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			if slices.Contains(commandArguments, key) || namesCommand(key) || depth < maxInside && holdsCommand(inner, depth+1) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(e any) bool { return depth < maxInside && holdsCommand(e, depth+1) })
	}
	return false
}

// elsewhereArguments are the arguments by which tools run a command on another
// machine or as another user, in their plain spelling.
var elsewhereArguments = []string{"host", "node", "user", "runas", "sudo", "asroot", "container", "remote"}

// reads reports whether the tool reads an argument.
func (t *Tool) reads(key string) bool {
	return slices.ContainsFunc(t.arguments, func(a argument) bool { return a.name == key })
}

// isEmpty reports whether an argument says nothing.
func isEmpty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case bool:
		return !v
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// move applies the arguments that name a directory. Those that the agent's own
// tool is not known to have may count or not: the call must be allowed in either
// directory.
func (r reader) move(fields []string) {
	base, alias := r.call.Dir, r.call.Tool
	moved := false
	for _, field := range fields {
		text, ok := r.textOf(field)
		if !ok {
			continue
		}
		dir, why := r.directory(base, text)
		if why != "" {
			r.doubt("%q must be a directory, absolute or relative to that of the call: %s", field, why)
			if dir != "" {
				r.alsoIn(dir) // for the floor
			}
			continue
		}
		switch {
		case !takes(alias, field):
			r.alsoIn(dir)
		case moved && dir != r.call.Dir:
			r.doubt("several arguments name the directory, %s and %s: give one", clip.Text(r.call.Dir, maxQuoted), clip.Text(dir, maxQuoted))
			r.alsoIn(dir)
		default:
			r.moveTo(dir)
			moved = true
		}
	}
	r.otherDirs = slices.DeleteFunc(r.otherDirs, func(dir string) bool { return dir == r.call.Dir })
}

func (r reader) alsoIn(dir string) {
	if !slices.Contains(r.otherDirs, dir) {
		r.otherDirs = append(r.otherDirs, dir)
	}
}

// textOf returns an argument that must be a text; "" and null are none.
func (r reader) textOf(field string) (string, bool) {
	v, given := r.call.Input[field]
	if !given || v == nil {
		return "", false
	}
	text, ok := v.(string)
	if !ok {
		r.doubt("%q must be a string", field)
	}
	return text, text != ""
}

// directory returns the directory that an argument names, or why that is not
// known, with what it may be.
func (r reader) directory(base, text string) (dir, why string) {
	switch {
	case strings.TrimSpace(text) != text || strings.ContainsFunc(text, unicode.IsControl):
		return "", "it starts or ends with blanks or control characters"
	}
	path, isURL := weburl.File(text)
	path = permission.ExpandHome(path, r.call.Home)
	switch {
	case isURL:
		return path, "it is a URL"
	case strings.Contains(text, "://"):
		return "", "it is a URL"
	case strings.HasPrefix(path, "~") || strings.ContainsAny(path, "$`"):
		return "", "the value of " + clip.Text(text, maxQuoted) + " is unknown"
	case base == "" && !shell.IsAbs(path):
		return "", "the directory of the call is unknown"
	}
	at := r.view.Place(base, path)
	if !at.Sure {
		return at.Text, "where " + clip.Text(text, maxQuoted) + " leads is unknown"
	}
	return at.Real, ""
}

// setEnv reads the arguments that hold variables.
func (r reader) setEnv(env *eval.Env, fields []string) {
	for _, field := range fields {
		vars, ok := variables(r.call.Input[field])
		if !ok {
			r.doubt("%q must be an object of strings, or a list of NAME=VALUE", field)
		}
		for i := range vars {
			vars[i].Value.Open = !takes(r.call.Tool, field)
		}
		env.Vars = append(env.Vars, vars...)
	}
}

// variables reads an object of variables or a list of NAME=VALUE.
func variables(v any) (out []command.Var, ok bool) {
	ok = true
	add := func(name, value string, known bool) {
		if ok = ok && known && command.ValidName(name); ok {
			out = append(out, command.Var{Name: name, Value: shell.Set{Values: []string{value}}})
		}
	}
	switch v := v.(type) {
	case nil:
	case map[string]any:
		for _, name := range sortedKeys(v) {
			value, known := scalar(v[name])
			add(name, value, known)
		}
	case map[string]string:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			add(name, v[name], true)
		}
	case []any:
		for _, e := range v {
			text, _ := e.(string)
			name, value, known := strings.Cut(text, "=")
			if m, ok := e.(map[string]any); ok { // {"name": …, "value": …}
				if name, known = m["name"].(string); known {
					value, known = scalar(m["value"])
				}
			}
			add(name, value, known)
		}
	case []string:
		for _, text := range v {
			name, value, known := strings.Cut(text, "=")
			add(name, value, known)
		}
	default:
		return nil, false
	}
	return out, ok
}

// scalar returns the text of a string, a number or a boolean.
func scalar(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, !strings.Contains(v, "\x00")
	case bool:
		return strconv.FormatBool(v), true
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), true
	case fmt.Stringer: // json.Number
		return v.String(), true
	}
	return "", false
}

// setShell reads the arguments that name a shell. One that the agent's own tool
// is not known to have leaves open which shell runs.
func (r reader) setShell(env *eval.Env, fields []string) {
	for _, field := range fields {
		path, ok := r.textOf(field)
		if !ok {
			continue
		}
		name := program.BareName(path)
		if name == "" || strings.ContainsAny(name, " \t|") {
			r.doubt("%q must name a shell, as in \"bash\": %s is not a shell of this system", field, clip.Text(path, maxQuoted))
			continue
		}
		switch {
		case !shell.Readable(name):
			r.doubt("lines for %s cannot be read", clip.Text(name, maxQuoted)) // the floor looks at them as at those for any other
			r.told = name
		case takes(r.call.Tool, field) && env.Shell == "":
			env.Shell = name
		case env.Shell != "" && env.Shell != name:
			env.Shell += "|" + name
		}
	}
	if env.Shell != r.call.Shell {
		r.moveTo(r.call.Dir)
		r.moved.Shell = env.Shell
	}
}

// setInput reads the arguments that hold the text on the standard input.
func (r reader) setInput(env *eval.Env, fields []string) {
	for _, field := range fields {
		v, given := r.call.Input[field]
		if !given || v == nil {
			continue
		}
		text, ok := v.(string)
		if !ok || env.Input != nil {
			r.doubt("%q must be one string", field)
		}
		env.Input = &shell.Set{Values: []string{text}, Open: !takes(r.call.Tool, field)}
	}
}
