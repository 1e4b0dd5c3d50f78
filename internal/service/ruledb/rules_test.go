package ruledb

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
)

const (
	denyMake  = `{"id":"no-make","source":"{\"shell.program\":\"make\"}","decision":"deny","reason":"no make here"}`
	allowMake = `{"id":"make","source":"{\"shell.program\":\"make\"}","decision":"allow"}`
	askMake   = `{"id":"ask-make","when":{"shell.program":"make"},"decision":"require_human","priority":7}`
)

// A rule counts from the very next call on, under a revision of its own.
func TestHot(t *testing.T) {
	r := open(t, &memory{})
	e := engine(t, following{r})
	remove := func(id string) func() {
		return func() {
			if n, err := r.Delete(t.Context(), "token:ops", id, nil); n == 0 || err != nil {
				t.Error(id, n, err)
			}
		}
	}
	put := func(body string) func() { return func() { put(t, r, body) } }
	seen := map[string]string{}
	for _, row := range []struct {
		want, what string
		change     func()
	}{
		{"ask", "nothing", func() {}},
		{"allow make", "an allow", put(allowMake)},
		{"deny no-make", "a deny of the same priority comes later", put(strings.Replace(denyMake, `"id"`, `"priority":1,"id"`, 1))},
		{"allow make", "the deny deleted", remove("no-make")},
		{"ask ask-make", "an ask of a higher priority", put(askMake)},
		{"allow make", "the ask disabled", put(strings.Replace(askMake, `"id"`, `"enabled":false,"id"`, 1))},
		{"allow make", "the ask deleted", remove("ask-make")},
		{"ask", "the allow disabled", put(strings.Replace(allowMake, `"id"`, `"enabled":0,"id"`, 1))},
		{"deny make", "the rule made a deny", put(strings.Replace(allowMake, "allow", "deny", 1))},
		{"ask", "the rule of a scope", put(strings.Replace(allowMake, `"id"`, `"scopePluginId":"ci","id"`, 1))},
	} {
		row.change()
		if got := decide(t, e, "make x"); got != row.want {
			t.Errorf("%s: %s, want %s", row.what, got, row.want)
		}
		if before, again := seen[r.Revision()]; again && row.what != "the deny deleted" && row.what != "the ask deleted" {
			t.Errorf("%s: the revision of %q again", row.what, before)
		}
		seen[r.Revision()] = row.what
	}
}

// The same rules have the same revision, whoever wrote them and when.
func TestRevision(t *testing.T) {
	m := &memory{}
	a, b := open(t, m), open(t, &memory{})
	put(t, a, allowMake)
	put(t, a, denyMake)
	put(t, b, denyMake)
	put(t, b, strings.Replace(allowMake, "{", `{"created_by":"eve","updated_at":"2020-01-01T00:00:00Z",`, 1))
	if a.Revision() != b.Revision() || a.Revision() != open(t, m).Revision() || a.Revision() == open(t, &memory{}).Revision() {
		t.Error(a.Revision(), b.Revision(), open(t, m).Revision())
	}
	before := a.Revision()
	put(t, a, strings.Replace(denyMake, "no make here", "never", 1))
	if a.Revision() == before {
		t.Error("another reason, the same revision")
	}
}

// What is in force at one moment stays as it is.
func TestInForce(t *testing.T) {
	r := open(t, &memory{})
	put(t, r, denyMake)
	sources, revision := r.InForce()
	e := engine(t, sources[0])
	if _, err := r.Delete(t.Context(), "token:ops", "no-make", nil); err != nil {
		t.Fatal(err)
	}
	if got := decide(t, e, "make x"); got != "deny no-make" || revision == r.Revision() {
		t.Error(got, revision == r.Revision())
	}
}

func TestOrigin(t *testing.T) {
	r := open(t, &memory{})
	put(t, r, denyMake)
	v, err := engine(t, following{r}).Decide(t.Context(), nil, policy.Shell("make x", "/w"))
	if got := fmt.Sprint(v.Origin.Layer, " ", v.Origin, " ", v.Why); err != nil || got != "database approval_rules no make here" {
		t.Error(got, err)
	}
}

func TestScope(t *testing.T) {
	r := open(t, &memory{})
	put(t, r, `{"id":"r","when":{"shell.program":"make"},"decision":"deny","scope_plugin_id":"github","scope_profile_id":"prod"}`)
	e := engine(t, following{r})
	for _, row := range []struct {
		want  policy.Decision
		scope policy.Scope
	}{
		{policy.Deny, policy.Scope{Plugin: "github", Profile: "prod"}},
		{policy.Deny, policy.Scope{Plugin: "github", Profile: "prod", Integration: "x"}},
		{policy.Ask, policy.Scope{Plugin: "github"}},
		{policy.Ask, policy.Scope{Plugin: "GitHub", Profile: "prod"}},
		{policy.Ask, policy.Scope{}},
	} {
		c := policy.Shell("make x", "/w")
		c.Scope = row.scope
		if v, err := e.Decide(t.Context(), nil, c); v.Decision != row.want || err != nil {
			t.Errorf("%+v: %s, want %s (%v)", row.scope, v.Decision, row.want, err)
		}
	}
}

func TestDelete(t *testing.T) {
	m := &memory{}
	r := open(t, m)
	put(t, r, denyMake)
	for _, want := range []bool{true, false} {
		if n, err := r.Delete(t.Context(), "token:eve", "no-make", nil); (n != 0) != want || err != nil {
			t.Error(n, err)
		}
	}
	graves, err := r.Deleted(t.Context(), 10)
	if err != nil || len(graves) != 1 || graves[0].Row.ID != "no-make" || graves[0].DeletedBy != "token:eve" {
		t.Errorf("%+v %v", graves, err)
	}
	if n := len(m.log); n != 2 {
		t.Errorf("%d records of the audit log, want 2: what was not there was not deleted", n)
	}
}

