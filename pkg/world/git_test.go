package world

import (
	"context"
	"os"
	"os/exec"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/trial/seed"
)

// A tree is a repository that the real git made, together with a program that
// leaves a mark when it is run.
type tree struct {
	t         testing.TB
	home, dir string
}

// git skips the test where there is no git; in CI there must be one.
func git(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("git"); err == nil {
		return
	}
	if os.Getenv("CI") != "" {
		t.Fatal("git is missing")
	}
	t.Skip("git is missing")
}

func newTree(t testing.TB) tree {
	t.Helper()
	git(t)
	home := place(t)
	r := tree{t, home, home + "/project"}
	write(t, home, ".gitconfig", "[user]\nname = x\nemail = x@y\n[init]\ndefaultBranch = main\n")
	write(t, r.dir, "p", "#!/bin/sh\n: > "+home+"/mark\ncat \"$@\" 2>/dev/null\nexit 0\n")
	if err := os.Chmod(r.dir+"/p", 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, r.dir, "f", "one\n")
	write(t, r.dir, ".gitattributes", "f diff=x filter=x merge=x\n")
	r.git("init", "-q")
	r.commit("first")
	r.git("checkout", "-q", "-b", "side")
	write(t, r.dir, "f", "two\n")
	r.commit("side")
	r.git("checkout", "-q", "main")
	write(t, r.dir, "f", "three\n")
	r.commit("main")
	write(t, r.dir, "f", "four\n")
	r.git("add", "f")
	r.git("commit", "-q", "-m", "merge")
	r.signed()
	r.merged()
	write(t, r.dir, "f", "five\n")
	return r
}

func (r tree) git(args ...string) string {
	r.t.Helper()
	out, err := r.run(args...)
	if err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(out)
}

func (r tree) run(args ...string) (string, error) { return r.pipe("", args...) }

func (r tree) pipe(in string, args ...string) (string, error) {
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
	defer stop()
	c := exec.CommandContext(ctx, "git", args...)
	c.Dir = r.dir
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + r.home, "GIT_CONFIG_NOSYSTEM=1"}
	c.Stdin = strings.NewReader(in)
	out, err := c.CombinedOutput()
	return string(out), err
}

func (r tree) commit(message string) {
	r.t.Helper()
	r.git("add", "-A")
	r.git("commit", "-q", "-m", message)
}

// signed makes a commit with a signature that nobody made.
func (r tree) signed() {
	r.t.Helper()
	r.object("gpgsig -----BEGIN PGP SIGNATURE-----\n \n -----END PGP SIGNATURE-----\n", "HEAD")
}

// merged makes a commit that merges what does not merge.
func (r tree) merged() {
	r.t.Helper()
	r.object("", "HEAD", "side")
}

func (r tree) object(more string, parents ...string) {
	r.t.Helper()
	text := "tree " + r.git("rev-parse", "HEAD^{tree}") + "\n"
	for _, p := range parents {
		text += "parent " + r.git("rev-parse", p) + "\n"
	}
	text += "author x <x@y> 1700000000 +0000\ncommitter x <x@y> 1700000000 +0000\n" + more + "\nmade\n"
	name, err := r.pipe(text, "hash-object", "-t", "commit", "-w", "--stdin")
	if err != nil {
		r.t.Fatal(name, err)
	}
	r.git("update-ref", "HEAD", strings.TrimSpace(name))
}

// ran reports whether the program was run since the last time.
func (r tree) ran() bool { return os.Remove(r.home+"/mark") == nil }

