package hardline

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/shell"
)

// sweeps are loops over all that stands in a directory: the groups var and
// dir are what holds each path, and the literal of the directory.
var sweeps = sync.OnceValue(func() []*regexp.Regexp {
	dir := `(?P<dir>` + literal[1:]
	var out []*regexp.Regexp
	for _, p := range []string{
		`\bfor\s+(?P<var>[\w\s,()]+?)\s+in\s+(?:sorted\(|list\(|reversed\()?[\w.]*\b(?:walk|listdir|scandir|i?glob)\(\s*` + dir,
		`\bfor\s+(?P<var>\w+)\s+in\s+[\w.]*Path\(\s*` + dir + `\s*\)\.(?:r?glob\(\s*["'](?:\*|\*\*|\*\*/\*)["']|iterdir\()`,
		`\b(?:Dir\.glob\(\s*|Dir\[\s*|Dir\.(?:each_child|children|entries)\(\s*|Find\.find\(\s*)` + dir + `\s*[\])](?:\.each)?\s*(?:\{|do)\s*\|(?P<var>\w+)\|`,
		`\bforeach\s*\(\s*(?:glob|scandir)\(\s*` + dir + `[^)]*\)\s+as\s+(?P<var>\$\w+)`,
		`\bfor(?:each)?\s*(?:my\s*)?(?P<var>(?:\$\w+)?)\s*\(\s*glob\s*\(?\s*` + dir,
		`\bfind(?:depth)?\s*\(\s*(?P<var>)sub\s*\{[^{}]*\}\s*,\s*` + dir,
		`\breaddirSync\(\s*` + dir + `[^)]*\)\.forEach\(\s*\(?(?P<var>\w+)`,
		`\bfor\s*\(\s*(?:const|let|var)\s+(?P<var>\w+)\s+of\s+[\w.()"']*readdirSync\(\s*` + dir,
	} {
		out = append(out, regexp.MustCompile(p))
	}
	return out
})

// choosing are words by which a loop leaves some of what it finds alone.
var choosing = &pattern{text: `\b(?:if|unless|when|filter|grep|select|reject|endswith|startswith|match|stat|input|next|continue|break)\b|&&|\|\||\?`}

// sweepsPlace reports whether code deletes all that it finds in a place.
func sweepsPlace(s *hazard.Scene, c *shell.Command, text string) bool {
	for _, re := range sweeps() {
		m := re.FindStringSubmatch(text)
		if m == nil || choosing.get().MatchString(text) {
			continue
		}
		dir, names := unquote(m[re.SubexpIndex("dir")]), identifier.get().FindAllString(m[re.SubexpIndex("var")], 8)
		if !literalPlaceOf(s, c, dir) {
			continue
		}
		if len(names) == 0 {
			names = []string{"$_", "unlink", "rmdir", "rmtree"} // Perl's own
		}
		if deletesNamed(newScript(text), derived(text, names)) {
			return true
		}
	}
	return false
}

// derivations make a name of others: for f in files, path = join(root, f).
var derivations = &pattern{text: `\bfor\s+(\w+)\s+in\s+([^:\n\]]+)|([A-Za-z_$]\w*)\s*=\s*([^=\n;][^\n;]*)`}

// derived adds the names that are made of names.
func derived(text string, names []string) []string {
	for _, m := range derivations.get().FindAllStringSubmatch(text, 16) {
		for _, used := range identifier.get().FindAllString(m[2]+m[4], 16) {
			if slices.Contains(names, used) {
				names = append(names, m[1]+m[3])
				break
			}
		}
	}
	return names
}

// deletesNamed reports whether code deletes what one of some names holds.
func deletesNamed(p *script, names []string) bool {
	uses := func(from, to int) bool {
		for _, name := range identifier.get().FindAllString(p.text[from:to], 16) {
			if slices.Contains(names, name) {
				return true
			}
		}
		return false
	}
	for _, m := range deleteVerbs.get().FindAllStringIndex(p.prose, maxLiterals) {
		from, to := p.arguments(m[1])
		begin := strings.LastIndexAny(p.text[:m[0]], " ;{(\n[") + 1
		if uses(from, to) || uses(begin, m[1]) {
			return true
		}
	}
	for _, m := range runVerbs.get().FindAllStringIndex(p.prose, maxLiterals) {
		from, to := p.arguments(m[1])
		if deletes := p.within(from, to); uses(from, to) && len(deletes) > 0 && strings.HasPrefix(deletes[0], "rm") {
			return true
		}
	}
	return false
}

// deletesArgs matches code that deletes its arguments, or the lines that it
// reads.
var deletesArgs = &pattern{text: `\b(?:unlink|os\.remove|shutil\.rmtree|File\.delete|FileUtils\.rm\w*|unlinkSync|rmSync)\b[\s(*]*(?:@ARGV|sys\.argv|ARGV|process\.argv)|^\s*(?:chomp;?\s*)?unlink(?:\s*\$_)?\s*;?\s*$`}

// deletesFound reports whether code deletes all that a find hands it of a place.
func deletesFound(s *hazard.Scene, c *shell.Command, text string) bool {
	if !deletesArgs.get().MatchString(text) {
		return false
	}
	if find := s.Line.Sweeper(c); find != nil && searchesPlace(s, find) {
		return true
	}
	return c.Source >= 0 && findsPlace(s, c.Source)
}

// findsPlace reports whether the command with index i is a find that prints
// nearly all of a place.
func findsPlace(s *hazard.Scene, i int) bool {
	w := &s.Line.Commands[i]
	_, narrowed := w.SearchRoots()
	return !narrowed && searchesPlace(s, w)
}

// searchesPlace reports whether a find looks below a place.
func searchesPlace(s *hazard.Scene, w *shell.Command) bool {
	roots, _ := w.SearchRoots()
	for _, r := range roots {
		if worst(s, w, r) != elsewhere {
			return true
		}
	}
	return false
}
