package ruledb

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

// A row that was broken by hand leaves the last good rules in force, and what
// is stored through the rules still counts.
func TestBrokenLater(t *testing.T) {
	m := &memory{}
	r := open(t, m)
	e := engine(t, following{r})
	put(t, r, allowMake)
	m.byHand("hand", `{"shell.program":{"equls":"ls"}}`, "deny")
	for _, row := range []struct {
		want, problem, what string
		change              func()
	}{
		{"allow make", `rule "hand"`, "read again", func() { _ = r.refresh(t.Context()) }},
		{"ask ask-make", `rule "hand"`, "another rule stored", func() { put(t, r, askMake) }},
		{"allow make", `rule "hand"`, "another rule deleted", func() { _, _ = r.Delete(t.Context(), "token:ops", "ask-make", nil) }},
		{"ask", `rule "hand"`, "the allow deleted", func() { _, _ = r.Delete(t.Context(), "token:ops", "make", nil) }},
		{"deny hand", "", "corrected", func() { put(t, r, strings.Replace(denyMake, "no-make", "hand", 1)) }},
		{"deny hand", `rule "hand"`, "broken again", func() { m.byHand("hand", `{`, "deny"); _ = r.refresh(t.Context()) }},
		{"ask", "", "deleted", func() { _, _ = r.Delete(t.Context(), "token:ops", "hand", nil) }},
		{"allow hand", "", "a good one by hand", func() { m.byHand("hand", `{"shell.program":"make"}`, "allow"); _ = r.refresh(t.Context()) }},
	} {
		row.change()
		if got := decide(t, e, "make x"); got != row.want {
			t.Errorf("%s: %s, want %s", row.what, got, row.want)
		}
		problem := ""
		if err := r.Problem(); err != nil {
			problem = err.Error()
		}
		if !strings.Contains(problem, row.problem) || (problem == "") != (row.problem == "") {
			t.Errorf("%s: problem %q, want %q", row.what, problem, row.problem)
		}
	}
}

// What others write to the table counts from the next look at it on, and a
// problem is told once.
func TestFollow(t *testing.T) {
	m := &memory{}
	r := open(t, m)
	e := engine(t, following{r})
	ticks, told := make(chan time.Time), make(chan error, 1)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.Follow(ctx, ticks, func(err error) { told <- err })
	}()
	for _, row := range []struct {
		want, told, what string
		change           func()
	}{
		{"deny hand", "none", "a row by hand", func() { m.byHand("hand", `{"shell.program":"make"}`, "deny") }},
		{"deny hand", `rule "bad"`, "a row that means nothing", func() { m.byHand("bad", `{`, "deny") }},
		{"deny hand", "none", "nothing", func() {}},
		{"deny hand", "the disk is full", "the table down", func() { m.fail(errDown) }},
		{"ask", "<nil>", "all in order", func() { m.clear(); m.fail(nil) }},
	} {
		row.change()
		ticks <- time.Time{}
		ticks <- time.Time{} // now the first look is over
		got := "none"
		select {
		case err := <-told:
			got = fmt.Sprint(err)
		default:
		}
		if decided := decide(t, e, "make x"); decided != row.want || !strings.Contains(got, row.told) {
			t.Errorf("%s: %s, told %s; want %s, told %s", row.what, decided, got, row.want, row.told)
		}
	}
	stop()
	<-done
}

// What was deleted by hand no longer allows as soon as somebody deletes it here.
func TestDeletedTwice(t *testing.T) {
	m := &memory{}
	r := open(t, m)
	put(t, r, allowMake)
	delete(m.rows, "make")
	m.byHand("hand", `{`, "deny")
	if n, err := r.Delete(t.Context(), "token:ops", "make", nil); n != 0 || err != nil {
		t.Error(n, err)
	}
	if got := decide(t, engine(t, following{r}), "make x"); got != "ask" {
		t.Error(got)
	}
}

