package webguard_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/service/webguard"
)

func TestRecover(t *testing.T) {
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, nil))
	h := webguard.Chain(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("a secret reason") }), webguard.RequestID, webguard.Recover(logger))
	r := httptest.NewRequest("GET", "/pol_token/requests", nil)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != 500 || strings.Contains(w.Body.String(), "secret") || strings.Contains(w.Body.String(), ".go") {
		t.Errorf("the client sees %d %s", w.Code, w.Body)
	}
	id := w.Header().Get("X-Request-Id")
	if !strings.Contains(w.Body.String(), `"instance":"urn:policyctl:request:`+id+`"`) {
		t.Errorf("%s without %s", w.Body, id)
	}
	for _, want := range []string{"a secret reason", "recover_test.go", id} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log has no %s: %s", want, log.String())
		}
	}
	if strings.Contains(log.String(), "pol_token") {
		t.Errorf("the log has the path: %s", log.String())
	}
}

// An answer that has begun is broken off: nobody takes a part for the whole.
func TestRecoverBegun(t *testing.T) {
	var log bytes.Buffer
	guard := webguard.Recover(slog.New(slog.NewTextHandler(&log, nil)))
	for name, begin := range map[string]func(http.ResponseWriter){
		"body":   func(w http.ResponseWriter) { _, _ = io.WriteString(w, `{"decision":`) },
		"header": func(w http.ResponseWriter) { w.WriteHeader(200) },
		"flush":  func(w http.ResponseWriter) { _ = http.NewResponseController(w).Flush() },
		"abort":  func(http.ResponseWriter) { panic(http.ErrAbortHandler) },
	} {
		s := httptest.NewServer(guard(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			begin(w)
			panic("late")
		})))
		resp, err := http.Get(s.URL)
		if err == nil {
			_, err = io.ReadAll(resp.Body)
		}
		if err == nil {
			t.Errorf("%s: the client sees a whole answer", name)
		}
		s.Close()
	}
	if n := strings.Count(log.String(), "a handler panicked"); n != 3 {
		t.Errorf("%d entries, not 3: %s", n, log.String())
	}
}
