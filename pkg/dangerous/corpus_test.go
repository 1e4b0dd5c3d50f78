package dangerous_test

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestCorpus checks that the rule that the id of a line in testdata/dangers.txt
// bears matches it, and that none matches a look-alike.
func TestCorpus(t *testing.T) {
	b, err := os.ReadFile("../../testdata/dangers.txt")
	if err != nil {
		t.Fatal(err)
	}
	dangers, tame := 0, 0
	for line := range strings.Lines(string(b)) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), " · ", 4)
		if len(parts) != 4 || strings.HasPrefix(line, "#") {
			continue
		}
		got := found(scene(parts[3]))
		id := parts[0][:strings.LastIndexByte(parts[0], '-')]
		if strings.HasPrefix(id, "tame-") {
			if tame++; len(got) > 0 {
				t.Errorf("%s has %v: %s", parts[0], got, parts[3])
			}
			continue
		}
		if dangers++; !slices.Contains(got, id) {
			t.Errorf("%s has %v: %s", parts[0], got, parts[3])
		}
	}
	if dangers < 500 || tame < 300 {
		t.Errorf("the corpus has %d dangers and %d look-alikes", dangers, tame)
	}
}
