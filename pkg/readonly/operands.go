package readonly

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/sensitive"
	"github.com/policyctl/policyctl/pkg/shell"
)

// operands checks the number of operands and the paths among them.
func (v *proving) operands() bool {
	e := v.entry
	kind, skip := e.Operands, 0
	if n, rest, ok := strings.Cut(kind, " "); ok {
		kind, skip = rest, int(n[0]-'0')
	}
	max := e.Max
	if kind == "none" {
		max = -1
	}
	if max != 0 && len(v.args) > 0 {
		if len(v.args) > max {
			return v.failf(v.c.Words[v.args[len(v.args)-1]].Span, "%s is given more operands than only reading takes", v.c.Name)
		}
		for _, i := range v.args {
			if v.c.Words[i].Many {
				return v.fail(v.c.Words[i].Span, "the word may become several operands")
			}
		}
	}
	if kind != "path" {
		return true
	}
	for k, i := range v.args {
		if k >= skip && !v.path(v.c.Words[i]) {
			return false
		}
	}
	return v.recursion(skip)
}

// recursion keeps programs that read contents from reading all of a home.
func (v *proving) recursion(skip int) bool {
	e := v.entry
	if e.Recursive == "" || e.Recursive != "*" && !v.hasAny(e.Recursive) {
		return true
	}
	if len(v.args) <= skip {
		return v.tree(shell.Word{Set: shell.Set{Values: []string{"."}}, Span: v.c.Span})
	}
	for _, i := range v.args[skip:] {
		if !v.tree(v.c.Words[i]) {
			return false
		}
	}
	return true
}

func (v *proving) tree(w shell.Word) bool {
	for _, p := range shell.Paths(v.c.Dir, w.Set) {
		if e, ok := sensitive.MayFind(strings.TrimSuffix(p, "/")+"/**", v.p.Home, sensitive.Secret); ok {
			return v.failf(w.Span, "what lies below %s includes what %s", p, e.Why)
		}
	}
	return true
}

func (v *proving) has(any ...string) bool {
	for _, g := range v.given {
		for _, n := range any {
			if g == n {
				return true
			}
		}
	}
	return false
}

// hasAny says whether one of several options, blanks between them, is given.
func (v *proving) hasAny(list string) bool {
	for name := range strings.FieldsSeq(list) {
		if v.has(name) {
			return true
		}
	}
	return false
}

// path checks that a word names no secret.
func (v *proving) path(w shell.Word) bool {
	for _, p := range shell.Paths(v.c.Dir, w.Set) {
		find := sensitive.FindRole
		if w.Glob {
			find = sensitive.MayFind
		}
		if e, ok := find(p, v.p.Home, sensitive.Secret); ok {
			return v.failf(w.Span, "the path is sensitive: it %s", e.Why)
		}
	}
	if w.Open && w.Prefix != "" && len(w.Values) == 0 {
		p := shell.Abs(first(v.c.Dir), w.Prefix)
		if e, ok := sensitive.FindRole(p, v.p.Home, sensitive.Secret); ok {
			return v.failf(w.Span, "the path may be sensitive: it %s", e.Why)
		}
	}
	if t, ok := w.Literal(); ok && strings.HasPrefix(t, "/dev/") && !strings.HasPrefix(t, "/dev/fd/") && !strings.HasPrefix(t, "/dev/std") && t != "/dev/null" && t != "/dev/tty" && t != "/dev/zero" && t != "/dev/urandom" && t != "/dev/random" {
		return v.failf(w.Span, "%s is a device", t)
	}
	if v.p.Shell != "bash" && v.p.Shell != "sh" && v.p.Shell != "dash" && !w.Quoted {
		if t, ok := w.Literal(); ok && strings.HasPrefix(t, "=") {
			return v.fail(w.Span, "zsh replaces the word by the path of a program")
		}
	}
	return true
}

func first(s shell.Set) string {
	if len(s.Values) == 0 {
		return ""
	}
	return s.Values[0]
}

// repository asks whether the repository's configuration names programs.
func (v *proving) repository() bool {
	e := v.entry
	if e.Git == "" || e.Git != "always" && !v.hasAny(e.Git) {
		return true
	}
	dir, ok := v.dir().Literal()
	if v.p.Git == nil || !ok {
		return v.fail(v.c.Span, "the repository's configuration may name programs that git runs, and it is not known")
	}
	programs, ok := v.p.Git(dir)
	if !ok {
		return v.fail(v.c.Span, "the repository's configuration could not be read")
	}
	if len(programs) > 0 {
		return v.failf(v.c.Span, "the repository's configuration names programs that git runs: %s", strings.Join(programs, ", "))
	}
	return true
}

// dir returns the directory in which git works.
func (v *proving) dir() shell.Set {
	dir := v.c.Dir
	for i := range v.c.Args.Options {
		if o := &v.c.Args.Options[i]; o.Is("C") && o.HasArg && o.At < v.c.Args.Verb {
			dir = shell.Set{Values: shell.Paths(dir, o.Arg.Set), Open: dir.Open || o.Arg.Open || o.Arg.Glob}
		}
	}
	return dir
}
