package approval

import (
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/policyctl/policyctl/pkg/policy"
)

// approved returns a service with an approved request.
func approved(t *testing.T) (*rig, *Request) {
	r := newRig(t)
	q := r.submit("make deploy")
	q, err := r.Decide(t.Context(), q.ID, "token:ann", once)
	if err != nil {
		t.Fatal(err)
	}
	return r, q
}

// One row for each way to forge a receipt.
func TestForgedReceipts(t *testing.T) {
	r, q := approved(t)
	good := q.Receipt.Text
	parts := strings.Split(good, ".")
	other := NewSigningKey(time.Now())
	claims, err := r.Keys().Verify(good, time.Unix(start, 0))
	if err != nil {
		t.Fatal(err)
	}
	resign := func(k *SigningKey, change func(*Claims)) string {
		c := *claims
		change(&c)
		text, err := k.sign(&c)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	renamed := &SigningKey{ID: r.key.ID, Private: other.Private}
	none := encoding.EncodeToString([]byte(`{"alg":"none","kid":"` + r.key.ID + `","typ":"` + receiptType + `"}`))
	hmac := encoding.EncodeToString([]byte(`{"alg":"HS256","kid":"` + r.key.ID + `","typ":"` + receiptType + `"}`))
	for name, text := range map[string]string{
		"empty":             "",
		"one part":          parts[0],
		"truncated":         good[:len(good)-4],
		"no signature":      parts[0] + "." + parts[1] + ".",
		"four parts":        good + ".x",
		"padding":           good + "=",
		"line end":          good + "\n",
		"alg none":          none + "." + parts[1] + ".",
		"alg HS256":         hmac + "." + parts[1] + "." + parts[2],
		"another key":       resign(other, func(*Claims) {}),
		"another's key id":  resign(renamed, func(*Claims) {}),
		"long":              good + strings.Repeat("A", MaxReceipt),
		"approves nothing":  resign(r.key, func(c *Claims) { c.Word = Rejected }),
		"two uses":          resign(r.key, func(c *Claims) { c.Uses = 2 }),
		"no hash":           resign(r.key, func(c *Claims) { c.Hash = "" }),
		"same claims again": resign(r.key, func(c *Claims) { c.ID = "rcp_other" }),
	} {
		if _, err := r.Consume(t.Context(), "token:agent", text); !errors.Is(err, ErrReceipt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, text := range []string{good + "\n", "\r\n" + good, parts[0] + ".\n" + parts[1] + "." + parts[2]} {
		if _, err := r.Keys().Verify(text, time.Unix(start, 0)); !errors.Is(err, ErrReceipt) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := r.Consume(t.Context(), "token:thief", good); !errors.Is(err, ErrReceipt) {
		t.Errorf("of another submitter: %v", err)
	}
	for i := range good { // any other letter at any place
		swap := byte('A')
		if good[i] == 'A' {
			swap = 'B'
		}
		if _, err := r.Keys().Verify(good[:i]+string(swap)+good[i+1:], time.Unix(start, 0)); !errors.Is(err, ErrReceipt) {
			t.Fatalf("byte %d: %v", i, err)
		}
	}
}

func TestReceiptTime(t *testing.T) {
	r, q := approved(t)
	for _, row := range []struct {
		after time.Duration
		good  bool
	}{
		{-61 * time.Second, false}, {-59 * time.Second, true}, {0, true}, {359 * time.Second, true}, {360 * time.Second, false},
		{1000 * time.Hour, false},
	} {
		if _, err := r.Keys().Verify(q.Receipt.Text, time.Unix(start, 0).Add(row.after)); (err == nil) != row.good {
			t.Errorf("after %s: %v", row.after, err)
		}
	}
}

// A receipt is for one call: whoever changes what counts in it has none.
func TestReceiptBinds(t *testing.T) {
	r, q := approved(t)
	for name, change := range map[string]func(*policy.Call){
		"command":  func(c *policy.Call) { c.Input["command"] = "make deploy " },
		"argument": func(c *policy.Call) { c.Input["timeout"] = 1.0 },
		"nil":      func(c *policy.Call) { c.Input["command"] = nil },
		"tool":     func(c *policy.Call) { c.Tool = "bash" },
		"dir":      func(c *policy.Call) { c.Dir = "/work/" },
		"home":     func(c *policy.Call) { c.Home = "/root" },
		"session":  func(c *policy.Call) { c.Session = "s2" },
		"agent":    func(c *policy.Call) { c.Agent = "x" },
		"shell":    func(c *policy.Call) { c.Shell = "zsh" },
		"audience": func(c *policy.Call) { c.Audience = policy.Public },
		"scope":    func(c *policy.Call) { c.Scope.Profile = "prod" },
		"project":  func(c *policy.Call) { c.ProjectDir = "/" },
		"sandbox":  func(c *policy.Call) { c.OutsideSandbox = true },
		"private":  func(c *policy.Call) { c.SessionDir = "/" },
		"record":   func(c *policy.Call) { c.Record = map[string]any{"type": "shell.exec", "verb": "ls"} },
		"empty":    func(c *policy.Call) { c.Record = map[string]any{} },
		"bytes":    func(c *policy.Call) { c.Input["command"] = "make deploy\xff" },
	} {
		c := call("make deploy")
		change(c)
		if _, err := r.Keys().For(c, q.Receipt.Text, time.Unix(start, 0)); err == nil {
			t.Errorf("%s: the receipt still holds", name)
		}
	}
	c := call("make deploy")
	c.ID, c.Time = "call_2", time.Unix(5, 0)
	if _, err := r.Keys().For(c, q.Receipt.Text, time.Unix(start, 0)); err != nil {
		t.Errorf("another attempt at the same call: %v", err)
	}
}

// Numbers that one double stands for are told apart, and spellings of one
// number are not.
func TestExactNumbers(t *testing.T) {
	hash := func(text string) string {
		t.Helper()
		c, err := policy.DecodeCall([]byte(`{"tool":"x","input":{"n":` + text + `}}`))
		if err != nil {
			t.Fatal(err)
		}
		h, err := HashOf(c)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return h
	}
	for _, row := range [][2]string{
		{"9007199254740992", "9007199254740993"}, {"1e400", "1e401"}, {"0", "1e-400"}, {"0.1", "0.10000000000000001"}, {"1", `"1"`},
		{"9007199254740993", `{"$number":"9007199254740993"}`}, {`{"$number":"1"}`, `{"$$number":"1"}`}, {"null", "0"}, {"[]", "{}"},
		{`"\u00e9"`, `"e\u0301"`}, {"1e-400", "1e-401"},
	} {
		if hash(row[0]) == hash(row[1]) {
			t.Errorf("%s and %s have one hash", row[0], row[1])
		}
	}
	for _, row := range [][2]string{{"1", "1.0"}, {"100", "1e2"}, {"0.1", "1e-1"}, {`"é"`, `"\u00e9"`}, {`{"a":1,"b":2}`, `{"b":2,"a":1}`}} {
		if hash(row[0]) != hash(row[1]) {
			t.Errorf("%s and %s have two hashes", row[0], row[1])
		}
	}
}

// Receipts of an older key stay good, and a key that is not pinned never was.
func TestRotation(t *testing.T) {
	r, q := approved(t)
	pinned := r.Keys()
	if err := r.RotateKey(t.Context(), "token:admin"); err != nil {
		t.Fatal(err)
	}
	r.restart()
	if _, err := r.Consume(t.Context(), "token:agent", q.Receipt.Text); err != nil {
		t.Errorf("of the older key: %v", err)
	}
	next, err := r.Decide(t.Context(), r.submit("make").ID, "token:ann", once)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pinned.Verify(next.Receipt.Text, time.Unix(start, 0)); !errors.Is(err, ErrReceipt) {
		t.Errorf("of a key that is not pinned: %v", err)
	}
	if len(r.Keys()) != 2 || next.Receipt.KeyID == q.Receipt.KeyID {
		t.Errorf("%d keys", len(r.Keys()))
	}
}

// Other implementations of JOSE read our receipts and keys.
func TestInterop(t *testing.T) {
	r, q := approved(t)
	text, err := json.Marshal(r.Keys())
	if err != nil {
		t.Fatal(err)
	}
	var set jose.JSONWebKeySet
	if err := json.Unmarshal(text, &set); err != nil {
		t.Fatal(err)
	}
	jws, err := jose.ParseSignedCompact(q.Receipt.Text, []jose.SignatureAlgorithm{jose.EdDSA})
	if err != nil {
		t.Fatal(err)
	}
	payload, err := jws.Verify(set.Key(q.Receipt.KeyID)[0])
	if err != nil || !strings.Contains(string(payload), q.Hash) {
		t.Errorf("%s %v", payload, err)
	}
	var back Keys
	if err := json.Unmarshal(text, &back); err != nil || !back[q.Receipt.KeyID].Equal(r.Keys()[q.Receipt.KeyID]) {
		t.Errorf("%v %v", back, err)
	}
	thumb, err := set.Keys[0].Thumbprint(5) // crypto.SHA256
	if err != nil || encoding.EncodeToString(thumb) != q.Receipt.KeyID {
		t.Errorf("%x %v", thumb, err)
	}
}

func TestKeySets(t *testing.T) {
	x := encoding.EncodeToString(make([]byte, ed25519.PublicKeySize))
	for want, text := range map[string]string{
		"kty OKP":      `{"keys":[{"kty":"RSA","kid":"a","x":"` + x + `"}]}`,
		"a kid":        `{"keys":[{"kty":"OKP","crv":"Ed25519","x":"` + x + `"}]}`,
		"no public":    `{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"a","x":"AA"}]}`,
		"stands twice": `{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"a","x":"` + x + `"},{"kty":"OKP","crv":"Ed25519","kid":"a","x":"` + x + `"}]}`,
		"JWK set":      `[]`,
	} {
		var k Keys
		if err := json.Unmarshal([]byte(text), &k); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
