//go:build linux

package kernel_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/trial/sandbox"
	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/world"
)

// TestStaysInside runs lines that are proved to stay inside the project, in a
// root of their own without a network, and looks at what lies outside, and at
// what nobody could give back: nothing of it may be made, changed, removed or
// renamed. SEED and LINES choose others and
// more, a tenth of LINES: each needs a project of its own.
func TestStaysInside(t *testing.T) {
	seed.Slow(t)
	needs(t, sandbox.Missing("bash", "git", "timeout", "mount"))
	number, count := seed.Count(t, "SEED", 1), max(sampled, seed.Count(t, "LINES", sampled)/10)
	root := t.TempDir()
	plantWorkspace(t, root)
	judge := newWorkspaceJudge(t, root)
	g := &workspaceSampler{Rand: rand.New(rand.NewPCG(uint64(number), 7)), root: root}
	var lines []string
	seen := map[string]bool{}
	drawn := 0
	for ; len(lines) < count; drawn++ {
		if drawn > 400*count+4000 {
			t.Fatalf("only %d of %d lines drawn are proved", len(lines), drawn)
		}
		line := g.line()
		if !seen[line] && judge.proves(line) {
			lines = append(lines, line)
		}
		seen[line] = true
	}
	fmt.Printf("kernel: SEED=%d LINES=%d: %d lines drawn, %d of them proved to stay inside\n", number, count, drawn, len(lines))
	violations := 0
	for batch := range slices.Chunk(part(t, lines), 250) {
		for _, v := range runInside(t, root, batch) {
			if violations++; violations <= 20 {
				t.Error(v)
			}
		}
	}
}

// plantWorkspace makes the project and what lies around it.
func plantWorkspace(t *testing.T, root string) {
	files := map[string]string{
		"home/dev/app/src/a.py": "a\nb\n", "home/dev/app/src/b.py": "x = 1\n", "home/dev/app/src/deep/c.ts": "foo\n", "home/dev/app/lib/x.py": "lib\n",
		"home/dev/app/README.md": "# app\n", "home/dev/app/package.json": "{}\n", "home/dev/app/docs/a.md": "doc\n", "home/dev/app/main.go": "package main\n",
		"home/dev/app/notes.txt": "mine\n", "home/dev/app/data/d.csv": "1,2\n", "home/dev/app/.env": "KEY=1\n", "home/dev/app/.github/workflows/ci.yml": "name: ci\n",
		"home/dev/app/dist/o.js": "o\n", "home/dev/app/node_modules/p/i.js": "p\n", "home/dev/app/a b.txt": "blank\n", "home/dev/app/-rf": "dash\n",
		"srv/shared/s.txt": "shared\n", "srv/motd": "motd\n", "home/dev/.bashrc": "rc\n", "home/dev/other/o.txt": "other\n", "tmp/x": "tmp\n", "tmp/agent/own.txt": "own\n", "outer.txt": "outer\n",
	}
	for name, text := range files {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(root, "t", name)), 0o755))
		must(t, os.WriteFile(filepath.Join(root, "t", name), []byte(text), 0o644))
	}
	app := filepath.Join(root, "t/home/dev/app")
	for name, to := range map[string]string{
		"shared": "../../../srv/shared", "current": "src", "dist/out": "../../../../srv", "node_modules/.bin": "p", "src/up": "..", "loop": "loop", "build": "dist", "lib/hosts": "../../other/o.txt",
	} {
		must(t, os.Symlink(to, filepath.Join(app, name)))
	}
	must(t, os.Link(filepath.Join(root, "t/outer.txt"), filepath.Join(app, "hard.txt")))
	script := `set -e
git init -q -b main .; git config user.name dev; git config user.email dev@example.com
git add src lib README.md package.json docs main.go 'a b.txt'; git commit -q -m first
printf 'dirty\n' >> main.go
tar -cf vendor.tar docs; git add vendor.tar; git commit -q -m vendor`
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir = app
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "HOME="+filepath.Join(root, "t/home/dev"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	restoreWorkspace(t, root)
}

