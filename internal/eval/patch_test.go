package eval_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/policyctl/policyctl/internal/command"
)

func TestPatchPaths(t *testing.T) {
	for _, row := range []struct {
		patch string
		want  []string
	}{
		{"*** Begin Patch\n*** Add File: a\n *** Update File: b \n*** Move to: c\n*** Delete File: d\n*** End Patch", []string{"a", "b", "c", "d"}},
		{"--- a/x\t2026-01-01\n+++ b/y\n", []string{"x", "y"}},
		{"--- /dev/null\n+++ b/y\n", []string{"y"}},
		{"--- \"a/\\303\\244\"\n+++ \"b/\\\"q\\\"\"\n", []string{"ä", `"q"`}},
		{"--- \"a/x\n", []string{`"a/x`}},
		{"diff --git a/x b/y z\nrename from x\nrename to y z\n", []string{"x", "y z", "x", "y z"}},
		{"diff --git \"a/x\" \"b/y\"\n", []string{"x", "y"}},
		{"diff --git a/x \"b/y\"\n", []string{"x", "y"}},
		{"diff --git x y\n", []string{"x", "y"}},
		{"Index: x\n", []string{"x"}},
		{"@@ -1 +1 @@\n-a\n+*** Add File: b\n", nil},
	} {
		if d := cmp.Diff(row.want, command.PatchPaths(row.patch)); d != "" {
			t.Errorf("%q: %s", row.patch, d)
		}
	}
}

func TestOddPatch(t *testing.T) {
	for patch, want := range map[string]bool{
		"*** Begin Patch\n*** Add File: a\n+*** x\n*** End Patch":                                   false,
		"*** Begin Patch\r\n*** Update File: a\r\n@@\r\n *** x\r\n*** End of File\r\n*** End Patch": false,
		"*** Begin Patch\n*** Delete File: a\n*** Move to: b\n*** End Patch":                        false,
		"*** Begin Patch\n*** Environment ID: x\n*** End Patch":                                     true,
		"*** Begin Patch\n***  Add File: a\n*** End Patch":                                          true,
		"*** Begin Patch\n*** Add File:a\n*** End Patch":                                            true,
		"*** Begin Patch\n*** Add File: \n*** End Patch":                                            true,
		"*** Begin Patch x\n*** End Patch":                                                          true,
	} {
		if got := command.OddPatch(patch); got != want {
			t.Errorf("%q: got %t", patch, got)
		}
	}
}

func TestRemovedPaths(t *testing.T) {
	patch := "*** Begin Patch\n*** Add File: a\n+x\n  *** Delete File: b \n*** Update File: c\n\t*** Move to: d\n*** End Patch"
	if got := strings.Join(command.RemovedPaths(patch), " "); got != "b" {
		t.Errorf("removed: %s", got)
	}
	if got := strings.Join(command.MovedPaths(patch), " "); got != "d" {
		t.Errorf("moved: %s", got)
	}
}
