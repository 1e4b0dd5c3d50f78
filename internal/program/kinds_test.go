package program_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/program"
)

// TestKinds holds the kinds of all rows against the list in kinds.go: each stands there,
// and there is none that no row has.
func TestKinds(t *testing.T) {
	data, err := os.ReadFile("kinds.go")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(data), "// These are the kinds:\n//\n")
	list, _, _ = strings.Cut(list, "\n\n")
	left := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^//\t([\w-]+)`).FindAllStringSubmatch(list, -1) {
		left[m[1]] = true
	}
	left["deletes1"], left["deletes2"] = true, true // so deletes1 and deletes2
	known := len(left)
	found := map[string]bool{}
	var visit func(p *program.Program)
	visit = func(p *program.Program) {
		for entry := range strings.FieldsSeq(p.Kinds) {
			head, _, _ := strings.Cut(entry, "?")
			head, _, _ = strings.Cut(head, "=")
			at := strings.LastIndexByte(head, ':')
			for name := range strings.SplitSeq(head[:max(at, 0)], ",") {
				if at > 0 && !p.HasName(name) {
					t.Errorf("%s: %q names %q, which is no name of the row", p.Names, entry, name)
				}
			}
			kind := head[at+1:]
			if !left[kind] {
				t.Errorf("%s: the kind %q is not in kinds.go", p.Names, kind)
			}
			found[kind] = true
		}
		for _, s := range slices.Concat(p.Subs, p.Verbs) {
			visit(s)
		}
	}
	for _, p := range program.All() {
		visit(p)
	}
	for kind := range left {
		if !found[kind] {
			t.Errorf("no row has the kind %q", kind)
		}
	}
	if known < 100 {
		t.Errorf("%d kinds were found in kinds.go", known)
	}
}
