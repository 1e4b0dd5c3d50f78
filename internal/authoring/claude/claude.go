// Package claude turns the permissions of Claude Code's settings into a policy
// of policyctl, and says of each entry what it becomes and how that differs.
//
// [Import] never loosens: where a rule cannot be said exactly, a deny or an ask
// becomes a wider one, and an allow a narrower one or none. The rules are those
// of the documentation of Claude Code's permissions: Bash patterns, file
// patterns in the manner of gitignore, domains, and names of MCP tools.
//
// The package reads and writes no file, and it judges no call.
package claude

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A Source is one settings file.
type Source struct {
	// Name is what people are shown.
	Name string
	Data []byte
	// Root is the absolute directory of the project to which the settings
	// belong, "" for those of a user.
	Root string
}

// A Note says of an entry what it becomes and how that differs.
type Note struct {
	Entry   string `json:"entry"`
	Becomes string `json:"becomes"` // "" for nothing
	Differs string `json:"differs"`
}

// String returns the note on one line.
func (n Note) String() string {
	if n.Becomes == "" {
		n.Becomes = "nothing"
	}
	return fmt.Sprintf("%s: becomes %s; differs: %s", n.Entry, n.Becomes, n.Differs)
}

// A Policy is what settings become.
type Policy struct {
	source string
	// Permissions are in the order of the settings: deny, ask, allow.
	Permissions []Permission
	// Rules are about lines, in the order of the settings.
	Rules []Rule
	// Tools are declared, and Treated treated as a whole, by name.
	Tools   map[string]Tool
	Treated map[string]policy.Treatment
	// Notes are of every entry whose meaning changes, in the same order.
	Notes []Note
}

// A Permission is one permission, with the entry from which it comes.
type Permission struct {
	policy.Permission
	Entry string
}

// A Tool is the declaration of a tool that policyctl does not know.
type Tool struct{ Kind, Risk string }

// Import returns the policy of the permissions in settings. The error names
// the place of each problem, as FILE:LINE:COLUMN.
func Import(s Source) (*Policy, error) {
	settings, err := read(s)
	if err != nil {
		return nil, err
	}
	p := &Policy{source: s.Name, Tools: make(map[string]Tool), Treated: make(map[string]policy.Treatment)}
	im := &importer{policy: p, root: strings.TrimSuffix(s.Root, "/"), settings: settings}
	im.mode(settings.mode)
	p.Notes = append(p.Notes, settings.notes...)
	for _, list := range settings.lists() {
		for _, r := range list.rules {
			im.rule(list.action, r)
		}
	}
	im.directories(settings.directories)
	im.guard()
	im.general()
	return p, nil
}

// An importer turns rules into permissions.
type importer struct {
	policy   *Policy
	settings *settings
	root     string
	// What is to be added once all rules are known.
	writes, reads bool
}

// A pattern is one permission to be, without its tool.
type pattern struct {
	subject string
	except  []string
}

// add adds permissions of a tool. Claude Code asks every time where an ask
// matches, whatever was approved before.
func (im *importer) add(action policy.Decision, r rule, tool string, patterns ...pattern) {
	for _, p := range patterns {
		if plain := strings.TrimRightFunc(p.subject, unicode.IsSpace); plain != p.subject {
			if action == policy.Allow {
				im.drop(action, r, "stricter: no pattern of policyctl ends with a blank")
				continue
			}
			p.subject = plain + strings.Repeat("?", utf8.RuneCountInString(p.subject[len(plain):]))
		}
		out := policy.Permission{Match: strings.TrimSpace(tool + " " + p.subject), Action: action, EveryTime: action == policy.Ask}
		for _, x := range p.except {
			out.Except = append(out.Except, tool+" "+x)
		}
		im.policy.Permissions = append(im.policy.Permissions, Permission{out, entry(action, r)})
	}
}

func entry(action policy.Decision, r rule) string { return action.String() + " " + r.text }

// note says how what was added last for a rule differs.
func (im *importer) note(action policy.Decision, r rule, differs string) {
	e := entry(action, r)
	var becomes []string
	for _, p := range im.policy.Permissions {
		if p.Entry == e {
			becomes = append(becomes, p.Match)
		}
	}
	im.policy.Notes = append(im.policy.Notes, Note{e, strings.Join(becomes, ", "), differs})
}

// drop says why a rule becomes nothing.
func (im *importer) drop(action policy.Decision, r rule, why string) {
	im.policy.Notes = append(im.policy.Notes, Note{entry(action, r), "", why})
}

// rule imports one rule.
func (im *importer) rule(action policy.Decision, r rule) {
	if r.star && action == policy.Allow && (isReader(r.tool) || isWriter(r.tool)) {
		r.spec = "**" // as a path it stays within the project
	}
	switch {
	case strings.HasPrefix(r.tool, "mcp__"):
		im.mcp(action, r)
	case r.tool == "Bash":
		im.bash(action, r)
	case r.tool == "PowerShell":
		im.powershell(action, r)
	case isReader(r.tool):
		im.reader(action, r)
	case isWriter(r.tool):
		im.writer(action, r)
	case r.tool == "WebFetch":
		im.fetch(action, r)
	default:
		im.other(action, r)
	}
}

func isReader(tool string) bool {
	switch tool {
	case "Read", "NotebookRead", "Grep", "Glob", "LS":
		return true
	}
	return false
}

func isWriter(tool string) bool {
	switch tool {
	case "Edit", "Write", "MultiEdit", "NotebookEdit":
		return true
	}
	return false
}
