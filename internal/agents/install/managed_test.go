package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// managedIn returns a place in which the hook of an agent stands only in the
// settings of the organisation.
func managedIn(t *testing.T, agent string) (r Request, path string) {
	t.Helper()
	r = installed(t, agent)
	apply(t, Uninstall, r)
	r.Scope = Managed
	apply(t, Install, r)
	return r, settings(t, r)
}

// Managed settings are for all users to read, guard alone, and go as they
// came.
func TestManaged(t *testing.T) {
	for agent, path := range map[string]string{
		"claude":  "etc/claude-code/managed-settings.json",
		"codex":   "etc/codex/requirements.toml",
		"copilot": "etc/github-copilot/policy.d/policyctl.json",
		"droid":   "etc/factory/settings.json",
	} {
		r, file := managedIn(t, agent)
		if file != filepath.Join(r.Place.Root, path) {
			t.Errorf("%s: %s", agent, file)
		}
		for at, want := range map[string]os.FileMode{file: 0o644, filepath.Dir(file): 0o755} {
			if info, err := os.Stat(at); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s: %v %v", at, info, err)
			}
		}
		if got := told(r, Problem, good); os.Getuid() == 0 && got != "" {
			t.Errorf("%s:\n%s", agent, got)
		}
		if got := told(r, OK, good); os.Getuid() == 0 && !strings.Contains(got, "PreToolUse: root/"+path+" runs") || !strings.Contains(got, "rm -rf ~ is denied") {
			t.Errorf("%s:\n%s", agent, got)
		}
		if n := apply(t, Install, r); n != 0 {
			t.Errorf("%s: %d changes the second time", agent, n)
		}
		if n := apply(t, Uninstall, r); n != 1 {
			t.Errorf("%s: %d changes to uninstall", agent, n)
		}
		if _, err := os.Stat(file); err == nil {
			t.Errorf("%s: something is left", agent)
		}
	}
}

// Each system has its own place.
func TestManagedOnMac(t *testing.T) {
	r, _ := managedIn(t, "claude")
	apply(t, Uninstall, r)
	r.Place.OS = "darwin"
	apply(t, Install, r)
	if !has(t, filepath.Join(r.Place.Root, "Library/Application Support/ClaudeCode/managed-settings.json"), r.Command) {
		t.Error("nothing is installed")
	}
}

func TestManagedRefused(t *testing.T) {
	for agent, want := range map[string]string{
		"claude":  "only root may write ",
		"codex":   "only root may write ",
		"copilot": "only root may write ",
		"qwen":    "Qwen Code drops managed hooks too when it is started with qwen --bare, qwen --safe-mode,",
	} {
		r := request(lookup(t, agent), newPlace(t))
		r.Scope, r.Place.IsRoot = Managed, false
		for _, plan := range []func(Request) (*Plan, error){Install, Uninstall} {
			if _, err := plan(r); err == nil || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), ": ") {
				t.Errorf("%s: %v, want %s", agent, err, want)
			}
		}
	}
}

// What else Codex requires stays as it is, to the byte.
func TestRequirements(t *testing.T) {
	texts := []string{
		"", nasty, "# ours\nallowed_sandbox_modes = [\"read-only\"]\n", "[features]\nweb = true\n", "[features]\n# none\n", "[features] # why\r\na = 1\r\n",
		"[features]\nhooks = true\n", "[hooks]\nmanaged_dir = \"/opt/hooks\"\n\n[[hooks.PreToolUse]]\n\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\ncommand = \"other\"\n",
		"features.hooks = true\n", "a = '''\n[features]\n'''\n",
	}
	for _, text := range texts {
		r := request(lookup(t, "codex"), newPlace(t))
		r.Scope = Managed
		path := settings(t, r)
		put(t, path, text)
		if n := apply(t, Install, r); n != 1 {
			t.Errorf("%q: %d changes", text, n)
		}
		after := get(t, path)
		if !pinned(after) || strings.Count(after, "hook codex") != len(r.Agent.events) {
			t.Errorf("%q has become\n%s", text, after)
		}
		r.Wait = 60e9
		if n := apply(t, Install, r); n != 1 || strings.Count(get(t, path), "hook codex") != len(r.Agent.events) {
			t.Errorf("%q: %d changes, %s", text, n, get(t, path))
		}
		if n := apply(t, Uninstall, r); n != 1 || get(t, path) != text {
			t.Errorf("%q comes back as %q after %d changes", text, get(t, path), n)
		}
	}
}

func TestRequirementsRefused(t *testing.T) {
	rows := []struct{ want, text string }{
		{":2:1: hooks are turned off under features: remove it", "[features]\nhooks = false\n"},
		{":1:1: features is written in a form that cannot be edited here", "features = { hooks = false }\n"},
		{":1:1: hooks is written in a form that cannot be edited here", "hooks = {}\n"},
		{":1:6: the last line does not end: add a line break", "a = 1"},
		{":1:1: the end of policyctl's hook is missing", blockBegin + ", written by somebody\n"},
		{"it has hooks of policyctl that install did not write", "[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ncommand = \"/x/policyctl hook codex\"\n"},
		{":1:3: not TOML: expected ']' to close table name", "[a\n"},
	}
	for _, row := range rows {
		r := request(lookup(t, "codex"), newPlace(t))
		r.Scope = Managed
		put(t, settings(t, r), row.text)
		if _, err := Install(r); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%q: %v, want %s", row.text, err, row.want)
		}
		if get(t, settings(t, r)) != row.text {
			t.Errorf("%q has changed", row.text)
		}
	}
}

