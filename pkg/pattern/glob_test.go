package pattern

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/support/cputime"
)

// expression is a glob as a regular expression, made of its text.
func expression(glob string, path bool) string {
	out := `(?s)\A`
	for i := 0; i < len(glob); {
		rest, start := glob[i:], i == 0 || glob[i-1] == '/'
		stars := len(rest) - len(strings.TrimLeft(rest, "*"))
		switch {
		case stars > 1 && path && start && strings.HasPrefix(rest[stars:], "/"):
			out, i = out+`(?:.*/)?`, i+stars+1
		case stars > 1 && path:
			out, i = out+`.*`, i+stars
		case stars > 0 && path:
			out, i = out+`[^/]*`, i+1
		case stars > 0:
			out, i = out+`.*`, i+1
		case rest[0] == '?' && path:
			out, i = out+`[^/]`, i+1
		case rest[0] == '?':
			out, i = out+`.`, i+1
		default:
			out, i = out+regexp.QuoteMeta(rest[:1]), i+1
		}
	}
	return out + `\z`
}

func (w world) letters(alphabet string, most int) string {
	var b strings.Builder
	for range w.IntN(most + 1) {
		b.WriteByte(alphabet[w.IntN(len(alphabet))])
	}
	return b.String()
}

func TestGlobIsExpression(t *testing.T) {
	w := newWorld(t)
	matched := 0
	for range 40_000 {
		pattern := w.letters("ab/***?", 10)
		plain, path := compileGlob(pattern), compileGlobPath(pattern)
		wantPlain, wantPath := regexp.MustCompile(expression(pattern, false)), regexp.MustCompile(expression(pattern, true))
		for range 5 {
			text := w.letters("aab//\n", 12)
			if got, want := plain.match(text, false), wantPlain.MatchString(text); got != want {
				t.Fatalf("glob %q over %q is %t", pattern, text, got)
			}
			got, want := path.match(text, true), wantPath.MatchString(text)
			if got != want {
				t.Fatalf("globPath %q over %q is %t", pattern, text, got)
			}
			if got {
				matched++
			}
		}
	}
	if matched < 5_000 {
		t.Errorf("only %d match", matched)
	}
}

// TestGlobIsFast shows that no glob makes the time explode.
func TestGlobIsFast(t *testing.T) {
	text := strings.Repeat("a/", 10_000) + "c"
	took := cputime.Of(func() {
		for _, pattern := range []string{strings.Repeat("*a", 50) + "b", strings.Repeat("**/a/", 50) + "b", strings.Repeat("**a*", 50) + "b", "**/*/**/*/**b"} {
			compileGlob(pattern).match(text, false)
			compileGlobPath(pattern).match(text, true)
		}
	})
	if took > 3*time.Second {
		t.Errorf("it took %s", took)
	}
}
