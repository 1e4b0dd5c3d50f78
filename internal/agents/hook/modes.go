package hook

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A mode is one row of the table agent × permission mode × verdict: what the hook says
// in some permission modes of an agent.
type mode struct {
	// names are the modes, by the agent's own names; "*" at the end is every other one,
	// also one that nobody knows yet.
	names string
	// headless says that the row is for an agent that says that nobody is there.
	headless bool
	// asks says that a person may be asked.
	asks bool
	// call is what the hook says before a call, and dialog what it says about the agent's
	// own dialog: a word for each [column].
	call, dialog string
}

// The words of the table, beside those of the protocols: with silence the agent goes on
// by rules of its own, and later is "defer" where the message has a single call and
// somebody wants that, and a denial else.
const (
	silence = "-"
	later   = "later"
)

// A column is a verdict by what it means for an agent.
type column int

// The columns of the table. What looks is an allow of what only reads, and what opens an ask
// with no ground but that nothing allows the call.
const (
	looks column = iota
	allows
	opens
	asks
	denies
)

var columnNames = [...]string{"allow: it only reads", "allow", "ask: undecided", "ask", "deny"}

// columnOf returns the column of a verdict.
func columnOf(v *policy.Verdict) column {
	switch {
	case v.Decision == policy.Allow && v.Stage == policy.StageReadonly:
		return looks
	case v.Decision == policy.Allow:
		return allows
	case v.Decision == policy.Ask && v.Undecided:
		return opens
	case v.Decision == policy.Ask:
		return asks
	}
	return denies
}

// in returns the row of an agent for a mode, which no agent is without.
func (a *Agent) in(name string, headless bool) *mode {
	for i := range a.modes {
		m := &a.modes[i]
		if m.headless == headless && m.has(name) {
			return m
		}
	}
	return &mode{call: "- - deny deny deny", dialog: "- - deny deny deny"}
}

// isHeadless reports whether the agent says that it runs without a person: by a
// variable that is then "0". A repository can set it; the worst that comes of it is a
// question that the agent itself refuses.
func (a *Agent) isHeadless(getenv func(string) string) bool {
	return a.attended != "" && getenv != nil && getenv(a.attended) == "0"
}

// has reports whether the row is for a mode.
func (m *mode) has(name string) bool {
	names := strings.Fields(m.names)
	return slices.Contains(names, name) || slices.Contains(names, "*")
}

// word returns what the table has for a verdict on an event.
func (a *Agent) word(e *Event, v *policy.Verdict) string {
	m := a.in(e.Mode, e.headless)
	words := m.call
	if a.events.kind(e.Name) == prompt || e.tool.asks {
		words = m.dialog
	}
	at := columnOf(v)
	word := strings.Fields(words)[at]
	if e.tool.second && a.events.kind(e.Name) == before && v.Decision != policy.Deny {
		return silence
	}
	if at == opens && word != silence && word != ask && a.trusts(e, v.UndecidedModes) {
		return silence
	}
	return word
}

// trusts reports whether modes in which an agent answers what is undecided, although it
// asks nobody, are all those in which an event was sent.
func (a *Agent) trusts(e *Event, modes []string) bool {
	for _, name := range a.unasked(e.Mode, e.headless) {
		if !slices.Contains(modes, name) {
			return false
		}
	}
	return true
}

// unasked returns why nobody is asked, as modes: none where somebody may be.
func (a *Agent) unasked(name string, headless bool) (modes []string) {
	if headless {
		modes = append(modes, "headless")
	}
	if !a.in(name, false).asks {
		modes = append(modes, name)
	}
	return modes
}

// A Word is what an agent's hook says before a call in some of its modes.
type Word struct {
	// Modes are the modes, by the agent's names and as people are shown them.
	Modes []string
	// Says is allow, ask or deny, or "" where the agent's own rules go on.
	Says string
}

// Words returns what the hook says before a call of a verdict, in the order of the
// modes. Where it says the same headless in every mode, or at all, that is one mode.
func (a *Agent) Words(c *policy.Call, v *policy.Verdict) (out []Word) {
	all := 0
	for i := range a.modes {
		m := &a.modes[i]
		for name := range strings.FieldsSeq(m.names) {
			e := &Event{Name: a.events.call, Mode: name, headless: m.headless, Attended: m.asks, Call: *c, tool: a.tools.find(c.Tool)}
			say, _ := a.settle(e, v)
			at := slices.IndexFunc(out, func(w Word) bool { return w.Says == say })
			if at < 0 {
				at, out = len(out), append(out, Word{Says: say})
			}
			out[at].Modes = append(out[at].Modes, m.title(name, a.tellsNothing))
			if m.headless {
				all++
			}
		}
	}
	if len(out) == 1 {
		out[0].Modes = []string{"every mode"}
	}
	for i := range out {
		out[i].Modes = gathered(out[i].Modes, all)
	}
	return out
}

// gathered returns modes with all that are headless as one.
func gathered(modes []string, all int) []string {
	isHeadless := func(name string) bool { return strings.HasPrefix(name, headlessTitle) }
	rest := slices.DeleteFunc(slices.Clone(modes), isHeadless)
	if all == 0 || len(modes)-len(rest) < all {
		return modes
	}
	return append(rest, strings.TrimSpace(headlessTitle))
}

// headlessTitle begins the title of a mode in which nobody is there.
const headlessTitle = "headless "

// Modes returns a row for each mode of an agent in which its hook answers alike: the mode,
// and what it says before a call and in the agent's dialog about each of [Verdicts].
func (a *Agent) Modes() (rows []Row) {
	for i := range a.modes {
		m := &a.modes[i]
		var names []string
		for name := range strings.FieldsSeq(m.names) {
			names = append(names, m.title(name, a.tellsNothing))
		}
		row := Row{Modes: names, Call: strings.Fields(m.call)}
		if a.events.dialog != "" {
			row.Dialog = strings.Fields(m.dialog)
		}
		rows = append(rows, row)
	}
	return rows
}

// A Row is a row of the table of an agent's answers. A word is allow, ask, deny, "-" where
// the agent's own rules go on, or "later", a denial that may be kept for a later run.
type Row struct{ Modes, Call, Dialog []string }

// Verdicts are the verdicts of the table in the order of the words of a [Row].
func Verdicts() []string { return columnNames[:] }

// title returns a mode as people are shown it.
func (m *mode) title(name string, unnamed bool) string {
	switch {
	case name == "*" && unnamed:
		name = "any mode"
	case name == "*":
		name = "any other"
	}
	if m.headless {
		return headlessTitle + name
	}
	return name
}
