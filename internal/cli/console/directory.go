package console

import (
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"
)

// Absolute returns a path as seen from the working directory.
func (p *Process) Absolute(path string) (string, error) {
	if filepath.IsAbs(path) {
		return filepath.Clean(path), nil
	}
	wd, err := p.Getwd()
	if err != nil {
		return "", errors.New("the working directory is unknown: name directories from the root, as in --dir /srv/app")
	}
	return filepath.Join(wd, path), nil
}

// Directory adds the flag of the directory whose policy is meant.
func Directory(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "dir", "", "the `DIRECTORY` in which the policy applies (default the working directory)")
}