// verbs are reading commands that may run what the configuration names, light
// those that pkg/readonly proves without knowing it: only pagers and
// signatures may matter to them.
var (
	verbs = []string{
		"status", "status -s --ignored", "diff", "diff --cached", "diff HEAD", "diff --stat HEAD~1", "log -p -2", "show", "show HEAD~1", "show --stat HEAD",
		"show HEAD:f", "blame f", "annotate f", "ls-files -m", "ls-files -o", "grep one", "grep --cached one", "check-ignore f",
		"describe --always --dirty", "describe --always --broken", "log --oneline --stat -3", "log -S one", "log -G one", "log -L1,1:f",
		"log -m -p -1", "show -m", "show --remerge-diff", "log -3", "shortlog HEAD", "reflog", "stash list",
	}
	light = []string{
		"log", "log --oneline f", "log --cherry-pick HEAD...side", "log --cherry-mark side...HEAD", "log --boundary HEAD~1..", "log --graph --all",
		"log --exit-code", "log --quiet", "log -R", "log -a", "log --color-moved", "log -D", "log -B", "log --minimal", "log --histogram",
		"log --relative", "log -b", "log -0", "log --full-index", "log --pickaxe-all", "log --ignore-submodules", "log --merge-base", "log --cached",
		"log -I one", "log --inter-hunk-context=1", "log -l 3", "log --text", "log -1", "log -3 --no-patch", "log --src-prefix=x", "log --children",
		"log --ancestry-path side..HEAD", "log --simplify-by-decoration", "log --full-history -- f", "log --source --all", "log -z", "log --exclude=x --all",
		"shortlog -s HEAD", "rev-list HEAD", "rev-list --objects --all", "rev-list --cherry-pick HEAD...side", "reflog", "rev-parse HEAD",
		"rev-parse --show-toplevel", "rev-parse --is-inside-work-tree", "ls-tree -r HEAD", "cat-file -p HEAD", "cat-file -p HEAD:f", "merge-base HEAD side",
		"name-rev HEAD", "show-ref", "for-each-ref", "count-objects -v", "branch -a -vv", "branch --contains HEAD", "tag -l", "remote -v", "stash list",
		"rev-parse HEAD:f", "rev-parse HEAD:none", "cat-file -t HEAD:f", "log none", "log -- :f", "shortlog HEAD -- :f", "rev-list HEAD -- :f", "log --grep=x:f", "log :/first", "ls-tree HEAD f",
		"stash list -3", "worktree list", "config --get user.name", "symbolic-ref HEAD", "describe --always", "version",
	}
	// staged are light verbs that read the index because of an operand.
	staged = []string{
		"rev-parse :f", "rev-parse :0:f", "cat-file -p :f", "log HEAD..:f", "rev-list ^:f HEAD", "merge-base :f HEAD",
		"branch --contains=:f", "tag --points-at :f",
	}
)

// TestGitLight shows that the verbs that are proved without knowing the
// configuration run no program, pagers and signatures apart.
func TestGitLight(t *testing.T) {
	r := newTree(t)
	r.append(".git/config", "[core]\nfsmonitor = ./p\nhooksPath = hooks\n[diff]\nexternal = ./p\nsubmodule = diff\n[diff \"x\"]\ncommand = ./p\ntextconv = ./p\n"+
		"[filter \"x\"]\nclean = ./p\nsmudge = ./p\n[merge \"x\"]\ndriver = ./p\n[log]\ndiffMerges = remerge\n[status]\nsubmoduleSummary = true\n")
	write(t, r.dir, "hooks/post-index-change", "#!/bin/sh\n./p\n")
	os.Chmod(r.dir+"/hooks/post-index-change", 0o755)
	r.run("update-index", "--fsmonitor") // so that whatever reads the index runs it
	r.ran()
	for _, v := range light {
		r.stale()
		if r.run(strings.Fields(v)...); r.ran() {
			t.Errorf("git %s ran a program", v)
		}
	}
	for _, v := range append(staged, "status") {
		if r.run(strings.Fields(v)...); !r.ran() {
			t.Errorf("git %s ran no program", v)
		}
	}
}

// stale makes the files other than the index has them, so that git looks at
// them and writes the index.
func (r tree) stale() {
	now := time.Now()
	for _, name := range []string{"f", ".gitattributes"} {
		os.Chtimes(r.dir+"/"+name, now, now.Add(-time.Hour-time.Duration(now.Nanosecond())))
	}
}

