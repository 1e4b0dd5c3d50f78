package decisions_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/decisions"
	"github.com/policyctl/policyctl/internal/cli/serve"
	"github.com/policyctl/policyctl/internal/machine/collector"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/machine/spool"
	"github.com/policyctl/policyctl/internal/service/sqlite"
	"github.com/policyctl/policyctl/internal/support/rendezvous"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/trail"
)

// A machine has a spool to which hooks write, and perhaps the database of a service.
type machine struct {
	*testing.T
	console.Process
	state string
	made  time.Time
}

func newMachine(t *testing.T) *machine {
	state := filepath.Join(t.TempDir(), "state")
	m := &machine{T: t, state: state, made: time.Date(2026, 11, 29, 9, 0, 0, 0, time.UTC)}
	m.Process = console.Process{
		Getenv: func(string) string { return "" },
		Place:  func() (layers.Place, error) { return layers.Place{State: state, Home: "/home/dev"}, nil },
	}
	return m
}

// decide returns the entry of a decision; each is made a minute after the one before.
func (m *machine) decide(command string) audit.Entry {
	m.made = m.made.Add(time.Minute)
	e := trail.Entry(trail.From{Actor: "uid:1", Via: "hook"}, &policy.Outcome{
		Call: *policy.Shell(command, "/home/dev/shop"), Verdict: policy.Verdict{Reason: policy.ReasonHardline, Why: "it is old"}, Time: m.made,
	})
	return e
}

// put adds an entry to the spool.
func (m *machine) put(e audit.Entry) audit.Entry {
	m.Helper()
	if err := collector.Put(spool.Verdicts(m.state), &e); err != nil {
		m.Fatal(err)
	}
	return e
}

// record adds entries to the database, as a collector does.
func (m *machine) record(list ...audit.Entry) {
	m.Helper()
	dir := rendezvous.Dir(m.state)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		m.Fatal(err)
	}
	db, err := sqlite.Open(m.Context(), filepath.Join(dir, "approval.db"), sqlite.Options{})
	if err != nil {
		m.Fatal(err)
	}
	for _, e := range list {
		err = errors.Join(err, db.Record(m.Context(), trail.Collected(e, "uid:2", "spool-1", m.made.Add(time.Hour))))
	}
	if err := errors.Join(err, db.Close()); err != nil {
		m.Fatal(err)
	}
}

// take takes all out of the spool.
func (m *machine) take() (list []audit.Entry) {
	m.Helper()
	_, err := collector.Drain(m.Context(), spool.Verdicts(m.state), func(_ context.Context, b trail.Batch) (int64, error) {
		for _, p := range b.Entries {
			list = append(list, p.Entry)
		}
		return b.Entries[len(b.Entries)-1].Position, nil
	})
	if err != nil {
		m.Fatal(err)
	}
	return list
}

func (m *machine) open() *decisions.Log {
	m.Helper()
	l, err := decisions.Open(m.Context(), &m.Process, &serve.Database{})
	if err != nil {
		m.Fatal(err)
	}
	m.Cleanup(func() { l.Close() })
	return l
}

// shown returns the commands of records, and + behind those that are in the audit log.
func shown(list []*audit.Record) (out []string) {
	v := decisions.NewViewer("/home/dev")
	for _, r := range list {
		text := v.Of(r).Call
		if r.Seq > 0 {
			text += "+"
		}
		out = append(out, text)
	}
	return out
}

func (m *machine) newest(q decisions.Query, want ...string) *decisions.Log {
	m.Helper()
	l := m.open()
	list, err := l.Newest(m.Context(), q)
	if err != nil {
		m.Fatal(err)
	}
	if got := shown(list); !slices.Equal(got, want) {
		m.Errorf("%q, want %q", got, want)
	}
	return l
}

// says reports whether a note has a text.
func says(notes []string, text string) bool {
	return slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, text) })
}

// Each decision is shown once, wherever it is by now.
func TestNewest(t *testing.T) {
	m := newMachine(t)
	m.newest(decisions.Query{})
	a, b := m.put(m.decide("a")), m.put(m.decide("b"))
	m.newest(decisions.Query{}, "b", "a")
	m.record(a, b) // and the cursor of the spool does not follow yet
	m.newest(decisions.Query{}, "b+", "a+")
	m.take()
	c := m.put(m.decide("c"))
	l := m.newest(decisions.Query{}, "c", "b+", "a+")
	if !says(l.Notes(), "not yet chained: 1 decision; the rest is in the audit log") || len(l.Gaps()) > 0 {
		t.Error(l.Notes())
	}
	m.newest(decisions.Query{Limit: 2}, "c", "b+")
	m.newest(decisions.Query{ID: b.Detail[trail.ID][:8]}, "b+")
	m.newest(decisions.Query{ID: c.Detail[trail.ID]}, "c")
	m.newest(decisions.Query{Since: c.Time}, "c")
	m.newest(decisions.Query{Since: b.Time}, "c", "b+")
	m.newest(decisions.Query{Under: "/home/dev/shop"}, "c", "b+", "a+")
	m.newest(decisions.Query{Under: "/home/dev/sho"})
	m.newest(decisions.Query{Decision: "ask"})
	m.newest(decisions.Query{Decision: "deny", Limit: 1}, "c")
	if waits, err := m.open().Unchained(t.Context(), decisions.Query{}); err != nil || !slices.Equal(shown(waits), []string{"c"}) {
		t.Errorf("%q (%v)", shown(waits), err)
	}
}

