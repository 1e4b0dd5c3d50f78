package requests

import (
	"strings"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/service/view"
	"github.com/policyctl/policyctl/pkg/approval"
)

// harmRows say how much harm a call can do, with every dangerous pattern that
// it matches.
func harmRows(r *approval.Request) [][]string {
	risk, dangers := r.Harm()
	rows := [][]string{console.Labelled("risk", risk)}
	command := view.Text(view.Input(r)["command"])
	for _, d := range dangers {
		text := d.Rule + ": " + d.Why
		if d.Span.From >= 0 && d.Span.From < d.Span.To && d.Span.To <= len(command) {
			text += ": " + command[d.Span.From:d.Span.To]
		}
		rows = append(rows, console.Labelled("dangerous", text))
	}
	if risk == "" && len(dangers) == 0 {
		return nil
	}
	return rows
}

// effectRows say what a call does. Whether a file was there only the submitter
// can say.
func effectRows(d *approval.Detail) (rows [][]string) {
	for _, e := range d.Effects {
		rows = append(rows, console.Labelled(e.Kind, strings.Join(e.Targets, " · ")))
	}
	for _, f := range d.Asked.Files {
		text := f.Path + ": it is new, says the submitter"
		if f.Exists {
			text = f.Path + ": it is there already, says the submitter"
		}
		rows = append(rows, console.Labelled("file", text))
	}
	return rows
}

// earlierRows say what was decided about the same call before.
func earlierRows(all []approval.Earlier) (rows [][]string) {
	for i := range all {
		e := &all[i]
		what := string(e.Decision.Word)
		if e.State == approval.Revoked {
			what += ", taken back"
		}
		rows = append(rows, event(e.Decision.At, what, decidedText(e.Decision)))
	}
	return rows
}
