package grant

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/policyctl/policyctl/internal/support/plainfile"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// An AsideError says that the file could not be used and was set aside: the
// store is empty.
type AsideError struct {
	File string // where it is now
	Err  error
}

// Error says where the file is, and what it means.
func (e *AsideError) Error() string {
	return fmt.Sprintf("the stored approvals could not be used, so none applies any longer: %v; they are now in %s: look at that file, remove it, and approve again", e.Err, e.File)
}

// Unwrap returns why the file could not be used.
func (e *AsideError) Unwrap() error { return e.Err }

// errDamaged says that a file will not be of use by itself again.
var errDamaged = errors.New("the file cannot be used")

// errHeld says that a file that cannot be used may hold denials: it stays where it is, so
// that everything asks until a person has looked at it.
var errHeld = errors.New("it may hold denials, so that every call asks until you correct it, or remove it and what it denies")

// mayDeny reports whether denials may be missing because of an error of a store.
func mayDeny(err error) bool {
	if err == nil || errors.Is(err, errHeld) {
		return err != nil
	}
	_, aside := errors.AsType[*AsideError](err)
	return !aside && !errors.Is(err, errDamaged)
}

// errOld says that a file is of the first version, whose entries were plain
// texts.
var errOld = errors.New("they are of version 1, which had no directories")

// Aside returns the files that were set aside.
func (s *Store) Aside() ([]string, error) {
	return plainfile.Named(s.dir, func(name string) bool {
		rest, ok := strings.CutPrefix(name, File)
		return ok && (strings.HasPrefix(rest, ".v1.bak") || strings.HasPrefix(rest, ".invalid-"))
	})
}

// load reads the file under the lock and sets aside what cannot be used.
func (s *Store) load() (record, error) {
	r, err := s.record()
	if err == nil || !errors.Is(err, errDamaged) || errors.Is(err, errHeld) {
		return r, err
	}
	aside := s.path() + ".v1.bak"
	if _, taken := os.Lstat(aside); !errors.Is(err, errOld) {
		aside = s.path() + ".invalid-" + s.stamp()
	} else if taken == nil {
		aside += "-" + s.stamp()
	}
	if moved := os.Rename(s.path(), aside); moved != nil {
		return record{}, errors.Join(err, moved)
	}
	return record{}, &AsideError{File: aside, Err: err}
}

func (s *Store) stamp() string { return s.now().UTC().Format("20060102T150405.000000000Z") }

// holdsDenials reports whether a file that cannot be read may hold denials: it says effect or
// deny somewhere, or is of a version that this program does not know.
func holdsDenials(data []byte) bool {
	var v struct {
		Version int `json:"version"`
	}
	newer := strictjson.DecodeOpen(data, &v) == nil && v.Version >= ruled
	text := bytes.ToLower(data)
	return newer || bytes.Contains(text, []byte("effect")) || bytes.Contains(text, []byte("deny"))
}
