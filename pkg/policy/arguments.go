package policy

import (
	"slices"
	"strings"
	"unicode"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/support/weburl"
	"github.com/policyctl/policyctl/pkg/permission"
	"github.com/policyctl/policyctl/pkg/sensitive"
)

// A leaf is a text in the arguments of a tool, with the key under which it
// stands.
type leaf struct{ key, text string }

// patched returns the files that the text names, if it is a patch by its key.
func (l *leaf) patched() []string {
	if !strings.Contains(l.key, "patch") && !strings.Contains(l.key, "diff") {
		return nil
	}
	return command.PatchPaths(l.text)
}

// The arguments of a call are what stands in its input, whatever the tool.
type arguments struct{ *facts }

// undeclared reports whether nobody said which arguments of the tool are paths
// or URLs.
func (a arguments) undeclared() bool {
	t := a.tool
	return a.line == nil && (t.undeclared || t.Kind == KindOther && len(t.Subject) == 0 && t.Risk != Low)
}

// hitsArguments reports whether a permission about files or about URLs means one
// of the paths and URLs in the arguments of a tool that nobody declared.
func (a arguments) hitsArguments(p *permit) bool {
	about := p.About()
	if about == permission.Other || !a.undeclared() {
		return false
	}
	switch about {
	case permission.Fetches:
		return slices.ContainsFunc(a.urls(), p.HitsURL)
	case permission.Writes:
		if a.onlyReads() {
			return false
		}
	}
	removes := about == permission.Writes && hasVerb(nameWords(a.tool.Name), removingVerbs)
	for _, path := range a.paths() {
		if at := a.view.Subject(path); p.HitsPath(&a.view, &at) || removes && a.view.Holds(p.Pattern, &at) {
			return true
		}
	}
	return false
}

// argumentTexts returns the texts in the arguments.
func (a arguments) argumentTexts() []leaf {
	var out []leaf
	var visit func(key string, v any, depth int)
	visit = func(key string, v any, depth int) {
		if depth > maxInside {
			return // which asks
		}
		switch v := v.(type) {
		case string:
			out = append(out, leaf{permission.PlainKey(key), v})
			if inner, ok := permission.Opened(v); ok {
				visit(key, inner, depth+1)
			}
		case []any:
			for _, e := range v {
				visit(key, e, depth+1)
			}
		case map[string]any:
			for _, k := range sortedKeys(v) {
				if strings.Contains(k, "/") {
					out = append(out, leaf{"path", k}) // as in {"FILE": "its text"}
				}
				visit(k, v[k], depth+1)
			}
		}
	}
	for _, k := range sortedKeys(a.call.Input) {
		visit(k, a.call.Input[k], 0)
	}
	return out
}

// pathKeys are the words of keys under which paths stand.
var pathKeys = []string{"path", "file", "dir", "folder", "uri", "location", "source", "src", "destination", "dest", "target"}

// paths returns the texts that are paths: by their key, or because they spell
// one. A sentence that begins with a path is none.
func (a arguments) paths() []string {
	var out []string
	for _, l := range a.argumentTexts() {
		text, _ := weburl.File(l.text)
		switch {
		case strings.Contains(text, "\n"):
			out = append(out, l.patched()...)
		case text == "" || len(text) > maxPath || strings.ContainsFunc(text, unicode.IsControl) || strings.Contains(text, "://"):
		case slices.ContainsFunc(pathKeys, func(k string) bool { return strings.Contains(l.key, k) }),
			spellsPath(text) && !strings.ContainsAny(text, " "):
			out = append(out, text)
		}
	}
	return a.fromOtherDirs(out)
}

// maxPath is longer than any path of a system.
const maxPath = 4096

// strayEnds are what the keys end with under which tools are given paths that their
// row does not have, and strays such keys.
var (
	strayEnds = []string{"path", "file", "filename", "folder", "dir", "directory", "uri"}
	strays    = []string{"source", "src", "destination", "dest", "target", "location", "root", "base", "from", "to"}
)

// withStrays adds to the paths of a tool those that stand where its row does not
// look: another version of the tool may take them for the file.
func (a arguments) withStrays(paths []string) []string {
	for _, l := range a.argumentTexts() {
		key := strings.TrimSuffix(l.key, "s")
		for _, path := range l.patched() {
			if !slices.Contains(paths, path) {
				paths = append(paths, path)
			}
		}
		if l.text == "" || len(l.text) > maxPath || strings.ContainsFunc(l.text, unicode.IsControl) || slices.Contains(paths, l.text) ||
			slices.ContainsFunc(shellRuns.Dirs, func(dir string) bool { return permission.PlainKey(dir) == l.key }) {
			continue
		}
		if slices.Contains(strays, key) || slices.ContainsFunc(strayEnds, func(end string) bool { return strings.HasSuffix(key, end) }) {
			paths = append(paths, l.text)
		}
	}
	return paths
}

