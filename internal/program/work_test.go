package program_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/program"
)

// TestWorks checks the notation of the rows, of which a mistake would let an option
// through or keep one out.
func TestWorks(t *testing.T) {
	for _, w := range program.Works() {
		where := w.Names + " " + w.Verbs
		seen := map[string]bool{}
		for field := range strings.FieldsSeq(w.Options) {
			end := strings.IndexAny(field[1:], "=?") + 1
			kind := ""
			if end == 0 {
				end = len(field)
			} else {
				kind = field[end+1:]
			}
			if strings.ContainsAny(kind, ",? ") || strings.Contains(kind, "=") && !strings.Contains(kind, "|") {
				t.Errorf("%s: the kind %q of %s is unknown", where, kind, field)
			}
			for name := range strings.SplitSeq(field[:end], ",") {
				if name == "" || seen[name] {
					t.Errorf("%s: %q stands there twice, or is empty", where, name)
				}
				seen[name] = true
			}
		}
		if w.Verbs != "" && w.Others != "" {
			t.Errorf("%s: with sub-commands of its own the row needs none of others", where)
		}
		for _, name := range strings.Fields(w.Names) {
			if !slices.Contains(program.WorksOf(name), w) {
				t.Errorf("%s is not found", name)
			}
		}
	}
}

// TestWorkOption shows how options and sub-commands are found.
func TestWorkOption(t *testing.T) {
	w := &program.Work{Verbs: "build,mod tidy,", Options: "c,config=in o=out watch? quiet x:y? mode=a|b -DX?out"}
	for name, want := range map[string]string{"c": "in", "config": "in", "o": "out", "watch": "", "quiet": "", "no-watch": "", "no-quiet": "", "x:y": "", "mode": "a|b", "-DX": "out"} {
		if o, ok := w.Option(name); !ok || o.Kind != want {
			t.Errorf("%s: %v %v", name, o, ok)
		}
	}
	for _, name := range []string{"conf", "con", "C", "no-config", "no-", "", "wat", "DX", "quiet=", "a|b"} {
		if o, ok := w.Option(name); ok {
			t.Errorf("%s: %v", name, o)
		}
	}
	if _, ok := (&program.Work{Single: true, Options: "quiet"}).Option("no-quiet"); ok {
		t.Error("an option with one dash is not negated")
	}
	for words, want := range map[string]int{"build": 1, "build x": 1, "mod tidy": 2, "": 0} {
		if n, ok := w.HasVerb(strings.Fields(words)); !ok || n != want {
			t.Errorf("%s: %d %v", words, n, ok)
		}
	}
	for _, words := range []string{"mod", "tidy", "x", "install build"} {
		if n, ok := w.HasVerb(strings.Fields(words)); ok {
			t.Errorf("%s: %d", words, n)
		}
	}
}
