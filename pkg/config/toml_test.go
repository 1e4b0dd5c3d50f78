package config

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pelletier/go-toml/v2"
	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/internal/support/cputime"
	"github.com/policyctl/policyctl/pkg/policy"
)

// prx is what the documentation of PRX shows of its config.toml, verbatim.
const prx = `[security.tool_policy]
# Default policy for all tools.
# "allow" -- execute immediately
# "deny" -- block execution entirely
# "supervised" -- require approval before execution
default = "allow"

# Per-tool policy overrides.
[security.tool_policy.tools]
shell = "supervised"
file_write = "supervised"
http_request = "supervised"
git_operations = "allow"
memory_store = "allow"
browser = "deny"

# Group-level policies.
[security.tool_policy.groups]
sessions = "allow"
automation = "supervised"

[security.approval]
# How long to wait for a response before timing out (seconds).
timeout_secs = 300

# Action when approval times out: "deny" or "allow".
# "deny" is the safe default -- unanswered requests are rejected.
on_timeout = "deny"

# Notification channel for approval requests.
# The supervisor is notified through this channel.
notify_channel = "telegram"

# Supervisor user ID or identifier.
# Only this user can approve or deny requests.
supervisor_id = "admin"

# Auto-approve patterns: tool calls matching these patterns
# are approved automatically without human intervention.
# Use with caution.
[[security.approval.auto_approve]]
tool = "shell"
command_pattern = "^(ls|cat|head|tail|wc|grep|find|echo) "

[[security.approval.auto_approve]]
tool = "file_write"
path_pattern = "^/tmp/"
`

func TestPRX(t *testing.T) {
	s := load(t, policy.Defaults(), File{Layer: User, Name: "/home/dev/.config/policyctl/config.toml", Data: []byte(prx), Admit: Everything}).Settings
	a := s.Approval
	if a.Timeout != 300*time.Second || a.OnTimeout != policy.Deny || a.NotifyChannel != "telegram" || a.Supervisor != "admin" {
		t.Errorf("%+v", a)
	}
	if s.ToolPolicy.Tools["browser"] != policy.Denied || s.ToolPolicy.Tools["shell"] != policy.Supervised || s.ToolPolicy.Groups["sessions"] != policy.Allowed {
		t.Errorf("%+v", s.ToolPolicy)
	}
	if len(s.AutoApprove) != 2 || s.AutoApprove[1].Path.String() != "^/tmp/" || s.AutoApprove[1].Origin.Line != 45 {
		t.Errorf("%+v", s.AutoApprove)
	}
}

// tomlSeeds are documents of TOML and what is nearly one.
var tomlSeeds = []string{
	prx, "", "a = 1", "a.b = 1\na.c = 2", "[a]\nb.c = 1\n[a.b]", "[a]\nb.c = 1\n[a.b.d]\ne = 2", "[a.b]\n[a]\nb = 1", "[a.b.c]\n[a]\nb.d = 1",
	"[[a]]\nb = 1\n[[a]]\nb = 2\n[a.c]\nd = 3", "[[a]]\n[a]\n", "[a]\n[[a]]\n", "a = []\n[[a]]\n", "a = {b = 1}\na.c = 2", "a = {b.c = 1}\n[a.b]", "a = {b = 1}\n[a]",
	"a = [1, [2, 'x'], {b = \"c\"}]", "'a.b'.\"c\" = '''\nx\ny'''", "a = \"\"\"x\\\n   y\"\"\"", "a = \"\\u00fc\\U0001F600\"", "a = 1979-05-27T07:32:00Z", "a = 0x10", "a = inf", "a = -0.5e3",
	"[a]\n[a]", "a = 1\na = 2", "a = 1\n[a]", "a = 1\na.b = 2", "[a.b]\n[a.b.c]\n[a]\n", "[[a.b]]\n[a]\nx = 1\n[[a.b]]", "a = {}\n", "a = [", "a = {b = [{c = 1}, {c = 2}]}", "\r\na = 1\r\n",
	"[[a]]\n[[a.b]]\nx = 1\n[[a]]\n[[a.b]]\nx = 2", "[a]\nb = 1\n[a.b]", "\"\" = 1", "a = {b = 1}\n[a.c]\nd = 2", "[a.b]\n[a]\n[a]", "a = [{b = 1}]\n[a.c]", "a.\"\".b = 1", "a = 1 b = 2",
}

