package permission

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/internal/support/weburl"
)

// A form says how the paths of a resolved command are written.
type form uint8

// The forms.
const (
	forAllow form = iota // as seen from the project, with ./ and a slash at the end where they were
	forDeny              // as seen from the project, without
	absolute             // from the root
	forms
)

// A resolver replaces the paths and URLs of one command by what they lead to.
type resolver struct {
	*View
	c    *command.Command
	form form
}

// resolved returns a command with its paths where they lead: without "..",
// after every link, and as seen from the project's directory, wherever the
// command runs; c itself if nothing changes. An allow must cover the command in
// both forms, a deny matches in either.
func (in *View) resolved(c *command.Command, v form) *command.Command {
	t := in.text(c)
	if t.forms[v] == nil {
		x := resolver{in, c, v}
		t.forms[v] = x.command()
	}
	return t.forms[v]
}

func (x *resolver) command() *command.Command {
	var words []shell.Word
	for i := range x.c.Words {
		s, changed := x.word(i)
		if !changed {
			continue
		}
		if words == nil {
			words = slices.Clone(x.c.Words)
		}
		words[i].Set = s
	}
	if words == nil {
		return x.c
	}
	out := *x.c
	out.Words = words
	out.Path, _ = words[0].Literal()
	return &out
}

// word returns what word i leads to, and whether that differs from the word.
func (x *resolver) word(i int) (shell.Set, bool) {
	w := &x.c.Words[i]
	role, isPath := x.role(i)
	switch role {
	case program.RoleCode, program.RoleText, program.RoleJoined:
		return w.Set, false
	}
	if i == 0 && x.c.Path == "" {
		return w.Set, false
	}
	isPath = isPath && i > 0
	if w.Open {
		up := x.form == forAllow && i > 0 && (strings.Contains(w.Prefix, "/") || isPath && w.Prefix != "")
		if up {
			return shell.Set{Open: true}, true // what follows may lead up again
		}
		return w.Set, false
	}
	return x.values(i, role, isPath)
}

