package install

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// No agent may write to a file that says whether it is guarded, nor remove the folder in
// which it stands, even if its policy allows everything.
func TestProtected(t *testing.T) {
	s := policy.Defaults()
	s.Yolo = true
	engine, err := policy.New(s, policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	place := Place{Home: "/home/dev", Dir: "/home/dev/shop", Getenv: func(string) string { return "" }}
	denied := func(c *policy.Call) bool {
		c.Home, c.OS = place.Home, place.OS
		v, err := engine.Decide(context.Background(), nil, c)
		return err == nil && v.Decision == policy.Deny
	}
	for _, a := range agents() {
		for _, l := range a.locations {
			place.OS = cmp.Or(l.os, "linux")
			path, err := place.path(a, l)
			if err != nil {
				continue
			}
			if !denied(&policy.Call{Tool: "Write", Dir: place.Dir, Input: map[string]any{"file_path": path, "content": "{}"}}) {
				t.Errorf("%s: %s may be written", a.Name, path)
			}
			if !denied(policy.Shell("rm -f '"+path+"'", place.Dir)) {
				t.Errorf("%s: %s may be removed", a.Name, path)
			}
			if dir := "/home/dev/" + strings.Split(a.home, "/")[0]; l.scope == User && dir != "/home/dev/.config" && !denied(policy.Shell("rm -rf "+dir, place.Dir)) {
				t.Errorf("%s: %s may be removed", a.Name, dir)
			}
		}
		place.OS = "linux"
		if a.hides != "" && !denied(policy.Shell("echo {} > "+filepath.Join("/home/dev", a.home, a.hides), place.Dir)) {
			t.Errorf("%s: %s may be made", a.Name, a.hides)
		}
	}
}
