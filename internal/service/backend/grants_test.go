package backend

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/grant"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/world"
)

// granting returns the approvals of a directory of state with an engine that
// heeds them, and a project.
func granting(t *testing.T) (g *Granted, e *policy.Engine, project string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	project = filepath.Join(dir, "a", "project")
	if err := os.MkdirAll(project, 0o700); err != nil {
		t.Fatal(err)
	}
	w := world.New(nil)
	g = NewGranted(grant.NewStore(filepath.Join(dir, "state"), time.Now), filepath.Join(dir, "a", "home"), w, func() *policy.Engine { return e }, nil, time.Now)
	if e, err = policy.New(policy.Defaults(), policy.Options{World: w, Grants: g}); err != nil {
		t.Fatal(err)
	}
	return g, e, project
}

// offersOf returns what is offered for a call.
func offersOf(t *testing.T, g *Granted, c *policy.Call) []approval.Offer {
	t.Helper()
	x, err := g.engine().Explain(t.Context(), nil, c)
	if err != nil {
		t.Fatal(err)
	}
	return g.Offers(&x)
}

func requestFor(t *testing.T, c *policy.Call, offers []approval.Offer) *approval.Request {
	t.Helper()
	text, err := policy.EncodeCall(c)
	if err != nil {
		t.Fatal(err)
	}
	return &approval.Request{Call: text, Offers: offers, Decision: &approval.Decision{By: "token:ann"}}
}

// What an offer shows is what its approval stores, and the retry does not ask
// again.
func TestGranted(t *testing.T) {
	g, e, project := granting(t)
	c := policy.Shell("make build && git commit -m x", project)
	c.Session, c.Home = "s1", "/home/nobody"
	offers := offersOf(t, g, c)
	var shown []string
	for _, o := range offers {
		shown = append(shown, string(o.Scope)+": "+strings.ReplaceAll(strings.Join(o.Stores, "; "), project, "P"))
	}
	want := "session: make in P, in this session; git commit in P, in this session\nhere: make in P; git commit in P\nanywhere: make anywhere; git commit anywhere"
	if got := strings.Join(shown, "\n"); got != want {
		t.Fatalf("offers:\n%s\nwant:\n%s", got, want)
	}
	p, err := g.Plan(t.Context(), requestFor(t, c, offers), approval.Here)
	if err != nil || strings.Join(p.Lines, ";") != strings.Join(offers[1].Stores, ";") {
		t.Fatal(p, err)
	}
	for range 2 { // the second time nothing more
		if notice, err := g.Save(t.Context(), p); err != nil || notice != "" {
			t.Fatal(notice, err)
		}
	}
	if p, err := g.Plan(t.Context(), requestFor(t, c, offers), approval.Here); err == nil || !strings.Contains(err.Error(), "no longer") {
		t.Errorf("it asks no more: %v, %v", p, err)
	}
	v, err := e.Decide(t.Context(), policy.NewSession("s2"), c)
	if err != nil || v.Decision != policy.Allow || v.Stage != policy.StageAllowlist {
		t.Errorf("the retry: %s at %s by %q, %v", v.Decision, v.Stage, v.Rule, err)
	}
	list, err := g.store.Read()
	if err != nil || len(list) != 2 || list[0].By != "token:ann" {
		t.Errorf("stored: %+v %v", list, err)
	}
}

// Of what is dangerous, messy or elsewhere nothing is offered.
func TestNothingOffered(t *testing.T) {
	g, _, project := granting(t)
	for _, command := range []string{"git push --force", "for i in 1 2; do make; done", "sudo make", "make $X", "python3 -c 'print(1)'", "cp x ~/.bashrc"} {
		c := policy.Shell(command, project)
		c.Home = "/home/nobody"
		if offers := offersOf(t, g, c); len(offers) != 1 || offers[0].Scope != approval.Once || offers[0].Why == "" {
			t.Errorf("%s: %v", command, offers)
		}
	}
}

