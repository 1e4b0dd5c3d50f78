package foreign

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// TestWrite shows what is written of single permissions, and what is said of those that an agent
// cannot say. A row is: agent, permissions ("ACTION MATCH" or "ACTION MATCH ! EXCEPTION", divided by
// ¦), what has to be in the file and in the notes, and what must not be in the file.
func TestWrite(t *testing.T) {
	for _, r := range []struct{ agent, permissions, file, note, not string }{
		// What refuses and cannot be said holds back what allows beside it.
		{"codex", "deny shell git * --force¦allow shell git fetch *", "", "cannot say deny shell git * --force beside it", "fetch"},
		{"codex", "deny shell * --force¦allow shell make *", "", "cannot say deny shell * --force beside it", "make"},
		{"codex", "deny shell git * --force¦allow shell make *", `["make"]`, "a rule there is a list of words", "git"},
		{"cursor", "ask shell git push *¦allow shell git *", "", "cannot say ask shell git push * beside it", "git"},
		{"cursor", "ask shell git push *¦allow shell make *", "Shell(make)", "its lists allow and deny", "git"},
		{"copilot", "ask shell git push *¦allow shell git *", "", "cannot say ask shell git push * beside it", "git"},
		{"copilot", "deny write src/*¦allow write *", "", "cannot say deny write src/* beside it", "--allow"},
		{"claude", "deny mcp__db__exec sql=drop* *¦allow mcp__db__*", "", "rules of MCP tools have no arguments", "mcp__db"},
		{"gemini", "deny mcp__*__drop¦allow mcp__db__*", "", "cannot say deny mcp__*__drop beside it", "db"},
		{"opencode", "deny mcp__db__exec sql=drop* *¦allow mcp__db__*", "", "cannot say", "db_"},
		{"claude", "deny fetch https://*.evil.example.*/*¦allow fetch https://docs.example.org/*¦allow fetch http://docs.example.org/*", "domain:docs.example.org", "permissions there are of hosts", "evil"},
		{"claude", "deny *¦allow shell make *", "", "no permission there means every tool", "make"},

		// An allow is said only where the agent means nothing more.
		{"codex", "allow shell npm test", "", "a rule there also means what follows its words", "npm"},
		{"claude", "allow shell npm test", "Bash(npm test)", "", "*"},
		{"gemini", "allow shell npm test", `commandRegex = "npm\\s+test\""`, "", "commandPrefix"},
		{"copilot", "allow shell npm test", "shell(npm test)", "", ":*"},
		{"cursor", "allow shell npm test", "Shell(npm:test)", "", "test *"},
		{"cursor", "allow shell make", "", "a program there is allowed with all its arguments", "make"},
		{"claude", "allow shell pytest tests/*", "", "a star behind a slash stands for one word", "pytest"},
		{"opencode", "allow shell pytest tests/*", "", "a star behind a slash stands for one word", "pytest"},
		{"claude", "allow shell cc ?", "", "it has a question mark", "cc"},
		{"claude", "allow fetch https://docs.example.org/*", "", "with every page and both schemes", "docs"},
		{"claude", "allow fetch https://docs.example.org/*¦allow fetch http://docs.example.org/*", "WebFetch(domain:docs.example.org)", "", ""},
		{"opencode", "allow fetch https://docs.example.org/*", `"https://docs.example.org/*": "allow"`, "", ""},
		{"gemini", "allow write src/*", "", "upwards too", "src"},
		{"claude", "allow shell find * ! shell find * -delete*", `"Bash(find * -delete*)"`, "", ""},
		{"cursor", "allow shell find * ! shell find * -delete*", "", "its lists have no exceptions", "find"},
		{"codex", "allow shell find * ! shell find * -delete*", "", "a rule there has no exceptions", "find"},

		// A refusal means options behind others, in every agent that can say it.
		{"claude", "deny shell git push --force", "Bash(git push * --force *)", "", ""},
		{"opencode", "deny shell git push --force", `"git push * --force *": "deny"`, "", ""},
		{"gemini", "deny shell git push --force", `git\\s+push\\s.*--force`, "", ""},
		{"cursor", "deny shell git push --force", "Shell(git:push * --force *)", "", ""},
		{"claude", "deny shell git push", "Bash(git push)", "", "Bash(git push *"},
		{"codex", "deny shell git push", `["git", "push"]`, "wider: it also refuses what follows its words", ""},

		// Exceptions of refusals: exact where entries have an order, wider elsewhere.
		{"claude", "deny shell git * ! shell git fetch *", "Bash(git *)", "wider: it also refuses what the permission excepts", "fetch"},
		{"opencode", "deny shell git * ! shell git fetch *¦allow shell git fetch *", `"git fetch *": "allow"`, "", ""},
		{"gemini", "deny shell git * ! shell git fetch *", "decision = \"ask_user\"\npriority = 550", "", ""},
		{"opencode", "deny shell git * ! shell git fetch *¦ask shell git fetch --all *", "wider", "wider: it also refuses", "\x00"},

		// Paths and hosts.
		{"claude", "deny read */.env", "Read(//**/.env)", "", ""},
		{"claude", "deny read ~/.ssh/*", "Read(~/.ssh/**)", "", ""},
		{"claude", "deny write /etc/*", "Edit(//etc/**)", "", ""},
		{"claude", "deny write src/*.go", "Edit(./src/**/*.go)", "", ""},
		{"claude", "allow write src/*", "Edit(./src/**)", "", ""},
		{"cursor", "deny read */.env", "Read(/**/.env)", "", ""},
		{"opencode", "deny read */.env", `".env": "deny"`, "", ""},
		{"opencode", "deny read /srv/*", `"/srv/*": "deny"`, "a path in the project is compared as one relative to it", ""},
		{"claude", "deny fetch https://evil.example/x", "WebFetch(domain:evil.example)", "it means every page of the host", ""},
		{"copilot", "deny fetch https://evil.example/*", "--deny-url='evil.example'", "", ""},
		{"copilot", "deny shell echo it's *", `'shell(echo it'\''s:*)'`, "", ""},
		{"opencode", "allow shell make *", `"*": "ask"`, "", ""},
	} {
		s := policy.Defaults()
		for _, p := range strings.Split(r.permissions, "¦") {
			action, match, _ := strings.Cut(p, " ")
			match, except, excepts := strings.Cut(match, " ! ")
			out := policy.Permission{Match: match, Action: map[string]policy.Decision{"deny": policy.Deny, "ask": policy.Ask, "allow": policy.Allow}[action]}
			if excepts {
				out.Except = []string{except}
			}
			s.Permissions = append(s.Permissions, out)
		}
		text, notes := Named(r.agent).Write(&s, nil)
		if r.file != "wider" && !strings.Contains(string(text), r.file) || r.not != "" && strings.Contains(string(text), r.not) {
			t.Errorf("%s: %s: want %q and not %q in\n%s", r.agent, r.permissions, r.file, r.not, text)
		}
		said := notesOf(notes)
		if r.note != "" && !strings.Contains(said, r.note) {
			t.Errorf("%s: %s: no note has %q:\n%s", r.agent, r.permissions, r.note, said)
		}
		if r.note == "" && strings.Contains(said, "left out") {
			t.Errorf("%s: %s: something is left out:\n%s", r.agent, r.permissions, said)
		}
	}
}