// TestGitRuns runs the real git under each configuration: whatever program of
// the repository it runs, GitPrograms has said so before.
func TestGitRuns(t *testing.T) {
	seed.Slow(t)
	rows := []struct {
		want string // that a verb runs the program: "runs", else ""
		file string // what the configuration is written to
		text string
	}{
		{"", ".git/config", ""},
		{"runs", ".git/config", "[core]\nfsmonitor = ./p\n"},
		{"runs", ".git/config", "[Core] FsMonitor = \"./p\" ; x\n"},
		{"", ".git/config", "[core]\nfsmonitor = false\n"},
		{"runs", ".git/config", "[diff]\nexternal = ./p\n"},
		{"runs", ".git/config", "[diff \"x\"]\ncommand = ./p\n"},
		{"runs", ".git/config", "[diff.x]\ntextconv = ./p\n"},
		{"runs", ".git/config", "[filter \"x\"]\nclean = ./p\n"},
		{"", ".git/config", "[filter \"x\"]\nsmudge = ./p\n"},
		{"runs", ".git/config", "[filter \"x\"]\nsmudge = ./p\n[diff]\nexternal = true\n"},
		{"runs", ".git/config", "[filter \"x\"]\nprocess = ./p\n"},
		{"runs", ".git/config", "[merge \"x\"]\ndriver = ./p\n[log]\ndiffMerges = remerge\n"},
		{"runs", ".git/config", "[log]\nshowSignature = true\n[gpg]\nprogram = ./p\n"},
		{"runs", ".git/config", "[log]\nshowSignature = true\n[gpg \"openpgp\"]\nprogram = ./p\n"},
		{"runs", ".git/config", "[format]\npretty = %GG\n[gpg]\nprogram = ./p\n"},
		{"runs", ".git/config", "[format]\npretty = x\n[pretty]\nx = %GG\n[gpg]\nprogram = ./p\n"},
		{"runs", ".git/config", "[include]\npath = ../more\n"},
		{"runs", ".git/config", "[includeIf \"gitdir:~/project/\"]\npath = ~/project/more\n"},
		{"", ".git/config", "[includeIf \"gitdir:/nowhere/\"]\npath = ../more\n"},
		{"runs", ".git/config", "[core]\nhooksPath = hooks\n"},
		{"", ".git/config", "[core]\nhooksPath = other\n"},
		{"runs", ".git/hooks/post-index-change", "#!/bin/sh\n./p\n"},
		{"", ".git/hooks/post-checkout", "#!/bin/sh\n./p\n"},
		{"runs", ".git/config.worktree", "[core]\nfsmonitor = ./p\n"},
		{"runs", "../.gitconfig", "[core]\nfsmonitor = ./p\n"},
		{"runs", "../.gitconfig", "[core]\nhooksPath = hooks\n"},
		{"runs", "../.gitconfig", "[include]\npath = project/more\n"},
		{"runs", "../.gitconfig", "[filter \"x\"]\nclean = sh p\n"},
		{"runs", "../.config/git/config", "[diff]\nexternal = sh p\n"},
		{"", ".git/config", "[alias]\nstatus = !./p\nlog = !./p\n[core]\nsshCommand = ./p\neditor = ./p\naskPass = ./p\ngitProxy = ./p\nalternateRefsCommand = ./p\n"},
		{"", ".git/config", "[credential]\nhelper = ./p\n[sequence]\neditor = ./p\n[interactive]\ndiffFilter = ./p\n[difftool \"x\"]\ncmd = ./p\n[browser \"x\"]\ncmd = ./p\n[trailer \"x\"]\ncommand = ./p\n"},
		{"", ".git/config", "[submodule \"x\"]\nupdate = !./p\n[uploadpack]\npackObjectsHook = ./p\n[remote \"origin\"]\nurl = .\nuploadpack = ./p\nvcs = p\n[diff \"x\"]\nxfuncname = ./p\n[man \"x\"]\ncmd = ./p\n"},
	}
	for _, row := range rows {
		r := newTree(t)
		write(t, r.dir, "more", "[core]\nfsmonitor = ./p\n")
		write(t, r.dir, "hooks/post-index-change", "#!/bin/sh\n./p\n")
		r.git("config", "extensions.worktreeConfig", "true")
		r.append(row.file, row.text)
		os.Chmod(r.dir+"/hooks/post-index-change", 0o755)
		os.Chmod(r.dir+"/"+row.file, 0o755)
		r.check(row.want, row.file+" "+row.text)
	}
}

