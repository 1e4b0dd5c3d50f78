package audit

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gowebpki/jcs"
)

// Another program can check the signature as the doc comment says.
func TestSignatureAsDocumented(t *testing.T) {
	c := sign(t, next(t, nil, full()))
	data, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	delete(m, "signature")
	m["type"] = "policyctl audit checkpoint 1"
	if data, err = json.Marshal(m); err != nil {
		t.Fatal(err)
	}
	if data, err = jcs.Transform(data); err != nil {
		t.Fatal(err)
	}
	signature, err := base64.RawURLEncoding.DecodeString(c.Signature)
	if err != nil || !ed25519.Verify(trusted["k1"], data, signature) {
		t.Errorf("%v: no signature over %s", err, data)
	}
}

// Whatever is changed in a checkpoint, its signature fails.
func TestCheckpointChanged(t *testing.T) {
	rows := []struct {
		want string
		edit func(*Checkpoint)
	}{
		{"is not valid", func(c *Checkpoint) { c.Seq++ }},
		{"is not valid", func(c *Checkpoint) { c.Hash = genesis() }},
		{"is not valid", func(c *Checkpoint) { c.Time = c.Time.Add(time.Microsecond) }},
		{"is not valid", func(c *Checkpoint) { c.KeyID = "k2" }},
		{"is not valid", func(c *Checkpoint) { c.Signature = "" }},
		{"is not valid", func(c *Checkpoint) { c.Signature += "=" }},
		{"is not valid", func(c *Checkpoint) { c.Signature = c.Signature[:85] + string(c.Signature[85]+1) }},
		{"is not valid", func(c *Checkpoint) { c.Signature += "\n" }},
		{"is not valid", func(c *Checkpoint) { c.Signature = sign(t, nil).Signature }},
		{"only [k1, k2]", func(c *Checkpoint) { c.KeyID = "k3" }},
		{"only [k1, k2]", func(c *Checkpoint) { c.KeyID = "" }},
		{"seq or hash is not", func(c *Checkpoint) { c.Seq = 0 }},
		{"seq or hash is not", func(c *Checkpoint) { c.Seq = -1 }},
		{"seq or hash is not", func(c *Checkpoint) { c.Seq = maxSeq + 1 }},
		{"seq or hash is not", func(c *Checkpoint) { c.Hash = strings.ToUpper(c.Hash) }},
	}
	keys := map[string]ed25519.PublicKey{"k1": trusted["k1"], "k2": privateKey(2).Public().(ed25519.PublicKey)}
	last := next(t, nil, full())
	for i, row := range rows {
		c := sign(t, last)
		if err := c.Verify(keys); err != nil {
			t.Fatal(err)
		}
		row.edit(c)
		if err := c.Verify(keys); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("row %d: %v, not an error with %q", i, err, row.want)
		}
		if new(Verifier).Expect(c, keys) == nil {
			t.Errorf("row %d: a verifier takes it", i)
		}
	}
	if err := sign(t, last).Verify(map[string]ed25519.PublicKey{"k1": nil}); err == nil {
		t.Error("an empty key is one")
	}
}

func TestSignRefuses(t *testing.T) {
	last := next(t, nil, full())
	rows := []struct {
		want string
		key  ed25519.PrivateKey
		kid  string
		last *Record
		at   time.Time
	}{
		{"has no id", privateKey(1), "", last, noon},
		{"the time is zero", privateKey(1), "k1", last, time.Time{}},
		{"seq or hash", privateKey(1), "k1", &Record{}, noon},
		{"seq or hash", privateKey(1), "k1", &Record{Seq: 3, Hash: "x"}, noon},
		{"is not UTF-8", privateKey(1), "\xff", last, noon},
		{"years 1 to 9999", privateKey(1), "k1", last, noon.AddDate(9000, 0, 0)},
	}
	for want, sign := range map[string]func([]byte) ([]byte, error){
		"has 3 bytes, not 64": func([]byte) ([]byte, error) { return []byte("abc"), nil },
		"record 1: locked":    func([]byte) ([]byte, error) { return nil, errors.New("locked") },
	} {
		if c, err := Sign(sign, "k1", last, noon); c != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, not an error with %q", err, want)
		}
	}
	for _, row := range rows {
		if c, err := Sign(signer(row.key), row.kid, row.last, row.at); c != nil || err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%v, not an error with %q", err, row.want)
		}
	}
}

func TestReadCheckpoint(t *testing.T) {
	data, err := json.MarshalIndent(sign(t, next(t, nil, full())), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	good := string(data)
	c, err := ReadCheckpoint(data)
	if err != nil || c.Verify(trusted) != nil {
		t.Fatalf("%v, %v", err, c)
	}
	for want, text := range map[string]string{
		"appears twice":      strings.Replace(good, `{`, `{"seq": 1,`, 1),
		"the keys are":       strings.Replace(good, `{`, `{"Seq": 1,`, 1),
		"not a JSON object":  "null",
		"something follows":  good + good,
		"cannot unmarshal":   strings.Replace(good, `"seq": 1`, `"seq": "1"`, 1),
		"ends too early":     good[:40],
		`not ["hash" "key_i`: "{}",
	} {
		if _, err := ReadCheckpoint([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, not an error with %q", err, want)
		}
	}
}
