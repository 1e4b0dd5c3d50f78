// Package foreign reads the permissions of other agents as a policy, and writes
// a policy as theirs. Each agent is one row of [Agents]: which files it has, and
// what reads and writes them.
//
// [Found] says which settings a machine has, and [Read] what they become. Both
// directions never loosen. Where one side cannot say what the other does, the
// result is stricter, or a note names what is missing.
//
// The formats were read in November 2026 in the documentation and the source of
// the agents; the file of each names them. The package judges no call.
package foreign

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/authoring/claude"
	"github.com/policyctl/policyctl/internal/authoring/draft"
	"github.com/policyctl/policyctl/internal/support/plainfile"
)

// A Scope says to whom settings belong.
type Scope string

// The scopes.
const (
	User    Scope = "user"
	Project Scope = "project"
)

// A Source is the settings of one agent in one file.
type Source struct {
	// Agent is the name of its row.
	Agent string
	Path  string
	Scope Scope
	// Root is the absolute directory of the project to which the settings
	// belong, "" for those of a user.
	Root string
	// Data is what the file says; nil has [Read] read it.
	Data []byte
	// Bypass says that a mode of the user's own that asks nobody is to become
	// yolo.
	Bypass bool
}

// An Agent is how one agent keeps its permissions.
type Agent struct {
	// Agent is what its entries have in common, with its names.
	*draft.Agent
	// user and project are where its files are, below the home directory and
	// below a project; the last part may be a pattern.
	user, project []string
	// read adds what a file says.
	read func(s *Source, in *draft.Input) error
	// write returns a file of the agent, and Written says what that is.
	write   func(x *export) []byte
	Written string
	// Exact, Stricter and Left say in the documentation what of a file is
	// imported exactly, what becomes stricter and what is left out.
	Exact, Stricter, Left string
}

// Agents are the agents, in the order of the documentation.
var Agents = []*Agent{claudeCode, codex, gemini, openCode, cursor, copilot, qwen}

// Row returns the agent's row of the table in the documentation.
func (a *Agent) Row() string {
	user, project := a.Files()
	files := append(slices.Clone(user), project...)
	return fmt.Sprintf("| %s, `%s` | `%s` | %s | %s | %s |", a.Title, a.Name, strings.Join(files, "`, `"), a.Exact, a.Stricter, a.Left)
}

// Named returns the agent of a name, nil for none.
func Named(name string) *Agent {
	at := slices.IndexFunc(Agents, func(a *Agent) bool { return a.Name == name })
	if at < 0 {
		return nil
	}
	return Agents[at]
}

// Names returns the names of all agents.
func Names() []string {
	var out []string
	for _, a := range Agents {
		out = append(out, a.Name)
	}
	return out
}

// Files returns where an agent keeps its settings, as people write it: those of
// a user, and those of a project.
func (a *Agent) Files() (user, project []string) {
	for _, name := range a.user {
		user = append(user, "~/"+name)
	}
	return user, a.project
}

// Found returns which settings there are below a home directory and below a
// project, "" for none, in the order of [Agents]. Of one agent, those of the
// user come first.
func Found(home, project string) []Source {
	var out []Source
	for _, a := range Agents {
		out = append(out, a.found(home, User, a.user)...)
		if project != "" && filepath.Clean(project) != filepath.Clean(home) {
			out = append(out, a.found(project, Project, a.project)...)
		}
	}
	return out
}

// FoundOf returns those of [Found] that belong to one agent.
func FoundOf(agent, home, project string) []Source {
	return slices.DeleteFunc(Found(home, project), func(s Source) bool { return s.Agent != agent })
}

func (a *Agent) found(below string, scope Scope, names []string) []Source {
	if below == "" {
		return nil
	}
	root := ""
	if scope == Project {
		root = filepath.ToSlash(below)
	}
	var out []Source
	for _, name := range names {
		paths := []string{filepath.Join(below, filepath.FromSlash(filepath.Dir(name)), filepath.Base(name))}
		if dir, pattern := filepath.Dir(paths[0]), filepath.Base(name); pattern[0] == '*' {
			paths = matching(dir, pattern)
		}
		for _, path := range paths {
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				out = append(out, Source{Agent: a.Name, Path: path, Scope: scope, Root: root})
			}
		}
	}
	return out
}