func restoreWorkspace(t *testing.T, root string) {
	if out, err := exec.Command("sh", "-c", restoring, root).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// restoring puts everything back, hard links too.
const restoring = `cd "$0" && rm -rf home srv tmp outer.txt && cp -a t/. .`

// A workspaceJudge is the engine that allows what stays inside.
type workspaceJudge struct {
	engine *policy.Engine
	root   string
}

func newWorkspaceJudge(t *testing.T, root string) *workspaceJudge {
	s := policy.Defaults()
	s.AutoAllowWorkspace = true
	e, err := policy.New(s, policy.Options{World: world.New([]string{"HOME=" + root + "/home/dev"})})
	must(t, err)
	return &workspaceJudge{e, root}
}

func (j *workspaceJudge) proves(line string) bool {
	c := policy.Shell(line, j.root+"/home/dev/app")
	c.Home, c.ProjectDir, c.SessionDir = j.root+"/home/dev", j.root+"/home/dev/app", j.root+"/tmp/agent"
	v, err := j.engine.Decide(context.Background(), nil, c)
	return err == nil && v.Decision == policy.Allow && (v.Stage == policy.StageAllowlist || len(v.Parts) > 0)
}

// runInside runs lines, each in a fresh copy, and returns those after which
// something outside, or something that cannot be had again, is not as it was.
func runInside(t *testing.T, root string, lines []string) []string {
	dir := t.TempDir()
	for n, line := range lines {
		must(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%05d", n)), []byte(line), 0o644))
	}
	script := `mount --make-rprivate / && mount -o remount,bind,ro / 2>/dev/null; root=$1; mount --bind "$root" "$root" && mount -o remount,bind,rw "$root"; mount --bind "$0" "$0"; mount -o remount,bind,rw "$0"
look() { (cd "$root" && find . -path ./t -prune -o -path ./home/dev/app -prune -o -path ./tmp/agent -prune -o '(' '!' -type d -printf '%p %y %i %n %s %m %l\n' -o -printf '%p %y %m\n' ')' | sort; cd home/dev/app && grep -rqs '^mine$' . || echo notes lost; grep -rqs '^1,2$' . || echo data lost; sha256sum .env package.json .github/workflows/ci.yml ../../../outer.txt ../../../srv/shared/s.txt ../.bashrc ../../../srv/motd ../other/o.txt 2>&1); }
export HOME="$root/home/dev" GIT_CONFIG_NOSYSTEM=1
for f in "$0"/?????; do
	sh -c '` + restoring + `' "$root"
	look > "$0/before"
	(cd "$root/home/dev/app" && timeout 5 bash "$f" < /dev/null > /dev/null 2>&1)
	look > "$0/after"
	cmp -s "$0/before" "$0/after" || { printf '== %s\n' "${f##*/}"; diff "$0/before" "$0/after"; }
done`
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Minute)
	defer cancel()
	out, err := sandbox.Command(ctx, script, dir, root).Output()
	if err != nil {
		t.Fatalf("running lines: %v: %s", err, out)
	}
	restoreWorkspace(t, root)
	var found []string
	for part := range strings.SplitSeq(string(out), "== ") {
		number, change, ok := strings.Cut(part, "\n")
		var n int
		if _, err := fmt.Sscanf(number, "%d", &n); ok && err == nil && n < len(lines) {
			found = append(found, fmt.Sprintf("%q changed what lies outside:\n%s", lines[n], change))
		}
	}
	return found
}

// A workspaceSampler draws lines that write.
type workspaceSampler struct {
	*rand.Rand
	root string
}

func (g *workspaceSampler) pick(list ...string) string { return list[g.IntN(len(list))] }

// path draws a path, most of them inside, some that lead out.
func (g *workspaceSampler) path() string {
	p := g.pick("src/a.py", "src/b.py", "src/new.py", "src/deep/c.ts", "lib/x.py", "README.md", "docs/a.md", "docs/n.md", "dist/o.js", "dist/new.js", "build/new", "current/n.py", "node_modules/p/i.js",
		"out.txt", "x/y/z", "main.go", "notes.txt", "data/d.csv", "data/n.csv", ".env", "hard.txt", "'a b.txt'", "./-rf", "-- -rf", "shared/s.txt", "shared/n", "shared", "dist/out/motd", "dist/out/n",
		"src/up/n.txt", "src/up/../../n", "src/../../n", "../n", "../other/o.txt", "lib/hosts", "loop", "loop/x", "~/.bashrc", "$HOME/n", "/tmp/n", g.root+"/tmp/n", g.root+"/tmp/agent/n", g.root+"/tmp/agent/own.txt", g.root+"/home/dev/app/src/q",
		".git/config", ".GIT/hooks/x", ".github/workflows/ci.yml", "package.json", "src/*.py", "*.md", "dist/*", "data/*", "shared/*", "s*", "$(echo src/a.py)", "$X", "src/{a,b}.py", "\"$PWD/src/a.py\"", "node_modules", "dist", "build", "src", "data", "docs", ".", "..", "x", "current", "node_modules/.bin/z")
	if g.IntN(12) == 0 {
		p += g.pick("/", "/.", "/..", "/../..", "x", ".bak", "/n/m")
	}
	return p
}

func (g *workspaceSampler) simple() string {
	p, q := g.path(), g.path()
	switch g.IntN(34) {
	case 0:
		return "mkdir " + g.pick("", "-p ", "-m 755 ", "-pv ", "-m 4755 ") + p
	case 1:
		return "touch " + g.pick("", "-c ", "-r "+q+" ") + p
	case 2, 3, 4:
		return "cp " + g.pick("", "-r ", "-a ", "-f ", "-t "+q+" ", "-n ", "-l ", "-s ", "--backup ", "-rT ", "-u ", "-P ") + p + " " + q
	case 5, 6:
		return "mv " + g.pick("", "-f ", "-n ", "-t "+q+" ", "-T ", "-b ") + p + " " + q
	case 7:
		return "ln " + g.pick("-s ", "", "-sf ", "-sr ", "-sn ") + p + " " + q
	case 8, 9:
		return "echo x " + g.pick("> ", ">> ", ">| ", "2> ", "&> ") + p
	case 10:
		return "cat " + p + " > " + q
	case 11:
		return "cat > " + p + " <<'EOF'\ntext\nEOF"
	case 12:
		return "echo x | tee " + g.pick("", "-a ", "-i ") + p + " " + g.pick("", q)
	case 13, 14:
		return "sed -i" + g.pick("", " -E", ".bak", " -n", "../../n*") + " " + g.pick("'s/a/b/'", "'w "+p+"'", "-e 's/a/b/' -e 1d", "d", "'s/x/id/e'", "'/a/r "+p+"'") + " " + p + " " + g.pick("", q)
	case 15, 16:
		return "rm " + g.pick("", "-f ", "-rf ", "-r ", "-d ") + p + " " + g.pick("", q)
	case 17:
		return "truncate -s " + g.pick("0 ", "+1 ") + p
	case 18:
		return "install " + g.pick("", "-D ", "-d ", "-m 755 ", "-m 4755 ", "-t "+q+" ") + p + " " + q
	case 19:
		return "chmod " + g.pick("+x ", "644 ", "u+s ", "-R 755 ", "4755 ", "a+rwX ") + p
	case 20:
		return "tar " + g.pick("-xf vendor.tar -C "+p, "-xf vendor.tar", "-cf "+p+" "+q, "-czf "+p+" src", "-xf "+p+" -C "+q, "-rf "+p+" "+q)
	case 21, 22:
		return "git " + g.pick("add ", "add -A ", "mv "+q+" ", "rm ", "rm -r ", "rm --cached ", "restore ", "restore --staged ", "checkout -- ", "reset ", "stash push ", "add -f ") + p
	case 23:
		return "git " + g.pick("commit -qm x", "commit -am x", "switch -c n", "checkout -b n", "branch n", "tag v1", "stash", "stash pop", "commit --amend --no-edit", "reset --soft HEAD~1", "-C "+p+" add .", "-C .. commit -am x", "branch -m n2", "-c core.hooksPath=. commit -qm x")
	case 24:
		return "rmdir " + g.pick("", "-p ") + p
	case 25:
		return "patch -p1 <<'EOF'\n--- a/" + p + "\n+++ b/" + q + "\n@@ -1 +1 @@\n-a\n+z\nEOF"
	case 26:
		return "git apply <<'EOF'\n--- a/" + p + "\n+++ b/" + p + "\n@@ -1,2 +1,2 @@\n-a\n+z\n b\nEOF"
	case 27:
		return "sort -o " + p + " " + q
	case 28:
		return "cd " + g.pick(p, "src", "shared", "current", "..", "src/up") + " && " + g.simple()
	case 29:
		return "for f in " + p + " " + q + "; do " + g.pick("sed -i 's/a/b/' \"$f\"", "touch \"$f\"", "rm -f $f", "cp $f $f.bak", "echo x >> \"$f\"") + "; done"
	case 30:
		return "(" + g.simple() + ")"
	case 31:
		return "X=" + p + "; " + g.pick("touch", "rm -f", "mkdir -p", "cp src/a.py") + " \"$X\""
	case 32:
		return "find " + p + " -name '*.py' " + g.pick("-delete", "-exec rm {} +", "-exec sed -i 's/a/b/' {} \\;", "-print > "+q)
	}
	return "unlink " + p
}

func (g *workspaceSampler) line() string {
	line := g.simple()
	for g.IntN(3) == 0 {
		line += g.pick(" && ", "; ", " || ", " | ", "\n") + g.simple()
	}
	return line
}
