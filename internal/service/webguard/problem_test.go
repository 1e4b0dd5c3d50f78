package webguard

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// A refusal says how long to wait where it knows, and how to sign in where that is missing.
func TestRefusalHeaders(t *testing.T) {
	for _, row := range []struct {
		e           Refusal
		wait, login string
	}{
		{Refusal{Status: http.StatusTooManyRequests, RetryAfter: 1}, "1", ""},
		{Refusal{Status: http.StatusTooManyRequests}, "", ""},
		{Refusal{Status: http.StatusUnauthorized}, "", `Bearer realm="policyctl"`},
		{Refusal{Status: http.StatusForbidden}, "", ""},
	} {
		w := httptest.NewRecorder()
		Write(w, &row.e)
		h := w.Header()
		if h.Get("Retry-After") != row.wait || len(h.Values("Retry-After")) != len(row.wait) || h.Get("WWW-Authenticate") != row.login {
			t.Errorf("%+v: %v", row.e, h)
		}
	}
}

// A deadline is what a handler has set.
type deadline struct {
	http.ResponseWriter
	at time.Time
}

func (d *deadline) SetWriteDeadline(at time.Time) error { d.at = at; return nil }

// Who is held has the time to read the answer on top.
func TestHoldLeavesTime(t *testing.T) {
	d := &deadline{ResponseWriter: httptest.NewRecorder()}
	from := time.Now()
	if err := Hold(d, time.Hour); err != nil || d.at.Before(from.Add(time.Hour+writeTimeout)) {
		t.Errorf("%s after the start: %v", d.at.Sub(from), err)
	}
}

// Embedded fields are keys of the whole, a long key counts little, and an object without
// keys has none to name.
func TestShapes(t *testing.T) {
	type Inner struct {
		A string `json:"a"`
	}
	type Named struct {
		A string `json:"a"`
	}
	for _, row := range []struct {
		want, body string
		into       any
	}{
		{"", `{"a":"x","b":"y"}`, &struct {
			Inner
			B string `json:"b"`
		}{}},
		{"", `{"sub":{"a":"x"}}`, &struct {
			Named `json:"sub"`
		}{}},
		{`Inner: this key is unknown; leave it out; the keys are a`, `{"Inner":{}}`, &struct{ Inner }{}},
		{`b: this key is unknown; leave it out`, `{"b":1}`, &struct{}{}},
		{"", `{"` + strings.Repeat("k", 100) + `":1}`, &map[string]int{}},
		{"", `{"` + strings.Repeat("k", keyBytes*(maxValues-3)) + `":1}`, &map[string]int{}},
		{"the JSON holds more than 5000 values", `{"` + strings.Repeat("k", keyBytes*maxValues) + `":1}`, &map[string]int{}},
	} {
		got := ""
		if err := Decode(strings.NewReader(row.body), row.into); err != nil {
			got = err.Error()
		}
		if row.want == "" && got != "" || row.want != "" && !strings.Contains(got, row.want) || strings.HasSuffix(row.want, "out") && got != row.want {
			t.Errorf("%.40s: %.200q, want %q", row.body, got, row.want)
		}
	}
}
