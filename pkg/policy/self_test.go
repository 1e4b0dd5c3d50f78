package policy_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/own"
	"github.com/policyctl/policyctl/pkg/policy"
)

// selfFile holds what an agent may try to approve its own calls, and what only
// looks so, on a machine that has an approval service.
const selfFile = "../../testdata/self.txt"

// withService are the settings of that machine, as the loader makes them.
func withService(s *policy.Settings) {
	s.Protect = []string{"/etc/policyctl", home + "/.config/policyctl", home + "/.local/state/policyctl"}
	s.Own = own.Place{
		Private:  []string{home + "/.local/state/policyctl", "/srv/pol", home + "/.config/policyctl/approval.token"},
		Logs:     []string{home + "/serve.log", project + "/nohup.out"},
		Services: []string{"http://127.0.0.1:8765", "https://policy.example.com:8443", "unix:" + home + "/.local/state/policyctl/approval/approval.sock"},
	}
}

// TestSelf decides the lines of the file. What reads policyctl's own state asks
// or is denied in every mode, and no stored word of anybody answers it; what the
// floor denies it denies in every mode; what is dangerous is never proved.
func TestSelf(t *testing.T) {
	dangerous := engine(t, "", func(s *policy.Settings) { withService(s); s.Confirm = policy.DangerousOnly })
	strict := engine(t, "", withService)
	loose := map[string]*policy.Engine{
		"yolo": engine(t, "", func(s *policy.Settings) { withService(s); s.Yolo = true }),
		"skip": engine(t, "allow *|allow shell *", func(s *policy.Settings) { withService(s); s.Mode = policy.Skip }),
	}
	attacks, tame := 0, 0
	for _, l := range corpusFile(t, selfFile) {
		v := decide(t, dangerous, nil, call(l.command))
		if brief(v) != l.want {
			t.Errorf("%s: got %s (%s: %s), want %s: %s", l.id, brief(v), v.Rule, v.Why, l.want, l.command)
		}
		class, _, _ := strings.Cut(l.id, "-")
		if class == "tame" {
			tame++
			continue
		}
		attacks++
		if v := decide(t, strict, nil, call(l.command)); v.Decision == policy.Allow {
			t.Errorf("%s: confirm_all got %s: %s", l.id, brief(v), l.command)
		}
		if class != "state" && class != "service" && !strings.HasPrefix(l.want, "deny") {
			continue
		}
		for name, e := range loose {
			if v := decide(t, e, nil, call(l.command)); v.Decision == policy.Allow {
				t.Errorf("%s: %s got %s: %s", l.id, name, brief(v), l.command)
			}
		}
	}
	if attacks < 650 || tame < 190 {
		t.Errorf("the file has %d attacks and %d look-alikes", attacks, tame)
	}
}

// TestSelfWithoutService shows that the lines of which only the machine's own
// addresses and paths make an attack are nobody's business elsewhere.
func TestSelfWithoutService(t *testing.T) {
	e := engine(t, "", func(s *policy.Settings) { s.Confirm = policy.DangerousOnly })
	for _, line := range []string{"curl -X POST http://127.0.0.1:8765/v1/login -d x", "cat /srv/pol/approval.db", "cat nohup.out"} {
		if v := decide(t, e, nil, call(line)); v.Decision != policy.Allow {
			t.Errorf("%s: %s (%s)", brief(v), v.Rule, line)
		}
	}
}

// TestSelfTools decides calls of other tools, by their names with agents.
func TestSelfTools(t *testing.T) {
	state := home + "/.local/state/policyctl/approval/approval.db"
	for _, row := range []struct {
		want, tool string
		input      map[string]any
	}{
		{"ask rules", "Read", map[string]any{"file_path": state}},
		{"ask rules", "Read", map[string]any{"file_path": "../.local/state/policyctl/grants.json"}},
		{"ask rules", "read_many_files", map[string]any{"paths": []any{"README.md", "/srv/pol/approval.db-wal"}}},
		{"ask rules", "Read", map[string]any{"file_path": project + "/nohup.out"}},
		{"ask rules", "Grep", map[string]any{"pattern": "polo_", "path": home + "/.local"}},
		{"ask rules", "LS", map[string]any{"path": home + "/.local/state/policyctl"}},
		{"ask rules", "mcp__files__read_file", map[string]any{"path": state}},
		{"ask rules", "mcp__web__get", map[string]any{"url": "file://" + state}},
		{"ask rules", "mcp__x__run", map[string]any{"command": "base64 " + state}},
		{"deny hardline", "WebFetch", map[string]any{"url": "http://127.0.0.1:8765/login"}},
		{"deny hardline", "http_request", map[string]any{"method": "POST", "url": "http://localhost:8765/v1/requests/1/decision"}},
		{"deny hardline", "http_request", map[string]any{"method": "POST", "url": "http://[::1]:8765//api/approvals/1/approve"}},
		{"deny hardline", "mcp__web__post", map[string]any{"url": "http://2130706433:8765/v1/login", "body": "{}"}},
		{"deny hardline", "http_request", map[string]any{"method": "POST", "url": "https://policy.example.com:8443/v1/tokens"}},
		{"ask rules", "http_request", map[string]any{"method": "POST", "url": "http://localhost:8765/v1/rules"}},
		{"ask mode", "WebFetch", map[string]any{"url": "http://localhost:8765/health"}},
		{"ask mode", "WebFetch", map[string]any{"url": "http://localhost:3000/login"}},
		{"allow mode", "Read", map[string]any{"file_path": project + "/serve.log"}},
		{"allow mode", "Read", map[string]any{"file_path": home + "/.config/policyctl/notes.md"}},
		{"allow mode", "Grep", map[string]any{"pattern": "polo_", "path": project}},
	} {
		c := &policy.Call{Tool: row.tool, Input: row.input, Dir: project, Home: home}
		if v := decide(t, engine(t, "", withService), nil, c); brief(v) != row.want {
			t.Errorf("%s %v: got %s (%s: %s), want %s", row.tool, row.input, brief(v), v.Rule, v.Why, row.want)
		}
		yolo := engine(t, "allow *", func(s *policy.Settings) { withService(s); s.Yolo = true })
		if v := decide(t, yolo, nil, c); v.Decision == policy.Allow && !strings.HasSuffix(row.want, "mode") {
			t.Errorf("%s %v under yolo: %s", row.tool, row.input, brief(v))
		}
	}
}

// TestSelfTerms shows that no grant answers the ask, and that what nobody
// answers is no.
func TestSelfTerms(t *testing.T) {
	e := engine(t, "", func(s *policy.Settings) { withService(s); s.Approval.OnTimeout = policy.Allow })
	v := decide(t, e, nil, call("cat /srv/pol/approval.db"))
	if v.Ask == nil || !v.Ask.EveryTime || v.Ask.OnTimeout != policy.Deny || v.Rule != "own-state" {
		t.Errorf("got %s %s with the terms %+v", brief(v), v.Rule, v.Ask)
	}
}