// Each write is recorded with who did it, what was and what is.
func TestAudit(t *testing.T) {
	m := &memory{}
	r := open(t, m)
	put(t, r, denyMake)
	put(t, r, strings.Replace(denyMake, "no make here", "password=hunter22", 1))
	if _, err := r.Delete(t.Context(), "uid:0", "no-make", nil); err != nil {
		t.Fatal(err)
	}
	want := []string{"token:ops created no-make deny false true", "token:ops changed no-make deny true true", "uid:0 deleted no-make deny true false"}
	for i, rec := range m.log {
		d := rec.Detail
		got := fmt.Sprint(rec.Actor, " ", d["action"], " ", d["id"], " ", d["decision"], " ", d["before"] != "", " ", d["after"] != "")
		if rec.Kind != audit.KindRule || got != want[i] {
			t.Errorf("%s %s, want %s", rec.Kind, got, want[i])
		}
		if i > 0 && d["before"] != m.log[i-1].Detail["after"] {
			t.Errorf("%s: what was is not what the record before left", got)
		}
		if !strings.Contains(string(rec.Arguments), "shell.program") || strings.Contains(string(rec.Arguments), "hunter22") {
			t.Errorf("%s", rec.Arguments)
		}
	}
	if len(m.log) != 3 {
		t.Errorf("%d records", len(m.log))
	}
}

// What was not stored does not count, and what was stored counts whatever
// happens next.
func TestTableFails(t *testing.T) {
	m := &memory{}
	r := open(t, m)
	put(t, r, allowMake)
	before := r.Revision()
	m.fail(errDown)
	d, _ := Decode([]byte(denyMake))
	if _, err := r.Put(t.Context(), "token:ops", d); !errors.Is(err, errDown) {
		t.Error(err)
	}
	if n, err := r.Delete(t.Context(), "token:ops", "make", nil); n != 0 || !errors.Is(err, errDown) {
		t.Error(n, err)
	}
	if err := r.refresh(t.Context()); !errors.Is(err, errDown) || r.Revision() != before {
		t.Error(err)
	}
	if _, err := Open(t.Context(), m, clock); !errors.Is(err, errDown) {
		t.Error(err)
	}
	m.fail(nil)
	if err := r.refresh(t.Context()); err != nil || decide(t, engine(t, following{r}), "make x") != "allow make" {
		t.Error(err)
	}
}

// forgetful is a table that cannot be read right after a write.
type forgetful struct{ *memory }

func (f forgetful) ChangeRules(ctx context.Context, list []Change, log ...audit.Entry) error {
	err := f.memory.ChangeRules(ctx, list, log...)
	f.fail(errDown)
	return err
}

func TestStoredCounts(t *testing.T) {
	m := &memory{}
	r, err := Open(t.Context(), forgetful{m}, clock)
	if err != nil {
		t.Fatal(err)
	}
	put(t, r, denyMake)
	if got := decide(t, engine(t, following{r}), "make x"); got != "deny no-make" || !errors.Is(r.Problem(), errDown) {
		t.Error(got, r.Problem())
	}
}

// fleeting is a table whose caller hangs up while it writes.
type fleeting struct {
	*memory
	hangUp func()
}

func (f fleeting) Rules(ctx context.Context) ([]Row, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return f.memory.Rules(ctx)
}

func (f fleeting) ChangeRules(ctx context.Context, list []Change, log ...audit.Entry) error {
	defer f.hangUp()
	return f.memory.ChangeRules(ctx, list, log...)
}

// Who hangs up has the rule stored all the same, and in force.
func TestHungUp(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	r, err := Open(ctx, fleeting{&memory{}, stop}, clock)
	must(t, err)
	d, err := Decode([]byte(denyMake))
	must(t, err)
	if _, err := r.Put(ctx, "token:ops", d); err != nil || r.Problem() != nil {
		t.Fatal(err, r.Problem())
	}
	if got := decide(t, engine(t, following{r}), "make x"); got != "deny no-make" {
		t.Error(got)
	}
}

func TestTogether(t *testing.T) {
	r := open(t, &memory{})
	e := engine(t, following{r})
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			tool := fmt.Sprintf("tool%d", i)
			body := fmt.Sprintf(`{"id":"r%d","when":{"shell.program":%q},"decision":"deny"}`, i, tool)
			d, err := Decode([]byte(body))
			if err != nil {
				t.Error(err)
				return
			}
			if w, err := r.Put(t.Context(), "token:ops", d); err != nil || !w.Created {
				t.Error(w, err)
			}
			if got := decide(t, e, tool+" x"); got != fmt.Sprintf("deny r%d", i) {
				t.Errorf("%s: %s right after its rule was stored", tool, got)
			}
			if i%2 == 0 {
				return
			}
			if n, err := r.Delete(t.Context(), "token:ops", fmt.Sprintf("r%d", i), nil); n == 0 || err != nil {
				t.Error(n, err)
			}
			if got := decide(t, e, tool+" x"); got != "ask" {
				t.Errorf("%s: %s right after its rule was deleted", tool, got)
			}
		})
		all.Go(func() {
			sources, revision := r.InForce()
			if len(sources) != 1 || revision == "" || r.Problem() != nil {
				t.Error(sources, revision, r.Problem())
			}
			decide(t, e, "make x")
		})
	}
	all.Wait()
	if rows, err := r.List(t.Context()); len(rows) != 50 || err != nil {
		t.Error(len(rows), err)
	}
}
