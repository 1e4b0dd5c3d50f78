package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// signReceipt is a program that has a key: it signs what it reads.
func signReceipt() {
	seed, err := os.ReadFile(os.Args[1])
	text, readErr := io.ReadAll(os.Stdin)
	if err != nil || readErr != nil || len(seed) != ed25519.SeedSize {
		fmt.Fprintln(os.Stderr, "the token is locked")
		os.Exit(1)
	}
	fmt.Println(base64.StdEncoding.EncodeToString(ed25519.Sign(ed25519.NewKeyFromSeed(seed), text)))
}

// pinned returns the ids of the keys that the service tells, with their ends.
func (o *office) pinned() map[string]bool {
	o.Helper()
	var info struct {
		Keys struct {
			Keys []struct {
				Kid string
				Exp int64
			}
		}
	}
	text, err := os.ReadFile(filepath.Join(o.state, "service.json"))
	if err == nil {
		err = json.Unmarshal(text, &info)
	}
	if err != nil {
		o.Fatal(err)
	}
	ended := make(map[string]bool)
	for _, k := range info.Keys.Keys {
		ended[k.Kid] = k.Exp != 0
	}
	return ended
}

// inForce returns the id of the key that signs, and how many there are.
func (o *office) inForce() (kid string, all int) {
	o.Helper()
	ended := o.pinned()
	for id, over := range ended {
		if !over && kid != "" {
			o.Fatalf("two keys sign: %v", ended)
		}
		if !over {
			kid = id
		}
	}
	return kid, len(ended)
}

// The key outlives a restart in its file, one that others may read signs
// nothing, and one that is gone is replaced and told of.
func TestServeKeyFile(t *testing.T) {
	o := newOffice(t)
	o.open()
	first, _ := o.inForce()
	file := o.database() + ".key"
	o.end(syscall.SIGTERM)
	o.open()
	if again, all := o.inForce(); again != first || all != 1 {
		t.Errorf("another key after a restart: %d keys", all)
	}
	if out := o.must("serve", "backup", filepath.Join(o.home, "copy.db")); !strings.Contains(out, "without the signing key") {
		t.Error(out)
	}
	o.end(syscall.SIGTERM)
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, stderr, code := o.run("", "serve", "--listen", "127.0.0.1:0"); code != 1 || !strings.Contains(stderr, "others may read it (mode 0644): chmod 600") {
		t.Errorf("%d %s", code, stderr)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if _, stderr, code := o.run("", "audit", "checkpoint"); code != 1 || !strings.Contains(stderr, "there is none") {
		t.Errorf("%d %s", code, stderr)
	}
	o.open()
	if second, all := o.inForce(); second == first || all != 2 || !o.says("the signing key is gone") {
		t.Errorf("%d keys: %s", all, o.stderr)
	}
}

// A service of before kept the key in its database: it signs on, from a file.
func TestServeKeyMoves(t *testing.T) {
	o := newOffice(t)
	o.must("serve", "--help")
	if err := os.MkdirAll(o.state, 0o700); err != nil {
		t.Fatal(err)
	}
	o.must("token", "create", "ann", "--scope", "approve")
	seed := bytes.Repeat([]byte{7}, ed25519.SeedSize)
	key := ed25519.NewKeyFromSeed(seed)
	const kid = "--6IM5l0OosLj9yWskISYhUA3n_3CURQkmrYMSha_ck" // docs/receipts.md
	o.sql("INSERT INTO kept_keys (id, private, created) VALUES ('"+kid+"', x'"+hex.EncodeToString(key)+"', 1)",
		"INSERT INTO signing_keys (id, public, created) VALUES ('"+kid+"', x'"+hex.EncodeToString(key[32:])+"', 1)")
	o.open()
	if got, all := o.inForce(); got != kid || all != 1 {
		t.Errorf("%s of %d", got, all)
	}
	for _, suffix := range []string{"", "-wal"} {
		if text, err := os.ReadFile(o.database() + suffix); err != nil || bytes.Contains(text, seed) {
			t.Errorf("the database%s has the key: %v", suffix, err)
		}
	}
	o.end(syscall.SIGKILL)
	o.open()
	if got, all := o.inForce(); got != kid || all != 1 {
		t.Errorf("%s of %d", got, all)
	}
}

// A command signs: no key is in a file of the service, and what it signs holds.
func TestServeSignCommand(t *testing.T) {
	o := newOffice(t)
	seed := filepath.Join(o.home, "seed")
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	data, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	pub := o.file(string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: data})))
	if err := os.WriteFile(seed, private.Seed(), 0o600); err != nil {
		t.Fatal(err)
	}
	by := []string{"--sign-command", "sign-receipt " + seed, "--sign-key", pub}
	o.open(append([]string{"--listen", "127.0.0.1:0"}, by...)...)
	if files, err := filepath.Glob(filepath.Join(o.state, "*.key")); len(files) > 0 || err != nil {
		t.Errorf("%v %v", files, err)
	}
	ann := o.file(o.secret("ann", "approve"))
	id := o.ask("make deploy")
	o.must("requests", "approve", id, "--token-file", ann)
	if status, r := o.post("/v1/receipts/consume", `{"receipt":"`+o.receipt(id)+`"}`); status != http.StatusOK {
		t.Errorf("%d %v", status, r)
	}
	point := o.file(o.must(append([]string{"audit", "checkpoint"}, by...)...))
	if out := o.must("audit", "verify", "--checkpoint", point); !strings.Contains(out, "checkpoint  holds") {
		t.Error(out)
	}
	locked := o.ask("make again")
	if err := os.Remove(seed); err != nil {
		t.Fatal(err)
	}
	if _, stderr, code := o.run("", "requests", "approve", locked, "--token-file", ann); code != 1 {
		t.Errorf("approved without a signature: %d %s", code, stderr)
	}
	if out := o.must("requests", "show", locked); !strings.Contains(out, "PENDING") && !strings.Contains(out, "pending") {
		t.Error(out)
	}
	o.must("requests", "deny", locked, "--reason", "no", "--token-file", ann)
	o.end(syscall.SIGTERM)
	for want, args := range map[string][]string{
		"exit status 1: the token is locked": by,
		"give its public key":                by[:2],
		"no shell reads it":                  {"--sign-command", "sh -c 'x'", "--sign-key", pub},
		"rotate it there":                    append([]string{"--rotate-key"}, by...),
	} {
		if _, stderr, code := o.run("", append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...); code == 0 || !strings.Contains(stderr, want) {
			t.Errorf("%s: %d %s", want, code, stderr)
		}
	}
}

