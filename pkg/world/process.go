package world

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
)

// Process returns the base name of the program that the process with a number runs, as
// Linux shows it below /proc; "" if there is no such process, or it is another user's,
// whose open files and memory cannot be read either.
func (w *World) Process(id string) (program string, ok bool) {
	to, err := os.Readlink("/proc/" + id + "/exe")
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		return "", true
	case err != nil:
		return "", false
	}
	return strings.TrimSuffix(path.Base(to), " (deleted)"), true
}
