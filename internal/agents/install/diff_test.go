package install

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestUnified(t *testing.T) {
	numbers := func(edit map[int]string) string {
		var b strings.Builder
		for i := range 20 {
			if s, ok := edit[i]; ok {
				b.WriteString(s)
				continue
			}
			b.WriteString("line " + string(rune('a'+i)) + "\n")
		}
		return b.String()
	}
	rows := []struct{ from, to, want string }{
		{"", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"a\n", "", "@@ -1,1 +0,0 @@\n-a\n"},
		{"a", "a\n", "@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		{"a\r\n", "b\r\n", "@@ -1,1 +1,1 @@\n-a\n+b\n"},
		{"a\n", "a\n", ""},
		{numbers(nil), numbers(map[int]string{4: "", 15: "x\ny\n"}),
			"@@ -2,7 +2,6 @@\n line b\n line c\n line d\n-line e\n line f\n line g\n line h\n" +
				"@@ -13,7 +12,8 @@\n line m\n line n\n line o\n-line p\n+x\n+y\n line q\n line r\n line s\n"},
		{numbers(nil), numbers(map[int]string{4: "", 9: ""}),
			"@@ -2,12 +2,10 @@\n line b\n line c\n line d\n-line e\n line f\n line g\n line h\n line i\n-line j\n line k\n line l\n line m\n"},
	}
	for _, row := range rows {
		if got := unified("a", "b", row.from, row.to); got != "--- a\n+++ b\n"+row.want {
			t.Errorf("%q to %q:\n%s", row.from, row.to, got)
		}
	}
}

// The lines that stay and go are the old text, those that stay and come the
// new one.
func TestCompare(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	text := func(n int) (out []string) {
		for range random.IntN(n) {
			out = append(out, string(rune('a'+random.IntN(3)))+"\n")
		}
		return out
	}
	for i := range 200 {
		from, to := text(30), text(30)
		if i == 0 { // too many for the table
			from, to = text(20000), text(20000)
		}
		var before, after strings.Builder
		for _, l := range compare(from, to) {
			if l.mark != '+' {
				before.WriteString(l.text)
			}
			if l.mark != '-' {
				after.WriteString(l.text)
			}
		}
		if before.String() != strings.Join(from, "") || after.String() != strings.Join(to, "") {
			t.Fatalf("%q to %q", from, to)
		}
	}
}