// Where the first rows are broken, the others say what they say, and the
// broken one is corrected as any other.
func TestBrokenFirst(t *testing.T) {
	for _, decision := range []string{"deny", "allow", "nonsense"} {
		m := &memory{}
		m.byHand("broken", `{"shell.program":`, decision)
		m.byHand("no-make", `{"shell.program":"make"}`, "deny")
		m.byHand("git", `{"shell.program":"git"}`, "allow")
		r := open(t, m)
		e := engine(t, following{r})
		for _, row := range [][2]string{
			{"deny no-make", "make x"}, {"deny no-make", "ls; make x"}, {"allow git", "git push"}, {"allow", "ls"}, {"ask", "npm i"},
		} {
			if got := decide(t, e, row[1]); got != row[0] {
				t.Errorf("%s: %s: %s, want %s", decision, row[1], got, row[0])
			}
		}
		if err := r.Problem(); err == nil || !strings.Contains(err.Error(), `rule "broken"`) {
			t.Errorf("%s: problem %v", decision, err)
		}
		broken := r.Revision()
		put(t, r, strings.Replace(denyMake, "no-make", "broken", 1))
		if r.Problem() != nil || r.Revision() == broken {
			t.Errorf("%s: corrected, and the problem is %v", decision, r.Problem())
		}
	}
}

// A row that is broken by hand allows nothing any more, and goes on to deny or
// ask what it did: nobody has taken that back.
func TestBrokenWhileInForce(t *testing.T) {
	for _, row := range [][3]string{{"deny", "deny hand", "deny hand"}, {"require_human", "ask hand", "ask hand"}, {"allow", "allow hand", "ask"}} {
		m := &memory{}
		m.byHand("hand", `{"shell.program":"make"}`, row[0])
		r := open(t, m)
		e := engine(t, following{r})
		before := decide(t, e, "make x")
		m.byHand("hand", `{`, row[0])
		_ = r.refresh(t.Context())
		if after := decide(t, e, "make x"); before != row[1] || after != row[2] || r.Problem() == nil {
			t.Errorf("%s: %s, then %s, %v", row[0], before, after, r.Problem())
		}
	}
}

// These rows are broken, each for the reason that the problem names.
func TestBrokenRows(t *testing.T) {
	const good = `{"shell.program":"make"}`
	deny := func(edit func(*Row)) Row {
		r := Row{ID: "r", Enabled: 1, Dialect: "pattern", Source: good, Decision: "deny"}
		edit(&r)
		return r
	}
	text, zero, two := func(s string) *string { return &s }, new(int64), 2
	for _, row := range []struct {
		want string
		row  Row
	}{
		{"", deny(func(*Row) {})},
		{"", deny(func(r *Row) { r.Decision = "require_human" })},
		{"", deny(func(r *Row) { r.Decision = "require_llm" })},
		{"", deny(func(r *Row) { r.Enabled, r.Source = 0, "{" })},
		{"", deny(func(r *Row) { r.Label, r.CreatedBy = text(""), text("eve") })},
		{"id:", deny(func(r *Row) { r.ID = "../r" })},
		{"id:", deny(func(r *Row) { r.ID = "" })},
		{"enabled", deny(func(r *Row) { r.Enabled = two })},
		{"dialect is cel", deny(func(r *Row) { r.Dialect = "cel" })},
		{"decision", deny(func(r *Row) { r.Decision = "Deny" })},
		{"decision", deny(func(r *Row) { r.Decision = "" })},
		{"ends too early", deny(func(r *Row) { r.Source = "{" })},
		{"appears twice", deny(func(r *Row) { r.Source = `{"verb":"a","verb":"b"}` })},
		{"", deny(func(r *Row) { r.Source = `{}` })},
		{"empty", deny(func(r *Row) { r.Source = `{"all":[]}` })},
		{"did you mean", deny(func(r *Row) { r.Source = `{"shell.progam":"x"}` })},
		{"on_timeout", deny(func(r *Row) { r.Decision, r.OnTimeout = "require_human", text("alow") })},
		{"timeout of 0 ms", deny(func(r *Row) { r.Decision, r.TimeoutMS = "require_human", zero })},
		{"has no effect beside deny", deny(func(r *Row) { r.OnTimeout = text("allow") })},
		{`\s is every blank`, deny(func(r *Row) { r.Source = `{"shell.command":{"pattern":"rm\\s+-r"}}` })},
		{"shell.line", deny(func(r *Row) { r.Decision, r.Source = "allow", `{"shell.line":"make"}` })},
		{"priority", deny(func(r *Row) { r.Priority = 1 << 40 })},
	} {
		_, _, err := row.row.compile()
		if (err == nil) != (row.want == "") || err != nil && !strings.Contains(err.Error(), row.want) {
			t.Errorf("%+v: %v, want %q", row.row, err, row.want)
		}
	}
}
