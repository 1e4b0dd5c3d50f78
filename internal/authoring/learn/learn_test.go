package learn_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/authoring/learn"
	"github.com/policyctl/policyctl/internal/authoring/replay"
	"github.com/policyctl/policyctl/pkg/policy"
)

// recorded returns calls: a line each, behind "+" one that a person approved, "~" that
// ran, "-" that a person denied, "?" of which nothing is known.
func recorded(text string) (calls []replay.Recorded) {
	for line := range strings.Lines(text) {
		mark, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		answers := map[string]replay.Answer{"+": replay.Approved, "~": replay.Ran, "-": replay.Denied, "?": replay.Unknown}
		if _, ok := answers[mark]; !ok {
			continue
		}
		c := policy.Shell(rest, "/home/dev/shop")
		if tool, subject, ok := strings.Cut(rest, ": "); ok && !strings.Contains(tool, " ") {
			key := "file_path"
			if tool == "fetch" {
				key = "url"
			}
			c = &policy.Call{Tool: tool, Input: map[string]any{key: subject, "content": "x"}, Dir: "/home/dev/shop"}
		}
		c.Home = "/home/dev"
		calls = append(calls, replay.Recorded{Call: c, Sample: replay.Sample{Text: rest}, Answer: answers[mark]})
	}
	return calls
}

// said describes what is proposed and refused.
func said(p []learn.Proposal, r []learn.Refusal) string {
	var b strings.Builder
	for _, p := range p {
		fmt.Fprintf(&b, "%s %s: %d", p.Action, p.Match, p.Answers)
		if p.Ran > 0 {
			fmt.Fprintf(&b, " (%d ran)", p.Ran)
		}
		if p.Also > 0 {
			fmt.Fprintf(&b, ", also %d: %s", p.Also, strings.Join(p.AlsoExamples, ", "))
		}
		if len(p.Asks) > 0 {
			fmt.Fprintf(&b, ", asks %s", strings.Join(p.Asks, ", "))
		}
		fmt.Fprintf(&b, ", not %s\n", p.Outside)
	}
	for _, r := range r {
		fmt.Fprintf(&b, "no %s: %d, %s\n", r.Match, r.Answers, r.Why)
	}
	return b.String()
}

