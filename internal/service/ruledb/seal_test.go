package ruledb

import (
	"strings"
	"testing"
)

// noticedIn lists what is on record of other programs.
func (m *memory) noticedIn() string {
	var out []string
	for _, r := range m.log {
		if r.Actor == foreign {
			out = append(out, r.Detail["action"]+" "+r.Detail["id"])
		}
	}
	return strings.Join(out, ", ")
}

// What SQL wrote is on record as such, once, before it counts; what the service
// wrote is not, also after a start.
func TestNoticed(t *testing.T) {
	m := &memory{}
	r := open(t, m)
	put(t, r, denyMake)
	for _, row := range []struct {
		want, what string
		change     func()
	}{
		{"", "nothing", func() {}},
		{"written hand", "a row", func() { m.byHand("hand", `{"shell.program":"ls"}`, "allow") }},
		{"written hand", "nothing again", func() {}},
		{"written hand, written hand", "changed", func() { m.byHand("hand", `{"shell.program":"make"}`, "allow") }},
		{"written hand, written hand", "written by the service", func() { put(t, r, allowMake) }},
		{"written hand, written hand, deleted make", "deleted", func() { delete(m.rows, "make") }},
		{"written hand, written hand, deleted make", "deleted by the service", func() { _, _ = r.Delete(t.Context(), "token:ops", "hand", nil) }},
		{"written hand, written hand, deleted make, written bad", "a bad row", func() { m.byHand("bad", "{", "deny") }},
	} {
		row.change()
		_ = r.refresh(t.Context())
		open(t, m) // a start
		if got := m.noticedIn(); got != row.want {
			t.Errorf("%s: on record is %q, want %q", row.what, got, row.want)
		}
	}
}

// A row from before there were seals is nobody else's, and one that cannot be
// put on record does not count.
func TestUnnoticed(t *testing.T) {
	m := &memory{seals: map[string]string{"old": ""}}
	m.byHand("old", `{"shell.program":"make"}`, "allow")
	r := open(t, m)
	e := engine(t, following{r})
	if got := decide(t, e, "make x"); got != "allow old" || m.noticedIn() != "" {
		t.Errorf("%s, %s", got, m.noticedIn())
	}
	m.byHand("hand", `{"shell.program":"npm"}`, "allow")
	m.fail(errDown)
	if err := r.refresh(t.Context()); err == nil || decide(t, e, "npm i") != "ask" {
		t.Error(err)
	}
	m.fail(nil)
	if err := r.refresh(t.Context()); err != nil || decide(t, e, "npm i") != "allow hand" || m.noticedIn() != "written hand" {
		t.Error(err, m.noticedIn())
	}
}
