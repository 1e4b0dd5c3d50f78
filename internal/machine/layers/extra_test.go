package layers

import (
	"context"
	"errors"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A table is a source that says one thing to every call, and its revision.
type table struct {
	says  policy.Decision
	err   error
	stamp string
}

func (t table) Judge(context.Context, *policy.Input) (policy.Answer, error) {
	return policy.Answer{Decision: t.says, Certain: true, Rule: "row"}, t.err
}

// What comes from no file counts from the next call on, whatever the files
// are, and under a revision that names it.
func TestExtra(t *testing.T) {
	tr := newTree(t)
	tr.policy(userFile, "")
	var now *table
	tr.Extra = func() ([]policy.Source, string) {
		if now == nil {
			return nil, "none"
		}
		return []policy.Source{*now}, now.stamp
	}
	l, _ := tr.follow()
	bad := func() { tr.write(userFile, "version: 1\npermissions: [") }
	seen := map[string]string{}
	for _, s := range []struct {
		want, what string
		edit       func()
	}{
		{"ask", "nothing", func() {}},
		{"deny", "a deny", func() { now = &table{policy.Deny, nil, "a"} }},
		{"allow", "an allow", func() { now = &table{policy.Allow, nil, "b"} }},
		{"deny", "a deny of a file", func() { tr.policy(userFile, denyMake) }},
		{"deny", "the file broken, nothing else changed", bad},
		{"deny", "an ask beside the broken file", func() { now = &table{policy.Ask, nil, "c"} }},
		{"allow", "the file corrected", func() { tr.policy(userFile, allowMake); now = &table{policy.Allow, nil, "d"} }},
		{"deny", "a deny while the file is broken", func() { bad(); now = &table{policy.Deny, nil, "e"} }},
		{"allow", "the deny taken back while it is", func() { now = nil }},
		{"ask", "a source that fails", func() { now = &table{policy.Allow, errors.New("broken"), "f"} }},
	} {
		s.edit()
		e := l.Engine()
		if got := tr.decide(e, "make x"); got != s.want {
			t.Errorf("%s: %s, want %s", s.what, got, s.want)
		}
		if before, again := seen[e.Revision()]; again && s.what != "the file broken, nothing else changed" {
			t.Errorf("%s: the revision of %q", s.what, before)
		}
		seen[e.Revision()] = s.what
	}
}

// While the files are broken, the revision is that of the good ones.
func TestExtraRevision(t *testing.T) {
	tr := newTree(t)
	tr.policy(userFile, allowMake)
	now := table{policy.Allow, nil, "a"}
	tr.Extra = func() ([]policy.Source, string) { return []policy.Source{now}, now.stamp }
	l, _ := tr.follow()
	l.Engine()
	tr.write(userFile, "version: 1\npermissions: [")
	now.stamp = "b"
	broken := l.Engine().Revision()
	tr.policy(userFile, allowMake)
	if good := l.Engine().Revision(); good != broken {
		t.Errorf("%s, and corrected %s", broken, good)
	}
}

// Beside files that were never good, what comes from none still denies.
func TestExtraFirst(t *testing.T) {
	tr := newTree(t)
	tr.policy(userFile, "aprovals: {}\n")
	now := table{policy.Allow, nil, "a"}
	tr.Extra = func() ([]policy.Source, string) { return []policy.Source{now}, now.stamp }
	l, reports := tr.follow()
	first := l.Engine().Revision()
	if got := tr.decide(l.Engine(), "ls"); got != "ask" || (*reports)[0] != "bad" {
		t.Error(got, *reports)
	}
	now = table{policy.Deny, nil, "b"}
	if got := tr.decide(l.Engine(), "ls"); got != "deny" || l.Engine().Revision() == first {
		t.Error(got)
	}
}

// It also counts where no policy is read.
func TestExtraOff(t *testing.T) {
	tr := newTree(t)
	tr.Off = true
	now := table{policy.Deny, nil, "a"}
	tr.Extra = func() ([]policy.Source, string) { return []policy.Source{now}, now.stamp }
	l, _ := tr.follow()
	for _, want := range []policy.Decision{policy.Deny, policy.Allow} {
		now = table{want, nil, want.String()}
		if got := tr.decide(l.Engine(), "make x"); got != want.String() {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
