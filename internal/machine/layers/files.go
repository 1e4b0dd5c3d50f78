package layers

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/policyctl/policyctl/internal/support/plainfile"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/own"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A Source is one policy file.
type Source struct {
	Layer string
	Path  string
	// Digest is the SHA-256 of the content in hexadecimal, "" where it could
	// not be read.
	Digest string
	// Admit is what the layer may change.
	Admit config.Admission
	// Changed says that a person trusts another content of the file.
	Changed bool
	// Err says why the file could not be read.
	Err error

	data []byte
}

// maxFile bounds how much of a file is read; config refuses far less.
const maxFile = 5 << 20

// Trusted says that a person trusts this content of a project's policy.
func (s *Source) Trusted() bool { return s.Layer == config.Project && s.Admit == config.Trusted }

// sources reads all policy files that apply in a directory, lowest first.
func (p Place) sources(dir string, trust Trust) []Source {
	if p.Off {
		return nil
	}
	all := p.Files(dir, trust)
	return slices.DeleteFunc(all, func(s Source) bool { return s.Err == ErrAbsent })
}

// Files returns all files that are looked for in a directory, lowest first:
// what does not exist has the error [ErrAbsent]. Of the directories above,
// only those that have a policy are named.
func (p Place) Files(dir string, trust Trust) []Source {
	all := append(layer(config.Managed, p.Managed), layer(config.User, p.Config)...)
	if p.Shadow != "" {
		all = append(all, sourcesIn(config.User, p.Shadow, config.Tightening)...)
	}
	dirs := above(dir)
	if own := folderOf(real(dir)); filepath.IsAbs(own) && !slices.Contains(dirs, own) {
		dirs = append(dirs, own)
	}
	return append(all, p.projects(dirs, trust)...)
}

// projects reads the policies of projects in the given directories and of that in which
// an agent was started, as far as their budget goes.
func (p Place) projects(dirs []string, trust Trust) (all []Source) {
	var b budget
	further := p.further(dirs)
	for i, at := range slices.Concat(further, dirs) {
		for _, s := range sourcesIn(config.Project, at, config.Tightening) {
			if b.spend(&s); i >= len(further) {
				s = trust.judge(s)
			}
			if all = append(all, s); b.exceeded {
				return all
			}
		}
	}
	return all
}

// further returns where the policies of the project lie in which an agent was
// started, where these are not among those of the call's directory.
func (p Place) further(dirs []string) []string {
	if !filepath.IsAbs(p.Project) {
		return nil
	}
	return slices.DeleteFunc(above(p.Project), func(at string) bool { return slices.Contains(dirs, at) })
}

// layer reads the files of the organisation or the person.
func layer(name, dir string) (all []Source) {
	if dir == "" {
		return nil
	}
	all = append(all, sourcesIn(name, dir, config.Everything)...)
	more, err := moreIn(dir)
	for _, path := range more {
		all = append(all, read(Source{Layer: name, Path: path, Admit: config.Everything}))
	}
	if err != nil {
		all = append(all, Source{Layer: name, Path: filepath.Join(dir, folder), Admit: config.Everything, Err: err})
	}
	return all
}

// Would returns what is wrong with the person's files once those of some paths have other
// texts, or are there at all.
func (p Place) Would(texts map[string][]byte) error {
	rest := maps.Clone(texts)
	var files []config.File
	for _, s := range layer(config.User, p.Config) {
		text, ok := texts[s.Path]
		delete(rest, s.Path)
		switch {
		case ok:
			s.data = text
		case s.Err == ErrAbsent:
			continue
		case s.Err != nil:
			return fmt.Errorf("%s: %w", s.Path, s.Err)
		}
		files = append(files, config.File{Layer: config.User, Name: s.Path, Data: s.data, Admit: s.Admit})
	}
	for _, path := range slices.Sorted(maps.Keys(rest)) {
		files = append(files, config.File{Layer: config.User, Name: path, Data: rest[path], Admit: config.Everything})
	}
	_, err := config.Load(policy.Defaults(), files...)
	return err
}

