package readonly

import (
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/sensitive"
)

// namesNoSecret checks the names that find looks for, where something then
// reads the files.
func (v *attempt) namesNoSecret(c *command.Command) bool {
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		if !o.HasArg || !o.Is("name") && !o.Is("iname") && !o.Is("path") && !o.Is("ipath") && !o.Is("wholename") && !o.Is("iwholename") && !o.Is("regex") && !o.Is("iregex") && !o.Is("lname") && !o.Is("ilname") && !o.Is("samefile") {
			continue
		}
		if negated(c, o.At) {
			continue
		}
		for _, t := range o.Arg.Values {
			if plainName(t) {
				continue
			}
			if e, ok := sensitive.MayFind(t, v.p.Home, sensitive.Secret); ok && !v.foundClear(c) {
				return v.failf(o.Arg.Span, "the word may name a file that %s", e.Why)
			}
		}
	}
	for _, o := range c.Args.Operands {
		if c.Words[o.At].Known() && !v.tree(c.Words[o.At], c, &program.Walk{}) {
			return false
		}
	}
	return len(c.Args.Operands) > 0 || v.p.Below == nil || v.clear(roots(c)[0], findFilter(c))
}

// onlyNames reports whether the command, or what it runs, tells nothing of what
// is in the files that it is given.
func (v *attempt) onlyNames() bool {
	found := false
	for k := v.index + 1; k < len(v.line.Commands); k++ {
		if c := &v.line.Commands[k]; c.Parent == v.index {
			found = true
			if !lister(c.Name) {
				return false
			}
		}
	}
	return found || lister(v.c.Name)
}

// lister reports whether a program never tells what is in files.
func lister(name string) bool {
	e := reading(name)
	return e != nil && e.Lists == "*"
}

// listsOnly reports whether the program, given these options, tells nothing of
// what is in files.
func (v *attempt) listsOnly() bool {
	return v.reads != nil && (v.reads.Lists == "*" || v.hasAny(v.reads.Lists))
}

// negated reports whether one -not or ! stands before the test at index i, is not
// the argument of another test, and no other stands before parentheses.
func negated(c *command.Command, i int) bool {
	not := func(k int) bool { return k > 0 && (is(&c.Words[k], "-not") || is(&c.Words[k], "!")) }
	for k := 1; k < len(c.Words); k++ {
		if c.Words[k].Has("(") && not(k-1) {
			return false
		}
	}
	for k := range c.Args.Options {
		if o := &c.Args.Options[k]; o.HasArg && o.At == i-2 {
			return false
		}
	}
	return not(i-1) && !not(i-2)
}

// plainName reports whether a pattern is a star and an extension of source code,
// as most are: it names no secret.
func plainName(t string) bool {
	switch strings.TrimPrefix(t, "*") {
	case ".go", ".py", ".ts", ".tsx", ".js", ".jsx", ".rs", ".java", ".c", ".h", ".cc", ".cpp", ".md", ".rb", ".sh", ".html", ".css":
		return true
	}
	return false
}

// listed checks the commands that print the names of files which another one
// then reads, at the end of a pipe or of a substitution: they must not look
// for secrets.
func (v *attempt) listed(i int) bool {
	if v.onlyNames() {
		return true
	}
	for ; i >= 0; i = v.line.Commands[i].Source {
		if !v.lists(&v.line.Commands[i]) {
			return false
		}
	}
	return true
}

// lists checks one command that prints names of files, or passes them on.
func (v *attempt) lists(c *command.Command) bool {
	if c.Finds() {
		return v.namesNoSecret(c)
	}
	if listsHidden(c) {
		return v.fail(c.Span, "it names hidden files, which may hold secrets")
	}
	return v.spellsNoSecret(c) && v.listedClear(c)
}

// listsHidden reports whether a command names hidden files that nothing spells.
func listsHidden(c *command.Command) bool {
	if c.How("speaks") == "git" {
		return c.Args.Sub == "status" || c.Args.Has("o", "others", "i", "ignored")
	}
	e, walk := reading(c.Name), walkOf(c)
	if e == nil || e.Lists == "" {
		return false
	}
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		if isAny(o, walk.Hidden) || o.Spec == nil && bundled(&c.Words[o.At], walk.Hidden) {
			return true
		}
	}
	return false
}

