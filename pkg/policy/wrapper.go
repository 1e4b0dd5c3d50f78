package policy

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/permission"
)

// wrappers are the programs that the settings declare to be wrappers: names, and paths.
type wrappers struct{ names, paths []string }

func (e *Engine) compileWrappers(errs *[]error) {
	for _, entry := range e.settings.Wrappers {
		switch why := noWrapper(entry.Text); {
		case why != "":
			*errs = append(*errs, fmt.Errorf("%sshell.wrappers: %q %s", at(entry.Origin), entry.Text, why))
		case strings.Contains(entry.Text, "/"):
			e.wrappers.paths = append(e.wrappers.paths, entry.Text)
		case program.Find(entry.Text) == nil: // else the table has it
			e.wrappers.names = append(e.wrappers.names, entry.Text)
		}
	}
}

// noWrapper says why a text names no program that may be declared a wrapper; "" where it
// names one.
func noWrapper(text string) string {
	base := shell.Base(text)
	switch {
	case strings.TrimSpace(text) == "":
		return "names no program"
	case strings.ContainsFunc(text, blank), strings.ContainsAny(text, `*?[]{}\$"'=;|&<>()`+"`"), text[0] == '-':
		return "is no program as a line starts it: write a name, or a path, without options and wildcards"
	case strings.HasSuffix(text, "/"), base == "." || base == "..":
		return "names a directory: name the program in it"
	case !program.MayDeclare(shell.Fold(base)):
		return "is a program that policyctl knows, and no wrapper that changes nothing: remove it"
	}
	return ""
}

func blank(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

// patternTool returns a tool as the patterns of permissions know it.
func (e *Engine) patternTool(name string) (permission.Tool, bool) {
	tool, ok := e.tools.pattern(name)
	if ok && e.wrappers.some() {
		tool.Wraps = e.wrappers.has
	}
	return tool, ok
}

func (w *wrappers) some() bool { return len(w.names)+len(w.paths) > 0 }

// has reports whether a word of a pattern is one of the programs.
func (w *wrappers) has(word string) bool {
	return slices.Contains(w.names, word) || slices.ContainsFunc(w.paths, func(path string) bool { return shell.Clean(path) == shell.Clean(word) })
}

// wraps reports whether a program that is started in a directory is one of them: by its bare
// name, or by a path that leads where the declared one does from the project.
func (f *facts) wraps(path string, dir shell.Set) bool {
	w := &f.e.wrappers
	if name := program.BareName(path); name != "" && slices.Contains(w.names, name) {
		return true
	}
	from, ok := dir.Literal()
	if !ok && !strings.HasPrefix(path, "/") || !strings.Contains(path, "/") {
		return false
	}
	at := shell.Abs(from, path)
	return slices.ContainsFunc(w.paths, func(declared string) bool {
		return shell.Abs(f.view.Base(), permission.ExpandHome(declared, f.home())) == at
	})
}
