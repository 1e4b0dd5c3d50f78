package foreign_test

import (
	"os"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/authoring/foreign"
)

// TestPage shows that the page about imports says what the table of agents says.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/import.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range foreign.Agents {
		if !strings.Contains(string(page), "\n"+a.Row()+"\n") {
			t.Errorf("missing:\n%s", a.Row())
		}
		if written := "`" + a.Name + "` | " + a.Written + " |"; !strings.Contains(string(page), written) {
			t.Errorf("missing: | %s", written)
		}
	}
}
