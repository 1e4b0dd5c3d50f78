package reference

import (
	"errors"
	"strings"

	"github.com/policyctl/policyctl/internal/agents/hook"
)

// The lines of docs/agents.md between which the table of answers stands.
const (
	answersBegin = "<!-- The table that the hooks use, written by go generate ./... -->\n"
	answersEnd   = "<!-- The end of the table. -->\n"
)

// Agents returns the page about agents with the table by which their hooks answer.
func Agents(page string) (string, error) {
	before, rest, found := strings.Cut(page, answersBegin)
	_, after, ended := strings.Cut(rest, answersEnd)
	if !found || !ended {
		return "", errors.New("the page about agents has no place for the table of answers")
	}
	return before + answersBegin + "\n" + answersTable() + "\n" + answersEnd + after, nil
}

// answersTable returns a row for each agent and permission mode.
func answersTable() string {
	var b strings.Builder
	b.WriteString("| agent | permission mode | about |")
	for _, v := range hook.Verdicts() {
		b.WriteString(" " + v + " |")
	}
	b.WriteString("\n|---|---|---|" + strings.Repeat("---|", len(hook.Verdicts())) + "\n")
	for _, name := range hook.Names() {
		a, _ := hook.Lookup(name)
		for _, r := range a.Modes() {
			for _, about := range []struct {
				what  string
				words []string
			}{{"the call", r.Call}, {"its dialog", r.Dialog}} {
				if about.words == nil {
					continue
				}
				b.WriteString("| " + a.Title + " | " + modes(r.Modes) + " | " + about.what + " |")
				for _, w := range about.words {
					b.WriteString(" " + answer(w) + " |")
				}
				b.WriteByte('\n')
			}
		}
	}
	return b.String()
}

// modes names the modes of a row.
func modes(names []string) string {
	const headless = "headless "
	prefix := ""
	out := make([]string, len(names))
	for i, name := range names {
		mode, alone := strings.CutPrefix(name, headless)
		if alone {
			prefix = headless
		}
		if out[i] = mode; !strings.HasPrefix(mode, "any ") {
			out[i] = "`" + mode + "`"
		}
	}
	return prefix + strings.Join(out, ", ")
}

// answer says a word of the table as people read it.
func answer(word string) string {
	switch word {
	case "-":
		return "nothing"
	case "later":
		return "deny"
	}
	return word
}