func spellsPath(text string) bool {
	for _, start := range [...]string{"/", "~/", "./", "../", "$HOME/", "${HOME}/"} {
		if strings.HasPrefix(text, start) {
			return true
		}
	}
	return strings.Contains(text, "/") || shell.IsAbs(text)
}

// fromOtherDirs adds what relative paths are as seen from the directories that
// arguments name.
func (a arguments) fromOtherDirs(paths []string) []string {
	if len(a.call.Input) < 2 {
		return paths
	}
	for _, field := range shellRuns.Dirs {
		dir, ok := a.call.Input[field].(string)
		if !ok || dir == "" {
			continue
		}
		for _, p := range paths[:len(paths):len(paths)] {
			if !shell.IsAbs(p) && !strings.HasPrefix(p, "~") && !strings.HasPrefix(p, "$") {
				paths = append(paths, strings.TrimSuffix(dir, "/")+"/"+p)
			}
		}
	}
	return paths
}

// urls returns the texts that are URLs.
func (a arguments) urls() []string {
	var out []string
	for _, l := range a.argumentTexts() {
		switch {
		case l.text == "" || strings.ContainsFunc(l.text, unicode.IsSpace):
		case strings.Contains(l.text, "://"):
			out = append(out, l.text)
		case strings.Contains(l.key, "url") || strings.Contains(l.key, "host") || l.key == "uri" || l.key == "link" || l.key == "href":
			out = append(out, "https://"+l.text, "http://"+l.text)
		}
	}
	return out
}

// The verbs in the names of tools; a removing one takes away what the tool is given, a
// directory with all that lies there.
var (
	readingVerbs  = []string{"read", "get", "list", "search", "find", "view", "show", "stat", "query", "describe", "cat", "grep", "glob", "tree", "info", "open", "check", "lint", "validate", "inspect", "analyze", "parse", "preview", "review", "explain", "diagnostics", "hover", "definition", "references", "symbols", "outline", "exists", "compare", "count", "status", "log", "blame"}
	writingVerbs  = []string{"write", "create", "edit", "update", "append", "save", "put", "replace", "insert", "patch", "truncate", "overwrite", "touch", "mkdir"}
	removingVerbs = []string{"delete", "remove", "move", "rename", "unlink", "rm", "rmdir", "trash"}
)

// onlyReads reports whether the name of the tool says that it reads, and nothing
// of writing.
func (a arguments) onlyReads() bool {
	words := nameWords(a.tool.Name)
	return hasVerb(words, readingVerbs) && !hasVerb(words, writingVerbs) && !hasVerb(words, removingVerbs)
}

func hasVerb(words, verbs []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(verbs, w) })
}

// written returns the files that a call changes: the subjects of a tool that
// writes, and the paths that are given to a tool that nobody declared and whose
// name does not say that it reads.
func (a arguments) written() []string {
	switch {
	case a.tool.Kind == KindWrite:
		return a.view.Subjects
	case len(a.tool.Operation) > 0: // what it does to them is unknown
		return a.paths()
	case a.undeclared() && !a.onlyReads():
		return a.paths()
	}
	return nil
}

// ofArgument says why a path that is given to a tool that nobody declared is
// of high risk, whatever the policy says of the tool.
func (k risks) ofArgument() string {
	if !k.args().undeclared() {
		return ""
	}
	for _, path := range k.args().paths() {
		at := k.view.Subject(path)
		if e := k.among(at.Readings(), sensitive.Secret); e != nil {
			return "an argument names a sensitive path: " + e.Why
		}
	}
	return ""
}

// nameWords returns the words of the name of a tool, without that of its server.
func nameWords(name string) []string {
	if rest, ok := strings.CutPrefix(name, "mcp__"); ok {
		_, name, _ = strings.Cut(rest, "__")
	}
	return wordsIn(name)
}

// wordsIn returns the words of a name in lower case, however they are joined.
func wordsIn(name string) []string {
	var b strings.Builder
	for i, c := range name {
		if unicode.IsUpper(c) && i > 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return strings.FieldsFunc(b.String(), func(c rune) bool { return !unicode.IsLetter(c) })
}
