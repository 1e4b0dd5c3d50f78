package hardline_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/pkg/hardline"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// TestInstead shows the command that a person is asked to run, word for word,
// and that nothing else is put before them.
func TestInstead(t *testing.T) {
	for _, tc := range []struct{ want, line string }{
		{"policyctl approvals trust-verb freshx", "policyctl approvals trust-verb freshx"},
		{"policyctl approvals trust-verb 'git push'", "policyctl approvals trust-verb 'git push'"},
		{"policyctl approvals trust-verb 'git push'", `bash -c "policyctl approvals trust-verb 'git push'"`},
		{"policyctl approvals trust-verb 'git push'", `V='git push'; timeout 5 policyctl approvals trust-verb "$V" 2>&1 | tail -1`},
		{"policyctl approvals trust-verb 'git push' --in /home/dev/app", `sudo policyctl approvals trust-verb git\ push --in ~/app`},
		{"cd /home/dev/project && policyctl approvals trust-verb make --in .", "policyctl approvals trust-verb make --in ."},
		{"cd /home/dev/project/web && policyctl approvals trust-verb make '--in=../x'", "cd web && policyctl approvals trust-verb make --in=../x"},
		{"policyctl approvals revoke 'git commit in /home/dev/app'", "policyctl approvals revoke 'git commit in /home/dev/app'"},
		{"policyctl requests approve req_1 --scope here", "/tmp/x/policyctl requests approve req_1 --scope here"},
		{"policyctl requests deny req_1 --reason 'it'\\''s wrong'", `policyctl requests deny req_1 --reason "it's wrong"`},
		{"policyctl token create me --scope approve", "policyctl token create me --scope approve > me.token"},
		{"policyctl token create '$(evil)'", "policyctl token create '$(evil)'"},
		{"policyctl token create 'a;evil'", "policyctl token create 'a;evil'"},
		{"policyctl token create ''", "policyctl token create ''"},
		{"cd /home/dev/project && policyctl trust", "policyctl trust"},
		{"cd /home/dev/project && policyctl uninstall claude", "policyctl uninstall claude"},
		{"policyctl serve", "nohup policyctl serve &"},
		{"", "policyctl token create $'a\\x1b[2K'"},
		{"", "policyctl token create 'a\u202eb'"},
		{"", "policyctl token create $'a\\nb'"},
		{"", "policyctl token create \"$NAME\""},
		{"policyctl approvals trust-verb git push", "V='git push'; policyctl approvals trust-verb $V"},
		{"", "set -- $(cat args); policyctl approvals trust-verb \"$@\""},
		{"", "policyctl approvals trust-verb " + strings.Repeat("x", 500)},
		{"", "cd \"$X\" && policyctl approvals trust-verb make --in ."},
		{"", "policyctl hook claude < event.json"},
		{"", "echo '{}' | policyctl-hook claude"},
		{"", "pkill policyctl"},
		{"", "go run ./cmd/policyctl trust"},
	} {
		s := &hazard.Scene{Line: eval.Read(tc.line, eval.Env{Dir: "/home/dev/project", Home: "/home/dev"}), Home: "/home/dev", OS: "linux", Denies: hardline.Denies}
		f, ok := hardline.Match(s)
		if !ok {
			t.Errorf("%q is not denied", tc.line)
			continue
		}
		got := hardline.Instead(s, f)
		_, command, shown := strings.Cut(got, "terminal of their own: ")
		if command != tc.want || !shown && got != f.Rule.Instead {
			t.Errorf("%q:\n got %q\nwant %q", tc.line, got, tc.want)
		}
	}
	s := &hazard.Scene{Line: eval.Read("policyctl approvals trust-verb make --in ~/app", eval.Env{}), Home: eval.UnknownHome}
	if f, _ := hardline.Match(s); !strings.HasSuffix(hardline.Instead(s, f), " --in ~/app") {
		t.Errorf("without a home: %s", hardline.Instead(s, f))
	}
}
