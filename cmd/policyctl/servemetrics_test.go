package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// get returns the answer to a request with a token, "" for none.
func (o *office) get(path, token string) (int, string) {
	o.Helper()
	r, err := http.NewRequest(http.MethodGet, o.url+path, nil)
	if err != nil {
		o.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		o.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		o.Fatal(err)
	}
	return res.StatusCode, string(text)
}

// comes waits until a path is answered with a status and a text.
func (o *office) comes(path, token string, status int, text string) {
	o.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		code, body := o.get(path, token)
		if code == status && strings.Contains(body, text) {
			return
		}
		if time.Now().After(end) {
			o.Fatalf("%s: %d %s, want %d and %q", path, code, body, status, text)
		}
	}
}

// What an operator does: a token for Prometheus, a collector in the environment, a policy
// that is broken and repaired. A secret in a call is neither in the log nor with the
// collector.
func TestServeMetrics(t *testing.T) {
	var mu sync.Mutex
	var got strings.Builder
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		got.WriteString(r.URL.Path + " ")
		got.Write(body)
	}))
	defer collector.Close()
	o := newOffice(t)
	o.env = []string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + collector.URL}
	o.open("--listen", "127.0.0.1:0", "--log-format", "json")
	prometheus := strings.TrimSpace(o.must("token", "create", "prometheus", "--scope", "read"))
	prometheus = prometheus[strings.LastIndexAny(prometheus, " \n")+1:]
	secret := "ghp_" + strings.Repeat("a1B2", 9)
	call := `{"tool":"shell","input":{"command":"curl -H 'Authorization: Bearer ` + secret + `' https://example.com"},"dir":"/srv/app","id":"call_7"}`
	if code, v := o.post("/v1/decide", call); code != 200 || v["decision"] != "ask" {
		t.Fatal(code, v)
	}
	o.comes("/metrics", prometheus, 200, `policyctl_decisions_total{decision="ask",reason="none",source="decide",stage="confirm"} 1`)
	o.comes("/metrics", prometheus, 200, `policyctl_health{part="reviewers"} 1`)
	if code, text := o.get("/metrics", ""); code != 401 || strings.Contains(text, "policyctl_") {
		t.Errorf("%d %s", code, text)
	}

	policy := filepath.Join(o.home, ".config/policyctl/policy.yaml")
	if err := os.MkdirAll(filepath.Dir(policy), 0o700); err != nil {
		t.Fatal(err)
	}
	o.comes("/health/ready", "", 200, `{"ready":true}`)
	if err := os.WriteFile(policy, []byte("version: 1\nno_such_key: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	o.comes("/health/ready", "", 503, `"problems":["policy"]`)
	o.comes("/health/live", "", 200, "true")
	o.comes("/metrics", prometheus, 200, "policyctl_ready 0")
	if err := os.WriteFile(policy, []byte("version: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	o.comes("/health/ready", "", 200, `{"ready":true}`)
	if err := o.end(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	mu.Lock()
	defer mu.Unlock()
	for _, want := range []string{"/v1/traces ", "/v1/metrics ", "execute_tool shell", "call_7", "policyctl.decisions"} {
		if !strings.Contains(got.String(), want) {
			t.Errorf("the collector did not get %s", want)
		}
	}
	if strings.Contains(got.String(), secret) || strings.Contains(o.stderr.String(), secret) {
		t.Error("a secret has left")
	}
}

// What the environment cannot mean, and a format that is none, are refused at the start.
func TestServeMetricsRefused(t *testing.T) {
	o := newOffice(t)
	if _, stderr, code := o.run("", "serve", "--log-format", "xml"); code != 2 || !strings.Contains(stderr, `--log-format "xml": give text or json`) {
		t.Errorf("%d %s", code, stderr)
	}
	o.env = []string{"OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4317", "OTEL_EXPORTER_OTLP_PROTOCOL=grpc"}
	if _, stderr, code := o.run("", "serve", "--listen", "127.0.0.1:0"); code != 2 || !strings.Contains(stderr, "OTEL_EXPORTER_OTLP_PROTOCOL") || !strings.Contains(stderr, "4318") {
		t.Errorf("%d %s", code, stderr)
	}
}
