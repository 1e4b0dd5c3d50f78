package eval

import (
	"testing"
)

// TestReprinted shows which here-documents in a substitution bash 5.2 would
// print otherwise than they are written.
func TestReprinted(t *testing.T) {
	zsh := testEnv
	zsh.Shell = "zsh"
	for _, c := range []struct {
		reads bool
		line  string
	}{
		{false, "x=$(cat <<E\nE\nuniq a; b)"},
		{false, "x=$(cat <<E\nE\nrm -rf; /)"},
		{false, "echo \"$(cat <<-E; uniq a; b\nE\n)\""},
		{false, "echo $(true; cat <<E && uniq a; b\nE\n)"},
		{false, "cat <(cat <<E\nE\nuniq a & b)"},
		{false, "echo ${x:-$(cat <<E\nE\nuniq a; b)}"},
		{false, "x=$(cat <<E\nE\nif true; then uniq a; b; fi)"},
		{false, "x=$( (cat <<E\nE\n); ls; pwd)"},
		{false, "x=$(while cat <<E\nE\ndo ls\ndone)"},
		{false, "x=$({ if cat <<E\nE\nthen ls\npwd\nfi\n}\n)"},
		{false, "x=$(ls; y=$(cat <<E\nE\nuniq a; b))"},
		{true, "git commit -m \"$(cat <<'EOF'\nfix; all of it\nEOF\n)\"; ls"},
		{true, "x=$(ls; pwd; cat <<E\nE\n); ls"},
		{true, "x=$(cat <<E | sort && ls\nE\nls\npwd\n)"},
		{true, "x=$(if ls; then pwd; fi; cat <<E\nE\n)"},
		{true, "x=$({ cat <<E\nE\nls\npwd\n}\n(cat <<E\nE\n)\nls\n)"},
		{true, "x=$(for a in b\ndo cat <<E\nE\nls\ndone)"},
		{true, "x=$(cat <<<a; ls)"},
		{true, "x=`cat <<E\nE\nls; pwd`"},
		{true, "x=$(y=$(cat <<E\nE\n); ls; pwd)"},
		{true, "(cat <<E\nE\nls; pwd)"},
	} {
		if l := Read(c.line, testEnv); (l.Problem == nil) != c.reads {
			t.Errorf("%q: problem %v, want one: %v", c.line, l.Problem, !c.reads)
		}
		if l := Read(c.line, zsh); l.Problem != nil {
			t.Errorf("%q in zsh: %s", c.line, l.Problem.Why)
		}
	}
}
