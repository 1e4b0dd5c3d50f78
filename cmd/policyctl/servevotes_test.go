package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// policy writes the rules of the office.
func (o *office) policy(rules string) {
	o.Helper()
	dir := filepath.Join(o.home, ".config/policyctl")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		o.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "policy.yaml"), []byte("version: 1\nrules:\n"+strings.TrimSpace(rules)+"\n"), 0o600); err != nil {
		o.Fatal(err)
	}
}

// twoOfThree wants 2 of alice, bob and carol.
const twoOfThree = `- {id: deploys, when: {shell.program: make}, decision: require_human, approver: {any: 2, of: [alice, bob, carol]}, timeout: 2m}`

// Two people approve at their terminals, and the service is killed between their
// votes.
func TestServeVotes(t *testing.T) {
	o := newOffice(t)
	o.policy(twoOfThree)
	o.open()
	if id := o.ask("make early"); !strings.Contains(o.must("requests", "show", id, "--json"), "the policy wants 2 of alice, bob, carol to approve, and none of them can") {
		t.Error("without anybody it waits")
	}
	alice, bob := o.file(o.secret("alice", "approve")), o.file(o.secret("Bob", "approve"))
	again, mallory := o.file(o.secret("ALICE", "approve")), o.file(o.secret("mallory", "approve"))
	id := o.ask("make deploy")
	if out := o.must("requests", "approve", id, "--scope", "here", "--token-file", alice); out != "pending  shell: make deploy  your approval counts as 1 of 2; waiting for one more of bob, carol\n" {
		t.Error(out)
	}
	if out := o.must("requests", "list"); !strings.Contains(out, "PENDING, 1 of 2 approved by alice") {
		t.Error(out)
	}
	o.end(syscall.SIGKILL)
	o.open()
	shown := o.must("requests", "show", id)
	for _, want := range []string{
		"left; 1 of 2 approved by alice, waiting for one more of bob, carol; without them it is denied\n", "approver   2 of alice, bob, carol\n",
		"  vote     approved_remember, always here for 8h0m0s by token:alice\n",
	} {
		if !strings.Contains(shown, want) {
			t.Errorf("no %q in\n%s", want, shown)
		}
	}
	if out := o.must("requests", "approve", id, "--token-file", again); !strings.Contains(out, "your approval counts as 1 of 2; waiting for one more of bob, carol") {
		t.Errorf("a second token of the same person: %s", out)
	}
	if _, stderr, code := o.run("", "requests", "approve", id, "--token-file", mallory); code != 1 || !strings.Contains(stderr, "another approver must decide") {
		t.Errorf("%d %s", code, stderr)
	}
	if _, stderr, code := o.run(o.login+"\n", "requests", "approve", id, "--login"); code != 1 || !strings.Contains(stderr, "another approver must decide") {
		t.Errorf("a login without a name: %d %s", code, stderr)
	}
	out := o.must("requests", "approve", id, "--token-file", bob)
	if want := "approved (this call)  shell: make deploy  in /srv/app  by token:alice and token:bob  nothing saved\n"; out != want {
		t.Errorf("%q, want %q", out, want)
	}
	if _, claims := o.post("/v1/receipts/verify", `{"receipt":"`+o.receipt(id)+`"}`); fmt.Sprint(claims["approvers"]) != "[token:alice token:bob]" || claims["by"] != "token:bob" {
		t.Errorf("%v", claims)
	}
	if out := o.must("audit", "list", "--json"); strings.Count(out, `"kind":"vote"`) != 3 || !strings.Contains(out, `"approvers":"alice, bob"`) {
		t.Error(out)
	}
	if out := o.must("audit", "verify"); !strings.HasPrefix(out, "verified  yes\n") {
		t.Error(out)
	}
}

// Who loses the right to decide while a request waits no longer counts.
func TestRevokedVoter(t *testing.T) {
	o := newOffice(t)
	o.policy(twoOfThree)
	o.open()
	secret := o.secret("alice", "approve")
	alice, bob := o.file(secret), o.file(o.secret("bob", "approve"))
	o.secret("carol", "submit") // which is no right to approve
	id := o.ask("make deploy")
	o.must("requests", "approve", id, "--token-file", alice)
	o.must("token", "revoke", strings.Split(secret, "_")[1])
	if out := o.must("requests", "list"); !strings.Contains(out, "PENDING, 0 of 2 approved") {
		t.Error(out)
	}
	if out := o.must("requests", "approve", id, "--token-file", bob); !strings.Contains(out, "your approval counts as 1 of 2; waiting for one more of alice, carol") {
		t.Error(out)
	}
	if out := o.must("requests", "show", o.ask("make other"), "--json"); !strings.Contains(out, "and only bob can: alice has neither a token that may approve nor a passkey, carol has neither") {
		t.Error(out)
	}
}

// A watch takes the vote of its person once, tells those of others, and how it ended.
func TestWatchVotes(t *testing.T) {
	o := newOffice(t)
	o.policy(twoOfThree)
	o.open()
	alice, bob, carol := o.file(o.secret("alice", "approve,read")), o.file(o.secret("bob", "approve")), o.file(o.secret("carol", "approve"))
	w := o.watch("--token-file", alice)
	w.sees("watching as token:alice")
	id := o.ask("make deploy")
	w.sees("0 of 2 approved, waiting for 2 of alice, bob, carol; without them it is denied")
	w.types("a")
	w.sees("your approval counts as 1 of 2; waiting for one more of bob, carol")
	o.must("requests", "approve", id, "--token-file", bob)
	w.sees(id + "  approved (this call)  shell: make deploy  in /srv/app  by token:alice and token:bob")
	other := o.ask("make other")
	w.sees("  | make other\n")
	o.must("requests", "approve", other, "--token-file", carol)
	w.sees(other + "  1 of 2 have approved")
	w.ends()
	if out := w.out.String(); strings.Count(out, "  | make deploy\n") != 1 {
		t.Errorf("it asked again after the vote:\n%s", out)
	}
}