// TestWriteBeside shows that what is no permission is listed.
func TestWriteBeside(t *testing.T) {
	s := policy.Defaults()
	s.ToolPolicy = policy.ToolPolicy{Default: policy.Denied, Tools: map[string]policy.Treatment{"fetch": policy.Denied, "mcp__db__drop": policy.Denied}, Groups: map[string]policy.Treatment{"network": policy.Denied}}
	s.Agents = map[string][]policy.Permission{"claude/Explore": {{Match: "shell *", Action: policy.Deny}}}
	s.Allowlist = []policy.Entry{{Text: "make"}}
	s.Yolo = true
	s.AutoAllowReadonly = false
	for _, a := range Agents {
		text, notes := a.Write(&s, []Rule{{ID: "r1", Refuses: true}, {ID: "r2"}})
		said := notesOf(notes)
		for _, want := range []string{"the rule r1: becomes nothing; differs: not enforced", "the rule r2: becomes nothing; differs: left out", "tool_policy.groups.network", "claude/Explore", "command_allowlist", "approvals.yolo", "auto_allow_readonly"} {
			if !strings.Contains(said, want) {
				t.Errorf("%s: no note has %q:\n%s", a.Name, want, said)
			}
		}
		if !strings.Contains(said, "tool_policy.default deny") && a.Name != "opencode" && a.Name != "gemini" {
			t.Errorf("%s: the default is not listed:\n%s", a.Name, said)
		}
		o := oracles[a.Name](t, string(text))
		if got := o.answer("WebFetch", "https://x.example/"); got != "deny" && !strings.Contains(said, "deny tool_policy.tools.fetch: becomes nothing") {
			t.Errorf("%s: a page: %s\n%s", a.Name, got, text)
		}
	}
}