// What was taken to where it cannot be seen is not shown as nothing.
func TestTaken(t *testing.T) {
	m := newMachine(t)
	m.put(m.decide("a"))
	if l := m.newest(decisions.Query{}, "a"); len(l.Gaps()) > 0 {
		t.Error(l.Gaps())
	}
	m.take()
	if l := m.newest(decisions.Query{}); !says(l.Notes(), "policyctl serve or policyctl ship has collected decisions, last at ") {
		t.Error(l.Notes())
	}
	if err := os.MkdirAll(filepath.Join(rendezvous.Dir(m.state), "approval.db"), 0o700); err != nil {
		t.Fatal(err)
	}
	m.put(m.decide("b"))
	if l := m.newest(decisions.Query{}, "b"); !says(l.Notes(), "the audit log cannot be read, so what policyctl serve has collected is not shown: ") {
		t.Error(l.Notes())
	}
}

// A follower shows each decision once, while it is moved, and while the log is made.
func TestFollow(t *testing.T) {
	m := newMachine(t)
	for i := range 5 {
		m.put(m.decide(fmt.Sprint(i)))
	}
	m.made = time.Now() // what comes now is news
	l := m.open()
	f := l.Follow(decisions.Query{Limit: 2})
	next := func(what string, want ...string) {
		t.Helper()
		list, err := f.Next(t.Context())
		if got := shown(list); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q (%v), want %q", what, got, err, want)
		}
	}
	next("the last ones", "3", "4")
	next("nothing new")
	five := m.put(m.decide("5"))
	next("a new one", "5")
	first := m.take()
	next("taken")
	m.record(first...)
	next("and recorded")
	six := m.put(m.decide("6"))
	m.record(six)
	next("recorded before it was seen in the spool", "6+")
	m.take()
	seven := m.decide("7")
	m.record(seven)
	next("never seen in the spool", "7+")
	m.put(m.decide("8"))
	m.put(m.decide("9"))
	next("two", "8", "9")
	if err := os.RemoveAll(filepath.Join(m.state, "verdicts")); err != nil {
		t.Fatal(err)
	}
	m.put(m.decide("10"))
	next("of another spool in its place", "10")
	next("nothing more")
	if five.Detail[trail.ID] == "" {
		t.Error("no id")
	}
}

// A follower that begins with a log shows its end.
func TestFollowLog(t *testing.T) {
	m := newMachine(t)
	a, b, c := m.decide("a"), m.decide("b"), m.decide("c")
	m.record(a, b)
	m.put(b)
	m.put(c)
	f := m.open().Follow(decisions.Query{Limit: 20})
	for _, want := range [][]string{{"a+", "b+", "c"}, nil} {
		list, err := f.Next(t.Context())
		if got := shown(list); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q (%v), want %q", got, err, want)
		}
	}
	m.take()
	m.record(c, m.decide("d"))
	list, err := f.Next(t.Context())
	if got := shown(list); err != nil || !slices.Equal(got, []string{"d+"}) {
		t.Errorf("%q (%v)", got, err)
	}
}

// Secrets are masked, wherever they stand in a call.
func TestMasked(t *testing.T) {
	m := newMachine(t)
	const secret = "ghp_Zq1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2aXy"
	for _, command := range []string{
		"curl https://user:" + secret + "@api.example.com/", "curl -H 'Authorization: Bearer " + secret + "' https://a.example", "TOKEN=" + secret + " make",
		"export GH_TOKEN=" + secret, "cat > f <<EOF\ntoken: " + secret + "\nEOF", "git clone https://x-access-token:" + secret + "@github.com/a/b",
		"curl 'https://a.example/?access_token=" + secret + "'", "docker login -p " + secret + " ghcr.io", "echo " + secret + " | gh auth login --with-token",
	} {
		m.put(m.decide(command))
	}
	list, err := m.open().Newest(t.Context(), decisions.Query{})
	if err != nil || len(list) != 9 {
		t.Fatal(len(list), err)
	}
	for _, text := range shown(list) {
		if strings.Contains(text, "Zq1B2a1B2a") {
			t.Errorf("a secret: %s", text)
		}
	}
}

// What a call is about is one text, of any tool.
func TestCall(t *testing.T) {
	v := decisions.NewViewer("/home/dev")
	for _, r := range []struct{ tool, arguments, cut, want string }{
		{"Bash", `{"command":"make all"}`, "", "make all"},
		{"Edit", `{"file_path":"/w/a.go","old_string":"a"}`, "", "edit /w/a.go"},
		{"WebFetch", `{"url":"https://go.dev","prompt":"x"}`, "", "fetch https://go.dev"},
		{"mcp__tracker__create", `{"title":"a"}`, "", `mcp__tracker__create {"title":"a"}`},
		{"mcp__tracker__list", ``, "", "mcp__tracker__list"},
		{"Write", ``, "/arguments", "Write (its arguments were too long for the record)"},
		{"Bash", `"text"`, "", `Bash "text"`},
	} {
		rec := &audit.Record{Entry: audit.Entry{Tool: r.tool, Arguments: []byte(r.arguments), Detail: map[string]string{"cut": r.cut}}}
		if got := v.Of(rec).Call; got != r.want {
			t.Errorf("%s %s: %q, want %q", r.tool, r.arguments, got, r.want)
		}
	}
	if got := v.Short("/home/dev/shop"); got != "~/shop" {
		t.Error(got)
	}
	if got := v.Short("/home/developer"); got != "/home/developer" {
		t.Error(got)
	}
}
