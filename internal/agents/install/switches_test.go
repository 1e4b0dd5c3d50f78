package install

import (
	"path/filepath"
	"strings"
	"testing"
)

// What turns hooks off stands in settings, in files of a repository, and in
// the environment.
func TestSwitches(t *testing.T) {
	const off = ", which turns hooks off"
	rows := []struct{ want, agent, path, text string }{
		{"project/.codex/config.toml has features.hooks = false" + off, "codex", "project/.codex/config.toml", "[features]\nhooks = false\n"},
		{"project/.codex/config.toml has features.codex_hooks = false" + off, "codex", "project/.codex/config.toml", "features.codex_hooks = false\n"},
		{"", "codex", "project/.codex/config.toml", "[features]\nhooks = true\nother = false\n"},
		{"root/etc/codex/requirements.toml has features.hooks = false" + off, "codex", "root/etc/codex/requirements.toml", "[features]\nhooks = false\n"},
		{"root/etc/codex/requirements.toml allows only hooks of the organisation, so yours does not run", "codex", "root/etc/codex/requirements.toml", "allow_managed_hooks_only = true\n"},
		{"", "codex", "root/etc/codex/requirements.toml", "allow_managed_hooks_only = false\n"},
		{"project/.github/copilot/settings.json has disableAllHooks: true" + off, "copilot", "project/.github/copilot/settings.json", `{"disableAllHooks": true}`},
		{"project/.github/copilot/settings.local.json has disableAllHooks: true" + off, "copilot", "project/.github/copilot/settings.local.json", `{"disableAllHooks": true}`},
		{"project/.claude/settings.json has disableAllHooks: true" + off, "copilot", "project/.claude/settings.json", `{"disableAllHooks": true}`},
		{"project/.claude/settings.local.json has disableAllHooks: true" + off, "copilot", "project/.claude/settings.local.json", `{"disableAllHooks": true}`},
		{"", "copilot", "project/.github/copilot/settings.json", `{"disableAllHooks": false}`},
		{"project/.qwen/settings.json sets QWEN_CODE_SAFE_MODE, with which Qwen Code runs no hook of yours", "qwen", "project/.qwen/settings.json", `{"env": {"QWEN_CODE_SAFE_MODE": "1"}}`},
		{"project/.qwen/settings.json sets QWEN_CODE_SIMPLE", "qwen", "project/.qwen/settings.json", `{"env": {"QWEN_CODE_SIMPLE": true}}`},
		{"project/.env sets QWEN_CODE_SAFE_MODE, with which Qwen Code runs no hook", "qwen", "project/.env", "A=b\n QWEN_CODE_SAFE_MODE = '1'\n"},
		{"project/.qwen/.env sets QWEN_CODE_SIMPLE", "qwen", "project/.qwen/.env", "export QWEN_CODE_SIMPLE=true"},
		{"home/.qwen/.env sets QWEN_CODE_SAFE_MODE", "qwen", "home/.qwen/.env", "QWEN_CODE_SAFE_MODE=1\n"},
		{".env sets QWEN_CODE_SAFE_MODE", "qwen", ".env", "QWEN_CODE_SAFE_MODE=1\n"},
		{"", "qwen", "project/.env", "QWEN_CODE_SAFE_MODE=0\nQWEN_CODE_SIMPLE=false\n#QWEN_CODE_SIMPLE=1\nX=QWEN_CODE_SIMPLE=1\n"},
		{"", "claude", "project/.claude/settings.json", `{"env": {"CLAUDE_CODE_SAFE_MODE": "1"}}`},
		{"project/.factory/settings.json has hooks.hooksDisabled: true" + off, "droid", "project/.factory/settings.json", `{"hooks": {"hooksDisabled": true}}`},
		{"", "droid", "project/.factory/settings.json", `{"hooks": {"hooksDisabled": false}}`},
		{`project/.qwen/settings.json has tools.executionSandbox: {"backend": "bwrap"}` + off, "qwen", "project/.qwen/settings.json", `{"tools": {"executionSandbox": {"backend": "bwrap"}}}`},
		{`project/.qwen/settings.json has tools.executionSandbox: "auto"` + off, "qwen", "project/.qwen/settings.json", `{"tools": {"executionSandbox": "auto"}}`},
		{"", "qwen", "project/.qwen/settings.json", `{"tools": {"executionSandbox": false}}`},
		{"", "qwen", "project/.qwen/settings.json", `{"tools": {"executionSandbox": null}}`},
		{"", "claude", "project/.env", "CLAUDE_CODE_SAFE_MODE=1\n"},
	}
	for _, row := range rows {
		r := installed(t, row.agent)
		put(t, filepath.Join(filepath.Dir(r.Place.Home), row.path), row.text)
		got := told(r, Problem, good)
		if row.want == "" && strings.Contains(got, "switches") || !strings.Contains(got, row.want) {
			t.Errorf("%s %s: got\n%s, want %s", row.path, row.text, got, row.want)
		}
		if ok := told(r, OK, good); strings.Contains(ok, "nothing turns hooks off") != (row.want == "") {
			t.Errorf("%s %s: said to be in order:\n%s", row.path, row.text, ok)
		}
	}
}

