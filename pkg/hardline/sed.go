package hardline

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/program"
	"github.com/policyctl/policyctl/pkg/shell"
)

func isSed(c *shell.Command) bool { return program.LanguageOf(c.Name) == program.Sed }

func isAWK(c *shell.Command) bool { return program.LanguageOf(c.Name) == program.AWK }

// sedRunsCatastrophe reports whether a program of GNU's sed runs what the floor
// denies: the argument of e, what e alone finds in the input, or what a
// substitution with the flag e makes.
func sedRunsCatastrophe(s *hazard.Scene, c *shell.Command, text string) bool {
	if sedRunsLines(text) && anyInput(s, c, func(v string) bool { return catastrophic(s, c, v) }) {
		return true
	}
	for i := range len(text) {
		switch text[i] {
		case 'e':
			rest := strings.TrimLeft(text[i+1:], blanks)
			line, _, _ := strings.Cut(rest, "\n")
			if line != "" && len(rest) < len(text)-i-1 && startsCommand(text[:i], "") && catastrophic(s, c, line) {
				return true
			}
		case 's':
			if made, ok := sedEvaluates(text[i+1:]); ok && catastrophic(s, c, unescape(made)) {
				return true
			}
		}
	}
	return false
}

const blanks = " \t\n\r\f"

// sedRunsLines reports whether a program of sed is e alone, perhaps with
// addresses.
func sedRunsLines(text string) bool {
	rest := pastAddress(strings.TrimSpace(text))
	if next, ok := strings.CutPrefix(rest, ","); ok {
		rest = pastAddress(next)
	}
	return strings.TrimSpace(rest) == "e"
}

// pastAddress returns what follows an address of sed.
func pastAddress(s string) string {
	if strings.HasPrefix(s, "/") {
		if _, rest, ok := strings.Cut(s[1:], "/"); ok {
			return rest
		}
	}
	return strings.TrimLeft(s, "0123456789$")
}

// startsCommand reports whether a command of sed may stand behind a text: behind
// an address, a block, another command, or one of the further bytes.
func startsCommand(before, further string) bool {
	left := strings.TrimRight(before, blanks)
	if left == "" || strings.Contains(before[len(left):], "\n") {
		return true
	}
	last := left[len(left)-1]
	return last >= '0' && last <= '9' || strings.IndexByte(";{}$/!,", last) >= 0 || strings.IndexByte(further, last) >= 0
}

// sedEvaluates returns what a substitution puts in the place of what it finds,
// if sed runs the result. The text is that behind its s.
func sedEvaluates(text string) (made string, ok bool) {
	if !strings.HasPrefix(text, "/") {
		return "", false
	}
	from := pastSlash(text, 1)
	to := pastSlash(text, from)
	if from == 0 || to == 0 {
		return "", false
	}
	flags := strings.TrimLeft(text[to:], "gpiImM0123456789")
	return text[from : to-1], strings.HasPrefix(flags, "e")
}

// pastSlash returns the index behind the next slash of a line that is not
// escaped, 0 if there is none.
func pastSlash(text string, from int) int {
	for i := from; i < len(text) && text[i] != '\n'; i++ {
		switch text[i] {
		case '/':
			return i + 1
		case '\\':
			i++
		}
	}
	return 0
}

// sedWritten returns the files that a program of sed writes.
func sedWritten(text string) (out []string) {
	for i := range len(text) {
		if text[i] != 'w' && text[i] != 'W' || !startsCommand(text[:i], "gpiI") {
			continue
		}
		line, _, _ := strings.Cut(strings.TrimLeft(text[i+1:], blanks), "\n")
		if file := strings.TrimRight(line, blanks); strings.HasPrefix(file, "/") && len(file) > 1 && !strings.ContainsAny(file, blanks) {
			out = append(out, file)
		}
	}
	return out
}
