package webguard_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/service/webguard"
)

func TestValidID(t *testing.T) {
	for _, tc := range []struct {
		want bool
		id   string
	}{
		{true, "a"}, {true, "0191f7a2-1c3d-7e4f-8a9b-0123456789ab"}, {true, "toolu_01:3.json"}, {true, strings.Repeat("a", 128)}, {true, "azAZ09"}, {true, "Z"}, {true, "z"},
		{false, ""}, {false, strings.Repeat("a", 129)}, {false, "."}, {false, ".."}, {false, "a..b"}, {false, ".git"},
		{false, "-rf"}, {false, "_a"}, {false, ":a"}, {false, "a/b"}, {false, "a%2fb"}, {false, "a%2Fb"}, {false, "%2e%2e"},
		{false, `a\b`}, {false, "a\x00"}, {false, "a b"}, {false, "a\n"}, {false, "é"}, {false, "a\u2025"}, {false, "a\xff"},
		{false, "a?x"}, {false, "a#x"}, {false, "a;b"}, {false, "a'b"},
	} {
		if got := webguard.ValidID(tc.id); got != tc.want {
			t.Errorf("%q: %t", tc.id, got)
		}
	}
}

// Through a router, the forms of ".." and "/" that a URL can have reach no
// handler as an id.
func TestValidIDRouted(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /requests/{id}", func(w http.ResponseWriter, r *http.Request) {
		if !webguard.ValidID(r.PathValue("id")) {
			webguard.Write(w, &webguard.Refusal{Status: 404, Code: "no-request", Detail: "there is no such request", Hint: "list the requests"})
			return
		}
		_, _ = io.WriteString(w, r.PathValue("id"))
	})
	for _, tc := range []struct{ want, path string }{
		{"200 req-1", "/requests/req-1"},
		{"200 req-1", "/requests/req%2d1"},
		{"404 no-request", "/requests/..%2fadmin"},
		{"404 no-request", "/requests/%2e%2e"},
		{"404 no-request", "/requests/a%00"},
		{"404 no-request", "/requests/%2fetc%2fpasswd"},
		{"404 no-request", "/requests/a%5c..%5cb"},
		{"404 no-request", "/requests/%252e%252e"},
	} {
		if got := answer(mux, httptest.NewRequest("GET", tc.path, nil)); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.path, got, tc.want)
		}
	}
}
