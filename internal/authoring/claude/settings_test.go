package claude

import (
	"os"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// TestSettings imports the settings of testdata/settings.txt, and judges calls as their owners
// expect.
func TestSettings(t *testing.T) {
	data, err := os.ReadFile("testdata/settings.txt")
	if err != nil {
		t.Fatal(err)
	}
	var e *policy.Engine
	files, calls, ofFile, missed := 0, 0, 5, 0
	name := ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "":
			continue
		case line[0] == '#':
			name = line[2:]
			continue
		case line[0] == '{':
			if ofFile < 5 {
				t.Errorf("the file before %q has %d calls", name, ofFile)
			}
			p, err := Import(Source{Name: "settings.json", Data: []byte(line), Root: "/home/dev/shop"})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			e = engine(t, p)
			files, ofFile = files+1, 0
			continue
		}
		want, text, _ := strings.Cut(line, " ")
		calls, ofFile = calls+1, ofFile+1
		got := answer(t, e, text)
		if got != want && (want != "not" || got == "allow") {
			missed++
			t.Errorf("%s: %s: %s, want %s", name, text, got, want)
		}
	}
	t.Logf("%d files, %d calls, %d otherwise", files, calls, missed)
	if files < 40 {
		t.Errorf("%d files are fewer than there were", files)
	}
}
