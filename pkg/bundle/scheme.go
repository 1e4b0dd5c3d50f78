package bundle

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"encoding/asn1"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	_ "crypto/sha256" // the hashes of the schemes
	_ "crypto/sha512"
)

// A scheme is how an algorithm of RFC 7518 signs.
type scheme struct {
	hash crypto.Hash
	// size is the bytes of each half of a signature by an elliptic curve.
	size int
}

// schemes are the algorithms that are supported. "none" never is.
var schemes = map[string]scheme{
	"RS256": {hash: crypto.SHA256}, "RS384": {hash: crypto.SHA384}, "RS512": {hash: crypto.SHA512},
	"PS256": {hash: crypto.SHA256}, "PS384": {hash: crypto.SHA384}, "PS512": {hash: crypto.SHA512},
	"ES256": {crypto.SHA256, 32}, "ES384": {crypto.SHA384, 48}, "ES512": {crypto.SHA512, 66},
	"HS256": {hash: crypto.SHA256}, "HS384": {hash: crypto.SHA384}, "HS512": {hash: crypto.SHA512},
	"EdDSA": {},
}

// curves are the algorithms for the elliptic curves, each bound to one.
var curves = map[string][]string{"P-256": {"ES256"}, "P-384": {"ES384"}, "P-521": {"ES512"}}

func unknownAlgorithm(name string) error {
	return fmt.Errorf("unknown algorithm %s; known are %s", shown(name), strings.Join(slices.Sorted(maps.Keys(schemes)), ", "))
}

// sign signs a text. All but PS256 and its like give the same signature for
// the same text.
func (m material) sign(text []byte) ([]byte, error) {
	s := schemes[m.algorithm]
	if m.secret != nil {
		h := hmac.New(s.hash.New, m.secret)
		h.Write(text)
		return h.Sum(nil), nil
	}
	if _, ok := m.private.(ed25519.PrivateKey); ok {
		return m.private.Sign(nil, text, crypto.Hash(0))
	}
	h := s.hash.New()
	h.Write(text)
	digest := h.Sum(nil)
	if _, ok := m.private.(*ecdsa.PrivateKey); ok {
		der, err := m.private.Sign(nil, digest, s.hash) // without randomness, RFC 6979
		if err != nil {
			return nil, err
		}
		return halves(der, s.size)
	}
	if strings.HasPrefix(m.algorithm, "PS") {
		return m.private.Sign(rand.Reader, digest, &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash, Hash: s.hash})
	}
	return m.private.Sign(nil, digest, s.hash)
}

// halves turns the signature of an elliptic curve into the form of RFC 7518.
func halves(der []byte, size int) ([]byte, error) {
	var sig struct{ R, S *big.Int }
	if _, err := asn1.Unmarshal(der, &sig); err != nil {
		return nil, err
	}
	both := make([]byte, 2*size)
	sig.R.FillBytes(both[:size])
	sig.S.FillBytes(both[size:])
	return both, nil
}
