package requests

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/service/view"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

// showRequest writes all that there is to know of a request. Nothing is
// clipped: what is not shown might be what matters.
func showRequest(page *console.Sheet, d *approval.Detail, now time.Time) {
	r := d.Request
	page.Table(append([][]string{
		console.Labelled("request", r.ID),
		console.Labelled("state", standingOf(r, now)),
		console.Labelled("by", r.Submitter),
		console.Labelled("agent", r.Agent),
		console.Labelled("session", r.Session),
		console.Labelled("directory", r.Dir),
		console.Labelled("tool", r.Tool),
	}, placeOf(r)...))
	showInput(page, r)
	showPart(page, "Harm", harmRows(r))
	showPart(page, "What it does, as far as its words show", effectRows(d))
	showAsks(page, r)
	for i := range r.Reviews {
		showPart(page, "What the model said", reviewRows(&r.Reviews[i]))
	}
	if r.Said != "" {
		page.Heading("What the user said, says the submitter")
		page.QuoteAll(r.Said)
	}
	showPart(page, "Choices", choiceRows(d))
	showPart(page, "Decided before about the same call", earlierRows(d.Earlier))
	showPart(page, "History", historyOf(r))
}

// showPart writes rows below a heading, if there are some.
func showPart(page *console.Sheet, title string, rows [][]string) {
	if len(rows) > 0 {
		page.Heading(title)
		page.Table(rows)
	}
}

// showInput writes what is asked for: its parts, of edits what goes and comes,
// and the record that stands for it.
func showInput(page *console.Sheet, r *approval.Request) {
	if lacks := view.Lacking(r); lacks != "" {
		page.Heading(lacks)
	}
	call := view.Input(r)
	changes := view.TakeChanges(call)
	for _, key := range view.Names(call) {
		page.Heading("Input: " + key)
		page.QuoteAll(view.Text(call[key]))
	}
	for _, c := range changes {
		page.Heading(c.Name)
		for _, row := range c.Rows {
			page.Quote(row)
		}
	}
	if record := view.Record(r); record != "" {
		page.Heading("Record, by which rules judge it: the submitter's words")
		page.QuoteAll(record)
	}
}

// showAsks writes what asks, and what the service finds where that is another
// policy.
func showAsks(page *console.Sheet, r *approval.Request) {
	asks := "What asks"
	if j := r.Judged; j != nil { // Asked are the submitter's words
		showPart(page, "What the service finds", [][]string{
			console.Labelled("decision", j.Decision), console.Labelled("stage", j.Stage), console.Labelled("rule", j.Rule), console.Labelled("why", j.Why),
		})
		asks = "What asks, says the submitter"
	}
	showPart(page, asks, [][]string{
		console.Labelled("stage", r.Asked.Stage),
		console.Labelled("rule", r.Asked.Rule),
		console.Labelled("decides", view.Marked(r, view.Text(view.Input(r)["command"]))),
		console.Labelled("why", r.Asked.Why),
		console.Labelled("written", r.Asked.Origin),
		console.Labelled("revision", r.Asked.Revision),
		console.Labelled("asked again", r.Revision),
		console.Labelled("approver", view.Approver(r)),
		console.Labelled("asked by", view.Askers(r)),
	})
}

// reviewRows say what a language model said.
func reviewRows(v *approval.Review) [][]string {
	return [][]string{
		console.Labelled("outcome", view.ReviewOutcome(v)),
		console.Labelled("rationale", v.Rationale),
		console.Labelled("scores", view.ReviewScores(v)),
		console.Labelled("of", v.Quote),
		console.Labelled("asked", strings.Join(slices.DeleteFunc([]string{v.By, view.ReviewCost(v)}, func(s string) bool { return s == "" }), ", ")),
	}
}

// placeOf returns what else the receipt holds the call to. Each is said by who
// asks, so that values of several parts are quoted.
func placeOf(r *approval.Request) [][]string {
	c, err := policy.DecodeCall(r.Call)
	if r.Call == nil || err != nil {
		return nil // the call is shown as it came
	}
	rows := [][]string{
		console.Labelled("project", c.ProjectDir), console.Labelled("own files", c.SessionDir),
		console.Labelled("home", c.Home), console.Labelled("os", c.OS), console.Labelled("shell", c.Shell),
	}
	if c.Audience != policy.Personal {
		rows = append(rows, console.Labelled("audience", c.Audience.String()))
	}
	var scope []string
	for _, part := range [][2]string{{"plugin", c.Scope.Plugin}, {"profile", c.Scope.Profile}, {"integration", c.Scope.Integration}} {
		if part[1] != "" {
			scope = append(scope, fmt.Sprintf("%s %q", part[0], part[1]))
		}
	}
	return append(rows, console.Labelled("scope", strings.Join(scope, ", ")))
}