// "Always here" is never the home directory of the person, also where the
// call names another one or none.
func TestNotHome(t *testing.T) {
	g, _, _ := granting(t)
	if err := os.MkdirAll(g.home, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, home := range []string{"", "/home/nobody", g.home} {
		for _, dir := range []string{g.home, filepath.Dir(g.home)} {
			c := policy.Shell("make", dir)
			c.Home = home
			for _, o := range offersOf(t, g, c) {
				if o.Scope == approval.Here {
					t.Errorf("home %q: %v", home, o.Stores)
				}
			}
		}
	}
}

// An offer that is not what would be stored now stores nothing.
func TestStaleOffer(t *testing.T) {
	g, _, project := granting(t)
	c := policy.Shell("make", project)
	for name, offers := range map[string][]approval.Offer{
		"of nothing":        nil,
		"of something else": {{Scope: approval.Here, Stores: []string{"git commit in " + project}}},
		"of more":           {{Scope: approval.Here, Stores: []string{"make in " + project, "git commit in " + project}}},
		"of another scope":  {{Scope: approval.Anywhere, Stores: []string{"make in " + project}}},
	} {
		if p, err := g.Plan(t.Context(), requestFor(t, c, offers), approval.Here); err == nil {
			t.Errorf("%s: would store %v", name, p.Lines)
		}
	}
	if list, err := g.store.Read(); err != nil || len(list) > 0 {
		t.Errorf("stored: %v, %v", list, err)
	}
}

// An approval for a time stores its end, which the decision tells, and counts
// until then.
func TestGrantedFor(t *testing.T) {
	g, e, project := granting(t)
	now := time.Now()
	clock := func() time.Time { return now }
	g.now, g.store, g.set = clock, grant.NewStore(t.TempDir(), clock), grant.NewSet(nil, g.links, clock)
	c := policy.Shell("make build", project)
	c.Home = "/home/nobody"
	r := requestFor(t, c, offersOf(t, g, c))
	r.Decision.At, r.Decision.For = now, approval.Life(2*time.Hour)
	p, err := g.Plan(t.Context(), r, approval.Here)
	want := "make in " + project + ", until " + now.Add(2*time.Hour).UTC().Format("2006-01-02 15:04:05Z")
	if err != nil || len(p.Lines) != 1 || p.Lines[0] != want {
		t.Fatalf("%q, %v; want %q", p.Lines, err, want)
	}
	if notice, err := g.Save(t.Context(), p); err != nil || notice != "" {
		t.Fatal(notice, err)
	}
	for _, row := range []struct {
		after time.Duration
		want  policy.Decision
	}{{0, policy.Allow}, {2*time.Hour - time.Second, policy.Allow}, {2 * time.Hour, policy.Ask}, {time.Hour, policy.Ask}} {
		now = r.Decision.At.Truncate(time.Second).Add(row.after)
		if v, err := e.Decide(t.Context(), policy.NewSession("s"), c); err != nil || v.Decision != row.want {
			t.Errorf("after %v: %s by %s, %v", row.after, v.Decision, v.Rule, err)
		}
	}
	p.Lines[0] = "make in " + project
	if _, err := g.Save(t.Context(), p); err == nil {
		t.Error("entries with an end are stored for a decision that tells of none")
	}
}

// Where "always here" would mean too much, "this chat" is offered, and nothing
// wider in its place.
func TestShallowOffers(t *testing.T) {
	g, _, project := granting(t)
	if err := os.MkdirAll(g.home, 0o700); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{
		"/": "session anywhere", "/tmp": "session anywhere", "/usr": "session anywhere", "/etc": "session anywhere",
		g.home: "session anywhere", filepath.Dir(g.home): "session anywhere", project: "session here anywhere",
	} {
		c := policy.Shell("freshx", dir)
		c.Home, c.Session = g.home, "s1"
		var scopes []string
		for _, o := range offersOf(t, g, c) {
			scopes = append(scopes, string(o.Scope))
		}
		if got := strings.Join(scopes, " "); got != want {
			t.Errorf("in %s: %s, want %s", dir, got, want)
		}
	}
}

// counted are links that count how often each path was followed.
type counted struct {
	grant.Links
	seen map[string]int
}

func (c counted) RealPath(path string) (string, bool) {
	c.seen[path]++
	return c.Links.RealPath(path)
}

// Each path of a call is followed once, however many scopes are offered.
func TestLinksOfOffers(t *testing.T) {
	g, _, project := granting(t)
	links := counted{g.links, map[string]int{}}
	g.links = links
	c := policy.Shell("make build && cp a b && git commit -m x", project)
	c.Session = "s1"
	if offers := offersOf(t, g, c); len(offers) != 3 {
		t.Errorf("offers: %v", offers)
	}
	if len(links.seen) == 0 {
		t.Error("no path was followed")
	}
	for path, n := range links.seen {
		if n > 1 {
			t.Errorf("%s was followed %d times", path, n)
		}
	}
}

// watched are approvals that count how often somebody looks at them.
type watched struct {
	Approvals
	looks int
}

func (w *watched) Stamp() string {
	w.looks++
	return w.Approvals.Stamp()
}

// A decision looks at the stored approvals once: those that instances share are in a database.
func TestGrantsLookedAtOnce(t *testing.T) {
	g, e, project := granting(t)
	seen := &watched{Approvals: g.store}
	g.store = seen
	j := newJudge(t, &kept{}, plain, func(o *JudgeOptions) {
		o.Engine = func() *policy.Engine { return e }
		o.Grants = g
	})
	for _, command := range []string{"make build && git commit -m x", "make a; make b; make c", "ls"} {
		seen.looks = 0
		if _, _, _, err := j.Judge(t.Context(), policy.Shell(command, project)); err != nil || seen.looks != 1 {
			t.Errorf("%s: %d looks, want 1: %v", command, seen.looks, err)
		}
	}
}
