package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// inProjectOf returns a place in which the hook of an agent stands only in the
// settings of the project.
func inProjectOf(t *testing.T, agent string) Request {
	t.Helper()
	r := installed(t, agent)
	apply(t, Uninstall, r)
	r.Scope = Project
	apply(t, Install, r)
	return r
}

// Hooks of a project that the agent does not trust do not run.
func TestFolder(t *testing.T) {
	const codexSkips = "problem: PreToolUse: Codex does not trust this folder, so it skips the hook in project/.codex/hooks.json and does not say so"
	const copilotSkips = "problem: PreToolUse: Copilot CLI does not trust this folder, so it skips the hook in project/.github/hooks/policyctl.json and does not say so"
	const claudeAsks = "note: PreToolUse: Claude Code does not trust this folder yet: it asks before it starts, and claude -p runs the hooks without asking"
	rows := []struct{ want, agent, file, text string }{
		{codexSkips, "codex", "", ""},
		{codexSkips, "codex", ".codex/config.toml", "[projects.\"PROJECT\"]\ntrust_level = \"untrusted\"\n"},
		{codexSkips, "codex", ".codex/config.toml", "[projects.\"PARENT\"]\ntrust_level = \"trusted\"\n"},
		{codexSkips, "codex", ".codex/config.toml", "[projects.\"LINK\"]\ntrust_level = \"trusted\"\n"},
		{codexSkips, "codex", ".codex/config.toml", "[projects.\"PROJECT/sub\"]\ntrust_level = \"trusted\"\n"},
		{codexSkips, "codex", ".codex/config.toml", "[projects]\n\"PROJECT\" = { trust_level = \"untrusted\" }\n"},
		{"", "codex", ".codex/config.toml", "[projects.\"PROJECT\"]\ntrust_level = \"trusted\"\n"},
		{"", "codex", ".codex/config.toml", "projects.'PROJECT'.trust_level = 'trusted'\n"},
		{"", "codex", ".codex/config.toml", "[projects]\n\"PROJECT\" = { trust_level = \"trusted\" }\n"},
		{"problem: PreToolUse: whether Codex trusts this folder is unknown", "codex", ".codex/config.toml", "[projects"},
		{copilotSkips, "copilot", "", ""},
		{copilotSkips, "copilot", ".copilot/config.json", `{"trustedFolders": ["PROJECT/sub", "PROJECT-other", "", 1]}`},
		{copilotSkips, "copilot", ".copilot/settings.json", `{"trustedFolders": ["PROJECT"]}`},
		{"", "copilot", ".copilot/config.json", "// This file is managed automatically.\n" + `{"trustedFolders": ["PROJECT"]}`},
		{"", "copilot", ".copilot/config.json", `{"trusted_folders": ["PARENT"]}`},
		{"", "copilot", ".copilot/config.json", `{"trustedFolders": ["LINK"]}`},
		{"problem: PreToolUse: whether Copilot CLI trusts this folder is unknown", "copilot", ".copilot/config.json", `{"trustedFolders": `},
		{claudeAsks, "claude", "", ""},
		{claudeAsks, "claude", ".claude.json", `{"projects": {"PROJECT": {"hasTrustDialogAccepted": false}}}`},
		{"", "claude", ".claude.json", `{"projects": {"PROJECT": {"hasTrustDialogAccepted": true}}}`},
		{"", "claude", ".claude.json", `{"projects": {"PARENT": {"hasTrustDialogAccepted": true}}}`},
		{"", "qwen", "", ""},
	}
	for _, row := range rows {
		r := inProjectOf(t, row.agent)
		link := filepath.Join(r.Place.Home, "link")
		if err := os.Symlink(r.Place.Dir, link); err != nil {
			t.Fatal(err)
		}
		if row.file != "" {
			text := strings.NewReplacer("PROJECT", r.Place.Dir, "LINK", link, "PARENT", filepath.Dir(r.Place.Dir)).Replace(row.text)
			path := filepath.Join(r.Place.Home, row.file)
			if old, err := os.ReadFile(path); err == nil { // the records of trust in the hook
				text += "\n" + string(old)
			}
			put(t, path, text)
		}
		got := ""
		for _, level := range []Level{Problem, Note} {
			for line := range strings.Lines(told(r, level, good)) {
				got += string(level) + ": " + line
			}
		}
		if row.want == "" && strings.Contains(got, "trust this folder") || !strings.Contains(got, row.want) {
			t.Errorf("%s %s: got\n%s, want %s", row.agent, row.text, got, row.want)
		}
		if ok := told(r, OK, good); strings.Contains(ok, "PreToolUse") != (row.want == "") {
			t.Errorf("%s %s: said to be in order:\n%s", row.agent, row.text, ok)
		}
	}
}

