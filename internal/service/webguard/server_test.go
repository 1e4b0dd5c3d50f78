package webguard_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/webguard"
)

func TestServer(t *testing.T) {
	var log bytes.Buffer
	s := webguard.Server(fine, slog.New(slog.NewTextHandler(&log, nil)))
	for name, d := range map[string]time.Duration{
		"header": s.ReadHeaderTimeout, "read": s.ReadTimeout, "write": s.WriteTimeout, "idle": s.IdleTimeout,
	} {
		if d <= 0 || d > 2*time.Minute {
			t.Errorf("%s: %v", name, d)
		}
	}
	s.ErrorLog.Print("a handshake failed")
	if s.MaxHeaderBytes != 32<<10 || !strings.Contains(log.String(), "level=WARN") {
		t.Errorf("%d bytes; log: %s", s.MaxHeaderBytes, log.String())
	}
}

// A client that sends its header byte by byte is cut off, and so is one whose
// header never ends.
func TestServerSlow(t *testing.T) {
	for name, text := range map[string]string{
		"slow": "GET / HTTP/1.1\r\nHost: x\r\n",
		"long": "GET / HTTP/1.1\r\nHost: x\r\nA: " + strings.Repeat("a", 64<<10),
	} {
		s := serve(t, fine, func(s *http.Server) { s.ReadHeaderTimeout = 50 * time.Millisecond })
		c, err := net.Dial("tcp", s)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(c, text)
		_ = c.SetReadDeadline(time.Now().Add(10 * time.Second))
		if answer, err := io.ReadAll(c); errors.Is(err, os.ErrDeadlineExceeded) || strings.HasPrefix(string(answer), "HTTP/1.1 200") {
			t.Errorf("%s: %.40q, %v", name, answer, err)
		}
		c.Close()
	}
}

// serve serves a handler on a port of its own, which it returns.
func serve(t *testing.T, h http.Handler, edit func(*http.Server)) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := webguard.Server(h, slog.New(slog.DiscardHandler))
	edit(s)
	go func() { _ = s.Serve(listener) }()
	t.Cleanup(func() { s.Close() })
	return listener.Addr().String()
}

// A handler that holds its request answers after the time of the server; one
// that does not is cut off.
func TestHold(t *testing.T) {
	for _, hold := range []bool{true, false} {
		address := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if hold {
				if err := webguard.Hold(w, time.Minute); err != nil {
					t.Error(err)
				}
			}
			select {
			case <-r.Context().Done():
			case <-time.After(400 * time.Millisecond):
				_, _ = io.WriteString(w, "decided")
			}
		}), func(s *http.Server) { s.ReadTimeout, s.WriteTimeout = 100*time.Millisecond, 100*time.Millisecond })
		got := "cut off"
		if resp, err := http.Get("http://" + address); err == nil {
			body, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			got = string(body)
		}
		if (got == "decided") != hold {
			t.Errorf("held %t: %s", hold, got)
		}
	}
	if err := webguard.Hold(httptest.NewRecorder(), time.Second); err == nil {
		t.Error("a writer without deadlines is held")
	}
}

// All of it together, over a real connection.
func TestAll(t *testing.T) {
	s := httptest.NewUnstartedServer(nil)
	address := s.Listener.Addr().String()
	s.Config.Handler = webguard.Chain(fine, webguard.RequestID, webguard.Recover(slog.New(slog.DiscardHandler)), webguard.Headers,
		webguard.Hosts([]string{address}), webguard.CrossOrigin, webguard.JSONWrites, webguard.Limit(100))
	s.Start()
	defer s.Close()
	for _, tc := range []struct {
		want   int
		header string
		body   string
	}{
		{200, "Content-Type: application/json", `{"a":1}`},
		{400, "Content-Type: application/json", `{"a":1,"a":1}`},
		{413, "Content-Type: application/json", strings.Repeat(" ", 200) + `{}`},
		{415, "Content-Type: text/plain", `{"a":1}`},
		{403, "Origin: http://127.0.0.1:1", `{"a":1}`},
		{421, "Host: evil.example", `{"a":1}`},
	} {
		r, err := http.NewRequest("POST", "http://"+address+"/", strings.NewReader(tc.body))
		if err != nil {
			t.Fatal(err)
		}
		name, value, _ := strings.Cut(tc.header, ": ")
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set(name, value)
		if name == "Host" {
			r.Host = value
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != tc.want || resp.Header.Get("X-Frame-Options") != "DENY" || resp.Header.Get("X-Request-Id") == "" {
			t.Errorf("%s: %s", tc.header, fmt.Sprint(resp.StatusCode, string(body), resp.Header))
		}
	}
}
