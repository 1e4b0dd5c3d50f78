package push

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
)

// The sizes of RFC 8188 and RFC 8291. Every message has the same size, so that its
// length tells nothing.
const (
	saltSize   = 16
	recordSize = 4096
	textSize   = 256
)

// lastRecord is behind the text of the last record, and before the padding.
const lastRecord = 2

// seal encrypts a text so that only the browser of a subscription can read it.
func (s *Subscription) seal(text []byte) ([]byte, error) {
	if len(text) > textSize {
		return nil, errors.New("the message is too long")
	}
	own, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	salt := make([]byte, saltSize)
	rand.Read(salt) // ends the program where there is no randomness
	padded := append(append([]byte{}, text...), lastRecord)
	return s.encrypt(own, salt, append(padded, make([]byte, textSize-len(text))...))
}

// encrypt is the one record of RFC 8291, section 3.
func (s *Subscription) encrypt(own *ecdh.PrivateKey, salt, padded []byte) ([]byte, error) {
	theirs, err := ecdh.P256().NewPublicKey(s.Public)
	if err != nil {
		return nil, err
	}
	shared, err := own.ECDH(theirs)
	if err != nil {
		return nil, err
	}
	ownPublic := own.PublicKey().Bytes()
	ikm, err := hkdf.Key(sha256.New, shared, s.Secret, "WebPush: info\x00"+string(s.Public)+string(ownPublic), sha256.Size)
	if err != nil {
		return nil, err
	}
	key, err := hkdf.Key(sha256.New, ikm, salt, "Content-Encoding: aes128gcm\x00", 16)
	if err != nil {
		return nil, err
	}
	nonce, err := hkdf.Key(sha256.New, ikm, salt, "Content-Encoding: nonce\x00", 12)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	out := binary.BigEndian.AppendUint32(append([]byte{}, salt...), recordSize)
	out = append(append(out, byte(len(ownPublic))), ownPublic...)
	return gcm.Seal(out, nonce, padded, nil), nil
}
