package webguard_test

import (
	"net/http/httptest"
	"testing"

	"github.com/policyctl/policyctl/internal/service/webguard"
)

func TestCrossOrigin(t *testing.T) {
	h := webguard.CrossOrigin(fine)
	for _, tc := range []struct{ want, method, site, mode, dest, origin string }{
		{"200 POST", "POST", "", "", "", ""}, // no browser
		{"200 POST", "POST", "same-origin", "cors", "empty", "http://127.0.0.1:8765"},
		{"200 POST", "POST", "none", "navigate", "document", ""},
		{"200 POST", "POST", "", "", "", "http://127.0.0.1:8765"}, // a browser of before 2023
		{"403 cross-origin", "POST", "cross-site", "cors", "empty", "https://evil.example"},
		{"403 cross-origin", "POST", "cross-site", "navigate", "document", "null"}, // a form
		{"403 cross-origin", "POST", "same-site", "no-cors", "empty", "http://127.0.0.1:3000"},
		{"403 cross-origin", "POST", "", "", "", "http://127.0.0.1:3000"},
		{"403 cross-origin", "POST", "", "", "", "null"},
		{"403 cross-origin", "POST", "", "", "", "https://evil.example"},
		{"403 cross-origin", "POST", "unheard-of", "", "", ""},
		{"403 cross-origin", "DELETE", "cross-site", "cors", "empty", ""},
		{"403 cross-origin", "PUT", "same-site", "cors", "empty", ""},
		{"200 GET", "GET", "", "", "", ""},
		{"200 GET", "GET", "same-origin", "cors", "empty", ""},
		{"200 GET", "GET", "none", "navigate", "document", ""},
		{"200 GET", "GET", "cross-site", "navigate", "document", ""}, // a link in a mail
		{"403 cross-origin", "GET", "cross-site", "navigate", "iframe", ""},
		{"403 cross-origin", "GET", "cross-site", "no-cors", "image", ""},
		{"403 cross-origin", "GET", "same-site", "cors", "empty", "http://127.0.0.1:3000"},
		{"403 cross-origin", "GET", "cross-site", "websocket", "empty", ""},
		{"403 cross-origin", "OPTIONS", "cross-site", "cors", "empty", "https://evil.example"},
	} {
		r := httptest.NewRequest(tc.method, "http://127.0.0.1:8765/x", nil)
		for name, value := range map[string]string{"Sec-Fetch-Site": tc.site, "Sec-Fetch-Mode": tc.mode, "Sec-Fetch-Dest": tc.dest, "Origin": tc.origin} {
			if value != "" {
				r.Header.Set(name, value)
			}
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if got := answer(h, r); got != tc.want {
			t.Errorf("%+v: %s", tc, got)
		}
		if got := w.Header().Get("Access-Control-Allow-Origin"); got != "" {
			t.Errorf("%+v: allows %s", tc, got)
		}
	}
}
