package bundle

import (
	"bytes"
	"crypto/elliptic"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func sec1(c elliptic.Curve) (private, public string) {
	key := curve(c)
	der, err := x509.MarshalECPrivateKey(key)
	return encoded("EC PRIVATE KEY", der, err), pkix(key)
}

func TestSign(t *testing.T) {
	p384, p384public := sec1(elliptic.P384())
	p521, p521public := sec1(elliptic.P521())
	params := encoded("EC PARAMETERS", []byte{6, 5, 43, 129, 4, 0, 34}, nil)
	pkcs1 := encoded("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(rsa2k), nil)
	pkcs1public := encoded("RSA PUBLIC KEY", x509.MarshalPKCS1PublicKey(&rsa2k.PublicKey), nil)
	for _, row := range []struct {
		want string
		key  SigningKey
		pub  string
	}{
		{"ES256", SigningKey{PEM: pkcs8(p256)}, pkix(p256)},
		{"ES256", SigningKey{PEM: "a note before\n" + pkcs8(p256) + "and behind\n", Algorithm: "ES256"}, pkix(p256)},
		{"ES384", SigningKey{PEM: params + p384}, p384public},
		{"ES512", SigningKey{PEM: p521, Scope: "ci"}, p521public},
		{"RS256", SigningKey{PEM: pkcs1}, pkcs1public},
		{"RS512", SigningKey{PEM: pkcs8(rsa2k), Algorithm: "RS512"}, pkix(rsa2k)},
		{"PS256", SigningKey{PEM: pkcs1, Algorithm: "PS256"}, pkix(rsa2k)},
		{"EdDSA", SigningKey{PEM: pkcs8(ed)}, pkix(ed)},
		{"HS256", SigningKey{PEM: phrase, Algorithm: "HS256", Scope: "a b"}, phrase},
		{"HS384", SigningKey{PEM: phrase, Algorithm: "HS384"}, phrase},
	} {
		row.key.ID = "team/key-1"
		archive := signed(t, written(t, sample()), row.key)
		algorithm := row.key.Algorithm // for a secret and for PS256 it is part of the key
		v := &Verification{Keys: map[string]Key{"team/key-1": {algorithm, row.pub}, "other": {PEM: pkix(ed)}}, Scope: row.key.Scope}
		got, err := Read(archive, v, Limits{})
		if err != nil {
			t.Errorf("%s: %v", row.want, err)
			continue
		}
		want := sample()
		want.KeyID, want.Digest, want.Content = "team/key-1", got.Digest, got.Content
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v", row.want, got)
		}
		if sig, err := readToken([]byte(fileIn(t, archive, signaturesFile))); err != nil || sig.algorithm != row.want {
			t.Errorf("%s: got %+v, %v", row.want, sig, err)
		}
		again := signed(t, written(t, sample()), row.key)
		if !bytes.Equal(archive, again) && row.want != "PS256" {
			t.Errorf("%s: the same input gives other bytes", row.want)
		}
	}
}

func TestSignReplaces(t *testing.T) {
	first := signed(t, written(t, sample()), SigningKey{ID: "old", PEM: pkcs8(ed)})
	if !bytes.Equal(signed(t, first, main1), signed(t, written(t, sample()), main1)) {
		t.Error("something of the first signature is left")
	}
	garbage := changed(t, first, signaturesFile, "garbage")
	if _, err := Read(signed(t, garbage, main1), trust1, Limits{}); err != nil {
		t.Error(err)
	}
}

// The content of a bundle is not who signed it.
func TestContentDigest(t *testing.T) {
	content := func(b *Bundle, keys ...SigningKey) string {
		archive := written(t, b)
		for _, k := range keys {
			archive = signed(t, archive, k)
		}
		read, err := Read(archive, nil, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return read.Content
	}
	other := sample()
	other.Sequence++
	first := content(sample())
	if again := content(sample(), SigningKey{ID: "old", PEM: pkcs8(ed), Scope: "prod"}, main1); again != first {
		t.Errorf("%s, signed %s", first, again)
	}
	if changed := content(other); changed == first {
		t.Error("another manifest has the same content")
	}
}

func TestSignWhatTarMade(t *testing.T) {
	archive := archived("./data.yaml", "a: &x [1, 1.0, yes]\nb: *x\n", "./deep/data.json", "{\"a\" : 1}", "./README.md", "# Hi",
		"./.manifest", `{"revision": "r", "roots": ["a", "b", "deep", "policyctl"]}`, "./policyctl/policies/data.yml", "r.yaml: |\n  rules: []\n")
	got, err := Read(signed(t, archive, main1), trust1, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if want := []File{{"r.yaml", "rules: []\n"}}; !reflect.DeepEqual(got.Policies, want) || got.Data["b"] == nil || len(got.Data) != 3 {
		t.Errorf("got %+v", got)
	}
	if _, err := Read(changed(t, signed(t, archive, main1), "README.md", "# Ho"), trust1, Limits{}); !errors.Is(err, ErrSignature) {
		t.Errorf("a file that OPA skips was changed: got %v", err)
	}
}

func TestSignRefuses(t *testing.T) {
	locked := encoded("ENCRYPTED PRIVATE KEY", []byte("x"), nil)
	old := string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Headers: map[string]string{"Proc-Type": "4,ENCRYPTED", "DEK-Info": "AES-128-CBC,00"}, Bytes: []byte("x")}))
	good := written(t, sample())
	for _, row := range []struct {
		want string
		key  SigningKey
	}{
		{"needs an id", SigningKey{PEM: pkcs8(p256)}},
		{"needs an id", SigningKey{ID: "a\nb", PEM: pkcs8(p256)}},
		{"no PEM", SigningKey{ID: "k"}},
		{"no PEM", SigningKey{ID: "k", PEM: "/etc/ssl/key.pem"}},
		{"no PEM", SigningKey{ID: "k", PEM: pkcs8(p256)[:60]}},
		{"cannot be read", SigningKey{ID: "k", PEM: encoded("PRIVATE KEY", []byte("nonsense"), nil)}},
		{"more than one key", SigningKey{ID: "k", PEM: pkcs8(p256) + pkcs8(ed)}},
		{"is encrypted", SigningKey{ID: "k", PEM: locked}},
		{"is encrypted", SigningKey{ID: "k", PEM: old}},
		{`type "PUBLIC KEY" does not sign`, SigningKey{ID: "k", PEM: pkix(p256)}},
		{"does not fit the key; use ES256", SigningKey{ID: "k", PEM: pkcs8(p256), Algorithm: "RS256"}},
		{"does not fit the key; use ES256", SigningKey{ID: "k", PEM: pkcs8(p256), Algorithm: "ES384"}},
		{"does not fit the key; use EdDSA", SigningKey{ID: "k", PEM: pkcs8(ed), Algorithm: "ES256"}},
		{"unknown algorithm none", SigningKey{ID: "k", PEM: pkcs8(p256), Algorithm: "none"}},
		{"unknown algorithm HS999", SigningKey{ID: "k", PEM: phrase, Algorithm: "HS999"}},
		{"unknown algorithm rs256", SigningKey{ID: "k", PEM: pkcs8(rsa2k), Algorithm: "rs256"}},
		{"kind of key is not supported", SigningKey{ID: "k", PEM: pkcs8(curve(elliptic.P224()))}},
		{"has 1024 bits, and needs 2048", SigningKey{ID: "k", PEM: pkcs8(rsaKey(1024))}},
		{"is a PEM", SigningKey{ID: "k", PEM: pkcs8(p256), Algorithm: "HS256"}},
		{"has 5 bytes, and needs 32", SigningKey{ID: "k", PEM: "short", Algorithm: "HS256"}},
		{"and needs 32", SigningKey{ID: "k", Algorithm: "HS256"}},
	} {
		if _, err := Sign(good, row.key); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: got %v", row.want, err)
		}
	}
	if _, err := Sign([]byte("x"), main1); !errors.Is(err, ErrMalformed) {
		t.Errorf("got %v", err)
	}
	if _, err := Sign(archived("a.rego", "package"), main1); !errors.Is(err, ErrMalformed) {
		t.Errorf("got %v", err)
	}
	if _, err := Sign(archived(signaturesFile, "{}"), main1); err == nil {
		t.Error("signed nothing at all")
	}
}

