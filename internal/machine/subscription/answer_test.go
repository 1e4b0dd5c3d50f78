package subscription

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "secret "+testToken, code) }
}

func write(contentType, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = io.WriteString(w, text)
	}
}

// redirect sends to a place that repeats the credentials.
func redirect(to string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, to+"?"+r.URL.RawQuery+"&auth="+r.Header.Get("Authorization"), http.StatusFound)
	}
}

func endless(w http.ResponseWriter, r *http.Request) {
	for r.Context().Err() == nil {
		if _, err := w.Write(make([]byte, 4096)); err != nil {
			return
		}
	}
}

// drip sends a byte now and then.
func drip(w http.ResponseWriter, r *http.Request) {
	for r.Context().Err() == nil {
		_, _ = w.Write([]byte{0x1f})
		w.(http.Flusher).Flush()
		time.Sleep(5 * time.Millisecond)
	}
}

// hang answers nothing.
func hang(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// cut ends within a chunk.
func cut(w http.ResponseWriter, _ *http.Request) {
	_, _ = w.Write([]byte("\x1f\x8b half"))
	w.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

// bomb is a small archive of 32 MiB of zeros.
func bomb() string {
	var b strings.Builder
	z, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	zeros := make([]byte, 1<<20)
	for range 32 {
		_, _ = z.Write(zeros)
	}
	_ = z.Close()
	return b.String()
}

const testToken = "tok-en-12345"

func TestBadAnswers(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("the other host was asked")
	}))
	defer elsewhere.Close()
	for _, row := range []struct {
		want    string
		handler http.HandlerFunc
	}{
		{"404 Not Found: check the URL", status(404)},
		{"401 Unauthorized: check the credentials", status(401)},
		{"403 Forbidden: check the credentials", status(403)},
		{"429 Too Many Requests: poll less often", status(429)},
		{"500 Internal Server Error: look at the server", status(500)},
		{"503 Service Unavailable: look at the server", status(503)},
		{"418", status(418)},
		{"299: check the URL", status(299)},
		{"204 No Content: check the URL", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) }},
		{"206 Partial Content: check", status(206)},
		{"another host", redirect(elsewhere.URL)},
		{"another host", redirect("ftp://example.com/b")},
		{"credentials", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", "http://%zz/"+r.Header.Get("Authorization"))
			w.WriteHeader(302)
		}},
		{"more than 5 times", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/again", http.StatusFound) }},
		{"web page", write("text/html; charset=utf-8", "<html>")},
		{"web page", write("TEXT/HTML", "log in")},
		{"web page", write("application/octet-stream", "\n <!doctype html>")},
		{"not gzip", write("application/json", "{}")},
		{"answered with nothing", write("application/gzip", "")},
		{"in time", drip},
		{"in time", hang},
		{"larger than 262144 bytes", endless},
		{"larger than 262144 bytes", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "270000")
			endless(w, r)
		}},
		{"ended before its end", cut},
		{": limits: ", write("application/gzip", bomb())},
	} {
		t.Run(row.want, func(t *testing.T) {
			origin := newTestServer(t)
			r := newRig(t, strings.Replace(origin.URL, "http://", "http://user:"+testToken+"@", 1)+"/b?key="+testToken, func(c *Config) {
				c.Header = func() (http.Header, error) { return http.Header{"X-Key": {"Bearer " + testToken}}, nil }
				c.Limits.Archive, c.Limits.Unpacked = 256<<10, 512<<10
			})
			origin.publish(signed(t, 1))
			r.fetch()
			origin.misbehave(row.handler)
			from := r.source.(*server)
			if row.want == "in time" {
				from.patience = 100 * time.Millisecond
			}
			if err := r.fetch(row.want, `"r1" stays active`); strings.Contains(err.Error(), testToken) {
				t.Errorf("the error shows credentials: %v", err)
			}
			r.has("r1")
			from.patience = answerTime
			origin.misbehave(nil)
			r.fetch()
			origin.publish(signed(t, 2))
			r.fetch()
			r.has("r2")
		})
	}
}

func TestUnasked(t *testing.T) {
	origin := newTestServer(t)
	origin.misbehave(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotModified) })
	r := newRig(t, origin.URL)
	r.fetch(": request: ", "without a condition")
	if !r.Health().Contact.IsZero() {
		t.Error("it counts as a contact")
	}
}

// Some servers call each .gz file encoded: the archive is taken as it is.
func TestEncoded(t *testing.T) {
	origin := newTestServer(t)
	archive := signed(t, 1)
	origin.misbehave(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(archive)
	})
	r := newRig(t, origin.URL)
	r.fetch()
	r.has("r1")
}

func TestRedirectWithinTheServer(t *testing.T) {
	origin := newTestServer(t)
	archive := signed(t, 1)
	origin.misbehave(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/moved" {
			_, _ = w.Write(archive)
			return
		}
		http.Redirect(w, r, "/moved", http.StatusFound)
	})
	r := newRig(t, origin.URL+"/b")
	r.fetch()
	r.has("r1")
}

func TestStay(t *testing.T) {
	for to, want := range map[string]error{
		"https://host/b": nil, "https://host/c?d": nil, "http://host/b": errElsewhere, "https://host:8443/b": errElsewhere,
		"https://host.example.com/b": errElsewhere, "https://example.com/host": errElsewhere, "https://u@other/": errElsewhere,
	} {
		first, _ := http.NewRequest(http.MethodGet, "https://host/b", nil)
		r, _ := http.NewRequest(http.MethodGet, to, nil)
		if err := stay(r, []*http.Request{first}); err != want {
			t.Errorf("%s: %v, want %v", to, err, want)
		}
	}
}

func TestNoServer(t *testing.T) {
	origin := newTestServer(t)
	url := strings.Replace(origin.URL, "http://", "http://user:"+testToken+"@", 1)
	origin.Close()
	r := newRig(t, url+"/b?"+testToken)
	if err := r.fetch(": request: ", "connection refused"); strings.Contains(err.Error(), testToken) {
		t.Error(err)
	}
}

func TestHeaderFails(t *testing.T) {
	origin := newTestServer(t)
	r := newRig(t, origin.URL, func(c *Config) {
		c.Header = func() (http.Header, error) { return nil, errors.New("/run/token: permission denied") }
	})
	r.fetch(": request: ", "/run/token")
	if requests, _ := origin.counts(); requests != 0 {
		t.Error("it was asked without its headers")
	}
	r = newRig(t, origin.URL, func(c *Config) {
		c.Header = func() (http.Header, error) { return http.Header{"Authorization": {testToken + "\n"}}, nil }
	})
	if err := r.fetch(": request: ", "invalid header"); strings.Contains(err.Error(), testToken) {
		t.Error(err)
	}
}

// A client of the caller is used, and stays as it was.
func TestClient(t *testing.T) {
	origin := newTestServer(t)
	origin.publish(signed(t, 1))
	own := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	r := newRig(t, origin.URL, func(c *Config) { c.Client = own })
	r.fetch()
	if own.CheckRedirect != nil {
		t.Error("the client was changed")
	}
}

func TestStopped(t *testing.T) {
	origin := newTestServer(t)
	origin.misbehave(hang)
	r := newRig(t, origin.URL)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	if err := r.Fetch(ctx); !errors.Is(err, context.Canceled) || r.Health().Err != nil {
		t.Errorf("%v, health %v", err, r.Health().Err)
	}
	ctx, cancel = context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := r.Fetch(ctx); !errors.Is(err, context.DeadlineExceeded) || r.Health().Err == nil {
		t.Errorf("%v, health %v", err, r.Health().Err)
	}
}
