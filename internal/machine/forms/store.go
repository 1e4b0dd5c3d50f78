// Package forms keeps the forms of policies, in which a hook finds the few
// rules that a call may match without reading all: of large policy files, and
// of bundles that were activated.
//
// A form decides, so that whoever can write it writes the policy. One counts
// only where nobody can write it but the owner of the policy and root; it
// names the SHA-256 of what it was made of. The package verifies no signature
// and runs no Rego: what it does not have is read as if there were no forms.
package forms

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/internal/support/atomicfile"
	"github.com/policyctl/policyctl/internal/support/plainfile"
	"github.com/policyctl/policyctl/pkg/config"
)

// A Store keeps forms in the directory forms of some directories. It is safe
// for concurrent use, also between processes.
type Store struct {
	dirs []string
	// shared says that the first is that of the organisation.
	shared bool

	mu sync.Mutex
	// known are the files that were prepared: one event asks several times.
	known map[string]*config.Prepared
}

// New returns the store of a machine and a person: below the directory of the
// organisation's policy, where root keeps forms for everybody, and below that
// of the person's state.
func New(managed, state string) *Store {
	s := &Store{shared: managed != "", known: map[string]*config.Prepared{}}
	for _, dir := range []string{managed, state} {
		if dir != "" {
			s.dirs = append(s.dirs, filepath.Join(dir, "forms"))
		}
	}
	return s
}

const (
	formEnd   = ".form"
	newPrefix = "new-"
	// most is how many forms a directory keeps; the oldest go first.
	most = 32
	// maxForm bounds what is read of a form.
	maxForm = 256 << 20
)

// build tells the programs apart: what one build made, another does not read.
var build = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	text := info.GoVersion + info.Main.Version
	for _, s := range info.Settings {
		if strings.HasPrefix(s.Key, "vcs.") {
			text += s.Key + s.Value
		}
	}
	return text
})

// name is that of the form of something, which differs with the build.
func name(digest string) string {
	sum := sha256.Sum256([]byte(build() + "\n" + digest))
	return hex.EncodeToString(sum[:]) + formEnd
}

// load returns a form of something that belongs to an owner; nil where there is
// none that counts.
func (s *Store) load(digest string, owner int) []byte { return s.read(s.dirs, name(digest), owner) }

// managed returns the directory in which root keeps forms for everybody.
func (s *Store) managed() []string {
	if !s.shared {
		return nil
	}
	return s.dirs[:1]
}

// read returns the content of a file of the first directory that has it and
// counts for an owner.
func (s *Store) read(dirs []string, base string, owner int) []byte {
	for _, dir := range dirs {
		file := filepath.Join(dir, base)
		if !guarded(filepath.Dir(dir), owner, fs.ModeDir) || !guarded(dir, owner, fs.ModeDir) || !guarded(file, owner, 0) {
			continue
		}
		f, err := plainfile.OpenOwn(file)
		if err != nil {
			continue
		}
		data, err := readAll(f, owner)
		f.Close()
		if n := len(data) - sumSize; err == nil && n >= 0 && binary.LittleEndian.Uint32(data[n:]) == sumOf(data[:n]) {
			return data[:n]
		}
	}
	return nil
}

// sumOf tells of accidents. Against forgery there is only who may write.
func sumOf(data []byte) uint32 { return crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)) }

const sumSize = 4

// readAll reads a file that was opened, if it is still one that counts.
func readAll(f *os.File, owner int) ([]byte, error) {
	info, err := f.Stat()
	if err != nil || !owned(info, owner) || info.Size() > maxForm {
		return nil, cmp.Or(err, fs.ErrPermission)
	}
	data := make([]byte, info.Size())
	for n := 0; n < len(data); {
		got, err := f.Read(data[n:])
		if err != nil {
			return nil, err
		}
		n += got
	}
	return data, nil
}

// guarded reports whether nobody but an owner and root can change a file or
// directory, which is no link.
func guarded(path string, owner int, kind fs.FileMode) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().Type() == kind && owned(info, owner)
}

// save keeps a form where the process may, for the owner of what it is of. That
// it cannot be kept costs time alone.
func (s *Store) save(digest string, owner int, data []byte) {
	s.write(s.dirs, name(digest), owner, data)
}

// write keeps a file in the first directory where that is possible.
func (s *Store) write(dirs []string, base string, owner int, data []byte) {
	if uid := os.Getuid(); uid != owner && uid != 0 {
		return
	}
	for _, dir := range dirs {
		parent := filepath.Dir(dir)
		if !guarded(parent, os.Getuid(), fs.ModeDir) {
			continue
		}
		mode := fs.FileMode(0o700)
		if os.Getuid() == 0 {
			mode = 0o755 // what root keeps is for everybody
		}
		if err := os.Mkdir(dir, mode); err != nil && !os.IsExist(err) || !guarded(dir, owner, fs.ModeDir) {
			continue
		}
		file := filepath.Join(dir, base)
		if atomicfile.Write(file, newPrefix, binary.LittleEndian.AppendUint32(slices.Clip(data), sumOf(data))) != nil {
			continue
		}
		if os.Getuid() == 0 {
			_ = os.Chmod(file, 0o644) // else the hooks of others take longer
		}
		sweep(dir)
		return
	}
}

// sweep removes the oldest forms, and what a crash left half written.
func sweep(dir string) {
	entries, _ := os.ReadDir(dir) // in part is enough
	type aged struct {
		name string
		at   int64
	}
	var all []aged
	for _, e := range entries {
		if info, err := e.Info(); err == nil && filepath.Ext(e.Name()) != latestEnd {
			all = append(all, aged{e.Name(), info.ModTime().UnixNano()})
		}
	}
	slices.SortFunc(all, func(a, b aged) int { return cmp.Compare(b.at, a.at) })
	for i, a := range all {
		if i >= most {
			_ = os.Remove(filepath.Join(dir, a.name))
		}
	}
}

// least is how many bytes a policy file has whose form is worth keeping: a form
// takes two milliseconds off the reading of 64 KiB.
const least = 64 << 10

// Prepare adds its form to a policy file that counts in full, and makes it
// where there is none. path is that of the file, whose owner owns the form, and
// digest the SHA-256 of its content in hexadecimal.
func (s *Store) Prepare(f *config.File, path, digest string) {
	if len(f.Data) < least || f.Admit != config.Everything {
		return
	}
	owner, ok := ownerOf(path)
	if !ok {
		return
	}
	f.Prepared = s.prepared(f, digest, owner)
}

func (s *Store) prepared(f *config.File, digest string, owner int) *config.Prepared {
	key := fmt.Sprint(digest, owner)
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.known[key]
	if p == nil {
		p = s.find(f, digest, owner)
		s.known[key] = p
	}
	return p
}

// find returns the form of a file, and makes it where there is none.
func (s *Store) find(f *config.File, digest string, owner int) *config.Prepared {
	if p := opened(s.load(digest, owner), digest); p != nil {
		return p
	}
	if uid := os.Getuid(); uid != owner && uid != 0 {
		return nil
	}
	data, err := config.Prepare(*f)
	if err != nil {
		return nil // loading says what is wrong
	}
	s.save(digest, owner, data)
	return opened(data, digest)
}

func opened(data []byte, digest string) *config.Prepared {
	if data == nil {
		return nil
	}
	p, err := config.OpenPrepared(data)
	if err != nil || p.Digest != digest {
		return nil
	}
	return p
}
