package cli_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/cli"
	"github.com/policyctl/policyctl/internal/cli/console"
)

const runProgram = `{"kind":"clauz3.run","request_id":"clr_1","program":"x"}`

// submit runs policyctl requests submit with a request on the standard input.
func submit(t *testing.T, service, body string, args ...string) (out, said string, code int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = cli.Run(t.Context(), console.Process{
		Args: append([]string{"requests", "submit", "--service", service}, args...), Stdin: strings.NewReader(body),
		Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" },
		Getwd: func() (string, error) { return t.TempDir(), nil },
	})
	return stdout.String(), stderr.String(), code
}

// Only an approval with a receipt, in an answer that everybody reads in the
// same way, exits with 0. What is no decision prints nothing.
func TestSubmitAnswers(t *testing.T) {
	for _, row := range []struct {
		code   int
		want   string // a part of what is printed; of the error for 1
		status int
		answer string
	}{
		{0, "decision  approved_once\nreceipt   r\n", 200, `{"decision":"approved_once","receipt":"r"}`},
		{0, "approved_remember", 200, `{"decision":"approved_remember","receipt":"r","new":[1]}`},
		{0, "auto_approved", 200, " {\"decision\":\"auto_approved\",\"receipt\":\"r\",\"feedback\":null}\n\n"},
		{3, `fee\u202e\nd\x1b[2J`, 200, `{"decision":"request_more","feedback":"fee\u202e\nd\u001b[2J"}`},
		{3, "rejected", 200, `{"decision":"rejected","receipt":"r"}`},
		{3, "Approved_once", 200, `{"decision":"Approved_once","receipt":"r"}`},
		{3, "approved_once", 200, `{"decision":"approved_once ","receipt":"r"}`},
		{3, "yes", 200, `{"decision":"yes","receipt":"r"}`},
		{1, "approved_once without a receipt: do not run the program", 200, `{"decision":"approved_once"}`},
		{1, "approved_remember without a receipt", 200, `{"decision":"approved_remember","receipt":""}`},
		{1, "auto_approved without a receipt", 200, `{"decision":"auto_approved","receipt":" \n"}`},
		{1, "approved_once without a receipt", 200, `{"decision":"approved_once","receipt":null}`},
		{1, "approved_once without a receipt", 200, `{"decision":"approved_once","Receipt":"r"}`},
		{1, "receipt: this is not a string", 200, `{"decision":"approved_once","receipt":7}`},
		{1, "decision: this is not a string", 200, `{"decision":true,"receipt":"r"}`},
		{1, "decision: missing", 200, `{"receipt":"r"}`},
		{1, "decision: missing", 200, `null`},
		{1, "appears twice", 200, `{"decision":"rejected","decision":"approved_once","receipt":"r"}`},
		{1, "write an object", 200, `["approved_once","r"]`},
		{1, "is not a decision", 200, `approved_once`},
		{1, "is not a decision", 200, ``},
		{1, "is not a decision", 200, `{"decision":"approved_once","receipt":"r"} {}`},
		{1, "larger than 1 MiB", 200, `{"decision":"approved_once","receipt":"` + strings.Repeat("r", 1<<20) + `"}`},
		{1, "decided nothing (201)", 201, `{"decision":"approved_once","receipt":"r"}`},
		{1, "decided nothing (409): use a new one", 409, `{"error":"e","detail":"use a new one"}`},
		{1, "decided nothing (500): see whether", 500, `<html>`},
		{1, "redirects (307)", 307, `{"decision":"approved_once","receipt":"r"}`},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/s/pol_secret/requests" {
				t.Errorf("a redirect was followed to %s", r.URL.Path)
			}
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(row.status)
			_, _ = io.WriteString(w, row.answer)
		}))
		for _, form := range []string{"--json=false", "--json"} {
			out, said, code := submit(t, server.URL+"/s/pol_secret", runProgram, form)
			ok := code == row.code && strings.Contains(out, row.want) && said == ""
			switch {
			case row.code == 1:
				ok = code == 1 && strings.Contains(said, row.want) && out == "" && !strings.Contains(said, "secret")
			case form == "--json":
				ok = code == row.code && out == strings.TrimRight(row.answer, "\n")+"\n" && said == ""
			}
			if !ok {
				t.Errorf("%d %.80s %s: exit code %d\n%q\n%.300s\nwant %d and %q", row.status, row.answer, form, code, out, said, row.code, row.want)
			}
		}
		server.Close()
	}
}

// The service gets the request as it was written, once.
func TestSubmitRequest(t *testing.T) {
	sent := " {\"z\": 1.0, \"kind\": \"clauz3.run\", \"a\": \"\\u0041\"}\n"
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		got = append(got, fmt.Sprintf("%s %s %s %s", r.Method, r.URL.Path, r.Header.Get("Content-Type"), text))
		_, _ = io.WriteString(w, `{"decision":"rejected"}`)
	}))
	defer server.Close()
	if _, said, code := submit(t, server.URL+"//", sent); code != 3 || said != "" {
		t.Errorf("%d %s", code, said)
	}
	if want := "POST /requests application/json " + sent; len(got) != 1 || got[0] != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A service that says nothing, or breaks off, has approved nothing.
func TestSubmitSilence(t *testing.T) {
	for want, handle := range map[string]http.HandlerFunc{
		"no decision within 200ms: the request may still be pending": func(_ http.ResponseWriter, r *http.Request) { hold(r) },
		"no decision within 200ms: ": func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, `{"decision":"approved_once","receipt":"r"}`)
			_ = http.NewResponseController(w).Flush()
			hold(r)
		},
		"no answer: EOF: see whether the service runs": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"no answer: unexpected EOF": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, `{"decision":"approved_once","receipt":"r"}`)
		},
	} {
		server := httptest.NewServer(handle)
		out, said, code := submit(t, server.URL+"/s/pol_secret", runProgram, "--timeout", "200ms")
		if code != 1 || out != "" || !strings.Contains(said, want) || strings.Contains(said, "secret") {
			t.Errorf("exit code %d\n%q\n%s\nwant %q", code, out, said, want)
		}
		server.Close()
	}
}

// hold returns when the client is gone, which is noticed once its body is read.
func hold(r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
}

// A request that is none never leaves the machine.
func TestSubmitBody(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was sent") }))
	defer server.Close()
	for _, row := range []struct{ want, body string }{
		{"write an object", `[]`},
		{"kind: missing, or not \"clauz3.run\"", `{}`},
		{"kind: missing, or not", `null`},
		{"kind: missing, or not", `{"kind":"clauz3.Run"}`},
		{"kind: missing, or not", `{"kind":["clauz3.run"]}`},
		{"kind: missing, or not", `{"Kind":"clauz3.run"}`},
		{"appears twice", `{"kind":"clauz3.run","kind":"clauz3.run"}`},
		{"the standard input: ", ``},
		{"the standard input: ", `clauz3.run`},
		{"follows", runProgram + runProgram},
		{"it is larger than 1 MiB", runProgram + strings.Repeat(" ", 1<<20)},
	} {
		if out, said, code := submit(t, server.URL, row.body); code != 2 || out != "" || !strings.Contains(said, row.want) {
			t.Errorf("%.60s: exit code %d, %s, want %q", row.body, code, said, row.want)
		}
	}
}
