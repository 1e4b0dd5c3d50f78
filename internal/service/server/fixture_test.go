package server_test

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/server/servertest"
)

const push = `{"tool":"shell","input":{"command":"git push"},"session":"s1","dir":"/src"}`

func start(t testing.TB) *servertest.Service { return servertest.New(t, servertest.Options{}) }

// submit asks for approval of a call and returns the id of the request.
func submit(t testing.TB, s *servertest.Service, token, call string) string {
	t.Helper()
	a := s.Do(t, token, "POST", "/v1/requests", `{"call":`+call+`}`)
	id, _ := a.At("id").(string)
	if a.Status != 201 || id == "" {
		t.Fatalf("submit: %d %s", a.Status, a.Text)
	}
	return id
}

// state returns the state of a request.
func state(t testing.TB, s *servertest.Service, id string) string {
	t.Helper()
	r, err := s.Service.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return string(r.State)
}

// A wire is a request as it is sent, header by header.
type wire struct {
	method, path, body string
	header             http.Header
	host               string
	chunked            bool
}

// headers makes a header of lines.
func headers(lines ...string) http.Header {
	h := http.Header{}
	for _, line := range lines {
		key, value, _ := strings.Cut(line, ": ")
		h[key] = append(h[key], value) // as it is written
	}
	return h
}

func (w wire) send(t testing.TB, s *servertest.Service, by http.RoundTripper) servertest.Answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second) // a stream does not end
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, w.method, s.URL+w.path, strings.NewReader(w.body))
	if err != nil {
		t.Fatal(err)
	}
	if w.header != nil {
		r.Header = w.header
	}
	if w.host != "" {
		r.Host = w.host
	}
	if w.chunked {
		r.ContentLength = -1
	}
	return servertest.Send(t, by, r)
}

// overSocket speaks to the socket of a service.
func overSocket(t testing.TB, s *servertest.Service) http.RoundTripper {
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", s.Socket)
	}}
	t.Cleanup(transport.CloseIdleConnections)
	return transport
}
