package policy

import (
	"path"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/sensitive"
)

// agentDirs are the directories that hold such files beside others. To remove
// one removes the hook.
func agentDirs(name string) bool {
	switch name {
	case ".claude", ".codex", ".copilot", ".qwen", ".gemini", ".cursor", ".windsurf", ".codeium", ".kimi-code", ".grok",
		".commandcode", ".augment", ".qoder", ".factory", ".cline", ".agents", ".pi":
		return true
	}
	return false
}

// The agentFiles are those files that a call may change.
type agentFiles struct{ *facts }

// denial is the part of stage 2 that keeps an agent from taking its own
// hook away: a person may allow it in their own policy.
func (a agentFiles) denial() *opinion {
	switch {
	case a.e.settings.FreeAgentFiles:
		return nil
	case a.line != nil:
		return a.ofLine()
	default:
		for _, s := range a.args().written() {
			if at := a.view.Subject(s); slices.ContainsFunc(at.Readings(), a.is) {
				return a.deny(nil)
			}
		}
	}
	return nil
}

func (a agentFiles) ofLine() *opinion {
	for i := range a.line.Commands {
		if c := &a.line.Commands[i]; mayChange(c) {
			if at, ok := a.ofCommand(c); ok {
				return a.deny(&at)
			}
		}
	}
	for _, line := range a.view.Ran {
		for i := range line.Commands {
			if c := &line.Commands[i]; mayChange(c) {
				if _, ok := a.ofCommand(c); ok {
					return a.deny(nil) // where the code stands is no place of a command
				}
			}
		}
	}
	return nil
}

// mayChange reports whether a command, or code that it evaluates, may change files
// of this machine.
func mayChange(c *command.Command) bool {
	return c.Context == program.Local && (c.Changes() || c.HasCode())
}

// ofCommand reports whether a command, or code that it evaluates, changes one of
// the files, and where.
func (a agentFiles) ofCommand(c *command.Command) (at shell.Span, ok bool) {
	look := func(e command.Effect) bool {
		if ok = a.changes(e); ok {
			at = e.Span
		}
		return !ok
	}
	if c.Effects(look); !ok {
		c.CodeEffects(a.home(), look)
	}
	return at, ok
}

func (a agentFiles) changes(e command.Effect) bool {
	if !e.Changes() {
		return false
	}
	removes := e.Kind == command.Deletes && e.Recursive || e.Kind == command.Moves || e.Linked
	if e.Target.Glob {
		for _, p := range shell.Paths(e.Dir, e.Target) {
			if _, ok := sensitive.MayFind(p, a.parts.scene.Home, sensitive.Guard); ok && (spells(path.Base(p)) || e.Kind != command.Writes && a.holds(path.Dir(p))) {
				return true
			}
		}
		return false
	}
	for _, at := range a.view.Places(e.Dir, e.Target) {
		if removes && agentDirs(path.Base(at.Text)) || slices.ContainsFunc(at.Readings(), a.is) {
			return true
		}
	}
	return false
}

// spells reports whether a pattern names more of what it fits than a dot: .*
// fits every hidden file.
func spells(pattern string) bool { return strings.Trim(pattern, "*?.![]^") != "" }

// holds reports whether a directory is one in which agents look for
// their files: the home, the project, where the call runs, and those above.
func (a agentFiles) holds(dir string) bool {
	dir = strings.TrimSuffix(dir, "/") + "/"
	for _, at := range [...]string{a.call.Dir, a.call.ProjectDir, a.home()} {
		if at != "" && strings.HasPrefix(path.Clean(at)+"/", dir) {
			return true
		}
	}
	return a.call.Dir == ""
}

func (a agentFiles) is(p string) bool {
	_, ok := sensitive.FindRole(p, a.home(), sensitive.Guard)
	return ok
}

func (a agentFiles) deny(span *shell.Span) *opinion {
	return a.say(opinion{
		reason: ReasonPermissionRule, rule: "agent-files", span: span,
		why:     "it changes an agent's hooks, the project's policy or policyctl itself",
		instead: "Show the user the change and let them make it.",
	})
}
