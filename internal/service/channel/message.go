package channel

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/policyctl/policyctl/internal/service/view"
	"github.com/policyctl/policyctl/internal/support/redact"
	"github.com/policyctl/policyctl/pkg/approval"
)

// The sizes of what is told, in characters.
const (
	maxCommand = 1000
	maxValue   = 300
)

// maxLines is how many lines of a command are told: with more, the last ones are far below
// what people see at first.
const maxLines = 40

// message says what there is to say of a request as it stands, without buttons.
func (d *Dispatcher) message(r *approval.Request) *Message {
	m := &Message{Request: r.ID, Head: "[" + headOf(r.State) + "]", Link: d.o.Link(r.ID), Until: r.Expires, Outcome: outcomeOf(r)}
	risk, dangers := r.Harm()
	m.Risk = risk
	input, command := view.Input(r), r.Title
	if r.Kind == approval.KindCall { // a program has no command, whatever is in its body
		command = view.Text(input["command"])
		delete(input, "command")
	}
	var cut, code bool
	m.Command, code = masked(command)
	m.Command, cut = shortened(m.Command, maxCommand)
	add := func(name, value string) {
		if value != "" {
			m.Fields = append(m.Fields, Field{name, value})
		}
	}
	// whole adds what says what runs, most characters of it.
	whole := func(name, value string, most int) {
		line, hides := masked(inLine(value))
		line, short := shortened(line, most)
		cut, code = cut || short, code || hides
		add(name, line)
	}
	if r.State == approval.Pending && r.Revision != "" {
		add("Asked again", "the policy has changed since this was asked first, and no answer of before counts")
	}
	whole("Tool", r.Tool, maxValue)
	whole("Arguments", arguments(input), max(maxValue, maxCommand-utf8.RuneCountInString(m.Command)))
	whole("Directory", r.Dir, maxValue)
	if stores := storesOf(r); r.State == approval.Pending && stores != "" {
		add("This chat", "stores "+stores+", for "+timeLeft(time.Duration(approval.StoredFor)))
	}
	if stores := storedBy(r.Denials, approval.Here); r.State == approval.Pending && stores != "" {
		add("Deny always", "stores "+stores)
	}
	switch {
	case !cut && !code:
	case m.Link == "":
		m.Note = "not whole: policyctl requests show " + r.ID + " has the rest"
	case cut:
		m.Note = Cut
	default:
		m.Note = "what is redacted may run: it is on the page"
	}
	add("Agent", oneLine(r.Agent))
	add("Session", oneLine(r.Session))
	if r.State == approval.Pending {
		add("Time left", timeLeft(r.Expires.Sub(d.o.Now()))+", until "+clockTime(r.Expires))
	}
	harm := []string{risk}
	if risk == "" {
		harm[0] = "unknown"
	}
	for _, p := range dangers {
		harm = append(harm, p.Why)
	}
	add("Risk", oneLine(strings.Join(harm, "; ")))
	add("Why", oneLine(why(r)))
	return m
}

// storesOf is what an approval for the chat would store, "" where none is offered, or more
// than people see in a message.
func storesOf(r *approval.Request) string { return storedBy(r.Offers, approval.ForChat) }

// storedBy is what the offer of a scope stores, "" where there is none, or where that is more
// than people see in a message.
func storedBy(offers []approval.Offer, s approval.Scope) string {
	for _, o := range offers {
		if o.Scope == s {
			text, _ := masked(inLine(strings.Join(o.Stores, ", ")))
			if stores, cut := shortened(text, maxValue); !cut {
				return stores
			}
		}
	}
	return ""
}

// headOf is the first line of a message.
func headOf(s approval.State) string {
	switch s {
	case approval.Pending:
		return "APPROVAL REQUIRED"
	case approval.Denied:
		return "DENIED"
	case approval.TimedOut:
		return "TIMED OUT"
	case approval.Cancelled:
		return "WITHDRAWN"
	case approval.Revoked:
		return "APPROVAL TAKEN BACK"
	}
	return "APPROVED"
}

// why says which part of the policy asks, and why.
func why(r *approval.Request) string {
	text := r.Asked.Why
	switch {
	case r.Asked.Stage != "" && r.Asked.Rule != "":
		text += " (stage " + r.Asked.Stage + ", rule " + r.Asked.Rule + ")"
	case r.Asked.Stage != "":
		text += " (stage " + r.Asked.Stage + ")"
	}
	return strings.TrimSpace(text)
}

