// Package keyfile reads and writes the files of keys, in PEM, so that a secret is its
// owner's alone.
//
//	der, err := keyfile.Read(path, keyfile.Secret)
//
// It knows no kind of key: what the block holds is for who asked.
package keyfile

import (
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/policyctl/policyctl/internal/support/atomicfile"
	"github.com/policyctl/policyctl/internal/support/plainfile"
)

// A Type is what the block of a file is called.
type Type string

// The types.
const (
	Secret Type = "PRIVATE KEY" // PKCS #8
	Public Type = "PUBLIC KEY"  // PKIX
)

// maxFile bounds the file of a key, in bytes.
const maxFile = 64 << 10

// Read returns the one block of a file. A secret that others may read is refused, and so
// is a link.
// Where there is none the error is fs.ErrNotExist.
func Read(path string, want Type) ([]byte, error) {
	f, err := plainfile.OpenOwn(path)
	if err != nil {
		return nil, plainfile.Bare(err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a file")
	case want == Secret && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("others may read it (mode %04o): chmod 600 keeps it to you; if others use this machine, sign with a new one", info.Mode().Perm())
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return nil, err
	}
	block, rest := pem.Decode(text)
	if more, _ := pem.Decode(rest); block == nil || block.Type != string(want) || more != nil {
		return nil, fmt.Errorf("it does not hold one %s in PEM", want)
	}
	return block.Bytes, nil
}

// Write writes a secret to a file for its owner alone, or replaces the one there. It
// is on disk when Write returns.
func Write(path string, der []byte) error {
	return atomicfile.Write(path, ".policyctl-key-", pem.EncodeToMemory(&pem.Block{Type: string(Secret), Bytes: der}))
}
