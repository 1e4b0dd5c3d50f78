package readonly

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/sensitive"
	"github.com/policyctl/policyctl/pkg/shell"
)

// git is the entry of git: the verbs that only look. Those that may run what
// the repository's configuration names say so.
var git = &Entry{
	Names: "git", Options: "C=path c= no-pager P no-optional-locks version", Source: gitManual,
	Subs: []*Entry{
		{Names: "status", Git: "always", Operands: "data", Options: "s,short b,branch show-stash porcelain? long v,verbose u? untracked-files? ignore-submodules? ignored? z column? no-column ahead-behind no-ahead-behind renames no-renames"},
		{Names: "diff", Git: "always", Operands: "data", Options: diffOptions + "no-index"},
		{Names: "diff-tree", Git: "always", Operands: "data", Options: diffOptions + "r t root no-commit-id m v pretty? always"},
		{Names: "diff-index diff-files", Git: "always", Operands: "data", Options: diffOptions + "m"},
		{Names: "cherry", Git: "always", Operands: "data", Options: "v,verbose abbrev?"},
		{Names: "check-attr", Git: "always", Operands: "data", Options: "a,all cached z"},
		{Names: "log", Git: patchOptions, Operands: "data", Options: logOptions + diffOptions + "L=", check: gitFormat},
		{Names: "shortlog", Operands: "data", Options: logOptions + "s,summary e,email n,numbered c,committer group=", check: gitFormat},
		{Names: "show", Git: "always", Operands: "data", Options: logOptions + diffOptions, check: gitFormat},
		{Names: "rev-list", Operands: "data", Options: logOptions + "count objects", check: gitFormat},
		{Names: "reflog", Operands: "data", Options: logOptions, check: reflogVerb},
		{Names: "blame annotate", Git: "always", Operands: "data", Options: "L= l t s e w M? C? f n p porcelain line-porcelain show-name show-number show-email root b since= date= abbrev?"},
		{Names: "ls-files", Git: "always", Operands: "data", Options: "c,cached d,deleted m,modified o,others i,ignored s,stage u,unmerged k,killed z t v exclude-standard error-unmatch full-name directory x,exclude= abbrev? eol deduplicate"},
		{Names: "grep", Git: "always", Operands: "data", Options: "cached untracked no-index exclude-standard a,text i,ignore-case I max-depth= r,recursive w,word-regexp v,invert-match h H full-name E,extended-regexp G,basic-regexp P,perl-regexp F,fixed-strings n,line-number column l,files-with-matches name-only L,files-without-match z,null o,only-matching c,count color? no-color break heading p,show-function # C,context= A,after-context= B,before-context= W,function-context m,max-count= threads= e= and or not all-match q,quiet no-textconv"},
		{Names: "check-ignore", Git: "always", Operands: "data", Options: "q,quiet v,verbose z n,non-matching no-index"},
		{Names: "describe", Git: "dirty broken", Operands: "data", Options: "all tags contains abbrev= candidates= exact-match debug long match= exclude= always first-parent dirty? broken?"},
		{Names: "rev-parse", Operands: "data", Options: "path-format= verify q,quiet short? abbrev-ref? symbolic symbolic-full-name show-toplevel show-prefix show-cdup git-dir git-common-dir absolute-git-dir git-path= is-inside-work-tree is-inside-git-dir is-bare-repository is-shallow-repository all branches? tags? remotes? default= sq not revs-only no-revs flags no-flags local-env-vars"},
		{Names: "ls-tree", Operands: "data", Options: "d r t l,long z name-only name-status full-name full-tree abbrev? format="},
		{Names: "cat-file", Operands: "data", Options: "p t s e"},
		{Names: "merge-base", Operands: "data", Options: "a,all octopus independent is-ancestor fork-point"},
		{Names: "name-rev", Operands: "data", Options: "tags refs= exclude= all name-only no-undefined always"},
		{Names: "show-ref", Operands: "data", Options: "head heads tags d,dereference s,hash? verify abbrev? q,quiet"},
		{Names: "for-each-ref", check: gitFormat, Operands: "data", Options: "count= sort= format= points-at= merged? no-merged? contains? no-contains? ignore-case"},
		{Names: "count-objects", Operands: "none", Options: "v,verbose H,human-readable"},
		{Names: "branch", Operands: "data", Options: "a,all r,remotes l,list v,verbose vv color? no-color column? no-column sort= merged? no-merged? contains? no-contains? points-at= format= abbrev? no-abbrev i,ignore-case show-current", check: listing},
		{Names: "tag", Operands: "data", Options: "l,list n? sort= color? i,ignore-case column? contains? no-contains? merged? no-merged? points-at= format=", check: listing},
		{Names: "remote", Operands: "data", Options: "v,verbose push all", check: remoteVerb},
		{Names: "stash", Subs: []*Entry{
			// Words behind -- become options of git log.
			{Names: "list", Operands: "none", Options: logOptions, check: gitFormat},
			{Names: "show", Git: "always", Operands: "data", Max: 1, Options: diffOptions + "include-untracked only-untracked", check: undashed},
		}},
		{Names: "worktree", Subs: []*Entry{{Names: "list", Operands: "none", Options: "v,verbose porcelain z"}}},
		{Names: "config", Operands: "data", Options: "get get-all global local system worktree z,null type= bool int path", check: configKey},
		{Names: "symbolic-ref", Operands: "data", Max: 1, Options: "q,quiet short"},
		{Names: "version", Operands: "none", Options: "build-options"},
	},
	Proved: []string{
		"git log --oneline -5", "git rev-parse HEAD", "git branch -a", "git tag -l 'v*'", "git remote -v", "git cat-file -p HEAD", "git -C sub log -3",
		"git ls-tree -r HEAD", "git branch --show-current", "git config --get user.name", "git stash list", "git --no-pager log -1 --format=%H",
	},
	Not: []string{
		"git status", "git diff", "git show", "git log -p", "git blame f", "git -c core.fsmonitor=./p status", "git show --output=f", "git log --show-signature",
		"git grep -O./p x", "git branch new", "git branch -D x", "git tag v1", "git remote add x y", "git config user.name x", "git --exec-path=. log",
		"git --git-dir=d log", "git $V", "git log $X", "git ls-remote --upload-pa=./p .", "git reflog expire", "git push", "git log --format=%G?", "git -p log",
		"git remote show origin", "git stash", "git stash drop", "git show --outpu\\t=f", "git log --binary", "git for-each-ref --format='%(signature)'",
	},
}

