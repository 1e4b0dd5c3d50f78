package world

import (
	"os"
	"strings"
	"testing"
)

// The state is what git says, and to look at it runs nothing that the repository names.
func TestRepository(t *testing.T) {
	r := newTree(t)
	for _, config := range []string{"core.fsmonitor", "filter.x.clean", "diff.x.command", "diff.x.textconv"} {
		r.git("config", config, r.dir+"/p")
	}
	w := New([]string{"HOME=" + r.home})
	see := func(dir string, want Repository) {
		t.Helper()
		if got, ok := w.Repository(dir); !ok || got != want {
			t.Errorf("%s: %+v %v, want %+v", dir, got, ok, want)
		}
	}
	see(r.dir, Repository{Branch: "main", Changed: 1})
	if err := os.MkdirAll(r.dir+"/a/b", 0o755); err != nil {
		t.Fatal(err)
	}
	see(r.dir+"/a/b", Repository{Branch: "main", Changed: 1})

	write(t, r.dir, "untracked", "x")
	r.git("remote", "add", "upstream", "https://ann:secret@git.example/p.git")
	see(r.dir, Repository{Branch: "main", Remote: "https://git.example/p.git", Changed: 1})
	r.git("remote", "add", "other", "git@git.example:other.git")
	see(r.dir, Repository{Branch: "main", Changed: 1})
	r.git("remote", "add", "origin", "git@git.example:p.git")
	if err := os.Remove(r.dir + "/p"); err != nil {
		t.Fatal(err)
	}
	see(r.dir, Repository{Branch: "main", Remote: "git@git.example:p.git", Changed: 2})
	if r.ran() {
		t.Error("to look at it ran a program of the repository")
	}

	for _, config := range []string{"core.fsmonitor", "filter.x.clean"} {
		r.git("config", "--unset", config)
	}
	r.git("checkout", "-q", "-f", "--detach")
	head := r.git("rev-parse", "HEAD")
	see(r.dir, Repository{Commit: head, Remote: "git@git.example:p.git"})
	r.git("update-index", "--index-version", "4")
	write(t, r.dir, "f", "longer than before\n")
	see(r.dir, Repository{Commit: head, Remote: "git@git.example:p.git", Changed: 1})
	r.git("worktree", "add", "-q", "-f", "-b", "topic/new", r.home+"/linked")
	see(r.home+"/linked", Repository{Branch: "topic/new", Remote: "git@git.example:p.git"})
	r.git("init", "-q", "--bare", r.home+"/bare")
	see(r.home+"/bare", Repository{Branch: "main", Changed: -1})

	write(t, r.dir+"/.git", "index", strings.Repeat("DIRC", 20))
	see(r.dir, Repository{Commit: head, Remote: "git@git.example:p.git", Changed: -1})
	for _, dir := range []string{t.TempDir(), "project", ""} {
		if got, ok := w.Repository(dir); ok {
			t.Errorf("%q: %+v", dir, got)
		}
	}
}
