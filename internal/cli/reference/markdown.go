package reference

import (
	"strings"

	"github.com/policyctl/policyctl/internal/render"
)

// special are the characters that mean something in the prose of GitHub's
// Markdown, but for the backtick.
const special = "\\*_[]<>&|~#$"

// prose returns text in which only pairs of backticks mean something: what
// stands between them is code.
func prose(s string) string {
	var b strings.Builder
	for {
		before, rest, open := strings.Cut(s, "`")
		inside, after, closed := strings.Cut(rest, "`")
		escape(&b, before)
		switch {
		case !open:
			return b.String()
		case !closed:
			b.WriteString("\\`")
			escape(&b, rest)
			return b.String()
		}
		b.WriteString(code(inside))
		s = after
	}
}

func escape(b *strings.Builder, s string) {
	s = render.Plain(s)
	for i, r := range s {
		if strings.ContainsRune(special, r) && !inWord(s, i) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
}

// inWord reports whether s[i] is an underscore within a name, which emphasizes
// nothing.
func inWord(s string, i int) bool {
	return s[i] == '_' && i > 0 && i+1 < len(s) && isWord(s[i-1]) && isWord(s[i+1])
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// code returns text as code within a line.
func code(s string) string {
	s = render.Plain(s)
	if s == "" {
		return "``` ```"
	}
	fence := strings.Repeat("`", longestRun(s)+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || s[0] == ' ' && s[len(s)-1] == ' ' {
		s = " " + s + " "
	}
	return fence + s + fence
}

// codes returns texts as code, with commas between them.
func codes(list []string) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = code(s)
	}
	return strings.Join(out, ", ")
}

// cell returns text as it may stand in a table, where a | ends a cell even
// within code.
func cell(markdown string) string {
	return strings.ReplaceAll(strings.ReplaceAll(markdown, `\|`, "|"), "|", `\|`)
}

// longestRun returns the length of the longest run of backticks.
func longestRun(s string) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