// sourcesIn reads the policy of a directory. Where there are several, none counts.
func sourcesIn(layer, dir string, admit config.Admission) (all []Source) {
	found := policyIn(dir)
	for _, path := range found {
		s := Source{Layer: layer, Path: path, Admit: admit}
		if len(found) == 1 {
			all = append(all, read(s))
			continue
		}
		others := slices.DeleteFunc(slices.Clone(found), func(other string) bool { return other == path })
		s.Err = fmt.Errorf("%s lies beside it, and a directory holds one policy", filepath.Base(others[0]))
		all = append(all, s)
	}
	return all
}

// judge says what trust there is in the policy of a project that was read.
func (t Trust) judge(s Source) Source {
	switch t.digest(s.Path) {
	case "":
	case s.Digest:
		s.Admit = config.Trusted
	default:
		s.Changed = true
	}
	return s
}

// policyIn returns the policy in a directory, and each of several, which are one
// too many. Where there is none, it is the path of one that could be.
func policyIn(dir string) []string {
	all := policiesIn(dir)
	if !exists(dir) {
		return all[:1]
	}
	if found := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return !exists(name) }); len(found) > 0 {
		return found
	}
	return all[:1]
}

// moreIn returns the files of the policy.d of a directory in the order of their
// names.
func moreIn(dir string) (files []string, err error) {
	entries, err := os.ReadDir(filepath.Join(dir, folder))
	if absent(err) {
		return nil, nil
	}
	for _, e := range entries {
		if name := e.Name(); own.IsFormat(name) && name[0] != '.' {
			files = append(files, filepath.Join(dir, folder, name))
		}
	}
	return files, plainfile.Bare(err)
}

// filesOf returns the paths of all files that may be the policy of a directory,
// whether they are there or not, and of those of its policy.d.
func filesOf(dir string) ([]string, error) {
	if dir == "" {
		return nil, nil
	}
	more, err := moreIn(dir)
	return append(policiesIn(dir), more...), err
}

// policiesIn returns the paths that the policy of a directory may have.
func policiesIn(dir string) (all []string) {
	for _, name := range own.PolicyNames() {
		all = append(all, filepath.Join(dir, name))
	}
	return all
}

func read(s Source) Source {
	if s.Layer == config.Project {
		s.data, s.Err = readInside(s.Path)
		if errors.Is(s.Err, plainfile.Long(maxProject)) {
			s.Err = errBudget
		}
	} else {
		s.data, s.Err = readFile(s.Path)
	}
	if s.Err == nil {
		sum := sha256.Sum256(s.data)
		s.Digest = hex.EncodeToString(sum[:])
	}
	return s
}

// ErrAbsent says that there is no such file, and no link of its name either.
var ErrAbsent = errors.New("there is no such file")

// reading opens a file so that a pipe does not hold us up.
const reading = os.O_RDONLY | syscall.O_NONBLOCK

func readFile(name string) ([]byte, error) {
	f, err := os.OpenFile(name, reading, 0)
	return readOpen(f, err, name, maxFile)
}

// readInside reads the policy of a project, which lies in the project: what is
// said of a file that is wrong quotes it, and a link in a repository may lead
// to a file that is not for everybody.
func readInside(name string) ([]byte, error) {
	inside := filepath.Join(projectFolder, filepath.Base(name))
	project, err := os.OpenRoot(strings.TrimSuffix(name, inside))
	if err != nil {
		return readOpen(nil, err, name, maxProject)
	}
	defer project.Close()
	f, err := project.OpenFile(inside, reading, 0)
	told := err == nil || absent(err) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ELOOP)
	if !told && (isLink(name) || isLink(filepath.Dir(name))) {
		return nil, errors.New("it is a link that leaves the project: put a copy in its place")
	}
	return readOpen(f, err, name, maxProject)
}

func isLink(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// readOpen reads a file of at most limit bytes that was opened, or says why not.
func readOpen(f *os.File, err error, name string, limit int64) ([]byte, error) {
	if absent(err) {
		if _, err := os.Lstat(name); absent(err) {
			return nil, ErrAbsent
		}
		return nil, errors.New("it is a broken link")
	}
	if err != nil {
		return nil, plainfile.Bare(err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
		return nil, plainfile.ErrKind
	}
	data, err := plainfile.Content(f, limit)
	return data, plainfile.Bare(err)
}

// absent says that a file does not exist, or that a part of its path is a
// file.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
