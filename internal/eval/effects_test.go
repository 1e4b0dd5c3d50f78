package eval

import (
	"testing"

	"github.com/policyctl/policyctl/internal/command"
)

// changes are the effects beside reading, running and connecting, and beside writing to
// the null device.
func changes(c *command.Command) (out []command.Effect) {
	c.Effects(func(e command.Effect) bool {
		null, ok := e.Target.Literal()
		if e.Kind != command.Reads && e.Kind != command.Runs && e.Kind != command.Connects && (!ok || null != "/dev/null") {
			out = append(out, e)
		}
		return true
	})
	return out
}

// The quick look never misses an effect.
func TestChangesMissesNothing(t *testing.T) {
	changing := 0
	for _, src := range corpus(t) {
		line := Read(src, testEnv)
		for i := range line.Commands {
			c := &line.Commands[i]
			if found := changes(c); len(found) > 0 {
				if changing++; !c.Changes() {
					t.Errorf("%q: %v %v", src, found[0].Kind, found[0].Target)
				}
			}
		}
	}
	if changing < 1000 {
		t.Errorf("only %d commands change something", changing)
	}
}

func TestChanges(t *testing.T) {
	for src, want := range map[string]bool{
		"ls -la":                   false,
		"grep -rn x . 2>/dev/null": false,
		"make 2>&1":                false,
		"git diff --stat":          false,
		"git clone https://h/x":    true,
		"curl -O https://h/x":      true,
		"echo x > f":               true,
		"echo x > /dev/null1":      true,
		"rm x":                     true,
		"sed -i s/a/b/ f":          true,
		"tar xf x.tgz":             true,
		"dd if=a of=b":             true,
		"find . -delete":           true,
		"sort -o f f":              true,
	} {
		line := Read(src, testEnv)
		if got := line.Commands[0].Changes(); got != want {
			t.Errorf("%s: %v", src, got)
		}
	}
}
