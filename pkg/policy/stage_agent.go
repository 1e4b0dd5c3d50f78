package policy

import (
	"path"
	"strings"

	"github.com/policyctl/policyctl/pkg/program"
	"github.com/policyctl/policyctl/pkg/sensitive"
	"github.com/policyctl/policyctl/pkg/shell"
)

// agentDirs are the directories that hold such files beside others. To remove
// one removes the hook.
var agentDirs = map[string]bool{
	".claude": true, ".codex": true, ".copilot": true, ".qwen": true, ".gemini": true, ".cursor": true, ".windsurf": true,
}

// agentFiles is the part of stage 2 that keeps an agent from taking its own
// hook away: a person may allow it in their own policy.
func (r *run) agentFiles() *opinion {
	switch {
	case r.e.settings.FreeAgentFiles:
		return nil
	case r.line != nil:
		return r.agentFilesOfLine()
	default:
		for _, s := range r.written() {
			if at := r.view.Subject(s); r.isAgentFile(at.Text) || r.isAgentFile(at.Real) {
				return r.sayAgentFile(nil)
			}
		}
	}
	return nil
}

func (r *run) agentFilesOfLine() *opinion {
	var span *shell.Span
	for i := range r.line.Commands {
		c := &r.line.Commands[i]
		if c.Context != program.Local || !c.MayChange() {
			continue
		}
		c.Effects(func(e shell.Effect) bool {
			if r.changesAgentFile(e) {
				at := e.Span
				span = &at
			}
			return span == nil
		})
		if span != nil {
			return r.sayAgentFile(span)
		}
	}
	return nil
}

func (r *run) changesAgentFile(e shell.Effect) bool {
	removes := e.Kind == shell.Deletes && e.Recursive || e.Kind == shell.Moves
	if !removes && e.Kind != shell.Writes && e.Kind != shell.Deletes && e.Kind != shell.Alters {
		return false
	}
	if e.Target.Glob {
		for _, p := range shell.Paths(e.Dir, e.Target) {
			if _, ok := sensitive.MayFind(p, r.parts.scene.Home, sensitive.Guard); ok && (spells(path.Base(p)) || e.Kind != shell.Writes && r.holdsAgentFiles(path.Dir(p))) {
				return true
			}
		}
		return false
	}
	for _, at := range r.view.Places(e.Dir, e.Target) {
		if removes && agentDirs[path.Base(at.Text)] || r.isAgentFile(at.Text) || at.Real != at.Text && r.isAgentFile(at.Real) {
			return true
		}
	}
	return false
}

// spells reports whether a pattern names more of what it fits than a dot: .*
// fits every hidden file.
func spells(pattern string) bool { return strings.Trim(pattern, "*?.![]^") != "" }

// holdsAgentFiles reports whether a directory is one in which agents look for
// their files: the home, the project, where the call runs, and those above.
func (r *run) holdsAgentFiles(dir string) bool {
	dir = strings.TrimSuffix(dir, "/") + "/"
	for _, at := range [...]string{r.call.Dir, r.call.ProjectDir, r.home()} {
		if at != "" && strings.HasPrefix(path.Clean(at)+"/", dir) {
			return true
		}
	}
	return r.call.Dir == ""
}

func (r *run) isAgentFile(p string) bool {
	_, ok := sensitive.FindRole(p, r.home(), sensitive.Guard)
	return ok
}

func (r *run) sayAgentFile(span *shell.Span) *opinion {
	return r.say(opinion{
		reason: ReasonPermissionRule, rule: "agent-files", span: span,
		why:     "it changes a file that holds the hooks of an agent or the policy of the project, or policyctl itself",
		instead: "Show the user the change and let them make it themselves.",
	})
}
