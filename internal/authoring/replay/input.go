package replay

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/policyctl/policyctl/internal/support/plainfile"
)

// An Input is one recording.
type Input struct {
	// Name is what people are shown.
	Name string
	file string
	held *held
}

// File returns the recording in a file.
func File(name string) Input { return Input{Name: name, file: name} }

// maxHeld bounds how much of a stream is kept for a second reading.
const maxHeld = 64 << 20

// Stream returns the recording that can be read from r only once.
func Stream(name string, r io.Reader) Input { return Input{Name: name, held: &held{from: r}} }

// A held is a stream with what was read of it, as far as that is kept.
type held struct {
	from io.Reader
	kept bytes.Buffer
	long bool
	done bool
}

func (h *held) Read(p []byte) (int, error) {
	n, err := h.from.Read(p)
	if h.long = h.long || h.kept.Len()+n > maxHeld; h.long {
		h.kept = bytes.Buffer{}
	} else {
		h.kept.Write(p[:n])
	}
	return n, err
}

// again reports whether the recording can be read a second time.
func (in Input) again() bool { return in.held == nil || !in.held.long }

// size returns the bytes of a file, 0 for a stream.
func (in Input) size() int64 {
	if info, err := os.Stat(in.file); err == nil {
		return info.Size()
	}
	return 0
}

// open starts reading from the beginning.
func (in Input) open() (io.ReadCloser, error) {
	switch h := in.held; {
	case h == nil:
		return openRegular(in.file)
	case h.done:
		return io.NopCloser(bytes.NewReader(h.kept.Bytes())), nil
	default:
		h.done = true
		return io.NopCloser(h), nil
	}
}

// openRegular opens a file, but no directory.
func openRegular(name string) (io.ReadCloser, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, plainfile.Bare(err)
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = errors.New("it is a directory")
	}
	if err != nil {
		f.Close()
		return nil, plainfile.Bare(err)
	}
	return f, nil
}

// Find returns the recordings that a name stands for: the file itself, or all
// *.jsonl files below a directory in the order of their names. Beside them are
// the directories that could not be looked into.
func Find(name string) ([]Input, []Problem) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, []Problem{unread(name, plainfile.Bare(err))}
	}
	switch {
	case info.IsDir():
		return below(name)
	case info.Mode().IsRegular():
		return []Input{File(name)}, nil
	}
	f, err := os.Open(name) // a pipe can be read only once
	if err != nil {
		return nil, []Problem{unread(name, plainfile.Bare(err))}
	}
	return []Input{Stream(name, f)}, nil
}

// below returns the recordings below a directory.
func below(name string) ([]Input, []Problem) {
	var found []Input
	var problems []Problem
	filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			problems = append(problems, unread(path, plainfile.Bare(err)))
		case d.IsDir() || !strings.HasSuffix(path, ".jsonl"):
		case d.Type()&^fs.ModeSymlink != 0:
			problems = append(problems, unread(path, errors.New("it is not a regular file")))
		default:
			found = append(found, File(path))
		}
		return nil
	})
	if len(found) == 0 && len(problems) == 0 {
		problems = append(problems, unread(name, errors.New("no *.jsonl file lies below it: name a directory with recordings")))
	}
	return found, problems
}
