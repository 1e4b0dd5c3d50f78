package desk_test

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
)

// hold stores a pending request of a call, in a session of its own.
func (r *rig) hold(t testing.TB, id string, edit func(*policy.Call, *approval.Asked)) {
	t.Helper()
	asked := approval.Asked{Stage: "dangerous", Rule: "git-force-push", Why: "it rewrites what others have", Risk: "high", Message: "ask"}
	c := &policy.Call{Tool: "Bash", Dir: "/home/dev/src/app", Home: "/home/dev", Agent: "claude", Session: "session-" + id, Input: map[string]any{}}
	edit(c, &asked)
	call, err := policy.EncodeCall(c)
	if err != nil {
		t.Fatal(err)
	}
	hash, err := approval.HashOf(c)
	if err != nil {
		t.Fatal(err)
	}
	q := &approval.Request{
		ID: id, Version: 1, State: approval.Pending, Kind: approval.KindCall, Submitter: "token:agent", Digest: hash, Hash: hash, Alike: hash,
		Call: call, Tool: c.Tool, Session: c.Session, Agent: c.Agent, Dir: c.Dir, Title: approval.TitleOf(c), Asked: asked,
		Offers:    []approval.Offer{{Scope: approval.Once, Stores: []string{}}},
		OnTimeout: approval.TimedOut, Created: r.Now(), Expires: r.Now().Add(time.Hour),
	}
	log := audit.Entry{Time: q.Created, Kind: audit.KindRequest, Actor: q.Submitter, RequestID: q.ID, Tool: q.Tool, Session: q.Session}
	log.Arguments = []byte(fmt.Sprintf("%q", fmt.Sprint(c.Input["command"])))
	if _, _, _, err := r.Backend.Data.Create(t.Context(), q, log); err != nil {
		t.Fatal(err)
	}
}

// command has a call run a shell line.
func command(line string) func(*policy.Call, *approval.Asked) {
	return func(c *policy.Call, _ *approval.Asked) { c.Input["command"] = line }
}

// heredoc is a line of 256 KiB.
func heredoc(line string) string {
	return "cat > out <<'END'\n" + strings.Repeat(line+"\n", 256<<10/(len(line)+1)) + "END"
}

// work returns the page at a path, and how many bytes it takes to make it: they are
// counted, so that the speed of the machine is none of it.
func (r *rig) work(t *testing.T, path string, person http.Header) (page string, bytes uint64) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	page = r.visit(t, path, person).Text
	runtime.ReadMemStats(&after)
	return page, after.TotalAlloc - before.TotalAlloc
}

// Large requests make a list twice as dear as as many small ones at most, and
// each says where to read the rest.
func TestLargeRequests(t *testing.T) {
	const n = 60
	small, large := newRig(t), newRig(t)
	for i := range n {
		small.hold(t, fmt.Sprint("req_", i), command(fmt.Sprint("make deploy ", i)))
		large.hold(t, fmt.Sprint("req_", i), command(fmt.Sprintf("make %d; ", i)+heredoc("a line of the file")))
	}
	for _, path := range []string{"/ui", "/ui/history"} {
		var pages [2]string
		var dear [2]uint64
		for i, r := range []*rig{small, large} {
			person := r.cookie(t)
			r.visit(t, path, person)
			pages[i], dear[i] = r.work(t, path, person)
		}
		if dear[1] > 2*dear[0] {
			t.Errorf("%s takes %d bytes, and %d of small requests", path, dear[1], dear[0])
		}
		if len(pages[1]) > 4*len(pages[0]) {
			t.Errorf("%s has %d bytes, and %d of small requests", path, len(pages[1]), len(pages[0]))
		}
		for i := range n {
			if !strings.Contains(pages[1], fmt.Sprintf(`href="/ui/requests/req_%d"`, i)) {
				t.Errorf("%s lacks req_%d", path, i)
			}
		}
	}
	if page := small.visit(t, "/ui", small.cookie(t)).Text; strings.Count(page, "data-scope=") != n || strings.Contains(page, "too long") {
		t.Error("a small request is not approved in the list")
	}
	if page := large.visit(t, "/ui", large.cookie(t)).Text; strings.Contains(page, "data-scope=") || strings.Count(page, "too long for this list") != n || strings.Count(page, "make 7; cat") != 2 {
		t.Error("a large request is approved in the list")
	}
	for i := range 2 { // an audit page has 100 records of them
		if page := large.visit(t, []string{"/ui/audit", "/ui/audit?q=deploy"}[i], large.cookie(t)).Text; len(page) > n*4000 {
			t.Errorf("the audit log has %d bytes", len(page))
		}
	}
}

