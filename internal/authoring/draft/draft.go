// Package draft makes a policy of the permissions of another program, and says
// of each entry what it becomes and how that differs.
//
// A reader of a format gives it entries: a decision, a tool as agents name it
// and a pattern in the manner of Claude Code, which says the most. [Build]
// never loosens: where an entry cannot be said exactly, a deny or an ask becomes
// a wider one, and an allow a narrower one or none.
//
// The package knows no format, reads and writes no file, and judges no call.
package draft

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/policyctl/policyctl/pkg/policy"
)

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

// A Policy is what entries become.
type Policy struct {
	source string
	// Permissions are in the order of the entries: deny, ask, allow.
	Permissions []Permission
	// Rules are about lines, in the order of the entries.
	Rules []Rule
	// Tools are declared, and Treated treated as a whole, by name. Rest is how
	// all others are treated.
	Tools   map[string]Tool
	Treated map[string]policy.Treatment
	Rest    policy.Treatment
	// AskReading says that commands that only read ask too.
	AskReading bool
	// Bypass is a mode that asks nobody, and Yolo whether it is turned on.
	Bypass string
	Yolo   bool
	// Edits is a mode that allows edits in the project of each call, "" for none.
	Edits string
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

// Build returns the policy of entries.
func Build(in *Input) *Policy {
	p := &Policy{
		source: in.Name, Tools: make(map[string]Tool), Treated: make(map[string]policy.Treatment),
		Rest: in.Rest, Bypass: in.Bypass, Yolo: in.Yolo && in.Root == "", Edits: in.Edits, Notes: in.Notes,
	}
	for i := range p.Notes {
		if n := &p.Notes[i]; p.Yolo && n.Differs == notBypassed {
			n.Becomes, n.Differs = "approvals.yolo true", "what nothing denies is allowed; the floor and loops hold"
		}
	}
	if in.Root != "" {
		p.Bypass = "" // what a project says turns nothing on
	}
	b := &builder{out: p, in: in, root: strings.TrimSuffix(in.Root, "/")}
	entries, replaced := ordered(in.Entries)
	p.Notes = append(p.Notes, replaced...)
	for _, action := range []policy.Decision{policy.Deny, policy.Ask, policy.Allow} {
		for i := range entries {
			if entries[i].Action == action {
				b.entry(&entries[i])
				b.overruled(&entries[i])
			}
		}
	}
	b.guard()
	b.general()
	return p
}

// A builder turns entries into permissions.
type builder struct {
	out  *Policy
	in   *Input
	root string
	// What is to be added once all entries are known.
	writes, reads bool
}

// A pattern is one permission to be, without its tool.
type pattern struct {
	subject string
	except  []string
}

// add adds permissions of a tool.
func (b *builder) add(e *Entry, tool string, patterns ...pattern) {
	except, _ := b.exceptions(e, tool)
	for _, p := range patterns {
		if plain := strings.TrimRightFunc(p.subject, unicode.IsSpace); plain != p.subject {
			if e.Action == policy.Allow {
				b.drop(e, "stricter: no pattern of policyctl ends with a blank")
				continue
			}
			p.subject = plain + strings.Repeat("?", utf8.RuneCountInString(p.subject[len(plain):]))
		}
		out := policy.Permission{
			Match: strings.TrimSpace(tool + " " + p.subject), Action: e.Action,
			EveryTime: e.Action == policy.Ask && b.in.Agent.EveryTime,
		}
		for _, x := range p.except {
			out.Except = append(out.Except, tool+" "+x)
		}
		out.Except = append(out.Except, except...)
		b.out.Permissions = append(b.out.Permissions, Permission{out, named(e)})
		b.name(out, e)
	}
}

// name repeats a permission to write for the other tools that do: what is said
// of tools without a permission would otherwise count for them.
func (b *builder) name(p policy.Permission, e *Entry) {
	subject, ok := strings.CutPrefix(p.Match, "write ")
	if !ok || b.in.Rest == policy.Unset || p.Action != policy.Allow {
		return
	}
	for _, tool := range []string{"edit", "multi_edit", "apply_patch"} {
		p.Match = tool + " " + subject
		except := p.Except
		p.Except = nil
		for _, x := range except {
			_, glob, _ := strings.Cut(x, " ")
			p.Except = append(p.Except, tool+" "+glob)
		}
		b.out.Permissions = append(b.out.Permissions, Permission{p, named(e)})
	}
}

func named(e *Entry) string { return e.Action.String() + " " + e.Text }

// note says how what was added last for an entry differs.
func (b *builder) note(e *Entry, differs string) {
	name := named(e)
	var becomes []string
	for _, p := range b.out.Permissions {
		if p.Entry == name {
			becomes = append(becomes, p.Match)
		}
	}
	b.out.Notes = append(b.out.Notes, Note{name, strings.Join(becomes, ", "), differs})
}

// overruled says of which entries an entry refuses what they allow, although
// they win over it elsewhere.
func (b *builder) overruled(e *Entry) {
	if len(e.Except) == 0 || e.Spec == "" && e.Action == policy.Ask && !isReader(e.Tool) {
		return
	}
	tool := map[bool]string{true: "read", false: "write"}[isReader(e.Tool)]
	switch {
	case e.Tool == "Bash":
		tool = "shell"
	case e.Tool == "WebFetch":
		tool = "fetch"
	}
	if _, refused := b.exceptions(e, tool); len(refused) > 0 {
		b.note(e, "stricter: it also counts where "+strings.Join(refused, ", ")+" would win over it")
	}
}

// drop says why an entry becomes nothing.
func (b *builder) drop(e *Entry, why string) {
	b.out.Notes = append(b.out.Notes, Note{named(e), "", why})
}

// entry adds what one entry becomes.
func (b *builder) entry(given *Entry) {
	e := *given
	if e.All && e.Action == policy.Allow && (isReader(e.Tool) || isWriter(e.Tool)) {
		e.Spec = "**" // as a path it stays within the project
	}
	switch {
	case strings.HasPrefix(e.Tool, "mcp__"):
		b.mcp(&e)
	case e.Tool == "Bash":
		b.bash(&e)
	case e.Tool == "PowerShell":
		b.powershell(&e)
	case isReader(e.Tool):
		b.reader(&e)
	case isWriter(e.Tool):
		b.writer(&e)
	case e.Tool == "WebFetch":
		b.fetch(&e)
	default:
		b.other(&e)
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

// general says what holds for all entries.
func (b *builder) general() {
	add := func(entries, becomes, differs string) {
		b.out.Notes = append(b.out.Notes, Note{entries, becomes, differs})
	}
	add("calls that no entry names", "what policyctl's own stages say",
		"reads outside the project and searches of the web are not asked about, subagents are, and the floor denies what cannot be undone")
	if b.has("read ", "write ") {
		add("all rules of paths", "permissions of the tools read and write",
			"looser where the file system folds case or has links: a path is compared as it is written")
	}
	if b.has("shell ") {
		add("all rules of "+b.in.Agent.Shell, "permissions of the tool shell",
			"each command of a line is compared by its words; deny and ask also match it behind wrappers "+
				"and with options before its sub-command, and a redirection to a file needs a permission to write it"+b.in.Agent.Commands)
	}
}

// has reports whether a permission begins with one of several tools.
func (b *builder) has(tools ...string) bool {
	return slices.ContainsFunc(b.out.Permissions, func(p Permission) bool {
		return slices.ContainsFunc(tools, func(tool string) bool { return strings.HasPrefix(p.Match, tool) })
	})
}
