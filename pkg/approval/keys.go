package approval

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"
)

// A SigningKey signs receipts. Who has it can approve anything.
type SigningKey struct {
	ID      string
	Private ed25519.PrivateKey
	Created time.Time
}

// NewSigningKey returns a new key. Its id is the thumbprint of the public key
// (RFC 7638).
func NewSigningKey(now time.Time) *SigningKey {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		panic(err) // the reader never fails
	}
	return &SigningKey{ID: thumbprint(public), Private: private, Created: now}
}

// Public returns the half that verifies.
func (k *SigningKey) Public() ed25519.PublicKey { return k.Private.Public().(ed25519.PublicKey) }

func thumbprint(key ed25519.PublicKey) string {
	sum := sha256.Sum256([]byte(`{"crv":"Ed25519","kty":"OKP","x":"` + encoding.EncodeToString(key) + `"}`))
	return encoding.EncodeToString(sum[:])
}

// Keys are the keys whose receipts are trusted, by id. An executor pins them.
// In JSON they are a JWK set (RFC 7517).
type Keys map[string]ed25519.PublicKey

// A jwk is a public key of Ed25519 (RFC 8037, section 2).
type jwk struct {
	Kty string `json:"kty"`
	Crv string `json:"crv"`
	X   string `json:"x"`
	Kid string `json:"kid"`
	Alg string `json:"alg,omitempty"`
	Use string `json:"use,omitempty"`
}

// MarshalJSON encodes the keys as a JWK set, sorted by id.
func (k Keys) MarshalJSON() ([]byte, error) {
	list := make([]jwk, 0, len(k))
	for _, kid := range sorted(k) {
		list = append(list, jwk{"OKP", "Ed25519", encoding.EncodeToString(k[kid]), kid, "EdDSA", "sig"})
	}
	return json.Marshal(map[string]any{"keys": list})
}

// UnmarshalJSON reads a JWK set. A key that is not one of Ed25519 with an id
// is an error: pinning less than what was written would surprise.
func (k *Keys) UnmarshalJSON(data []byte) error {
	var set struct {
		Keys []jwk `json:"keys"`
	}
	if err := json.Unmarshal(data, &set); err != nil {
		return fmt.Errorf("JWK set: %w", err)
	}
	out := make(Keys, len(set.Keys))
	for i, j := range set.Keys {
		x, err := encoding.DecodeString(j.X)
		switch {
		case j.Kty != "OKP" || j.Crv != "Ed25519" || j.Kid == "":
			return fmt.Errorf("JWK set: key %d: kty OKP, crv Ed25519 and a kid are needed", i)
		case err != nil || len(x) != ed25519.PublicKeySize:
			return fmt.Errorf("JWK set: key %d: x is no public key of %d bytes", i, ed25519.PublicKeySize)
		case out[j.Kid] != nil:
			return fmt.Errorf("JWK set: the kid %q stands twice", j.Kid)
		}
		out[j.Kid] = x
	}
	*k = out
	return nil
}