// What the list keeps of a large request is only what it still is: decided, it is gone.
func TestLargeDecided(t *testing.T) {
	r := newRig(t)
	r.hold(t, "req_1", command("make; "+heredoc("x")))
	r.hold(t, "req_2", command("make deploy; "+heredoc("y")))
	person := r.cookie(t)
	for range 2 {
		if page := r.visit(t, "/ui", person).Text; !strings.Contains(page, "make; cat") || !strings.Contains(page, "make deploy; cat") {
			t.Fatal("the list lacks one")
		}
	}
	if _, err := r.Backend.Service.Decide(t.Context(), "req_1", "login:dev", approval.Answer{Word: approval.Rejected}); err != nil {
		t.Fatal(err)
	}
	if page := r.visit(t, "/ui", person).Text; strings.Contains(page, "make; cat") || !strings.Contains(page, "make deploy; cat") {
		t.Error("the list is not as it stands")
	}
	if page := r.visit(t, "/ui/history", person).Text; !strings.Contains(page, "DENIED") {
		t.Error("the history is not as it stands")
	}
	if page := r.visit(t, "/ui/requests/req_2", person).Text; strings.Count(page, "\ny") < 100_000 || !strings.Contains(page, "data-scope=") {
		t.Error("the page of a request is not whole")
	}
}

// Whatever part of a request is long, the list cuts it and does not approve it; the part
// that decided is shown wherever it stands.
func TestLargeParts(t *testing.T) {
	long := strings.Repeat("x", 20_000)
	for name, edit := range map[string]func(*policy.Call, *approval.Asked){
		"agent":     func(c *policy.Call, _ *approval.Asked) { c.Agent = "END" + long },
		"directory": func(c *policy.Call, _ *approval.Asked) { c.Dir = "/END" + long },
		"tool":      func(c *policy.Call, _ *approval.Asked) { c.Tool = "END" + long },
		"reason":    func(_ *policy.Call, a *approval.Asked) { a.Why = "END" + long },
		"argument":  func(c *policy.Call, _ *approval.Asked) { c.Input["END"] = long },
		"program": func(c *policy.Call, a *approval.Asked) {
			c.Input["command"] = "make\n" + long + "; END now; " + long
			a.Span = &[2]int{5 + len(long) + 2, 5 + len(long) + 9}
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.hold(t, "req_1", func(c *policy.Call, a *approval.Asked) { c.Input["command"] = "make"; edit(c, a) })
			for range 2 {
				page := r.visit(t, "/ui", r.cookie(t)).Text
				if strings.Contains(page, "data-scope=") || !strings.Contains(page, "too long for this list") || strings.Contains(page, long) {
					t.Error("it is not cut, or can be approved")
				}
				if name == "program" && !strings.Contains(page, "<mark>END now</mark>") {
					t.Errorf("what decided is not shown")
				}
			}
		})
	}
}

// The id that a submitter gave leads to its request, as long as it means one.
func TestRequestByItsName(t *testing.T) {
	r := newRig(t)
	person := r.cookie(t)
	submit := func(name, command string) *approval.Request {
		t.Helper()
		made, err := r.Backend.Service.Submit(t.Context(), "token:agent", approval.Submission{Name: name, Call: policy.Shell(command, "/home/dev/src/app")})
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	one := submit("run-7", "make deploy")
	if page := r.visit(t, "/ui/requests/run-7", person); page.Status != http.StatusOK || !strings.Contains(page.Text, `id="item-`+one.ID+`"`) {
		t.Errorf("its own id leads to %d", page.Status)
	}
	two := submit("run-7", "make release")
	if page := r.visit(t, "/ui/requests/run-7", person); page.Status != http.StatusConflict || strings.Contains(page.Text, "make release") {
		t.Errorf("an id of two leads to %d", page.Status)
	}
	if _, err := r.Backend.Service.Decide(t.Context(), one.ID, "login:dev", approval.Answer{Word: approval.Rejected}); err != nil {
		t.Fatal(err)
	}
	if page := r.visit(t, "/ui/requests/run-7", person); !strings.Contains(page.Text, `id="item-`+two.ID+`"`) {
		t.Errorf("with one that waits it leads to %d", page.Status)
	}
	if page := r.visit(t, "/ui/requests/run-8", person); page.Status != http.StatusNotFound {
		t.Errorf("no id leads to %d", page.Status)
	}
}