// repository asks whether the repository's configuration names programs. Verbs
// that run what it names need an answer. The others run a pager or check
// signatures at most: they need one only where it is to be had.
func (v *proving) repository() bool {
	e := v.entry
	all := e.Git == "always" || v.hasAny(e.Git) || v.c.Name == "git" && v.readsIndex()
	if v.c.Name == "git" && !(v.settings() && v.namesNoContent()) {
		return false
	}
	if !all && (v.p.Git == nil || v.c.Name != "git" || e == git || e.Names == "version") {
		return true
	}
	dir := v.dir()
	if v.p.Git == nil || !dir.Known() {
		return v.fail(v.c.Span, "the repository's configuration may name programs that git runs, and it is not known")
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
var inert = words(`color.ui=never color.ui=false color.ui=always color.ui=auto color.status=never color.status=always color.diff=never
	core.quotepath=off core.quotepath=false core.quotePath=off core.quotePath=false core.pager=cat core.fsmonitor=false
	pager.log=false pager.diff=false pager.show=false pager.branch=false advice.detachedHead=false`)

// settings checks what -c before the verb sets.
func (v *proving) settings() bool {
	for i := range v.c.Args.Options {
		o := &v.c.Args.Options[i]
		if !o.Is("c") || !o.HasArg || v.c.Args.Verb > 0 && o.At > v.c.Args.Verb {
			continue
		}
		if t, ok := o.Arg.Literal(); !ok || !inert[t] {
			v.fail(v.c.Words[o.At].Span, "the option -c of git sets configuration, which may name programs")
			return v.instead("leave it out")
		}
	}
	return true
}

// readsIndex says whether a word may name an object of the index, as in
// :path, HEAD..:path or --contains=:path: reading the index may run
// core.fsmonitor. Behind -- log has paths only.
func (v *proving) readsIndex() bool {
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

// idle says whether a setting does nothing for verbs that show no contents and
// no changes.
func idle(setting string) bool {
	for _, start := range []string{"core.fsmonitor", "core.worktree", "diff.", "filter.", "merge.", "lfs.", "hook.", "hooks/", "status."} {
		if strings.HasPrefix(setting, start) {
			return true
		}
	}
	return false
}

// showing are the verbs that show the contents of what their operands name.
var showing = map[string]bool{
	"diff": true, "show": true, "blame annotate": true, "grep": true, "cat-file": true, "diff-tree": true, "diff-index diff-files": true,
}

// namesNoContent checks that git shows no secret: outside of a repository, diff
// and grep read any file, and within one an operand may be a path or end in
// one, as in HEAD:path.
func (v *proving) namesNoContent() bool {
	e := v.entry
	if !showing[e.Names] && (e.Names != "log" || !v.hasAny(e.Git)) {
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
		if !v.path(w) || !v.shows(&w) || v.has("no-index") && !v.tree(w, v.c, &Walk{}) {
			return false
		}
	}
	return e.Names != "log" || v.lineRanges()
}

// lineRanges checks the files behind the lines of log -L FROM,TO:FILE.
func (v *proving) lineRanges() bool {
	for i := 1; i < len(v.c.Words) && v.has("L"); i++ {
		t, ok := v.c.Words[i].Literal()
		name := t[strings.LastIndexByte(t, ':')+1:]
		if e, found := sensitive.FindRole(name, v.p.Home, sensitive.Secret); found || !ok {
			if !found {
				return v.fail(v.c.Words[i].Span, "the file is not known")
			}
			return v.failf(v.c.Words[i].Span, "the path is sensitive: it %s", e.Why)
		}
	}
	return true
}

// shows checks the path behind the name of a revision.
func (v *proving) shows(w *shell.Word) bool {
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
func (v *proving) dir() shell.Set {
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

// mayStay says whether a redirection may fail, so that a cd before or around
// the command does not happen.
func (v *proving) mayStay() bool {
	for i := range v.index {
		for k := range v.line.Commands[i].Redirects {
			r := &v.line.Commands[i].Redirects[k]
			if fd, ok := r.Target.Literal(); !r.Inline() && !(r.Writes() && ok && fd == "/dev/null") && !(ok && (fd == "1" || fd == "2")) {
				return true
			}
		}
	}
	return false
}
