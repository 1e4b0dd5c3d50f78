package requests

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/approval"
)

// decided returns the ids that were decided, with the word of each.
func (d *counter) decided() (out []string) {
	for _, r := range d.requests {
		if r.Decision != nil {
			out = append(out, r.ID+" "+string(r.Decision.Word))
		}
	}
	return out
}

// three returns a service with three requests, the newest first as it lists
// them.
func three(t *testing.T) *counter {
	t.Helper()
	return &counter{requests: []*approval.Request{
		asked(t, "req_3", "npm test", wide...), asked(t, "req_2", "make test", wide...), asked(t, "req_1", "make", wide...),
	}}
}

// One row for each way through the requests, with what is decided at its end.
func TestWatchKeys(t *testing.T) {
	for _, row := range []struct{ typed, want string }{
		{"a\nd\na\n", "req_3 approved_once, req_2 rejected, req_1 approved_once"},
		{"j\na\n", "req_2 approved_once"},
		{"j\nj\nj\na\n", "req_1 approved_once"}, // once around
		{"k\nd\n", "req_3 rejected"},
		{"j\nk\nd\n", "req_1 rejected"},
		{"j\nd\na\n", "req_3 approved_once, req_2 rejected"}, // the one behind it is next
		{"x\nx\nd\n", "req_2 rejected, req_1 rejected"},
		{"x\nj\na\n", "req_1 approved_once"},                    // what is selected, not what is shown
		{"x\nk\nx\na\n", "req_1 approved_once"},                 // k is back at the selected one, which x releases
		{"x\ns\nhere\n", ""},                                    // what is selected is not approved for longer
		{"/npm\nd\na\n", "req_3 rejected, req_1 approved_once"}, // all are shown again
		{"/npm\nj\nd\n", "req_3 rejected"},
		{"/none\nd\n", "req_1 rejected"}, // no such one: the filter stays as it was
		{"/NPM\n/\nj\nd\n", "req_1 rejected"},
		{"/req_2\na\n", "req_2 approved_once"},
		{"c\nlater\nj\na\n", "req_2 approved_once"}, // the comment was for the other one
	} {
		d := three(t)
		out, err := d.watch(t, strings.NewReader(row.typed))
		if got := strings.Join(d.decided(), ", "); err != nil || got != row.want {
			t.Errorf("%q: %q, want %q, %v\n%s", row.typed, got, row.want, err, out)
		}
		for _, a := range d.answers {
			if a.Reason != "" {
				t.Errorf("%q: the reason %q", row.typed, a.Reason)
			}
		}
	}
}

// No key but a word approves always, and none that is left alone decides: the
// letters are those of every surface.
func TestWatchLetters(t *testing.T) {
	offers := append(slices.Clone(wide), approval.Offer{Scope: approval.Anywhere, Stores: []string{"make anywhere"}})
	for c := rune(' '); c <= '~'; c++ {
		d := &counter{requests: []*approval.Request{asked(t, "req_1", "make", offers...)}}
		if out, err := d.watch(t, strings.NewReader(string(c)+"\n")); err != nil {
			t.Errorf("%q: %v\n%s", c, err, out)
		}
		want := map[rune]string{'a': "once", 's': "session", 'd': ""}
		scope, decides := want[c|0x20]
		switch {
		case !decides && len(d.answers) == 0:
		case decides && len(d.answers) == 1 && string(d.answers[0].Scope) == scope && d.answers[0].Word.Approves() == (scope != ""):
		default:
			t.Errorf("%q: %v", c, d.answers)
		}
	}
}

// Requests of the same call are one question with one answer, in whichever
// sessions; one that another rule asks about, or with other ways to answer, is
// not among them.
func TestWatchGroup(t *testing.T) {
	var all []*approval.Request
	for i := range 5 {
		r := asked(t, fmt.Sprintf("req_%d", 5-i), "make", wide...)
		r.Alike = "sha256:make"
		all = append(all, r)
	}
	all[2].Submitter, all[2].Session = "uid:1001", "s3\r"
	all[0].Asked.Rule = "another"
	all[1].Offers = all[1].Offers[:1]
	d := &counter{requests: all}
	out, err := d.watch(t, strings.NewReader("here\n"))
	if got := strings.Join(d.decided(), ", "); err != nil || got != "req_3 approved_remember, req_2 approved_remember, req_1 approved_remember" {
		t.Errorf("%q %v\n%s", got, err, out)
	}
	for _, want := range []string{"\nThe same call, answered with this one\n  req_2  by uid:1000  session none  agent none\n  req_3  by uid:1001  session s3\\r  agent none\n", "req_1  for all 3: a once, s chat"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

func TestRing(t *testing.T) {
	var r ring
	if r.current() != nil || r.step(1) || r.unseen() != nil {
		t.Error("an empty ring has something")
	}
	for _, id := range []string{"a", "b", "c"} {
		if !r.add(id, "title "+id) || r.add(id, "again") {
			t.Errorf("%s is not added once", id)
		}
	}
	r.step(-1) // c
	r.remove("a")
	if got := r.current().id; got != "c" {
		t.Errorf("after one before it went: %s", got)
	}
	if r.remove("c"); r.current().id != "b" {
		t.Errorf("after the last one went: %s", r.current().id)
	}
	if r.remove("gone"); r.step(1) {
		t.Error("it steps from one to itself")
	}
}
