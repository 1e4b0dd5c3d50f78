// Package discovery finds the approval service that an executor is to ask: by
// the environment, or by a file in the working directory where the caller
// trusts that.
//
//	found, err := discovery.Find(os.Getenv, dir, false)
//
// Whoever chooses the service chooses the answer. The package does not ask the
// service anything, and it cannot tell who set a variable.
package discovery

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// The variables that name a service, the first one first.
const (
	Variable      = "CLAUZ3_APPROVAL_SERVICE"
	OlderVariable = "CLAUZ3_APPROVAL_URL"
)

// File is the file in the working directory that names a service.
const File = ".clauz3/approval-service.json"

// A Found is the address of a service.
type Found struct {
	// URL has no slash at its end. Its path may hold a token: show it nobody.
	URL string
	// From is the variable or the file that named it.
	From string
}

// ErrNone says that no service is named where the caller trusts it.
var ErrNone = errors.New("no approval service configured")

// Find returns the service that the environment names, or else, if trustDir is
// set, the one that the file in a directory names. An agent writes in the
// directory of its project, so that a caller who trusts the file lets the
// agent choose who approves. The error wraps [ErrNone] where there is none.
func Find(getenv func(string) string, dir string, trustDir bool) (Found, error) {
	for _, name := range []string{Variable, OlderVariable} {
		if value := getenv(name); value != "" {
			return found(value, name)
		}
	}
	path := filepath.Join(dir, filepath.FromSlash(File))
	_, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Found{}, fmt.Errorf("%w; set %s to the URL that the service printed", ErrNone, Variable)
	case !trustDir:
		return Found{}, fmt.Errorf("%w; %s is ignored, because an agent can write it; set %s to the URL that the service printed, or trust the directory",
			ErrNone, path, Variable)
	}
	value, err := read(path)
	if err != nil {
		return Found{}, fmt.Errorf("%s: %w", path, err)
	}
	return found(value, path)
}

func found(value, from string) (Found, error) {
	address, err := check(value)
	if err != nil {
		return Found{}, fmt.Errorf("%s: %w", from, err)
	}
	return Found{address, from}, nil
}
