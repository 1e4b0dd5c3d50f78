package config

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/internal/support/spelling"
	"github.com/policyctl/policyctl/pkg/policy"
)

// spaceWords stand for directories of the call.
var spaceWords = []string{policy.SpaceSession, policy.SpaceProject}

var spacePath = lazily(`^(~$|~?/)`)

// safeSpacesForm is a list of directories. An empty one would keep every
// command from being proved, which another key says better.
var safeSpacesForm = form[draft]{
	someOf(either(words(spaceWords...), matching(spacePath))),
	func(d *decoder, n *yaml.Node, s *draft) {
		if n.Kind == yaml.SequenceNode && len(n.Content) == 0 {
			d.fail(n, "%s is empty: name a directory, or set approvals.auto_allow_readonly to false", d.at)
		}
		for item := range d.items(n) {
			dir, ok := d.str(item)
			if ok && d.isSpace(item, dir) {
				s.SafeSpaces = append(s.SafeSpaces, policy.Entry{Text: dir, Origin: d.origin(item)})
			}
		}
	},
}

func (d *decoder) isSpace(n *yaml.Node, dir string) bool {
	switch {
	case slices.Contains(spaceWords, dir):
		return true
	case !spacePath().MatchString(dir) && !strings.Contains(dir, "/"):
		d.suggest(n, spelling.Nearest(dir, spaceWords), "unknown safe space %s: one of session, project, or a directory that begins with / or ~/", clip.Quote(dir))
	case !spacePath().MatchString(dir):
		d.fail(n, "the safe space %s must begin with / or ~/", clip.Quote(dir))
	case strings.ContainsAny(dir, "*?"):
		d.fail(n, "the safe space %s holds a wildcard: name the directory above", clip.Quote(dir))
	case slices.Contains(strings.Split(dir, "/"), ".."):
		d.fail(n, "the safe space %s holds ..: write where it leads", clip.Quote(dir))
	default:
		return true
	}
	return false
}

// limitTighter lets a list be set where there is none; more entries loosen it.
var limitTighter = direction{says: "the first list tightens, each further entry loosens", restore: func(before, after *draft) bool {
	if before.SafeSpaces == nil || len(after.SafeSpaces) == len(before.SafeSpaces) {
		return false
	}
	after.SafeSpaces = before.SafeSpaces
	return true
}}
