package learn_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/authoring/learn"
	"github.com/policyctl/policyctl/internal/authoring/replay"
	"github.com/policyctl/policyctl/pkg/policy"
)

// person is what a person wrote down after the day of testdata/day.txt, before learn was
// asked: permissions that they would be at ease with. Behind each is what learn proposes
// in its place, "" for the same; - stands for nothing, with the reason.
var person = []struct{ want, got, why string }{
	{"shell git commit *", "", ""},
	{"shell git add *", "", ""},
	{"shell git fetch *", "", ""},
	{"shell git rebase *", "", ""},
	{"shell git checkout -b *", "", ""},
	{"shell git push -u origin *", "", ""},
	{"shell git pull *", "shell git pull --rebase", "nothing else was pulled"},
	{"shell git push origin *", "-", "a + before the branch would force"},
	{"shell go test *", "", ""},
	{"shell go build *", "", ""},
	{"shell go vet *", "", ""},
	{"shell go mod tidy", "", ""},
	{"shell go generate ./...", "", ""},
	{"shell gofmt -w *", "", ""},
	{"shell gh pr view *", "", ""},
	{"shell gh pr diff *", "", ""},
	{"shell gh pr create *", "", ""},
	{"shell gh run view *", "", ""},
	{"shell kubectl get *", "", ""},
	{"shell kubectl logs *", "", ""},
	{"shell kubectl describe *", "", ""},
	{"shell docker compose logs *", "", ""},
	{"shell npm run build *", "", ""},
	{"shell npm run test *", "", ""},
	{"shell npm run lint", "", ""},
	{"shell npm run types", "", ""},
	{"shell make build", "", ""},
	{"shell make test", "", ""},
	{"shell make lint", "", ""},
	{"shell mkdir -p *", "", ""},
	{"shell npx prettier --write *", "", ""},
	{"shell npx eslint *", "", ""},
	{"shell curl -s https://api.shop.example/*", "", ""},
	{"shell terraform plan *", "shell terraform plan -out *", "it was always given"},
	{"shell pytest *", "-", "it runs the files that it is given"},
	{"edit internal/*", "write internal/*", "files were made there too, and to write covers to edit"},
	{"edit web/src/*", "", ""},
	{"fetch https://pkg.go.dev/*", "", ""},
	{"fetch https://go.dev/*", "", ""},
	{"mcp__tracker__get_issue *", "", ""},
	{"mcp__tracker__search *", "", ""},
	{"mcp__tracker__add_comment *", "", ""},
}

// A trial is a policy to which what is learnt is added.
type trial struct {
	settings policy.Settings
	own      []policy.Permission
}

func (r *trial) with(more ...policy.Permission) (replay.Policy, error) {
	s := r.settings
	s.Permissions = slices.Concat(s.Permissions, r.own, more)
	engine, err := policy.New(s, policy.Options{})
	return replay.Policy{Engine: engine}, err
}

// learnDay returns what is proposed after a day.
func (r *trial) learnDay(t *testing.T, calls []replay.Recorded) []learn.Proposal {
	t.Helper()
	base, err := r.with()
	if err != nil {
		t.Fatal(err)
	}
	proposals, _, err := learn.Propose(t.Context(), calls, learn.Options{Policy: base, With: r.with})
	if err != nil {
		t.Fatal(err)
	}
	return proposals
}

// asks returns the calls of a day that ask.
func (r *trial) asks(t *testing.T, calls []replay.Recorded) (list []replay.Recorded) {
	t.Helper()
	p, err := r.with()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range calls {
		if v, err := p.Decide(context.Background(), nil, c.Call); err == nil && v.Decision == policy.Ask {
			list = append(list, c)
		}
	}
	return list
}

// After a day, what is proposed is what a person would write, and most questions are gone.
func TestDay(t *testing.T) {
	text, err := os.ReadFile("testdata/day.txt")
	if err != nil {
		t.Fatal(err)
	}
	calls := recorded(string(text))
	r := &trial{settings: policy.Defaults()}
	before := r.asks(t, calls)
	var got []string
	for _, p := range r.learnDay(t, calls) {
		got = append(got, p.Match)
		r.own = append(r.own, policy.Permission{Match: p.Match, Action: p.Action})
		for _, ask := range p.Asks {
			r.own = append(r.own, policy.Permission{Match: ask, Action: policy.Ask})
		}
		if p.Action != policy.Allow || p.Outside == "" || len(p.Examples) == 0 || strings.HasSuffix(p.Match, "*") && len(p.Examples) < 2 {
			t.Errorf("%s: examples %q, outside %q", p.Match, p.Examples, p.Outside)
		}
	}
	var want []string
	for _, w := range person {
		switch w.got {
		case "":
			want = append(want, w.want)
		case "-":
		default:
			want = append(want, w.got)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	for _, m := range want {
		if !slices.Contains(got, m) {
			t.Errorf("not proposed: %s", m)
		}
	}
	for _, m := range got {
		if !slices.Contains(want, m) {
			t.Errorf("no person wrote: %s", m)
		}
	}
	after := r.asks(t, calls)
	if len(calls) < 300 || len(before) != 306 || len(after) != 79 {
		t.Errorf("of %d calls %d asked before and %d after", len(calls), len(before), len(after))
	}
	denied := func(list []replay.Recorded) int {
		n := 0
		for _, c := range list {
			if c.Answer == replay.Denied {
				n++
			}
		}
		return n
	}
	if denied(before) != denied(after) {
		t.Errorf("%d calls that a person denied asked before, and %d after", denied(before), denied(after))
	}
	for _, line := range []string{"git commit --no-verify -m hot", "rm -rf dist", "rm -rf web/dist"} {
		if !slices.ContainsFunc(after, func(c replay.Recorded) bool { return c.Sample.Text == line }) {
			t.Errorf("%s is dangerous and no longer asks", line)
		}
	}
	// A second look at the same day proposes nothing that is allowed by now.
	for _, p := range r.learnDay(t, calls) {
		if slices.Contains(got, p.Match) {
			t.Errorf("proposed again: %s", p.Match)
		}
	}
}
