package bundle

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Key verifies signatures. An empty Algorithm is derived from the PEM: RS256,
// ES256, ES384, ES512, EdDSA. PEM is a public key or a certificate, or for HS256,
// HS384 and HS512 the shared secret itself.
//
// EdDSA is for policyctl only: the configuration of a stock OPA takes no such key.
type Key struct{ Algorithm, PEM string }

// SigningKey makes signatures. Algorithm and PEM are as in [Key], with the
// private key. Scope is stated in the signature where it is not empty.
type SigningKey struct{ ID, Algorithm, PEM, Scope string }

// shortestRSA is the least size in bits, as RFC 7518 demands.
const shortestRSA = 2048

// material is a key that was read: private with public, public alone, or a
// shared secret.
type material struct {
	algorithm string
	public    crypto.PublicKey
	private   crypto.Signer
	secret    []byte
}

func (k Key) material() (material, error) {
	return k.read(func(block *pem.Block) (m material, err error) {
		m.public, err = publicKey(block)
		return m, err
	})
}

func (k SigningKey) material() (material, error) {
	return Key{k.Algorithm, k.PEM}.read(func(block *pem.Block) (m material, err error) {
		if m.private, err = privateKey(block); err == nil {
			m.public = m.private.Public()
		}
		return m, err
	})
}

// read reads a shared secret, or else what is in the block of a PEM.
func (k Key) read(parse func(*pem.Block) (material, error)) (material, error) {
	if strings.HasPrefix(k.Algorithm, "HS") {
		return secret(k.Algorithm, k.PEM)
	}
	block, err := keyBlock(k.PEM)
	if err != nil {
		return material{}, err
	}
	m, err := parse(block)
	if err != nil {
		return material{}, err
	}
	m.algorithm, err = algorithmOf(m.public, k.Algorithm)
	return m, err
}

// secret accepts a shared secret as long as its hash, as RFC 7518 demands. A
// PEM is refused: a public key as secret is one that everybody has.
func secret(algorithm, text string) (material, error) {
	s, ok := schemes[algorithm]
	if !ok {
		return material{}, unknownAlgorithm(algorithm)
	}
	if strings.Contains(text, "-----BEGIN") {
		return material{}, fmt.Errorf("the secret for %s is a PEM; name the algorithm of that key, or give a random secret", algorithm)
	}
	if len(text) < s.hash.Size() {
		return material{}, fmt.Errorf("the secret for %s has %d bytes, and needs %d; make one by: openssl rand -hex %d",
			algorithm, len(text), s.hash.Size(), s.hash.Size())
	}
	return material{algorithm: algorithm, secret: []byte(text)}, nil
}

// algorithmOf returns the algorithm for a key: the wanted one, if it fits.
func algorithmOf(public crypto.PublicKey, wanted string) (string, error) {
	var fit []string
	switch key := public.(type) {
	case *rsa.PublicKey:
		if key.N.BitLen() < shortestRSA {
			return "", fmt.Errorf("the RSA key has %d bits, and needs %d; make one by: openssl genrsa 3072", key.N.BitLen(), shortestRSA)
		}
		fit = []string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512"}
	case *ecdsa.PublicKey:
		fit = curves[key.Curve.Params().Name]
	case ed25519.PublicKey:
		fit = []string{"EdDSA"}
	}
	if len(fit) == 0 {
		return "", errors.New("the kind of key is not supported; use RSA, EC (P-256, P-384, P-521) or Ed25519")
	}
	if wanted == "" {
		return fit[0], nil
	}
	if _, known := schemes[wanted]; !known {
		return "", unknownAlgorithm(wanted)
	}
	if !slices.Contains(fit, wanted) {
		return "", fmt.Errorf("the algorithm %s does not fit the key; use %s", wanted, strings.Join(fit, ", "))
	}
	return wanted, nil
}
