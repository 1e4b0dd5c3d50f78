package webhook

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// The headers of Standard Webhooks, as [net/http] writes them.
const (
	headerID        = "Webhook-Id"
	headerTime      = "Webhook-Timestamp"
	headerSignature = "Webhook-Signature"
)

// keys sign and verify. What is nil does neither.
type keys struct {
	secret []byte
	key    ed25519.PrivateKey
	peer   ed25519.PublicKey
}

// The sizes of a secret, in bytes.
const minSecret, maxSecret = 24, 64

func readKeys(o Options) (k keys, err error) {
	if o.Secret == "" && o.Key == "" {
		return k, errors.New("secret_file and key_file are missing: write one of them, so that the receiver knows who posts; `echo whsec_$(openssl rand -base64 32)` makes a secret")
	}
	if o.Secret != "" {
		if k.secret, err = decode("the secret", "whsec_", o.Secret); err != nil {
			return k, err
		}
		if n := len(k.secret); n < minSecret || n > maxSecret {
			return k, fmt.Errorf("the secret has %d bytes; it must have %d to %d behind whsec_", n, minSecret, maxSecret)
		}
	}
	if o.Key != "" {
		raw, err := decode("the key", "whsk_", o.Key)
		switch {
		case err != nil:
			return k, err
		case len(raw) == ed25519.SeedSize:
			k.key = ed25519.NewKeyFromSeed(raw)
		case len(raw) == ed25519.PrivateKeySize && hmac.Equal(ed25519.NewKeyFromSeed(raw[:ed25519.SeedSize]), raw):
			k.key = raw
		default:
			return k, fmt.Errorf("the key has %d bytes and is none of Ed25519; it must have 32 or 64 behind whsk_", len(raw))
		}
	}
	if o.Peer != "" {
		raw, err := decode("the public key", "whpk_", o.Peer)
		if err != nil {
			return k, err
		}
		if len(raw) != ed25519.PublicKeySize {
			return k, fmt.Errorf("the public key has %d bytes; it must have %d behind whpk_", len(raw), ed25519.PublicKeySize)
		}
		k.peer = raw
	}
	return k, nil
}

// decode reads a key. Its error has nothing of it.
func decode(what, prefix, text string) ([]byte, error) {
	rest, ok := strings.CutPrefix(text, prefix)
	if !ok {
		return nil, fmt.Errorf("%s does not begin with %s", what, prefix)
	}
	raw, err := base64.StdEncoding.Strict().DecodeString(rest)
	if err != nil {
		return nil, fmt.Errorf("%s is not in base64 behind %s", what, prefix)
	}
	return raw, nil
}

// sign returns the signatures of a message.
func (k *keys) sign(id, stamp string, body []byte) string {
	text, encode := signed(id, stamp, body), base64.StdEncoding.EncodeToString
	var all []string
	if k.secret != nil {
		all = append(all, "v1,"+encode(k.mac(text)))
	}
	if k.key != nil {
		all = append(all, "v1a,"+encode(ed25519.Sign(k.key, text)))
	}
	return strings.Join(all, " ")
}

// maxSignatures bounds those that are tried of a message.
const maxSignatures = 8

// verify reports whether one of the signatures holds.
func (k *keys) verify(id, stamp string, body []byte, signatures string) bool {
	text := signed(id, stamp, body)
	for i, one := range strings.Split(signatures, " ") {
		version, encoded, _ := strings.Cut(one, ",")
		raw, err := base64.StdEncoding.Strict().DecodeString(encoded)
		if i == maxSignatures {
			return false
		}
		switch {
		case err != nil:
		case version == "v1" && k.secret != nil && hmac.Equal(raw, k.mac(text)):
			return true
		case version == "v1a" && k.peer != nil && ed25519.Verify(k.peer, text, raw):
			return true
		}
	}
	return false
}

func (k *keys) mac(text []byte) []byte {
	h := hmac.New(sha256.New, k.secret)
	h.Write(text)
	return h.Sum(nil)
}

// signed is what a signature is made of.
func signed(id, stamp string, body []byte) []byte {
	return append([]byte(id+"."+stamp+"."), body...)
}
