package bundle

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

const rules = "package policyctl.rules\n\ndeny contains \"x\" if input.x\n"

// sample is a bundle that uses every field.
func sample() *Bundle {
	return &Bundle{
		Revision: "2026-01-31 main@3f2a",
		Sequence: 12,
		Built:    time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC),
		Expires:  time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC),
		Roots:    []string{"policyctl", "teams"},
		Policies: []File{{"base.yaml", "tools: {}\n"}, {"team/rules.yaml", "rules: <&> \u2028 é\n"}},
		Tests:    []File{{"rules_test.yaml", "tests: []\n"}},
		Modules: []File{
			{"policyctl/admission/admission.rego", "package policyctl.admission\n\nallow := data.teams.limit > 3\n"},
			{"policyctl/rules/rules.rego", rules},
		},
		Data: map[string]any{"teams": map[string]any{"limit": json.Number("10"), "names": []any{"a", "b"}}},
	}
}

func written(t testing.TB, b *Bundle) []byte {
	t.Helper()
	archive, err := Write(b)
	if err != nil {
		t.Fatal(err)
	}
	return archive
}

func signed(t testing.TB, archive []byte, k SigningKey) []byte {
	t.Helper()
	archive, err := Sign(archive, k)
	if err != nil {
		t.Fatal(err)
	}
	return archive
}

// gzipped packs bytes, tarred packs entries in the given order.
func gzipped(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

func tarred(headers ...tar.Header) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range headers {
		data := h.Linkname // the content of a plain file
		if h.Typeflag == 0 {
			h.Typeflag = tar.TypeReg
		}
		if h.Typeflag == tar.TypeReg {
			h.Linkname, h.Size = "", int64(len(data))
		}
		if err := w.WriteHeader(&h); err != nil {
			panic(err)
		}
		if h.Typeflag == tar.TypeReg {
			w.Write([]byte(data))
		}
	}
	w.Close()
	return b.Bytes()
}

// plain is the header of a plain file with its content.
func plain(name, text string) tar.Header { return tar.Header{Name: name, Linkname: text} }

// archived packs files given as name, text, name, text.
func archived(pairs ...string) []byte {
	var headers []tar.Header
	for i := 0; i < len(pairs); i += 2 {
		headers = append(headers, plain(pairs[i], pairs[i+1]))
	}
	return gzipped(tarred(headers...))
}

// changed returns the archive with files replaced, added, or removed by "".
func changed(t testing.TB, archive []byte, pairs ...string) []byte {
	t.Helper()
	entries, err := unpack(archive, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	for _, e := range entries {
		files[e.name] = string(e.data)
	}
	for i := 0; i < len(pairs); i += 2 {
		if files[pairs[i]] = pairs[i+1]; pairs[i+1] == "" {
			delete(files, pairs[i])
		}
	}
	var all []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		all = append(all, name, files[name])
	}
	return archived(all...)
}

func fileIn(t testing.TB, archive []byte, name string) string {
	t.Helper()
	entries, err := unpack(archive, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.name == name {
			return string(e.data)
		}
	}
	t.Fatalf("no %s in the archive", name)
	return ""
}

func encoded(kind string, der []byte, err error) string {
	if err != nil {
		panic(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

func pkcs8(key any) string {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	return encoded("PRIVATE KEY", der, err)
}

func pkix(key crypto.Signer) string {
	der, err := x509.MarshalPKIXPublicKey(key.Public())
	return encoded("PUBLIC KEY", der, err)
}

func curve(c elliptic.Curve) *ecdsa.PrivateKey {
	key, err := ecdsa.GenerateKey(c, rand.Reader)
	if err != nil {
		panic(err)
	}
	return key
}

func edwards() ed25519.PrivateKey {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		panic(err)
	}
	return key
}

func rsaKey(bits int) *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		panic(err)
	}
	return key
}

// The keys of the tests, made once.
var (
	p256   = curve(elliptic.P256())
	rsa2k  = rsaKey(2048)
	ed     = edwards()
	phrase = strings.Repeat("s3cret!", 10)
	main1  = SigningKey{ID: "main", PEM: pkcs8(p256)}
	trust1 = &Verification{Keys: map[string]Key{"main": {PEM: pkix(p256)}}, KeyID: "main"}
)
