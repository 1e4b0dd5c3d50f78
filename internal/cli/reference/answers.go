package reference

import (
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/internal/agents/install"
)

// The lines of docs/agents.md between which its tables stand.
const (
	guardsBegin  = "<!-- What install knows of each agent, written by go generate ./... -->\n"
	dropsBegin   = "<!-- How each agent is started without the hook, written by go generate ./... -->\n"
	answersBegin = "<!-- The table that the hooks use, written by go generate ./... -->\n"
	tableEnd     = "<!-- The end of the table. -->\n"
)

// Agents returns the page about agents with its tables: how far each can be relied on, how
// it is started without the hook, and by what the hooks answer.
func Agents(page string) (string, error) {
	for _, t := range []struct {
		begin string
		rows  func() string
	}{{guardsBegin, guardsTable}, {dropsBegin, dropsTable}, {answersBegin, answersTable}} {
		before, rest, found := strings.Cut(page, t.begin)
		_, after, ended := strings.Cut(rest, tableEnd)
		if !found || !ended {
			return "", fmt.Errorf("the page about agents has no place for a table: %s", strings.TrimSpace(t.begin))
		}
		page = before + t.begin + "\n" + t.rows() + "\n" + tableEnd + after
	}
	return page, nil
}

// guardsTable returns a row for each agent: what its hook can do, and what becomes of a call
// without its answer.
func guardsTable() string {
	var b strings.Builder
	b.WriteString("| agent | known from | an ask, where you are there | an allow | the hook is missing or fails | the hook hangs |\n|---|---|---|---|---|---|\n")
	for _, name := range install.Names() {
		a, _ := install.Lookup(name)
		f := a.Facts()
		protocol, _ := hook.Lookup(name)
		asks, allows := protocol.Can()
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", f.Title, knownFrom(f), asking(asks), allowing(allows), f.Fails, f.Hangs)
	}
	return b.String()
}

// knownFrom says how an agent is known.
func knownFrom(f install.Facts) string {
	switch {
	case f.Tried:
		return "the client, " + f.Version
	case f.Version != "":
		return "its source, " + f.Version
	}
	return "its documentation, November 2026"
}

func asking(can bool) string {
	if can {
		return "the agent asks you"
	}
	return "blocked, or the approval service"
}

func allowing(can bool) string {
	if can {
		return "runs without a prompt"
	}
	return "the agent's own rules decide"
}

// dropsTable returns a row for each agent: how it is started without the hook, and whether
// that of the organisation runs all the same.
func dropsTable() string {
	var b strings.Builder
	b.WriteString("| agent | the user's hook does not run with | a managed hook |\n|---|---|---|\n")
	for _, name := range install.Names() {
		a, _ := install.Lookup(name)
		f := a.Facts()
		drops, managed := "none known", "there is none"
		if len(f.Drops) > 0 {
			drops = "`" + strings.Join(f.Drops, "`, `") + "`"
		}
		if f.Managed {
			managed = "runs"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", f.Title, drops, managed)
	}
	return b.String()
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
