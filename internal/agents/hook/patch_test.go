package hook

import (
	"strings"
	"testing"
)

func TestPatch(t *testing.T) {
	rows := []struct{ want, patch string }{
		{"a", "*** Update File: a|@@|-x|+y"},
		{"a", "*** Update File: a|@@ func f|@@ deeper| x|-x|+y||*** End of File"},
		{"a", "*** Update File: a\r|@@\r|-x\r|+y\r"},
		{"a b", "*** Update File: a|*** Move to: b|@@|-x|+y"},
		{"a b c", "*** Add File: a|+x|+|+*** Add File: no|*** Delete File: b|*** Update File: c|-x"},
		{"a", "*** Update File: a| *** Add File: no|-*** Delete File: no|+*** Add File: no"},
		{"dir/with blank", "*** Delete File: dir/with blank"},
		{"error", ""},
		{"error", "*** Delete File: a| *** Add File: b|+x"},
		{"error", "*** Delete File: a|\u00a0*** Add File: b|+x"},
		{"error", "*** Delete File: a|\t*** Delete File: b"},
		{"error", "*** Add File: a|+x| *** Delete File: b"},
		{"error", "*** Add File: a|+x|*** add File: b|+x"},
		{"error", "*** Add File: a|+x|*** Add File:b|+x"},
		{"error", "*** Add File: a|+x|***  Add File: b|+x"},
		{"error", "*** Add File: a|-x"},
		{"error", "*** Add File: a||+x"},
		{"error", "*** Delete File: a|+x"},
		{"error", "*** Update File: a|*** Delete File : b"},
		{"error", "*** Update File: a|@@|*** Move to: b"},
		{"error", "*** Add File: a|*** Move to: b"},
		{"error", "*** Move to: b"},
		{"error", "*** Environment ID: x|*** Add File: a|+x"},
		{"error", "*** Add File: |+x"},
		{"error", "*** Add File:  a|+x"},
		{"error", "*** Add File: a |+x"},
		{"error", "*** Add File: a\u2003|+x"},
		{"error", "*** Add File: a\tb|+x"},
		{"error", "*** Add File: a\x00b|+x"},
		{"error", "*** Add File: a\rb|+x"},
		{"error", "stray|*** Add File: a|+x"},
		{"error", "*** End Patch|*** Begin Patch|*** Delete File: a"},
	}
	for _, r := range rows {
		text := "*** Begin Patch\n" + strings.ReplaceAll(r.patch, "|", "\n") + "\n*** End Patch"
		paths, err := patchPaths(text)
		got := strings.Join(paths, " ")
		if err != nil {
			got = "error"
		}
		if got != r.want {
			t.Errorf("%q: got %q, want %q (%v)", r.patch, got, r.want, err)
		}
	}
}

func TestPatchBounds(t *testing.T) {
	body := "*** Delete File: a\n"
	for text, ok := range map[string]bool{
		"*** Begin Patch\n" + body + "*** End Patch":                 true,
		"*** Begin Patch\n" + body + "*** End Patch\n":               true,
		"*** Begin Patch\r\n*** Delete File: a\r\n*** End Patch\r\n": true,
		body:              false,
		"":                false,
		"*** Begin Patch": false,
		"*** End Patch":   false,
		" *** Begin Patch\n" + body + "*** End Patch":                false,
		"*** Begin Patch\n" + body + "*** End Patch\n" + body:        false,
		"*** Begin Patch\n" + body + "*** End Patch \n":              false,
		"<<'EOF'\n*** Begin Patch\n" + body + "*** End Patch\nEOF\n": false,
		"*** Begin Patch\n*** End Patch\n" + body + "*** End Patch":  false,
	} {
		if _, err := patchPaths(text); (err == nil) != ok {
			t.Errorf("%q: got %v", text, err)
		}
	}
}
