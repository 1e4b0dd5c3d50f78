package eval

import (
	"testing"

	"github.com/policyctl/policyctl/internal/program"
)

// TestRights shows with whose rights a command runs what it is given, and
// whether it starts a shell that reads its input.
func TestRights(t *testing.T) {
	for _, row := range []struct {
		line   string
		want   program.Rights
		starts bool
	}{
		{"sudo ls", program.Raised, false},
		{"sudo -s", program.Raised, true},
		{"sudo -s ls", program.Raised, false},
		{"sudo", program.Raised, false},
		{"sudo -l", program.Raised, false},
		{"run0", program.Raised, true},
		{"run0 --version", program.Raised, false},
		{"pkexec --user root", program.Raised, true},
		{"pkexec ls", program.Raised, false},
		{"systemd-run --user make", program.Own, false},
		{"systemd-run --pipe", program.Raised, true},
		{"setpriv --reuid 0 sh", program.Raised, false},
		{"setpriv --no-new-privs sh", program.Own, false},
		{"kdesu -c ls", program.Raised, false},
		{"su - root", program.Switched, true},
		{"su -c ls", program.Switched, false},
		{"sg docker ls", program.Switched, false},
		{"sg docker", program.Switched, true},
		{"machinectl shell", program.Switched, true},
		{"machinectl list", program.Own, false},
		{"ssh host", program.Own, true},
		{"ssh host ls", program.Own, false},
		{"env", program.Own, false},
	} {
		c := &Read(row.line, testEnv).Commands[0]
		if c.Rights() != row.want || c.StartsShell() != row.starts {
			t.Errorf("%s: rights %d, starts a shell: %v", row.line, c.Rights(), c.StartsShell())
		}
	}
}
