package layers

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/config"
)

// filled repeats a line with its number up to a size.
func filled(size int, head, line string) string {
	var b strings.Builder
	b.WriteString(head)
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, line, i)
	}
	return b.String()
}

// within returns a file just below the budget of bytes.
func within(head, line string) string {
	return filled(maxProject-2*len(line)-20, "version: 1\n"+head, line)
}

// maxWork bounds what reading policies may allocate: work is counted, so that the speed of
// the machine is none of it. A thousand bytes take about a microsecond.
const maxWork = 64 << 20

// Whatever a repository holds, a call there takes little work, and what exceeds the budget
// allows nothing: what others deny stays denied.
func TestProjectBudget(t *testing.T) {
	const rules = "rules:\n"
	deep := strings.Repeat("d/", 300)
	for name, c := range map[string]struct {
		fits  bool
		files map[string]string // below w/app
	}{
		"many rules":           {true, map[string]string{"": within(rules, "- {id: r%d, when: {shell.program: x}, decision: deny}\n")}},
		"many globs":           {true, map[string]string{"": within(rules, "- {id: r%d, when: {shell.command: {glob: \"*a*b*c*\"}}, decision: deny}\n")}},
		"many permissions":     {true, map[string]string{"": within("permissions:\n", "  \"shell a%d * b *\": deny\n")}},
		"expressions":          {true, map[string]string{"": filled(20_000, "version: 1\nrules:\n", "- {id: r%d, when: {shell.command: {pattern: \"(a|b)+c[x-z]*\"}}, decision: deny}\n")}},
		"20,000 rules":         {false, map[string]string{"": filled(1_600_000, "version: 1\nrules:\n", "- {id: r%d, when: {shell.command: {pattern: \"(a|b)+c{1,20}[x-z]*\"}}, decision: deny}\n")}},
		"the largest file":     {false, map[string]string{"": filled(8<<20, "version: 1\nrules:\n", "- {id: r%d, when: {shell.program: x}, decision: deny}\n")}},
		"counts":               {false, map[string]string{"": within(rules, "- {id: r%d, when: {shell.command: {pattern: \"(a|b){1000}\"}}, decision: deny}\n")}},
		"counts in one":        {false, map[string]string{"": "version: 1\nrules:\n- {id: r, when: {shell.command: {pattern: \"" + strings.Repeat("(.|x){999}", 3000) + "\"}}, decision: deny}\n"}},
		"classes":              {false, map[string]string{"": within(rules, "- {id: r%d, when: {shell.command: {pattern: \"(?i)(\\\\pL){1000}\"}}, decision: deny}\n")}},
		"below not":            {false, map[string]string{"": within(rules, "- {id: r%d, when: {not: {any: [{shell.command: {pattern: \"(a|b){1000}\"}}]}}, decision: deny}\n")}},
		"with flags":           {false, map[string]string{"": within(rules, "- {id: r%d, when: {shell.command: {pattern: \"(a|b){1000}\", flags: i}}, decision: deny}\n")}},
		"by an anchor":         {false, map[string]string{"": within(rules+"- {id: r, when: &w {shell.command: {pattern: \"(a|b){1000}\"}}, decision: deny}\n", "- {id: r%d, when: *w, decision: deny}\n")}},
		"escaped":              {false, map[string]string{"": within(rules, "- {id: r%d, when: {shell.command: {\"p\\x61ttern\": \"(a|b)\\x7b1000}\"}}, decision: deny}\n")}},
		"wrong everywhere":     {false, map[string]string{"": within(rules, "- {id: r%d, wen: {shell.program: x}, decision: deny}\n")}},
		"commands approved":    {false, map[string]string{"": within("tools:\n", "  t%d: {auto_approve: {command: \"(a|b){1000}\"}}\n")}},
		"two files":            {false, map[string]string{"": within(rules, "- {id: r%d, when: {shell.program: x}, decision: deny}\n"), "d/": within(rules, "- {id: q%d, when: {shell.program: x}, decision: deny}\n")}},
		"expressions of two":   {false, map[string]string{"": filled(40_000, "version: 1\nrules:\n", "- {id: r%d, when: {shell.command: {pattern: \"(a|b)+c{1,20}[x-z]*\"}}, decision: deny}\n"), "d/": filled(20_000, "version: 1\nrules:\n", "- {id: q%d, when: {shell.command: {pattern: \"(a|b)+c{1,20}[x-z]*\"}}, decision: deny}\n")}},
		"a policy a directory": {false, map[string]string{deep: "version: 1\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, trusted := range []bool{false, true} {
				tr := newTree(t)
				tr.policy(userFile, "permissions: {\"shell make *\": allow, \"shell rake *\": deny}\n")
				at := "w/app/"
				for dir, text := range c.files {
					if at = "w/app/" + dir; dir == deep {
						for i := range strings.Count(deep, "/") {
							tr.write("w/app/"+deep[:2*i]+".policyctl/policy.yaml", text)
						}
					}
					tr.write(at+".policyctl/policy.yaml", text)
				}
				if len(c.files) > 1 {
					at = "w/app/d/"
				}
				if trusted {
					for _, s := range Load(tr.Place, tr.path(at)).Sources {
						if s.Layer == config.Project && s.Digest != "" {
							tr.add(s)
						}
					}
				}
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				p := Load(tr.Place, tr.path(at))
				e, err := p.Engine(nil)
				runtime.ReadMemStats(&after)
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%d MB", (after.TotalAlloc-before.TotalAlloc)>>20)
				if work := after.TotalAlloc - before.TotalAlloc; work > maxWork {
					t.Errorf("trusted %t: reading takes %d MB", trusted, work>>20)
				}
				want := "ask"
				if c.fits {
					want = "allow"
				}
				if got := tr.decide(e, "make x"); got != want {
					t.Errorf("trusted %t: what the person allows is %s, want %s (%.300v)", trusted, got, want, p.Err)
				}
				if got := tr.decide(e, "rake x"); got != "deny" {
					t.Errorf("trusted %t: what the person denies is %s", trusted, got)
				}
			}
		})
	}
}

