package claude

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/support/spelling"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// modes are the permission modes of Claude Code.
var modes = []string{"default", "manual", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"}

// modeName returns a permission mode that exists.
func (r reader) modeName(n *strictjson.Node) (string, error) {
	text, near := n.Text, ""
	for _, m := range modes {
		switch {
		case m == text:
			return text, nil
		case spelling.Distance(strings.ToLower(text), strings.ToLower(m)) <= 2:
			near = ": did you mean " + m + "?"
		}
	}
	if near == "" {
		near = ": write one of " + strings.Join(modes, ", ")
	}
	return "", r.fail(n, "unknown defaultMode %q%s", text, near)
}

// mode says what becomes of a mode: none makes policyctl ask less.
func (im *importer) mode(mode string) {
	differs := map[string]string{
		"acceptEdits":       "stricter: edits ask; add a permission such as \"write src/*\": allow",
		"plan":              "a person is asked about each change, where Claude Code refuses all until a plan is approved",
		"auto":              "stricter: nothing is left to a model; what nothing allows asks",
		"dontAsk":           "looser where a person is present: what nothing allows asks; where nobody is, it is denied",
		"bypassPermissions": "stricter: yolo is not turned on by an import; what nothing allows asks",
	}[mode]
	if differs != "" {
		im.policy.Notes = append(im.policy.Notes, Note{"defaultMode " + mode, "approvals.mode manual", differs})
	}
}

// directories says what becomes of directories beside the project's.
func (im *importer) directories(list []string) {
	for _, dir := range list {
		im.policy.Notes = append(im.policy.Notes, Note{
			"additionalDirectories " + dir, "",
			"reading there is not asked about anyway, unless a path is sensitive; writing asks",
		})
	}
	for _, key := range im.settings.others {
		differs := "the import does not know it: look up what it does"
		if slices.Contains(inertKeys, key) {
			differs = "policyctl has nothing that it could switch off"
		}
		im.policy.Notes = append(im.policy.Notes, Note{key, "", differs})
	}
}

// general says what holds for all entries.
func (im *importer) general() {
	notes := []Note{{
		"calls that no entry names", "what policyctl's own stages say",
		"reads outside the project and searches of the web are not asked about, subagents are, and the floor denies what cannot be undone",
	}}
	if im.has("read ", "write ") {
		notes = append(notes, Note{
			"all rules of paths", "permissions of the tools read and write",
			"looser where the file system folds case or has links: a path is compared as it is written",
		})
	}
	if im.has("shell ") {
		notes = append(notes, Note{
			"all rules of Bash", "permissions of the tool shell",
			"each command of a line is compared by its words; deny and ask also match it behind wrappers and with options before its sub-command, and a redirection to a file needs a permission to write it; looser: commands in substitutions are judged as others are, and cd before git is, where Claude Code may ask",
		})
	}
	im.policy.Notes = append(im.policy.Notes, notes...)
}

// has reports whether a permission begins with one of several tools.
func (im *importer) has(tools ...string) bool {
	for _, p := range im.policy.Permissions {
		for _, tool := range tools {
			if strings.HasPrefix(p.Match, tool) {
				return true
			}
		}
	}
	return false
}
