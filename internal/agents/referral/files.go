package referral

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/world"
)

// repositoryOf returns the state of the repository of a directory, nil where there is
// none, or where that is not certain.
func repositoryOf(dir string) *approval.Repository {
	found, ok := world.New(os.Environ()).Repository(dir)
	if !ok {
		return nil
	}
	out := &approval.Repository{Branch: found.Branch, Commit: found.Commit, Remote: found.Remote}
	if found.Changed >= 0 {
		out.Changed = &found.Changed
	}
	return out
}

// maxFiles bounds how many files are looked for.
const maxFiles = 20

// filesOf says of files which a call in a directory writes whether they are
// there. What cannot be looked for is left out: nothing is claimed of it.
func filesOf(paths []string, dir, home string) (out []approval.File) {
	for _, path := range paths[:min(len(paths), maxFiles)] {
		real := path
		switch rest, tilde := strings.CutPrefix(path, "~/"); {
		case tilde:
			real = filepath.Join(home, rest)
		case !filepath.IsAbs(path):
			real = filepath.Join(dir, path)
		}
		if !filepath.IsAbs(real) {
			continue
		}
		switch _, err := os.Lstat(real); {
		case err == nil:
			out = append(out, approval.File{Path: path, Exists: true})
		case errors.Is(err, fs.ErrNotExist):
			out = append(out, approval.File{Path: path})
		}
	}
	return out
}