// bundled reports whether a word that no grammar reads may be a bundle with
// one of several options of a letter.
func bundled(w *shell.Word, names string) bool {
	t, _ := w.Literal()
	for name := range strings.FieldsSeq(names) {
		if len(name) == 1 && len(t) > 1 && t[0] == '-' && t[1] != '-' && strings.Contains(t, name) {
			return true
		}
	}
	return false
}

// spellsNoSecret checks that no argument of a command that names files is, or
// is a part of, the name of a secret.
func (v *attempt) spellsNoSecret(c *command.Command) bool {
	for i := 1; i < len(c.Words); i++ {
		w := &c.Words[i]
		if inverted := is(w, "-v") || is(w, "--invert-match"); inverted && c.Of("inverts") {
			return true
		}
		if !v.noSecretsName(c, w) {
			return false
		}
		for k := range c.Args.Options {
			if o := &c.Args.Options[k]; o.At == i && o.End == i+1 && o.HasArg && !v.noSecretsName(c, &o.Arg) {
				return false // what is glued to it
			}
		}
	}
	return true
}

// noSecretsName checks that a word is not, and is no part of, the name of a secret.
func (v *attempt) noSecretsName(c *command.Command, w *shell.Word) bool {
	if e, ok := v.secret(w.Set); ok && w.Glob {
		return v.failf(w.Span, "the pattern may name a file that %s", e.Why)
	}
	for _, t := range w.Values {
		if e, ok := v.spelled(c.Dir, t); ok && !w.Glob {
			return v.failf(w.Span, "the word may name a file that %s", e.Why)
		}
	}
	return true
}

// spelled returns the entry of a secret of which a pattern may be the name.
func (v *attempt) spelled(dir shell.Set, pattern string) (*sensitive.Entry, bool) {
	if len(pattern) < 3 || strings.HasPrefix(pattern, "-") {
		return nil, false
	}
	name := strings.Trim(pattern, `^$\.*`)
	for _, d := range dirs(dir) {
		for _, n := range [2]string{name, "." + name} {
			if e, ok := sensitive.FindRole(shell.Abs(d, n), v.p.Home, sensitive.Secret); ok {
				return e, true
			}
		}
	}
	return nil, false
}

// substituted checks what lists the files of a word that is a substitution.
func (v *attempt) substituted(w *shell.Word) bool {
	if !w.Open || !strings.ContainsAny(v.source(w.Span), "(`") {
		return true
	}
	for k := range v.line.Commands {
		c := &v.line.Commands[k]
		if c.In(command.InSubst) && c.Span.From >= w.Span.From && c.Span.To <= w.Span.To && c.Span != w.Span && k != v.index && !v.listed(k) {
			return false
		}
	}
	return true
}

// looped checks what lists the files of which a loop reads one after another.
func (v *attempt) looped(w *shell.Word) bool {
	if !w.Open || !v.c.In(command.InLoop) || v.onlyNames() {
		return true
	}
	return v.piping()
}

// piping checks all that is printed before for another command to read. It
// stands in where a loop or a group prints the names.
func (v *attempt) piping() bool {
	for k := range v.index {
		c := &v.line.Commands[k]
		if (c.In(command.Piping) || c.In(command.InSubst)) && !v.lists(c) {
			return false
		}
	}
	return true
}

// xargs checks that what it appends names no secret. What it runs judges
// whether a name may become an option.
func xargs(v *attempt) bool {
	if !v.listed(v.c.Source) || v.c.Source < 0 && v.c.In(command.Piped) && !v.onlyNames() && !v.piping() {
		return false
	}
	v.runs = v.c.Args.Payload > 0
	return true
}

// fromFind reports whether a word is the {} of find -exec, which begins as the
// place where find starts and is therefore no option.
func (v *attempt) fromFind(w *shell.Word) bool {
	if v.c.Parent < 0 || strings.Trim(v.source(w.Span), `'"`) != "{}" {
		return false
	}
	p := &v.line.Commands[v.c.Parent]
	return p.Finds() && !p.Args.Has("execdir", "okdir")
}
