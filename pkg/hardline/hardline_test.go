package hardline_test

import (
	"testing"

	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/pkg/hardline"
	"github.com/policyctl/policyctl/pkg/hazard"
)

func scene(line string) *hazard.Scene {
	env := eval.Env{Dir: "/home/dev/project", Home: "/home/dev"}
	return &hazard.Scene{Line: eval.Read(line, env), Home: env.Home, Protect: []string{"/home/dev/.config/policyctl"}, Own: OwnState}
}

func TestExamples(t *testing.T) {
	for _, r := range hardline.Rules() {
		if len(r.Hit) < 3 || len(r.Miss) < 3 {
			t.Errorf("%s: fewer than three examples of a kind", r.ID)
		}
		for _, line := range r.Hit {
			f, ok := hardline.Match(scene(line))
			if !ok || f.Rule.ID != r.ID {
				t.Errorf("%s: must match %q, got %v", r.ID, line, id(f))
			}
		}
		for _, line := range r.Miss {
			if f, ok := hardline.Match(scene(line)); ok {
				t.Errorf("%s: must not match %q, matched %s", r.ID, line, id(f))
			}
		}
	}
}

// TestUnread holds that a program of which only a deed is known may still run its words.
func TestUnread(t *testing.T) {
	for _, line := range []string{"kexec rm -rf /", "tmpwatch rm -rf /", "herd rm -rf /", "gio rm -rf /", "start rm -rf /", "openrc x rm -rf ~"} {
		if _, ok := hardline.Match(scene(line)); !ok {
			t.Errorf("%q is not denied", line)
		}
	}
}

func id(f hazard.Finding) string {
	if f.Rule == nil {
		return "nothing"
	}
	return f.Rule.ID
}
