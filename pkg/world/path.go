package world

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// maxLinks is how many symbolic links Linux follows in one path.
const maxLinks = 40

// RealPath returns an absolute path with every symbolic link followed, as the
// system would: ".." means the parent of what a link leads to. What does not
// exist is kept as it is written. ok is false for a relative path, for a loop,
// for what may not be looked at, and for the links of a process below
// /proc, which lead elsewhere for each; /proc/self is kept as it is.
func (w *World) RealPath(path string) (real string, ok bool) {
	if !strings.HasPrefix(path, "/") || strings.ContainsRune(path, 0) {
		return "", false
	}
	links := 0
	for rest := path; rest != ""; {
		var part string
		part, rest, _ = strings.Cut(strings.TrimLeft(rest, "/"), "/")
		switch part {
		case "", ".":
			continue
		case "..":
			real = parent(real)
			continue
		}
		to, err := follow(real + "/" + part)
		switch {
		case isAbsent(err):
			return ends(real+"/"+part, rest)
		case err != nil:
			return "", false
		case to == "":
			real += "/" + part
			continue
		}
		if links++; links > maxLinks {
			return "", false
		}
		if to[0] == '/' {
			real = ""
		}
		rest = to + "/" + rest
	}
	return cmp.Or(real, "/"), true
}

// follow returns where a symbolic link leads, "" for what is none.
func follow(path string) (to string, err error) {
	_, mode, err := stat(path, false)
	if err != nil || mode != fs.ModeSymlink {
		return "", err
	}
	switch {
	case path == "/proc/self" || path == "/proc/thread-self":
		return "", nil // each process has its own; what lies there is named alike
	case strings.HasPrefix(path, "/proc/") && strings.Count(path, "/") > 2:
		return "", fs.ErrInvalid
	}
	to, err = os.Readlink(path)
	if err == nil && to == "" {
		err = fs.ErrInvalid
	}
	return to, err
}

// ends appends the rest of a path to a part of it that does not exist. With a
// ".." in the rest it would name something else once that part exists.
func ends(real, rest string) (string, bool) {
	for part := range strings.SplitSeq(rest, "/") {
		switch part {
		case "", ".":
		case "..":
			return "", false
		default:
			real += "/" + part
		}
	}
	return real, true
}

// parent returns the directory of a cleaned absolute path, "" for the root and
// what lies in it.
func parent(path string) string { return path[:max(0, strings.LastIndexByte(path, '/'))] }

// isAbsent reports whether an error means that there is nothing at a path.
func isAbsent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
