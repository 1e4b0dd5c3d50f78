package eval

import (
	"testing"
)

// TestBracedDollar shows that a dollar which braces put before a name is not
// taken for text: bash expands it.
func TestBracedDollar(t *testing.T) {
	for line, reads := range map[string]bool{
		"rm -rf {$,}HOME": false, "ls {,$}!}": false, "ls {a,{b,c$}}HOME": false,
		"ls {a,b}$": true, `ls {a,"$"}`: true, "ls {a,$x}": true, "ls a$ {b,c}": true,
	} {
		if p := Read(line, testEnv).Problem; (p == nil) != reads {
			t.Errorf("%q: problem %v, want one: %v", line, p, !reads)
		}
	}
}
