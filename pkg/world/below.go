package world

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

// maxEntries and maxWalk bound a walk: what lies below a larger directory is
// not known. The time is there for slow disks, and is not reached elsewhere.
const (
	maxEntries = 20_000
	maxWalk    = 50 * time.Millisecond
)

// Below calls visit for what lies below an absolute directory, which may be
// reached through a link; links below it are visited and not followed. The
// paths begin with the directory as it is given, and the shallow come first.
// visit may return [fs.SkipDir] to leave a directory out, and any other error
// to end the walk. There is nothing below a file, and below what does not
// exist.
//
// ok is false where something could not be read or the directory is too large
// to be walked, unless visit ended the walk before that: then what lies below
// is known in part.
func (w *World) Below(dir string, visit func(path string, typ fs.FileMode) error) (ok bool) {
	real, ok := w.RealPath(dir)
	if !ok {
		return false
	}
	walk := walk{visit: visit, left: w.entries}
	deadline := w.now().Add(maxWalk)
	walk.queue = append(walk.queue, "")
	for len(walk.queue) > 0 {
		if w.now().After(deadline) {
			return false
		}
		at := walk.queue[0]
		walk.queue = walk.queue[1:]
		if done, ok := walk.directory(real+at, strings.TrimSuffix(dir, "/")+at, at); done {
			return ok
		}
	}
	return true
}

// A walk is a walk that is going on, breadth first.
type walk struct {
	visit func(path string, typ fs.FileMode) error
	queue []string // directories to come, below the first
	left  int      // how many entries it may still see
}

// directory visits what lies in a directory. done says that the walk is over.
func (w *walk) directory(real, shown, at string) (done, ok bool) {
	list, err := w.list(real)
	switch {
	case isAbsent(err):
		return false, true
	case err != nil:
		return true, false
	}
	for _, e := range list {
		err := w.visit(shown+"/"+e.Name(), e.Type())
		switch {
		case errors.Is(err, fs.SkipDir):
		case err != nil:
			return true, true
		case e.IsDir():
			w.queue = append(w.queue, at+"/"+e.Name())
		}
	}
	return false, true
}

// list returns the entries of a directory in their order.
func (w *walk) list(dir string) ([]fs.DirEntry, error) {
	f, err := os.Open(dir + "/.") // which is no fifo
	if err != nil {
		return nil, err
	}
	defer f.Close()
	list, err := f.ReadDir(w.left + 1)
	if len(list) > w.left {
		return nil, errors.New("too many entries")
	}
	if len(list) == 0 {
		return nil, nil // its end is an error
	}
	w.left -= len(list)
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, err
}
