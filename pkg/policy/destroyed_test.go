package policy_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// TestDestroyed decides testdata/destroyed.txt: what destroyed people's work
// asks, or the floor denies it, wherever only what is dangerous asks; its
// look-alikes run.
func TestDestroyed(t *testing.T) {
	for name, edit := range map[string]func(*policy.Settings){
		"dangerous_only": func(s *policy.Settings) { s.Confirm = policy.DangerousOnly },
		"skip":           skip,
		"yolo_confirm":   net,
	} {
		e := engine(t, "", edit)
		lost, kept := 0, 0
		for _, l := range corpusFile(t, "../../testdata/destroyed.txt") {
			v := decide(t, e, nil, call(l.command))
			if strings.HasPrefix(l.id, "kept-") {
				if kept++; v.Decision != policy.Allow {
					t.Errorf("%s: %s: got %s (%s: %s), want allow: %s", name, l.id, brief(v), v.Rule, v.Why, l.command)
				}
				continue
			}
			if lost++; v.Decision != policy.Ask && v.Stage != policy.StageHardline {
				t.Errorf("%s: %s: got %s (%s: %s), want ask: %s", name, l.id, brief(v), v.Rule, v.Why, l.command)
			}
		}
		if lost < 90 || kept < 90 {
			t.Errorf("%s: the corpus has %d forms and %d look-alikes", name, lost, kept)
		}
	}
}

// net is yolo that asks about what is dangerous.
func net(s *policy.Settings) { s.Yolo, s.YoloConfirm = true, policy.ConfirmDangerous }

// TestYoloConfirm checks what yolo does not ask about although it is to ask
// about what is dangerous, and what it denies all the same.
func TestYoloConfirm(t *testing.T) {
	for _, c := range []struct{ want, permissions, line string }{
		{"allow yolo", "", "make deploy"},
		{"allow yolo", "ask shell make *", "make deploy"},
		{"allow yolo", "", "python3 -c 'import x'"},
		{"ask confirm", "", "git clean -fdx"},
		{"ask confirm", "", "make && terraform destroy"},
		{"ask rules", "ask shell git push *", "git push --force"},
		{"allow rules", "allow shell git clean *", "git clean -fdx"},
		{"allow yolo", "allow shell git clean *", "git clean -fdx && make"},
		{"ask confirm", "allow shell git clean *", "git clean -fdx && git stash drop"},
		{"deny permission_deny", "deny shell git clean *", "git clean -fdx"},
		{"deny hardline", "allow shell *", "rm -rf ~"},
	} {
		e := engine(t, c.permissions, net)
		if v := decide(t, e, nil, call(c.line)); brief(v) != c.want {
			t.Errorf("%q with %q: got %s (%s: %s), want %s", c.line, c.permissions, brief(v), v.Rule, v.Why, c.want)
		}
	}
	e, s := engine(t, "", net), policy.NewSession("s")
	var v policy.Verdict
	for range 3 {
		v = decide(t, e, s, call("git clean -fdx"))
	}
	if brief(v) != "deny doom_loop" {
		t.Errorf("the third time: got %s, want deny doom_loop", brief(v))
	}
}

// TestYoloConfirmIsNeverWeaker holds every line of a corpus against yolo without
// the key.
func TestYoloConfirmIsNeverWeaker(t *testing.T) {
	plain, netted := engine(t, "ask shell npm *", func(s *policy.Settings) { s.Yolo = true }), engine(t, "ask shell npm *", net)
	for _, name := range []string{"dangers", "destroyed", "bypasses"} {
		for _, l := range corpusFile(t, "../../testdata/"+name+".txt") {
			v, w := decide(t, plain, nil, call(l.command)), decide(t, netted, nil, call(l.command))
			if w.Decision > v.Decision {
				t.Errorf("%s: yolo says %s, with yolo_confirm %s: %s", l.id, brief(v), brief(w), l.command)
			}
		}
	}
}
