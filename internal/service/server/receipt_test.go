package server_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/server/servertest"
)

// approved returns the receipt of a call that was approved.
func approved(t testing.TB, s *servertest.Service, agent, boss string) string {
	t.Helper()
	id := submit(t, s, agent, push)
	if a := s.Do(t, boss, "POST", "/v1/requests/"+id+"/decision", approveOnce); a.Status != 200 {
		t.Fatal(a.Text)
	}
	receipt, _ := s.Do(t, agent, "GET", "/v1/requests/"+id, "").At("receipt.receipt").(string)
	return receipt
}

func consume(t testing.TB, s *servertest.Service, token, receipt string) servertest.Answer {
	body, err := json.Marshal(map[string]string{"receipt": receipt})
	if err != nil {
		t.Fatal(err)
	}
	return s.Do(t, token, "POST", "/v1/receipts/consume", string(body))
}

// resigned returns a receipt whose claims were changed, signed by another key.
func resigned(t *testing.T, receipt, header string, change func(map[string]any)) string {
	parts := strings.Split(receipt, ".")
	text, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		t.Fatal(err)
	}
	claims := map[string]any{}
	if err := json.Unmarshal(text, &claims); err != nil {
		t.Fatal(err)
	}
	change(claims)
	if text, err = json.Marshal(claims); err != nil {
		t.Fatal(err)
	}
	if header == "" {
		header = parts[0]
	}
	signed := header + "." + base64.RawURLEncoding.EncodeToString(text)
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	return signed + "." + base64.RawURLEncoding.EncodeToString(ed25519.Sign(key, []byte(signed)))
}

func TestForgedReceipts(t *testing.T) {
	s := start(t)
	agent, boss, mallory := s.Token(t, "agent", "submit"), s.Token(t, "boss", "approve,read"), s.Token(t, "mallory", "submit")
	receipt := approved(t, s, agent, boss)
	parts := strings.Split(receipt, ".")
	none := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none"}`))
	for name, forged := range map[string]string{
		"empty":            "",
		"no parts":         "abc",
		"cut":              receipt[:len(receipt)-1],
		"without end":      parts[0] + "." + parts[1] + ".",
		"two parts":        parts[0] + "." + parts[1],
		"a part more":      receipt + ".x",
		"padded":           receipt + "=",
		"alg none":         none + "." + parts[1] + ".",
		"alg none, signed": none + "." + parts[1] + "." + parts[2],
		"another key":      resigned(t, receipt, "", func(map[string]any) {}),
		"another call":     resigned(t, receipt, "", func(c map[string]any) { c["hash"] = "sha256:0" }),
		"another consumer": resigned(t, receipt, "", func(c map[string]any) { c["aud"] = "token:mallory" }),
		"more uses":        resigned(t, receipt, "", func(c map[string]any) { c["uses"] = 100 }),
		"exchanged":        parts[0] + "." + parts[2] + "." + parts[1],
		"long":             strings.Repeat("a", 17<<10),
	} {
		if a := consume(t, s, agent, forged); a.Status != http.StatusUnprocessableEntity || a.Code() != "receipt" {
			t.Errorf("%s: consumed: %d %s", name, a.Status, a.Text)
		}
		body, _ := json.Marshal(map[string]string{"receipt": forged})
		if a := s.Do(t, agent, "POST", "/v1/receipts/verify", string(body)); a.Status != http.StatusUnprocessableEntity {
			t.Errorf("%s: verified: %d %s", name, a.Status, a.Text)
		}
	}
	if a := consume(t, s, agent, receipt+"\n"); a.Status != 422 {
		t.Errorf("with a line: %d %s", a.Status, a.Text)
	}
	if a := consume(t, s, mallory, receipt); a.Status != 422 {
		t.Errorf("by another: %d %s", a.Status, a.Text)
	}
	if a := consume(t, s, agent, receipt); a.Status != 200 || a.At("receipt.consumed") == nil {
		t.Errorf("the true one: %d %s", a.Status, a.Text)
	}
	if a := consume(t, s, agent, receipt); a.Status != 409 || a.Code() != "receipt-consumed" {
		t.Errorf("again: %d %s", a.Status, a.Text)
	}
	if log := s.Do(t, boss, "GET", "/v1/audit?limit=1000", "").Text; strings.Count(log, `"kind":"refusal"`) != 18 {
		t.Errorf("%d refusals are on record", strings.Count(log, `"kind":"refusal"`))
	}
}

func TestExpiredReceipt(t *testing.T) {
	s := start(t)
	agent, boss := s.Token(t, "agent", "submit"), s.Token(t, "boss", "approve")
	receipt := approved(t, s, agent, boss)
	s.Skip(5 * time.Minute) // by the clock that gave it: no second more
	for _, route := range []string{"consume", "verify"} {
		a := s.Do(t, agent, "POST", "/v1/receipts/"+route, `{"receipt":"`+receipt+`"}`)
		if a.Status != 422 || !strings.Contains(a.Text, "expired") {
			t.Errorf("%s: %d %s", route, a.Status, a.Text)
		}
	}
}

// Of many who use a receipt at the same time, one may.
func TestReceiptRace(t *testing.T) {
	s := start(t)
	agent, boss := s.Token(t, "agent", "submit"), s.Token(t, "boss", "approve")
	receipt := approved(t, s, agent, boss)
	var won atomic.Int32
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			switch a := consume(t, s, agent, receipt); a.Status {
			case 200:
				won.Add(1)
			case 409:
			default:
				t.Errorf("%d %s", a.Status, a.Text)
			}
		})
	}
	all.Wait()
	if won.Load() != 1 {
		t.Errorf("%d have used it", won.Load())
	}
}
