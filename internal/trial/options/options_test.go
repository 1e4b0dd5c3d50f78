package options_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/program"
)

// TestOptions compares the options of the table with what others know of them, where OPTIONS is
// set: it needs fish and man, and the manual pages of the programs.
//
//	OPTIONS=1 go test ./internal/trial/options -v
func TestOptions(t *testing.T) {
	if os.Getenv("OPTIONS") == "" {
		t.Skip("OPTIONS is not set")
	}
	claims := append(fish(t), manuals()...)
	var kinds [different + 1]int
	rows, agreed, found := map[*program.Program]bool{}, map[string]bool{}, map[string]string{}
	missing := map[string][]string{}
	for i := range claims {
		c := &claims[i]
		p := c.row()
		if p == nil {
			continue
		}
		rows[p] = true
		got := c.compare(p)
		kinds[got]++
		switch {
		case got == unknown:
			missing[c.program] = append(missing[c.program], strings.TrimSpace(c.sub+" "+c.names[0]))
		case got == same && !c.silent:
			agreed[c.by+c.key()] = true
		case got == different:
			found[c.key()] = c.by + " says that it takes " + [...]string{"nothing", "an argument", "an optional argument that is attached"}[c.takes]
		}
	}
	maps.DeleteFunc(found, func(key, what string) bool { // of a page that says both, one is about something else
		by, _, _ := strings.Cut(what, " says")
		return agreed[by+key]
	})
	differences := len(found)
	for _, d := range defended {
		for key := range strings.SplitSeq(d.keys, ", ") {
			if found[key] == "" {
				t.Logf("%s is in the list of reasons, and nobody says otherwise here", key)
			}
			delete(found, key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(found)) {
		t.Errorf("%s: %s", key, found[key])
	}
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		t.Logf("%s does not know %s", name, strings.Join(missing[name], ", "))
	}
	t.Logf("%d rows, %d options: %d alike, %d unknown to the row, %d differences, of which %d are in the list of reasons",
		len(rows), kinds[same]+kinds[different]+kinds[unknown], kinds[same], kinds[unknown], differences, differences-len(found))
}
