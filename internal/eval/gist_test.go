package eval_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/eval"
)

// TestGist holds spellings of one line against each other, and each line
// against all others.
func TestGist(t *testing.T) {
	env := eval.Env{Dir: "/work", Home: "/home/dev"}
	lines := [][]string{
		{"make x", "make  x", " make x ", "make\tx", "make x\n", "\nmake x;", "make x # 1", "# one\nmake x # two\n# three", `make "x"`, `m\ake 'x'`, "make \\\n  x", "\\\nmake x"},
		{"make x; ls", "make x;ls", "make x\nls", "make x # 1; rm\nls", "make x ;\n\n ls;"},
		{"make x && ls", "make x&&ls", "make x && # 1\n ls", "make x &&\nls"},
		{"make x || ls"}, {"make x | ls", "make x |\n ls"}, {"make x & ls"}, {"make x ls"}, {"make 'x ls'"}, {"make 'x # 1'"}, {"make 'x # 2'"},
		{"make x#1"}, {"make $'x'"}, {"X='a b'; make $X"}, {`X='a b'; make "$X"`}, {"X=; make $X"}, {`X=; make "$X"`}, {"X='*'; make $X"}, {`X='*'; make "$X"`}, {"! make x"}, {"(make x)"}, {"time make x"},
		{"make x > f", "make x >f", "make x >'f'"}, {"make x >> f"}, {"make x 2> f"}, {"make x > g"}, {"> f make x"},
		{"A=1 make x"}, {"A=2 make x"}, {"make x A=1"}, {"env A=1 make x"},
		{"make *.go"}, {"make '*.go'", `make \*.go`}, {"make $A"}, {`make "$A"`}, {"make $B"}, {"make '$A'"},
		{"make $(cat f)"}, {"make $(cat  g)"}, {"make `cat f`"}, {"echo $(touch a; echo x)"}, {"echo $(touch b; echo x)"}, {"echo x"},
		{"cat <<E\na # 1\nE", "cat <<'E'\na # 1\nE\n", "cat <<X # 2\na # 1\nX"}, {"cat <<E\na # 2\nE"}, {"cat <<E\na  # 2\nE"}, {"cat <<E\n$a # 2\nE"}, {"cat <<E\n$a # 3\nE"},
		{"cat <<< a"}, {"cat <<< b"}, {"python3 -c 'x # 1'"}, {"python3 -c 'x # 2'"},
		{"for i in 1 2; do make $i; done", "for i in 1 2\ndo\tmake $i # 1\ndone"}, {"for i in 1 3; do make $i; done"}, {"for i in 1 2; do ls $i; done"}, {"for j in 1 2; do make $i; done"},
		{"case x in a) ls;; b) make;; esac"}, {"case x in b) ls;; a) make;; esac"}, {"case $(f) in a) ls;; esac"}, {"case $(g) in a) ls;; esac"},
		{"if make; then ls; fi", "if make # 1\nthen ls\nfi"}, {"if ! make; then ls; fi"}, {"if make; then :; else ls; fi"}, {"while make; do ls; done"}, {"until make; do ls; done"},
		{"f() { make x; }; f"}, {"f() { make x; }"}, {"f() { make y; }; f"}, {"[[ -f a ]] && ls"}, {"[[ -f b ]] && ls"}, {"[[ -f a ]] || ls"},
		{"((x++))"}, {"((x--))"}, {"((x = 16#ff))"}, {"((x = 16#fe))"}, {"a=(1 2)"}, {"a=(1 3)"}, {"export A=b"}, {"export A=c"}, {"{ make x; } > f"},
		{"sh -c 'make  x'"}, {"sh -c 'make x'", `sh -c "make x"`}, {"echo x | sh"}, {"echo y | sh"}, {"cat < <(ls a)"}, {"cat < <(ls b)"},
		{"coproc make x"}, {"X=1; make $X"}, {"X=2; make $X"}, {"trap 'rm a' EXIT; ls"}, {"trap 'rm b' EXIT; ls"}, {"let x=1"}, {"select x in a b; do ls; done"}, {"select x in a c; do ls; done"},
		{"alias m=make; m"}, {"alias m=ls; m"}, {"cd a && make"}, {"cd b && make"}, {"make 'a' 'b'", "make a b"}, {"make 'a b'"}, {"make a ''"}, {"make a", "make a''"}, {"declare -a x=(1)"}, {"declare -a x=(2)"},
	}
	of := make(map[string]int)
	for i, same := range lines {
		for _, line := range same {
			read := eval.Read(line, env)
			gist := string(read.Gist())
			if other, ok := of[gist]; ok && other != i {
				t.Errorf("%q has the gist of %q: %q", line, lines[other][0], gist)
			}
			if first := eval.Read(same[0], env).Gist(); string(first) != gist {
				t.Errorf("%q and %q differ: %q, %q", same[0], line, first, gist)
			}
			of[gist] = i
		}
	}
	for _, line := range []string{"", " ", "make 'x", "# only a comment"} {
		if got := eval.Read(line, env).Gist(); string(got) != line {
			t.Errorf("%q: %q, want it as it is", line, got)
		}
	}
}

// TestGistInTime has long lines take no more time than their length.
func TestGistInTime(t *testing.T) {
	for _, line := range []string{strings.Repeat("a b;", 10_000), strings.Repeat("a '#' #\n", 5_000), "a " + strings.Repeat("\\\n", 20_000) + "b", strings.Repeat("(", 50) + strings.Repeat("$x ", 9_000) + strings.Repeat(")", 50)} {
		read := eval.Read(line, eval.Env{Dir: "/work", Home: "/home/dev"})
		begin := time.Now()
		read.Gist()
		if took := time.Since(begin); took > time.Second {
			t.Errorf("%d bytes %.20q take %v", len(line), line, took)
		}
	}
}

func FuzzGist(f *testing.F) {
	for _, line := range []string{"make 'x' # 1", "cat <<E\n$x # 1\nE", "a && (b; c) | d > 'f g'"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		read := eval.Read(line, eval.Env{Dir: "/work", Home: "/home/dev"})
		gist := read.Gist()
		if read.Problem == nil && len(read.Commands) > 0 && read.Divergence == nil {
			if more := eval.Read(line+" ", eval.Env{Dir: "/work", Home: "/home/dev"}); more.Problem == nil && more.Divergence == nil && !strings.HasSuffix(line, "\\") && !slices.Equal(more.Gist(), gist) && !strings.Contains(line, "<<") {
				t.Errorf("a blank behind %q is another line", line)
			}
		}
	})
}
