package redact

import (
	"strings"
	"testing"
)

// texts are those of the corpora and the bounds, without the marks of what is secret.
func texts(t testing.TB) (list []string) {
	for _, name := range []string{"secrets.txt", "lookalikes.txt"} {
		for _, line := range corpus(t, name) {
			if _, text, ok := strings.Cut(line, " · "); ok && name == "secrets.txt" {
				line = text
			}
			list = append(list, strings.NewReplacer("«", "", "»", "").Replace(line))
		}
	}
	for _, row := range bounds {
		list = append(list, strings.NewReplacer("«", "", "»", "").Replace(fill(row.text)))
	}
	return list
}

// A text may begin and end anywhere: nothing is left to find in what is left of it.
func TestCutAnywhere(t *testing.T) {
	for _, text := range texts(t) {
		for cut := range text {
			for _, part := range []string{text[:cut], text[cut:]} {
				once, _ := Text(part)
				if twice, found := Text(once); len(found) > 0 {
					t.Fatalf("Text(%q)\n = %q\nthen %q", part, once, twice)
				}
			}
		}
	}
}

// The lines around a text change nothing of it.
func TestLinesAround(t *testing.T) {
	for _, text := range texts(t) {
		alone, _ := Text(text)
		for _, around := range [][2]string{{"a b\n", "\na b"}, {"", "\n"}, {"\n\n", ""}} {
			if got, _ := Text(around[0] + text + around[1]); got != around[0]+alone+around[1] {
				t.Errorf("%q between %q and %q\n = %q\nalone %q", text, around[0], around[1], got, alone)
			}
		}
	}
}