// matching returns the files of a directory whose names match a pattern.
func matching(dir, pattern string) []string {
	entries, _ := os.ReadDir(dir) // one that cannot be read has no settings
	var out []string
	for _, e := range entries {
		if ok, _ := filepath.Match(pattern, e.Name()); ok {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out
}

// largest bounds a file of settings.
const largest = 4 << 20

// mostRanked bounds the rules that have an order, each of which is held against
// all others.
const mostRanked = 2000

// Read returns the policy of settings, all of one agent: what they become, and
// what of it changes. The error names each file that cannot be read, and why. A
// file that says nothing about permissions is one only if no other does
// ([draft.ErrNothing]).
func Read(sources ...Source) (*draft.Policy, []draft.Note, error) {
	in := &draft.Input{}
	var errs []error
	silent := 0
	for i := range sources {
		err := add(&sources[i], in)
		if errors.Is(err, draft.ErrNothing) {
			silent++
		}
		errs = append(errs, err)
	}
	if silent < len(sources) {
		errs = slices.DeleteFunc(errs, func(err error) bool { return errors.Is(err, draft.ErrNothing) })
	}
	if errs = slices.DeleteFunc(errs, func(err error) bool { return err == nil }); len(errs) > 0 {
		return nil, nil, errors.Join(errs...)
	}
	if ranked := slices.ContainsFunc(in.Entries, func(e draft.Entry) bool { return e.Rank > 0 }); ranked && len(in.Entries) > mostRanked {
		return nil, nil, fmt.Errorf("%s: has %d rules, of which at most %d can be put in order: divide the file", in.Name, len(in.Entries), mostRanked)
	}
	p := draft.Build(in)
	return p, p.Notes, nil
}

// An emptyError is that of a reader for a file without any text, which is [draft.ErrNothing].
type emptyError struct{ error }

func (emptyError) Is(target error) bool { return target == draft.ErrNothing }

// add adds what one file says.
func add(s *Source, in *draft.Input) error {
	a := Named(s.Agent)
	if a == nil {
		return fmt.Errorf("%s: unknown agent %q", s.Path, s.Agent)
	}
	if in.Agent != nil && in.Agent != a.Agent {
		return fmt.Errorf("%s: it is of another agent than the files before it: import them one by one", s.Path)
	}
	in.Agent = a.Agent
	if s.Data == nil {
		data, err := plainfile.Read(s.Path, largest)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Path, plainfile.Bare(err))
		}
		s.Data = data
	}
	s.Data = bytes.TrimPrefix(s.Data, []byte("\ufeff"))
	more := &draft.Input{Agent: a.Agent, Name: s.Path, Root: s.Root}
	switch err := a.read(s, more); {
	case err != nil && len(bytes.TrimSpace(s.Data)) == 0:
		return emptyError{err}
	case err != nil:
		return err
	}
	if len(more.Entries) == 0 && len(more.Notes) == 0 {
		return fmt.Errorf("%s: has no permissions: %w", s.Path, draft.ErrNothing)
	}
	if s.Root != "" {
		in.Root = s.Root
	} else if more.Bypass != "" {
		in.Yolo = in.Yolo || s.Bypass
	}
	in.Join(more)
	return nil
}

// claudeForm reads settings in the form of Claude Code.
func claudeForm(form *claude.Form) func(*Source, *draft.Input) error {
	return func(s *Source, in *draft.Input) error {
		got, err := claude.Read(claude.Source{Name: s.Path, Data: s.Data, Root: s.Root, Form: form})
		if err == nil {
			*in = *got
		}
		return err
	}
}

var claudeCode = &Agent{
	Agent: claude.Code.Agent,
	user:  []string{".claude/settings.json"}, project: []string{".claude/settings.json", ".claude/settings.local.json"},
	read: claudeForm(claude.Code), write: writeClaude, Written: "permissions of .claude/settings.json",
	Exact:    "commands, MCP tools, whole tools, edits of absolute paths, `acceptEdits` of a project",
	Stricter: "paths that are denied or asked about count in any directory, and for shell commands; joined commands become a rule about the line",
	Left:     "negated paths; allows with quotes or operators and a star",
}

var qwen = &Agent{
	Agent: claude.Qwen.Agent,
	user:  []string{".qwen/settings.json"}, project: []string{".qwen/settings.json"},
	read: claudeForm(claude.Qwen), write: writeClaude, Written: "permissions of .qwen/settings.json",
	Exact:    "as Claude Code; also the older `tools.allowed` and `tools.exclude`, and `auto-edit` of a project",
	Stricter: "as Claude Code",
	Left:     "as Claude Code; `tools.core`",
}

// RootOf returns the project to which a file of the agent belongs by its place,
// "" for a file of a user, and for one in any other place. The path and the home
// directory are absolute.
func (a *Agent) RootOf(path, home string) string {
	path = filepath.ToSlash(filepath.Clean(path))
	for _, name := range a.user {
		if home != "" && filepath.ToSlash(filepath.Dir(path)) == filepath.ToSlash(filepath.Join(home, filepath.Dir(name))) {
			return ""
		}
	}
	for _, name := range a.project {
		folder := filepath.ToSlash(filepath.Dir(name))
		above, ok := strings.CutSuffix(filepath.ToSlash(filepath.Dir(path)), "/"+folder)
		if folder == "." {
			above, ok = filepath.ToSlash(filepath.Dir(path)), filepath.Base(path) == name
		}
		if ok {
			return above
		}
	}
	return ""
}
