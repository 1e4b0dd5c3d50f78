package rest

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/support/outbound"
)

// What a service answers is an error of the right kind, in one line, without a secret.
func TestAnswers(t *testing.T) {
	const secret = "tk_verysecret"
	for name, row := range map[string]struct {
		status int
		header http.Header
		body   string
		want   string
		lasts  bool
		rest   time.Duration
	}{
		"no such thing":  {404, nil, `{"message":"Unknown Channel","code":10003}`, "answers 404: Unknown Channel", true, 0},
		"not allowed":    {401, nil, `{"error":"no, ` + secret + ` is wrong"}`, "answers 401: no, *** is wrong", true, 0},
		"two lines":      {400, nil, "{\"error\":\"a\\nlevel=ERROR\\u202e\"}", "answers 400: a level=ERROR ", true, 0},
		"a long one":     {400, nil, `{"error":"` + strings.Repeat("x", 5000) + `"}`, "x …", true, 0},
		"no JSON":        {403, nil, `<html>` + secret, "answers 403", true, 0},
		"too slow":       {408, nil, "", "answers 408", false, 0},
		"down":           {500, nil, "", "answers 500", false, 0},
		"away":           {503, nil, "", "answers 503", false, 0},
		"away for long":  {503, http.Header{"Retry-After": {"7"}}, "", "answers 503", false, 7 * time.Second},
		"busy":           {429, http.Header{"Retry-After": {"3"}}, "", "answers 429", false, 3 * time.Second},
		"busy, by body":  {429, http.Header{"Retry-After": {"3"}}, `{"retry_after":1.5}`, "answers 429", false, 1500 * time.Millisecond},
		"busy, unsaid":   {429, nil, `{"retry_after":-1e300}`, "answers 429", false, time.Second},
		"elsewhere":      {302, http.Header{"Location": {"/elsewhere?" + secret}}, "", "sends elsewhere (302)", true, 0},
		"elsewhere, 308": {308, http.Header{"Location": {"http://169.254.169.254/"}}, "", "sends elsewhere (308)", true, 0},
	} {
		asked := 0
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked++
			for key, values := range row.header {
				w.Header()[key] = values
			}
			w.WriteHeader(row.status)
			_, _ = io.WriteString(w, row.body)
		}))
		c := Client{Header: http.Header{"Authorization": {"Bearer " + secret}}, Secrets: []string{secret}}
		_, err := c.Do(t.Context(), http.MethodPost, s.URL+"/"+secret, nil, []byte("{}"))
		s.Close()
		if err == nil || !strings.Contains(err.Error(), row.want) || strings.Contains(err.Error(), secret) || strings.ContainsAny(err.Error(), "\n\u202e") || len(err.Error()) > 400 {
			t.Errorf("%s: %v", name, err)
		}
		_, lasts := errors.AsType[*channel.Refusal](err)
		pause, rests := errors.AsType[*channel.Pause](err)
		if lasts != row.lasts || rests != (row.rest > 0) || rests && pause.For != row.rest || asked != 1 {
			t.Errorf("%s: %#v, asked %d times", name, err, asked)
		}
	}
}

// A service that is not there, or does not end, keeps nobody waiting.
func TestTimes(t *testing.T) {
	hold := make(chan struct{})
	var endless atomic.Bool
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !endless.Load() {
			<-hold
			return
		}
		for r.Context().Err() == nil {
			if _, err := w.Write(make([]byte, 1<<16)); err != nil {
				return
			}
		}
	}))
	defer s.Close()
	defer close(hold)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	_, err := new(Client).Do(ctx, http.MethodGet, s.URL, nil, nil)
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > 2*time.Second {
		t.Errorf("after %s: %v", time.Since(began), err)
	}
	endless.Store(true)
	if data, err := new(Client).Do(t.Context(), http.MethodGet, s.URL, nil, nil); err != nil || len(data) != maxAnswer {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	guarded := Client{HTTP: outbound.Guard{Advice: "say so"}.Client(nil)}
	_, err = guarded.Do(t.Context(), http.MethodGet, s.URL, nil, nil)
	if _, lasts := errors.AsType[*channel.Refusal](err); !lasts || !strings.Contains(err.Error(), "say so") {
		t.Errorf("a private address: %v", err)
	}
	if _, err := new(Client).Do(t.Context(), http.MethodGet, "http://127.0.0.1:1/secret", nil, nil); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("nobody is there: %v", err)
	}
}
