// Package settings reads approvers.yaml, the file in which a person says who may answer
// what policies ask, and makes the channels of it.
//
//	file, err := settings.Read(path)
//	channels, err := file.Channels(settings.Types(nil), os.Getenv)
//
// Secrets never stand in the file: it names files or variables that have them. Only the
// service and policyctl check read it; it decides nothing, and speaks to nobody.
package settings

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/internal/support/plainfile"
	"github.com/policyctl/policyctl/internal/support/spelling"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/document"
)

// Name is what the file is called in the directory of a person's policy.
const Name = "approvers.yaml"

// maxFile and maxSecret bound the file and a secret, in bytes.
const (
	maxFile   = 256 << 10
	maxSecret = 64 << 10
)

// sections are the keys of the whole file: each is read by who knows what it is about.
var sections = []string{"channels", "reviewers"}

// A File is an approvers.yaml. The zero value is one that is empty.
type File struct {
	path string
	root document.Node
	// read are further files that hold secrets of it.
	read []string
}

// Read reads a file. Where there is none the error is [fs.ErrNotExist]. Others than its
// owner must not be able to write to it, since it says who approves.
func Read(path string) (*File, error) {
	text, err := readFile(path, maxFile, 0o022, "others may write to it: run chmod go-w "+path)
	if err != nil {
		return nil, err
	}
	return Parse(path, text)
}

// Parse reads the text of a file.
func Parse(path string, text []byte) (*File, error) {
	root, err := config.Parse(path, text)
	if err != nil {
		return nil, err
	}
	f := &File{path: path, root: root}
	if root.Kind == document.Null {
		return f, nil
	}
	var found config.Problems
	if root.Kind != document.Map {
		found = append(found, problem(path, &root, "the file must be a mapping with "+strings.Join(sections, " and ")+", not "+root.Describe()))
	}
	for i := range root.Keys {
		if k := &root.Keys[i]; !slices.Contains(sections, k.Text) {
			found = append(found, unknownKey(path, k, "", sections))
		}
	}
	if len(found) > 0 {
		return nil, found
	}
	return f, nil
}

// Is reports whether a text is such a file: it has one of the sections, and does not say
// that it is a policy, which has a version.
func Is(path string, text []byte) bool {
	root, err := config.Parse(path, text)
	return err == nil && root.Entry("version") == nil &&
		slices.ContainsFunc(sections, func(name string) bool { return root.Entry(name) != nil })
}

// Path is where the file lies, "" for an empty one.
func (f *File) Path() string { return f.path }

// Section returns what stands under a key of the whole file, nil where nothing does.
func (f *File) Section(name string) *document.Node {
	n := f.root.Entry(name)
	if n == nil || n.Kind == document.Null {
		return nil
	}
	return n
}

// Secrets returns the files that hold secrets, as far as they were read.
func (f *File) Secrets() []string { return f.read }

// errOpenToOthers is the error of a file whose permissions let others in.
type errOpenToOthers string

func (e errOpenToOthers) Error() string { return string(e) }

// readFile reads a file that must not have some permissions.
func readFile(path string, limit int64, without fs.FileMode, wrong string) ([]byte, error) {
	f, err := plainfile.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&without != 0 {
		return nil, fmt.Errorf("%s: %w", path, errOpenToOthers(wrong))
	}
	return plainfile.Content(f, limit)
}

// problem is what is wrong at a place.
func problem(path string, n *document.Node, text string) config.Problem {
	return config.Problem{File: path, Line: n.Line, Column: n.Column, Text: text}
}

// unknownKey is the problem of a key that nobody knows.
func unknownKey(path string, k *document.Node, of string, known []string) config.Problem {
	p := problem(path, k, "unknown key "+clip.Quote(of+k.Text))
	if p.Hint = spelling.Nearest(k.Text, known); p.Hint == "" {
		p.Text += ": the keys are " + strings.Join(known, ", ")
	}
	return p
}

// A secretError says why a secret cannot be read.
func secretError(path string, err error) string {
	open := errOpenToOthers("")
	switch {
	case errors.As(err, &open):
		return fmt.Sprintf("%s: %s", path, open)
	case errors.Is(err, fs.ErrNotExist):
		return path + ": there is no such file: write the secret there, and run chmod 600 on it"
	}
	return fmt.Sprintf("%s: %v", path, plainfile.Bare(err))
}

// secretIn reads a secret from a file that nobody else may read.
func (f *File) secretIn(name string) (secret, wrong string) {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(f.path), name)
	}
	f.read = append(f.read, path)
	text, err := readFile(path, maxSecret, 0o077, "others may read the secret: run chmod 600 on the file")
	if err != nil {
		return "", secretError(path, err)
	}
	return checkSecret(string(text), path)
}

// secretFrom reads a secret from a variable.
func secretFrom(variable string, getenv func(string) string) (secret, wrong string) {
	return checkSecret(getenv(variable), "the variable "+variable)
}

// checkSecret takes the line break of a secret away, and says what is wrong with it.
func checkSecret(text, from string) (secret, wrong string) {
	secret = strings.TrimRight(text, "\r\n")
	switch {
	case secret == "":
		return "", from + " is empty: it must hold the secret"
	case strings.ContainsFunc(secret, func(r rune) bool { return r < 0x20 || r == 0x7f }):
		return "", from + " has a line break or another control character: it must hold the secret in one line"
	}
	return secret, ""
}

// Default returns where the file lies beside a policy file of a person.
func Default(policyFile string) string { return filepath.Join(filepath.Dir(policyFile), Name) }

// Load reads a file and makes its channels. A file that is not there is an empty one,
// unless it was named.
func Load(path string, named bool, types []Type) (*File, []Made, error) {
	f, err := Read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !named:
		return &File{}, nil, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, fmt.Errorf("%s: there is no such file: write it, or name another with --approvers", path)
	case err != nil:
		return nil, nil, err
	}
	made, err := f.Channels(types, os.Getenv)
	if err != nil {
		return nil, nil, err
	}
	return f, made, nil
}

// sortProblems puts problems in the order of their places.
func sortProblems(p config.Problems) config.Problems {
	slices.SortStableFunc(p, func(a, b config.Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return p
}
