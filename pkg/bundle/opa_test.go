package bundle

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
	opa "github.com/open-policy-agent/opa/v1/bundle"
)

// stock reads an archive as OPA does.
func stock(archive []byte, config *opa.VerificationConfig) (opa.Bundle, error) {
	return opa.NewReader(bytes.NewReader(archive)).WithBundleVerificationConfig(config).Read()
}

func TestOPAReadsOurs(t *testing.T) {
	for _, k := range []struct {
		private SigningKey
		public  string
		keyID   string
	}{
		{SigningKey{ID: "main", PEM: pkcs8(p256)}, pkix(p256), "main"},
		{SigningKey{ID: "main", PEM: pkcs8(p256), Scope: "write"}, pkix(p256), ""},
		{SigningKey{ID: "r", PEM: pkcs8(rsa2k)}, pkix(rsa2k), ""},
		{SigningKey{ID: "r", PEM: pkcs8(rsa2k), Algorithm: "PS384"}, pkix(rsa2k), "r"},
		{SigningKey{ID: "h", PEM: phrase, Algorithm: "HS256"}, phrase, "h"},
		{SigningKey{ID: "e", PEM: pkcs8(ed)}, pkix(ed), "e"},
	} {
		m, err := k.private.material()
		if err != nil {
			t.Fatal(err)
		}
		keys := map[string]*opa.KeyConfig{k.private.ID: {Key: k.public, Algorithm: m.algorithm}}
		config := opa.NewVerificationConfig(keys, k.keyID, k.private.Scope, nil)
		got, err := stock(signed(t, written(t, sample()), k.private), config)
		if err != nil {
			t.Errorf("%s: %v", m.algorithm, err)
			continue
		}
		if got.Manifest.Revision != sample().Revision || len(got.Modules) != 2 || *got.Manifest.RegoVersion != 1 {
			t.Errorf("%s: got %v", m.algorithm, got.Manifest)
		}
		texts := got.Data[own].(map[string]any)[policiesKey].(map[string]any)
		if texts["base.yaml"] != "tools: {}\n" {
			t.Errorf("%s: got %v", m.algorithm, texts)
		}
	}
	if _, err := stock(written(t, sample()), opa.NewVerificationConfig(nil, "", "", nil)); err == nil {
		t.Error("OPA read an unsigned one")
	}
}

// theirs is a bundle as OPA writes and signs it.
func theirs(t *testing.T, b opa.Bundle, k SigningKey) []byte {
	t.Helper()
	if k.ID != "" {
		config := opa.NewSigningConfig(k.PEM, k.Algorithm, "")
		if err := b.GenerateSignature(config, k.ID, true); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := opa.NewWriter(&out).UseModulePath(true).DisableFormat(true).Write(b); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestWeReadTheirs(t *testing.T) {
	bare := opa.Bundle{
		Data: map[string]any{"a": map[string]any{"n": 1.5, "list": []any{true, nil, "<&>"}}},
		Modules: []opa.ModuleFile{{
			Path: "/policyctl/rules.rego", URL: "/policyctl/rules.rego", Raw: []byte(rules), Parsed: ast.MustParseModule(rules),
		}},
	}
	full := bare
	full.Manifest = opa.Manifest{Revision: "r1", Roots: &[]string{"a", "policyctl/"}, Metadata: map[string]any{"other": 1}}
	for _, k := range []SigningKey{
		{},
		{ID: "main", PEM: pkcs8(p256), Algorithm: "ES256"},
		{ID: "main", PEM: pkcs8(rsa2k)},
		{ID: "main", PEM: phrase, Algorithm: "HS512"},
	} {
		var v *Verification
		if k.ID != "" {
			v = &Verification{Keys: map[string]Key{"main": {k.Algorithm, publicOf(k)}}}
		}
		for _, b := range []opa.Bundle{bare, full} {
			got, err := Read(theirs(t, b, k), v, Limits{})
			if err != nil {
				t.Errorf("%s: %v", k.Algorithm, err)
				continue
			}
			if got.Sequence != 0 || !got.Expires.IsZero() || got.KeyID != k.ID || got.Revision != b.Manifest.Revision {
				t.Errorf("%s: got %+v", k.Algorithm, got)
			}
			if want := []File{{"policyctl/rules.rego", rules}}; !reflect.DeepEqual(got.Modules, want) {
				t.Errorf("%s: got %v", k.Algorithm, got.Modules)
			}
		}
	}
}

func publicOf(k SigningKey) string {
	m, err := k.material()
	if err != nil {
		panic(err)
	}
	config, err := m.config()
	if err != nil {
		panic(err)
	}
	return config.Key
}

// A document that OPA's own verification lets through: the manifest is hashed
// with the last of two values and read with both.
func TestManifestThatOPAMerges(t *testing.T) {
	archive := signed(t, written(t, sample()), main1)
	manifest := fileIn(t, archive, manifestFile)
	forged := strings.Replace(manifest, `"metadata":`, `"metadata":{"policyctl":{},"injected":1},"metadata":`, 1)
	archive = changed(t, archive, manifestFile, forged)
	config := opa.NewVerificationConfig(map[string]*opa.KeyConfig{"main": {Key: pkix(p256), Algorithm: "ES256"}}, "main", "", nil)
	if got, err := stock(archive, config); err != nil || got.Manifest.Metadata["injected"] == nil {
		t.Errorf("OPA refuses it by now, the reason for our check is gone: %v", err)
	}
	if _, err := Read(archive, trust1, Limits{}); !errors.Is(err, ErrMalformed) {
		t.Errorf("got %v", err)
	}
}
