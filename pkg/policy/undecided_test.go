package policy_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/world"
)

// undecidedHome makes a home directory with a project, a secret and links.
func undecidedHome(t *testing.T) (home, project string) {
	t.Helper()
	home = t.TempDir()
	project = filepath.Join(home, "proj")
	for name, text := range map[string]string{"proj/src/a.py": "", "proj/.env": "K=x", ".ssh/id_rsa": "x", ".bashrc": "", "other/a.py": ""} {
		path := filepath.Join(home, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Symlink(home, filepath.Join(project, "out")), os.Link(filepath.Join(home, ".bashrc"), filepath.Join(project, "hard"))); err != nil {
		t.Fatal(err)
	}
	return home, project
}

// An ask is undecided only if every ground of it is known to be the harmless one: each
// setting that asks, and each thing about the call that does, takes that away.
func TestUndecidedGrounds(t *testing.T) {
	home, project := undecidedHome(t)
	type settings = policy.Settings
	type options = policy.Options
	ask := func(a policy.Answer, err error) []policy.Source {
		return []policy.Source{sourceFunc(func(context.Context, *policy.Input) (policy.Answer, error) { return a, err })}
	}
	for _, tc := range []struct {
		name string
		want bool
		set  func(*settings, *options, *policy.Call)
	}{
		{"nothing else", true, func(*settings, *options, *policy.Call) {}},
		{"a silent source", true, func(_ *settings, o *options, _ *policy.Call) { o.Sources = ask(policy.Answer{Silent: true}, nil) }},
		{"a permission about something else", true, func(s *settings, _ *options, _ *policy.Call) {
			s.Permissions = []policy.Permission{{Match: "shell git push *", Action: policy.Ask}}
		}},
		{"a session directory", true, func(_ *settings, _ *options, c *policy.Call) { c.SessionDir = home + "/s" }},

		{"the policy asks", false, func(s *settings, _ *options, _ *policy.Call) { s.Undecided = policy.UndecidedAsk }},
		{"yolo", false, func(s *settings, _ *options, _ *policy.Call) { s.Yolo, s.YoloConfirm = true, policy.ConfirmDangerous }},
		{"mode auto", false, func(s *settings, _ *options, _ *policy.Call) { s.Mode = policy.Auto }},
		{"dangerous_only", false, func(s *settings, _ *options, c *policy.Call) {
			s.Confirm = policy.DangerousOnly
			c.Input["command"] = "$X y"
		}},
		{"a tool policy's default", false, func(s *settings, _ *options, _ *policy.Call) { s.ToolPolicy.Default = policy.Supervised }},
		{"a supervised tool", false, func(s *settings, _ *options, _ *policy.Call) {
			s.ToolPolicy.Tools = map[string]policy.Treatment{"shell": policy.Supervised}
		}},
		{"a permission", false, func(s *settings, _ *options, _ *policy.Call) {
			s.Permissions = []policy.Permission{{Match: "shell make *", Action: policy.Ask}}
		}},
		{"a permission that may match", false, func(s *settings, _ *options, c *policy.Call) {
			s.Permissions = []policy.Permission{{Match: "shell make x", Action: policy.Ask}}
			c.Input["command"] = "make $X"
		}},
		{"a rule", false, func(_ *settings, o *options, _ *policy.Call) {
			o.Sources = ask(policy.Answer{Decision: policy.Ask, Certain: true, Rule: "r"}, nil)
		}},
		{"an uncertain rule", false, func(_ *settings, o *options, _ *policy.Call) {
			o.Sources = ask(policy.Answer{Decision: policy.Deny, Rule: "r"}, nil)
		}},
		{"a source that fails", false, func(_ *settings, o *options, _ *policy.Call) { o.Sources = ask(policy.Answer{}, errors.New("down")) }},
		{"a broken policy", false, func(_ *settings, o *options, _ *policy.Call) { o.Broken = errors.New("x") }},
		{"safe spaces", false, func(s *settings, _ *options, _ *policy.Call) { s.SafeSpaces = []policy.Entry{{Text: "project"}} }},
		{"an audience", false, func(s *settings, _ *options, _ *policy.Call) { s.Audience = policy.Team }},
		{"an audience of the call", false, func(_ *settings, _ *options, c *policy.Call) { c.Audience = policy.Public }},
		{"a supervisor", false, func(s *settings, _ *options, _ *policy.Call) { s.Approval.Supervisor = "ann" }},
		{"leaving the sandbox", false, func(_ *settings, _ *options, c *policy.Call) { c.OutsideSandbox = true }},
		{"no world", false, func(_ *settings, o *options, _ *policy.Call) { o.World = nil }},
		{"no project", false, func(_ *settings, _ *options, c *policy.Call) { c.ProjectDir = "" }},
		{"the home directory as the project", false, func(_ *settings, _ *options, c *policy.Call) { c.ProjectDir, c.Dir = home, home }},
		{"the root as the project", false, func(_ *settings, _ *options, c *policy.Call) { c.ProjectDir, c.Dir = "/", "/" }},
		{"another directory", false, func(_ *settings, _ *options, c *policy.Call) { c.Dir = home + "/other" }},
		{"a record of one's own", false, func(_ *settings, _ *options, c *policy.Call) { c.Record = map[string]any{"type": "x"} }},
		{"a shell that nobody reads", false, func(_ *settings, _ *options, c *policy.Call) { c.Shell = "pwsh" }},
		{"a list of words", false, func(_ *settings, _ *options, c *policy.Call) { c.Input["command"] = []any{"make"} }},
		{"an argument of another tool", false, func(_ *settings, _ *options, c *policy.Call) { c.Input["host"] = "x" }},
		{"a directory that may count", false, func(_ *settings, _ *options, c *policy.Call) { c.Tool, c.Input["workdir"] = "Bash", home+"/other" }},
		{"variables", false, func(_ *settings, _ *options, c *policy.Call) { c.Input["env"] = map[string]any{"PATH": "/tmp"} }},
		{"an input", false, func(_ *settings, _ *options, c *policy.Call) {
			c.Tool, c.Input["command"], c.Input["stdin"] = "shell", "sh", "make"
		}},
	} {
		s := policy.Defaults()
		o := policy.Options{World: world.New([]string{"HOME=" + home})}
		c := policy.Shell("make", project)
		c.Home, c.ProjectDir = home, project
		tc.set(&s, &o, c)
		e, err := policy.New(s, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, review := range []bool{false, true} {
			decide := e.Decide
			if review {
				decide = e.Review
			}
			v, err := decide(t.Context(), nil, c)
			if err != nil || v.Undecided != tc.want || v.Undecided && v.Decision != policy.Ask {
				t.Errorf("%s: %s, undecided %v (%v: %s), want %v", tc.name, v.Decision, v.Undecided, err, v.Why, tc.want)
			}
		}
		x, err := e.Explain(t.Context(), nil, c)
		if err != nil || x.Undecided != tc.want {
			t.Errorf("%s: explained, undecided is %v (%v), want %v", tc.name, x.Undecided, err, tc.want)
		}
	}
}

// What a person has approved, or answered, leaves the rest of a line as it is.
func TestUndecidedDenied(t *testing.T) {
	v := policy.Verdict{Decision: policy.Ask, Undecided: true}
	if d := v.Denied(policy.ReasonRejected, "no"); d.Undecided || d.Decision != policy.Deny {
		t.Errorf("%+v", d)
	}
}

// Tools by what they are given.
func TestUndecidedTools(t *testing.T) {
	home, project := undecidedHome(t)
	s := policy.Defaults()
	s.Tools = []policy.Tool{{Name: "ticket", Kind: policy.KindMCP, Risk: policy.Medium, Subject: []string{"title"}}, {Name: "runner", Kind: policy.KindOther, Commands: []string{"line"}, Subject: []string{"line"}}}
	e, err := policy.New(s, policy.Options{World: world.New([]string{"HOME=" + home})})
	if err != nil {
		t.Fatal(err)
	}
	type in = map[string]any
	for _, tc := range []struct {
		want  bool
		tool  string
		input in
	}{
		{true, "Edit", in{"file_path": project + "/src/a.py", "old_string": "a", "new_string": "b"}},
		{true, "Write", in{"file_path": "src/new.py", "content": "cat ~/.ssh/id_rsa; rm -rf /"}},
		{true, "MultiEdit", in{"file_path": project + "/src/a.py", "edits": []any{in{"old_string": "a", "new_string": "b"}}}},
		{true, "NotebookEdit", in{"notebook_path": project + "/src/x.ipynb", "new_source": "1"}},
		{true, "apply_patch", in{"input": "*** Begin Patch\n*** Update File: src/a.py\n@@\n-a\n+b\n*** End Patch"}},
		{true, "WebFetch", in{"url": "https://example.com/a?b=c", "prompt": "read http://169.254.169.254/"}},
		{true, "WebFetch", in{"url": "http://localhost:3000/health", "prompt": "x"}},
		{true, "Task", in{"description": "run the tests", "prompt": "Run `make test`, then delete build and tell me."}},
		{true, "KillShell", in{"shell_id": "1"}},
		{true, "mcp__github__get_issue", in{"owner": "o", "repo": "r", "issue_number": 3}},
		{true, "mcp__github__create_issue", in{"title": "Update the docs", "body": "The page says rm -rf / is fine; see /etc/hosts and ~/.ssh for more."}},
		{true, "mcp__github__search_issues", in{"query": "is:open label:bug"}},
		{true, "mcp__fs__read_file", in{"path": project + "/src/a.py"}},
		{true, "mcp__fs__write_file", in{"path": "src/new.py", "content": "x"}},
		{true, "mcp__pg__query", in{"sql": "SELECT * FROM users"}},
		{true, "mcp__pg__query", in{"sql": "SELECT count(*), max(a) FROM users WHERE id IN (1, 2)"}},
		{true, "mcp__docs__resolve", in{"libraryName": "react", "description": "x", "subscription": "y"}},
		{true, "mcp__x__do", in{"force": false}},
		{true, "mcp__github__get_pull_request", in{"number": 1}},
		{true, "mcp__shop__list_orders", in{"state": "open"}},
		{true, "mcp__shop__get_order", in{"id": "1"}},
		{true, "mcp__seq__think", in{"thought": "x", "nextThoughtNeeded": true}},
		{true, "mcp__pg__query", in{"sql": "EXPLAIN SELECT 1"}},
		{true, "mcp__github__graphql", in{"query": "{ viewer { login } }"}},
		{true, "mcp__x__do", in{"dry_run": true}},
		{true, "mcp__x__do", in{"title": "How to delete a branch"}},

		{false, "Edit", in{"file_path": home + "/other/a.py", "old_string": "a", "new_string": "b"}},
		{false, "Edit", in{"file_path": project + "/hard", "old_string": "a", "new_string": "b"}},
		{false, "Edit", in{"file_path": project + "/out/x", "old_string": "a", "new_string": "b"}},
		{false, "Edit", in{"file_path": project, "old_string": "a", "new_string": "b"}},
		{false, "Write", in{"file_path": project + "/.env", "content": "x"}},
		{false, "Write", in{"file_path": project + "/src/*.py", "content": "x"}},
		{false, "Write", in{"file_path": `src\a.py`, "content": "x"}},
		{false, "Write", in{"file_path": "$HOME/x", "content": "x"}},
		{false, "Write", in{"file_path": "src/a\nb", "content": "x"}},
		{false, "Write", in{"file_path": project + "/src/a.py", "path": home + "/.bashrc", "content": "x"}},
		{false, "apply_patch", in{"input": "*** Begin Patch\n*** Update File: src/a.py\n@@\n-a\n+b\n*** Delete File: ../x\n*** End Patch"}},
		{false, "WebFetch", in{"url": "https://example.com", "headers": in{"A": "b"}}},
		{false, "WebFetch", in{"prompt": "no address"}},
		{false, "runner", in{"line": "make"}},
		{false, "write_stdin", in{"session_id": "1", "chars": "y"}},
		{false, "schedule", in{"prompt": "x"}},
		{false, "git_operations", in{"operation": "status"}},
		{false, "file_system", in{"op": "frob"}},
		{false, "mcp__fs__read_file", in{"path": home + "/.ssh/id_rsa"}},
		{false, "mcp__fs__read_file", in{"path": home + "/other/a.py"}},
		{false, "mcp__fs__delete_file", in{"path": "src/a.py"}},
		{false, "mcp__x__run_query", in{"q": "x"}},
		{false, "mcp__x__do", in{"code": "x"}},
		{false, "mcp__x__do", in{"pageScript": "x"}},
		{false, "mcp__x__do", in{"evaluate": "x"}},
		{false, "mcp__x__do", in{"force": true}},
		{false, "mcp__x__do", in{"options": []any{in{"deleteAll": true}}}},
		{false, "mcp__x__do", in{"where": "http://169.254.169.254/"}},
		{false, "mcp__pg__query", in{"sql": "SELECT 1; DROP TABLE users"}},
		{false, "mcp__pg__query", in{"query": "update users set a = 1"}},
		{false, "mcp__pg__query", in{"sql": "SELECT pg_read_file('/etc/passwd')"}},
		{false, "mcp__pg__query", in{"sql": "select * from users into outfile '/tmp/x'"}},
		{false, "mcp__pg__query", in{"sql": "SELECT \"lo_import\" ('x')"}},
		{false, "Write", in{"file_path": "src/.g\u200cit/x", "content": "x"}},
		{false, "mcp__bank__send_money", in{"amount": 1}},
		{false, "mcp__shop__place_order", in{"id": "1"}},
		{false, "mcp__mail__send_email", in{"to": "x"}},
		{false, "mcp__github__merge_pull_request", in{"number": 1}},
		{false, "mcp__github__add_collaborator", in{"user": "x"}},
		{false, "mcp__github__make_public", in{"repo": "x"}},
		{false, "mcp__k8s__scale", in{"name": "x"}},
		{false, "mcp__redis__flushall", in{}},
		{false, "mcp__browser__get_cookies", in{}},
		{false, "mcp__mongo__update_many", in{}},
		{false, "mcp__desktop__start_process", in{"p": "x"}},
		{false, "mcp__x__do", in{"action": "delete"}},
		{false, "mcp__x__do", in{"op": "DeleteBucket"}},
		{false, "mcp__x__do", in{"mode": "run_code"}},
		{false, "mcp__x__do", in{"http_method": "DELETE"}},
		{false, "mcp__x__do", in{"verb": "delete"}},
		{false, "mcp__x__do", in{"force": "true"}},
		{false, "mcp__x__do", in{"force": 1}},
		{false, "mcp__x__do", in{"dry_run": false}},
		{false, "mcp__x__do", in{"dryRun": "false"}},
		{false, "mcp__x__do", in{"recursive": true}},
		{false, "mcp__x__do", in{"opts": []any{"--force"}}},
		{false, "mcp__x__do", in{"visibility": "public"}},
		{false, "mcp__x__do", in{"args": []any{"-c", "x"}}},
		{false, "mcp__x__do", in{"shell": "x"}},
		{false, "mcp__x__do", in{"private_key": "x"}},
		{false, "mcp__x__do", in{"access_token": "x"}},
		{false, "mcp__x__do", in{"name": "%2e%2e/%2e%2e/etc/passwd"}},
		{false, "mcp__x__do", in{"where": " https://example.com/"}},
		{false, "mcp__x__do", in{"text": "ghp_abcdefghijklmnopqrstuvwxyz0123456789"}},
		{false, "mcp__mongo__aggregate", in{"pipeline": []any{in{"$out": "x"}}}},
		{false, "mcp__mongo__find", in{"filter": in{"$where": "x"}}},
		{false, "mcp__pg__query", in{"sql": "PRAGMA writable_schema = 1"}},
		{false, "mcp__pg__query", in{"sql": "VACUUM FULL"}},
		{false, "mcp__pg__query", in{"sql": "SELECT 1; SET ROLE admin"}},
		{false, "mcp__pg__query", in{"statement": "ATTACH 'x' AS y"}},
		{false, "mcp__github__graphql", in{"query": "# a comment\nmutation { x }"}},
		{false, "mcp__github__graphql", in{"query": "query A { a } mutation B { b }"}},
		{false, "mcp__x__get_secret", in{"name": "x"}},
		{false, "mcp__x__do", in{"password": "x"}},
	} {
		c := &policy.Call{Tool: tc.tool, Input: tc.input, Dir: project, ProjectDir: project, Home: home, Agent: "claude"}
		v, err := e.Decide(t.Context(), nil, c)
		if err != nil || v.Undecided != tc.want {
			t.Errorf("%s %v: %s, undecided %v (%v: %s)", tc.tool, tc.input, v.Decision, v.Undecided, err, v.Why)
		}
	}
}

// A sourceFunc is a source that a function answers for.
type sourceFunc func(context.Context, *policy.Input) (policy.Answer, error)

func (f sourceFunc) Judge(ctx context.Context, in *policy.Input) (policy.Answer, error) {
	return f(ctx, in)
}

// Lines that are left to an agent, and lines that are not.
func TestUndecidedLines(t *testing.T) {
	home, project := undecidedHome(t)
	for name, text := range map[string]string{
		"proj/src/app.py": "print(1)\n", "proj/src/index.js": "x\n", "proj/src/rc.txt": "x\n", "proj/docs/x": "x", "proj/tests/x": "x", "proj/Makefile": "all:\n", "proj/package.json": "{}\n", "proj/go.mod": "module x\n",
		"proj/node_modules/.bin/evil": "x", "proj/dist/x": "x", "proj/build/x": "x", "proj/logs/x": "x", ".ssh/id_ed25519": "x", ".aws/credentials": "x", ".netrc": "x", "evil/run.sh": "x",
	} {
		path := filepath.Join(home, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{"outlink": home, "uplink": "..", "srclink": "src", "etclink": "/etc/passwd", "keylink.txt": "../.ssh/id_ed25519", "inlink": "src/app.py"} {
		if err := os.Symlink(target, filepath.Join(project, name)); err != nil {
			t.Fatal(err)
		}
	}
	e, err := policy.New(policy.Defaults(), policy.Options{World: world.New([]string{"HOME=" + home})})
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("testdata/undecided.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := map[string]int{}
	for line := range strings.Lines(string(data)) {
		want, command, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok {
			continue
		}
		n[want]++
		c := policy.Shell(strings.ReplaceAll(command, "/home/user", home), project)
		c.Home, c.ProjectDir = home, project
		v, err := e.Decide(t.Context(), nil, c)
		if err != nil || v.Undecided != (want == "left") || v.Decision == policy.Allow {
			t.Errorf("%s: %s, undecided %v (%v: %s), want %s", command, v.Decision, v.Undecided, err, v.Why, want)
		}
	}
	if n["left"] < 150 || n["kept"] < 1000 {
		t.Errorf("%v lines", n)
	}
}