// What the root of a repository is trusted with, its directories and its
// worktrees are too.
func TestFolderOfRepository(t *testing.T) {
	for _, agent := range []string{"codex", "copilot"} {
		for _, where := range []string{"sub/dir", "../tree"} {
			r := installed(t, agent)
			root := r.Place.Dir
			put(t, filepath.Join(root, ".git", "HEAD"), "")
			r.Place.Dir = filepath.Join(root, where)
			if where == "../tree" {
				put(t, filepath.Join(r.Place.Dir, ".git"), "gitdir: "+root+"/.git/worktrees/tree\n")
			}
			r.Scope = Project
			apply(t, Install, r)
			if got := told(r, Problem, good); !strings.Contains(got, "does not trust this folder") {
				t.Errorf("%s in %s, no trust: %s", agent, where, got)
			}
			config := filepath.Join(r.Place.Home, ".codex", "config.toml")
			if agent == "codex" {
				put(t, config, get(t, config)+"\n[projects.\""+root+"\"]\ntrust_level = \"trusted\"\n")
			} else {
				put(t, filepath.Join(r.Place.Home, ".copilot", "config.json"), `{"trustedFolders": ["`+root+`"]}`)
			}
			if got := told(r, Problem, good); strings.Contains(got, "does not trust this folder") {
				t.Errorf("%s in %s, trusted: %s", agent, where, got)
			}
		}
	}
}

// Codex takes a path with links for another folder, also where it is started.
func TestFolderByLink(t *testing.T) {
	r := inProjectOf(t, "codex")
	link := filepath.Join(r.Place.Home, "link")
	if err := os.Symlink(r.Place.Dir, link); err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(r.Place.Home, ".codex", "config.toml")
	put(t, config, get(t, config)+"\n[projects.\""+link+"\"]\ntrust_level = \"trusted\"\n")
	r.Place.Dir = link
	if got := told(r, Problem, good); !strings.Contains(got, "Codex does not trust this folder") {
		t.Error(got)
	}
}

// Gemini CLI runs no hook at all where it does not trust the folder, and the longest
// folder that has an answer counts.
func TestFolderOfGemini(t *testing.T) {
	r := installed(t, "gemini")
	file := filepath.Join(r.Place.Home, ".gemini", "trustedFolders.json")
	const skipped = "Gemini CLI does not trust this folder yet, and runs no hook in it"
	for _, tc := range []struct {
		want    bool
		folders string
	}{
		{true, "{}"},
		{true, `{"/elsewhere": "TRUST_FOLDER"}`},
		{false, `{"DIR": "TRUST_FOLDER"}`},
		{false, `{"ABOVE": "TRUST_FOLDER"}`},
		{false, `{"DIR": "TRUST_PARENT"}`},
		{false, `{"ABOVE/beside": "TRUST_PARENT"}`},
		{true, `{"ABOVE/beside": "TRUST_FOLDER"}`},
		{true, `{"ABOVE": "TRUST_FOLDER", "DIR": "DO_NOT_TRUST"}`},
		{false, `{"ABOVE": "DO_NOT_TRUST", "DIR": "TRUST_FOLDER"}`},
		{true, `{"DIR": "TRUST_SOMETHING"}`},
		{true, `{"DIR": 1}`},
	} {
		put(t, file, strings.NewReplacer("DIR", r.Place.Dir, "ABOVE", filepath.Dir(r.Place.Dir)).Replace(tc.folders))
		if got := told(r, Note, good); strings.Contains(got, skipped) != tc.want {
			t.Errorf("%s: %s", tc.folders, got)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if got := told(r, Note, good); !strings.Contains(got, skipped) {
		t.Errorf("without an answer: %s", got)
	}
	text := get(t, settings(t, r))
	put(t, settings(t, r), strings.Replace(text, "{", `{"security": {"folderTrust": {"enabled": false}},`, 1))
	if got := told(r, Note, good); got != "" {
		t.Errorf("with the check off: %s", got)
	}
}

// The user's own hooks run in any folder, but for those of Gemini CLI, which trusts
// that of these tests.
func TestFolderOfUser(t *testing.T) {
	for _, name := range Names() {
		r := installed(t, name)
		if got := told(r, Problem, good) + told(r, Note, good); strings.Contains(got, "trust this folder") {
			t.Errorf("%s: %s", name, got)
		}
	}
}