// values returns what the values of word i lead to, and whether that differs.
func (x *resolver) values(i int, role program.Role, isPath bool) (shell.Set, bool) {
	w := &x.c.Words[i]
	var out []string
	changed := false
	for k, v := range w.Values {
		if x.isSettled(v, i, role, isPath) {
			if changed {
				out = append(out, v)
			}
			continue
		}
		list, ok := x.value(v, i, role, isPath)
		if !ok {
			return shell.Set{Open: true}, true
		}
		if !changed && (len(list) != 1 || list[0] != v) {
			out, changed = slices.Clone(w.Values[:k]), true
		}
		if changed {
			out = append(out, list...)
		}
	}
	if !changed {
		return w.Set, false
	}
	s := w.Set
	s.Values = out
	if s.Glob = s.Glob && len(out) > 0; s.Glob { // where the directory is unknown, the pattern as it is spelt counts alone
		s.Prefix = out[0][:strings.IndexAny(out[0]+"*", `*?[\`)]
	}
	return s, true
}

// isSettled says, as a quick answer for most words, whether a value is no path
// or URL that may lead elsewhere than it reads.
func (x *resolver) isSettled(v string, i int, role program.Role, isPath bool) bool {
	if role == program.RoleHost || strings.Contains(v, "://") {
		return false
	}
	spelt := v
	if x.form == forAllow {
		spelt = strings.TrimPrefix(v, "./")
	}
	switch {
	case hasDots(spelt), x.form == absolute:
		return false
	case !isPath && !strings.Contains(v, "/"):
		return true
	case x.World != nil:
		return false
	}
	dir, ok := x.c.Dir.Literal()
	return ok && dir == x.Base() && (i == 0 || !x.moved(i)) && !strings.HasSuffix(v, "/") && !strings.HasPrefix(v, "/proc/")
}

// role returns what the program does with word i, and whether that is a path.
func (x *resolver) role(i int) (program.Role, bool) {
	for _, o := range x.c.Args.Operands {
		if o.At == i {
			return o.Role, isPathRole(o.Role)
		}
	}
	for k := range x.c.Args.Options {
		o := &x.c.Args.Options[k]
		if o.HasArg && o.Spec != nil && i > o.At && i < o.End {
			return o.Spec.Role, isPathRole(o.Spec.Role)
		}
		if o.HasArg && o.Spec != nil && i == o.At && !isPathRole(o.Spec.Role) && o.Spec.Role != program.RoleData {
			return o.Spec.Role, false
		}
	}
	return program.RoleData, false
}

func isPathRole(r program.Role) bool {
	switch r {
	case program.RoleRead, program.RoleSend, program.RoleWrite, program.RoleDelete, program.RoleMove, program.RoleAlter, program.RoleDir, program.RoleExec:
		return true
	}
	return false
}

// value returns what a value of word i leads to; ok is false where that is not
// known.
func (x *resolver) value(v string, i int, role program.Role, isPath bool) (list []string, ok bool) {
	if strings.Contains(v, "://") || role == program.RoleHost {
		return x.url(v)
	}
	head := ""
	if at := strings.IndexByte(v, '='); at > 0 && !isPath && !strings.Contains(v[:at], "/") {
		head, v = v[:at+1], v[at+1:]
	}
	if v == "" || v == "-" || !x.isPath(v, head, i, isPath) {
		return []string{head + v}, true
	}
	dirs := x.dirs(i)
	if strings.HasPrefix(v, "/") {
		dirs = []string{""}
	}
	if len(dirs) == 0 {
		return nil, x.form != forAllow
	}
	for _, dir := range dirs {
		at, ok := x.at(dir, v, i)
		if !ok {
			return nil, false
		}
		for _, p := range at {
			list = append(list, head+p)
		}
	}
	return list, true
}

// isPath reports whether a value is looked at as a path: the program takes it for
// one, or it spells one.
func (x *resolver) isPath(v, head string, i int, isPath bool) bool {
	switch {
	case isPath, hasDots(v):
		return true
	case !strings.Contains(v, "/") || head == "" && strings.HasPrefix(v, "-"):
		return false
	}
	return i == 0 || x.c.Args.Program == nil || strings.HasPrefix(v, "/") || x.moved(i)
}

// moved reports whether an option moves the command to another directory.
func (x *resolver) moved(i int) bool {
	if x.c.Args.Program == nil || len(x.c.Args.Options) == 0 {
		return false
	}
	return !slices.Equal(x.c.DirAt(i).Values, x.c.Dir.Values)
}

// hasDots reports whether a path has an element that cleaning takes away.
func hasDots(v string) bool {
	if !strings.Contains(v, "/") {
		return v == ".."
	}
	return strings.Contains(v, "//") || strings.HasPrefix(v, "./") || strings.HasPrefix(v, "../") ||
		strings.Contains(v, "/./") || strings.Contains(v, "/../") || strings.HasSuffix(v, "/.") || strings.HasSuffix(v, "/..")
}

// dirs returns the directories in which a relative path may be meant, none
// where they are unknown. A cd before may have failed.
func (x *resolver) dirs(i int) []string {
	dir := x.c.Dir
	if i > 0 {
		dir = x.c.DirAt(i)
	}
	switch {
	case x.form != forAllow && len(dir.Values) > 0:
		return dir.Values
	case dir.Open || dir.Glob:
		return nil
	case x.c.In(command.Adrift) && !dir.Has(x.Dir):
		return append(slices.Clone(dir.Values), x.Dir)
	case len(dir.Values) == 0 && x.Dir == "":
		return []string{""}
	}
	return dir.Values
}

// at returns where a path leads from a directory, as the form shows it.
func (x *resolver) at(dir, v string, i int) ([]string, bool) {
	w := &x.c.Words[i]
	if w.Glob {
		if strings.Contains("/"+v+"/", "/../") {
			return nil, false
		}
		reals, ok := x.Linked(shell.Set{Values: []string{dir}}, shell.Set{Values: []string{v}, Glob: true})
		if !ok || len(reals) > 0 && x.form == forAllow {
			return nil, false
		}
		return append([]string{x.show(shell.Abs(dir, v), v, i)}, reals...), true
	}
	p := x.Place(dir, v)
	if !p.Sure {
		return []string{x.show(p.Text, v, i)}, x.form != forAllow
	}
	list := []string{x.show(p.Real, v, i)}
	if x.form != forAllow && p.Real != p.Text {
		list = append(list, x.show(p.Text, v, i))
	}
	return list, true
}

// show writes an absolute path as the form does. v is how it was written.
func (x *resolver) show(path, v string, i int) string {
	if strings.HasPrefix(v, "/") && x.form == forAllow || x.form == absolute {
		return slashed(path, v, x.form)
	}
	base := x.Base()
	rest, ok := below(path, base)
	switch {
	case path == base:
		return slashed(".", v, x.form)
	case !ok:
		return slashed(path, v, x.form)
	}
	if strings.HasPrefix(v, "./") && x.form == forAllow || i == 0 {
		rest = "./" + rest
	}
	return slashed(rest, v, x.form)
}

// slashed keeps the slash at the end of a path.
func slashed(path, v string, form form) string {
	if form == forAllow && strings.HasSuffix(v, "/") && !strings.HasSuffix(path, "/") {
		return path + "/"
	}
	return path
}

// url returns the readings of a URL: for an allow the one that there is.
func (x *resolver) url(v string) ([]string, bool) {
	if x.form != forAllow {
		return weburl.Readings(v), true
	}
	if !strings.Contains(v, "://") {
		return []string{v}, true
	}
	one, ok := weburl.Canonical(v)
	if ok && weburl.Same(one, v) {
		one = v
	}
	return []string{one}, ok
}
