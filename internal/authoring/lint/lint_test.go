package lint

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/record"
)

// node reads JSON.
func node(t testing.TB, text string) document.Node {
	t.Helper()
	var v any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	n, err := document.Of(v)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// compile compiles a condition.
func compile(t testing.TB, text string) pattern.Condition {
	t.Helper()
	c, problems := pattern.CompileWhen(node(t, text))
	if len(problems) > 0 {
		t.Fatalf("%s: %v", text, problems)
	}
	return c
}

// rulesOf makes rules of lines "ID DECISION [PRIORITY] [@PLUGIN/PROFILE] WHEN".
func rulesOf(t testing.TB, lines ...string) []*pattern.Rule {
	t.Helper()
	var out []*pattern.Rule
	for _, line := range lines {
		head, when, ok := strings.Cut(line, "{")
		words := strings.Fields(head)
		if !ok || len(words) < 2 {
			t.Fatalf("%q: want ID DECISION {WHEN}", line)
		}
		r := &pattern.Rule{ID: words[0], When: compile(t, "{"+when)}
		if err := r.Decision.Verb.UnmarshalText([]byte(words[1])); err != nil {
			t.Fatal(err)
		}
		for _, word := range words[2:] {
			if scope, ok := strings.CutPrefix(word, "@"); ok {
				r.Scope.Plugin, r.Scope.Profile, _ = strings.Cut(scope, "/")
				continue
			}
			if _, err := fmt.Sscan(word, &r.Priority); err != nil {
				t.Fatal(err)
			}
		}
		out = append(out, r)
	}
	return out
}

// findings lints lines and returns "KIND RULE…" for each finding but those
// that only say what is missing.
func findings(t testing.TB, lines ...string) []string {
	t.Helper()
	var out []string
	for _, f := range Lint(rulesOf(t, lines...)) {
		if f.Kind == NoExamples {
			continue
		}
		verify(t, &f)
		names := []string{string(f.Kind)}
		for _, r := range f.Rules {
			names = append(names, r.ID)
		}
		out = append(out, strings.Join(names, " "))
	}
	return out
}

// verify checks that a witness shows what its finding says.
func verify(t testing.TB, f *Finding) {
	t.Helper()
	if f.Text == "" || f.Next == "" {
		t.Errorf("%s of %s has no text or no next step", f.Kind, f.Rules[0].ID)
	}
	match := func(r *pattern.Rule) bool {
		return r.When.Eval(f.Witness, &pattern.Input{}) == pattern.True && r.Scope.Covers(f.Scope)
	}
	if f.Witness != nil && !sameWhenRead(t, f) {
		t.Errorf("%s of %s: the witness %s is another record when it is read again", f.Kind, f.Rules[0].ID, witnessText(f.Witness))
	}
	switch f.Kind {
	case Shadowed, Duplicate, Contradicts:
		if f.Witness == nil || !match(f.Rules[0]) || !slices.ContainsFunc(f.Rules[1:], match) {
			t.Errorf("%s of %s: the witness %s does not show it", f.Kind, f.Rules[0].ID, witnessText(f.Witness))
			return
		}
		if m := pattern.NewSet(f.Rules).Decide(f.Witness, f.Scope, &pattern.Input{}); m.Rule == f.Rules[0] {
			t.Errorf("%s of %s: it decides the witness %s", f.Kind, f.Rules[0].ID, witnessText(f.Witness))
		}
	case Suspicious:
		if f.Witness != nil && !match(f.Rules[0]) {
			t.Errorf("%s: %s: the rule does not match the witness %s", f.Rules[0].ID, f.Text, witnessText(f.Witness))
		}
	}
}

// sameWhenRead reports whether people can give the witness as JSON.
func sameWhenRead(t testing.TB, f *Finding) bool {
	var m map[string]any
	d := json.NewDecoder(strings.NewReader(witnessText(f.Witness)))
	d.UseNumber()
	if err := d.Decode(&m); err != nil {
		t.Error(err)
		return false
	}
	again, err := record.Decode(m)
	if err != nil {
		t.Error(err)
		return false
	}
	return !slices.ContainsFunc(f.Rules, func(r *pattern.Rule) bool {
		return r.When.Eval(again, &pattern.Input{}) != r.When.Eval(f.Witness, &pattern.Input{})
	})
}

func witnessText(r *record.Record) string {
	data, err := json.Marshal(r)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

func TestLintOrder(t *testing.T) {
	for _, row := range []struct {
		want  string
		lines []string
	}{
		// unreachable
		{"unreachable a", []string{`a deny {"all": [{"http.method": "GET"}, {"http.method": "POST"}]}`}},
		{"unreachable a", []string{`a deny {"all": [{"http.method": {"in": ["GET", "PUT"]}}, {"http.method": {"in": ["POST"]}}]}`}},
		{"unreachable a", []string{`a deny {"sensitivity": "reads"}`}},
		{"unreachable a", []string{`a deny {"http.method": "GET", "not": {"http.method": {"exists": true}}}`}},
		{"unreachable a", []string{`a deny {"http.url": {"startsWith": "https://a/", "endsWith": "/x"}, "not": {"http.url": {"glob": "https://*/x"}}}`}},
		{"unreachable a", []string{`a deny {"llm.model": {"glob": "claude-*-opus", "startsWith": "gpt-"}}`}},
		{"unreachable a", []string{`a deny {"shell.argv": {"startsWith": "git"}}`}},
		{"unreachable a", []string{`a deny {"slack.n": {"gt": 5, "lt": 5}}`}},
		{"unreachable a", []string{`a deny {"slack.n": {"cidr": "10.0.0.0/8"}, "not": {"slack.n": {"cidr": "10.0.0.0/8"}}}`}},
		{"unreachable a", []string{`a deny {"any": [{"http.method": "A", "not": {"http.method": "A"}}, {"verb": "x", "not": {"verb": {"startsWith": "x"}}}]}`}},
		{"", []string{`a deny {"all": [{"slack.ids": {"in": ["GET", "PUT"]}}, {"slack.ids": {"in": ["POST"]}}]}`}},
		{"", []string{`a deny {"all": [{"tags": {"contains": "a"}}, {"tags": {"contains": "b"}}]}`}},
		{"", []string{`a deny {"http.url": {"startsWith": "https://a/", "endsWith": "/x"}, "not": {"http.url": {"glob": "https://*/?/x"}}}`}},
		{"", []string{`a deny {"slack.n": {"gt": 5, "lt": 6}}`}},
		{"", []string{`a deny {"slack.n": {"contains": "k"}, "not": {"slack.n": {"glob": "*k*"}}}`}},
		{"", []string{`a deny {"tags": {"in": ["a"]}, "not": {"tags": ["a"]}}`}},
		{"", []string{`a deny {"tags": {"in": ["a", "b"]}, "not": {"tags": {"contains": "a"}}}`}},
		{"", []string{`a deny {"slack.x": {"pattern": "^.\\bb$"}}`}},
		// shadowed and duplicate
		{"shadowed b a", []string{`a deny 2 {"http.method": {"in": ["GET", "PUT"]}}`, `b allow 1 {"http.method": "GET", "http.host": "a.example"}`}},
		{"shadowed b a", []string{`a deny 2 {"http.url": {"startsWith": "https://a.example/"}}`, `b require_human {"http.url": {"glob": "https://a.example/*/x", "contains": "Q"}}`}},
		{"shadowed b a", []string{`a deny 1 {"type": {"exists": true}}`, `b deny {"verb": "x"}`}},
		{"shadowed c a b", []string{`a deny 2 {"http.method": "GET"}`, `b deny 1 {"http.method": "PUT"}`, `c allow {"http.method": {"in": ["PUT", "GET"]}}`}},
		{"shadowed c a b", []string{`a deny 2 {"http.host": {"startsWith": "a"}}`, `b deny 1 {"not": {"http.host": {"startsWith": "a"}}}`, `c deny {"http.method": "GET"}`}},
		{"shadowed b a", []string{`a deny 1 @x {"verb": "v"}`, `b deny 0 @x/y {"verb": "v"}`}},
		{"shadowed b a", []string{`a deny 1 {"http.host": {"pattern": "^a\\."}}`, `b deny {"http.host": {"startsWith": "a.b"}}`}},
		{"shadowed b a", []string{`a deny 1 {"slack.ip": {"cidr": "10.0.0.0/8"}}`, `b deny {"slack.ip": {"cidr": "10.0.0.0/8"}, "verb": "v"}`}},
		{"shadowed b a", []string{`a deny 1 {"slack.v": {"semver": ">=1.0.0"}}`, `b deny {"slack.v": {"semver": "^1.2.0"}}`}},
		{"", []string{`a deny 1 {"slack.v": {"semver": ">=1.0.0"}}`, `b deny {"slack.v": {"semver": "^1.0.0-rc.1"}}`}},
		{"shadowed c a b", []string{`a deny 2 {"slack.v": {"semver": "<1.2.0"}}`, `b deny 1 {"slack.v": {"semver": ">=1.2.0"}}`, `c deny {"slack.v": {"semver": "~1.1.0 || ^1.2.3"}}`}},
		{"unreachable a", []string{`a deny {"all": [{"slack.v": {"semver": "<1.2.0"}}, {"slack.v": {"semver": ">=1.2.0"}}]}`}},
		{"unreachable a", []string{`a deny {"all": [{"shell.argv": {"size": 2}}, {"shell.argv": {"size": {"gt": 2}}}]}`}},
		{"shadowed b a", []string{`a deny 1 {"shell.argv": {"size": {"gt": 100}}}`, `b deny {"shell.argv": {"size": {"gte": 200}}}`}},
		{"", []string{`a deny 1 {"shell.argv": {"size": {"gt": 200}}}`, `b deny {"shell.argv": {"size": {"gt": 199}}}`}},
		{"shadowed b a", []string{`a deny 1 {"verb": {"size": {"lte": 3}}}`, `b deny {"verb": {"size": 3}}`}},
		{"duplicate b a", []string{`a deny 1 {"verb": "rm", "rate": {"more_than": 3, "per": "1m"}}`, `b deny {"verb": "rm", "rate": {"more_than": 3, "per": "1m"}}`}},
		{"duplicate b a", []string{`a deny {"http.method": "GET"}`, `b deny {"http.method": {"in": ["GET"]}}`}},
		{"duplicate b a", []string{`a deny {"any": [{"verb": "x"}, {"verb": "y"}]}`, `b deny {"not": {"not": {"verb": ["y", "x"]}}}`}},
		{"", []string{`a deny 1 @x {"verb": "v"}`, `b deny @y {"verb": "v"}`}},
		{"", []string{`a deny 1 @x/y {"verb": "v"}`, `b deny @x {"verb": "v"}`}},
		{"", []string{`a deny 1 {"http.method": "GET", "http.host": "a.example"}`, `b deny {"http.method": "GET"}`}},
		{"", []string{`a deny 1 {"slack.id": "a"}`, `b deny {"slack.id": {"in": ["a"]}}`}}, // a list ["a"]
		{"", []string{`a deny 2 {"http.method": "GET"}`, `b deny 1 {"http.method": "PUT"}`, `c allow {"http.method": {"in": ["PUT", "GET", "POST"]}}`}},
		{"", []string{`a deny 1 {"http.url": {"glob": "https://a.example/?*"}}`, `b deny {"http.url": {"startsWith": "https://a.example/"}}`}},
		// contradicts
		{"contradicts b a", []string{`a deny {"http.method": "DELETE"}`, `b allow {"http.url": {"startsWith": "https://a.example/"}, "http.method": {"exists": true}}`}},
		{"contradicts b a", []string{`a deny @x {"http.method": "DELETE", "http.path": "/"}`, `b require_human @x {"http.method": "DELETE", "http.host": "a.example"}`}},
		{"contradicts b a", []string{`a allow {"shell.program": "curl"}`, `b deny {"http.host": "a.example"}`}},
		{"contradicts b a", []string{`a allow {"shell.program": "git"}`, `b deny {"shell.command": {"pattern": "\\brm\\b"}}`}},
		{"", []string{`a allow {"shell.program": "git", "shell.argv": {"contains": "log"}}`, `b deny {"shell.command": {"startsWith": "rm "}}`}},
		{"", []string{`a allow {"shell.program": "git"}`, `b deny {"http.method": "DELETE"}`}},
		{"", []string{`a require_human {"type": "shell.exec", "sensitivity": "destructive"}`, `b deny {"http.method": "DELETE"}`}},
		{"", []string{`a deny {"http.method": "DELETE"}`, `b allow {"http.method": "GET"}`}},
		{"", []string{`a deny 1 {"http.method": "DELETE"}`, `b allow {"http.method": {"in": ["GET", "DELETE"]}}`}},
		{"", []string{`a deny {"slack.id": {"in": ["a"]}}`, `b require_human {"slack.id": {"in": ["b"]}}`}},
		{"", []string{`a deny {"slack.id": {"in": ["a"]}}`, `b require_human {"any": [{"slack.id": {"in": ["b"]}}, {"slack.id": {"in": ["c"]}}]}`}},
		{"", []string{`a deny @x {"http.method": "DELETE"}`, `b require_human @y {"http.host": "a.example"}`}},
		{"contradicts b a", []string{`a allow {"shell.argv": ["git", "status"]}`, `b deny {"shell.program": "git", "verb": "status"}`}},
		{"contradicts b a", []string{`a deny {"k8s.verb": "scale"}`, `b require_human {"shell.program": ["kubectl", "oc"], "shell.argv": {"contains": "x"}}`}},
		{"", []string{`a allow {"shell.argv": ["git", "status"]}`, `b deny {"shell.program": "aws"}`}},
		{"", []string{`a allow {"file.op": "read"}`, `b deny {"shell.program": "npm"}`}}, // it never allows a command
		{"", []string{`a deny {"k8s.verb": "scale", "shell.argv": {"contains": "x"}}`, `b require_human {"shell.program": "gh", "shell.argv": {"contains": "y"}}`}},
		{"", []string{`a deny {"sql.verb": "DROP"}`, `b require_human {"k8s.verb": "delete"}`}},
		{"", []string{`a deny {"http.url": {"startsWith": "https://a.example/"}}`, `b require_human {"http.url": {"startsWith": "https://b.example/"}}`}},
		// not analysed
		{"not-analysed a", []string{`a deny {"slack.ip": {"cidr": "10.0.0.0/8"}}`}},
		{"not-analysed a", []string{`a deny {"time": {"days": ["sat"]}}`}},
	} {
		got := slices.DeleteFunc(findings(t, row.lines...), func(f string) bool {
			return strings.HasPrefix(f, "suspicious") || strings.HasPrefix(f, "not-analysed") && !strings.HasPrefix(row.want, "not-")
		})
		if strings.Join(got, ", ") != row.want {
			t.Errorf("got %q, want %q for\n\t%s", strings.Join(got, ", "), row.want, strings.Join(row.lines, "\n\t"))
		}
		sameAbout(t, rulesOf(t, row.lines...))
	}
}

// sameAbout checks that what is found about one rule is what is found of all, as far as
// the rule has a part in it.
func sameAbout(t *testing.T, rules []*pattern.Rule) {
	t.Helper()
	for _, r := range rules {
		of := func(all []Finding) (out []string) {
			for _, f := range all {
				if slices.Contains(f.Rules, r) && f.Kind != NoExamples && f.Kind != NotAnalysed {
					out = append(out, fmt.Sprint(f.Kind, " ", f.Rules[0].ID, " ", f.Text))
				}
			}
			return out
		}
		if got, want := of(About(rules, r)), of(Lint(rules)); !slices.Equal(got, want) {
			t.Errorf("about %s: %q, want %q", r.ID, got, want)
		}
	}
}

// A disabled rule neither shadows nor is shadowed.
func TestLintLeavesDisabledRulesOut(t *testing.T) {
	for off := range 2 {
		rules := rulesOf(t, `a deny 1 {"verb": {"exists": true}}`, `b deny {"verb": "x"}`)
		rules[off].Disabled = true
		for _, f := range Lint(rules) {
			if f.Kind != NoExamples {
				t.Errorf("rule %d disabled: %s: %s", off, f.Kind, f.Text)
			}
		}
	}
}

func TestLintSuspicious(t *testing.T) {
	for _, row := range [][2]string{
		{"http.url: pattern: \"api\\\\.a\\\\.com/\" is not anchored at its start: it matches \"https://evilapi.a.com/\"", `a allow {"http.method": "GET", "http.url": {"pattern": "api\\.a\\.com/"}}`},
		{"is not anchored at its start", `a deny {"http.url": {"pattern": "api\\.a\\.com/"}}`},
		{"is not anchored at its end: it matches \"a.com.evil.example\"", `a allow {"http.method": "GET", "http.host": {"pattern": "^a\\.com"}}`},
		{"has a star right before the host: it matches \"evila.com\"", `a allow {"http.method": "GET", "http.host": {"glob": "*a.com"}}`},
		{"has a star right before the host", `a deny {"http.url": {"glob": "https://*a.com/*"}}`},
		{"leaves room for another host: it matches \"https://a.com.evil.example/\"", `a allow {"http.method": "GET", "http.url": {"startsWith": "https://a.com"}}`},
		{"leaves room for another host", `a allow {"http.method": "GET", "http.url": {"contains": "a.com/"}}`},
		{"leaves room for another host: it matches \"https://evil.example/.a.com/\"", `a allow {"http.method": "GET", "http.url": {"glob": "https://*.a.com/*"}}`},
		{"leaves room for another host", `a allow {"http.method": "GET", "http.url": {"pattern": "^https://.*\\.a\\.com/"}}`},
		{"has a dot, which matches any character", `a allow {"http.method": "GET", "http.host": {"pattern": "^a.com$"}}`},
		{"allows calls that have no http.host, because it says only what that must not be", `a allow {"http.method": "GET", "http.host": {"notContains": "evil"}}`},
		{"allows calls that have no http.host", `a allow {"http.method": "GET", "not": {"http.host": "a.com"}}`},
		{"file.path is never \"~/.ssh/id\": it is an absolute path", `a deny {"file.path": "~/.ssh/id"}`},
		{"file.path is never \"src/**\"", `a deny {"file.path": {"globPath": "src/**"}}`},
		{"shell.writes is never \".env\"", `a deny {"shell.writes": {"contains": ".env"}}`},
		{"http.host is never \"a.example:8080\"", `a deny {"http.host": "a.example:8080"}`},
		{"http.host is never \"a.example.\"", `a deny {"http.host": ["b.example", "a.example."]}`},
		{"shell.program is never \"git push\"", `a deny {"shell.program": "git push"}`},
		{"k8s.resource is never \"deploy\"", `a deny {"k8s.resource": "deploy"}`},
		{"sql.verb is never \"DROP TABLE\"", `a deny {"sql.verb": "DROP TABLE"}`},
		{"no call has the facet \"shel\"", `a deny {"shel.program": "git"}`},
		{"tool.risk is never \"critical\"", `a deny {"tool.risk": "critical"}`},
		{"verb is never \"apply\" for terragrunt", `a deny {"shell.program": ["terraform", "terragrunt"], "verb": "apply"}`},
		{"http.method is always in upper case, and this compares it with \"delete\"", `a deny {"http.method": "delete"}`},
		{"sql.verb is always in upper case", `a deny {"sql.verb": {"in": ["DROP", "drop"]}}`},
		{"http.host is always in lower case", `a deny {"http.host": {"endsWith": ".Example.com"}}`},
		{"has no wildcard, so that it matches this text alone", `a deny {"llm.model": {"glob": "gpt-4"}}`},
		{"llm.model: pattern: \"^gpt-4\" is a plain text", `a deny {"llm.model": {"pattern": "^gpt-4"}}`},
		{"allows whatever the call does", `a allow {"http.host": "a.com"}`},
		{"allows whatever the call does", `a allow {"type": {"exists": true}}`},
		{"allows whatever the call does", `a allow {"file.path": {"globPath": "/src/**"}}`},
		{"http.status: equals: \"404\" never holds: the field is a number", `a deny {"any": [{"http.status": "404"}, {"http.method": "GET"}]}`},
		{"never allows a shell command, because it tests none of its words", `a allow {"k8s.cluster": "kind-dev", "k8s.namespace": {"exists": true}, "k8s.verb": {"exists": true}}`},
		{"never allows a shell command, because it tests none of its words", `a allow {"sql.verb": "SELECT", "shell.context": "local"}`},
		{"never allows a shell command, because it tests none of its words", `a allow {"shell.context": "local", "file.op": "read", "file.path": {"globPath": "/w/**"}}`},
		{"never allows a shell command, because it tests none of its words", `a allow {"type": "shell.exec", "http.host": "a.com", "http.method": "GET"}`},
		{"never allows a shell command, because it tests none of its words", `a allow {"any": [{"ssh.host": "a"}, {"k8s.verb": "get"}], "sensitivity": "read"}`},
		{"never allows a shell command, because it tests none of its words", `a allow {"verb": "get", "k8s.verb": "get", "tool.kind": "shell"}`},
		{"never allows a shell command, because it tests none of its words", `a allow {"any": [{"type": "shell.exec", "sensitivity": "read"}, {"k8s.verb": "get"}]}`},
		{"file.op: equals: \"delete\" never holds of a call: it is one of read, write, search, list", `a deny {"file.op": "delete"}`},
		{"never holds of a call", `a deny {"file.op": {"in": ["delete", "move"]}}`},
		{"never holds of a call", `a deny {"not": {"file.op": "Write"}}`},
		// Look-alikes.
		{"", `a deny {"file.op": ["write", "delete", "move"]}`},
		{"", `a deny {"file.op": {"in": ["search", "list"]}}`},
		{"", `a deny {"file.op": {"exists": true}}`},
		{"", `a deny @ftp {"file.op": "delete"}`},
		{"", `a allow {"shell.program": "kubectl", "k8s.cluster": "kind-dev", "k8s.verb": {"exists": true}}`},
		{"", `a allow {"k8s.verb": "get", "shell.command": {"exists": true}}`},
		{"", `a allow {"file.op": "read", "file.path": {"globPath": "/w/**"}}`},
		{"", `a allow {"http.method": "GET", "http.host": "a.com"}`},
		{"", `a allow {"any": [{"k8s.verb": "get"}, {"http.method": "GET", "http.host": "a.com"}]}`},
		{"", `a allow {"k8s.verb": "get", "slack.channel": "ops"}`},
		{"", `a allow @kube {"k8s.verb": "get"}`},
		{"", `a allow {"type": "mcp.call", "mcp.tool": "x"}`},
		{"", `a allow {"type": "shell.exec", "sensitivity": "read"}`},
		{"", `a allow {"any": [{"shell.context": "container"}, {"k8s.verb": "get"}], "type": "shell.exec"}`},
		{"", `a deny {"k8s.verb": "delete", "sql.verb": "DROP"}`},
		{"", `a require_human {"k8s.verb": "delete"}`},
		{"", `a allow {"http.method": "GET", "http.url": {"pattern": "^https://api\\.a\\.com/v[12]/"}}`},
		{"", `a allow {"http.method": "GET", "http.host": {"pattern": "^(?:api|www)\\.a\\.com$"}}`},
		{"", `a allow {"http.method": "GET", "http.host": {"glob": "*.a.com"}}`},
		{"", `a allow {"http.method": "GET", "http.url": {"startsWith": "https://a.com/"}}`},
		{"", `a allow {"http.method": "GET", "http.url": {"glob": "https://wiki.internal.example/*"}}`},
		{"", `a deny {"http.url": {"contains": "a.com/"}}`},
		{"", `a deny {"http.url": {"glob": "*/admin"}}`},
		{"", `a allow {"http.method": "GET", "not": {"http.url": {"contains": "x", "exists": true}}, "http.url": {"exists": true}}`},
		{"", `a allow {"http.method": "GET", "http.host": {"notContains": "evil", "exists": true}}`},
		{"", `a allow {"http.method": "GET", "http.host": {"notContains": "evil", "endsWith": ".a.com"}}`},
		{"", `a deny {"http.host": {"notContains": "evil"}}`},
		{"", `a allow {"not": {"verb": "x"}}`},
		{"", `a deny {"http.method": "DELETE"}`},
		{"", `a deny {"k8s.verb": "delete"}`},
		{"", `a deny {"slack.channel": "General"}`},
		{"", `a allow {"slack.channel": "general"}`},
		{"", `a allow {"shell.program": "git"}`},
		{"", `a deny {"llm.model": {"pattern": "^gpt-[45]"}}`},
		{"", `a deny {"llm.model": {"pattern": "(?i)^gpt"}}`},
		{"", `a deny {"http.host": {"pattern": "^a\\.com$", "flags": "i"}}`},
		{"", `a deny {"file.path": {"globPath": "**/.env"}}`},
		{"", `a deny {"file.path": "/etc/passwd", "file.op": "write"}`},
		{"", `a deny {"file.path": {"endsWith": ".pem"}}`},
		{"", `a deny {"file.path": {"startsWith": "C:\\\\Windows"}}`},
		{"", `a deny @p {"file.path": "a"}`},
		{"", `a deny @p {"shel.program": "a"}`},
		{"", `a deny {"smtp.host": "a"}`},
		{"", `a deny {"http.host": ["::1", "localhost", "10.0.0.1"]}`},
		{"", `a deny {"shell.hosts": {"contains": "a.example"}}`},
		{"", `a deny {"k8s.resource": ["pods", "ingresses", "networkpolicies", "all", "endpoints"]}`},
		{"", `a deny {"shell.program": "terraform", "verb": ["apply", "workspace delete"]}`},
		{"", `a deny {"shell.program": "make", "verb": "make"}`},
		{"", `a deny {"shell.program": "git", "not": {"verb": "push"}}`},
	} {
		var got []string
		for _, f := range Lint(rulesOf(t, row[1])) {
			verify(t, &f)
			if f.Kind != NoExamples {
				got = append(got, f.Text)
			}
		}
		if all := strings.Join(got, "; "); row[0] == "" && all != "" || !strings.Contains(all, row[0]) {
			t.Errorf("got %q, want %q for %s", all, row[0], row[1])
		}
	}
}

func TestLintExamples(t *testing.T) {
	rules := rulesOf(t, `a deny {"http.method": "GET"}`, `b deny {"time": {"days": ["sat"]}}`)
	get, put := methodRecord("GET"), methodRecord("PUT")
	hidden := &record.Record{Unknown: []string{"http.method"}}
	rules[0].Examples = pattern.Examples{Match: []*record.Record{get, put, hidden}, NoMatch: []*record.Record{put, get, hidden}}
	rules[1].Examples = pattern.Examples{Match: []*record.Record{get}}
	var got []string
	for _, f := range Lint(rules) {
		if f.Severity == Error {
			got = append(got, f.Rules[0].ID+": "+f.Text)
		}
	}
	want := []string{
		"a: example 2 of match does not match",
		"a: example 3 of match does not match: it cannot be evaluated, because what it tests is unknown",
		"a: example 2 of no_match matches",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func methodRecord(method string) *record.Record {
	return &record.Record{Facets: map[string]map[string]any{"http": {"method": method}}}
}
