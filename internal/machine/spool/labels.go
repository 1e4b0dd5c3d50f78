package spool

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/internal/support/plainfile"
	"github.com/policyctl/policyctl/internal/support/uuid"
)

// Labels tell collectors where an event comes from. id and version are those
// that OPA sends: id is of the person on a machine, kept in a directory of
// state; version is that of policyctl.
func Labels(state string) map[string]string {
	host, _ := os.Hostname() // "" where it has none
	return map[string]string{"app": "policyctl", "host": host, "os": runtime.GOOS, "id": identity(state), "version": version()}
}

var version = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
})

const (
	idFile = "instance"
	// maxID bounds it, in bytes.
	maxID = 1 << 10
)

// identity returns the id of a state, which it makes where there is none. Where
// none can be kept it is another each time.
func identity(state string) string {
	if state == "" {
		return uuid.New()
	}
	file := filepath.Join(state, idFile)
	if id := readID(file); id != "" {
		return id
	}
	id := uuid.New()
	if os.MkdirAll(state, 0o700) != nil {
		return id
	}
	f, err := os.CreateTemp(state, newPrefix+"*")
	if err != nil {
		return id
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(id + "\n")
	if errors.Join(err, f.Close()) != nil {
		return id
	}
	if err := os.Link(f.Name(), file); errors.Is(err, fs.ErrExist) { // another process was first
		if first := readID(file); first != "" {
			return first
		}
		_ = os.Rename(f.Name(), file) // what is there is no id
	}
	return id
}

func readID(file string) string {
	data, err := plainfile.ReadOwn(file, maxID)
	id := strings.TrimSpace(string(data))
	const uuid = 36
	if err != nil || len(id) != uuid {
		return ""
	}
	return id
}