// arguments are those of a call beside its command.
func arguments(input map[string]any) string {
	var parts []string
	for _, name := range view.Names(input) {
		text, ok := input[name].(string)
		if !ok {
			text = compact(input[name])
		}
		parts = append(parts, name+"="+text)
	}
	return strings.Join(parts, ", ")
}

// compact is a value that is no text, in one line.
func compact(value any) string {
	if b, err := json.Marshal(value); err == nil && value != nil {
		return string(b)
	}
	return view.Text(value)
}

// masked returns a text of an agent as people are shown it: without secrets, and with
// nothing in it that hides. It reports whether what is masked may be more than a secret.
func masked(s string) (text string, code bool) {
	s, found := redact.Text(s)
	return view.Plain(s), slices.ContainsFunc(found, func(f redact.Finding) bool { return f.Code })
}

// breaks are how the ends of lines show in one line: what follows a comment is none.
var breaks = strings.NewReplacer("\r\n", " ⏎ ", "\n", " ⏎ ", "\t", " ")

// inLine makes a text one line.
func inLine(s string) string { return breaks.Replace(s) }

// oneLine makes a text one short line of what people are shown.
func oneLine(s string) string {
	s, _ = masked(inLine(strings.TrimSpace(s)))
	s, _ = shortened(s, maxValue)
	return s
}

// shortened cuts a text behind a word, at most at a number of characters or behind
// maxLines, and reports whether it did.
func shortened(s string, most int) (string, bool) {
	if lines := strings.SplitAfterN(s, "\n", maxLines+1); len(lines) > maxLines {
		s, _ = shortened(strings.Join(lines[:maxLines-1], ""), most)
		return strings.TrimSuffix(s, " …") + " …", true
	}
	all := []rune(s)
	if len(all) <= most {
		return s, false
	}
	head := string(all[:most])
	// A word that fills the last quarter is cut in the middle.
	if at := strings.LastIndexAny(head, " \n"); at > len(head)*3/4 {
		head = head[:at]
	}
	return strings.TrimRight(head, " \n") + " …", true
}

// timeLeft says how long something is, in words that people use.
func timeLeft(d time.Duration) string {
	d = max(0, d).Round(time.Second)
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", d/time.Minute, d%time.Minute/time.Second)
	}
	if d%time.Hour < time.Minute {
		return fmt.Sprintf("%d h", d/time.Hour)
	}
	return fmt.Sprintf("%d h %d min", d/time.Hour, d%time.Hour/time.Minute)
}

// clockTime is a time as people at a channel read it, who may be in another zone.
func clockTime(t time.Time) string { return t.Local().Format("15:04:05 MST") }

// outcomeOf says in one line how a request ended: what, by whom, when, and what was
// saved; "" while it waits.
func outcomeOf(r *approval.Request) string {
	if r.State == approval.Pending {
		return ""
	}
	if r.State == approval.Cancelled || r.Decision == nil {
		return "withdrawn: the agent waits no more"
	}
	d := r.Decision
	text := decided(d)
	if v := r.Revocation; v != nil {
		text = "taken back by " + oneLine(v.By) + " at " + clockTime(v.At) + "; it was " + text
	}
	if d.Reason != "" && d.Source != approval.Static {
		text += ": " + oneLine(d.Reason)
	}
	if len(d.Saved) > 0 {
		text += "; saved: " + oneLine(strings.Join(d.Saved, ", "))
	}
	return text
}

// decided says what was decided, by whom and when.
func decided(d *approval.Decision) string {
	at := " at " + clockTime(d.At)
	if d.Source == approval.Timeout {
		if d.Word.Approves() {
			return "approved" + at + ", since nobody answered in time"
		}
		return "nobody answered in time," + at
	}
	return wordOf(d.Word, d.Scope) + " by " + oneLine(d.By) + at
}

func wordOf(w approval.Word, s approval.Scope) string {
	switch {
	case w == approval.RequestMore:
		return "sent back with a question"
	case !w.Approves():
		return "denied"
	case w == approval.ApprovedRemember:
		return "approved for " + view.ScopeName(s)
	}
	return "approved"
}

// risks are those that one press may approve, the lowest first.
var risks = []string{"low", "medium", "high"}

// Taps are the values of [Channel.OneTap], the strictest first.
func Taps() []string { return append([]string{"none"}, risks...) }

// within reports whether one press at a channel may approve a call of some risk.
func (c *Channel) within(risk string) bool {
	at := slices.Index(risks, risk)
	return at >= 0 && at <= slices.Index(risks, c.OneTap)
}
