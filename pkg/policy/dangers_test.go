package policy_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// TestDangers decides testdata/dangers.txt where only what is dangerous asks.
func TestDangers(t *testing.T) {
	e := engine(t, "", func(s *policy.Settings) { s.Confirm = policy.DangerousOnly })
	for _, l := range corpusFile(t, "../../testdata/dangers.txt") {
		want := policy.Ask
		if strings.HasPrefix(l.id, "tame-") {
			want = policy.Allow
		}
		if v := decide(t, e, nil, call(l.command)); v.Decision != want {
			t.Errorf("%s: got %s (%s: %s), want %s: %s", l.id, brief(v), v.Rule, v.Why, want, l.command)
		}
	}
}

// What is dangerous is so too where code runs it, or a program with a language of its own;
// what is not stays so.
func TestDangersRun(t *testing.T) {
	e := engine(t, "", func(s *policy.Settings) { s.Confirm = policy.DangerousOnly })
	for _, l := range corpusFile(t, "../../testdata/dangers.txt") {
		tame := strings.HasPrefix(l.id, "tame-")
		direct := decide(t, e, nil, call(l.command))
		quoted, err := json.Marshal(l.command)
		if err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{
			"python3 - <<'THE_END'\nimport os\nos.system(" + string(quoted) + ")\nTHE_END",
			"vim -c '!" + strings.ReplaceAll(l.command, "'", `'\''`) + "'",
		} {
			v := decide(t, e, nil, call(command))
			switch {
			case tame && v.Decision != policy.Allow && v.Rule != "unreadable" && v.Rule != "hidden-text", !tame && direct.Rule != "unknown-text" && v.Decision == policy.Allow:
				t.Errorf("%s: got %s (%s: %s), directly %s (%s): %s", l.id, brief(v), v.Rule, v.Why, brief(direct), direct.Rule, command)
			}
		}
	}
}

// It is so on another host and in a container.
func TestDangersRunElsewhere(t *testing.T) {
	e := engine(t, "", func(s *policy.Settings) { s.Confirm = policy.DangerousOnly })
	for want, lines := range map[policy.Decision][]string{
		policy.Ask: {
			`docker run x python3 -c 'import os; os.system("git push --force")'`, `kubectl exec p -- python3 -c 'import os; os.system("kubectl delete ns prod")'`,
		},
		policy.Allow: {
			`docker run x python3 -c 'import os; os.system("git push")'`, `docker run x python3 -c 'print("git push --force")'`, `docker run x git push`,
		},
	} {
		for _, line := range lines {
			if v := decide(t, e, nil, call(line)); v.Decision != want {
				t.Errorf("%s by %s %s, want %s: %s", v.Decision, v.Stage, v.Rule, want, line)
			}
		}
	}
}