// compare reports where our reading of a document differs from that of the
// library. Some of what that takes we refuse, and nothing else.
func compare(t *testing.T, data []byte) {
	t.Helper()
	d := newDecoder(File{Name: "p.toml", Data: data})
	clean, ok := d.scan(data)
	if !ok {
		return
	}
	root := d.toml(clean)
	var want map[string]any
	err := toml.Unmarshal(clean, &want)
	if err != nil {
		if len(d.problems) == 0 && !valued(err) {
			t.Errorf("%q is read, and the library says: %v", data, err)
		}
		return
	}
	if len(d.problems) > 0 {
		for _, p := range d.problems {
			if !strings.HasPrefix(p.Text, "write the number ") && !strings.HasPrefix(p.Text, "duplicate key ") {
				t.Errorf("%q: %s", data, p.Text)
			}
		}
		return
	}
	got := map[string]any{}
	if root != nil {
		got = plain(root).(map[string]any)
	}
	if !bytes.Equal(fmt.Append(nil, got), fmt.Append(nil, spelled(want))) {
		t.Errorf("%q:\ngot  %v\nwant %v", data, got, spelled(want))
	}
}

// valued reports whether an error is about the value of a number or a date, of
// which we keep the text.
func valued(err error) bool {
	for _, what := range []string{"date", "time", "month", "day", "hour", "minute", "second", "zone", "offset", "float", "integer", "number", "underscore", "digit", "year", "range", "leading"} {
		if strings.Contains(strings.ToLower(err.Error()), what) {
			return true
		}
	}
	return false
}

// plain returns a tree as Go values whose numbers and dates are not compared.
func plain(n *yaml.Node) any {
	switch n.Kind {
	case yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i < len(n.Content); i += 2 {
			m[n.Content[i].Value] = plain(n.Content[i+1])
		}
		return m
	case yaml.SequenceNode:
		list := []any{}
		for _, item := range n.Content {
			list = append(list, plain(item))
		}
		return list
	}
	if n.Tag == "!!str" {
		return n.Value
	}
	if n.Tag == "!!bool" {
		return n.Value == "true"
	}
	return "#"
}

func spelled(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = spelled(v[k])
		}
		return v
	case []any:
		for i := range v {
			v[i] = spelled(v[i])
		}
		return v
	case string, bool:
		return v
	}
	return "#"
}

func TestTOMLAgrees(t *testing.T) {
	for _, s := range tomlSeeds {
		compare(t, []byte(s))
	}
}

func FuzzTOML(f *testing.F) {
	for _, s := range tomlSeeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) { compare(t, data) })
}

// Reading takes time in proportion to the text, however that is written.
func TestTOMLCost(t *testing.T) {
	for what, of := range map[string]func(n int) string{
		"keys":        func(n int) string { return numbered(n, "k%d = 1\n") },
		"tables":      func(n int) string { return numbered(n, "[a.k%d]\nx = 1\n") },
		"items":       func(n int) string { return strings.Repeat("[[a.b]]\nx.y = 1\n", n) },
		"one line":    func(n int) string { return "a = [" + strings.Repeat("'x',", n) + "]" },
		"lists":       func(n int) string { return "a = [" + strings.Repeat("[[],[1]],", n) + "]" },
		"deep":        func(n int) string { return "a = " + strings.Repeat("[", n) },
		"deep tables": func(n int) string { return "a = " + strings.Repeat("{a=", n) },
		"dots":        func(n int) string { return strings.Repeat("a.", n) + "a = 1" },
	} {
		run := func(n int) time.Duration {
			text := []byte(of(n))
			return cputime.Of(func() { newDecoder(File{Name: "p.toml", Data: text}).tree(text) })
		}
		run(2000)
		small, large := max(run(5000), 3*time.Millisecond), run(40000)
		for range 2 { // the best counts: others may share the caches of the processor
			large = min(large, run(40000))
		}
		if large > 40*small {
			t.Errorf("%s: %v for 5,000, %v for 40,000", what, small, large)
		}
	}
}

func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// What another format has is no prepared policy.
func TestUnprepared(t *testing.T) {
	rule := `[[rules]]
id = "x"
decision = "deny"
when = {"shell.program" = "make"}
`
	f := File{Layer: User, Name: filepath.Join(t.TempDir(), "policy.toml"), Data: []byte("version = 1\n" + rule), Admit: Everything}
	if l, err := Load(policy.Defaults(), f); err != nil || len(l.Rules) != 1 {
		t.Fatalf("%v, %+v", err, l.Rules)
	}
	if kept, err := Prepare(f); err == nil {
		t.Errorf("prepared: %q", kept)
	}
}
