package readonly

import (
	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"strings"
)

// following are the options with which programs follow the links that they
// meet below a directory.
func following(c *command.Command) string { return strings.ReplaceAll(c.How("follows"), ",", " ") }

// within checks that a proved command reads only where it may: each path that
// was judged, each pattern that the shell looks up, and for programs that look
// around by themselves their directory and all operands.
func (v *attempt) within() bool {
	c := v.c
	for i := range v.read {
		if !v.inside(&v.read[i]) {
			return false
		}
	}
	for i := range c.Words {
		if c.Words[i].Glob && !v.inside(&c.Words[i]) {
			return false
		}
	}
	if !v.effects() {
		return false
	}
	if v.hasAny(following(c)) {
		return v.outside(c.Span, "it follows links, which may lead outside where reading is allowed")
	}
	return v.sightless() || v.sees()
}

// effects checks the paths that the program reads by its grammar, such as the
// arguments of options.
func (v *attempt) effects() bool {
	all := true
	v.c.Effects(func(e command.Effect) bool {
		all = e.Kind != command.Reads || v.inside(&shell.Word{Set: e.Target, Span: e.Span})
		return all
	})
	return all
}

// sees checks what a command that looks around by itself reads.
func (v *attempt) sees() bool {
	operands := v.operandWords()
	if (len(operands) == 0 || !v.pointed()) && !v.around() {
		return false
	}
	for i := range operands {
		if !v.inside(&operands[i]) {
			return false
		}
	}
	return true
}

// sightless reports whether the command reads nothing but what was judged as a
// path.
func (v *attempt) sightless() bool {
	c := v.c
	switch {
	case len(c.Words) == 0:
		return true
	case c.Keyword:
		return c.Name != "[["
	case len(c.Words) == 2 && (is(&c.Words[1], "--version") || is(&c.Words[1], "--help")):
		return true
	}
	return v.entry != nil && c.Of("blind")
}

func (v *attempt) pointed() bool {
	return v.c.Of("pointed") || v.entry != nil && strings.HasSuffix(v.entry.ReadOperands(), "path")
}

// operandWords returns the operands that may be paths: for what is not in the
// table every word.
func (v *attempt) operandWords() []shell.Word {
	if v.entry == nil {
		return v.c.Words[1:]
	}
	var list []shell.Word
	for k, i := range v.args {
		if k >= v.skip() {
			list = append(list, v.c.Words[i])
		}
	}
	return list
}

// around checks the directory of the command, for git that of its repository.
func (v *attempt) around() bool {
	dir := shell.Word{Set: v.here(), Span: v.c.Span}
	if v.c.How("speaks") == "git" {
		dir.Set = v.dir()
	}
	if !v.inside(&dir) {
		return false
	}
	if v.c.How("speaks") != "git" || v.c.Args.Verb == 0 {
		return true
	}
	for _, d := range dir.Values {
		if v.p.GitDirs == nil {
			return v.outside(v.c.Span, "where the repository lies is unknown")
		}
		dirs, ok := v.p.GitDirs(d)
		if !ok {
			return v.outside(v.c.Span, "where the repository lies is unknown")
		}
		if !v.inside(&shell.Word{Set: shell.Set{Values: dirs}, Span: v.c.Span}) {
			return false
		}
	}
	return true
}

// inside checks that every path which a word may be is one that may be read.
// A relative one is seen from every directory in which the line has been: a cd
// may fail.
func (v *attempt) inside(w *shell.Word) bool {
	switch {
	case w.Number:
		return true
	case w.Glob:
		return v.outside(w.Span, "what the pattern matches is unknown, and a link may lead outside where reading is allowed")
	case w.Open:
		return v.outside(w.Span, "the path is unknown, and may lie outside where reading is allowed")
	}
	for _, dir := range v.been() {
		for _, p := range raw(dir, w.Set) {
			if harmlessFile(p) {
				continue
			}
			if !strings.HasPrefix(p, "/") {
				return v.outside(w.Span, "the directory is unknown, and may lie outside where reading is allowed")
			}
			if why, ok := v.p.Reads(p); !ok {
				return v.outside(w.Span, why)
			}
		}
	}
	return true
}

func (v *attempt) outside(span shell.Span, why string) bool {
	v.proof = Proof{Why: why, Span: span, Outside: true}
	return false
}

// harmlessFile reports whether a file is one that tells nothing of this machine.
func harmlessFile(path string) bool {
	switch path {
	case "/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/stdin", "/dev/stdout", "/dev/stderr":
		return true
	}
	return strings.HasPrefix(path, "/dev/fd/") && isDigits(path[len("/dev/fd/"):])
}

// been returns the directories in which the command and those before it run.
func (v *attempt) been() []shell.Set {
	dirs := []shell.Set{v.here()}
	for i := range v.index {
		if d := v.line.Commands[i].Dir; !same(d, dirs[len(dirs)-1]) {
			dirs = append(dirs, d)
		}
	}
	return dirs
}

func same(a, b shell.Set) bool {
	x, one := a.Literal()
	y, other := b.Literal()
	return one && other && x == y
}

// here returns the directory of the command. After cd -P it is unknown: the
// parent of a directory is then that of what a link leads to.
func (v *attempt) here() shell.Set {
	for i := range v.index {
		if c := &v.line.Commands[i]; c.How("moves") == "there" && c.Args.Has("P") {
			return shell.Set{Open: true}
		}
	}
	return v.c.Dir
}

// raw returns every path that s may name for a command in dir. They are not
// cleaned: behind a link, ".." is the parent of what the link leads to.
func raw(dir, s shell.Set) []string {
	out := make([]string, 0, len(s.Values))
	for _, t := range s.Values {
		if strings.HasPrefix(t, "/") {
			out = append(out, t)
			continue
		}
		if dir.Open || len(dir.Values) == 0 {
			out = append(out, t)
		}
		for _, d := range dir.Values {
			out = append(out, strings.TrimSuffix(d, "/")+"/"+t)
		}
	}
	return out
}