func (r tree) append(name, text string) {
	r.t.Helper()
	old, err := os.ReadFile(r.dir + "/" + name)
	if err != nil && !os.IsNotExist(err) {
		r.t.Fatal(err)
	}
	write(r.t, r.dir, name, string(old)+text)
}

// check runs every verb and compares with what was said before.
func (r tree) check(want, why string) {
	r.t.Helper()
	r.ran()
	w := New([]string{"HOME=" + r.home})
	w.system = nil
	said := programs(w, r.dir)
	got := ""
	for _, v := range verbs {
		r.stale()
		r.run(strings.Fields(v)...)
		if !r.ran() {
			continue
		}
		got = "runs"
		if said == "" {
			r.t.Errorf("%q: git %s ran a program and nothing was said", why, v)
		}
	}
	if got != want {
		r.t.Errorf("%q: got %q, want %q", why, got, want)
	}
}

// TestGitRunsInSubmodules shows that git runs what a submodule names, and that
// this is said of the repository around it.
func TestGitRunsInSubmodules(t *testing.T) {
	seed.Slow(t)
	for _, version := range []string{"2", "3", "4"} {
		r := newTree(t)
		write(t, r.dir, "sub/g", "x\n")
		in := tree{t, r.home, r.dir + "/sub"}
		in.git("init", "-q")
		in.commit("x")
		r.git("add", "sub")
		if version == "3" {
			write(t, r.dir, "later", "x")
			r.git("add", "--intent-to-add", "later")
		}
		r.git("update-index", "--index-version", version)
		r.check("", "version "+version)
		in.append(".git/config", "[core]\nfsmonitor = ../p\n")
		r.check("runs", "a submodule, version "+version)
	}
}

// TestGitlinksAsGit compares what is read of an index with what git lists.
func TestGitlinksAsGit(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		for _, version := range []string{"2", "3", "4"} {
			git(t)
			home := place(t)
			r := tree{t, home, home + "/project"}
			write(t, r.dir, "f", "x")
			r.git("init", "-q", "--object-format="+format)
			r.git("update-index", "--index-version", version)
			blob := r.git("hash-object", "-w", "f")
			var in, want strings.Builder
			for i, name := range []string{"a", "a-long/path/x", "a-long/path/xy", "b/sub", "b/sub2", "c", "d/" + strings.Repeat("e", 300), "d/" + strings.Repeat("e", 301), "y", "z"} {
				mode := "100644"
				if i%2 == 1 {
					mode = "160000"
					want.WriteString(name + " ")
				}
				in.WriteString(mode + " " + blob + " 0\t" + name + "\n")
			}
			if out, err := r.pipe(in.String(), "update-index", "--index-info"); err != nil {
				t.Fatal(out, err)
			}
			r.git("update-index", "--skip-worktree", "c") // needs version 3
			data, err := os.ReadFile(r.dir + "/.git/index")
			if err != nil {
				t.Fatal(err)
			}
			got, ok := gitlinks(data, format == "sha256")
			if !ok || strings.Join(got, " ")+" " != want.String() {
				t.Errorf("%s, version %s: %v %q, want %q", format, version, ok, got, want.String())
			}
			for cut := range len(data) {
				list, ok := gitlinks(data[:cut], format == "sha256")
				if ok && strings.Join(list, " ")+" " != want.String() || !ok && list != nil {
					t.Fatalf("%s, version %s, cut at %d: %v %q", format, version, cut, ok, list)
				}
			}
			if got := programs(sees(home), r.dir); got != "" {
				t.Errorf("%s, version %s: %q", format, version, got)
			}
			r.git("update-index", "--split-index")
			if got := programs(sees(home), r.dir); got != "unknown" {
				t.Errorf("%s, version %s, split: %q", format, version, got)
			}
		}
	}
}

