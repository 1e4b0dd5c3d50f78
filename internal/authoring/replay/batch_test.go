package replay

import (
	"encoding/json"
	"fmt"
	"github.com/policyctl/policyctl/internal/eval"
	"runtime"
	"strings"
	"testing"
)

// TestProcessors shows that a report of more calls than wait at once does not
// depend on how many processors decide them.
func TestProcessors(t *testing.T) {
	var recording strings.Builder
	for i := range 3 * maxJobs {
		// The calls of every fifth session repeat until they are a loop.
		n := i
		if i%5 == 0 {
			n = 0
		}
		recording.WriteString(shellCalls(fmt.Sprint("s", i%5), fmt.Sprintf("npm run x%d", n)))
	}
	report := func() string {
		text, err := json.Marshal(run(t, options(t), recording.String()))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	many := report()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if one := report(); one != many {
		t.Errorf("one processor:\n%s\nmany:\n%s", one, many)
	}
	if !strings.Contains(many, `"doom_loop"`) {
		t.Errorf("no loop: %s", many)
	}
}

// TestMayAllow shows on which lines a permission is tried. That of a tool may
// let a line redirect to a file.
func TestMayAllow(t *testing.T) {
	for _, r := range []struct {
		name, match, line string
		want              bool
	}{
		{"npm run", "shell npm run *", "cd web && timeout 5 npm run x", true},
		{"npm run", "shell npm run *", "/usr/bin/npm run x", true},
		{"npm run", "shell npm run *", "bash -c 'n\"\"pm run x'", true},
		{"npm run", "shell npm run *", "echo npm run x", false},
		{"npm run", "shell npm run *", "npm test", false},
		{"npm run", "shell npm run *", "npm --prefix web run x", true},
		{"npm run", "shell npm run *", "npm $how x", true},
		{"write", "write *", "echo x > b", true},
	} {
		c := candidate{head: head{name: r.name, match: r.match}}
		if got := c.mayAllow(eval.Read(r.line, eval.Env{})); got != r.want {
			t.Errorf("%s on %s: %v", r.match, r.line, got)
		}
	}
}
