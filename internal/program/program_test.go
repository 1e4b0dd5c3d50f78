package program

import (
	"slices"
	"strings"
	"testing"
)

// TestOnce shows that each option of a row is typed once: among those with which
// the program only reads, or among the others.
func TestOnce(t *testing.T) {
	var check func(path string, list []*Program)
	check = func(path string, list []*Program) {
		for _, p := range list {
			name := path + strings.Fields(p.Names)[0]
			if p.Reads != nil {
				var reads []string
				for f := range strings.FieldsSeq(p.Reads.Options) {
					reads = append(reads, compileOption(f).Names...)
				}
				for f := range strings.FieldsSeq(p.Options) {
					for _, n := range compileOption(f).Names {
						if slices.Contains(reads, n) {
							t.Errorf("%s: %s stands in both lists", name, n)
						}
					}
				}
			}
			check(name+" ", p.Subs)
		}
	}
	check("", programs)
}

// TestNames shows that no name stands in two rows: the first would be lost.
func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for name := range strings.FieldsSeq(Names(func(*Program) bool { return true })) {
		if seen[name] {
			t.Errorf("%s stands in two rows", name)
		}
		seen[name] = true
	}
}

func TestUsual(t *testing.T) {
	for name, want := range map[string]string{
		"grm": "rm", "gtruncate": "truncate", "gdd": "dd", "gtimeout": "timeout", "genv": "env",
		"gls": "ls", "gfind": "find", "gsort": "sort", "gzip": "gzip", "git": "git", "gps": "gps", "gw": "gw", "gcc": "gcc", "g": "g", "": "", "rm": "rm",
	} {
		if got := Usual(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
