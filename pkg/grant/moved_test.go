package grant_test

import "testing"

// TestMovedCalls: a grant for a project covers a call that runs there, wherever
// the agent stands, and none that its arguments move out of it.
func TestMovedCalls(t *testing.T) {
	for _, tc := range []struct{ want, tool, dir, argument, to string }{
		{"allow", "shell", app, "", ""},
		{"allow", "shell", app, "workdir", "src"},
		{"allow", "shell", app, "workdir", app},
		{"allow", "shell", home, "workdir", "app"},
		{"allow", "shell", home, "workdir", "way"}, // a link to it
		{"ask", "shell", app, "workdir", "/srv/other"},
		{"ask", "shell", app, "workdir", ".."},
		{"ask", "shell", app, "cwd", "../other"},
		{"ask", "shell", app, "directory", home},
		{"ask", "shell", app, "workdir", "~"},
		{"ask", "shell", app, "workdir", "out"}, // a link to /etc
		{"ask", "shell", app, "workdir", "in/../.."},
		{"ask", "shell", app, "workdir", "lost"},
		{"ask", "exec_command", app, "workdir", "/srv/other"},
		{"ask", "run_shell_command", app, "dir_path", "/srv/other"},
		// the agent's own tool has no such argument
		{"ask", "run_shell_command", "/srv/other", "workdir", app},
		{"ask", "Bash", "/srv/other", "cwd", app},
		{"ask", "mcp__x__exec", app, "", ""},
	} {
		d := newDesk(t)
		d.settings.AutoAllowReadonly = false
		d.entries = here(t, "go test in "+app)
		d.dir = tc.dir
		c := d.call("go test ./...")
		c.Tool = tc.tool
		if tc.argument != "" {
			c.Input[tc.argument] = tc.to
		}
		if v := d.decide(c); v.Decision.String() != tc.want {
			t.Errorf("%s in %s, %s %s: %s by %s %s (%s), want %s", tc.tool, tc.dir, tc.argument, tc.to, v.Decision, v.Stage, v.Rule, v.Why, tc.want)
		}
	}
}
