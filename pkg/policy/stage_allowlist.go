package policy

import (
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/pkg/hardline"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// allowlist is stage 6.
func (r *run) allowlist() (*opinion, error) {
	if r.line == nil {
		if r.autoApprovals().coversCall() {
			return r.say(opinion{decision: Allow, rule: "auto_approve", why: "an auto-approve pattern matches"}), nil
		}
		if o := r.replies.grantedTool(); o != nil {
			return o, nil
		}
		if o := r.fetchesNamed(); o != nil {
			return o, nil
		}
		return r.fileInside(), nil
	}
	if r.barred() {
		return nil, nil
	}
	for i := range r.line.Commands {
		for k := range r.e.allowlist {
			a := &r.e.allowlist[k]
			if !a.leads(&r.facts, i) {
				continue
			}
			if why := a.stopped(&r.facts, i); why != "" {
				r.trace.note(Match{Rule: a.Text, Decision: Allow, Origin: a.Origin, Lost: why})
			} else {
				r.parts.allow(i, cover{StageAllowlist, a.Text, "the command allowlist has " + a.Text, a.Origin})
			}
		}
		if ok, origin := r.autoApprovals().coversCommand(i); ok {
			r.parts.allow(i, cover{StageAllowlist, "auto_approve", "an auto-approve pattern matches", origin})
		}
	}
	r.replies.coverByGrants()
	r.coverByWorkspace()
	r.parts.allowGlue()
	return r.parts.union(), nil
}

// An allowEntry is an entry of the command allowlist.
type allowEntry struct {
	Entry
	words []string
	prefix
}

func compileAllow(e Entry, errs *[]error) allowEntry {
	a := allowEntry{Entry: e, words: strings.Fields(e.Text), prefix: compilePrefix(e.Text)}
	if len(a.words) == 0 {
		*errs = append(*errs, fmt.Errorf("%scommand_allowlist: an empty entry; write leading words such as \"go test\"", at(e.Origin)))
	}
	return a
}

// Scene returns a line as the tables of dangerous commands look at it.
func Scene(line *eval.Line, home string) hazard.Scene {
	return hazard.Scene{Line: line, Home: home, Denies: hardline.Denies}
}

// listed reports whether the entry covers a command.
func (a *allowEntry) listed(f *facts, i int) bool {
	return a.leads(f, i) && a.stopped(f, i) == ""
}

// leads reports whether a command begins with the entry, within the conditions of
// an allow.
func (a *allowEntry) leads(f *facts, i int) bool {
	c := &f.line.Commands[i]
	return !c.Function && leads(c, a.words) && leads(f.view.Resolved(c), a.words) && f.barrier(c, nil) == ""
}
