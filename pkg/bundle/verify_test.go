package bundle

import (
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	opa "github.com/open-policy-agent/opa/v1/bundle"
)

// forged signs any header and claims by the main key.
func forged(t testing.TB, header, claims string) string {
	t.Helper()
	key, err := main1.material()
	if err != nil {
		t.Fatal(err)
	}
	text := raw64([]byte(header)) + "." + raw64([]byte(claims))
	signature, err := key.sign([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return tokenFile(text + "." + raw64(signature))
}

func tokenFile(text string) string { return fmt.Sprintf(`{"signatures":[%q]}`, text) }

func TestVerify(t *testing.T) {
	unsigned := written(t, sample())
	good := signed(t, unsigned, main1)
	scoped := main1
	scoped.Scope = "write"
	text := fileIn(t, good, signaturesFile)
	sig, err := readToken([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(sig.text, ".")
	claims, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		t.Fatal(err)
	}
	const header = `{"alg":"ES256","kid":"main"}`
	without := strings.Replace(string(claims), `"keyid":"main",`, "", 1)
	without = strings.Replace(without, `,"keyid":"main"`, "", 1)
	withSig := func(text string) []byte { return changed(t, good, signaturesFile, text) }
	none := raw64([]byte(`{"alg":"none","kid":"main"}`)) + "." + parts[1] + "."
	hashed := func(old, hash string) string { return strings.ReplaceAll(string(claims), old, hash) }
	any1 := &Verification{Keys: trust1.Keys}
	twoKeys := map[string]Key{"main": {PEM: pkix(p256)}, "old": {PEM: pkix(ed)}}

	for _, row := range []struct {
		want    error
		text    string
		archive []byte
		v       *Verification
	}{
		{nil, "", good, trust1},
		{nil, "", good, any1},
		{nil, "", good, nil},
		{nil, "", withSig("garbage"), nil},
		{nil, "", good, &Verification{Keys: twoKeys}},
		{nil, "", good, &Verification{Keys: map[string]Key{"main": {Algorithm: "ES256", PEM: pkix(p256)}}}},
		{nil, "", signed(t, unsigned, scoped), &Verification{Keys: trust1.Keys, Scope: "write"}},
		{nil, "", withSig(forged(t, header, string(claims))), trust1},
		{nil, "", withSig(forged(t, `{"alg":"ES256"}`, string(claims))), any1},
		{nil, "", withSig(forged(t, `{"alg":"ES256"}`, without)), trust1},
		{nil, "", withSig(forged(t, `{"alg":"ES256"}`, without)), any1}, // as opa sign leaves it
		{nil, "", withSig(`{"signatures":["` + sig.text + `"],"plugin":"_default"}`), trust1},
		{nil, "", changed(t, good, "data.json", " "+fileIn(t, good, "data.json")+"\n"), trust1}, // white space is not signed

		{ErrUnsigned, ".signatures.json is missing", unsigned, trust1},
		{ErrUnsigned, ".signatures.json is missing", unsigned, any1},
		{ErrSignature, "not JSON", withSig("garbage"), trust1},
		{ErrSignature, "something follows", withSig(text + text), trust1},
		{ErrSignature, `the key "signatures" appears twice`, withSig(`{"signatures":[],` + text[1:]), trust1},
		{ErrSignature, "holds 0 signatures", withSig("{}"), trust1},
		{ErrSignature, "holds 0 signatures", withSig("null"), trust1},
		{ErrSignature, "cannot unmarshal", withSig("[]"), trust1},
		{ErrSignature, "holds 0 signatures", withSig(`{"signatures":[]}`), trust1},
		{ErrSignature, "holds 2 signatures", withSig(`{"signatures":["` + sig.text + `","` + sig.text + `"]}`), trust1},
		{ErrSignature, "by the plugin mine", withSig(`{"plugin":"mine","signatures":["` + sig.text + `"]}`), trust1},
		{ErrSignature, "three parts", withSig(tokenFile(parts[0] + "." + parts[1])), trust1},
		{ErrSignature, "three parts", withSig(tokenFile("")), trust1},
		{ErrSignature, "three parts", withSig(tokenFile(parts[0] + "\n." + parts[1] + "." + parts[2])), trust1},
		{ErrSignature, "the header is not base64url", withSig(tokenFile("=." + parts[1] + "." + parts[2])), trust1},
		{ErrSignature, "the header", withSig(tokenFile("." + parts[1] + "." + parts[2])), trust1},
		{ErrSignature, "the signature is not base64url", withSig(tokenFile(sig.text + "=")), trust1},
		{ErrSignature, "", withSig(tokenFile(parts[0] + "." + parts[1] + ".")), trust1},
		{ErrSignature, "by the algorithm none", withSig(tokenFile(none)), trust1},
		{ErrSignature, "by the algorithm HS256", withSig(forged(t, `{"alg":"HS256","kid":"main"}`, string(claims))), trust1},
		{ErrSignature, "by the algorithm", withSig(forged(t, `{"kid":"main"}`, string(claims))), trust1},
		{ErrSignature, `key "alg" appears twice`, withSig(forged(t, `{"alg":"none","alg":"ES256","kid":"main"}`, string(claims))), trust1},
		{ErrSignature, "(crit)", withSig(forged(t, `{"alg":"ES256","kid":"main","crit":["b64"]}`, string(claims))), trust1},
		{ErrSignature, "names two keys", withSig(forged(t, `{"alg":"ES256","kid":"old"}`, string(claims))), any1},
		{ErrSignature, "has no key id", withSig(forged(t, `{"alg":"ES256"}`, without)), &Verification{Keys: twoKeys}},
		{ErrSignature, "key main, and old is required", good, &Verification{Keys: twoKeys, KeyID: "old"}},
		{ErrSignature, "known are old", good, &Verification{Keys: map[string]Key{"old": {PEM: pkix(ed)}}}},
		{ErrSignature, "algorithm ES256, and the key main is for EdDSA", good, &Verification{Keys: map[string]Key{"main": {PEM: pkix(ed)}}}},
		{ErrSignature, "failed to verify", good, &Verification{Keys: map[string]Key{"main": {PEM: pkix(curve(p256.Curve))}}}},
		{ErrSignature, "scope mismatch", good, &Verification{Keys: trust1.Keys, Scope: "write"}},
		{ErrSignature, "scope mismatch", signed(t, unsigned, scoped), &Verification{Keys: trust1.Keys, Scope: "read"}},
		{ErrSignature, "scope mismatch", signed(t, unsigned, scoped), trust1},
		{ErrSignature, "covers no file", withSig(forged(t, header, `{"files":[]}`)), trust1},
		{ErrSignature, "covers no file", withSig(forged(t, header, `{}`)), trust1},
		{ErrSignature, "covers no file", archived(signaturesFile, forged(t, header, `{"files":[]}`)), trust1},
		{ErrSignature, "cannot unmarshal", withSig(forged(t, header, `{"files":{}}`)), trust1},
		{ErrSignature, "hashed by MD5", withSig(forged(t, header, hashed("SHA-256", "MD5"))), trust1},
		{ErrSignature, "hashed by SHA-1", withSig(forged(t, header, hashed("SHA-256", "SHA-1"))), trust1},
		{ErrSignature, `hashed by ""`, withSig(forged(t, header, hashed("SHA-256", ""))), trust1},
		{ErrSignature, "digest mismatch", withSig(forged(t, header, hashed("SHA-256", "SHA-512"))), trust1},
		{ErrSignature, "data.json is signed twice", withSig(forged(t, header, hashed(`"name":"policyctl/rules/rules.rego"`, `"name":"./data.json"`))), trust1},
		{ErrSignature, "leaves the archive", withSig(forged(t, header, hashed(`"data.json"`, `"../data.json"`))), trust1},

		{ErrSignature, "changed or added", changed(t, good, "policyctl/extra.rego", "package policyctl.extra"), trust1},
		{ErrSignature, "changed or added", changed(t, good, "notes.txt", "x"), trust1},
		{ErrSignature, "changed or added", changed(t, good, "teams/data.json", `{}`), trust1},
		{ErrSignature, "changed or added", changed(t, good, "policyctl/rules/rules.rego", rules+" "), trust1},
		{ErrSignature, "changed or added", changed(t, good, "data.json", `{"teams":{"limit":11,"names":["a","b"]}}`), trust1},
		{ErrSignature, "changed or added", changed(t, good, "data.json", `{"teams":{"limit":10.0,"names":["a","b"]}}`), trust1},
		{ErrSignature, "changed or added", changed(t, good, manifestFile, strings.Replace(fileIn(t, good, manifestFile), ":12", ":13", 1)), trust1},
		{ErrSignature, "signed file .manifest is missing", changed(t, good, manifestFile, ""), trust1},
		{ErrSignature, "signed file policyctl/rules/rules.rego is missing", changed(t, good, "policyctl/rules/rules.rego", ""), trust1},
		{ErrSignature, "", changed(t, good, "data.json", "", "data.yaml", fileIn(t, good, "data.json")), trust1},
		{ErrMalformed, "appears twice", changed(t, good, "data.json", `{"teams":1,`+fileIn(t, good, "data.json")[1:]), trust1},
		{ErrMalformed, "something follows", changed(t, good, "data.json", fileIn(t, good, "data.json")+"# yaml"), trust1},
	} {
		b, err := Read(row.archive, row.v, Limits{})
		if (err == nil) != (row.want == nil) || !errors.Is(err, row.want) || (err != nil && !strings.Contains(err.Error(), row.text)) {
			t.Errorf("%v %q: got %v", row.want, row.text, err)
		}
		if (b == nil) != (err != nil) || (b != nil && row.v != nil && b.KeyID != "main") {
			t.Errorf("%v %q: got %+v with %v", row.want, row.text, b, err)
		}
		if errors.Is(err, ErrMalformed) && errors.Is(err, ErrSignature) {
			t.Errorf("%v is two things", err)
		}
	}
}

// TestHashes signs by each hash that is accepted.
func TestHashes(t *testing.T) {
	const module = "package a\n"
	for _, hash := range fileHashes {
		hasher, err := opa.NewSignatureHasher(opa.HashingAlgorithm(hash))
		if err != nil {
			t.Fatal(err)
		}
		sum, err := hasher.HashFile([]byte(module))
		if err != nil {
			t.Fatal(err)
		}
		claims, err := json.Marshal(map[string]any{"files": []opa.FileInfo{opa.NewFile("/a.rego", fmt.Sprintf("%x", sum), hash)}})
		if err != nil {
			t.Fatal(err)
		}
		archive := archived("a.rego", module, signaturesFile, forged(t, `{"alg":"ES256","kid":"main"}`, string(claims)))
		if _, err := Read(archive, trust1, Limits{}); err != nil {
			t.Errorf("%s: %v", hash, err)
		}
	}
}

// What is wrong with the keys is no fault of the bundle.
func TestVerificationRefuses(t *testing.T) {
	good := signed(t, written(t, sample()), main1)
	keys := func(algorithm, pem string) *Verification {
		return &Verification{Keys: map[string]Key{"main": {algorithm, pem}}}
	}
	for _, row := range []struct {
		want string
		v    *Verification
	}{
		{"no key to verify", &Verification{}},
		{"no key to verify", &Verification{KeyID: "main"}},
		{`"x" is not among the keys main`, &Verification{Keys: trust1.Keys, KeyID: "x"}},
		{"no PEM", keys("", "")},
		{"no PEM", keys("", phrase)},
		{"the key is private", keys("", pkcs8(p256))},
		{"more than one key", keys("", pkix(p256)+pkix(ed))},
		{"cannot be read", keys("", encoded("PUBLIC KEY", []byte("x"), nil))},
		{"certificate cannot be read", keys("", encoded("CERTIFICATE", []byte("x"), nil))},
		{`type "SSH" is not supported`, keys("", encoded("SSH", []byte("x"), nil))},
		{"unknown algorithm none", keys("none", pkix(p256))},
		{"does not fit the key", keys("RS256", pkix(p256))},
		{"is a PEM", keys("HS256", pkix(p256))},
		{"needs 64", keys("HS512", phrase[:63])},
		{"has 1024 bits", keys("", pkix(rsaKey(1024)))},
		{`verification key "z"`, &Verification{Keys: map[string]Key{"main": trust1.Keys["main"], "z": {}}}},
	} {
		b, err := Read(good, row.v, Limits{})
		if b != nil || err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: got %v", row.want, err)
		}
		for _, of := range []error{ErrUnsigned, ErrSignature, ErrMalformed} {
			if errors.Is(err, of) {
				t.Errorf("%v is blamed on the bundle", err)
			}
		}
	}
}

func TestCertificate(t *testing.T) {
	c := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Unix(1<<31, 0)}
	der, err := x509.CreateCertificate(rand.Reader, c, c, p256.Public(), p256)
	v := &Verification{Keys: map[string]Key{"main": {PEM: encoded("CERTIFICATE", der, err)}}}
	if _, err := Read(signed(t, written(t, sample()), main1), v, Limits{}); err != nil {
		t.Error(err)
	}
}
