//go:build linux

package shells_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/policyctl/policyctl/internal/trial/sandbox"
	"github.com/policyctl/policyctl/internal/trial/seed"
)

// The places of the playground.
const (
	home    = "/home/dev"
	project = home + "/project"
)

// A shell is one of those that judge.
type judgeShell struct {
	name   string // of its binary, and of the shell of a call
	number byte   // that the driver knows it by
	speaks string // further shells of a call of which it is one
}

// The order is that of the driver's table. A line for sh runs in whatever the
// system calls so.
var shells = []judgeShell{
	{"bash", 0, "sh"}, {"dash", 1, "sh"}, {"zsh", 2, ""}, {"busybox", 3, "sh ash"}, {"mksh", 4, "sh ksh"}, {"ksh93", 5, "ksh"},
}

// files are those of the project, with their contents. The user owns them.
var files = map[string]string{
	"f": "a b\n-x *\n", "a": "1\n", "b": "2\n", "a.go": "package a\n", "in.txt": "x y\n", "a b": "blank\n", "-o": "dash\n", "-rf": "dash\n", "secret.txt": "s\n",
	"README.md": "# x\n", "go.mod": "module x\n", "Makefile": "all:\n", "src/main.go": "package main\n", "src/x.go": "package main\n",
}

// links are the symbolic links of the project.
var links = map[string]string{"link": "f", "dirlink": "src"}

// programs are the recorders at places of their own.
var programs = []string{"p", "src/p"}

// watched are the directories in which the driver looks for files that a line
// opens or changes. Nothing else can be written but /scratch, where shells put
// what here-documents hold.
var watched = []string{home, project, project + "/src", "/tmp"}

// printers are the programs that print what they are told to where somebody
// reads it, so that a line which substitutes their output becomes what a reader
// takes it for. They write no files.
var printers = strings.Fields("basename dirname printf realpath readlink pwd echo cat base64 base32 rev tr cut head tail tac grep sort")

// libraries are what shells need beside what ldd says.
var libraries = []string{"/usr/lib/locale/C.utf8"}

// need skips a test where the machine cannot judge; in CI it fails.
func need(t testing.TB) {
	t.Helper()
	seed.Slow(t)
	programs := []string{"cc", "ldd", "cp", "mount", "mknod"}
	for _, sh := range shells {
		programs = append(programs, sh.name)
	}
	sandbox.Need(t, sandbox.Missing(programs...))
}

// built is the directory with the compiled programs.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "shells")
	if err != nil {
		return "", err
	}
	for _, name := range []string{"recorder", "driver"} {
		cmd := exec.Command("cc", "-static", "-O2", "-o", filepath.Join(dir, name), filepath.Join("testdata", name+".c"))
		if out, err := cmd.CombinedOutput(); err != nil {
			return dir, fmt.Errorf("%w: %s", err, out)
		}
	}
	return dir, nil
})

// stage makes the directory of which each throw-away root is a copy. The names
// are those of recorders.
func stage(t testing.TB, names []string, uid int) string {
	t.Helper()
	from, err := built()
	must(t, err)
	root := t.TempDir()
	for _, dir := range []string{"bin", "lbin", "shells", "lib64", "proc", "dev", "log", "real", "tmp", "scratch", "etc", "root", project[1:] + "/src", "kept"} {
		must(t, os.MkdirAll(filepath.Join(root, dir), 0o755))
	}
	must(t, os.Chmod(filepath.Join(root, "tmp"), 0o777))
	must(t, os.Chmod(filepath.Join(root, "scratch"), 0o733))
	must(t, os.WriteFile(filepath.Join(root, "log/records"), nil, 0o600))
	must(t, os.Chmod(filepath.Join(root, "log"), 0o711))
	must(t, os.Chmod(filepath.Join(root, "log/records"), 0o622))
	must(t, os.WriteFile(filepath.Join(root, "etc/passwd"), fmt.Appendf(nil, "root:x:0:0::/root:/bin/sh\ndev:x:%d:%d::%s:/bin/sh\n", uid, uid, home), 0o644))
	must(t, os.MkdirAll(filepath.Join(root, "usr"), 0o755))
	for _, link := range []string{"usr/bin", "sbin", "usr/sbin"} {
		must(t, os.Symlink("/bin", filepath.Join(root, link)))
	}
	copyPrograms(t, root)
	run(t, "cp", filepath.Join(from, "driver"), root)
	run(t, "cp", filepath.Join(from, "recorder"), filepath.Join(root, "bin/ls"))
	for _, name := range names {
		if name != "ls" {
			must(t, os.Link(filepath.Join(root, "bin/ls"), filepath.Join(root, "bin", name)))
		}
	}
	play(t, root, uid)
	return root
}

// play makes the playground.
func play(t testing.TB, root string, uid int) {
	at := filepath.Join(root, project)
	for name, text := range files {
		must(t, os.WriteFile(filepath.Join(at, name), []byte(text), 0o644))
	}
	for name, target := range links {
		must(t, os.Symlink(target, filepath.Join(at, name)))
	}
	run(t, "cp", "-a", filepath.Join(root, "home"), filepath.Join(root, "kept"))
	run(t, "chown", "-Rh", fmt.Sprintf("%d:%d", uid, uid), filepath.Join(root, "home"))
	for _, name := range programs {
		run(t, "cp", filepath.Join(root, "bin/ls"), filepath.Join(at, name)) // root's, so that no line writes it
	}
}

// copyPrograms copies the shells and the printers with what they need.
func copyPrograms(t testing.TB, root string) {
	need := append([]string{}, libraries...)
	for _, sh := range shells {
		need = append(need, copyProgram(t, sh.name, filepath.Join(root, "shells"))...)
	}
	for _, name := range printers {
		need = append(need, copyProgram(t, name, filepath.Join(root, "real"))...)
	}
	if modules, _ := filepath.Glob("/usr/lib/*/zsh"); len(modules) > 0 {
		need = append(need, modules...)
	}
	for _, path := range need {
		if _, err := os.Stat(path); err != nil {
			continue // the C library has the locale built in
		}
		to := filepath.Join(root, path)
		must(t, os.MkdirAll(filepath.Dir(to), 0o755))
		run(t, "cp", "-rLn", path, filepath.Dir(to))
	}
}

// copyProgram copies a program and returns its libraries.
func copyProgram(t testing.TB, name, to string) (libraries []string) {
	path, err := exec.LookPath(name)
	must(t, err)
	path, err = filepath.EvalSymlinks(path)
	must(t, err)
	run(t, "cp", path, filepath.Join(to, name))
	out, err := exec.Command("ldd", path).Output()
	must(t, err)
	for word := range strings.FieldsSeq(string(out)) {
		if strings.HasPrefix(word, "/") {
			libraries = append(libraries, word)
		}
	}
	return libraries
}

func run(t testing.TB, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %q: %v: %s", name, args, err, out)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
