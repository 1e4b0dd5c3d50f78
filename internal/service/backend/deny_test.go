package backend

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

// What a denial shows is what it stores, and then denies, also under yolo and behind a
// wrapper. Another one of the same is stored once.
func TestDenyAlways(t *testing.T) {
	g, _, project := granting(t)
	c := policy.Shell("git push --force origin main", project)
	c.Session, c.Home = "s1", "/home/nobody"
	x, err := g.engine().Explain(t.Context(), nil, c)
	if err != nil {
		t.Fatal(err)
	}
	denials := g.Refusals(&x)
	var shown []string
	for _, o := range denials {
		shown = append(shown, string(o.Scope)+": "+strings.ReplaceAll(strings.Join(o.Stores, "; "), project, "P"))
	}
	want := "session: deny git push --force in P, in this session\nhere: deny git push --force in P\nanywhere: deny git push --force anywhere"
	if got := strings.Join(shown, "\n"); got != want {
		t.Fatalf("denials:\n%s\nwant:\n%s", got, want)
	}
	r := requestFor(t, c, g.Offers(&x))
	r.Denials, r.Decision.Word = denials, approval.Rejected
	p, err := g.Plan(t.Context(), r, approval.Here)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := g.Save(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	if list, err := g.store.Read(); err != nil || len(list) != 1 || list[0].Effect != "deny" || list[0].By != "token:ann" {
		t.Errorf("%+v, %v", list, err)
	}
	s := policy.Defaults()
	s.Yolo = true
	yolo, err := policy.New(s, policy.Options{World: g.links.(policy.World), Grants: g})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"git push -f", "env A=b git push --force", "bash -c 'git push --force'"} {
		again := policy.Shell(line, project)
		again.Session, again.Home = "s2", "/home/nobody"
		if v, err := yolo.Decide(t.Context(), policy.NewSession("s2"), again); err != nil || v.Decision != policy.Deny || !strings.HasPrefix(v.Why, "denied always by token:ann at ") {
			t.Errorf("%s: %s, %s, %v", line, v.Decision, v.Why, err)
		}
	}
	r.Denials = nil
	if p, err := g.Plan(t.Context(), r, approval.Here); err == nil {
		t.Errorf("what is not shown is stored: %v", p.Lines)
	}
}

// An approval for a number of calls is counted when the service allows, and when it is
// submitted for approval; what only looks counts nothing.
func TestUses(t *testing.T) {
	g, e, project := granting(t)
	call := func(id string) *policy.Call {
		c := policy.Shell("make build"+id, project)
		c.ID, c.Session, c.Home = id, "s1", "/home/nobody"
		return c
	}
	r := requestFor(t, call(""), offersOf(t, g, call("")))
	r.Decision.Word, r.Decision.Uses = approval.ApprovedRemember, 3
	p, err := g.Plan(t.Context(), r, approval.Here)
	if err != nil || p.Lines[0] != "make in "+project+", for the next 3 calls" {
		t.Fatal(p.Lines, err)
	}
	if _, err := g.Save(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	j := NewJudge(JudgeOptions{Engine: func() *policy.Engine { return e }, Calls: &kept{}, Now: g.now, Grants: g})
	for _, row := range []struct {
		ask  func() (policy.Verdict, error)
		want policy.Decision
		left int
	}{
		{func() (policy.Verdict, error) { return j.Anew(t.Context(), call("1")) }, policy.Allow, 3},
		{func() (policy.Verdict, error) { return j.Decide(t.Context(), call("1")) }, policy.Allow, 2},
		{func() (policy.Verdict, error) { return j.Decide(t.Context(), call("1")) }, policy.Allow, 2},
		{func() (policy.Verdict, error) { v, _, _, err := j.Judge(t.Context(), call("1")); return v, err }, policy.Allow, 2},
		{func() (policy.Verdict, error) { v, _, _, err := j.Judge(t.Context(), call("2")); return v, err }, policy.Allow, 1},
		{func() (policy.Verdict, error) { return j.Decide(t.Context(), call("3")) }, policy.Allow, 0},
		{func() (policy.Verdict, error) { return j.Decide(t.Context(), call("4")) }, policy.Ask, 0},
		{func() (policy.Verdict, error) { v, _, _, err := j.Judge(t.Context(), call("5")); return v, err }, policy.Ask, 0},
	} {
		v, err := row.ask()
		list, failed := g.store.Read()
		if err != nil || failed != nil || v.Decision != row.want || list[0].Uses-len(list[0].Spent) != row.left {
			t.Errorf("%s, %v, %v; want %s and %d left", v.Decision, err, list, row.want, row.left)
		}
	}
}
