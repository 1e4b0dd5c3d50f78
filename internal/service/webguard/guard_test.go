package webguard_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/service/webguard"
)

// fine is a handler that reads all it is sent.
var fine = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	var into any
	if r.ContentLength != 0 {
		if err := webguard.Decode(r.Body, &into); err != nil {
			webguard.Write(w, webguard.OfBody(err))
			return
		}
	}
	_, _ = io.WriteString(w, r.Method)
})

// answer shows the answer to a request: its status, and its code or body.
func answer(h http.Handler, r *http.Request) string {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code < 400 {
		return fmt.Sprintf("%d %s", w.Code, w.Body)
	}
	var p webguard.Problem
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || p.Status != w.Code || p.Title == "" || p.Hint == "" || p.Detail == "" {
		return fmt.Sprintf("no problem: %d %s", w.Code, w.Body)
	}
	if got := w.Header().Get("Content-Type"); got != "application/problem+json" {
		return "no problem: " + got
	}
	return fmt.Sprintf("%d %s", w.Code, p.Code)
}

func TestHeaders(t *testing.T) {
	w := httptest.NewRecorder()
	webguard.Headers(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		webguard.Write(w, &webguard.Refusal{Status: 404, Code: "no-route", Detail: "nothing is here", Hint: "see the list of routes"})
	})).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
		"Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
		"X-Frame-Options":         "DENY", "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
	} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestRequestID(t *testing.T) {
	var seen []string
	h := webguard.RequestID(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		seen = append(seen, webguard.RequestIDFrom(r.Context()), r.Header.Get("X-Request-Id"))
	}))
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("X-Request-Id", "forged\nlevel=info")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	h.ServeHTTP(httptest.NewRecorder(), r)
	if seen[0] != w.Header().Get("X-Request-Id") || !webguard.ValidID(seen[0]) || seen[1] != "" || seen[0] == seen[2] {
		t.Errorf("%q, answered %q", seen, w.Header())
	}
	if webguard.RequestIDFrom(t.Context()) != "" {
		t.Error("an id out of nowhere")
	}
}

func TestWrite(t *testing.T) {
	w := httptest.NewRecorder()
	w.Header().Set("Content-Length", "3")
	webguard.Write(w, &webguard.Refusal{Status: 401, Code: "denied", Detail: "no <b>", Hint: "log in"})
	want := `{"type":"about:blank","title":"Unauthorized","status":401,"detail":"no \u003cb\u003e","code":"denied","hint":"log in"}` + "\n"
	if w.Body.String() != want || w.Code != 401 || w.Header().Get("Content-Length") != "" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if got := w.Header().Get("WWW-Authenticate"); got != `Bearer realm="policyctl"` {
		t.Errorf("WWW-Authenticate: %s", got)
	}
}

func TestChain(t *testing.T) {
	var order strings.Builder
	mark := func(c string) func(http.Handler) http.Handler {
		return func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				order.WriteString(c)
				next.ServeHTTP(w, r)
			})
		}
	}
	answer(webguard.Chain(fine, mark("a"), mark("b"), mark("c")), httptest.NewRequest("GET", "/", nil))
	if order.String() != "abc" {
		t.Errorf("%s", order.String())
	}
}