// add trusts a policy as it was read.
func (t *tree) add(s Source) {
	t.Helper()
	if err := t.Place.Add(s.Path, s.Digest, time.Unix(0, 0)); err != nil {
		t.Fatal(err)
	}
}

// A policy beyond the budget says so, and those further out still deny.
func TestBudgetSaysSo(t *testing.T) {
	tr := newTree(t)
	tr.policy(outerFile, denyMake)
	tr.write(innerFile, filled(maxProject+1, "version: 1\nrules:\n", "- {id: r%d, when: {shell.program: x}, decision: deny}\n"))
	p := tr.load()
	if !errors.Is(p.Err, errBudget) || !strings.Contains(p.Err.Error(), "65536 bytes in 8 files") {
		t.Errorf("%v", p.Err)
	}
	if got := tr.verdict(p, "make x"); got != "deny" {
		t.Errorf("what a policy further out denies is %s", got)
	}
	exact := filled(maxProject-len("version: 1\n")-len(denyMake)-100, "version: 1\nrules:\n", "- {id: r%d, when: {shell.program: x}, decision: deny}\n")
	exact += "#" + strings.Repeat("x", maxProject-len("version: 1\n")-len(denyMake)-len(exact)-1)
	tr.write(innerFile, exact)
	if p = tr.load(); p.Err != nil {
		t.Errorf("all of the budget: %v", p.Err)
	}
	tr.write(innerFile, exact+"x")
	if p = tr.load(); !errors.Is(p.Err, errBudget) {
		t.Errorf("a byte more: %v", p.Err)
	}
	for i := range maxProjects + 1 {
		tr.write(fmt.Sprint("w/app/", strings.Repeat("d/", i), ".policyctl/policy.yaml"), "version: 1\n")
	}
	if err := os.RemoveAll(filepath.Dir(tr.path(outerFile))); err != nil {
		t.Fatal(err)
	}
	for i, want := range map[int]bool{maxProjects - 1: false, maxProjects: true} {
		if p := Load(tr.Place, tr.path("w/app/"+strings.Repeat("d/", i))); errors.Is(p.Err, errBudget) != want {
			t.Errorf("%d files: %v", i+1, p.Err)
		}
	}
}
