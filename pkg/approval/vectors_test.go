package approval

import (
	"crypto/ed25519"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/policy"
)

// vectorKey is the key of the test vectors: its seed is 32 times the byte 7.
func vectorKey() PrivateKey {
	return PrivateKey(ed25519.NewKeyFromSeed([]byte(strings.Repeat("\x07", ed25519.SeedSize))))
}

// vectorClaims are those of the receipt of the test vectors.
func vectorClaims(hash string) *Claims {
	return &Claims{
		ID: "rcp_EXAMPLE", Request: "req_EXAMPLE", Hash: hash, Submitter: "token:agent", Stage: "confirm", Rule: "", Revision: "r1",
		Word: ApprovedOnce, Scope: Once, By: "token:ann", Source: Human, Issued: start, NotBefore: start, Expires: start + 300, Uses: 1,
	}
}

// vectors returns the values of the blocks of docs/receipts.md, by name.
func vectors(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("../../docs/receipts.md")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, part := range strings.Split(string(text), "<!-- vector ")[1:] {
		name, rest, _ := strings.Cut(part, " -->")
		_, block, _ := strings.Cut(rest, "```")
		_, block, _ = strings.Cut(block, "\n")
		block, _, _ = strings.Cut(block, "\n```")
		out[name] = block
	}
	return out
}

// The test vectors of docs/receipts.md are what this package computes, so that
// who implements the page agrees with it.
func TestVectors(t *testing.T) {
	doc := vectors(t)
	calls := map[string]string{}
	for name, text := range doc {
		what, which, _ := strings.Cut(name, " ")
		if what != "call" {
			continue
		}
		c, err := policy.DecodeCall([]byte(text))
		if err != nil {
			t.Fatal(name, err)
		}
		canonical, err := canonicalOf(c)
		if err != nil || string(canonical) != doc["canonical "+which] {
			t.Errorf("canonical %s:\n%s", which, canonical)
		}
		if calls[which], err = HashOf(c); err != nil || calls[which] != doc["hash "+which] {
			t.Errorf("hash %s:\n%s", which, calls[which])
		}
	}
	if len(calls) != 3 {
		t.Errorf("%d calls", len(calls))
	}
	k := NewKey(vectorKey().Public(), time.Time{})
	keys, err := json.Marshal(KeysOf(k))
	if err != nil || string(keys) != doc["keys"] {
		t.Errorf("keys:\n%s", keys)
	}
	receipt, err := vectorClaims(calls["1"]).sign(t.Context(), k.ID, vectorKey())
	if err != nil || receipt != strings.ReplaceAll(doc["receipt"], "\n", "") {
		t.Errorf("receipt:\n%s", receipt)
	}
	var pinned Keys
	if err := json.Unmarshal([]byte(doc["keys"]), &pinned); err != nil {
		t.Fatal(err)
	}
	if _, err := pinned.Verify(strings.ReplaceAll(doc["receipt"], "\n", ""), time.Unix(start+10, 0)); err != nil {
		t.Error(err)
	}
}
