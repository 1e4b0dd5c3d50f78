package layers

import (
	"os"
	"testing"
	"time"
)

// follow returns a live engine and what it reports: "good" or "bad".
func (t *tree) follow() (*Live, *[]string) {
	t.load() // makes the directory
	var reports []string
	l, err := NewLive(t.Place, t.path("w/app"), nil, nil, func(p *Policy) {
		if p.Err != nil {
			reports = append(reports, "bad")
			return
		}
		reports = append(reports, "good")
	})
	if err != nil {
		t.Fatal(err)
	}
	return l, &reports
}

func TestLive(t *testing.T) {
	tr := newTree(t)
	user := tr.policy(userFile, "")
	l, reports := tr.follow()
	steps := []struct {
		want, what string
		edit       func()
	}{
		{"ask", "nothing", func() {}},
		{"allow", "an edit", func() { tr.policy(userFile, allowMake) }},
		{"allow", "a bad edit", func() { tr.policy(userFile, "permissions: {\"shell make *\": dney}\n") }},
		{"allow", "another bad edit", func() { tr.write(userFile, "") }},
		{"deny", "a good one", func() { tr.policy(userFile, denyMake) }},
		{"ask", "of the same length at the same time", func() { sameTime(tr, user, "version: 1\n"+askMake+" ") }},
		{"deny", "a project", func() { tr.policy(innerFile, denyMake) }},
		{"ask", "removed", func() { must(0, os.Remove(tr.path(innerFile))) }},
		{"ask", "the person's removed", func() { must(0, os.Remove(user)) }},
		{"ask", "the organisation", func() { tr.policy("etc/policy.d/a.yaml", "") }},
		{"deny", "the organisation again", func() { tr.policy("etc/policy.d/b.yaml", denyMake) }},
	}
	for _, s := range steps {
		s.edit()
		if got := tr.decide(l.Engine(), "make x"); got != s.want {
			t.Errorf("%s: %s, want %s", s.what, got, s.want)
		}
	}
	before := len(*reports)
	for range 3 {
		l.Engine()
	}
	if len(*reports) != before {
		t.Errorf("reports without a change: %v", (*reports)[before:])
	}
	if r := *reports; r[0] != "good" || r[1] != "good" || r[2] != "bad" || r[3] != "bad" || r[4] != "good" {
		t.Errorf("%v", r)
	}
}

// sameTime writes other content of the same size, at the same time.
func sameTime(t *tree, name, content string) {
	info := must(os.Stat(name))
	f := must(os.OpenFile(name, os.O_WRONLY|os.O_TRUNC, 0))
	must(f.WriteString(content[:info.Size()]))
	must(0, f.Close())
	must(0, os.Chtimes(name, info.ModTime(), info.ModTime()))
}

// Where the first policy is bad, everything asks until there is a good one.
func TestLiveBegins(t *testing.T) {
	tr := newTree(t)
	tr.policy(userFile, "aprovals: {}\n"+allowMake)
	l, _ := tr.follow()
	if got := tr.decide(l.Engine(), "make x") + " " + tr.decide(l.Engine(), "ls"); got != "ask ask" {
		t.Error(got)
	}
	tr.policy(userFile, allowMake)
	if got := tr.decide(l.Engine(), "make x"); got != "allow" {
		t.Error(got)
	}
}

// While the person's file is wrong, what the organisation writes takes effect:
// then what is wrong counts no more.
func TestLiveAbove(t *testing.T) {
	tr := newTree(t)
	tr.policy(userFile, allowMake)
	l, _ := tr.follow()
	for _, s := range []struct {
		want, what string
		edit       func()
	}{
		{"allow", "the person allows", func() {}},
		{"allow", "a bad edit", func() { tr.policy(userFile, wrong) }},
		{"deny", "the organisation denies", func() { tr.policy(managedFile, denyMake) }},
		{"deny", "it is wrong too", func() { tr.policy(managedFile, wrong) }},
		{"ask", "it takes the deny back", func() { tr.policy(managedFile, "") }},
		{"allow", "the person corrects it", func() { tr.policy(userFile, allowMake) }},
	} {
		s.edit()
		if got := tr.decide(l.Engine(), "make x"); got != s.want {
			t.Errorf("%s: %s, want %s", s.what, got, s.want)
		}
	}
}

// Trust takes effect, and its end.
func TestLiveTrust(t *testing.T) {
	tr := newTree(t)
	inner := tr.policy(innerFile, allowMake)
	old := time.Now().Add(-time.Hour)
	must(0, os.Chtimes(inner, old, old))
	l, _ := tr.follow()
	tr.trust(inner)
	if got := tr.decide(l.Engine(), "make x"); got != "allow" {
		t.Error(got)
	}
	must(tr.Remove(inner))
	if got := tr.decide(l.Engine(), "make x"); got != "ask" {
		t.Error(got)
	}
}
