package dangerous

import (
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// deletesByName are the rules whose findings [Remade] is about.
var deletesByName = is("rm-recursive", "rm-force", "rimraf")

// Remade reports whether a rule matches the command with index i only because
// it deletes directories that a build, a test or a package manager makes again,
// such as node_modules, below the directory where the line starts. Where the
// directory is a link, what it leads to counts for no more than its name.
func Remade(s *hazard.Scene, i int, r *hazard.Rule) bool {
	return deletesByName(r.ID) && deletesRemade(s, &s.Line.Commands[i])
}

func deletesRemade(s *hazard.Scene, c *cmd) bool {
	start, ok := s.Line.Commands[0].Dir.Literal()
	if !ok || c.Dir.Open || len(c.Dir.Values) == 0 || strings.HasPrefix(s.Home+"/", start+"/") {
		return false
	}
	found := false
	_, from := c.Worker()
	for i := 1; i < len(c.Words); i++ {
		w := &c.Words[i]
		switch v, known := w.Literal(); {
		case known && strings.HasPrefix(v, "-"), known && onlyRuns(c) && !found && (i < from-1 || program.OfKind(v, "razes")):
			continue
		case w.Open || len(w.Values) == 0:
			return false
		}
		for _, p := range shell.Paths(c.Dir, w.Set) {
			if !isRemade(start, p) {
				return false
			}
		}
		found = true
	}
	return found
}

// isRemade reports whether a path is a directory below another that is made
// again, or all that such a directory holds.
func isRemade(start, path string) bool {
	path = strings.TrimSuffix(path, "/*")
	return strings.HasPrefix(path, start+"/") && !strings.ContainsAny(path, `*?[\\`) && program.IsBuilt(shell.Base(path))
}
