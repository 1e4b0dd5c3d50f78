package draft

import (
	"errors"

	"github.com/policyctl/policyctl/pkg/policy"
)

// ErrNothing is the error of a file that says nothing about permissions.
var ErrNothing = errors.New("nothing to import")

// An Input is what a reader has found.
type Input struct {
	Agent *Agent
	// Name is what people are shown of where the entries come from.
	Name string
	// Root is the absolute directory of the project to which the entries
	// belong, "" for those of a user.
	Root    string
	Entries []Entry
	// Notes are of what is no entry, and of entries that cannot be read.
	Notes []Note
	// Rest is what a tool that no entry names is treated as.
	Rest policy.Treatment
	// Bypass is the mode that asks nobody, as the file has it, "" for none.
	// Yolo says that the person wants it turned on here too.
	Bypass string
	Yolo   bool
	// Edits is the mode of a user that allows edits in the project, "" for none.
	Edits string
}

// Note notes what an entry becomes, "" for nothing, and how that differs.
func (in *Input) Note(entry, becomes, differs string) {
	in.Notes = append(in.Notes, Note{entry, becomes, differs})
}

// AllowEdits adds a mode that allows edits in the project, or in that of each call where
// the settings belong to none.
func (in *Input) AllowEdits(mode string) {
	if in.Root != "" {
		in.Add(Entry{Action: policy.Allow, Text: mode, Tool: "Edit", Spec: "/**"})
		return
	}
	in.Edits = mode
	in.Note(mode, "approvals.auto_allow_workspace true", "stricter: hooks, secrets, settings of agents and what git cannot give back ask; "+
		"looser: git add, commit, switch and stash are allowed too")
}

// Add adds entries.
func (in *Input) Add(entries ...Entry) { in.Entries = append(in.Entries, entries...) }

// Join adds what another file of the same agent says.
func (in *Input) Join(more *Input) {
	if in.Name != "" {
		in.Name += ", "
	}
	in.Name += more.Name
	in.Entries = append(in.Entries, more.Entries...)
	in.Notes = append(in.Notes, more.Notes...)
	if more.Rest != policy.Unset && (in.Rest == policy.Unset || more.Rest < in.Rest) {
		in.Rest = more.Rest
	}
	if more.Bypass != "" {
		in.Bypass = more.Bypass
	}
	if more.Edits != "" {
		in.Edits = more.Edits
	}
}

// Bypassed notes a mode that asks nobody, which [Build] turns on only if the
// input says so.
func (in *Input) Bypassed(mode string) {
	in.Bypass = mode
	in.Note(mode, "approvals.mode manual", notBypassed)
}

const notBypassed = "stricter: yolo is not turned on, and what nothing allows asks; --bypass turns it on for settings of your own"
