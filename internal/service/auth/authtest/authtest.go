// Package authtest is an authenticator in software, for tests of passkeys. It does what it
// is told, also what none should do.
package authtest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
)

// An Authenticator has one passkey. Unverified has it sign without a look at who holds
// it.
type Authenticator struct {
	Origin, RP string
	Handle     []byte
	Count      uint32
	Unverified bool

	id  []byte
	key *ecdsa.PrivateKey
}

// New returns an authenticator for the pages of an origin.
func New(origin, rp string) *Authenticator {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	return &Authenticator{Origin: origin, RP: rp, id: []byte(rand.Text()), key: key}
}

// Flags of authenticator data.
const (
	present  = 1
	verified = 4
	attested = 64
)

// Make answers to options of navigator.credentials.create.
func (a *Authenticator) Make(options any) json.RawMessage {
	var o struct {
		Challenge string `json:"challenge"`
		User      struct {
			ID string `json:"id"`
		} `json:"user"`
	}
	read(options, &o)
	a.Handle, _ = base64.RawURLEncoding.DecodeString(o.User.ID)
	point, err := a.key.PublicKey.Bytes()
	if err != nil {
		panic(err)
	}
	// {1: 2, 3: -7, -1: 1, -2: x, -3: y}
	cose := append([]byte{0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32}, point[1:33]...)
	cose = append(append(cose, 0x22, 0x58, 32), point[33:]...)
	data := append(a.data(attested), make([]byte, 16)...)
	data = append(append(data, 0, byte(len(a.id))), a.id...)
	data = append(data, cose...)
	// {"fmt": "none", "attStmt": {}, "authData": data}
	object := append([]byte{0xa3, 0x63}, "fmt\x64none\x67attStmt\xa0\x68authData\x59"...)
	object = append(binary.BigEndian.AppendUint16(object, uint16(len(data))), data...)
	return a.answer(map[string]any{
		"clientDataJSON": encode(a.client("webauthn.create", o.Challenge)), "attestationObject": encode(object), "transports": []string{"internal"},
	})
}

// Sign answers to options of navigator.credentials.get.
func (a *Authenticator) Sign(options any) json.RawMessage {
	var o struct {
		Challenge string `json:"challenge"`
	}
	read(options, &o)
	a.Count++
	data, client := a.data(0), a.client("webauthn.get", o.Challenge)
	hash := sha256.Sum256(client)
	sum := sha256.Sum256(append(append([]byte{}, data...), hash[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, a.key, sum[:])
	if err != nil {
		panic(err)
	}
	return a.answer(map[string]any{
		"clientDataJSON": encode(client), "authenticatorData": encode(data), "signature": encode(signature), "userHandle": encode(a.Handle),
	})
}

func (a *Authenticator) data(flags byte) []byte {
	flags |= present
	if !a.Unverified {
		flags |= verified
	}
	rp := sha256.Sum256([]byte(a.RP))
	return binary.BigEndian.AppendUint32(append(rp[:], flags), a.Count)
}

func (a *Authenticator) client(kind, challenge string) []byte {
	text, err := json.Marshal(map[string]any{"type": kind, "challenge": challenge, "origin": a.Origin, "crossOrigin": false})
	if err != nil {
		panic(err)
	}
	return text
}

func (a *Authenticator) answer(response map[string]any) json.RawMessage {
	text, err := json.Marshal(map[string]any{
		"id": encode(a.id), "rawId": encode(a.id), "type": "public-key", "clientExtensionResults": map[string]any{}, "response": response,
	})
	if err != nil {
		panic(err)
	}
	return text
}

func read(options, into any) {
	text, err := json.Marshal(options)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		panic(err)
	}
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }
