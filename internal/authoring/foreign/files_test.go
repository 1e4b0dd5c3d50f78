package foreign

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// TestFiles imports the files of testdata/*.txt, and judges calls as their owners
// expect. In each, a line "## TITLE" and a line "= NAME" begin a file; what follows
// up to a line "--" is its text, and the lines behind that are calls, with what
// the owner expects: allow, ask or deny, and not for what is not allowed.
func TestFiles(t *testing.T) {
	for _, a := range Agents {
		if a.Name == "claude" {
			continue // its files are in the package that reads them
		}
		t.Run(a.Name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("testdata", a.Name+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			files, calls := 0, 0
			for _, block := range strings.Split("\n"+string(data), "\n## ")[1:] {
				files++
				calls += tryFile(t, a.Name, block)
			}
			t.Logf("%d files, %d calls", files, calls)
			if files < 25 || calls < 5*files {
				t.Errorf("%d files with %d calls are fewer than there were", files, calls)
			}
		})
	}
}

// tryFile imports one file and judges its calls, and returns how many there are.
func tryFile(t *testing.T, agent, block string) (calls int) {
	t.Helper()
	title, rest, _ := strings.Cut(block, "\n")
	name, rest, _ := strings.Cut(strings.TrimPrefix(rest, "= "), "\n")
	text, tail, ok := strings.Cut(rest, "\n--\n")
	if !ok {
		t.Fatalf("%s: no line -- behind the file", title)
	}
	p := read(t, agent, name, text)
	var e *policy.Engine = engine(t, p.YAML())
	for line := range strings.Lines(tail) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		want, call, _ := strings.Cut(line, " ")
		if want == "note" {
			if !strings.Contains(notesOf(p.Notes), call) {
				t.Errorf("%s: no note has %q:\n%s", title, call, notesOf(p.Notes))
			}
			continue
		}
		calls++
		if got := answer(t, e, call); got != want && (want != "not" || got == "allow") {
			t.Errorf("%s: %s: %s, want %s\n%s", title, call, got, want, p.YAML())
		}
	}
	return calls
}
