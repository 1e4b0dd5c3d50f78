package world

import (
	"io"
	"io/fs"
	"os"
	"slices"
	"syscall"
	"time"
)

// A look is what was found from one directory, with every file on which that
// rests. It is immutable once the probe is over.
type look struct {
	programs []string
	dirs     []string
	hooks    []string // the directories of the repository's hooks
	unknown  bool
	seen     []sight
	newest   time.Time // the last change of any file that was seen
}

// A sight is a file as it was, or the place where none was.
type sight struct {
	path   string
	id     identity
	follow bool
}

// current reports whether everything still is as it was seen.
func (l *look) current() bool {
	for i := range l.seen {
		s := &l.seen[i]
		id, _, err := stat(s.path, s.follow)
		if err != nil && !isAbsent(err) || id != s.id {
			return false
		}
	}
	return true
}

func (l *look) see(path string, id identity, follow bool) {
	l.seen = append(l.seen, sight{path, id, follow})
	if t := id.changed(); id != (identity{}) && t.After(l.newest) {
		l.newest = t
	}
}

// names notes a setting that makes git run a program.
func (l *look) names(program string) {
	if !slices.Contains(l.programs, program) {
		l.programs = append(l.programs, program)
	}
}

// A kind is what lies at a path.
type kind uint8

const (
	nothing kind = iota
	file
	directory
	other
)

// kind returns what lies at a path and notes it.
func (l *look) kind(path string, follow bool) kind {
	id, mode, err := stat(path, follow)
	switch {
	case isAbsent(err):
		l.see(path, identity{}, follow)
		return nothing
	case err != nil:
		l.unknown = true
		return other
	}
	l.see(path, id, follow)
	switch mode {
	case fs.ModeDir:
		return directory
	case 0:
		return file
	}
	return other
}

// read returns the content of a regular file of at most so many bytes, nil
// where there is none. Anything else is unknown.
func (l *look) read(path string, most int64) []byte {
	switch l.kind(path, true) {
	case nothing:
		return nil
	case file:
		data, err := readFile(path, most, l.seen[len(l.seen)-1].id)
		if err == nil {
			return data
		}
	}
	l.unknown = true
	return nil
}

// readFile reads a file whose identity is known.
func readFile(path string, most int64, id identity) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !sameFile(info, id) || info.Size() > most:
		return nil, fs.ErrInvalid
	}
	data := make([]byte, info.Size())
	_, err = io.ReadFull(f, data)
	return data, err
}
