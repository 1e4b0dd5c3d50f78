package readonly

import (
	"os"
	"strings"
	"testing"
)

// bypasses returns the lines of the corpus that must never be proved.
func bypasses(t testing.TB) []string {
	t.Helper()
	var text []byte
	for _, name := range []string{"bypasses", "languages"} {
		b, err := os.ReadFile("../../testdata/" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, b...)
	}
	var out []string
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), " · ", 4)
		if strings.HasPrefix(line, "#") || len(parts) != 4 || parts[1] == "allow" {
			continue
		}
		command := parts[3]
		if escaped, ok := strings.CutPrefix(command, "$ "); ok {
			command = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\r`, "\r").Replace(escaped)
		}
		out = append(out, command)
	}
	if len(out) < 1600 {
		t.Fatalf("only %d bypasses", len(out))
	}
	return out
}

// disguises are forms of a line that prove no more than the line itself.
var disguises = []string{
	"X", " X ", "ls; X", "ls && X", "ls || X", "X\nls", "{ X\n}", "(X\n)", "if true; then X\nfi", "for f in a; do X\ndone", "while X\ndo break; done",
	"! X", "X 2>/dev/null", "X | cat", "true | { X\n}", "echo \"$(X\n)\"", "v=$(X\n); echo \"$v\"", "cd src && X", "set -e; X", "case a in a) X\n;; esac",
}

// TestDisguises shows that what is not proved is not proved in another form
// either.
func TestDisguises(t *testing.T) {
	p := &Prover{Home: testHome}
	for _, line := range bypasses(t) {
		for _, form := range disguises {
			bare := line == "< in.txt" || line == "<<< x" || line == "x=1 < in.txt"
			if bare && (strings.HasPrefix(form, "case") || line == "< in.txt" && form != "X") {
				continue // it is what a substitution or a subshell reads
			}
			if d := strings.Replace(form, "X", line, 1); provedLine(p, d) {
				t.Errorf("%q is proved", d)
			}
		}
	}
}

// TestSpellings shows the same for other spellings of the words of a line.
func TestSpellings(t *testing.T) {
	p := &Prover{Home: testHome}
	for _, line := range bypasses(t) {
		if strings.ContainsAny(line, "\r\n'\"\\$`{") {
			continue
		}
		for _, spell := range []func(string) string{
			func(w string) string { return `"` + w + `"` },
			func(w string) string { return "'" + w + "'" },
			func(w string) string { return w[:1] + "''" + w[1:] },
			func(w string) string { return w[:1] + `\` + w[1:] },
			func(w string) string { return "$'" + w + "'" },
			func(w string) string { return "{" + w + ",}" },
		} {
			words := strings.Fields(line)
			for i := 1; i < len(words); i++ {
				if len(words[i]) < 2 || strings.ContainsAny(words[i], "|&;<>()*?[=!+~") {
					continue
				}
				d := strings.Join(words[:i], " ") + " " + spell(words[i]) + " " + strings.Join(words[i+1:], " ")
				if provedLine(p, d) {
					t.Errorf("%q is proved", d)
				}
			}
		}
	}
}

func provedLine(p *Prover, line string) bool {
	ok, _ := proved(p, line)
	return ok
}
