package audit

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// A Checkpoint is a signed statement on how far a log went. Kept where the log
// is not, it shows a tail that was cut off and a chain that was written anew.
type Checkpoint struct {
	// Seq and Hash are those of the last record; 0 and the Prev of a first record if there is none.
	Seq  int64     `json:"seq"`
	Hash string    `json:"hash"`
	Time time.Time `json:"time"`
	// KeyID names the key that signed.
	KeyID string `json:"key_id"`
	// Signature is Ed25519, in base64url without padding, over the canonical
	// JSON (RFC 8785) of the other members and of a member "type" with the value
	// "policyctl audit checkpoint 1".
	Signature string `json:"signature"`
}

// Sign returns the checkpoint of a log whose last record is given, nil for an
// empty log. sign returns the Ed25519 signature of a text by the key that kid
// names, at is the time of the signature.
func Sign(sign func(text []byte) ([]byte, error), kid string, last *Record, at time.Time) (*Checkpoint, error) {
	if kid == "" {
		return nil, errors.New("checkpoint: the key has no id: give one")
	}
	if at.IsZero() {
		return nil, errors.New("checkpoint: the time is zero: give the time of the signature")
	}
	c := &Checkpoint{Hash: genesis(), Time: at.UTC().Truncate(time.Microsecond), KeyID: kid}
	if last != nil {
		c.Seq, c.Hash = last.Seq, last.Hash
	}
	data, err := c.signed()
	if err != nil {
		return nil, err
	}
	signature, err := sign(data)
	if err != nil {
		return nil, fmt.Errorf("checkpoint of record %d: %w", c.Seq, err)
	}
	if len(signature) != ed25519.SignatureSize {
		return nil, fmt.Errorf("checkpoint of record %d: the signature has %d bytes, not %d", c.Seq, len(signature), ed25519.SignatureSize)
	}
	c.Signature = base64.RawURLEncoding.EncodeToString(signature)
	return c, nil
}

// Verify checks the signature by the public key of that id.
func (c *Checkpoint) Verify(keys map[string]ed25519.PublicKey) error {
	key, known := keys[c.KeyID]
	if !known || len(key) != ed25519.PublicKeySize {
		ids := strings.Join(slices.Sorted(maps.Keys(keys)), ", ")
		return fmt.Errorf("checkpoint of record %d: no Ed25519 key with the id %q is trusted, only [%s]: give its public key", c.Seq, c.KeyID, ids)
	}
	data, err := c.signed()
	if err != nil {
		return err
	}
	// Decoding passes over line ends and spare bits: one signature, one spelling.
	signature, err := base64.RawURLEncoding.DecodeString(c.Signature)
	if err != nil || base64.RawURLEncoding.EncodeToString(signature) != c.Signature || !ed25519.Verify(key, data, signature) {
		return fmt.Errorf("checkpoint of record %d: the signature by key %q is not valid: it was changed, or the key is another", c.Seq, c.KeyID)
	}
	return nil
}

// signed returns the bytes that are signed.
func (c *Checkpoint) signed() ([]byte, error) {
	empty := c.Seq == 0 && c.Hash == genesis()
	if !empty && (c.Seq < 1 || c.Seq > maxSeq || !isHash(c.Hash)) {
		return nil, fmt.Errorf("checkpoint of record %d: seq or hash is not that of a record: verify the log", c.Seq)
	}
	if !isText(c.KeyID) {
		return nil, fmt.Errorf("checkpoint of record %d: the key id %q is not UTF-8 text", c.Seq, c.KeyID)
	}
	if !isYear(c.Time.UTC().Year()) {
		return nil, fmt.Errorf("checkpoint of record %d: the time is not in the years 1 to 9999", c.Seq)
	}
	var o object
	o.text("hash", c.Hash)
	o.text("key_id", c.KeyID)
	o.number("seq", c.Seq)
	o.text("time", c.Time.UTC().Format(time.RFC3339Nano))
	o.text("type", "policyctl audit checkpoint 1")
	return o.end(), nil
}

// ReadCheckpoint reads the JSON of a checkpoint. It does not check the
// signature.
func ReadCheckpoint(data []byte) (*Checkpoint, error) {
	v, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("checkpoint: not a JSON object")
	}
	keys := []string{"hash", "key_id", "seq", "signature", "time"}
	if got := slices.Sorted(maps.Keys(m)); !slices.Equal(got, keys) {
		return nil, fmt.Errorf("checkpoint: the keys are %q, not %q", got, keys)
	}
	c := &Checkpoint{}
	if err := json.Unmarshal(data, c); err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	return c, nil
}
