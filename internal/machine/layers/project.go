package layers

import (
	"os"
	"path/filepath"
	"slices"
)

// ProjectFile returns the path of the policy of the project in a directory.
func ProjectFile(dir string) string { return filepath.Join(dir, ".policyctl", file) }

// ProjectAt returns the path of a project's policy as the record of trust and
// the layers name it, with the links to its directory followed. path is the
// policy, the project, or the directory in between; ok is false for others.
func ProjectAt(path string) (name string, ok bool) {
	switch dir := filepath.Dir(path); {
	case filepath.Base(path) == file && filepath.Base(dir) == ".policyctl":
		path = filepath.Dir(dir)
	case filepath.Base(path) == ".policyctl":
		path = dir
	default:
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			return "", false
		}
	}
	return ProjectFile(real(path)), true
}

// above returns the project policies that may apply in a directory, the
// outermost first: a policy further in cannot undo one further out unless a
// person trusts it.
func above(dir string) []string {
	if dir = real(dir); !filepath.IsAbs(dir) {
		return nil
	}
	var found []string
	for ; ; dir = filepath.Dir(dir) {
		name := ProjectFile(dir)
		if exists(name) {
			found = append(found, name)
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