// Codex runs hooks of the organisation from four files, and trusts them.
func TestManagedCodex(t *testing.T) {
	const tables = "[[hooks.PreToolUse]]\nmatcher = \"\"\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\ncommand = 'BIN hook codex'\ntimeout = 600\n"
	const json = `{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "BIN hook codex", "timeout": 600}]}]}}`
	for path, text := range map[string]string{
		"etc/codex/requirements.toml":   tables,
		"etc/codex/hooks.json":          json,
		"etc/codex/config.toml":         tables,
		"etc/codex/managed_config.toml": tables,
	} {
		r := installed(t, "codex")
		apply(t, Uninstall, r)
		put(t, filepath.Join(r.Place.Root, path), strings.ReplaceAll(text, "BIN hook codex", r.Command))
		if got := told(r, Problem, good); strings.Contains(got, "PreToolUse") || strings.Contains(got, "trust") || !strings.Contains(got, "PermissionRequest: Codex does not ask policyctl") {
			t.Errorf("%s:\n%s", path, got)
		}
		if got := told(r, Note, good); !strings.Contains(got, "PreToolUse: root/"+path+" works, but if policyctl is missing or crashes, the call runs") {
			t.Errorf("%s:\n%s", path, got)
		}
		if got := told(r, OK, good); !strings.Contains(got, "rm -rf ~ is denied") {
			t.Errorf("%s:\n%s", path, got)
		}
	}
}

// Hooks in another form than tables are not passed over in silence.
func TestManagedCodexUnread(t *testing.T) {
	r := installed(t, "codex")
	put(t, filepath.Join(r.Place.Root, "etc/codex/requirements.toml"), "[hooks]\nPreToolUse = [{ hooks = [{ type = \"command\", command = \"x\" }] }]\n")
	if got := told(r, Note, good); !strings.Contains(got, "root/etc/codex/requirements.toml has hooks in a form that is not examined") {
		t.Error(got)
	}
}

// Copilot ignores a policy that others than root may write to.
func TestPolicyOfRoot(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give files away")
	}
	const want = "PreToolUse: Copilot CLI ignores root/etc/github-copilot/policy.d/policyctl.json, since others than root may write to it"
	for name, make := range map[string]func(path string) error{
		"owner": func(path string) error { return os.Chown(path, 12345, -1) },
		"group": func(path string) error { return os.Chmod(path, 0o664) },
		"world": func(path string) error { return os.Chmod(path, 0o646) },
	} {
		r, path := managedIn(t, "copilot")
		if err := make(path); err != nil {
			t.Fatal(err)
		}
		if got := told(r, Problem, good); !strings.Contains(got, want) {
			t.Errorf("%s: %s", name, got)
		}
		if got := told(r, OK, good); strings.Contains(got, "PreToolUse") {
			t.Errorf("%s is said to be in order: %s", name, got)
		}
	}
}

// waysOf returns what doctor says about starting an agent without its hook.
func waysOf(r Request) string {
	e := &examination{agent: r.Agent, place: r.Place}
	e.readAll()
	before := len(e.report)
	e.ways()
	var out []string
	for _, f := range e.report[before:] {
		out = append(out, string(f.Level)+": "+strings.ReplaceAll(f.Text, r.Place.Root, "root")+": "+f.Next)
	}
	return strings.Join(out, "\n")
}

// The flags that drop hooks are named, unless the hook survives them.
func TestWays(t *testing.T) {
	const managed = "as root, run policyctl install "
	rows := []struct{ agent, user, managed string }{
		{"claude", "note: no hook of yours runs in Claude Code started with: claude --bare, claude --safe-mode, claude --setting-sources project, claude --settings '{\"disableAllHooks\": true}', CLAUDE_CODE_SIMPLE=1, CLAUDE_CODE_SAFE_MODE=1: " + managed + "claude --scope managed",
			"ok: the hook in root/etc/claude-code/managed-settings.json runs however Claude Code is started: "},
		{"codex", "note: no hook of yours runs in Codex started with: codex --disable hooks, codex -c features.hooks=false, codex exec --ignore-user-config: " + managed + "codex --scope managed",
			"ok: the hook in root/etc/codex/requirements.toml runs however Codex is started: "},
		{"copilot", "", ""},
	}
	for _, row := range rows {
		if got := waysOf(installed(t, row.agent)); !strings.HasPrefix(got, row.user) || (row.user == "") != (got == "") {
			t.Errorf("%s: %s", row.agent, got)
		}
		r, _ := managedIn(t, row.agent)
		if got := waysOf(r); got != row.managed {
			t.Errorf("%s, managed: %s", row.agent, got)
		}
	}
	if got := waysOf(installed(t, "qwen")); !strings.HasPrefix(got, "note: no hook runs in Qwen Code started with: qwen --bare, qwen --safe-mode, QWEN_CODE_SIMPLE=1, QWEN_CODE_SAFE_MODE=1: do not start it like this") {
		t.Error(got)
	}
	if got := waysOf(installed(t, "amp")); got != "note: no hook runs in Amp started with: PLUGINS=off amp: do not start it like this, and see that no alias or script does" {
		t.Error(got) // there is no managed scope to advise
	}
}

// Requirements that leave hooks to the user do not keep them on.
func TestWaysUnpinned(t *testing.T) {
	r, path := managedIn(t, "codex")
	put(t, path, strings.Replace(get(t, path), "hooks = true", "other = true", 1))
	if got := waysOf(r); !strings.HasPrefix(got, "note: root/etc/codex/requirements.toml does not keep hooks on, so none runs in Codex started with: codex --disable hooks") {
		t.Error(got)
	}
}
