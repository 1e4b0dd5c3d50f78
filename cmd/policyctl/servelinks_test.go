package main

import (
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A port is where the service listens, on this machine alone.
func TestServePort(t *testing.T) {
	o := newOffice(t)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := strconv.Itoa(free.Addr().(*net.TCPAddr).Port)
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	o.open("--port", port)
	if o.url != "http://127.0.0.1:"+port {
		t.Errorf("it listens at %s", o.url)
	}
	if status, text := o.health(); status != http.StatusOK {
		t.Errorf("%d %s", status, text)
	}
	if err := o.end(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	if _, stderr, code := o.run("", "serve", "--port", port, "--listen", "127.0.0.1:0"); code != 2 || !strings.Contains(stderr, "--port and --listen both say where to listen: give one of them") {
		t.Errorf("%d %s", code, stderr)
	}
	if _, stderr, code := o.run("", "serve", "--port", "65536"); code != 2 || !strings.Contains(stderr, "--port") {
		t.Errorf("%d %s", code, stderr)
	}
}

// Messages link to the address at which people reach the desk, which the service answers to.
func TestServePublicURL(t *testing.T) {
	o := newOffice(t)
	links := make(chan string, 8)
	approver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var m struct{ Data struct{ Link string } }
		if err := json.NewDecoder(r.Body).Decode(&m); err == nil {
			links <- m.Data.Link
		}
	}))
	t.Cleanup(approver.Close)
	dir := filepath.Join(o.home, ".config/policyctl")
	for name, text := range map[string]string{
		"approvers.yaml": "channels:\n  lister: {type: webhook, url: \"" + approver.URL + "\", secret_file: lister.secret, allow_private: true, people: {lister: lister}}\n",
		"lister.secret":  "whsec_" + strings.Repeat("A", 40) + "\n",
	} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ask := func() (link string) {
		t.Helper()
		id := o.ask("make all")
		select {
		case link = <-links:
		case <-time.After(time.Minute):
			t.Fatal("nobody is told")
		}
		if !strings.HasSuffix(link, "/ui/requests/"+id) {
			t.Errorf("%s for %s", link, id)
		}
		return strings.TrimSuffix(link, "/ui/requests/"+id)
	}
	o.open()
	if got := ask(); got != o.url {
		t.Errorf("without an address for people: %s, want %s", got, o.url)
	}
	if err := o.end(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	o.open("--listen", "127.0.0.1:0", "--public-url", "https://desk.example.com/")
	if got := ask(); got != "https://desk.example.com" || strings.HasPrefix(o.url, got) {
		t.Errorf("it links to %s, and listens at %s", got, o.url)
	}
	for host, want := range map[string]int{"desk.example.com": http.StatusOK, "evil.example.com": http.StatusMisdirectedRequest} {
		r, err := http.NewRequest(http.MethodGet, o.url+"/health", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("%s: %d, want %d", host, res.StatusCode, want)
		}
	}
	if text, err := os.ReadFile(filepath.Join(o.state, "service.json")); err != nil || !strings.Contains(string(text), `"https://desk.example.com"`) {
		t.Errorf("agents may go to it unseen: %s, %v", text, err)
	}
	if err := o.end(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
}

// The last decisions, the newest last, and as many as are wanted.
func TestAuditApprovalsLast(t *testing.T) {
	o := newOffice(t)
	o.open()
	token := o.file(o.secret("ann", "approve,read"))
	for _, command := range []string{"make a", "make b", "make c"} {
		o.must("requests", "deny", o.ask(command), "--reason", "no "+command, "--token-file", token)
	}
	lines := strings.Split(strings.TrimSpace(o.must("audit", "approvals", "--last", "2")), "\n")
	if n := len(lines); n < 2 || !strings.Contains(lines[n-2], "no make b") || !strings.Contains(lines[n-1], "no make c") || strings.Contains(strings.Join(lines, "\n"), "no make a") {
		t.Errorf("%q", lines)
	}
	if all := o.must("audit", "approvals", "--last", "50"); strings.Count(all, "no make ") != 3 || strings.Contains(all, "token") && strings.Contains(all, "created") {
		t.Errorf("%s", all)
	}
	if json := o.must("audit", "approvals", "--last", "1", "--json"); strings.Count(json, "\n") != 1 || !strings.Contains(json, `"kind":"decision"`) {
		t.Errorf("%s", json)
	}
	if _, stderr, code := o.run("", "audit", "approvals", "--last", "0"); code != 2 || !strings.Contains(stderr, "--last 0: give a number above 0") {
		t.Errorf("%d %s", code, stderr)
	}
	if err := o.end(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
}

// Who approves from a terminal what was asked again is told, and how to approve that.
func TestApproveAskedAgain(t *testing.T) {
	o := newOffice(t)
	rule := func(id, priority string) string {
		return "  - {id: " + id + ", priority: " + priority + ", when: {shell.program: make}, decision: require_human}\n"
	}
	policy := filepath.Join(o.home, ".config/policyctl/policy.yaml")
	write := func(text string) {
		if err := os.MkdirAll(filepath.Dir(policy), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(policy, []byte("version: 1\nrules:\n"+text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(rule("first", "1"))
	o.open()
	token := o.file(o.secret("ann", "approve,read"))
	id := o.ask("make all")
	write(rule("first", "1") + rule("other", "9"))
	var stderr string
	for end := time.Now().Add(time.Minute); !strings.Contains(stderr, "--revision again-"); time.Sleep(50 * time.Millisecond) { // the policy is read again
		_, stderr, _ = o.run("", "requests", "approve", id, "--revision", "again-0", "--token-file", token)
		if shown := o.must("requests", "show", id); !strings.Contains(shown, "PENDING") || time.Now().After(end) {
			t.Fatalf("%s\n%s", stderr, shown)
		}
		if !strings.Contains(stderr, "policy") { // it was not read yet, and nothing is to be approved
			t.Fatal(stderr)
		}
	}
	_, rest, _ := strings.Cut(stderr, "--revision ")
	revision, _, _ := strings.Cut(rest, " ")
	if shown := o.must("requests", "show", id); !strings.Contains(shown, "the rule other matches") || !strings.Contains(shown, "asked again") || !strings.Contains(shown, revision) {
		t.Errorf("%s", shown)
	}
	if _, stderr, code := o.run("", "requests", "approve", id, "--token-file", token); code != 1 || !strings.Contains(stderr, "--revision "+revision) {
		t.Errorf("%d %s", code, stderr)
	}
	if out := o.must("requests", "approve", id, "--revision", revision, "--token-file", token); !strings.Contains(out, "approved") {
		t.Errorf("%s", out)
	}
	if err := o.end(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
}