// After a rotation the old key is told as retired, and its file is gone.
func TestServeRotates(t *testing.T) {
	o := newOffice(t)
	o.open()
	first, _ := o.inForce()
	before, err := os.ReadFile(o.database() + ".key")
	if err != nil {
		t.Fatal(err)
	}
	o.end(syscall.SIGTERM)
	o.open("--listen", "127.0.0.1:0", "--rotate-key")
	if second, all := o.inForce(); second == first || all != 2 {
		t.Errorf("%d keys", all)
	}
	o.end(syscall.SIGTERM)
	if err := os.WriteFile(o.database()+".key", before, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"serve", "--listen", "127.0.0.1:0"}, {"audit", "checkpoint"}} {
		if _, stderr, code := o.run("", args...); code != 1 || !strings.Contains(stderr, "retired at") && !strings.Contains(stderr, "is not the one that signs") {
			t.Errorf("%v: %d %s", args, code, stderr)
		}
	}
	if out := o.must("audit", "verify"); !strings.HasPrefix(out, "verified  yes") {
		t.Error(out)
	}
}

// Requests whose time is over long ago are outlines after a start, and say so.
func TestServePrunes(t *testing.T) {
	o := newOffice(t)
	o.open()
	ann := o.file(o.secret("ann", "approve"))
	id, masked := o.ask("make deploy"), o.ask("curl -H 'Authorization: Bearer ghp_16C7e42F292c6912E7710c838347Ae178B4a' x.example")
	o.must("requests", "approve", id, "--token-file", ann)
	receipt := o.receipt(id)
	o.must("requests", "deny", masked, "--reason", "no", "--token-file", ann)
	out := o.must("requests", "show", masked)
	if !strings.Contains(out, "Redacted since it is over: /call/input/command ") || strings.Contains(out, "ghp_") {
		t.Error(out)
	}
	o.end(syscall.SIGTERM)
	// Long ago.
	o.sql("UPDATE requests SET expires = 1, document = json_set(document, '$.expires', '2020-01-01T00:00:00Z') WHERE id = '" + id + "'")
	o.open("--listen", "127.0.0.1:0", "--keep", "forever")
	if out := o.must("requests", "show", id); !strings.Contains(out, "make deploy") {
		t.Error(out)
	}
	o.end(syscall.SIGTERM)
	// The receipt has ended.
	o.sql(`UPDATE requests SET document = json_set(document, '$.receipt.expires', '2020-01-01T00:00:00Z') WHERE id = '` + id + `'`)
	o.open("--listen", "127.0.0.1:0", "--keep", "30d")
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		out = o.must("requests", "show", id)
		if strings.Contains(out, "\nPruned ") || time.Now().After(deadline) {
			break
		}
	}
	if !strings.Contains(out, "\nPruned ") || strings.Contains(out, "make deploy") || !strings.Contains(out, "approved_once") {
		t.Error(out)
	}
	if status, r := o.post("/v1/receipts/consume", `{"receipt":"`+receipt+`"}`); status == http.StatusOK {
		t.Errorf("%d %v", status, r)
	}
	o.must("requests", "list", "--all")
	if out := o.must("audit", "verify"); !strings.HasPrefix(out, "verified  yes") {
		t.Error(out)
	}
	o.end(syscall.SIGTERM)
	if _, stderr, code := o.run("", "serve", "--keep", "12h"); code != 2 || !strings.Contains(stderr, "give a number of days such as 90d, or forever") {
		t.Errorf("%d %s", code, stderr)
	}
}

// To read the key asks, wherever it is, also when the service has ended.
func TestServeKeyIsPrivate(t *testing.T) {
	o := newOffice(t)
	key := filepath.Join(t.TempDir(), "receipts.pem")
	o.open("--sign-key", key)
	o.end(syscall.SIGTERM)
	for _, path := range []string{key, filepath.Join(o.state, "approval.db.key")} {
		out, stderr, code := o.run("", "eval", "--yolo", "base64 "+path)
		if code != 4 || !strings.Contains(out, "rule       own-state") {
			t.Errorf("%s: %d\n%s%s", path, code, out, stderr)
		}
	}
}
