// Package claude reads the permissions in the settings of Claude Code, and of
// Qwen Code, which has taken their form over.
//
// [Import] turns them into a policy, with a note of each entry whose meaning
// changes. The rules are those of the documentation of Claude Code's
// permissions: Bash patterns, file patterns in the manner of gitignore, domains,
// and names of MCP tools. Those of Qwen Code were read in its source,
// packages/core/src/permissions, and in docs/users/configuration/settings.md of
// QwenLM/qwen-code, in November 2026.
//
// The package reads and writes no file, and it judges no call.
package claude

import (
	"github.com/policyctl/policyctl/internal/authoring/draft"
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
	// Form is whose settings these are; nil for Claude Code's.
	Form *Form
}

// Import returns the policy of the permissions in settings. The error names
// the place of each problem, as FILE:LINE:COLUMN.
func Import(s Source) (*draft.Policy, error) {
	in, err := Read(s)
	if err != nil {
		return nil, err
	}
	return draft.Build(in), nil
}

// Read returns the entries of settings, with the errors of [Import].
func Read(s Source) (*draft.Input, error) {
	if s.Form == nil {
		s.Form = Code
	}
	settings, err := read(s)
	if err != nil {
		return nil, err
	}
	in := &draft.Input{Agent: s.Form.Agent, Name: s.Name, Root: s.Root}
	settings.inMode(in)
	in.Notes = append(in.Notes, settings.notes...)
	in.Entries = append(append(append(in.Entries, settings.deny...), settings.ask...), settings.allow...)
	settings.beside(in)
	return in, nil
}

// A Form is how one agent writes such settings.
type Form struct {
	Agent *draft.Agent
	// commented says that the file may have comments and trailing commas.
	commented bool
	// modeKey is the key of the mode outside the permissions, by its path.
	modeKey []string
	modes   []mode
	// lists are older lists of rules outside the permissions, by their path.
	lists []olderList
	// names are what Claude Code calls the agent's tools, without the word Tool
	// behind them; nil for its own names.
	names map[string]string
	// hosts says that a rule of pages may name a host alone.
	hosts bool
}

// An olderList is a list of rules outside the permissions.
type olderList struct {
	path   []string
	action policy.Decision
}

// A mode is what a permission mode becomes.
type mode struct {
	name string
	// differs says how, "" where nothing does.
	differs string
	// edits says that it allows edits in the project, and bypass that it asks
	// nobody.
	edits, bypass bool
}

// Code is the form of Claude Code.
var Code = &Form{
	Agent: &draft.Agent{
		Name: "claude", Title: "Claude Code", Shell: "Bash", EveryTime: true, Searches: true, PathsOfEdit: true,
		AsksAlways: " watch setsid ionice flock ",
		Beside:     []string{"find *-delete*", "find *-exec*", "find *-ok*"},
		Protected: []string{
			"*/.git", "*/.git/*", "*/.claude/*", "*/.vscode/*", "*/.idea/*", "*/.husky/*", "*/.gitconfig", "*/.gitmodules", "*/.bashrc", "*/.bash_profile",
			"*/.zshrc", "*/.zprofile", "*/.profile", "*/.mcp.json", "*/.claude.json",
		},
		Commands: "; looser: commands in substitutions are judged as others are, and cd before git is, where Claude Code may ask",
	},
	modes: []mode{
		{name: "default"}, {name: "manual"},
		{name: "acceptEdits", edits: true},
		{name: "plan", differs: "a person is asked about each change, where Claude Code refuses all until a plan is approved"},
		{name: "auto", differs: "stricter: nothing is left to a model; what nothing allows asks"},
		{name: "dontAsk", differs: "looser where a person is present: what nothing allows asks; where nobody is, it is denied"},
		{name: "bypassPermissions", bypass: true},
	},
}

// Qwen is the form of Qwen Code.
var Qwen = &Form{
	Agent: &draft.Agent{
		Name: "qwen", Title: "Qwen Code", Shell: "Bash", EveryTime: true, Searches: true, WritesApart: true,
		Protected: []string{"*/.git", "*/.git/*", "*/.qwen/*", "*/.gitconfig", "*/.bashrc", "*/.bash_profile", "*/.zshrc", "*/.profile"},
	},
	commented: true,
	modeKey:   []string{"tools", "approvalMode"},
	modes: []mode{
		{name: "default"},
		{name: "auto-edit", edits: true},
		{name: "plan", differs: "a person is asked about each change, where Qwen Code refuses all until a plan is approved"},
		{name: "auto", differs: "stricter: nothing is left to a model; what nothing allows asks"},
		{name: "yolo", bypass: true},
	},
	lists: []olderList{{[]string{"tools", "exclude"}, policy.Deny}, {[]string{"tools", "allowed"}, policy.Allow}},
	names: map[string]string{
		"run_shell_command": "Bash", "Shell": "Bash", "Bash": "Bash", "edit": "Edit", "Edit": "Edit", "replace": "Edit",
		"write_file": "Write", "WriteFile": "Write", "Write": "Write", "read_file": "Read", "ReadFile": "Read", "Read": "Read",
		"grep_search": "Grep", "Grep": "Grep", "search_file_content": "Grep", "SearchFiles": "Grep", "glob": "Glob", "Glob": "Glob", "FindFiles": "Glob",
		"list_directory": "LS", "ListFiles": "LS", "ReadFolder": "LS", "web_fetch": "WebFetch", "WebFetch": "WebFetch",
		"web_search": "WebSearch", "WebSearch": "WebSearch", "agent": "Task", "Agent": "Task", "task": "Task", "Task": "Task",
		"skill": "Skill", "Skill": "Skill", "todo_write": "TodoWrite", "TodoWrite": "TodoWrite",
	},
	hosts: true,
}
