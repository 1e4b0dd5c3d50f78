package layers

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/policyctl/policyctl/pkg/own"
)

// projectFolder is the directory of a project's policy in the project.
const projectFolder = ".policyctl"

func folderOf(dir string) string { return filepath.Join(dir, projectFolder) }

// ProjectFile returns the path of the policy of the project in a directory.
func ProjectFile(dir string) string { return policyIn(folderOf(dir))[0] }

// ProjectAt returns the path of a project's policy as the record of trust and
// the layers name it, with the links to its directory followed. path is the
// policy, the project, or the directory in between; ok is false for others.
func ProjectAt(path string) (name string, ok bool) {
	dir, base := filepath.Split(path)
	switch dir = filepath.Clean(dir); {
	case slices.Contains(own.PolicyNames(), base) && filepath.Base(dir) == projectFolder:
		return filepath.Join(folderOf(real(filepath.Dir(dir))), base), true
	case base == projectFolder:
		path = dir
	default:
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			return "", false
		}
	}
	return ProjectFile(real(path)), true
}

// above returns where the project policies lie that may apply in a directory,
// the outermost first: a policy further in cannot undo one further out unless a
// person trusts it.
func above(dir string) []string {
	if dir = real(dir); !filepath.IsAbs(dir) {
		return nil
	}
	var found []string
	for ; ; dir = filepath.Dir(dir) {
		at := folderOf(dir)
		if exists(at) && slices.ContainsFunc(policiesIn(at), exists) {
			found = append(found, at)
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	slices.Reverse(found)
	return found
}

// real returns a directory with its links followed, as far as it exists.
func real(dir string) string {
	if len(dir) > maxPath { // a text that somebody made up: go to where it may be real
		dir = filepath.Dir(dir[:maxPath])
	}
	rest := ""
	for at := dir; ; at = filepath.Dir(at) {
		if to, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(to, rest)
		}
		if at == filepath.Dir(at) {
			return dir
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
}

// maxPath is longer than the path of any directory that a program is in.
const maxPath = 4000

// exists is true as well where that cannot be known, so that somebody is told.
func exists(name string) bool {
	_, err := os.Lstat(name)
	return !absent(err)
}