// A secret that is the name of a file is still the secret: OPA's own signer
// would read the file.
func TestSecretIsNoFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), strings.Repeat("long", 10))
	if err := os.WriteFile(path, []byte(phrase), 0o600); err != nil {
		t.Fatal(err)
	}
	archive := signed(t, written(t, sample()), SigningKey{ID: "k", PEM: path, Algorithm: "HS256"})
	v := &Verification{Keys: map[string]Key{"k": {"HS256", path}}}
	if _, err := Read(archive, v, Limits{}); err != nil {
		t.Error(err)
	}
}

func TestKeysOfOpenSSL(t *testing.T) {
	if _, err := exec.LookPath("openssl"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("the gate installs openssl: ", err)
		}
		t.Skip("openssl is not installed")
	}
	for want, command := range map[string]string{
		"ES256": "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256",
		"ES384": "ecparam -name secp384r1 -genkey",
		"ES512": "ecparam -name secp521r1 -genkey -noout",
		"RS256": "genrsa -traditional 2048",
		"EdDSA": "genpkey -algorithm ed25519",
	} {
		private, err := exec.Command("openssl", strings.Fields(command)...).Output()
		if err != nil {
			t.Errorf("%s: %v", command, err)
			continue
		}
		pub := exec.Command("openssl", "pkey", "-pubout")
		pub.Stdin = bytes.NewReader(private)
		public, err := pub.Output()
		if err != nil {
			t.Errorf("%s: %v", command, err)
			continue
		}
		archive := signed(t, written(t, sample()), SigningKey{ID: "k", PEM: string(private)})
		if _, err := Read(archive, &Verification{Keys: map[string]Key{"k": {want, string(public)}}}, Limits{}); err != nil {
			t.Errorf("%s: %v", command, err)
		}
	}
}
