package spool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
	"github.com/policyctl/policyctl/internal/support/atomicfile"
	"github.com/policyctl/policyctl/internal/support/plainfile"
)

// A Shipment takes events out of a spool. It is for one goroutine.
type Shipment struct {
	spool *Spool
	lock  *flock.Flock
	at    position
	// after are where each event of the last Next ends.
	after []position
}

// A position is a place in a spool: all before it was sent.
type position struct {
	segment uint32
	offset  int64
}

// ErrBusy says that another process takes the events out.
var ErrBusy = errors.New("another process sends the decisions of the spool")

// Ship begins to take events out; [Shipment.Close] ends it. The error is
// [ErrBusy] where another process has begun, and not ended.
func (s *Spool) Ship() (*Shipment, error) {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, err
	}
	l := plainfile.Lock(filepath.Join(s.dir, shipLock))
	ok, err := l.TryLock()
	if err == nil && !ok {
		err = ErrBusy
	}
	if err != nil {
		return nil, err
	}
	return &Shipment{spool: s, lock: l, at: s.position()}, nil
}

// Close lets others take events out.
func (t *Shipment) Close() error { return t.lock.Close() }

const (
	cursorFile = "cursor"
	newPrefix  = "new-"
	// maxCursor bounds the cursor, in bytes.
	maxCursor = 1 << 10
	// readBytes is how much is read at once, maxEvent what an event may have.
	readBytes = 1 << 20
	maxEvent  = 16 << 20
)

// position reads the cursor. Where it is lost, all that is there is sent again.
func (s *Spool) position() (p position) {
	data, err := plainfile.ReadOwn(filepath.Join(s.dir, cursorFile), maxCursor)
	if err == nil {
		_, err = fmt.Sscanf(string(data), "%d %d\n", &p.segment, &p.offset)
	}
	if err != nil || p.offset < 0 || p.segment > math.MaxInt32 {
		return position{}
	}
	return p
}

func (t *Shipment) move(to position) error {
	t.at, t.after = to, nil
	return atomicfile.Write(filepath.Join(t.spool.dir, cursorFile), newPrefix, fmt.Appendf(nil, "%d %d\n", to.segment, to.offset))
}

// Next returns the oldest events that were not sent, none where there is none.
// They stay until [Shipment.Done]. What is damaged is counted and passed over.
func (t *Shipment) Next() ([][]byte, error) {
	for {
		all, err := t.spool.segments()
		if err != nil || len(all) == 0 {
			return nil, err
		}
		if all[0] != t.at.segment { // what is there was not sent, whatever the cursor says
			t.at = position{segment: all[0]}
		}
		events, err := t.read()
		if err != nil || len(events) > 0 {
			return events, err
		}
		if removed, err := t.remove(); err != nil || !removed {
			return nil, err
		}
	}
}

// read returns events of the segment at hand.
func (t *Shipment) read() (events [][]byte, err error) {
	f, err := plainfile.OpenOwn(t.spool.segment(t.at.segment))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || t.at.offset > info.Size() {
		t.at.offset = 0 // the cursor is of another file
	}
	for size := readBytes; ; size *= 2 {
		data := make([]byte, size)
		n, err := f.ReadAt(data, t.at.offset)
		if err != nil && err != io.EOF {
			return nil, err
		}
		switch ends := bytes.IndexByte(data[1:max(n, 1)], '\n') >= 0; {
		case ends || n < size:
			return t.split(data[:n])
		case size > maxEvent: // no event is as long: pass over this part of it
			if err := t.spool.count(Damaged, 1); err != nil {
				return nil, err
			}
			t.at.offset += int64(n)
			size = readBytes / 2
		}
	}
}

