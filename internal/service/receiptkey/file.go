// Package receiptkey keeps the key that signs receipts where the database is not:
// in a file of its own, or behind a command that has it sign.
//
// It knows no receipts, and keeps no record of which key signed when.
package receiptkey

import (
	"crypto/ed25519"
	"crypto/x509"
	"fmt"

	"github.com/policyctl/policyctl/internal/service/keyfile"
	"github.com/policyctl/policyctl/pkg/approval"
)

// Suffix is what the name of a key's file adds to that of its database.
const Suffix = ".key"

// Load returns the key in a file, in PEM as `openssl genpkey -algorithm
// ed25519` writes it. A file that others may read is refused. Where there is
// none the error is fs.ErrNotExist.
func Load(path string) (approval.PrivateKey, error) {
	block, err := keyfile.Read(path, keyfile.Secret)
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
		err = keyfile.Write(path, data)
	}
	if err != nil {
		return fmt.Errorf("signing key %s: %w", path, err)
	}
	return nil
}

// LoadPublic returns the public key in a file, in PEM as `openssl pkey -pubout`
// writes it.
func LoadPublic(path string) (ed25519.PublicKey, error) {
	block, err := keyfile.Read(path, keyfile.Public)
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
