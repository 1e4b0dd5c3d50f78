package render

import (
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/policyctl/policyctl/internal/lang/shell"
)

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("a", 300)
	for _, c := range []struct {
		name, text string
		from, to   int // from -1: no span
		want       string
	}{
		{"no span", "ls -la", -1, 0, "ls -la"},
		{"whole", "ls", 0, 2, "ls\n^^"},
		{"middle", "ls && rm x", 6, 10, "ls && rm x\n      ^^^^"},
		{"two columns", "日本 x", 7, 8, "日本 x\n     ^"},
		{"two columns marked", "日本", 0, 6, "日本\n^^^^"},
		{"a combining mark", "e\u0301 x", 4, 5, "e\u0301 x\n  ^"},
		{"a tab", "\tx", 1, 2, "    x\n    ^"},
		{"an escape", "\x1b[2J x", 5, 6, `\x1b[2J x` + "\n        ^"},
		{"a mark of direction", "\u202ex", 3, 4, `\u202ex` + "\n      ^"},
		{"a broken character", "\xffx", 0, 1, `\xffx` + "\n^^^^"},
		{"second line", "cd /\nrm x", 5, 9, "2 | rm x\n    ^^^^"},
		{"over two lines", "a \\\n  b\nc", 0, 7, "1 | a \\\n    ^^^\n2 |   b\n      ^"},
		{"no width", "ls", 1, 1, "ls\n ^"},
		{"no width, at the end", "ls", 2, 2, "ls\n  ^"},
		{"no width, before a newline", "ls\npwd", 2, 2, "1 | ls\n      ^"},
		{"beyond the end", "ls", 0, 99, "ls\n^^"},
		{"many lines", strings.Repeat("x\n", 9) + "x", -1, 0,
			" 1 | x\n 2 | x\n 3 | x\n 4 | x\n 5 | x\n 6 | x\n… and 4 more"},
		{"a long line", long + " rm " + long, 301, 303,
			"…" + strings.Repeat("a", 39) + " rm " + strings.Repeat("a", 115) + "…\n" + strings.Repeat(" ", 41) + "^^"},
	} {
		var span *shell.Span
		if c.from >= 0 {
			span = &shell.Span{From: c.from, To: c.to}
		}
		var got []string
		for _, e := range excerpt(c.text, span, maxColumns) {
			got = append(got, e.text)
			if e.marks != "" {
				got = append(got, e.marks)
			}
		}
		if diff := cmp.Diff(c.want, strings.Join(got, "\n")); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func FuzzExcerpt(f *testing.F) {
	f.Add("git status && rm -rf ~", 14, 22)
	f.Add("a\n\t日本\x1b \xff\u202e", 2, 9)
	f.Add(strings.Repeat("é ", 400), 500, 501)
	f.Add("", 0, 0)
	f.Fuzz(func(t *testing.T, text string, from, to int) {
		for _, e := range excerpt(text, &shell.Span{From: from, To: to}, maxColumns) {
			if strings.ContainsFunc(e.text, unicode.IsControl) {
				t.Errorf("a control in %q", e.text)
			}
			if width := columns(e.text); width > maxColumns+30 || len(e.marks) > width+1 {
				t.Errorf("%d columns with %d marks", width, len(e.marks))
			}
		}
	})
}
