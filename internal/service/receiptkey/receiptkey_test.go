//go:build unix

package receiptkey_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/receiptkey"
	"github.com/policyctl/policyctl/pkg/approval"
)

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db.key")
	if _, err := receiptkey.Load(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("where none is: %v", err)
	}
	key := approval.NewPrivateKey()
	for _, k := range []approval.PrivateKey{approval.NewPrivateKey(), key} {
		if err := receiptkey.Save(path, k); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	if got, err := receiptkey.Load(path); err != nil || !bytes.Equal(got, key) {
		t.Errorf("another key came back: %v", err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if _, err := receiptkey.Load(path); err == nil || !strings.Contains(err.Error(), "others may read it (mode 0640)") {
		t.Error(err)
	}
}

func TestOtherFiles(t *testing.T) {
	dir := t.TempDir()
	for want, text := range map[string]string{
		"does not hold one PRIVATE KEY": "ssh-ed25519 AAAA",
		"asn1":                          "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
		"one PRIVATE KEY":               strings.Repeat("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", 2),
	} {
		path := filepath.Join(dir, "key")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := receiptkey.Load(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v", text, err)
		}
	}
	if _, err := receiptkey.Load(dir); err == nil {
		t.Error("a directory is a key")
	}
}

// A little program that signs: this test itself, with the key in its argument.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "sign" {
		os.Exit(signs(os.Args[2], os.Args[3]))
	}
	os.Exit(m.Run())
}

func signs(how, file string) int {
	key, err := receiptkey.Load(file)
	var text bytes.Buffer
	if _, read := text.ReadFrom(os.Stdin); err != nil || read != nil {
		return 1
	}
	signature, _ := key.Sign(context.Background(), text.Bytes())
	switch how {
	case "bytes":
		_, err = os.Stdout.Write(signature)
	case "base64":
		_, err = os.Stdout.WriteString(base64.StdEncoding.EncodeToString(signature) + "\n")
	case "base64url":
		_, err = os.Stdout.WriteString(base64.RawURLEncoding.EncodeToString(signature))
	case "much":
		_, err = os.Stdout.Write(bytes.Repeat(signature, 100_000))
	case "fails":
		_, _ = os.Stderr.WriteString("the token is\nlocked")
		return 3
	case "hangs":
		time.Sleep(time.Minute)
	}
	if err != nil {
		return 1
	}
	return 0
}

func TestCommand(t *testing.T) {
	dir := t.TempDir()
	key, other := approval.NewPrivateKey(), filepath.Join(dir, "other")
	file := filepath.Join(dir, "key")
	if err := errors.Join(receiptkey.Save(file, key), receiptkey.Save(other, approval.NewPrivateKey())); err != nil {
		t.Fatal(err)
	}
	for how, want := range map[string]string{
		"bytes": "", "base64": "", "base64url": "",
		"much": "not a signature of the text", "none": "not a signature of the text", "fails": "exit status 3: the token is locked",
	} {
		c, err := receiptkey.NewCommand(t.Context(), []string{os.Args[0], "sign", how, file}, key.Public())
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", how, err)
		}
		if want != "" {
			continue
		}
		if got, err := c.Sign(t.Context(), []byte("x")); err != nil || !ed25519.Verify(key.Public(), []byte("x"), got) {
			t.Errorf("%s: %v", how, err)
		}
	}
	if _, err := receiptkey.NewCommand(t.Context(), []string{os.Args[0], "sign", "bytes", other}, key.Public()); err == nil {
		t.Error("another key signs")
	}
	if _, err := receiptkey.NewCommand(t.Context(), []string{filepath.Join(dir, "none")}, key.Public()); err == nil {
		t.Error("no program signs")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := receiptkey.NewCommand(ctx, []string{os.Args[0], "sign", "hangs", file}, key.Public()); err == nil || !strings.Contains(err.Error(), "it was stopped") {
		t.Errorf("one that hangs: %v", err)
	}
}

func TestPublicFile(t *testing.T) {
	key := approval.NewPrivateKey()
	data, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "public.pem")
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: data}), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := receiptkey.LoadPublic(path); err != nil || !got.Equal(key.Public()) {
		t.Error(err)
	}
	if _, err := receiptkey.Load(path); err == nil {
		t.Error("a public key signs")
	}
}
