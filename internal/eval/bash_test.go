package eval

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/trial/seed"
)

// bash returns the path of bash; it is a failure if CI has none.
func bash(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("bash")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("there is no bash")
	}
	return path
}

// runBash runs a script in an empty directory with a clean environment.
func runBash(t *testing.T, script string) []byte {
	t.Helper()
	cmd := exec.Command(bash(t), "--norc", "--noprofile", "-s")
	cmd.Stdin = strings.NewReader(script)
	cmd.Dir = t.TempDir()
	cmd.Env = []string{"HOME=/home/dev", "PATH=/nonexistent", "LC_ALL=C.UTF-8"}
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("bash: %v", err)
	}
	return out
}

// bindings are what the words of TestBash are expanded under. They bind no U.
var bindings = []string{
	`X='a b'; Y=abcabc; Z=-; E=''; G='*x'; P=Y; S=' a '; A=(a 'b c' d); set -- p 'q r';`,
	`X=abc Y=a/b/c.d.e Z=1 E= G='a?[b]' P=X S='x:y'; A=(1 2); set --; IFS=:;`,
	`X="a  b" Y=ABCaBC Z=10 E= G='\a' P=Z S=,a,,b,; A=(); set -- '' x; IFS=,;`,
}

// TestBash compares the words that random expansions become with those that
// bash makes of them. Words are expansions only: they run nothing.
func TestBash(t *testing.T) {
	seed.Slow(t)
	seed := uint64(1) // SEED tries others
	if s := os.Getenv("SEED"); s != "" {
		var err error
		if seed, err = strconv.ParseUint(s, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("seed %d", seed)
	testBash(t, rand.New(rand.NewPCG(seed, 1)), 3000)
}

func testBash(t *testing.T, r *rand.Rand, n int) {
	var lines []string
	var script strings.Builder
	script.WriteString("set -f\np() { builtin printf '%s\\0' \"$#\" \"$@\"; }\n")
	for len(lines) < n {
		bind, word := bindings[r.IntN(len(bindings))], randomWord(r, 3)
		lines = append(lines, bind+" p "+word)
		fmt.Fprintf(&script, "(eval %s) 2>&- || builtin printf 'error\\0'\nbuiltin printf 'end\\0\\n'\n", singleQuoted(lines[len(lines)-1]))
	}
	answers := bytes.Split(runBash(t, script.String()), []byte("end\x00\n"))
	if len(answers) != n+1 {
		t.Fatalf("bash answered %d of %d words", len(answers)-1, n)
	}
	compared := 0
	for i, line := range lines {
		fields := strings.Split(string(answers[i]), "\x00")
		fields = fields[:len(fields)-1]
		if len(fields) == 0 || fields[len(fields)-1] == "error" {
			continue
		}
		compared++
		if why := disagrees(Read(line, testEnv), fields[1:]); why != "" {
			t.Errorf("%s\nbash %q\nours %s", line, fields[1:], why)
		}
	}
	if compared < n/2 {
		t.Errorf("only %d of %d words could be compared", compared, n)
	}
}

func singleQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// disagrees says how the words of p differ from those of bash, "" if one of
// the readings has them.
func disagrees(l *Line, words []string) string {
	if l.Problem != nil {
		return "problem: " + l.Problem.Why
	}
	for i := range l.Commands {
		c := &l.Commands[i]
		if c.Path == "p" && covers(c.Words[1:], words) {
			return ""
		}
	}
	return render(l)
}

// covers reports whether a command's words may be the given ones. Patterns match
// no file where the test runs, so that they stay as they are.
func covers(have []shell.Word, want []string) bool {
	if len(have) == 0 {
		return len(want) == 0
	}
	w := have[0]
	if w.Many && (!w.Glob || w.Open) {
		for n := range len(want) + 1 {
			if covers(have[1:], want[n:]) {
				return true
			}
		}
		return false
	}
	return len(want) > 0 && mayBe(w.Set, want[0]) && covers(have[1:], want[1:])
}

func mayBe(s shell.Set, v string) bool {
	if s.Open && strings.HasPrefix(v, s.Prefix) && (!s.Number || shell.IsNumber(v)) {
		return true
	}
	for _, have := range s.Values {
		if have == v || s.Glob && shell.UnescapePattern(have) == v {
			return true
		}
	}
	return false
}

// randomWord returns a word of the shell that expands and runs nothing.
func randomWord(r *rand.Rand, depth int) string {
	var b strings.Builder
	if r.IntN(8) == 0 {
		b.WriteString(pick(r, "~/", "~/a", "~root/", "~/{a,b}"))
	}
	for range 1 + r.IntN(3) {
		b.WriteString(randomPart(r, depth, false))
	}
	return b.String()
}

func pick(r *rand.Rand, of ...string) string { return of[r.IntN(len(of))] }

func randomPart(r *rand.Rand, depth int, quoted bool) string {
	if depth == 0 {
		return randomLiteral(r, quoted)
	}
	switch n := r.IntN(10); {
	case n < 3:
		return randomLiteral(r, quoted)
	case n == 3 && !quoted:
		return pick(r, `'a b'`, `''`, `'\a"$X'`, `'*'`, `'~'`, `'{a,b}'`)
	case n == 4 && !quoted:
		return `$'` + pick(r, `a\tb`, `\x41\101`, `\'`, `\u00e9`, `a\0b`, `\q`, `\cA`, `\e[`, `\x`, `\1234`) + `'`
	case n == 5 && !quoted:
		return randomBraces(r)
	case n == 6 && !quoted:
		return pick(r, `"`, `$"`) + randomPart(r, depth-1, true) + randomPart(r, depth-1, true) + `"`
	case n == 7:
		return "$((" + pick(r, "1+2", "7%4", "-3", "2*(3+4)", "0x10", "010", "1?2:3", "1,2", "2**3") + "))"
	}
	return randomParam(r, depth-1, quoted)
}

func randomLiteral(r *rand.Rand, quoted bool) string {
	if quoted {
		return pick(r, "a", "b c", "/", `\"`, `\$`, `\\`, `\a`, "*", "~", "{a,b}", "'", "#", "")
	}
	return pick(r, "a", "b", "/", ".", "-", "=", ":", ",", "x=~", `\ `, `\*`, `\$`, `\\`, `\{`, `\~`, "*", "?", "[ab]", "[", "]", "{}", "}", "!", "@", "%", "^", "+", "é")
}

func randomBraces(r *rand.Rand) string {
	switch r.IntN(6) {
	case 0:
		return pick(r, "{1..3}", "{3..1}", "{a..c}", "{1..7..3}", "{01..3}", "{-1..1}", "{a..e..2}", "{1..a}", "{c..a}", "{1..3..0}")
	case 1:
		return pick(r, "{a}", "{,}", "{a,", ",b}", "{a,b}c{d,e}", "{{a,b},c}", "{a,{b,c}d}", "{a\\,b,c}", `{"a,b",c}`, "{a..}", "{..b}", "${X}{,x}", "{x,y}${Y}")
	}
	parts := make([]string, 2+r.IntN(2))
	for i := range parts {
		parts[i] = pick(r, "a", "''", `"b c"`, `"$X"`, "${Y}", "$Z", `\,`, "*", "", "$((1+2))", "{x,y}")
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func randomParam(r *rand.Rand, depth int, quoted bool) string {
	name := pick(r, "X", "Y", "Z", "E", "G", "S", "U", "P", "1", "2", "3", "HOME", "A")
	arg := randomPart(r, min(depth, 1), quoted)
	switch r.IntN(9) {
	case 0:
		return "$" + name
	case 1:
		return "${" + name + "}"
	case 2:
		return "${" + name + pick(r, ":-", "-", ":+", "+") + arg + "}"
	case 3:
		return "${" + pick(r, "X", "E", "U") + pick(r, ":=", "=") + arg + "}"
	case 4:
		return "${" + name + pick(r, "#", "##", "%", "%%") + pick(r, "a", "*", "*/", "?", "[ab]", "*.", ".*", " *", "ab", "'*'", "$Z") + "}"
	case 5:
		return "${" + name + pick(r, "/", "//", "/#", "/%") + pick(r, "a/x", "b", "a", "?/y", "*/", "[a-b]/-", "c/$Z", "' '/_") + "}"
	case 6:
		return "${" + name + pick(r, "^", "^^", ",", ",,", ":1", ":1:1", ":0:2", ": -1", ":2", "^^[ab]", ",,A") + "}"
	case 7:
		return pick(r, "${#X}", "${!P}", "${#A[@]}", "${A[1]}", "${A[@]}", "${A[*]}", "$#", "${#}", "${A[0]}", "${A[@]:1}", "${#1}", "${A[@]#a}", "${A}", "${@:1}", "${!A[@]}")
	}
	return pick(r, "$@", "$*", "${@}", "${@:-x}", "${*}", "${X:?}", "${A[@]:-z}", "${@#p}")
}
