package policy_test

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/own"
	"github.com/policyctl/policyctl/pkg/policy"
)

func TestZZScore(t *testing.T) {
	f, _ := os.Open(os.Getenv("SELF"))
	e := engine(t, "", func(s *policy.Settings) {
		s.Confirm = policy.DangerousOnly
		scoreSettings(s)
	})
	y := engine(t, "", func(s *policy.Settings) { s.Yolo = true; scoreSettings(s) })
	sum := map[string][2]int{}
	for sc := bufio.NewScanner(f); sc.Scan(); {
		line := sc.Text()
		parts := strings.SplitN(line, " · ", 4)
		if len(parts) != 4 {
			continue
		}
		command := parts[3]
		if escaped, ok := strings.CutPrefix(command, "$ "); ok {
			command = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\r`, "\r").Replace(escaped)
		}
		v := decide(t, e, nil, call(command))
		vy := decide(t, y, nil, call(command))
		cls, _, _ := strings.Cut(parts[0], "-")
		n := sum[cls]
		n[1]++
		good := v.Decision.String() == parts[1] || parts[1] == "ask" && v.Decision != policy.Allow
		if cls == "own" || parts[1] == "deny" || cls == "http" && parts[1] != "allow" {
			good = good && vy.Decision != policy.Allow
		}
		if good {
			n[0]++
		} else {
			t.Logf("%s want %s got %s (%s %s) yolo %s: %s", parts[0], parts[1], brief(v), v.Rule, v.Why, brief(vy), parts[3])
		}
		sum[cls] = n
	}
	t.Log(sum)
}

func scoreSettings(s *policy.Settings) {
	s.Protect = []string{"/etc/policyctl", home + "/.config/policyctl", home + "/.local/state/policyctl"}
	s.Own = ownPlace
}

var ownPlace = own.Place{
	Private:  []string{home + "/.local/state/policyctl", "/srv/pol", home + "/.config/policyctl/approval.token"},
	Logs:     []string{home + "/serve.log", project + "/nohup.out"},
	Services: []string{"http://127.0.0.1:8765", "https://policy.example.com:8443", "unix:" + home + "/.local/state/policyctl/approval/approval.sock"},
}
