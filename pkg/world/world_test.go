package world

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// write writes a file below a directory, and the directories that it needs.
func write(t testing.TB, root, name, text string) {
	t.Helper()
	path := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// repo makes what git takes for a repository.
func repo(t testing.TB, dir, config string) {
	t.Helper()
	write(t, dir, "HEAD", "ref: refs/heads/main\n")
	write(t, dir, "config", config)
	for _, name := range []string{"objects", "refs"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// place returns an empty directory with its links followed.
func place(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func sees(home string, env ...string) *World {
	w := New(append(env, "HOME="+home))
	w.system = []string{home + "/etc/gitconfig"}
	w.now = func() time.Time { return time.Now().Add(time.Hour) }
	return w
}

// programs returns what a World says, "unknown" or the settings.
func programs(w *World, dir string) string {
	list, ok := w.GitPrograms(dir)
	if !ok {
		return "unknown"
	}
	return strings.Join(list, " ")
}

func TestRepositoryConfig(t *testing.T) {
	rows := []struct{ want, config string }{
		{"", ""},
		{"", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n[user]\n\tname = x\n[remote \"origin\"]\n\turl = ssh://x/y\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n"},
		{"core.fsmonitor", "[core]\n\tfsmonitor = ./p\n"},
		{"core.fsmonitor", "[CORE] FSMonitor=./p"},
		{"core.fsmonitor", "[core]\nfsmonitor = ./\\\np # a comment"},
		{"core.fsmonitor", "[core]\nfsmonitor = true\nfsmonitor = ./p\nfsmonitor = false\n"},
		{"", "[core]\nfsmonitor\n"},
		{"", "[core]\nfsmonitor = \"false\"\n"},
		{"", "# [core] fsmonitor = ./p\n[x]\ny = \"[core] fsmonitor = ./p\"\n"},
		{"core.pager", "[core]\npager = less\n"},
		{"", "[core]\npager = cat\n"},
		{"pager.*", "[pager]\nlog = ./p\n"},
		{"", "[pager]\nbranch = false\n"},
		{"diff.external", "[diff]\nexternal = ./p\n"},
		{"diff.*.command", "[diff \"a.B c\"]\ncommand = ./p\n"},
		{"diff.*.textconv", "[diff.x]\ntextconv = ./p\n"},
		{"", "[diff \"x\"]\nxfuncname = ./p\nbinary = true\n[diff]\ncommand = x\n"},
		{"filter.*.clean filter.*.process", "[filter \"lfs\"]\nclean = git-lfs clean -- %f\nprocess = git-lfs\nrequired = true\n"},
		{"filter.*.smudge", "[filter \"x\"]\nsmudge = ./p\n"},
		{"hook.*.command", "[hook \"x\"]\ncommand = ./p\n"},
		{"lfs.*.clean", "[lfs \"extension.x\"]\nclean = ./p\n"},
		{"gpg.program", "[gpg]\nprogram = ./p\n"},
		{"gpg.*.program", "[gpg \"ssh\"]\nprogram = ./p\n"},
		{"log.showsignature", "[log]\nshowSignature\n"},
		{"", "[log]\nshowSignature = no\n"},
		{"format.pretty", "[format]\npretty = %G?\n"},
		{"pretty.*", "[pretty]\nx = %GG\n"},
		{"pretty.*", "[pretty]\nx = %h%+G?\n"},
		{"format.pretty", "[format]\npretty = format:% GK\n"},
		{"core.virtualfilesystem", "[core]\nvirtualFilesystem = ./p\n"},
		{"", "[format]\npretty = oneline\n"},
		{"merge.*.driver", "[merge \"x\"]\ndriver = ./p %A\n"},
		{"extensions.partialclone remote.*.promisor remote.*.partialclonefilter", "[extensions]\npartialClone = origin\n[remote \"origin\"]\npromisor = true\npartialclonefilter = blob:none\n"},
		{"diff.submodule", "[diff]\nsubmodule = diff\n"},
		{"", "[diff]\nsubmodule = log\n"},
		{"status.submodulesummary", "[status]\nsubmoduleSummary = 3\n"},
		{"core.worktree", "[core]\nworktree = /\n"},
		{"", "[core]\nworktree = ..\n"},
		{"", "[core]\nhooksPath = .husky/_\n[alias]\nst = !./p\n[core]\nsshCommand = ./p\neditor = ./p\n"},
		{"", "[extensions]\nworktreeConfig = true\nobjectFormat = sha1\nrefStorage = files\n"},
		{"unknown", "[extensions]\nnew = true\n"},
		{"unknown", "[core\nfsmonitor = ./p\n"},
		{"unknown", "[core]\nx = \"open\n"},
		{"unknown", "[core]\nx = \\q\n"},
		{"unknown", "fsmonitor = ./p\n"},
		{"unknown", "[core]\nfs_monitor = x\n"},
		{"unknown", "[include]\npath = ~other/x\n"},
		{"unknown", "[include]\npath\n"},
		{"unknown", "[include]\npath = config\n"},
		{"unknown", "[core]\nx = a\x00b\n"},
		{"", "[include]\npath = absent\n"},
		{"unknown", "[include]\npath = ../wide\n"},
		{"unknown", "[extensions]\nobjectFormat = sha256\nobjectFormat = sha1\n"},
		{"core.fsmonitor", "[include]\npath = ../evil\n"},
		{"core.fsmonitor", "[includeIf \"gitdir:/nowhere/\"]\npath = ../evil\n"},
		{"core.fsmonitor", "[include]\npath = ~/evil\n"},
		{"hooks/post-index-change", "[core]\nhooksPath = hooks\n"},
		{"hooks/post-index-change", "[core]\nhooksPath = hooks\nhooksPath = none\n"},
	}
	for _, r := range rows {
		dir := place(t)
		repo(t, dir+"/.git", r.config)
		write(t, dir, "evil", "[core]\nfsmonitor = ./p\n")
		write(t, dir, "wide", "[extensions]\nobjectFormat = sha256\n")
		write(t, dir, "home/evil", "[core]\nfsmonitor = ./p\n")
		write(t, dir, "hooks/post-index-change", "")
		write(t, dir, "sub/f", "")
		w := sees(dir + "/home")
		if got := programs(w, dir+"/sub"); got != r.want {
			t.Errorf("%q: got %q, want %q", r.config, got, r.want)
		}
	}
}

// TestPersonalConfig shows which settings of the person's own count: those
// that lead into the repository.
func TestPersonalConfig(t *testing.T) {
	rows := []struct{ want, config string }{
		{"", "[core]\npager = delta --dark | less -R\nfsmonitor = true\n[diff]\nexternal = difft\n"},
		{"", "[filter \"lfs\"]\nclean = git-lfs clean -- %f\nsmudge = git-lfs smudge -- %f\nprocess = git-lfs filter-process\n"},
		{"", "[diff \"pdf\"]\ntextconv = ~/bin/pdf2txt -layout\n[gpg]\nprogram = /usr/bin/gpg2\n[log]\nshowSignature = true\n"},
		{"", "[core]\nhooksPath = ~/hooks\n[merge \"m\"]\ndriver = mergiraf merge --git %O %A %B\n"},
		{"diff.external", "[diff]\nexternal = ./p\n"},
		{"diff.external", "[diff]\nexternal = tools/p\n"},
		{"core.fsmonitor", "[core]\nfsmonitor = .git/hooks/fsmonitor-watchman\n"},
		{"filter.*.clean", "[filter \"x\"]\nclean = python3 strip.py\n"},
		{"filter.*.clean", "[filter \"x\"]\nclean = \"/usr/bin/python3\" -m strip\n"},
		{"filter.*.clean", "[filter \"x\"]\nclean = sh strip\n"},
		{"filter.*.clean", "[filter \"x\"]\nclean = tool strip.conf\n"},
		{"filter.*.clean", "[filter \"x\"]\nclean = tool --config=conf/x\n"},
		{"hooks/post-index-change", "[core]\nhooksPath = hooks\n"},
		{"core.fsmonitor", "[include]\npath = project/evil\n"},
		{"remote.*.promisor", "[remote \"x\"]\npromisor = true\n"},
		{"diff.submodule", "[diff]\nsubmodule = diff\n"},
		{"unknown", "[core\n"},
	}
	for _, r := range rows {
		for _, name := range []string{".gitconfig", ".config/git/config", "etc/gitconfig"} {
			home := place(t)
			write(t, home, name, strings.ReplaceAll(r.config, "project/", home+"/project/"))
			write(t, home, "hooks/post-index-change", "")
			write(t, home, "project/evil", "[core]\nfsmonitor = evil\n")
			write(t, home, "project/hooks/post-index-change", "")
			repo(t, home+"/project/.git", "")
			if got := programs(sees(home), home+"/project"); got != r.want {
				t.Errorf("%s %q: got %q, want %q", name, r.config, got, r.want)
			}
		}
	}
}

func TestDiscover(t *testing.T) {
	evil := "[core]\nfsmonitor = ./p\n"
	rows := []struct {
		want, dir, why string
		make           func(root string)
	}{
		{"", "a", "no repository", func(root string) { write(t, root, "a/f", "") }},
		{"unknown", "absent", "no directory", func(string) {}},
		{"unknown", "a/f", "no directory", func(root string) { write(t, root, "a/f", "") }},
		{"core.fsmonitor", "a/b", "above", func(root string) { repo(t, root+"/a/.git", evil); write(t, root, "a/b/f", "") }},
		{"", "a/b", "the nearest counts", func(root string) { repo(t, root+"/a/.git", evil); repo(t, root+"/a/b/.git", "") }},
		{"core.fsmonitor", "a/b", "a bare one within", func(root string) { repo(t, root+"/a/.git", ""); repo(t, root+"/a/b", evil) }},
		{"core.fsmonitor", "a/b/refs", "within a bare one", func(root string) { repo(t, root+"/a/.git", ""); repo(t, root+"/a/b", evil) }},
		{"core.fsmonitor", "a/.git", "within .git", func(root string) { repo(t, root+"/a/.git", evil) }},
		{"core.fsmonitor", "a", ".git is a file", func(root string) {
			repo(t, root+"/g", evil)
			write(t, root, "a/.git", "gitdir: ../g\n")
		}},
		{"unknown", "a", ".git is a file that broken link", func(root string) { write(t, root, "a/.git", "gitdir: ../g\n") }},
		{"unknown", "a", ".git is another file", func(root string) { write(t, root, "a/.git", "x") }},
		{"core.fsmonitor", "a", "a work tree of its own", func(root string) {
			repo(t, root+"/m/.git", evil)
			write(t, root, "m/.git/worktrees/a/HEAD", "ref: refs/heads/a\n")
			write(t, root, "m/.git/worktrees/a/commondir", "../..\n")
			write(t, root, "a/.git", "gitdir: "+root+"/m/.git/worktrees/a\n")
		}},
		{"core.fsmonitor", "a", "the configuration of a work tree", func(root string) {
			repo(t, root+"/m/.git", "")
			write(t, root, "m/.git/worktrees/a/HEAD", strings.Repeat("0", 40))
			write(t, root, "m/.git/worktrees/a/commondir", "../..\n")
			write(t, root, "m/.git/worktrees/a/config.worktree", evil)
			write(t, root, "a/.git", "gitdir: "+root+"/m/.git/worktrees/a\n")
		}},
		{"core.fsmonitor", "a", "an empty .git does not count", func(root string) {
			repo(t, root+"/.git", evil)
			write(t, root, "a/.git/x", "")
		}},
		{"unknown", "a", "a HEAD that git may not take", func(root string) {
			repo(t, root+"/a/.git", "")
			write(t, root, "a/.git/HEAD", "ref:refs/heads/x")
		}},
		{"core.fsmonitor", "a/link", "the directory is a link", func(root string) {
			repo(t, root+"/b/.git", evil)
			write(t, root, "b/sub/f", "")
			repo(t, root+"/a/.git", "")
			link(t, "../b/sub", root+"/a/link")
		}},
		{"core.fsmonitor", "a/link/..", "the parent of a link's end", func(root string) {
			repo(t, root+"/b/.git", evil)
			write(t, root, "b/sub/f", "")
			repo(t, root+"/a/.git", "")
			link(t, "../b/sub", root+"/a/link")
		}},
		{"hooks/post-index-change", "a", "a hook", func(root string) {
			repo(t, root+"/a/.git", "")
			write(t, root, "a/.git/hooks/post-index-change", "")
		}},
		{"unknown", "a", "an index that is cut", func(root string) {
			repo(t, root+"/a/.git", "")
			write(t, root, "a/.git/index", "DIRC\x00\x00\x00\x02\x00\x00\x00\x01")
		}},
		{"unknown", "a", "a directory in the place of the configuration", func(root string) {
			repo(t, root+"/a/.git", "")
			write(t, root, "home/.gitconfig/x", "")
		}},
	}
	for _, r := range rows {
		root := place(t)
		r.make(root)
		if got := programs(sees(root+"/home"), root+"/"+r.dir); got != r.want {
			t.Errorf("%s: got %q, want %q", r.why, got, r.want)
		}
	}
}

func link(t testing.TB, to, at string) {
	t.Helper()
	if err := os.Symlink(to, at); err != nil {
		t.Fatal(err)
	}
}

func TestEnvironment(t *testing.T) {
	dir := place(t)
	repo(t, dir+"/.git", "")
	rows := []struct{ want, env string }{
		{"", "GIT_PAGER=cat"}, {"", "PAGER=less -R"}, {"", "GIT_AUTHOR_NAME=x"}, {"", "GIT_OPTIONAL_LOCKS=0"}, {"", "EDITOR=./p"}, {"", "GIT_SSL_CAINFO=/x"},
		{"unknown", "GIT_TRACE=/x"}, {"unknown", "GIT_INDEX_FILE=x"}, {"unknown", "GIT_ATTR_SOURCE=x"}, {"unknown", "GIT_SSL=x"},
		{"unknown", "GIT_DIR=x"}, {"unknown", "GIT_CONFIG_COUNT=1"}, {"unknown", "GIT_CONFIG_GLOBAL=/x"},
		{"unknown", "GIT_EXTERNAL_DIFF=difft"}, {"unknown", "GIT_PAGER=./p"}, {"unknown", "GIT_WORK_TREE=/x"},
		{"unknown", "GIT_EXEC_PATH=/x"}, {"unknown", "GIT_NEW="}, {"unknown", "HOME=relative"}, {"unknown", "CDPATH=/x"},
		{"unknown", "XDG_CONFIG_HOME=relative"}, {"", "GIT_CONFIG_GLOBAL=/dev/null"}, {"", "GIT_CONFIG_SYSTEM=/dev/null"},
		// What Copilot CLI sets, and what is not quite that.
		{"", "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.bareRepository GIT_CONFIG_VALUE_0=explicit"},
		{"", "GIT_CONFIG_COUNT=2 GIT_CONFIG_KEY_1=core.fsmonitor GIT_CONFIG_VALUE_1=false GIT_CONFIG_KEY_0=Safe.BareRepository GIT_CONFIG_VALUE_0=explicit"},
		{"", "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=credential.helper GIT_CONFIG_VALUE_0="},
		{"", "GIT_CONFIG_COUNT=0"},
		{"unknown", "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.fsmonitor GIT_CONFIG_VALUE_0=./p"},
		{"unknown", "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.fsmonitor GIT_CONFIG_VALUE_0=true"},
		{"unknown", "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.status GIT_CONFIG_VALUE_0=!sh"},
		{"unknown", "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=*"},
		{"unknown", "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.bareRepository GIT_CONFIG_VALUE_0=Explicit"},
		{"unknown", "GIT_CONFIG_COUNT=2 GIT_CONFIG_KEY_0=safe.bareRepository GIT_CONFIG_VALUE_0=explicit GIT_CONFIG_KEY_1=diff.external GIT_CONFIG_VALUE_1=x"},
		{"unknown", "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.bareRepository GIT_CONFIG_VALUE_0=explicit GIT_CONFIG_KEY_1=diff.external GIT_CONFIG_VALUE_1=x"},
		{"unknown", "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.bareRepository GIT_CONFIG_VALUE_0=explicit GIT_CONFIG_KEY_0=diff.external"},
		{"unknown", "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.bareRepository"},
		{"unknown", "GIT_CONFIG_COUNT=1 GIT_CONFIG_VALUE_0=explicit"},
		{"unknown", "GIT_CONFIG_COUNT=-1"}, {"unknown", "GIT_CONFIG_COUNT=x"}, {"unknown", "GIT_CONFIG_COUNT="},
		{"unknown", "GIT_CONFIG_COUNT=99999999999"}, {"unknown", "GIT_CONFIG_KEY_0=safe.bareRepository GIT_CONFIG_VALUE_0=explicit"},
		{"unknown", "GIT_CONFIG_PARAMETERS='safe.bareRepository=explicit'"},
	}
	for _, r := range rows {
		env := []string{"HOME=" + dir, r.env}
		if strings.HasPrefix(r.env, "GIT_CONFIG_") {
			env = append(env[:1], strings.Fields(r.env)...)
		}
		w := New(env)
		w.system = nil
		if got := programs(w, dir); got != r.want {
			t.Errorf("%s: got %q, want %q", r.env, got, r.want)
		}
	}
	if _, ok := New(nil).GitPrograms(dir); ok {
		t.Error("without a home something is known")
	}
}

func TestDirs(t *testing.T) {
	root := place(t)
	repo(t, root+"/m/.git", "")
	write(t, root, "m/.git/objects/info/alternates", "/lent/objects\n")
	write(t, root, "m/.git/worktrees/a/HEAD", "ref: refs/heads/a\n")
	write(t, root, "m/.git/worktrees/a/commondir", root+"/m/.git\n")
	write(t, root, "a/.git", "gitdir: "+root+"/m/.git/worktrees/a\n")
	got, ok := sees(root).GitDirs(root + "/a")
	want := root + "/m/.git " + root + "/m/.git/worktrees/a " + root + "/a /lent/objects"
	if !ok || strings.Join(got, " ") != want {
		t.Errorf("got %v %v, want %s", got, ok, want)
	}
	if got, ok := sees(root).GitDirs(root); !ok || len(got) > 0 {
		t.Errorf("outside of a repository: got %v %v", got, ok)
	}
}

// TestCache shows that an answer is remembered until a file changes, appears
// or goes away.
func TestCache(t *testing.T) {
	root := place(t)
	repo(t, root+"/.git", "")
	w := sees(root + "/home")
	step := func(want, why string) {
		t.Helper()
		for range 2 {
			if got := programs(w, root); got != want {
				t.Errorf("%s: got %q, want %q", why, got, want)
			}
		}
	}
	step("", "clean")
	if len(w.looked) != 1 {
		t.Error("the answer is not remembered")
	}
	write(t, root, ".git/config", "[core]\nfsmonitor = ./p\n")
	step("core.fsmonitor", "changed")
	write(t, root, ".git/config", "")
	step("", "changed back")
	write(t, root, ".git/config.worktree", "[diff]\nexternal = ./p\n")
	step("diff.external", "appeared")
	if err := os.Remove(root + "/.git/config.worktree"); err != nil {
		t.Fatal(err)
	}
	step("", "gone")
	write(t, root, "home/.gitconfig", "[diff]\nexternal = ./p\n")
	step("diff.external", "the person's")
	if err := os.Rename(root+"/.git/objects", root+"/.git/x"); err != nil {
		t.Fatal(err)
	}
	repo(t, root, "[core]\nfsmonitor = ./p\n")
	step("diff.external core.fsmonitor", "another repository")
}

// TestUnsettled shows that what just changed is not remembered: the same
// clock tick may hold another change.
func TestUnsettled(t *testing.T) {
	root := place(t)
	repo(t, root+"/.git", "")
	w := sees(root)
	w.now = time.Now
	if got := programs(w, root); got != "" || len(w.looked) > 0 {
		t.Errorf("got %q and %d remembered", got, len(w.looked))
	}
}

func TestManyDirectoriesAtOnce(t *testing.T) {
	root := place(t)
	w := sees(root)
	var all sync.WaitGroup
	for i := range 2 * maxLooked {
		dir := root + "/" + strings.Repeat("d", 1+i%97) + "/" + strings.Repeat("e", 1+i/97)
		write(t, dir, "f", "")
		all.Go(func() { w.GitPrograms(dir) })
	}
	all.Wait()
	if n := len(w.looked); n == 0 || n > maxLooked {
		t.Errorf("%d answers are remembered", n)
	}
}

func TestRealPath(t *testing.T) {
	root := place(t)
	write(t, root, "a/b/f", "")
	link(t, "a/b", root+"/rel")
	link(t, root+"/a", root+"/abs")
	link(t, "loop", root+"/loop")
	link(t, "nowhere/x", root+"/dangling")
	rows := []struct{ want, path string }{
		{"/a/b/f", "/a/b/f"}, {"/a/b/f", "/rel/f"}, {"/a/b", "/abs//./b/"}, {"/a", "/rel/.."}, {"/a/b/new/x", "/rel/new/x"},
		{"/nowhere/x", "/dangling"}, {"/nowhere/x/y", "/dangling/y"}, {"/a/b/f/x", "/rel/f/x"},
		{"", "/loop"}, {"", "/absent/../a"}, {"", "/dangling/../a"},
	}
	w := New(nil)
	for _, r := range rows {
		got, ok := w.RealPath(root + r.path)
		if ok != (r.want != "") || ok && got != root+r.want {
			t.Errorf("%s: got %q %v, want %q", r.path, got, ok, r.want)
		}
	}
	for path, want := range map[string]string{"/": "/", "/..": "/", "": "", "a": "", "/proc/self/cwd": "", "/proc/self/root/etc": "", "/proc/self/fd/0": "", "/dev/fd/3": "", "/dev/stdin": "", "/proc/self/status": "/proc/self/status", "/\x00": ""} {
		if got, ok := w.RealPath(path); got != want || ok != (want != "") {
			t.Errorf("%q: got %q %v, want %q", path, got, ok, want)
		}
	}
}

// TestLinks compares where the links lead that a pattern can match.
func TestLinks(t *testing.T) {
	root := place(t)
	write(t, root, "a/b/f.md", "")
	write(t, root, "a/g.md", "")
	write(t, root, "secret/id", "")
	write(t, root, ".hidden/x.md", "")
	link(t, "../secret/id", root+"/a/n.md")
	link(t, "secret", root+"/keys")
	link(t, "keys", root+"/chain")
	link(t, "nowhere", root+"/a/b/dangling.md")
	write(t, root, "c/f", "")
	link(t, "loop", root+"/c/loop")
	rows := []struct{ want, pattern string }{
		{"", "/a/g*"}, {"", "/a/*/*.txt"}, {"", "/nothing/*"}, {"", "/a/g.md/*"}, {"", "/*/nothing"}, {"", `/a/\*.md`},
		{"/secret/id", "/a/*.md"}, {"/secret/id", "/a/n?md"}, {"/secret/id", "/a/[n]*"}, {"/secret/id", "/?/n.md"},
		{"/secret/id", "/k*/id"}, {"/secret/id", "/keys/*"}, {"/secret/id", "/chain/i*"}, {"/secret/id", "/*/id"},
		{"/a/b/nowhere", "/a/b/*"}, {"/a/b/nowhere", "/a/*/*.md"}, {"/a/b/nowhere /secret/id", "/a/**/*.md"}, {"/a/g.md /secret/id", "/keys/../a/*.md"},
		{"unknown", "/c/*"}, {"unknown", "/c/loop/*"},
	}
	w := New(nil)
	for _, r := range rows {
		list, ok := w.Links(root + strings.ReplaceAll(r.pattern, `\\`, `\`))
		for i := range list {
			list[i] = strings.TrimPrefix(list[i], root)
		}
		slices.Sort(list)
		got := strings.Join(list, " ")
		if !ok {
			got = "unknown"
		}
		if got != r.want {
			t.Errorf("%s: got %q, want %q", r.pattern, got, r.want)
		}
	}
	if _, ok := w.Links("a/*"); ok {
		t.Error("a relative pattern is answered")
	}
}

func BenchmarkGitPrograms(b *testing.B) {
	root := place(b)
	repo(b, root+"/project/.git", "[core]\n\trepositoryformatversion = 0\n[remote \"origin\"]\n\turl = ssh://x/y\n[branch \"main\"]\n\tremote = origin\n")
	write(b, root, ".gitconfig", "[user]\n\tname = x\n[core]\n\tpager = delta\n")
	write(b, root, "project/a/b/f", "")
	dir := root + "/project/a/b"
	b.Run("cold", func(b *testing.B) {
		b.ReportAllocs()
		w := sees(root)
		for b.Loop() {
			clear(w.looked)
			w.GitPrograms(dir)
		}
	})
	b.Run("cached", func(b *testing.B) {
		b.ReportAllocs()
		w := sees(root)
		for b.Loop() {
			w.GitPrograms(dir)
		}
	})
}
