package mockservice

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func hashOf(program string) string {
	sum := sha256.Sum256([]byte(program))
	return hex.EncodeToString(sum[:])
}

func TestAnswers(t *testing.T) {
	x, y := hashOf("x"), hashOf("y")
	only := fmt.Sprintf(`{"require_program_sha256":%q}`, x)
	for _, row := range []struct{ want, config, body string }{
		{`{"decision":"approved_once","receipt":"mock-r","request_id":"r"}`, `{}`, `{"request_id":"r","program":"x","program_sha256":"` + x + `"}`},
		{`{"decision":"approved_once","receipt":"mock-r","request_id":"r"}`, `{}`, `{"request_id":"r"}`},
		{`{"decision":"approved_once","receipt":"mock-r","request_id":"r"}`, `{}`, `{"request_id":"r","Decision":"rejected","new_key":[{}]}`},
		{`{"decision":"auto_approved","receipt":"R","feedback":"f","request_id":"r"}`, `{"decision":"auto_approved","receipt":"R","feedback":"f"}`, `{"request_id":"r"}`},
		{`{"decision":"request_more","feedback":"f","request_id":"r"}`, `{"decision":"request_more","receipt":"R","feedback":"f"}`, `{"request_id":"r"}`},
		{`{"decision":"rejected","request_id":"r"}`, `{"decision":"rejected"}`, `{"request_id":"r","program":"x"}`},
		{`{"decision":"approved_once","receipt":"mock-r","request_id":"r"}`, only, `{"request_id":"r","program":"x","program_sha256":"` + x + `"}`},
		{`{"decision":"approved_once","receipt":"mock-r","request_id":"r"}`, strings.ReplaceAll(only, x, strings.ToUpper(x)), `{"request_id":"r","program":"x"}`},
		{`{"decision":"rejected","feedback":"the program has the SHA-256 ` + y + `, and the mock is to approve only ` + x + `","request_id":"r"}`, only, `{"request_id":"r","program":"y"}`},
		// What the client says of its program does not count.
		{`{"decision":"rejected","feedback":"program_sha256 is not that of the program, which is ` + y + `","request_id":"r"}`, only, `{"request_id":"r","program":"y","program_sha256":"` + x + `"}`},
		{`{"decision":"rejected","feedback":"program_sha256 is not that of the program, which is ` + y + `","request_id":"r"}`, `{}`, `{"request_id":"r","program":"y","program_sha256":"` + x + `"}`},
		{`{"decision":"rejected","feedback":"the request has no program, and the mock is to approve only one with the SHA-256 ` + x + `","request_id":"r"}`, only, `{"request_id":"r","program_sha256":"` + x + `"}`},
	} {
		c, err := ReadConfig([]byte(row.config))
		if err != nil {
			t.Errorf("%s: %v", row.config, err)
			continue
		}
		w := httptest.NewRecorder()
		Handler(c).ServeHTTP(w, httptest.NewRequest("POST", "/requests", strings.NewReader(row.body)))
		if got := strings.TrimSuffix(w.Body.String(), "\n"); got != row.want || w.Code != 200 {
			t.Errorf("%s %s:\n got %d %s\nwant 200 %s", row.config, row.body, w.Code, got, row.want)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, row := range []struct {
		status             int
		method, path, body string
		why                string
	}{
		{405, "GET", "/requests", "", "only POST"},
		{405, "PUT", "/requests", `{"request_id":"r"}`, "only POST"},
		{404, "POST", "/", `{"request_id":"r"}`, "only /requests"},
		{404, "POST", "/api/requests", `{"request_id":"r"}`, "only /requests"},
		{404, "POST", "/requests/", `{"request_id":"r"}`, "only /requests"},
		{404, "GET", "/requests/r", "", "only /requests"},
		{404, "GET", "/health", "", "only /requests"},
		{400, "POST", "/requests", ``, "empty"},
		{400, "POST", "/requests", `[]`, "object"},
		{400, "POST", "/requests", `{}`, "request_id: missing"},
		{400, "POST", "/requests", `{"request_id":""}`, "request_id: missing"},
		{400, "POST", "/requests", `{"request_id":7}`, "request_id: this is not a string"},
		{400, "POST", "/requests", `{"request_id":null}`, "request_id: this is not a string"},
		{400, "POST", "/requests", `{"request_id":"r","program":null}`, "program: this is not a string"},
		{400, "POST", "/requests", `{"request_id":"r","program":"\ud800"}`, "half of a character"},
		{400, "POST", "/requests", `{"request_id":"r","program":"x","program":"y"}`, "appears twice"},
		{400, "POST", "/requests", `{"request_id":"r","program_sha256":7}`, "program_sha256: this is not a string"},
		{400, "POST", "/requests", `{"request_id":"r"} {}`, "follows"},
		{413, "POST", "/requests", `{"request_id":"` + strings.Repeat("r", maxBody) + `"}`, "longer"},
	} {
		w := httptest.NewRecorder()
		Handler(Config{Decision: "approved_once"}).ServeHTTP(w, httptest.NewRequest(row.method, row.path, strings.NewReader(row.body)))
		if w.Code != row.status || !strings.Contains(w.Body.String(), row.why) || strings.Contains(w.Body.String(), "decision") {
			t.Errorf("%s %s %.80s: %d %s, want %d and %q", row.method, row.path, row.body, w.Code, w.Body, row.status, row.why)
		}
	}
}

func TestConfigErrors(t *testing.T) {
	for _, row := range []struct{ want, config string }{
		{`decision: "yes" is unknown; write one of approved_once, `, `{"decision":"yes"}`},
		{`decision: "Approved_once" is unknown`, `{"decision":"Approved_once"}`},
		{"decision: it must be a string", `{"decision":""}`},
		{"decision: it must be a string", `{"decision":true}`},
		{"receipt: it must be a string", `{"receipt":null}`},
		{"feedback: it must be a string", `{"feedback":1}`},
		{"require_program_sha256: ", `{"require_program_sha256":"` + strings.Repeat("g", 64) + `"}`},
		{"Decision: this key is unknown", `{"Decision":"rejected"}`},
		{"write an object", `"approved_once"`},
		{"empty", ``},
	} {
		if _, err := ReadConfig([]byte(row.config)); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: error %v, want %q", row.config, err, row.want)
		}
	}
}

// TestServe stops a service with a connection that says nothing.
func TestServe(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, l, Config{Decision: "approved_once"}) }()
	res, err := http.Post("http://"+l.Addr().String()+"/requests", "application/json", strings.NewReader(`{"request_id":"r"}`))
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, res.Body)
	res.Body.Close()
	stop()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it does not end")
	}
	if _, err := net.Dial("tcp", l.Addr().String()); err == nil {
		t.Error("it still listens")
	}
}
