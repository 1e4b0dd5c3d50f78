package bundle

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/support/plainfile"

	"github.com/policyctl/policyctl/internal/authoring/suite"
	"github.com/policyctl/policyctl/internal/cli/effective"
	"github.com/policyctl/policyctl/pkg/rego"
)

// A sourceFile is a file of which a bundle is made: its path as people name it,
// and its name in the bundle.
type sourceFile struct {
	path, name string
	data       []byte
}

// A sourceKind is what a file is, by its name.
type sourceKind uint8

const (
	noSource sourceKind = iota
	policySource
	testSource
	moduleSource
	dataSource
	// left out: tests in Rego, and compiled rules
	regoTestSource
	compiledSource
)

// kindOf says what a file with a name is.
func kindOf(name string) sourceKind {
	switch {
	case strings.HasSuffix(name, suite.FixtureSuffix):
		return testSource
	case strings.HasSuffix(name, "_test.rego"):
		return regoTestSource
	case path.Ext(name) == ".rego":
		return moduleSource
	case name == "data.json":
		return dataSource
	case effective.IsPolicy(name):
		return policySource
	}
	return noSource
}

// bundleFiles is how messages say which files a bundle is made of.
const bundleFiles = "policies (" + effective.Endings + "), fixtures (" + suite.FixtureSuffix + "), Rego (.rego) and data.json"

// sources are the files of which a bundle is made.
type sources struct {
	byKind map[sourceKind][]sourceFile
	// paths are by kind and name.
	paths map[string]string
}

// openSources reads files, and all below directories. The error joins what is
// wrong with each.
func openSources(args []string) (*sources, error) {
	s := &sources{byKind: make(map[sourceKind][]sourceFile), paths: make(map[string]string)}
	var errs []error
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case err != nil:
			err = fmt.Errorf("%s: %w: name files or directories to bundle", arg, plainfile.Bare(err))
		case info.IsDir():
			err = s.directory(arg)
		default:
			err = s.file(arg)
		}
		errs = append(errs, err)
	}
	for _, files := range s.byKind {
		slices.SortFunc(files, func(a, b sourceFile) int { return strings.Compare(a.name, b.name) })
	}
	return s, errors.Join(errs...)
}

// all returns the paths of all files.
func (s *sources) all() (paths []string) {
	for _, files := range s.byKind {
		for _, f := range files {
			paths = append(paths, f.path)
		}
	}
	return paths
}

// file adds one file that is named.
func (s *sources) file(name string) error {
	kind := kindOf(filepath.Base(name))
	if kind == noSource {
		return fmt.Errorf("%s: its name is not that of a file in a bundle: %s", name, bundleFiles)
	}
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("%s: %w: check its permissions", name, plainfile.Bare(err))
	}
	defer f.Close()
	return s.read(kind, sourceFile{path: name, name: filepath.Base(name)}, f)
}

// directory adds the files below a directory, less what is hidden.
func (s *sources) directory(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("%s: %w: check its permissions", dir, plainfile.Bare(err))
	}
	defer root.Close()
	found := 0
	var errs []error
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case d != nil && name != "." && d.Name()[0] == '.':
			if d.IsDir() {
				return fs.SkipDir
			}
		case err != nil:
			errs = append(errs, fmt.Errorf("%s: %w: check its permissions", filepath.Join(dir, name), plainfile.Bare(err)))
		case !d.IsDir():
			taken, err := s.entry(root, dir, name, d)
			if errs = append(errs, err); taken {
				found++
			}
		}
		return nil
	})
	if err = errors.Join(append(errs, err)...); err == nil && found == 0 {
		err = fmt.Errorf("%s: nothing below it is what a bundle holds: %s", dir, bundleFiles)
	}
	return err
}

// entry adds a file of a directory, if it is one that a bundle holds. Links
// must stay in the directory: what lies elsewhere is not meant to be published.
func (s *sources) entry(root *os.Root, dir, name string, d fs.DirEntry) (taken bool, err error) {
	shown := filepath.Join(dir, filepath.FromSlash(name))
	info, err := root.Stat(name)
	link := d.Type()&fs.ModeSymlink != 0
	kind := kindOf(d.Name())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, fmt.Errorf("%s: it links to nothing: remove the link, or restore its target", shown)
	case err != nil && link:
		return false, fmt.Errorf("%s: it links out of the directory: put the file itself there, or name its path", shown)
	case err != nil:
		return false, fmt.Errorf("%s: %w: check its permissions", shown, plainfile.Bare(err))
	case link && info.IsDir():
		return false, fmt.Errorf("%s: it links to a directory, whose files would count twice: remove the link", shown)
	case kind == noSource:
		return false, nil
	case !info.Mode().IsRegular():
		return false, fmt.Errorf("%s: it is not a regular file: remove it", shown)
	}
	f, err := root.Open(name)
	if err != nil {
		return false, fmt.Errorf("%s: %w: check its permissions", shown, plainfile.Bare(err))
	}
	defer f.Close()
	return true, s.read(kind, sourceFile{path: shown, name: name}, f)
}

// read adds a file with its content.
func (s *sources) read(kind sourceKind, f sourceFile, from io.Reader) error {
	var err error
	f.data, err = io.ReadAll(io.LimitReader(from, maxArchive+1))
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", f.path, plainfile.Bare(err))
	case len(f.data) > maxArchive:
		return fmt.Errorf("%s: it is larger than %d MiB: split it", f.path, maxArchive>>20)
	case kind == moduleSource && rego.IsCompiled(string(f.data)):
		kind = compiledSource
	}
	key := fmt.Sprint(kind, f.name)
	switch before, twice := s.paths[key]; {
	case twice && before == f.path:
		return fmt.Errorf("%s: it is named twice, by itself or through a directory above it: name it once", f.path)
	case twice && kind != dataSource:
		return fmt.Errorf("%s: its name in the bundle would be %s, the same as that of %s: name a directory above both, or rename one", f.path, f.name, before)
	}
	s.paths[key] = f.path
	s.byKind[kind] = append(s.byKind[kind], f)
	return nil
}
