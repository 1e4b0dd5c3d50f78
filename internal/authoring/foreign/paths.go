package foreign

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/authoring/draft"
)

// ignored returns patterns in the manner of gitignore, as Claude Code has them,
// for a pattern of paths whose stars match slashes. Those of a refusal match all
// that it does, those of an allow nothing more.
func ignored(it *item, refuses bool) (out []string, ok bool) {
	glob := it.glob
	if !refuses && len(it.except) > 0 {
		if !slices.Equal(it.except, draft.Crossings(glob)) {
			return nil, false
		}
		return []string{anchored(glob)}, true // its stars stay within a directory
	}
	var forms []string
	if refuses {
		forms, ok = crossed(glob)
	} else {
		forms, ok = []string{glob}, true
		if dir, all := strings.CutSuffix(glob, "/*"); all {
			forms = []string{dir + "/**"}
		} else if strings.HasSuffix(glob, "*") && !strings.HasSuffix(glob, "/*") {
			forms = []string{glob} // and all below what it names
		}
	}
	for _, f := range forms {
		out = append(out, anchored(f))
	}
	return out, ok
}

// crossed returns patterns whose single stars stay within a directory for one
// whose stars do not.
func crossed(glob string) ([]string, bool) {
	out := []string{""}
	parts := strings.Split(glob, "/")
	for i, part := range parts {
		var forms []string
		pre, post, star := strings.Cut(part, "*")
		switch last := i == len(parts)-1; {
		case part == "*" && (last || i == 0 || true):
			forms = []string{"**"}
		case !star:
			forms = []string{part}
		case strings.Contains(post, "*"):
			return nil, false
		case pre == "":
			forms = []string{"**/*" + post}
		default:
			forms = []string{part, pre + "*/**/*" + post}
		}
		var next []string
		for _, before := range out {
			for _, f := range forms {
				if i > 0 {
					f = before + "/" + f
				}
				next = append(next, f)
			}
		}
		if out = next; len(out) > 8 {
			return nil, false
		}
	}
	return out, true
}

// anchored writes the anchor of a pattern as Claude Code does: what begins with
// any directory counts everywhere, and a relative path begins where the agent
// works.
func anchored(glob string) string {
	switch {
	case strings.HasPrefix(glob, "**/"):
		return "//" + glob
	case strings.HasPrefix(glob, "/"):
		return "/" + glob
	case strings.HasPrefix(glob, "~/"), strings.HasPrefix(glob, "./"):
		return glob
	}
	return "./" + glob
}
