package world

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/policyctl/policyctl/pkg/workspace"
)

// maxHashed bounds the files whose content is compared with what git holds.
const maxHashed = 16 << 20

// File returns what lies at an absolute path once its links are followed. It
// takes two or three looks at the file system. ok is false where that is not
// known.
func (w *World) File(name string) (workspace.File, bool) {
	var f workspace.File
	at := strings.TrimRight(name, "/")
	dir, ok := w.RealPath(path.Dir(at))
	if !ok || at == "" {
		return f, false
	}
	info, err := os.Lstat(dir + "/" + path.Base(at))
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		f.Link = true
		real, ok := w.RealPath(name)
		if !ok {
			return f, false
		}
		info, err = os.Lstat(real)
	}
	switch {
	case isAbsent(err):
		f.Kind = workspace.Absent
	case err != nil:
		return f, false
	case info.Mode().IsRegular():
		f.Kind, f.Shared = workspace.Regular, links(info) != 1
	case info.IsDir():
		f.Kind = workspace.Directory
		f.Empty = isEmpty(dir + "/" + path.Base(at))
	}
	return f, true
}

func isEmpty(dir string) bool {
	d, err := os.Open(dir)
	if err != nil {
		return false
	}
	defer d.Close()
	names, _ := d.Readdirnames(1)
	return len(names) == 0
}

// Kept reports whether git's index holds the file at an absolute path, and
// whether as it is on the disk, so that git can give it back. Of a directory it
// reports whether a file below is held. It reads the index, about 100 bytes a
// file of the repository, and the file.
func (w *World) Kept(name string) (held, unmodified bool) {
	real, ok := w.RealPath(name)
	if !ok || w.blind {
		return false, false
	}
	l := &look{}
	r, found := l.discover(path.Dir(real))
	if !found || l.unknown || r.top == "" || !strings.HasPrefix(real, r.top+"/") {
		return false, false
	}
	wide, ok := l.wide(&r)
	if !ok {
		return false, false
	}
	object, below := indexed(l.read(r.git+"/index", maxIndex), wide, strings.TrimPrefix(real, r.top+"/"))
	if l.unknown || object == nil {
		return below && !l.unknown, false
	}
	return true, bytes.Equal(object, blob(real, wide))
}

// indexed returns the name of the object that an index has for a path, nil if it
// has none, and whether it holds a path below.
func indexed(data []byte, wide bool, name string) (object []byte, below bool) {
	x := index{at: 12, hash: 20}
	if wide {
		x.hash = 32
	}
	if len(data) < 12+x.hash || string(data[:4]) != "DIRC" {
		return nil, false
	}
	x.data = data[:len(data)-x.hash]
	x.packed = binary.BigEndian.Uint32(data[4:]) == 4
	for range binary.BigEndian.Uint32(data[8:]) {
		from := x.at
		mode, path, ok := x.entry()
		if !ok {
			return nil, below
		}
		below = below || bytes.HasPrefix(path, []byte(name+"/"))
		if stage := x.data[from+40+x.hash] >> 4 & 3; stage == 0 && mode>>12 == 8 && string(path) == name {
			object = x.data[from+40 : from+40+x.hash]
		}
	}
	return object, below
}

// blob returns the name that git would give to the content of a file as it is
// on the disk, nil where it cannot be read.
func blob(name string, wide bool) []byte {
	id, mode, err := stat(name, false)
	if err != nil || mode != 0 {
		return nil
	}
	data, err := readFile(name, maxHashed, id)
	if err != nil {
		return nil
	}
	var h hash.Hash = sha1.New()
	if wide {
		h = sha256.New()
	}
	fmt.Fprintf(h, "blob %d\x00", len(data))
	h.Write(data)
	return h.Sum(nil)
}

// GitHooks returns the programs that git runs for a command that changes the
// repository of a directory, beside those of [World.GitPrograms]: its hooks. Those
// that the person keeps outside of the repository are theirs. ok is as in
// [World.GitPrograms].
func (w *World) GitHooks(dir string) (hooks []string, ok bool) {
	l := w.look(dir)
	if l == nil {
		return nil, false
	}
	for _, at := range l.hooks {
		entries, err := os.ReadDir(at)
		if err != nil && !isAbsent(err) {
			return nil, false
		}
		for _, e := range entries {
			if name := e.Name(); !e.IsDir() && path.Ext(name) != ".sample" && !strings.HasPrefix(name, ".") && name != "README.md" {
				hooks = append(hooks, "hooks/"+name)
			}
		}
	}
	return hooks, true
}
