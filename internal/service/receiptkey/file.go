// Package receiptkey keeps the key that signs receipts where the database is not:
// in a file of its own, or behind a command that has it sign.
//
// It knows no receipts, and keeps no record of which key signed when.
package receiptkey

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/policyctl/policyctl/internal/support/atomicfile"
	"github.com/policyctl/policyctl/internal/support/plainfile"
	"github.com/policyctl/policyctl/pkg/approval"
)

// Suffix is what the name of a key's file adds to that of its database.
const Suffix = ".key"

// maxFile bounds the file of a key, in bytes.
const maxFile = 64 << 10

// Load returns the key in a file, in PEM as `openssl genpkey -algorithm
// ed25519` writes it. A file that others may read is refused. Where there is
// none the error is fs.ErrNotExist.
func Load(path string) (approval.PrivateKey, error) {
	block, err := readPEM(path, true)
	if err != nil {
		return nil, fmt.Errorf("signing key %s: %w", path, err)
	}
	key, err := x509.ParsePKCS8PrivateKey(block)
	if err != nil {
		return nil, fmt.Errorf("signing key %s: %w", path, err)
	}
	private, ok := key.(ed25519.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("signing key %s: it is a %T: make one with openssl genpkey -algorithm ed25519", path, key)
	}
	return approval.PrivateKey(private), nil
}

// Save writes a key to a file for its owner alone, or replaces the one there.
// It is on disk when Save returns.
func Save(path string, key approval.PrivateKey) error {
	data, err := x509.MarshalPKCS8PrivateKey(ed25519.PrivateKey(key))
	if err == nil {
		err = atomicfile.Write(path, ".policyctl-key-", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: data}))
	}
	if err != nil {
		return fmt.Errorf("signing key %s: %w", path, err)
	}
	return nil
}

// LoadPublic returns the public key in a file, in PEM as `openssl pkey -pubout`
// writes it.
func LoadPublic(path string) (ed25519.PublicKey, error) {
	block, err := readPEM(path, false)
	if err != nil {
		return nil, fmt.Errorf("public key %s: %w", path, err)
	}
	key, err := x509.ParsePKIXPublicKey(block)
	if err != nil {
		return nil, fmt.Errorf("public key %s: %w", path, err)
	}
	public, ok := key.(ed25519.PublicKey)
	if !ok {
		return nil, fmt.Errorf("public key %s: it is a %T, not one of Ed25519", path, key)
	}
	return public, nil
}

// readPEM returns the one block of a file.
func readPEM(path string, secret bool) ([]byte, error) {
	f, err := plainfile.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a file")
	case secret && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("others may read it (mode %04o): chmod 600 keeps it to you; if others use this machine, sign with a new one", info.Mode().Perm())
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return nil, err
	}
	want := map[bool]string{true: "PRIVATE KEY", false: "PUBLIC KEY"}[secret]
	block, rest := pem.Decode(text)
	if more, _ := pem.Decode(rest); block == nil || block.Type != want || more != nil {
		return nil, fmt.Errorf("it does not hold one %s in PEM", want)
	}
	return block.Bytes, nil
}