// standingOf says where a request stands, and what becomes of it by itself.
func standingOf(r *approval.Request, now time.Time) string {
	if r.State != approval.Pending {
		return string(r.State)
	}
	end := "then it is denied"
	if r.OnTimeout == approval.Approved {
		end = "then it is approved, since the policy says on_timeout: allow"
	}
	if r.Tally != nil {
		if r.OnTimeout != approval.Approved {
			end = "without them it is denied"
		}
		end = r.Tally.Text() + ", waiting for " + r.Tally.Wants() + "; " + end
	}
	return fmt.Sprintf("%s, %s left; %s", r.State, left(r, now), end)
}

// scopeText says what an approval reaches that ends after some time, or does not if
// that is zero.
func scopeText(s approval.Scope, life approval.Life) string {
	text := view.ScopeName(s)
	if life > 0 {
		text = strings.TrimPrefix(strings.TrimPrefix(text, "always "), "always, ") + " for " + lasting(time.Duration(life))
	}
	return text
}

// offerText says what an offer reaches if the person says no more.
func offerText(s approval.Scope) string {
	if s == approval.Once {
		return view.ScopeName(s)
	}
	return scopeText(s, approval.StoredFor)
}

// lasting says how long something lasts.
func lasting(d time.Duration) string {
	return console.Left(time.Unix(0, 0).Add(d), time.Unix(0, 0))
}

// gained says what an offer would have allowed of the last calls, "" where that is
// unknown.
func gained(d *approval.Detail, s approval.Scope) string {
	for _, g := range d.Gains {
		if g.Scope != s {
			continue
		}
		text := fmt.Sprintf("would have allowed %d of the last %d calls", g.Calls, g.Of)
		if g.Example != "" {
			text += ", such as " + g.Example
		}
		return text
	}
	return ""
}

// choiceRows list the ways to approve with each entry that they store.
func choiceRows(d *approval.Detail) [][]string {
	var rows [][]string
	for _, o := range d.Offers {
		stores := slices.Clone(o.Stores)
		if len(stores) == 0 {
			stores = []string{"nothing"}
		}
		for i, entry := range stores {
			row := []string{"  " + string(o.Scope), offerText(o.Scope), "stores " + entry}
			if i > 0 {
				row[0], row[1] = "", ""
			}
			rows = append(rows, row)
		}
		if gain := gained(d, o.Scope); gain != "" {
			rows = append(rows, []string{"", "", gain})
		}
		if o.Why != "" {
			rows = append(rows, []string{"", "only once", o.Why})
		}
	}
	rows = append(rows, []string{"  deny", view.ScopeName(approval.Once), "stores nothing"})
	for _, o := range d.Denials {
		rows = append(rows, []string{"  deny", view.ScopeName(o.Scope), "stores " + strings.Join(o.Stores, "; ")})
	}
	return rows
}

// scopeWord is what a person types for a scope.
func scopeWord(s approval.Scope) string {
	for _, k := range keys() {
		if k.scope == s && k.lasts == "" {
			return k.word
		}
	}
	return string(s)
}

// historyOf lists what has happened to a request.
func historyOf(r *approval.Request) [][]string {
	rows := [][]string{event(r.Created, "PENDING", "by "+r.Submitter)}
	for i := range r.Votes {
		rows = append(rows, event(r.Votes[i].At, "vote", view.Vote(&r.Votes[i])))
	}
	if d := r.Decision; d != nil {
		rows = append(rows, event(d.At, string(d.Word), decidedText(d)))
	}
	if r.Receipt != nil {
		rows = append(rows, event(r.Receipt.Issued, "receipt", r.Receipt.ID+" until "+r.Receipt.Expires.UTC().Format(time.TimeOnly)+"Z"))
		if r.Receipt.Consumed != nil {
			rows = append(rows, event(*r.Receipt.Consumed, "consumed", "the call may run, once"))
		}
	}
	if v := r.Revocation; v != nil {
		text := "by " + v.By
		if v.Reason != "" {
			text += ": " + v.Reason
		}
		rows = append(rows, event(v.At, "taken back", text))
	}
	if x := r.Execution; x != nil {
		text := x.Detail
		if x.ExitCode != nil {
			text = strings.TrimSpace(fmt.Sprintf("exit code %d %s", *x.ExitCode, text))
		}
		rows = append(rows, event(x.At, string(x.Outcome), text))
	}
	for i := range r.Late {
		rows = append(rows, event(r.Late[i].At, "too late", string(r.Late[i].Word)+" "+decidedText(&r.Late[i])))
	}
	return rows
}

func event(at time.Time, what, text string) []string {
	return []string{"  " + at.UTC().Format("2006-01-02 15:04:05Z"), what, text}
}

func decidedText(d *approval.Decision) string {
	text := "by " + d.Who()
	for _, entry := range d.Saved {
		text += "; saved " + entry
	}
	if d.Reason != "" {
		text += ": " + d.Reason
	}
	if d.Notice != "" {
		text += "; notice: " + d.Notice
	}
	return text
}
