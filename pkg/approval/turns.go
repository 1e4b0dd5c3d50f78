package approval

import (
	"hash/fnv"
	"io"
	"sync"
)

// turns are locks for sessions. Some share one: there are many, since who waits for
// another's lock waits for the disk. The zero value is ready.
type turns [1024]sync.Mutex

// of returns the lock of what a submitter does in a session.
func (t *turns) of(submitter, session string) *sync.Mutex {
	h := fnv.New32a()
	_, _ = io.WriteString(h, submitter+"\x00"+session) // which never fails
	return &t[h.Sum32()%uint32(len(t))]
}
