package install

import (
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
	denied := func(c *policy.Call) bool {
		c.Home, c.OS = "/home/dev", "linux"
		v, err := engine.Decide(context.Background(), nil, c)
		return err == nil && v.Decision == policy.Deny
	}
	place := Place{Home: "/home/dev", Dir: "/home/dev/shop", Getenv: func(string) string { return "" }, OS: "linux"}
	for _, a := range agents() {
		for _, l := range a.locations {
			path, err := place.path(a, l)
			if err != nil || l.os == "darwin" {
				continue
			}
			if !denied(&policy.Call{Tool: "Write", Dir: place.Dir, Input: map[string]any{"file_path": path, "content": "{}"}}) {
				t.Errorf("%s: %s may be written", a.Name, path)
			}
			if !denied(policy.Shell("rm -f "+path, place.Dir)) {
				t.Errorf("%s: %s may be removed", a.Name, path)
			}
			if dir := "/home/dev/" + strings.Split(a.home, "/")[0]; l.scope == User && dir != "/home/dev/.config" && !denied(policy.Shell("rm -rf "+dir, place.Dir)) {
				t.Errorf("%s: %s may be removed", a.Name, dir)
			}
		}
		if a.hides != "" && !denied(policy.Shell("echo {} > "+filepath.Join("/home/dev", a.home, a.hides), place.Dir)) {
			t.Errorf("%s: %s may be made", a.Name, a.hides)
		}
	}
}
