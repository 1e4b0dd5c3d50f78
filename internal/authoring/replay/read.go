package replay

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/policyctl/policyctl/internal/support/plainfile"
)

// maxLine bounds one line of a recording. Pictures are kept in them.
const maxLine = 32 << 20

var errLong = fmt.Errorf("the line is longer than %d MiB", maxLine>>20)

// A lineReader yields the lines of one recording.
type lineReader struct {
	in   *bufio.Reader
	line []byte
	// whole says that the line was ended.
	whole bool
}

// next returns the next line, which is valid until the next call. Beside
// [errLong] there is none of a longer line, which is read to its end.
func (r *lineReader) next() ([]byte, error) {
	r.line, r.whole = r.line[:0], false
	long, some := false, false
	for {
		part, err := r.in.ReadSlice('\n')
		some = some || len(part) > 0
		if long = long || len(r.line)+len(part) > maxLine; !long {
			r.line = append(r.line, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && some:
		case err != nil:
			return nil, err
		default:
			r.whole = true
		}
		if long {
			return nil, errLong
		}
		return bytes.TrimSuffix(r.line, []byte("\n")), nil
	}
}

// A recordingPass is one pass over one recording.
type recordingPass struct {
	name   string
	format Format
	parser parser
	number int // of the line
	size   int // of the line, in bytes
	lines  int // that are not blank
	wrong  func(file string, line int, why string)
}

// read tells of all events of a recording. It stops early, without an error,
// when the context ends.
func (r *recordingPass) read(ctx context.Context, in io.Reader, tell func(event)) error {
	lines := lineReader{in: bufio.NewReaderSize(in, 64<<10)}
	for ctx.Err() == nil {
		line, err := lines.next()
		if err == io.EOF {
			return nil
		}
		if err != nil && !errors.Is(err, errLong) {
			return fmt.Errorf("after line %d: %w", r.number, plainfile.Bare(err))
		}
		r.number++
		if err == nil && r.number == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if err == nil && len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		r.lines++
		if err == nil {
			err = r.understand(line, tell)
		}
		if err != nil && !lines.whole && !errors.Is(err, errLong) && !json.Valid(line) {
			err = errEnds
		}
		if err != nil {
			r.wrong(r.name, r.number, err.Error())
		}
	}
	return nil
}

// understand reads one line. The first line that has a format gives it to the
// recording.
func (r *recordingPass) understand(line []byte, tell func(event)) error {
	r.size = len(line)
	if r.parser == nil {
		f, err := detect(line)
		if err != nil {
			return err
		}
		r.format, r.parser = f, newParser(f, r.name)
	}
	return r.parser.parse(line, tell)
}
