package eval

import (
	"os/exec"
	"strings"
	"testing"
)

// outputs are lines whose output is known from the line alone; they only print
// and filter text.
var outputs = []string{
	"echo a", "echo a b", "echo -n a", "echo -e 'a\\tb'", "echo -ne '\\x41'", "echo -E 'a\\tb'", "echo -nn a", "echo -x a", "echo - a", "echo -- a", "echo ''", "echo", "echo -e 'a\\0b'", "echo -e 'a\\cb'", "echo -e '\\0101'", "echo -e '\\101'", "echo -e '\\u00e9'", "echo -en", "echo 'a\nb'", "echo $'a\\nb'",
	"printf a", "printf 'a\\n'", "printf '%s\\n' a b", "printf '%s-%s.' a b c", "printf '%%'", "printf '%d' 7", "printf '%i' -7", "printf '%d' 010", "printf '%d' \"'A\"", "printf '%b' 'a\\tb'", "printf '%b' 'a\\cb' c", "printf '%c%c' ab cd", "printf '%s'", "printf '%s %s' a", "printf -- '-%s' a", "printf 'x%5sx' a", "printf '%.1s' abc", "printf '%q' 'a b'", "printf '%x' 255", "printf '\\101\\x41\\u0041'", "printf '\\0101'", "printf 'a\\cb'", "printf '%s' 'a\\tb'", "printf a b", "printf '%-5sx' a", "printf '%*d' 3 7", "printf '%s' '%s'", "printf '\\'", "printf '\\q'", "printf '%'",
	"echo YQ== | base64 -d", "echo YWI | base64 -d 2>&-", "echo YQ== | base64 --decode", "echo a | base64", "printf a | base64", "echo 'YQ\n==' | base64 -d", "echo '?' | base64 -d 2>&-", "echo YQ==YQ== | base64 -d 2>&-", "echo 'Y Q==' | base64 -di", "printf %0100d 1 | base64",
	"echo abc | rev", "printf abc | rev", "printf 'ab\\ncd\\n' | rev", "echo héé | rev",
	"echo abc | tr a-c x-z", "echo abc | tr abc x", "echo abc | tr -d b", "echo aabb | tr -s a", "echo abc | tr a-b '\\n'", "echo abc | tr '[a-z]' '[A-Z]'", "echo abc | tr '[:lower:]' '[:upper:]'", "echo abc | tr -c a x", "echo a-c | tr a-c x", "echo aab | tr aa xy", "echo abc | tr c-a x 2>&-", "echo 'a-b' | tr -- - _", "echo abc | tr -d a-b", "echo abc | tr -ds a b", "echo abcd | tr ab-d x-z", "echo 'a\\b' | tr '\\\\' /", "echo abc | tr '\\141' x",
	"echo a | cat", "echo a | cat -", "echo a | cat | cat", "cat <<< a", "base64 <<< a", "cat <<< 'a b'", "echo a b c | wc -w", "echo a | tee", "echo a | tee /dev/null", "echo a | cat -n", "echo a | tail -1", "printf 'a\\nb\\n' | head -1", "echo a | sed s/a/b/", "printf 'b\\na\\n' | sort", "echo a | cut -c1",
	"echo a >&2", "echo a 2>&1", "echo a >/dev/null", "echo a 1>&2 2>&-", "{ echo a; }", "(echo a)", "echo a; echo b", "echo a && echo b", "true", ":", "env echo a", "command echo a", "nice echo a", "timeout 5 echo a", "env -u X echo a", "X=1 echo a", "X=1 env", "! echo a", "echo a | xxd -p", "echo 61 | xxd -r -p", "echo 0x61 | xxd -r -p", "echo '6 1' | xxd -r -p", "echo 61zz62 | xxd -r -p",
	"cat <<E\na\nE\n", "cat <<'E'\n$x\nE\n", "cat <<-E\n\ta\n\tE\n", "cat <<E | rev\nabc\nE\n", "for i in a b; do echo $i; done", "if true; then echo a; fi", "echo $(echo a)", "echo $(echo 'a  b')", "echo \"$(echo 'a  b')\"", "echo \"$(printf 'a\\n\\n')\"", "echo `echo a`",
}

// TestOutput runs each line in bash: what the reader says of the output is
// true.
func TestOutput(t *testing.T) {
	path := bash(t)
	known := 0
	for _, line := range outputs {
		l := Read("x=$( "+line+"\n)", testEnv)
		if l.Problem != nil {
			t.Errorf("%s: %s", line, l.Problem.Why)
			continue
		}
		have := l.Commands[0].Assigns[0].Value
		cmd := exec.Command(path, "--norc", "-c", line)
		cmd.Dir = t.TempDir()
		out, _ := cmd.Output()
		want := strings.TrimRight(strings.ReplaceAll(string(out), "\x00", ""), "\n")
		if len(have.Values) > 0 && !have.Open {
			known++
		}
		if !mayBe(have, want) {
			t.Errorf("%s\nbash %q\nours %s", line, want, renderSet(have))
		}
	}
	if known < len(outputs)/3 {
		t.Errorf("only %d of %d outputs are known", known, len(outputs))
	}
}
