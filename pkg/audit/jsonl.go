package audit

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/policyctl/policyctl/pkg/strictjson"
)

// maxLine bounds a line of a file: no record of [maxSize] is longer.
const maxLine = 2*maxSize + 1024

// WriteJSONL writes one record a line, in the order given. [ReadJSONL] reads
// them back, and a [Verifier] then finds the same chain. It writes up to the
// first error, and checks nothing.
func WriteJSONL(w io.Writer, records iter.Seq2[*Record, error]) error {
	return write(bufio.NewWriter(w), records, func(out *bufio.Writer, r *Record) error {
		line, err := r.line()
		if err == nil {
			_, err = out.Write(append(line, '\n'))
		}
		return err
	})
}

// write writes records up to the first error, with what was written before it.
func write(out *bufio.Writer, records iter.Seq2[*Record, error], one func(*bufio.Writer, *Record) error) error {
	for r, err := range records {
		if err != nil {
			return errors.Join(err, out.Flush())
		}
		if err := one(out, r); err != nil {
			err = fmt.Errorf("record %d: %w", r.Seq, err)
			if lost := out.Flush(); !errors.Is(err, lost) {
				err = errors.Join(err, lost)
			}
			return err
		}
	}
	return out.Flush()
}

// ReadJSONL reads what [WriteJSONL] wrote, and only that: a line that is spelled
// in another way, even of the same meaning, is an error that names the line. It
// stops at the first error. It does not check the chain.
func ReadJSONL(r io.Reader) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, maxLine)
		lines.Split(wholeLine)
		n := 1
		for ; lines.Scan(); n++ {
			record, err := readLine(lines.Bytes())
			if err != nil {
				yield(nil, fmt.Errorf("line %d: %w", n, err))
				return
			}
			if !yield(record, nil) {
				return
			}
		}
		err := lines.Err()
		if errors.Is(err, bufio.ErrTooLong) {
			err = fmt.Errorf("longer than %d bytes, which no record is: this is not an audit log", maxLine)
		}
		if err != nil {
			yield(nil, fmt.Errorf("line %d: %w", n, err))
		}
	}
}

// wholeLine splits at line feeds. Unlike [bufio.ScanLines] it keeps a carriage
// return, and a last line without its end is an error.
func wholeLine(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if end := bytes.IndexByte(data, '\n'); end >= 0 {
		return end + 1, data[:end], nil
	}
	if atEOF && len(data) > 0 {
		return 0, nil, errors.New("the file ends inside this line: it was cut off; export it again")
	}
	return 0, nil, nil
}

func readLine(line []byte) (*Record, error) {
	if len(line) == 0 {
		return nil, errors.New("empty: each line holds one record")
	}
	if r, ok := Spelled(line); ok {
		return r, nil
	}
	if _, err := decode(line); err != nil {
		return nil, err
	}
	r := &Record{}
	if err := strictjson.Decode(line, r); err != nil {
		return nil, fmt.Errorf("not an audit record: %w", err)
	}
	written, err := r.line()
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(line, written) {
		return nil, fmt.Errorf("column %d: not as it was written: it was edited, or another program rewrote it; export it again", difference(line, written))
	}
	return r, nil
}

// difference returns the first column, in bytes from 1, where two lines differ.
func difference(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i + 1
		}
	}
	return min(len(a), len(b)) + 1
}