// TestGitFetches shows that a partial clone runs the program of its remote
// while it reads.
func TestGitFetches(t *testing.T) {
	r := newTree(t)
	r.append(".git/config", "[core]\nrepositoryformatversion = 1\n[extensions]\npartialClone = origin\n[remote \"origin\"]\nurl = .\npromisor = true\nuploadpack = ./p\n")
	name := r.git("rev-parse", "HEAD:f")
	if err := os.Remove(r.dir + "/.git/objects/" + name[:2] + "/" + name[2:]); err != nil {
		t.Fatal(err)
	}
	r.ran()
	r.run("show", "HEAD:f")
	if !r.ran() {
		t.Error("git does not fetch")
	}
	if w := New([]string{"HOME=" + r.home}); !strings.Contains(programs(w, r.dir), "remote.*.promisor") {
		t.Error("a partial clone is not said")
	}
}

// TestGitBare shows that git uses a bare repository within another, as in
// CVE-2026-45033.
func TestGitBare(t *testing.T) {
	r := newTree(t)
	write(t, r.dir, "docs/f", "")
	in := tree{t, r.home, r.dir + "/docs"}
	in.git("init", "-q", "--bare", ".")
	in.append("config", "[core]\nbare = false\nworktree = ..\nfsmonitor = "+r.dir+"/p\n")
	in.check("runs", "a bare repository within")
}

// TestGitLinked shows that the configuration of a linked work tree is found.
func TestGitLinked(t *testing.T) {
	r := newTree(t)
	r.git("worktree", "add", "-q", "--detach", r.home+"/linked")
	linked := tree{t, r.home, r.home + "/linked"}
	linked.check("", "a linked work tree")
	r.append(".git/config", "[core]\nfsmonitor = ./p\n")
	linked.check("runs", "a linked work tree")
}

// TestConfigAsGit compares what is read of a file with what git lists.
func TestConfigAsGit(t *testing.T) {
	r := newTree(t)
	for _, text := range configs {
		write(t, r.dir, "c", text)
		want, err := r.run("config", "--list", "-z", "-f", "c")
		var b strings.Builder
		got := readConfig([]byte(text), func(s setting) {
			b.WriteString(s.section + ".")
			if s.sub != "" {
				b.WriteString(s.sub + ".")
			}
			b.WriteString(s.name)
			if s.valued {
				b.WriteString("\n" + s.value)
			}
			b.WriteByte(0)
		})
		switch {
		case err != nil && got == nil:
			t.Errorf("%q: git refuses what is read", text)
		case err == nil && got != nil && !doubtful[text]:
			t.Errorf("%q: git reads what is refused", text)
		case err == nil && got == nil && blankless(b.String()) != blankless(want):
			t.Errorf("%q: read %q, git %q", text, b.String(), want)
		}
	}
}

// doubtful files are refused although git reads them: the name of a setting
// lacks a part.
var doubtful = map[string]bool{"[a \"\"]\nb=c\n": true, "b=c\n": true, "[.a]\nb=c\n": true, "[a.]\nb=c\n": true}

// blankless leaves out blanks, of which versions of git keep not the same.
func blankless(s string) string { return strings.NewReplacer(" ", "", "\t", "", "\r", "").Replace(s) }

