package subscription

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// A fileSource is a bundle in a file. Its tag is the time of its change and
// its size.
type fileSource struct {
	path  string
	limit int64
	now   func() time.Time
	open  func(string) (*os.File, error)
}

// settled is how old a file must be for its tag to count: on coarse file
// systems two changes within that time may bear the same one.
const settled = 2 * time.Second

var (
	errNoFile  = errors.New("there is no such file: write the bundle there, or correct the path")
	errUnplain = errors.New("it is not a plain file: give the path of an archive")
	errWritten = errors.New("the file changed while it was read: write it under another name and rename it")
	errNothing = errors.New("the file is empty: write it under another name and rename it")
)

func (f *fileSource) get(_ context.Context, tag string) (answer, error) {
	before, err := f.stat() // before it is opened: opening a pipe would wait
	if err != nil {
		return answer{}, err
	}
	if tag != "" && tag == stamp(before) {
		return answer{tag: tag, unchanged: true}, nil
	}
	archive, err := f.read()
	if err != nil {
		return answer{}, err
	}
	after, err := f.stat()
	if err != nil {
		return answer{}, err
	}
	switch {
	case stamp(before) != stamp(after), int64(len(archive)) != after.Size():
		return answer{}, errWritten
	case len(archive) == 0:
		return answer{}, errNothing
	case f.now().Sub(after.ModTime()) < settled:
		return answer{archive: archive}, nil
	}
	return answer{archive: archive, tag: stamp(after)}, nil
}

func (f *fileSource) stat() (fs.FileInfo, error) {
	info, err := os.Stat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errNoFile
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errUnplain
	case info.Size() > f.limit:
		return nil, tooLarge(f.limit)
	}
	return info, nil
}

func (f *fileSource) read() ([]byte, error) {
	file, err := f.open(f.path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, f.limit+1))
}

func stamp(info fs.FileInfo) string {
	return fmt.Sprintf("%d-%d", info.ModTime().UnixNano(), info.Size())
}
