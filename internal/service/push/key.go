package push

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"time"

	"github.com/policyctl/policyctl/internal/service/keyfile"
	"github.com/policyctl/policyctl/internal/support/shelf"
)

// Suffix is what the name of the key's file adds to that of the database.
const Suffix = ".push.key"

// A Key says to push services that messages come from this service (VAPID, RFC 8292).
type Key struct{ private *ecdsa.PrivateKey }

// NewKey returns a new key.
func NewKey() (*Key, error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	return &Key{private}, err
}

// KeyIn returns the key in a file, which it makes if there is none.
func KeyIn(path string) (*Key, error) {
	der, err := keyfile.Read(path, keyfile.Secret)
	if errors.Is(err, fs.ErrNotExist) {
		return makeKey(path)
	}
	if err != nil {
		return nil, fmt.Errorf("push key %s: %w", path, err)
	}
	k, err := parse(der)
	if err != nil {
		return nil, fmt.Errorf("push key %s: %w: remove the file, and a new one is made; browsers must subscribe again", path, err)
	}
	return k, nil
}

func makeKey(path string) (*Key, error) {
	k, der, err := made()
	if err == nil {
		err = keyfile.Write(path, der)
	}
	if err != nil {
		return nil, fmt.Errorf("push key %s: %w", path, err)
	}
	return k, nil
}

// KeyOn returns the key on a shelf, where all instances of a service find it. The first
// one makes it.
func KeyOn(ctx context.Context, on shelf.Shelf) (k *Key, err error) {
	err = on.Change(ctx, func(text []byte) ([]byte, error) {
		var der []byte
		if text == nil {
			if k, der, err = made(); err != nil {
				return nil, err
			}
			return json.Marshal(der)
		}
		if err := json.Unmarshal(text, &der); err != nil {
			return nil, err
		}
		k, err = parse(der)
		return text, err
	})
	if err != nil {
		return nil, fmt.Errorf("push key of the database: %w", err)
	}
	return k, nil
}

// Carry puts the key in a file, if there is one, onto a shelf, so that the browsers that
// have subscribed need not do so anew. A key that is there already stays.
func Carry(ctx context.Context, path string, to shelf.Shelf) error {
	der, err := keyfile.Read(path, keyfile.Secret)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		_, err = parse(der)
	}
	if err != nil {
		return fmt.Errorf("push key %s: %w", path, err)
	}
	return to.Change(ctx, func(text []byte) ([]byte, error) {
		if text != nil {
			return text, nil
		}
		return json.Marshal(der)
	})
}

// made returns a new key, and its form on a disk.
func made() (*Key, []byte, error) {
	k, err := NewKey()
	if err != nil {
		return nil, nil, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(k.private)
	return k, der, err
}

func parse(der []byte) (*Key, error) {
	key, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		return nil, err
	}
	private, ok := key.(*ecdsa.PrivateKey)
	if !ok || private.Curve != elliptic.P256() {
		return nil, errors.New("it is not one of P-256")
	}
	return &Key{private}, nil
}

// Public is the point of the key, uncompressed, in base64url: what a browser
// subscribes with.
func (k *Key) Public() (string, error) {
	point, err := k.private.PublicKey.Bytes()
	return base64.RawURLEncoding.EncodeToString(point), err
}

// claimTime is how long an authorization is good; RFC 8292 has a day at most.
const claimTime = 12 * time.Hour

// authorization is the header for an endpoint. The contact is whom the push service
// may ask.
func (k *Key) authorization(endpoint *url.URL, contact string, now time.Time) (string, error) {
	public, err := k.Public()
	if err != nil {
		return "", err
	}
	claims, err := json.Marshal(map[string]any{"aud": "https://" + endpoint.Host, "exp": now.Add(claimTime).Unix(), "sub": contact})
	if err != nil {
		return "", err
	}
	encode := base64.RawURLEncoding.EncodeToString
	text := encode([]byte(`{"typ":"JWT","alg":"ES256"}`)) + "." + encode(claims)
	sum := sha256.Sum256([]byte(text))
	r, s, err := ecdsa.Sign(rand.Reader, k.private, sum[:])
	if err != nil {
		return "", err
	}
	signature := append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...)
	return "vapid t=" + text + "." + encode(signature) + ", k=" + public, nil
}
