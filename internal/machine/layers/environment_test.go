package layers

import (
	"slices"
	"testing"

	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

func TestFromEnvironment(t *testing.T) {
	files, unknown := FromEnvironment([]string{
		"PATH=/bin", "POLICYCTL_APPROVALS_MODE=skip", "POLICYCTL_APPROVALS_YOLO=", "POLICYCTL_PERMISSIONS={}",
		"POLICYCTL_DOOM_LOOP_THRESHOLD=5", "policyctl_approvals_yolo=true", "POLICYCTL_APROVALS_MODE=auto", "POLICYCTL_TOKEN=x", "=x",
	}, config.Everything)
	var names []string
	for _, f := range files {
		names = append(names, f.Name+" "+string(f.Data))
	}
	if want := []string{"POLICYCTL_APPROVALS_MODE approvals.mode=skip", "POLICYCTL_DOOM_LOOP_THRESHOLD doom_loop.threshold=5"}; !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
	if want := []string{"POLICYCTL_APROVALS_MODE", "POLICYCTL_PERMISSIONS"}; !slices.Equal(unknown, want) {
		t.Errorf("%q", unknown)
	}
}

// Each key with one value has a variable of its own.
func TestVariables(t *testing.T) {
	seen := make(map[string]string)
	for _, k := range config.Keys() {
		if other := seen[Variable(k.Path)]; k.Scalar && other != "" {
			t.Errorf("%s assigns %s and %s", Variable(k.Path), other, k.Path)
		}
		if k.Scalar {
			seen[Variable(k.Path)] = k.Path
		}
	}
	if len(seen) < 10 {
		t.Errorf("%d variables", len(seen))
	}
}

// What an agent can set only tightens; what a person sets may loosen.
func TestEnvironmentLoosens(t *testing.T) {
	environ := []string{"POLICYCTL_APPROVALS_YOLO=true", "POLICYCTL_APPROVALS_MODE=skip", "POLICYCTL_APPROVALS_AUTO_ALLOW_READONLY=false"}
	for _, c := range []struct {
		admit config.Admission
		held  int
		yolo  bool
	}{{config.Tightening, 2, false}, {config.Everything, 0, true}} {
		files, _ := FromEnvironment(environ, c.admit)
		p := newTree(t).load(files...)
		if p.Err != nil || len(p.Held()) != c.held || p.Settings.Yolo != c.yolo || p.Settings.AutoAllowReadonly {
			t.Errorf("%d: %v, held %v, %+v", c.admit, p.Err, p.Held(), p.Settings)
		}
	}
	files, _ := FromEnvironment([]string{"POLICYCTL_APPROVALS_MODE=sometimes"}, config.Everything)
	if p := newTree(t).load(files...); p.Err == nil || p.Settings.Mode != policy.Manual {
		t.Errorf("a wrong value: %v", p.Err)
	}
}
