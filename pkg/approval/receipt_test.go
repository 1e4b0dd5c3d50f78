package approval

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/policyctl/policyctl/pkg/audit"
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
	other := NewPrivateKey()
	claims, err := r.Keys().Verify(good, time.Unix(start, 0))
	if err != nil {
		t.Fatal(err)
	}
	kid := q.Receipt.KeyID
	resign := func(kid string, k PrivateKey, change func(*Claims)) string {
		c := *claims
		change(&c)
		text, err := c.sign(t.Context(), kid, k)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	none := encoding.EncodeToString([]byte(`{"alg":"none","kid":"` + kid + `","typ":"` + receiptType + `"}`))
	hmac := encoding.EncodeToString([]byte(`{"alg":"HS256","kid":"` + kid + `","typ":"` + receiptType + `"}`))
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
		"another key":       resign(NewKey(other.Public(), time.Time{}).ID, other, func(*Claims) {}),
		"another's key id":  resign(kid, other, func(*Claims) {}),
		"long":              good + strings.Repeat("A", maxReceipt),
		"approves nothing":  resign(kid, r.key, func(c *Claims) { c.Word = Rejected }),
		"two uses":          resign(kid, r.key, func(c *Claims) { c.Uses = 2 }),
		"no hash":           resign(kid, r.key, func(c *Claims) { c.Hash = "" }),
		"same claims again": resign(kid, r.key, func(c *Claims) { c.ID = "rcp_other" }),
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
	old := r.key
	r.key = NewPrivateKey()
	if err := r.SignWith(t.Context(), r.key, "token:admin"); err != nil {
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
	if err := r.SignWith(t.Context(), old, "token:admin"); err == nil || !strings.Contains(err.Error(), "was retired at 2027") {
		t.Errorf("an old key signs again: %v", err)
	}
	if len(r.Keys()) != 2 || next.Receipt.KeyID == q.Receipt.KeyID {
		t.Errorf("%d keys", len(r.Keys()))
	}
}

// A retired key verifies nothing that is newer than its end, whatever time who
// has it writes: not for the service, nor for who pinned its keys.
func TestRetiredKeys(t *testing.T) {
	r, q := approved(t)
	old, before := r.key, r.Keys()
	kid := q.Receipt.KeyID
	r.now.Add(10)
	r.key = NewPrivateKey()
	if err := r.SignWith(t.Context(), r.key, "token:admin"); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(r.Keys())
	if err != nil {
		t.Fatal(err)
	}
	var pinned Keys
	if err := json.Unmarshal(text, &pinned); err != nil {
		t.Fatal(err)
	}
	const end = start + 10
	longest := int64(maxReceiptTime.Seconds())
	for _, row := range []struct {
		name                 string
		issued, expires, now int64
		retired              bool
	}{
		{"of before", start, start + 300, start + 60, false},
		{"within the difference of clocks", end + 60, end + 360, end + 90, false},
		{"newer", end + 61, end + 361, end + 90, true},
		{"much newer", end + 86400, end + 86700, end + 86500, true},
		{"dated back, and valid for a year", start, start + 365*86400, end + 86400, true},
		{"dated back, and valid for too long", start, end + longest + 61, end + longest, true},
		{"valid for as long as any", start, end + longest + 60, end + longest, false},
	} {
		c := Claims{
			ID: "rcp_x", Request: q.ID, Hash: q.Hash, Submitter: "token:agent", Word: ApprovedOnce, Scope: Once, By: "token:ann",
			Source: Human, Issued: row.issued, NotBefore: row.issued, Expires: row.expires, Uses: 1,
		}
		receipt, err := c.sign(t.Context(), kid, old)
		if err != nil {
			t.Fatal(err)
		}
		for where, keys := range map[string]Keys{"the service": r.Keys(), "pinned": pinned} {
			if _, err := keys.For(call("make deploy"), receipt, time.Unix(row.now, 0)); (err != nil) != row.retired {
				t.Errorf("%s, %s: %v", row.name, where, err)
			}
		}
		if _, err := before.Verify(receipt, time.Unix(row.now, 0)); err != nil {
			t.Errorf("%s, pinned before the end was known: %v", row.name, err)
		}
		r.now.Store(row.now)
		if _, err := r.claims(t.Context(), receipt); (err != nil) != row.retired {
			t.Errorf("%s: %v", row.name, err)
		}
	}
}

// A checkpoint by a retired key that is newer than its end is none.
func TestRetiredCheckpoints(t *testing.T) {
	key := NewKey(NewPrivateKey().Public(), time.Time{})
	key.Ended = time.Unix(start, 0)
	for after, holds := range map[time.Duration]bool{-time.Hour: true, skew: true, skew + 1: false, time.Hour: false} {
		keys, err := KeysOf(key).ForCheckpoint(&audit.Checkpoint{KeyID: key.ID, Time: key.Ended.Add(after)})
		if (err == nil) != holds || holds && len(keys) != 1 {
			t.Errorf("%s after the end: %v", after, err)
		}
	}
}

// A key that somebody added to the store is not trusted.
func TestSmuggledKey(t *testing.T) {
	r := newRig(t)
	thief := NewKey(NewPrivateKey().Public(), time.Unix(start, 0))
	r.store.keys = append([]Key{thief}, r.store.keys...)
	r.restart()
	if _, trusted := r.Keys()[thief.ID]; trusted || len(r.Keys()) != 1 {
		t.Errorf("%d keys", len(r.Keys()))
	}
}

// Where no receipt can be signed nothing is approved.
func TestSignerFails(t *testing.T) {
	r := newRig(t)
	q := r.submit("make")
	broken := &failing{PrivateKey: NewPrivateKey()}
	if err := r.SignWith(t.Context(), broken, "token:admin"); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Decide(t.Context(), q.ID, "token:ann", once); err == nil || !strings.Contains(err.Error(), "the receipt cannot be signed: locked") {
		t.Error(err)
	}
	r.want(q.ID, Pending)
}

type failing struct{ PrivateKey }

func (*failing) Sign(context.Context, []byte) ([]byte, error) { return nil, errors.New("locked") }

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
	if err := json.Unmarshal(text, &back); err != nil || !back[q.Receipt.KeyID].Public.Equal(r.Keys()[q.Receipt.KeyID].Public) {
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
		"kty OKP":       `{"keys":[{"kty":"RSA","kid":"a","x":"` + x + `"}]}`,
		"a kid":         `{"keys":[{"kty":"OKP","crv":"Ed25519","x":"` + x + `"}]}`,
		"not a public":  `{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"a","x":"AA"}]}`,
		"appears twice": `{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"a","x":"` + x + `"},{"kty":"OKP","crv":"Ed25519","kid":"a","x":"` + x + `"}]}`,
		"JWK set":       `[]`,
	} {
		var k Keys
		if err := json.Unmarshal([]byte(text), &k); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
