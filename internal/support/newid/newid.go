// Package newid makes identifiers.
//
// It stores nothing, and knows nothing of what they identify.
package newid

import (
	"crypto/rand"
	"encoding/base32"
	"encoding/binary"
	"time"
)

// letters are ordered by their bytes, as the index of a database orders them.
var letters = base32.NewEncoding("234567ABCDEFGHIJKLMNOPQRSTUVWXYZ").WithPadding(base32.NoPadding)

// At returns a prefix and 26 letters and digits: the time in milliseconds, and 80 random
// bits. What is stored one after another is neighbours in an index then, and many rows change
// one page of it.
func At(t time.Time, prefix string) string {
	var all [16]byte
	binary.BigEndian.PutUint64(all[:], uint64(t.UnixMilli())<<16)
	_, _ = rand.Read(all[6:]) // which never fails
	return prefix + letters.EncodeToString(all[:])
}