// The user's own settings and the environment can set the variables too.
func TestVariables(t *testing.T) {
	r := installed(t, "claude")
	path := settings(t, r)
	put(t, path, strings.Replace(get(t, path), "{", `{"env": {"CLAUDE_CODE_SIMPLE": "1"},`, 1))
	if got := told(r, Problem, good); got != "switches: home/.claude/settings.json sets CLAUDE_CODE_SIMPLE, with which Claude Code runs no hook of yours\n" {
		t.Error(got)
	}
	for agent, name := range map[string]string{"claude": "CLAUDE_CODE_SAFE_MODE", "qwen": "QWEN_CODE_SIMPLE"} {
		r := installed(t, agent)
		r.Place.Getenv = func(key string) string { return map[string]string{name: "true"}[key] }
		if got := told(r, Problem, good); !strings.HasPrefix(got, "switches: the environment has "+name+"=true, with which ") {
			t.Error(got)
		}
	}
}

// What the user or a repository turns off leaves a managed hook alone; what
// the organisation turns off does not.
func TestSwitchesAndManaged(t *testing.T) {
	const note, problem = Note, Problem
	rows := []struct {
		level             Level
		agent, path, text string
	}{
		{note, "claude", "project/.claude/settings.json", `{"disableAllHooks": true}`},
		{note, "claude", "home/.claude/settings.json", `{"env": {"CLAUDE_CODE_SIMPLE": "1"}}`},
		{note, "codex", "project/.codex/config.toml", "[features]\nhooks = false\n"},
		{note, "droid", "project/.factory/settings.json", `{"hooks": {"hooksDisabled": true}}`},
		{note, "copilot", "project/.claude/settings.json", `{"disableAllHooks": true}`},
		{problem, "copilot", "root/etc/github-copilot/policy.d/off.json", `{"version": 1, "disableAllHooks": true}`},
	}
	for _, row := range rows {
		r, _ := managedIn(t, row.agent)
		put(t, filepath.Join(filepath.Dir(r.Place.Home), row.path), row.text)
		got := told(r, row.level, good)
		if !strings.Contains(got, "switches: "+row.path) || strings.Contains(got, "; the managed one runs all the same") != (row.level == note) {
			t.Errorf("%s: %s", row.path, got)
		}
	}
	unpinned, requirements := managedIn(t, "codex")
	put(t, requirements, strings.Replace(get(t, requirements), "hooks = true", "other = true", 1))
	put(t, filepath.Join(unpinned.Place.Dir, ".codex", "config.toml"), "[features]\nhooks = false\n")
	if got := told(unpinned, Problem, good); !strings.Contains(got, "project/.codex/config.toml has features.hooks = false, which turns hooks off\n") {
		t.Errorf("requirements that do not keep hooks on: %s", got)
	}
	for _, agent := range []string{"claude", "codex"} {
		r, path := managedIn(t, agent)
		if agent == "claude" {
			put(t, path, strings.Replace(get(t, path), "{", `{"allowManagedHooksOnly": true,`, 1))
		} else {
			put(t, path, "allow_managed_hooks_only = true\n"+get(t, path))
		}
		if got := told(r, Problem, good) + told(r, Note, good); got != "" {
			t.Errorf("%s: %s", agent, got)
		}
	}
}
