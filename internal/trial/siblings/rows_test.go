package siblings_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/program"
)

// linesOfName is how many lines are tried for each name.
const linesOfName = 12

// namesApart is how many further names of rows are decided about otherwise than the first one.
// A row may have several programs that read their arguments alike: the figure may only
// be lowered, by rows that are parted, or by stages that ask the row instead of the name.
const namesApart = 131

// TestNames decides about the lines of the first name of each row under its other names.
func TestNames(t *testing.T) {
	engines, lines := newEngines(t), linesByName(bases(t))
	rows := program.All()
	apart := make([][]string, len(rows))
	each(len(rows), func(i int) {
		names := strings.Fields(rows[i].Names)
		for _, other := range names[1:] {
			for _, s := range lines[names[0]] {
				line, sibling := s.with(s.words), s.with(replaced(s.words, 0, other))
				if base, got := judge(&engines, line), judge(&engines, sibling); !alike(base, got) {
					apart[i] = append(apart[i], other+" of "+names[0]+": "+sibling)
					break
				}
			}
		}
	})
	all := slices.Concat(apart...)
	for i, a := range all {
		if i < shown {
			t.Log(a)
		}
	}
	if n := len(all); n > namesApart {
		t.Errorf("%d names are decided about otherwise than the first name of their row, %d before: there must not be more", n, namesApart)
	} else if n < namesApart {
		t.Errorf("%d names are decided about otherwise than the first name of their row, %d before: write the lower figure into namesApart", n, namesApart)
	}
}

// linesByName returns for each program the first lines that begin with its name.
func linesByName(all []string) map[string][]*site {
	out := map[string][]*site{}
	for _, line := range all {
		name, _, _ := strings.Cut(line, " ")
		if len(out[name]) >= linesOfName {
			continue
		}
		if s := sites(line); len(s) > 0 && s[0].before == "" && s[0].name == name {
			out[name] = append(out[name], s[0])
		}
	}
	return out
}

// alike reports whether decisions and stages are the same, and the rules of denials.
func alike(base, got rulings) bool {
	for k := range base {
		if base[k].stage != got[k].stage || equal.broken(base[k], got[k]) {
			return false
		}
	}
	return true
}
