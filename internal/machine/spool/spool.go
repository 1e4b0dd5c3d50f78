// Package spool keeps decisions on disk until a collector has them. Any number
// of processes add events to a [Spool], such as the hooks of agents; one at a
// time takes them out.
//
// Events stand in segments to which is only appended, and what has been sent
// in a cursor, which follows after. So whatever is killed, and whenever, an
// event that was added is sent once or, where the cursor did not follow, again.
// What cannot be kept or sent is counted. Locks are those of the system, which
// end with their process. The package sends nothing, see package decisionlog,
// and does not wait for the disk: a loss of power may take the last events.
package spool

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"github.com/policyctl/policyctl/internal/support/plainfile"
)

// A Spool is a directory with events. It is safe for concurrent use, also by
// several processes; each takes a Spool of its own for the same directory.
type Spool struct {
	dir string
	// limit bounds the bytes of all segments, size those of one.
	limit, size int64
	// rotates says that a full spool loses its oldest events, and not the next one.
	rotates bool
}

// The bounds of a spool, in bytes.
const (
	DefaultLimit = 256 << 20
	segmentSize  = 4 << 20
)

// New returns the spool of a directory, which need not exist. limit bounds its
// bytes; 0 means [DefaultLimit].
func New(dir string, limit int64) *Spool {
	limit = cmp.Or(limit, DefaultLimit)
	return &Spool{dir: dir, limit: limit, size: min(segmentSize, max(limit/4, 1))}
}

// Rotating is [New] for a spool that a person may read: when it is full and nobody takes
// events out, the oldest ones give way, and are counted.
func Rotating(dir string, limit int64) *Spool {
	s := New(dir, limit)
	s.rotates = true
	return s
}

// Of returns the spool of the decisions for the collector of a subscription,
// below a directory of state.
func Of(state, subscription string) *Spool {
	return New(filepath.Join(state, "decisions", subscription), 0)
}

// verdictsLimit bounds the decisions of a machine on their way to the audit log,
// in bytes: it holds more than 50,000. Where nobody collects them, the oldest give way.
const verdictsLimit = 64 << 20

// Verdicts returns the spool of the decisions of this machine on their way to the
// audit log, below a directory of state.
func Verdicts(state string) *Spool { return Rotating(filepath.Join(state, "verdicts"), verdictsLimit) }

// ID returns the identity of the spool, which is kept in it: positions are those
// of one identity. Where it cannot be kept it is another each time.
func (s *Spool) ID() string { return identity(s.dir) }

// Dir returns the directory.
func (s *Spool) Dir() string { return s.dir }

// ErrFull says that the spool is full: the event is lost, and counted.
var ErrFull = errors.New("the spool of the decision log is full")

const (
	segmentEnd = ".events"
	writeLock  = "write.lock"
	shipLock   = "ship.lock"
)

// lockTime is how long an event waits while a segment that was sent is removed.
const lockTime = 200 * time.Millisecond

// Add appends an event, which is one line of JSON. It lasts when the process
// dies. Where it cannot be kept, the error says why, and the event is counted as
// dropped if that is possible at all.
func (s *Spool) Add(event []byte) error {
	err := s.add(event)
	if s.rotates && errors.Is(err, ErrFull) && s.displace() == nil {
		err = s.add(event)
	}
	if err != nil {
		err = errors.Join(err, s.count(Dropped, 1))
	}
	return err
}

func (s *Spool) add(event []byte) error {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	unlock, err := s.lockToWrite()
	if err != nil {
		return err
	}
	defer unlock()
	at, total, err := s.current()
	if err != nil {
		return err
	}
	if total+int64(len(event)) > s.limit {
		return fmt.Errorf("%w: %s holds %d bytes", ErrFull, s.dir, total)
	}
	f, err := plainfile.Append(s.segment(at))
	if err != nil {
		return err
	}
	// In one piece, and on a line of its own whatever stands before it.
	_, err = f.Write(slices.Concat([]byte("\n"), event, []byte("\n")))
	return errors.Join(err, f.Close())
}

