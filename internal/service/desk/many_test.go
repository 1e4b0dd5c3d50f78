package desk_test

import (
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
)

// fill stores requests of the size that agents make, in turn of each session.
func (r *rig) fill(t testing.TB, n, sessions int) {
	t.Helper()
	for i := range n {
		c := &policy.Call{Tool: "Bash", Dir: "/home/dev/src/app", Home: "/home/dev", Agent: "claude", Session: fmt.Sprint("session-", i%sessions), Input: map[string]any{
			"command": fmt.Sprintf("git push --force origin feature-%d && make deploy", i), "description": "push and deploy",
		}}
		call, err := policy.EncodeCall(c)
		if err != nil {
			t.Fatal(err)
		}
		hash, err := approval.HashOf(c)
		if err != nil {
			t.Fatal(err)
		}
		q := &approval.Request{
			ID: fmt.Sprint("req_", i), Version: 1, State: approval.Pending, Kind: approval.KindCall, Submitter: "token:agent", Digest: hash, Hash: hash, Alike: hash,
			Call: call, Tool: c.Tool, Session: c.Session, Agent: c.Agent, Dir: c.Dir, Title: approval.TitleOf(c),
			Asked:     approval.Asked{Stage: "dangerous", Rule: "git-force-push", Why: "it rewrites what others have", Risk: "high", Message: "ask"},
			Offers:    []approval.Offer{{Scope: approval.Once, Stores: []string{}}, {Scope: approval.ForChat, Stores: []string{"git push in ~/src/app"}}},
			OnTimeout: approval.TimedOut, Created: r.Now(), Expires: r.Now().Add(time.Hour),
		}
		log := audit.Entry{Time: q.Created, Kind: audit.KindRequest, Actor: q.Submitter, RequestID: q.ID, Tool: q.Tool, Session: q.Session}
		if _, _, _, err := r.Backend.Data.Create(t.Context(), q, log); err != nil {
			t.Fatal(err)
		}
	}
}

// However many requests wait, every session has its part of the page, and the page is
// small. MANY=10000 is for measuring.
func TestMany(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("MANY"))
	n = max(n, 1000)
	r := newRig(t)
	r.fill(t, n, 100)
	person := r.cookie(t)
	var page string
	for _, path := range []string{"/ui/history", "/ui"} {
		took := time.Hour
		for range 5 {
			start := time.Now()
			page = r.visit(t, path, person).Text
			took = min(took, time.Since(start))
		}
		t.Logf("%d requests: %s takes %v", n, path, took)
	}
	if got := strings.Count(page, `class="group"`); got != 100 {
		t.Errorf("%d sessions are shown, want 100", got)
	}
	if want := fmt.Sprintf(`<span class="count">%d</span>`, n); !strings.Contains(page, want) {
		t.Errorf("the page lacks %s", want)
	}
	if want := fmt.Sprintf("%d more of this session", n/100-2); strings.Count(page, want) != 100 {
		t.Errorf("%d sessions have %s", strings.Count(page, want), want)
	}
	for more := true; more; { // as the service does all the time
		var err error
		if more, err = r.Backend.Data.Index(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if one := r.visit(t, "/ui?q=feature-77", person).Text; !strings.Contains(one, "feature-77 ") || !strings.Contains(one, fmt.Sprintf("of %d", n)) {
		t.Errorf("the filter shows %.2000s", one)
	}
	compressed := r.visit(t, "/ui", http.Header{"Cookie": person["Cookie"], "Accept-Encoding": {"gzip"}})
	if compressed.Header.Get("Content-Encoding") != "gzip" || len(compressed.Text) > 100_000 {
		t.Errorf("the page has %d bytes, as %q", len(compressed.Text), compressed.Header.Get("Content-Encoding"))
	}
	t.Logf("%d bytes, compressed %d", len(page), len(compressed.Text))
}