// split returns the events of what was read, but for one that does not end.
func (t *Shipment) split(data []byte) (events [][]byte, err error) {
	at, damaged := t.at, 0
	t.after = nil
	for {
		line, rest, ok := bytes.Cut(data, []byte("\n"))
		if !ok {
			break
		}
		data = rest
		at.offset += int64(len(line)) + 1
		switch {
		case len(line) == 0:
		case line[0] == '{' && json.Valid(line):
			events, t.after = append(events, line), append(t.after, at)
		default:
			damaged++
		}
	}
	if damaged == 0 {
		return events, nil
	}
	if err := t.spool.count(Damaged, damaged); err != nil {
		return nil, err
	}
	if len(events) == 0 {
		return nil, t.move(at)
	}
	t.after[len(t.after)-1] = at // nor are they counted again
	return events, nil
}

// Done says that the first n events of the last Next are not to be sent again.
// They may be where it fails.
func (t *Shipment) Done(n int) error {
	if n == 0 || n > len(t.after) {
		return nil
	}
	to, rest := t.after[n-1], t.after[n:]
	err := t.move(to)
	t.after = rest
	return err
}

// Positions returns where each event of the last Next ends, without those that
// are done. A position is greater than all before it, in the whole life of the
// spool under one identity.
func (t *Shipment) Positions() []int64 {
	all := make([]int64, len(t.after))
	for i, p := range t.after {
		all[i] = p.number()
	}
	return all
}

// number packs a position: a segment is less than 2^31, and no file of a spool
// has 4 GiB.
func (p position) number() int64 { return int64(p.segment)<<32 | min(p.offset, math.MaxUint32) }

// Foreign reports whether a position lies behind all that the spool holds: it is
// of another spool that had its identity, such as one before its files were
// removed.
func (t *Shipment) Foreign(at int64) (bool, error) {
	end := t.spool.position()
	all, err := t.spool.segments()
	if len(all) > 0 {
		last := all[len(all)-1]
		info, statErr := os.Stat(t.spool.segment(last))
		if err = errors.Join(err, statErr); err == nil {
			end = position{last, info.Size()}
		}
	}
	return err == nil && at > end.number(), err
}

// Renew gives the spool a new identity.
func (t *Shipment) Renew() error { return os.Remove(filepath.Join(t.spool.dir, idFile)) }

// Reject says that a collector refused the first n events of the last Next for
// good.
func (t *Shipment) Reject(n int) error { return errors.Join(t.spool.count(Rejected, n), t.Done(n)) }

// remove removes the segment at hand, which was sent, unless something is being
// added to it. An event that does not end was cut by a crash.
func (t *Shipment) remove() (bool, error) {
	l := plainfile.Lock(filepath.Join(t.spool.dir, writeLock))
	if ok, err := l.TryLock(); err != nil || !ok {
		return false, err
	}
	defer l.Close()
	name := t.spool.segment(t.at.segment)
	left, err := tail(name, t.at.offset)
	if err != nil {
		return false, err
	}
	if bytes.IndexByte(bytes.TrimLeft(left, "\n"), '\n') >= 0 {
		return true, nil // more was added: read on
	} else if len(bytes.TrimLeft(left, "\n")) > 0 {
		if err := t.spool.count(Damaged, 1); err != nil {
			return false, err
		}
	}
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if err := t.move(position{segment: t.at.segment + 1}); err != nil { // after: no file is passed over that is there
		return false, err
	}
	return true, nil
}

// Waiting returns how many events wait to be sent.
func (s *Spool) Waiting() (events int, err error) {
	all, err := s.segments()
	at := s.position()
	for _, n := range all {
		offset := int64(0)
		if n == at.segment {
			offset = at.offset
		}
		data, err := tail(s.segment(n), offset)
		if err != nil {
			continue // it was sent
		}
		events += countLines(data)
	}
	return events, err
}

// tail returns what stands in a file from an offset on, and all of it where it
// is shorter than that.
func tail(name string, offset int64) ([]byte, error) {
	f, err := plainfile.OpenOwn(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if offset > info.Size() {
		offset = 0
	}
	return io.ReadAll(io.NewSectionReader(f, offset, info.Size()-offset))
}
