package shell

import "testing"

// TestRights shows with whose rights a command runs what it is given, and
// whether it starts a shell that reads its input.
func TestRights(t *testing.T) {
	for _, row := range []struct {
		line   string
		want   Rights
		starts bool
	}{
		{"sudo ls", Raised, false},
		{"sudo -s", Raised, true},
		{"sudo -s ls", Raised, false},
		{"sudo", Raised, false},
		{"sudo -l", Raised, false},
		{"run0", Raised, true},
		{"run0 --version", Raised, false},
		{"pkexec --user root", Raised, true},
		{"pkexec ls", Raised, false},
		{"systemd-run --user make", Own, false},
		{"systemd-run --pipe", Raised, true},
		{"setpriv --reuid 0 sh", Raised, false},
		{"setpriv --no-new-privs sh", Own, false},
		{"kdesu -c ls", Raised, false},
		{"su - root", Switched, true},
		{"su -c ls", Switched, false},
		{"sg docker ls", Switched, false},
		{"sg docker", Switched, true},
		{"machinectl shell", Switched, true},
		{"machinectl list", Own, false},
		{"ssh host", Own, true},
		{"ssh host ls", Own, false},
		{"env", Own, false},
	} {
		c := &Read(row.line, testEnv).Commands[0]
		if c.Rights() != row.want || c.StartsShell() != row.starts {
			t.Errorf("%s: rights %d, starts a shell: %v", row.line, c.Rights(), c.StartsShell())
		}
	}
}
