package reference

import "testing"

func TestProse(t *testing.T) {
	for _, r := range []struct{ want, in string }{
		{"deletes a file", "deletes a file"},
		{"use `git push`, then stop", "use `git push`, then stop"},
		{"`a * b` \\* c", "`a * b` * c"},
		{"one \\` only \\*", "one ` only *"},
		{"`a` and \\`", "`a` and `"},
		{"\\<script\\> \\& \\[x\\](y)", "<script> & [x](y)"},
		{"\\~/.ssh/\\*\\*", "~/.ssh/**"},
		{"dangerous_only, \\_x\\_", "dangerous_only, _x_"},
		{"a\\\\nb", "a\nb"},
		{"\\\\u202ex", "\u202ex"},
		{"C:\\\\x", `C:\x`},
	} {
		if got := prose(r.in); got != r.want {
			t.Errorf("%q: got %s, want %s", r.in, got, r.want)
		}
	}
}

func TestCode(t *testing.T) {
	for _, r := range []struct{ want, in string }{
		{"`rm -rf /`", "rm -rf /"},
		{"``echo `pwd` x``", "echo `pwd` x"},
		{"`` `pwd` ``", "`pwd`"},
		{"``` a``b` ```", "a``b`"},
		{"`  x  `", " x "},
		{"` x`", " x"},
		{"`a\\nb`", "a\nb"},
		{"`\\x1b[2J`", "\x1b[2J"},
	} {
		if got := code(r.in); got != r.want {
			t.Errorf("%q: got %s, want %s", r.in, got, r.want)
		}
	}
}

func TestCell(t *testing.T) {
	for _, r := range []struct{ want, in string }{
		{"a\\|b", prose("a|b")},
		{"`a\\|b`", code("a|b")},
		{"plain", prose("plain")},
	} {
		if got := cell(r.in); got != r.want {
			t.Errorf("got %s, want %s", got, r.want)
		}
	}
}

func TestExamples(t *testing.T) {
	for _, r := range []struct {
		want  string
		lines []string
	}{
		{"", nil},
		{"H:\n\n```sh\nls\npwd\n```", []string{"ls", "pwd"}},
		{"H:\n\n```sh\nls\n```\n\n```sh\ncat <<E\nx\nE\n```\n\n```sh\npwd\n```", []string{"ls", "cat <<E\nx\nE", "pwd"}},
		{"H:\n\n```sh\necho `pwd`\n```", []string{"echo `pwd`"}},
		{"H:\n\n````sh\n```\nx\n```\n````", []string{"```\nx\n```"}},
		{"H:\n\n`````sh\na ```` b\n`````", []string{"a ```` b"}},
		{"H:\n\n```sh\na\\rb \\u202e\n```", []string{"a\rb \u202e"}},
	} {
		if got := examples("H:", "sh", r.lines); got != r.want {
			t.Errorf("%q: got\n%s\nwant\n%s", r.lines, got, r.want)
		}
	}
}

func TestAnchors(t *testing.T) {
	used := anchors{}
	for _, r := range []struct{ want, heading string }{
		{"rm-recursive", "rm-recursive"},
		{"sub-commands-of-git", "Sub-commands of git"},
		{"kind-shell", "Kind: shell"},
		{"doom_loop", "doom_loop"},
		{"kind-shell-1", "Kind: shell"},
		{"kind-shell-2", "kind shell"},
		{"kind-shell-1-1", "Kind shell-1"},
		{"", "["},
	} {
		if got := used.next(r.heading); got != r.want {
			t.Errorf("%q: got %q, want %q", r.heading, got, r.want)
		}
	}
}