func propose(t *testing.T, s policy.Settings, least int, text string) string {
	t.Helper()
	with := func(p ...policy.Permission) (replay.Policy, error) {
		own := s
		own.Permissions = append(slices.Clip(own.Permissions), p...)
		engine, err := policy.New(own, policy.Options{})
		return replay.Policy{Engine: engine}, err
	}
	base, err := policy.New(s, policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	proposals, refusals, err := learn.Propose(t.Context(), recorded(text), learn.Options{Policy: replay.Policy{Engine: base}, With: with, Least: least})
	if err != nil {
		t.Fatal(err)
	}
	return said(proposals, refusals)
}

// TestPropose shows which permissions are the smallest that give the answers.
func TestPropose(t *testing.T) {
	for _, r := range []struct{ name, calls, want string }{
		{"too few", "+ go generate\n+ go generate", ""},
		{"the same call", "+ go generate\n+ go generate\n+ go generate\n? go generate ./...", "allow shell go generate: 3, not go generate ./...\n"},
		{"one way of several", "+ npm run build\n+ npm run build\n+ npm run build\n+ npm run lint", "allow shell npm run build: 3, not npm run lint\n"},
		{"several ways", "+ npm run build\n+ npm run lint\n+ npm run types\n? npm run fmt", "allow shell npm run *: 3, also 1: npm run fmt, not npm another\n"},
		{"two ways", "+ make a\n+ make a\n+ make a\n+ make b\n+ make b\n+ make b", "allow shell make a: 3, not make b\nallow shell make b: 3, not make a\n"},
		{"the end is a way", "+ make\n+ make\n+ make\n+ make test\n+ make test\n+ make test", "allow shell make: 3, not make test\nallow shell make test: 3, not make\n"},
		{"a person denied one", "+ npm run build\n+ npm run lint\n+ npm run types\n- npm run deploy", "no shell npm run *: 3, a person answered npm run deploy otherwise\n"},
		{"denied", "- npm publish\n- npm publish\n- npm publish --tag next\n? npm publish --dry-run", "deny shell npm publish *: 3, also 1: npm publish --dry-run, not npm another\n"},
		{"denied, and approved once", "- npm publish\n- npm publish\n- npm publish --tag next\n+ npm publish --dry-run", "no shell npm publish *: 3, a person answered npm publish --dry-run otherwise\n"},
		{"code", "+ python3 -c x\n+ python3 -c y\n+ python3 -c z", "no python3: 3, it runs whatever follows\n"},
		{"a whole program", "+ hexo a\n+ hexo b\n+ hexo c", "no hexo: 3, it would open the whole program\n"},
		{"dangerous", "+ rm -rf a\n+ rm -rf a\n+ rm -rf a", "no shell rm -rf a: 3, it would allow rm -rf a (rm-recursive)\n"},
		{"a dangerous way of it", "+ git push origin a\n+ git push origin b\n+ git push origin c", "no shell git push origin *: 3, it would also allow git push origin +main (git-push-force)\n"},
		{"several things ask", "+ make && npm ci\n+ make && npm ci\n+ make && npm ci", ""},
		{"read already", "+ ls\n+ ls\n+ ls", ""},
		{"variables", "+ npm run $x\n+ npm run $y\n+ npm run $z", "allow shell npm run *: 3, not npm another\n"},
		{"files", "+ write: docs/a.md\n+ write: docs/b.md\n+ write: /home/dev/shop/docs/c/d.md\n? write: src/a.go", "allow write docs/*: 3, not write: src/a.go\n"},
		{"files everywhere", "+ write: a/a.md\n+ write: b/b.md\n+ write: c/d.md", "no write *: 3, it would also allow write .env, which holds the secrets of an environment\n"},
		{"a host", "+ fetch: https://go.dev/a\n+ fetch: https://go.dev/b\n~ fetch: https://go.dev/c\n? fetch: https://example.com/", "allow fetch https://go.dev/*: 3 (1 ran), not fetch: https://example.com/\n"},
		{"several hosts of a command", "+ curl -s https://a.dev/1\n+ curl -s https://b.dev/1\n+ curl -s https://c.dev/1", "no shell curl -s: 3, it would reach any host\n"},
		{"one host of a command", "+ curl -s https://a.dev/1\n+ curl -s https://a.dev/2\n+ curl -s https://a.dev/x/3\n+ curl -s https://b.dev/1", "allow shell curl -s https://a.dev/*: 3, not curl -s https://b.dev/1\n"},
		{"messages", "+ git commit -m 'a b'\n+ git commit -m c\n+ git commit -m 'd'", "allow shell git commit *: 3, asks shell git commit --no-verify, not git another\n"},
		{"the same message", "+ git commit -m wip\n+ git commit -m wip\n+ git commit -m wip", "allow shell git commit -m wip: 3, not git commit -m another\n"},
		{"an option that restricts", "+ npm publish --dry-run\n+ npm publish --dry-run a\n+ npm publish --dry-run b", "allow shell npm publish --dry-run *: 3, not npm publish another\n"},
		{"a script", "+ python3 load.py a\n+ python3 load.py b\n+ python3 load.py c", "allow shell python3 load.py *: 3, not python3 another\n"},
		{"a part of another", "+ write: a/b/1\n+ write: a/b/2\n+ write: a/b/3\n+ edit: a/b/1\n+ edit: a/b/2\n+ edit: a/b/3", "allow write a/b/*: 6, not write a/another\n"},
		{"hosts", "+ fetch: https://a.dev/a\n+ fetch: https://b.dev/b\n+ fetch: https://c.dev/c", "no fetch: 3, they have too little in common\n"},
	} {
		got := propose(t, policy.Defaults(), 0, r.calls)
		if got != r.want {
			t.Errorf("%s:\n%s", r.name, got)
		}
	}
}
