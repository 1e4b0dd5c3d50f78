//go:build linux

package kernel_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// projectDir is the directory of the playground below its home.
const projectDir = "dev/project"

// past is the time of every file of the playground; that of a repository's
// index must be later, or git reads the files again and writes the index.
var past = time.Date(2020, 2, 3, 4, 5, 6, 0, time.UTC)

// files are those of the project, with their contents.
var files = map[string]string{
	"README.md": "# Project\n\nfoo bar\nTODO: x\n", "go.mod": "module example.com/x\n\ngo 1.22\n", "a.go": "package a\n\nfunc x() {}\n",
	"f": "foo:1:x\nbar:2:y\nbar:2:y\n3 4 5\n", "a": "1\n2\n3\n", "b": "1\n2\n4\n", "x": "y x foo\n", "y": "x\n", "in": "in\n", "log": "error: x\npanic\n",
	"f.json": `{"a": [1, {"b": "c"}], "x": null}` + "\n", "package.json": `{"name": "x", "scripts": {"test": "true"}, "a": {"k": 1}}` + "\n",
	"data.csv": "id,name,n\n1,ann,3\n2,bob,5\n", "a.txt": "b\na\nc\n", "sums": "d41d8cd98f00b204e9800998ecf8427e  empty\n", "empty": "",
	"src/main.go": "package main\n\nfunc main() { println(\"foo\") }\n", "src/a": "foo\n", "src/deep/er/x.go": "package er // foo\n",
	"sub/f": "in sub\n", "node_modules/p/index.js": "x()\n", "dist/out.js": "x()\n", ".hidden": "foo\n", ".gitignore": "dist/\nnode_modules/\n",
	"a b.txt": "blank\n", "-o": "dash\n", "--output=x": "dash\n", "-exec": "dash\n", "+1": "plus\n", "it's": "quote\n", "new\nline": "newline\n",
	"newer/go.mod": "module example.com/newer\n\ngo 1.99.0\n\ntoolchain go1.99.9\n",
	"notes.zst":    "\x28\xb5\x2f\xfd\x24\x03\x19\x00\x00foo", "notes.lz": "LZIP\x01", "notes.Z": "\x1f\x9d\x90", "bin": "\x7fELF\x02\x01\x01\x00strings here\x00",
	"latin1": "caf\xe9\n", "zero": "a\x00b\x00", "long": strings.Repeat("some words of a line\n", 20000),
	"p": "#!/bin/sh\ntouch ran\n",
	// Go counts its own runs in the user's configuration unless told not to.
	// That is known and allowed; here it would cover what else Go does.
	"../.config/go/telemetry/mode": "off\n",
}

// links are the symbolic links of the project.
var links = map[string]string{"link": "f", "dirlink": "src", "dangling": "nowhere", "loop": "loop", "up": ".."}

// repository makes a repository with two commits, a branch, a tag and a stash.
const repository = `set -e
tar -cf a.tar f a.go
find . -maxdepth 1 '(' -type l -o -name a.tar ')' -exec touch -h -d 2020-02-03 {} +
git init -q -b main .
git config user.name dev
git config user.email dev@example.com
git remote add origin https://example.com/x.git
git add a.go f src README.md .gitignore
git commit -q -m first
git tag -a v1 -m one
git branch feature/x
git add .
git commit -q -m second
git stash store -m kept HEAD
git update-index -q --refresh`

// newPlayground makes a home for the lines to work in and returns its path.
func newPlayground(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	project := filepath.Join(home, projectDir)
	write := maps.Clone(files)
	write["x.tar.gz"] = zipped()
	for name, text := range write {
		path := filepath.Join(project, name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(t, os.WriteFile(path, []byte(text), 0o644))
		must(t, os.Chtimes(path, past, past))
	}
	for name, target := range links {
		must(t, os.Symlink(target, filepath.Join(project, name)))
	}
	must(t, os.Chmod(filepath.Join(project, "p"), 0o755))
	must(t, give(home))
	cmd := exec.Command("bash", "-c", repository)
	cmd.Dir, cmd.Env = project, append(environment, "HOME="+filepath.Join(home, "dev"), "GIT_CONFIG_NOSYSTEM=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git repository of the playground: %v: %s", err, out)
	}
	return home
}

// give makes a home the property of who runs the lines. The directories above
// it must let him pass.
func give(home string) error {
	if err := os.Chmod(filepath.Dir(home), 0o755); err != nil {
		return err
	}
	return filepath.WalkDir(home, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, nobody, nobody)
	})
}

func zipped() string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte("foo\n"))
	w.Close()
	return b.String()
}

// snapshot returns what a playground holds: mode, size, time and contents of
// each file, by path. It leaves out what git does to its index.
func snapshot(t *testing.T, home string) map[string]string {
	t.Helper()
	held := make(map[string]string)
	must(t, filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil || strings.HasSuffix(path, "/.git") || strings.HasSuffix(path, "/.git/index") {
			return err
		}
		text := ""
		switch {
		case info.Mode().IsRegular():
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text = fmt.Sprintf("%x", sha256.Sum256(content))
		case info.Mode()&fs.ModeSymlink != 0:
			text, err = os.Readlink(path)
		}
		held[path] = fmt.Sprint(info.Mode(), info.Size(), info.ModTime(), text)
		return err
	}))
	return held
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
