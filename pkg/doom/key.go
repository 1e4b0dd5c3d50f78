package doom

import (
	"crypto/sha256"
	"encoding/binary"
)

// Key identifies a call or a result by its SHA-256. Equal keys mean the same
// call, or the same result.
type Key [sha256.Size]byte

// KeyOf returns the key of the call that agent makes to tool in the directory
// dir. The args are the canonical form of the arguments that count. Every
// field goes in with its length, so that no two different calls share a key.
func KeyOf(agent, tool, dir string, args []byte) Key {
	h := sha256.New()
	// Strings pass through a buffer because converting long ones allocates.
	var buf [128]byte
	for _, field := range [...]string{agent, tool, dir} {
		h.Write(binary.BigEndian.AppendUint64(buf[:0], uint64(len(field))))
		for len(field) > 0 {
			n := copy(buf[:], field)
			h.Write(buf[:n])
			field = field[n:]
		}
	}
	h.Write(binary.BigEndian.AppendUint64(buf[:0], uint64(len(args))))
	h.Write(args)
	var k Key
	h.Sum(k[:0])
	return k
}
