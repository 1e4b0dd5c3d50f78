package claude

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/authoring/draft"
	"github.com/policyctl/policyctl/internal/support/spelling"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// modeName returns a permission mode that exists.
func (r reader) modeName(n *strictjson.Node, key string) (*mode, error) {
	text, near := n.Text, ""
	var names []string
	for i := range r.form.modes {
		m := &r.form.modes[i]
		switch {
		case m.name == text:
			return m, nil
		case spelling.Distance(strings.ToLower(text), strings.ToLower(m.name)) <= 2:
			near = ": did you mean " + m.name + "?"
		}
		names = append(names, m.name)
	}
	if near == "" {
		near = ": write one of " + strings.Join(names, ", ")
	}
	return nil, r.fail(n, "unknown %s %q%s", key, text, near)
}

// inMode says what becomes of the mode: none makes policyctl ask less, but that edits in the
// project are allowed where the mode allows them.
func (s *settings) inMode(in *draft.Input) {
	if s.mode == nil || s.mode.differs == "" && !s.mode.bypass && !s.mode.edits {
		return
	}
	text := s.modeKey + " " + s.mode.name
	if s.mode.bypass {
		in.Bypassed(text)
		return
	}
	if s.mode.edits {
		in.AllowEdits(text)
		return
	}
	in.Notes = append(in.Notes, draft.Note{Entry: text, Becomes: "approvals.mode manual", Differs: s.mode.differs})
}

// beside says what becomes of directories beside the project's, and of other keys.
func (s *settings) beside(in *draft.Input) {
	for _, dir := range s.directories {
		in.Notes = append(in.Notes, draft.Note{
			Entry:   "additionalDirectories " + dir,
			Differs: "reading there is not asked about anyway, unless a path is sensitive; writing asks",
		})
	}
	for _, key := range s.others {
		differs := "the import does not know it: look up what it does"
		if slices.Contains(inertKeys, key) {
			differs = "policyctl has nothing that it could switch off"
		}
		in.Notes = append(in.Notes, draft.Note{Entry: key, Differs: differs})
	}
}
