package install

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A folderTrust says where an agent notes which projects it trusts. Without a
// reader it runs the hooks of any project.
type folderTrust struct {
	file string // in the agent's folder
	// atHome says that the file stands in the home directory instead, unless
	// the variable names another folder.
	atHome bool
	read   func(p Place, f *file) (trusted bool, err error)
	// asks says that the agent starts no session in a folder that it does not
	// trust before it has asked.
	asks bool
	// everywhere says that in such a folder the user's hooks do not run either.
	everywhere bool
}

// checkFolder sees to it that the agent runs the hooks of this project.
func (e *examination) checkFolder(ev event, h seen) {
	t := e.agent.folder
	if t.read == nil || !t.everywhere && h.scope != Project && h.scope != Local {
		return
	}
	f, err := e.folderFile()
	trusted := false
	if err == nil {
		trusted, err = t.read(e.place, f)
	}
	next := "trust the folder in " + e.agent.Title + ", or run policyctl install " + e.agent.Name
	switch {
	case err != nil:
		e.problem(ev.name, "correct it: "+e.agent.Title+" may not read it either", "whether %s trusts this folder is unknown: %v", e.agent.Title, err)
	case !trusted && t.everywhere && h.scope == User:
		e.note(ev.name, "trust the folder in "+e.agent.Title,
			"%s does not trust this folder yet, and runs no hook in it until you say so", e.agent.Title)
	case !trusted && t.asks:
		e.note(ev.name, next, "%s does not trust this folder yet: it asks before it starts, and %s -p runs the hooks without asking", e.agent.Title, e.agent.program)
	case !trusted:
		e.problem(ev.name, next, "%s does not trust this folder, so it skips the hook in %s and does not say so", e.agent.Title, h.path)
	}
}

// folderFile reads the file in which the agent notes what it trusts.
func (e *examination) folderFile() (*file, error) {
	dir, err := e.place.folder(e.agent)
	if err != nil {
		return nil, err
	}
	if e.agent.folder.atHome && e.place.Getenv(e.agent.homeVariable) == "" {
		dir = e.place.Home
	}
	return openFile(filepath.Join(dir, e.agent.folder.file))
}

// projectDirs returns the directory and the root of its repository, without
// links: Codex takes a path with links for another folder. The nearest comes
// first; a linked worktree of git is followed by the repository that it
// belongs to.
func (p Place) projectDirs() []string {
	out := []string{resolved(p.Dir)}
	for dir := range ancestors(out[0]) {
		info, err := os.Lstat(filepath.Join(dir, ".git"))
		if err != nil {
			continue
		}
		out = append(out, dir)
		if info.Mode().IsRegular() {
			text, _ := readBounded(filepath.Join(dir, ".git"))
			if main, _, ok := strings.Cut(strings.TrimPrefix(string(text), "gitdir: "), "/.git/worktrees/"); ok {
				out = append(out, main)
			}
		}
		break
	}
	return out
}

// inlineTrust matches a table on one line that trusts a project.
var inlineTrust = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[{,]\s*trust_level\s*=\s*["']trusted["']`)
})

// trustedByCodex looks for [projects."DIR"] trust_level = "trusted", for the
// directory or else for the root of its repository. A parent does not count.
func trustedByCodex(p Place, f *file) (bool, error) {
	all, err := statements(f.text)
	if err != nil {
		return false, f.at(err)
	}
	for _, dir := range p.projectDirs() {
		for _, st := range all {
			switch {
			case slices.Equal(st.path, []string{"projects", dir, "trust_level"}):
				return st.text == "trusted", nil
			case !st.header && slices.Equal(st.path, []string{"projects", dir}):
				return inlineTrust().MatchString(st.value), nil
			}
		}
	}
	return false, nil
}

// trustedByCopilot looks for the directory, one above it or the root of its
// repository in trustedFolders; trusted_folders is the older name.
func trustedByCopilot(p Place, f *file) (bool, error) {
	d, err := parse(f.text)
	if err != nil {
		return false, f.at(err)
	}
	for _, key := range []string{"trustedFolders", "trusted_folders"} {
		n := d.root.Get(key)
		if n == nil {
			continue
		}
		for _, item := range n.Items {
			folder, _ := item.Value().(string)
			holds := func(dir string) bool { return folder != "" && (inside(dir, folder) || inside(dir, resolved(folder))) }
			if slices.ContainsFunc(p.projectDirs(), holds) {
				return true, nil
			}
		}
	}
	return false, nil
}

// trustedByClaude looks for the answer to Claude Code's question, for the
// directory or one above it.
func trustedByClaude(p Place, f *file) (bool, error) {
	d, err := parse(f.text)
	if err != nil {
		return false, f.at(err)
	}
	for dir := range ancestors(p.Dir) {
		if n := d.root.Get("projects", dir, "hasTrustDialogAccepted"); n != nil && n.Kind == 't' {
			return true, nil
		}
	}
	return false, nil
}

// trustedByGemini looks for the folder, or the longest one above it, that has an answer to
// Gemini CLI's question; TRUST_PARENT is about the folder above the one that it names.
// The check can be off in the user's settings.
func trustedByGemini(p Place, f *file) (bool, error) {
	settings, err := openFile(filepath.Join(filepath.Dir(f.path), "settings.json"))
	if err != nil {
		return false, err
	}
	if d, err := parse(settings.text); err == nil {
		if n := d.root.Get("security", "folderTrust", "enabled"); n != nil && n.Kind == 'f' {
			return true, nil
		}
	}
	if !f.exists {
		return false, nil
	}
	d, err := parse(f.text)
	if err != nil {
		return false, f.at(err)
	}
	longest, trusted := -1, false
	for i := range d.root.Keys {
		rule := d.root.Keys[i].Text
		folder, level := rule, d.root.Items[i].Text
		if level == "TRUST_PARENT" {
			folder = filepath.Dir(rule)
		}
		if len(rule) > longest && inside(resolved(p.Dir), resolved(folder)) {
			longest, trusted = len(rule), level == "TRUST_PARENT" || level == "TRUST_FOLDER"
		}
	}
	return trusted, nil
}

// ancestors yields a directory and all above it.
func ancestors(dir string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for yield(dir) && dir != filepath.Dir(dir) {
			dir = filepath.Dir(dir)
		}
	}
}
