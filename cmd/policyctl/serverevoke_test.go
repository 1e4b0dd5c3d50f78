package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// An approval for a time stores its end, which every command shows and the
// service heeds, also after a restart.
func TestApproveFor(t *testing.T) {
	o := newOffice(t)
	o.open()
	ada := o.file(o.secret("ada", "approve"))
	id := o.ask("make deploy")
	for _, args := range [][]string{{"--for", "2h"}, {"--scope", "here", "--for", ""}, {"--scope", "here", "--for", "5s"}, {"--scope", "here", "--for", "20y"}} {
		if _, stderr, code := o.run("", append([]string{"requests", "approve", id, "--token-file", ada}, args...)...); code != 2 || !strings.Contains(stderr, "--for ") {
			t.Errorf("%q: %d %s", args, code, stderr)
		}
	}
	out := o.must("requests", "approve", id, "--scope", "here", "--for", "2h", "--token-file", ada)
	if !strings.HasPrefix(out, "approved (here for 2 h)  shell: make deploy  in /srv/app  by token:ada  saved make in /srv/app, until 20") {
		t.Error(out)
	}
	if list := o.must("approvals", "list"); !strings.Contains(list, "make in /srv/app, until 20") || !strings.Contains(list, "  2 h   token:ada") {
		t.Error(list)
	}
	if log := o.must("audit", "list", "--json"); !strings.Contains(log, "make in /srv/app, until 20") {
		t.Error(log)
	}
	o.end(syscall.SIGKILL)
	o.open()
	if _, r := o.post("/v1/requests", `{"call":{"tool":"shell","input":{"command":"make x"},"dir":"/srv/app","session":"s2"}}`); r["state"] != "APPROVED" {
		t.Errorf("while it holds: %v", r)
	}
	o.ended("make in /srv/app")
	if _, r := o.post("/v1/requests", `{"call":{"tool":"shell","input":{"command":"make y"},"dir":"/srv/app","session":"s2"}}`); r["state"] != "PENDING" {
		t.Errorf("after its end: %v", r)
	}
}

// ended puts approvals into the store that have ended.
func (o *office) ended(text string) {
	o.Helper()
	verb, dir, _ := strings.Cut(text, " in ")
	file := `{"version":3,"clock":"2026-05-01T12:00:00Z","entries":[{"verb":"` + verb + `","directory":"` + dir +
		`","scope":"here","audience":"personal","tool":"shell","created":"2026-05-01T12:00:00Z","by":"x","until":"2026-05-01T13:00:00Z"}]}`
	if err := os.WriteFile(filepath.Join(filepath.Dir(o.state), "grants.json"), []byte(file), 0o600); err != nil {
		o.Fatal(err)
	}
}

// An approver takes back what was not used: its receipt is void, and the log
// says who did it.
func TestRevokeUnused(t *testing.T) {
	o := newOffice(t)
	o.open()
	ada, viewer := o.file(o.secret("ada", "approve")), o.file(o.secret("viewer", "read"))
	id := o.ask("make deploy")
	o.must("requests", "approve", id, "--token-file", ada)
	receipt := o.receipt(id)
	if _, stderr, code := o.run("", "requests", "revoke", id); code != 2 || !strings.Contains(stderr, "does not know who you are") {
		t.Errorf("nobody: %d %s", code, stderr)
	}
	if _, stderr, code := o.run("", "requests", "revoke", id, "--token-file", viewer); code != 1 || !strings.Contains(stderr, "needs approve") {
		t.Errorf("a reader: %d %s", code, stderr)
	}
	if status, r := o.post("/v1/requests/"+id+"/revoke", `{}`); status != http.StatusForbidden {
		t.Errorf("the submitter: %d %v", status, r)
	}
	out := o.must("requests", "revoke", id, "--reason", "wrong branch", "--token-file", ada)
	if want := "revoked  shell: make deploy  in /srv/app  by token:ada  reason: wrong branch\n"; out != want {
		t.Errorf("%q, want %q", out, want)
	}
	if status, r := o.post("/v1/receipts/consume", `{"receipt":"`+receipt+`"}`); status == http.StatusOK || !strings.Contains(r["detail"].(string), "taken back") {
		t.Errorf("its receipt: %d %v", status, r)
	}
	if status, r := o.post("/v1/receipts/verify", `{"receipt":"`+receipt+`"}`); status == http.StatusOK && r["valid"] != false {
		t.Errorf("its receipt verifies: %d %v", status, r)
	}
	used := o.ask("make other")
	o.must("requests", "approve", used, "--token-file", ada)
	o.post("/v1/receipts/consume", `{"receipt":"`+o.receipt(used)+`"}`)
	if _, stderr, code := o.run("", "requests", "revoke", used, "--token-file", ada); code != 1 || !strings.Contains(stderr, used+": nothing was changed, the approval has already been used") {
		t.Errorf("what was used: %d %s", code, stderr)
	}
	if out := o.must("audit", "verify"); !strings.HasPrefix(out, "verified  yes\n") {
		t.Error(out)
	}
	if _, stderr, code := o.run("", "approvals", "revoke", id); code != 2 || !strings.Contains(stderr, "policyctl requests revoke "+id) {
		t.Errorf("%d %s", code, stderr)
	}
}
