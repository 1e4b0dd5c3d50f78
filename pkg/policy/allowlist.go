package policy

import (
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/pkg/hardline"
	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/shell"
)

// An allowEntry is an entry of the command allowlist.
type allowEntry struct {
	Entry
	words []string
	prefix
}

func compileAllow(e Entry, errs *[]error) allowEntry {
	a := allowEntry{Entry: e, words: fields(e.Text), prefix: compilePrefix(e.Text)}
	if len(a.words) == 0 {
		*errs = append(*errs, fmt.Errorf("%scommand_allowlist: an empty entry; write leading words such as \"go test\"", at(e.Origin)))
	}
	return a
}

// Scene returns a line as the tables of dangerous commands look at it.
func Scene(line *shell.Line, home string) hazard.Scene {
	return hazard.Scene{Line: line, Home: home, Denies: hardline.Denies}
}

func fields(text string) []string { return strings.Fields(text) }

// listed says whether the entry covers a command.
func (a *allowEntry) listed(r *run, i int) bool {
	return a.leads(r, i) && r.stopped(&a.prefix, i) == ""
}

// leads says whether a command begins with the entry, within the conditions of
// an allow.
func (a *allowEntry) leads(r *run, i int) bool {
	c := &r.line.Commands[i]
	return !c.Function && leads(c, a.words) && leads(r.view.Resolved(c), a.words) && r.barrier(c, nil) == ""
}
