package readonly

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/sensitive"
)

// operands checks the number of operands and the paths among them.
func (v *attempt) operands() bool {
	e := v.reads
	kind, skip := v.entry.ReadOperands(), v.skip()
	if _, rest, counted := strings.Cut(kind, " "); counted {
		kind = rest
	}
	max := e.Max
	if kind == "none" {
		max = -1
	}
	if max != 0 && len(v.args) > 0 && !v.atMost(max) {
		return false
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

// atMost checks the number of operands.
func (v *attempt) atMost(max int) bool {
	if len(v.args) > max {
		last := v.c.Words[v.args[len(v.args)-1]].Span
		if why := program.WhyOperand(v.c.Name); why != "" {
			return v.failf(last, "the last operand of %s %s", v.c.Called(), why)
		}
		return v.failf(last, "%s has more operands than its read-only form takes", v.c.Called())
	}
	for _, i := range v.args {
		if v.several(&v.c.Words[i]) {
			v.fail(v.c.Words[i].Span, "the word may expand to several operands")
			if v.fromFind(&v.c.Words[i]) {
				return v.instead(`end -exec with \; instead of +`)
			}
			return v.instead("put it in double quotes")
		}
	}
	return true
}

// several reports whether a word may become several, as {} of find -exec does
// before a plus.
func (v *attempt) several(w *shell.Word) bool {
	if w.Many || w.Splits {
		return true
	}
	if !v.fromFind(w) {
		return false
	}
	find := &v.line.Commands[v.c.Parent]
	for i := range find.Words {
		if find.Words[i].Has("+") {
			return true
		}
	}
	return false
}

// skip returns how many operands come before the paths.
func (v *attempt) skip() int {
	n, _, ok := strings.Cut(v.entry.ReadOperands(), " ")
	if !ok || slices.ContainsFunc(v.c.Args.Options, func(o command.Option) bool { return o.Spec != nil && o.Spec.Drop }) {
		return 0
	}
	return int(n[0] - '0')
}

// recursion keeps programs that read contents from reading all of a home.
func (v *attempt) recursion(skip int) bool {
	e := v.reads
	if e.Recursive == "" || e.Recursive != "*" && !v.hasAny(e.Recursive) {
		return true
	}
	if len(v.args) <= skip {
		return v.tree(shell.Word{Set: shell.Set{Values: []string{"."}}, Span: v.c.Span}, v.c, walkOf(v.c))
	}
	for _, i := range v.args[skip:] {
		if !v.tree(v.c.Words[i], v.c, walkOf(v.c)) {
			return false
		}
	}
	return true
}

// tree checks that a command may read those files below a directory that it
// chooses.
func (v *attempt) tree(w shell.Word, c *command.Command, walk *program.Walk) bool {
	if v.p.Reads != nil {
		v.read = append(v.read, w)
	}
	if v.listsOnly() && v.reads.Recursive != "" {
		return true
	}
	for _, p := range raw(v.c.Dir, w.Set) {
		if real, ok := v.realDir(p); ok && !v.noSecretBelow(real, &w) {
			return false
		}
	}
	for _, p := range shell.Paths(v.c.Dir, w.Set) {
		if v.ordinary(p) {
			continue
		}
		if !v.endlessBelow(&w, p) {
			return false
		}
		if e, ok := sensitive.MayFind(strings.TrimSuffix(p, "/")+"/**", v.p.Home, sensitive.Secret); ok {
			return v.failf(w.Span, "a path below %s %s", p, e.Why)
		}
	}
	return v.p.Below == nil || v.clear(w, chosen(c, walk))
}

func (v *attempt) has(any ...string) bool {
	for _, g := range v.given {
		for _, n := range any {
			if g == n {
				return true
			}
		}
	}
	return false
}

// hasAny reports whether one of several options, blanks between them, is given.
func (v *attempt) hasAny(list string) bool {
	for name := range strings.FieldsSeq(list) {
		if v.has(name) {
			return true
		}
	}
	return false
}

// path checks that a word names no secret, and notes it as one that is read.
func (v *attempt) path(w shell.Word) bool {
	if v.p.Reads != nil {
		v.read = append(v.read, w)
	}
	listed := v.listsOnly()
	if e, ok := v.secret(w.Set); ok && !listed && !(v.fromFind(&w) && v.foundClear(&v.line.Commands[v.c.Parent])) {
		return v.failf(w.Span, "the path is sensitive: it %s", e.Why)
	}
	if !listed && (!v.leads(&w) || !v.clearFiles(&w)) {
		return false
	}
	if w.Open && !listed && !v.openPath(&w) || !v.substituted(&w) || !v.looped(&w) || !v.noDevice(&w) {
		return false
	}
	return true
}

// openPath checks what is known of a path of which a part is not.
func (v *attempt) openPath(w *shell.Word) bool {
	for _, dir := range dirs(v.c.Dir) {
		if w.Partial != "" && w.Partial != shell.UnknownText {
			p := shell.Abs(dir, strings.ReplaceAll(w.Partial, shell.UnknownText, "*"))
			if e, ok := sensitive.MayFind(p, v.p.Home, sensitive.Secret); ok {
				return v.failf(w.Span, "the path may be sensitive: it %s", e.Why)
			}
		}
		if w.Prefix == "" || len(w.Values) > 0 {
			continue
		}
		if e, ok := sensitive.FindIn(dir, w.Prefix, v.p.Home, sensitive.Secret); ok {
			return v.failf(w.Span, "the path may be sensitive: it %s", e.Why)
		}
	}
	return true
}

// noDevice refuses devices, and the names for which bash connects to a host.
func (v *attempt) noDevice(w *shell.Word) bool {
	if w.Open && w.Prefix != "" && (isDevice(w.Prefix) || shell.Clean(w.Prefix) == "/dev") {
		return v.failf(w.Span, "%s… may be a device", w.Prefix)
	}
	v.noteEndless(w)
	found := v.fromFind(w) && v.reads != nil && !v.reads.Unopened
	for _, t := range w.Values {
		if found && !v.endlessBelow(w, shell.Clean(t)) {
			return false
		}
		if strings.HasPrefix(shell.Clean(t), "/net/") {
			return v.failf(w.Span, "%s may be on another host, which is mounted on access", t)
		}
		if isDevice(t) || v.c.Dir.Has("/dev") && !strings.HasPrefix(t, "/") && isDevice("/dev/"+t) {
			return v.failf(w.Span, "%s is a device", t)
		}
	}
	return true
}

// isDevice reports whether a path lies below /dev and is none of the places there
// that hold nothing of their own.
func isDevice(path string) bool {
	if len(path) < 5 || path[0] != '/' || !strings.Contains(path, "dev") {
		return false
	}
	name, ok := strings.CutPrefix(shell.Clean(path), "/dev/")
	if !ok {
		return false
	}
	for _, harmless := range [...]string{"null", "zero", "tty", "random", "urandom", "stdin", "stdout", "stderr", "fd", "shm"} {
		if name == harmless {
			return false
		}
	}
	return !strings.HasPrefix(name, "fd/") && !strings.HasPrefix(name, "shm/")
}

// secret returns the entry of a secret that a set of paths names.
func (v *attempt) secret(s shell.Set) (*sensitive.Entry, bool) {
	if !s.Glob && len(v.c.Dir.Values) <= 1 {
		for _, t := range s.Values {
			if e, ok := sensitive.FindIn(dirs(v.c.Dir)[0], t, v.p.Home, sensitive.Secret); ok {
				return e, true
			}
		}
		return nil, false
	}
	find := sensitive.FindRole
	if s.Glob {
		find = sensitive.MayFind
	}
	for _, p := range shell.Paths(v.c.Dir, s) {
		if e, ok := find(p, v.p.Home, sensitive.Secret); ok {
			return e, true
		}
	}
	return nil, false
}