// lockToWrite waits until no segment is being removed.
func (s *Spool) lockToWrite() (unlock func(), err error) {
	return s.lock((*flock.Flock).TryRLock)
}

// lockAlone waits until nobody adds an event.
func (s *Spool) lockAlone() (unlock func(), err error) { return s.lock((*flock.Flock).TryLock) }

func (s *Spool) lock(try func(*flock.Flock) (bool, error)) (unlock func(), err error) {
	l := plainfile.Lock(filepath.Join(s.dir, writeLock))
	for end := time.Now().Add(lockTime); ; time.Sleep(time.Millisecond) {
		ok, err := try(l)
		if ok {
			return func() { _ = l.Unlock() }, nil // closing unlocks too
		}
		if err != nil {
			return nil, err
		}
		if time.Now().After(end) {
			return nil, fmt.Errorf("another process has locked %s for %v", s.dir, lockTime)
		}
	}
}

// current returns the number of the segment that takes the next event, and the
// bytes of all.
func (s *Spool) current() (at uint32, total int64, err error) {
	all, highest, err := s.numbers()
	if err != nil {
		return 0, 0, err
	}
	last := int64(0)
	for _, n := range all {
		info, err := os.Stat(s.segment(n))
		if err != nil {
			continue // it was sent
		}
		last, at = info.Size(), n
		total += last
	}
	if len(all) == 0 || at < highest || last >= s.size {
		at = max(highest, s.position().segment) + 1
	}
	return at, total, nil
}

// segments returns the numbers of all segments, ascending.
func (s *Spool) segments() ([]uint32, error) {
	all, _, err := s.numbers()
	return all, err
}

// numbers returns the numbers of all segments, ascending, and the highest that
// is taken: also what is no file may have one.
func (s *Spool) numbers() (all []uint32, highest uint32, err error) {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	for _, e := range entries {
		digits, ok := strings.CutSuffix(e.Name(), segmentEnd)
		n, bad := strconv.ParseUint(digits, 10, 31) // there is always a next one
		if !ok || bad != nil || s.segment(uint32(n)) != filepath.Join(s.dir, e.Name()) {
			continue
		}
		highest = max(highest, uint32(n))
		if e.Type().IsRegular() {
			all = append(all, uint32(n))
		}
	}
	slices.Sort(all)
	return all, highest, err
}

func (s *Spool) segment(n uint32) string {
	return filepath.Join(s.dir, fmt.Sprintf("%010d%s", n, segmentEnd))
}

// A Loss is a reason why an event reaches no collector.
type Loss string

// The losses: there was no room or no way to write it; it gave way to newer ones; a
// crash cut it, or the disk changed it; the collector refused it for good.
const (
	Dropped   Loss = "dropped"
	Displaced Loss = "displaced"
	Damaged   Loss = "damaged"
	Rejected  Loss = "rejected"
)

// count adds to a counter, which is a file of as many bytes: appending is what
// several processes can do at once.
func (s *Spool) count(l Loss, n int) error {
	f, err := plainfile.Append(filepath.Join(s.dir, string(l)))
	if err != nil {
		return err
	}
	_, err = f.WriteString(strings.Repeat(".", n))
	return errors.Join(err, f.Close())
}

// Lost returns how many events were ever lost for a reason.
func (s *Spool) Lost(l Loss) int64 {
	info, err := os.Stat(filepath.Join(s.dir, string(l)))
	if err != nil {
		return 0
	}
	return info.Size()
}

// Missing says which of the events are in no log, and what to do, "" where all are.
func (s *Spool) Missing() string {
	var parts []string
	for _, l := range []struct {
		loss Loss
		what string
	}{
		{Dropped, "found no room in %s: start policyctl serve, or policyctl ship, which empty it"},
		{Displaced, "gave way to newer ones in %s: policyctl serve, or policyctl ship, keeps all"},
		{Damaged, "were damaged on the disk in %s"},
		{Rejected, "were refused by the log they were sent to from %s"},
	} {
		if n := s.Lost(l.loss); n > 0 {
			parts = append(parts, fmt.Sprintf("%d decisions "+l.what, n, s.dir))
		}
	}
	return strings.Join(parts, "; ")
}
