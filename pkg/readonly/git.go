package readonly

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/sensitive"
)

// repository asks whether the repository's configuration names programs. Verbs
// that run what it names need an answer. The others run a pager or check
// signatures at most: they need one only where it is to be had.
func (v *attempt) repository() bool {
	e := v.entry
	all := e.Reads.Git == "always" || v.hasAny(e.Reads.Git) || v.c.How("speaks") == "git" && v.readsIndex()
	if v.c.How("speaks") == "git" && !(v.settings() && v.namesNoContent()) {
		return false
	}
	if !all && (v.p.Git == nil || v.c.How("speaks") != "git" || v.c.Args.Verb == 0 || e.Names == "version") {
		return true
	}
	dir := v.dir()
	if v.p.Git == nil || !dir.Known() {
		return v.fail(v.c.Span, "the repository's configuration may name programs that git runs, and it is unknown")
	}
	for _, d := range dir.Values {
		settings, ok := v.p.Git(d)
		if !ok {
			return v.fail(v.c.Span, "the repository's configuration could not be read")
		}
		for _, s := range settings {
			if all || !idle(s) {
				return v.failf(v.c.Span, "the repository's configuration names programs that git runs: %s", strings.Join(settings, ", "))
			}
		}
	}
	return true
}

// inert are the settings that git may be given with -c: they change how it
// prints, or keep it from running something (git-config(1)).
func inert(setting string) bool {
	switch setting {
	case "color.ui=never", "color.ui=false", "color.ui=always", "color.ui=auto", "color.status=never", "color.status=always", "color.diff=never",
		"core.quotepath=off", "core.quotepath=false", "core.quotePath=off", "core.quotePath=false", "core.pager=cat", "core.fsmonitor=false",
		"pager.log=false", "pager.diff=false", "pager.show=false", "pager.branch=false", "advice.detachedHead=false":
		return true
	}
	return false
}

// settings checks what -c before the verb sets.
func (v *attempt) settings() bool {
	for i := range v.c.Args.Options {
		o := &v.c.Args.Options[i]
		if !o.Is("c") || !o.HasArg || v.c.Args.Verb > 0 && o.At > v.c.Args.Verb {
			continue
		}
		if t, ok := o.Arg.Literal(); !ok || !inert(t) {
			v.fail(v.c.Words[o.At].Span, "the option -c of git sets configuration, which may name programs")
			return v.instead("leave it out")
		}
	}
	return true
}

// readsIndex reports whether a word may name an object of the index, as in
// :path, HEAD..:path or --contains=:path: reading the index may run
// core.fsmonitor. Behind -- log has paths only.
func (v *attempt) readsIndex() bool {
	paths := v.entry.Names == "log" || v.entry.Names == "shortlog" || v.entry.Names == "rev-list"
	for i := range v.c.Words {
		w := &v.c.Words[i]
		t, literal := w.Literal()
		switch {
		case paths && literal && t == "--":
			return false
		case !w.Known() && !w.Number:
			return true
		}
		for _, t := range w.Values {
			for at := range len(t) {
				if t[at] == ':' && (at == 0 || strings.IndexByte(".^=", t[at-1]) >= 0) {
					return true
				}
			}
		}
	}
	return false
}

// idle reports whether a setting does nothing for verbs that show no contents and
// no changes.
func idle(setting string) bool {
	for _, start := range []string{"core.fsmonitor", "core.worktree", "diff.", "filter.", "merge.", "lfs.", "hook.", "hooks/", "status."} {
		if strings.HasPrefix(setting, start) {
			return true
		}
	}
	return false
}

// namesNoContent checks that git shows no secret: outside of a repository, diff
// and grep read any file, and within one an operand may be a path or end in
// one, as in HEAD:path.
func (v *attempt) namesNoContent() bool {
	e := v.entry
	if !e.Is("", "contents") && (e.Names != "log" || !v.hasAny(e.Reads.Git)) {
		return true
	}
	args := v.args
	if e.Names == "grep" && len(args) > 0 && !v.has("e") {
		args = args[1:]
	}
	for _, i := range args {
		w := v.c.Words[i]
		for _, t := range w.Values {
			if !strings.ContainsAny(t, "*?[") {
				continue
			}
			if e, found := v.namedSecret(t); found {
				return v.failf(w.Span, "the pattern names a file that %s", e.Why)
			}
		}
		w.Set.Values = raw(v.dir(), w.Set)
		if !v.path(w) || !v.shows(&w) || v.has("no-index") && !v.tree(w, v.c, &program.Walk{}) {
			return false
		}
	}
	return e.Names != "log" || v.lineRanges()
}

// lineRanges checks the files behind the lines of log -L FROM,TO:FILE.
func (v *attempt) lineRanges() bool {
	for i := 1; i < len(v.c.Words) && v.has("L"); i++ {
		t, ok := v.c.Words[i].Literal()
		name := t[strings.LastIndexByte(t, ':')+1:]
		if e, found := sensitive.FindRole(name, v.p.Home, sensitive.Secret); found || !ok {
			if !found {
				return v.fail(v.c.Words[i].Span, "the file is unknown")
			}
			return v.failf(v.c.Words[i].Span, "the path is sensitive: it %s", e.Why)
		}
	}
	return true
}

// shows checks the path behind the name of a revision.
func (v *attempt) shows(w *shell.Word) bool {
	for _, t := range w.Values {
		_, name, ok := strings.Cut(t, ":")
		if !ok || w.Glob {
			continue
		}
		if e, found := sensitive.FindRole(name, v.p.Home, sensitive.Secret); found {
			return v.failf(w.Span, "the path is sensitive: it %s", e.Why)
		}
	}
	return true
}

// dir returns the directories in which git may work.
func (v *attempt) dir() shell.Set {
	dir := v.here()
	if v.mayStay() {
		dir.Values = slices.Clone(dir.Values)
		for _, d := range v.been() {
			dir.Values = append(dir.Values, d.Values...)
			dir.Open = dir.Open || d.Open
		}
	}
	for i := range v.c.Args.Options {
		if o := &v.c.Args.Options[i]; o.Is("C") && o.HasArg && o.At < v.c.Args.Verb {
			dir = shell.Set{Values: raw(dir, o.Arg.Set), Open: dir.Open || o.Arg.Open || o.Arg.Glob}
		}
	}
	return dir
}

// mayStay reports whether a redirection may fail, so that a cd before or around
// the command does not happen.
func (v *attempt) mayStay() bool {
	for i := range v.index {
		for k := range v.line.Commands[i].Redirects {
			r := &v.line.Commands[i].Redirects[k]
			if fd, ok := r.Target.Literal(); !r.Inline() && !(r.Writes() && ok && shell.IsNull(fd)) && !(ok && (fd == "1" || fd == "2")) {
				return true
			}
		}
	}
	return false
}

// searchesAll checks what git grep finds where it asks no index: then it reads
// what the repository ignores, too.
func searchesAll(v *attempt) bool {
	if !v.searchEnds() {
		return false
	}
	if !v.has("no-index") || v.has("exclude-standard") {
		return true
	}
	if len(v.args) < 2 {
		return v.tree(shell.Word{Set: shell.Set{Values: []string{"."}}, Span: v.c.Span}, v.c, &program.Walk{Hidden: "*"})
	}
	for _, i := range v.args[1:] {
		if !v.tree(v.c.Words[i], v.c, &program.Walk{Hidden: "*"}) {
			return false
		}
	}
	return true
}
