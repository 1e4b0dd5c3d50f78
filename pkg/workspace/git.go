package workspace

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/pkg/sensitive"
)

// inRepository checks that git works in a repository that lies inside, and that
// neither its configuration nor a hook of it runs a program.
func inRepository(a *attempt) bool {
	dir := a.c.DirAt(a.c.Args.Verb + 1)
	if dir.Open || dir.Glob || len(dir.Values) == 0 {
		return a.fail(a.c.Span, "the directory is unknown")
	}
	for k := range a.c.Args.Options {
		if o := &a.c.Args.Options[k]; o.At < a.c.Args.Verb && !o.Is("C") && !o.Is("P") && !o.Is("no-pager") {
			return a.fail(a.c.Span, "with the option "+o.Name+" git may do more than the sub-command says")
		}
	}
	for _, d := range dir.Values {
		runs, ok := a.p.GitRuns(d)
		switch {
		case !ok:
			return a.fail(a.c.Span, "what git would run there is unknown")
		case len(runs) > 0:
			return a.fail(a.c.Span, "git may run a program: the repository has "+strings.Join(runs, ", "))
		}
		dirs, ok := a.p.GitDirs(d)
		if !ok || len(dirs) == 0 {
			return a.fail(a.c.Span, "where the repository lies is unknown")
		}
		for _, at := range dirs {
			if why, ok := a.p.Inside(at + "/HEAD"); !ok {
				return a.fail(a.c.Span, "the repository lies elsewhere: "+why)
			}
		}
	}
	return true
}

// operands returns the words behind the sub-command.
func (a *attempt) operands() []*shell.Word {
	var out []*shell.Word
	for _, o := range a.c.Args.Operands {
		out = append(out, &a.c.Words[o.At])
	}
	return out
}

// gitPaths checks the paths that git is given.
func gitPaths(a *attempt) bool {
	if !inRepository(a) {
		return false
	}
	dir := a.c.DirAt(a.c.Args.Verb + 1)
	for _, w := range a.operands() {
		if w.Glob {
			continue // git changes nothing but what it holds
		}
		for _, v := range w.Values {
			if strings.HasPrefix(v, ":") {
				return a.fail(w.Span, "the path has pathspec magic")
			}
			for _, d := range dir.Values {
				path := v
				if !strings.HasPrefix(v, "/") {
					path = strings.TrimSuffix(d, "/") + "/" + v
				}
				if why, ok := a.p.Inside(strings.TrimSuffix(path, "/") + "/x"); !ok {
					return a.fail(w.Span, why)
				}
				if e, ok := sensitive.FindRole(shell.Clean(path), a.p.Home, sensitive.Secret); ok {
					return a.fail(w.Span, "the path is sensitive: it "+e.Why)
				}
				if removes := a.c.Args.Sub == "rm" || a.c.Args.Sub == "mv"; removes && !a.c.Args.Has("cached") && a.runsCode(shell.Clean(path), w) {
					return false
				}
			}
		}
	}
	return true
}

// commits checks that the message is given, so that no editor starts.
func commits(a *attempt) bool {
	if !a.c.Args.Has("m", "message", "F", "file") && !a.c.Args.Has("no-edit") {
		return a.fail(a.c.Span, "it starts an editor")
	}
	if o := a.c.Args.Option("file"); o != nil && o.HasArg && !o.Arg.Has("-") {
		if why := a.p.MayRead(command.Effect{Kind: command.Reads, Target: o.Arg.Set, Dir: a.c.Dir, Span: o.Arg.Span}); why != "" {
			return a.fail(o.Arg.Span, why)
		}
	}
	return gitPaths(a)
}

// stashes lets changes be put aside and back: git itself stops before it would
// lose some.
func stashes(a *attempt) bool {
	verb := ""
	if _, rest, ok := strings.Cut(a.c.Args.Sub, " "); ok {
		verb = rest
	}
	switch verb {
	case "":
		if next := a.c.Args.Verb + 1; next >= len(a.c.Words) || mayOnlyBeOption(&a.c.Words[next]) {
			return inRepository(a)
		}
		verb = "with an unknown verb"
	case "push", "save", "pop", "apply":
		return inRepository(a)
	}
	return a.fail(a.c.Span, "git stash "+verb+" may lose stashed changes")
}

// mayOnlyBeOption reports whether each value of a word is an option.
func mayOnlyBeOption(w *shell.Word) bool {
	return !slices.ContainsFunc(w.Values, func(v string) bool { return !strings.HasPrefix(v, "-") })
}

// newBranch allows git checkout with a new branch.
func newBranch(a *attempt) bool {
	if !a.c.Args.Has("b") {
		return a.restoresHeld()
	}
	return inRepository(a) && (len(a.c.Args.Operands) == 0 || a.fail(a.c.Span, "it may change to another revision"))
}

// restoresHeld allows git checkout -- FILE where nothing is lost by that.
func (a *attempt) restoresHeld() bool {
	dashed := false
	for k := range a.c.Words {
		dashed = dashed || a.c.Words[k].Has("--") || a.c.Args.Sub == "restore"
	}
	if !dashed || len(a.c.Args.Operands) == 0 {
		return a.fail(a.c.Span, "it may replace files")
	}
	if !inRepository(a) {
		return false
	}
	for _, w := range a.operands() {
		if !a.paths(a.c.Dir, w.Set, removes, w.Span) {
			return false
		}
	}
	return true
}

// names allows branches to be made.
func names(a *attempt) bool {
	return inRepository(a) && (len(a.c.Args.Operands) > 0 || a.fail(a.c.Span, "it only lists"))
}

// tags allows tags to be made, with their message.
func tags(a *attempt) bool {
	if a.c.Args.Has("a", "annotate") && !a.c.Args.Has("m", "message") {
		return a.fail(a.c.Span, "it starts an editor")
	}
	return names(a)
}

// unstages allows git restore of what is staged, and of files that are as git
// holds them.
func unstages(a *attempt) bool {
	if !a.c.Args.Has("S", "staged") {
		return a.restoresHeld()
	}
	return gitPaths(a)
}

// resets allows git reset where it leaves the files alone.
func resets(a *attempt) bool {
	return gitPaths(a)
}

// gitMoves checks that git mv replaces nothing, which it refuses without -f.
func gitMoves(a *attempt) bool {
	if !gitPaths(a) {
		return false
	}
	for _, w := range a.operands() {
		if w.Glob {
			return a.fail(w.Span, "which files the pattern matches is unknown")
		}
	}
	return true
}

// gitCheckOf returns what [program.Inside.Check] names of git.
func gitCheckOf(check string) func(*attempt) bool {
	switch check {
	case "gitPaths":
		return gitPaths
	case "commits":
		return commits
	case "stashes":
		return stashes
	case "inRepository":
		return inRepository
	case "newBranch":
		return newBranch
	case "names":
		return names
	case "tags":
		return tags
	case "unstages":
		return unstages
	case "resets":
		return resets
	case "gitMoves":
		return gitMoves
	}
	panic("workspace: unknown check " + check)
}
