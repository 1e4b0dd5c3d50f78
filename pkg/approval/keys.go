package approval

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"

	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// A Signer signs receipts and checkpoints with one key of Ed25519, wherever
// its private half is. Who has one can approve anything. It is safe for
// concurrent use, and always the same key.
type Signer interface {
	// Public returns the half that verifies.
	Public() ed25519.PublicKey
	// Sign returns the signature of a text. All writers of a service wait for it.
	Sign(ctx context.Context, text []byte) ([]byte, error)
}

// A PrivateKey is a [Signer] whose key is in memory.
type PrivateKey ed25519.PrivateKey

// NewPrivateKey returns a new key.
func NewPrivateKey() PrivateKey {
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		panic(err) // the reader never fails
	}
	return PrivateKey(private)
}

// Public implements [Signer].
func (k PrivateKey) Public() ed25519.PublicKey {
	return ed25519.PrivateKey(k).Public().(ed25519.PublicKey)
}

// Sign implements [Signer]. It never fails.
func (k PrivateKey) Sign(_ context.Context, text []byte) ([]byte, error) {
	return ed25519.Sign(ed25519.PrivateKey(k), text), nil
}

// A Key is the public half of a key that signs receipts.
type Key struct {
	// ID is the thumbprint of Public (RFC 7638).
	ID     string
	Public ed25519.PublicKey
	// Created is when the service began to sign with it, Ended when it began to
	// sign with another one; the zero time for the key in force.
	Created, Ended time.Time
}

// NewKey returns the key of a public half.
func NewKey(public ed25519.PublicKey, created time.Time) Key {
	return Key{ID: thumbprint(public), Public: public, Created: created}
}

func thumbprint(key ed25519.PublicKey) string {
	sum := sha256.Sum256([]byte(`{"crv":"Ed25519","kty":"OKP","x":"` + encoding.EncodeToString(key) + `"}`))
	return encoding.EncodeToString(sum[:])
}

// maxReceiptTime is the longest that a receipt may be valid, and so the longest
// that a retired key verifies anything.
const maxReceiptTime = time.Hour

// retired says why a key cannot have signed a receipt with these claims, nil if
// it can. The time of issue alone would not do, since who has an old key writes
// whatever time they like.
func (k *Key) retired(c *Claims) error {
	if k.Ended.IsZero() {
		return nil
	}
	end := k.Ended.Add(skew)
	if time.Unix(c.Issued, 0).After(end) || time.Unix(c.Expires, 0).After(end.Add(maxReceiptTime)) {
		return fmt.Errorf("the key %q was retired at %s, and the receipt is newer", k.ID, k.Ended.UTC().Format(time.RFC3339))
	}
	return nil
}

// Keys are the keys whose receipts are trusted, by id. An executor pins them.
// In JSON they are a JWK set (RFC 7517), in which "exp" is when a key was
// retired, in seconds since 1970.
type Keys map[string]Key

// KeysOf returns a set of keys.
func KeysOf(list ...Key) Keys {
	keys := make(Keys, len(list))
	for _, k := range list {
		keys[k.ID] = k
	}
	return keys
}

// ForCheckpoint returns the keys that may have signed a checkpoint. One that was signed
// after the end of its key is an error.
func (k Keys) ForCheckpoint(c *audit.Checkpoint) (map[string]ed25519.PublicKey, error) {
	out := make(map[string]ed25519.PublicKey, len(k))
	for id, key := range k {
		if id == c.KeyID && !key.Ended.IsZero() && c.Time.After(key.Ended.Add(skew)) {
			return nil, fmt.Errorf("checkpoint of record %d: its key %q was retired at %s, and the checkpoint is newer", c.Seq, id, key.Ended.UTC().Format(time.RFC3339))
		}
		out[id] = key.Public
	}
	return out, nil
}

// A jwk is a public key of Ed25519 (RFC 8037, section 2).
type jwk struct {
	Kty string `json:"kty"`
	Crv string `json:"crv"`
	X   string `json:"x"`
	Kid string `json:"kid"`
	Alg string `json:"alg,omitempty"`
	Use string `json:"use,omitempty"`
	Exp int64  `json:"exp,omitempty"`
}

// MarshalJSON encodes the keys as a JWK set, sorted by id.
func (k Keys) MarshalJSON() ([]byte, error) {
	list := make([]jwk, 0, len(k))
	for _, kid := range sorted(k) {
		j := jwk{Kty: "OKP", Crv: "Ed25519", X: encoding.EncodeToString(k[kid].Public), Kid: kid, Alg: "EdDSA", Use: "sig"}
		if end := k[kid].Ended; !end.IsZero() {
			j.Exp = max(end.Unix(), 1)
		}
		list = append(list, j)
	}
	return json.Marshal(map[string]any{"keys": list})
}

// UnmarshalJSON reads a JWK set. A key that is not one of Ed25519 with an id
// is an error: pinning less than what was written would surprise.
func (k *Keys) UnmarshalJSON(data []byte) error {
	var set struct {
		Keys []jwk `json:"keys"`
	}
	if err := strictjson.DecodeOpen(data, &set); err != nil {
		return fmt.Errorf("JWK set: %w", err)
	}
	out := make(Keys, len(set.Keys))
	for i, j := range set.Keys {
		x, err := encoding.DecodeString(j.X)
		_, twice := out[j.Kid]
		switch {
		case j.Kty != "OKP" || j.Crv != "Ed25519" || j.Kid == "":
			return fmt.Errorf("JWK set: key %d: kty OKP, crv Ed25519 and a kid are needed", i)
		case err != nil || len(x) != ed25519.PublicKeySize:
			return fmt.Errorf("JWK set: key %d: x is not a public key of %d bytes", i, ed25519.PublicKeySize)
		case twice:
			return fmt.Errorf("JWK set: the kid %q appears twice", j.Kid)
		}
		key := Key{ID: j.Kid, Public: x}
		if j.Exp != 0 {
			key.Ended = time.Unix(j.Exp, 0).UTC()
		}
		out[j.Kid] = key
	}
	*k = out
	return nil
}