// configs are files of all kinds of syntax; they are seeds for fuzzing too.
var configs = []string{
	"", "\n", "[a]\n", "[a]b", "[a]b=c", "[a] b = c # d\n", "[a]\nb = \"c # d\"\n", "[a \"B c\"]\nD = e\n", "[A.B]\nC=d\n", "[a.b \"c\"]\nd=e\n",
	"[a]\nb = c \\\n d\n", "[a]\nb = c \\\r\n d\r\n", "[a]\nb = \\t\\n\\b\\\"\\\\\n", "[a]\nb = \\x\n", "[a]\nb = \"open\n", "[a]\nb = \"x\\\ny\"\n",
	"[a]\n\tb\n\tc\n", "[a]\nb c\n", "[a]\n1b=c\n", "[a]\nb1-=c\n", "[a]\nb_=c\n", "b=c\n", "[a\n]\nb=c\n", "[a \"x\\\"y\\z\"]\nb=c\n", "[a \"x\ny\"]\nb=c\n",
	"[a \"\"]\nb=c\n", "[a\"x\"]\nb=c\n", "[a \"x\" ]\nb=c\n", "[a] ; x\nb=c;d\n", "[a]\nb=c\"d;e\"f # g\n", "\ufeff[a]\nb=c\n", "[a]\r\nb=c\r\n", "[a]\nb=c\r",
	"[a]\nb = # x\n", "[a]\nb = \"\"\n", "[a]\nb=  c   d  \n", "[a]\n# [b]\nc=d\n", "[a]\nb=c\n[d]e=f\n", "[a][b]c=d\n", "[a]\nb = c ; \\\nd = e\n", "[a]\nb=\\", "[a]\nb=\"\\",
	"[a.]\nb=c\n", "[.a]\nb=c\n", "[a..b]\nc=d\n", "[-a]\nb=c\n", "[a] =b\n", "[a]\n=b\n", "[a]b\n=c\n", "[a]\nb=\u00e9\n", "[\u00e9]\nb=c\n", "[a]\nb\\\n=c\n", "[a\t\"b\"]\nc=d\n", "]", "[", "[a", "[a \"", "[a \"b\"", "[a]\nb\t=\tc\n",
}

func FuzzReadConfig(f *testing.F) {
	for _, text := range configs {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		readConfig(data, func(s setting) {
			if s.section == "" || s.name == "" || strings.ToLower(s.name) != s.name {
				t.Errorf("%q: %+v", data, s)
			}
		})
	})
}

func FuzzGitlinks(f *testing.F) {
	f.Add([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x00aaaaaaaaaaaaaaaaaaaa"), false)
	f.Add([]byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x01"+strings.Repeat("\xe0\x00", 40)), true)
	f.Fuzz(func(t *testing.T, data []byte, wide bool) {
		if list, ok := gitlinks(data, wide); !ok && list != nil {
			t.Errorf("%q: a list beside no answer", data)
		}
	})
}

// TestHeld lists what the index of a real repository holds, from any directory in it.
func TestHeld(t *testing.T) {
	r := newTree(t)
	want := strings.Fields(r.git("ls-files", "-s"))
	for _, dir := range []string{r.dir, r.dir + "/sub"} {
		var got []string
		root, ok := (&World{}).Held(dir, func(path, object string) bool {
			got = append(got, path)
			if !slices.Contains(want, path) || !slices.Contains(want, object) {
				t.Errorf("%s %s is not held", path, object)
			}
			return true
		})
		if !ok || root != r.dir || len(got) != len(want)/4 {
			t.Errorf("%s: %s %v %v", dir, root, ok, got)
		}
	}
	n := 0
	if _, ok := (&World{}).Held(r.dir, func(string, string) bool { n++; return false }); n != 1 || !ok {
		t.Errorf("%d after the end", n)
	}
	if root, ok := (&World{}).Held(r.home, func(string, string) bool { return true }); root != "" || !ok {
		t.Errorf("outside: %q %v", root, ok)
	}
	write(t, r.dir, ".git/index", "no index")
	if _, ok := (&World{}).Held(r.dir, func(string, string) bool { return true }); ok {
		t.Error("a broken index is read")
	}
}

// TestProcess tells what a process runs, for this one and for none.
func TestProcess(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no /proc")
	}
	w := &World{}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if name, ok := w.Process(strconv.Itoa(os.Getpid())); !ok || name != path.Base(self) {
		t.Errorf("%q %v", name, ok)
	}
	if name, ok := w.Process("999999999"); !ok || name != "" {
		t.Errorf("%q %v", name, ok)
	}
}
