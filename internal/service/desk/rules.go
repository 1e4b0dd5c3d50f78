package desk

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/ruledb"
	"github.com/policyctl/policyctl/internal/service/webguard"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
)

// ruleLimit is how many rules, and how many changes of rules, a page shows.
const ruleLimit = 200

// findingsWait is how long a page waits for what the linter finds.
const findingsWait = 30 * time.Millisecond

// A rulesPage is the rules of the database, and those of files below them.
type rulesPage struct {
	Query string
	Rules []*listedRule
	// Shown and All count rules of the database. Next is the id behind which others
	// follow, "" for none.
	Shown, All int
	Next       string
	// Searching says that the linter is not done yet.
	Searching bool
	// Problem says why the rules in force are not all of these.
	Problem string
	Others  []otherRule
	More    int // of the others, which are not shown
}

// A listedRule is one rule of the database.
type listedRule struct {
	ruledb.Row
	Hash, Scope, By string
	// Broken says that no page and no route can name it.
	Broken   bool
	Findings []ruledb.Finding
}

// An otherRule is one that comes from a file or a bundle.
type otherRule struct {
	ID, Decision, Reason, Scope, Origin string
	Priority                            int
	Disabled                            bool
}

func (d *Desk) rules(x *route.Exchange) (string, *frame, error) {
	page := &rulesPage{Query: x.Query.Get("q")}
	rows, found, all, err := x.Rules.Search(x.Context(), ruledb.Search{Text: page.Query, After: x.Query.Get("after"), Limit: ruleLimit})
	if err != nil {
		return "", nil, err
	}
	page.Shown, page.All = found, all
	if err := x.Rules.Problem(); err != nil {
		page.Problem = err.Error()
	}
	findings, done := x.Rules.Findings(findingsWait)
	page.Searching = !done
	page.list(rows, findings)
	page.others(x.Decider.Engine())
	return "rules.html", &frame{Title: "Rules", At: "rules", Content: page}, nil
}

// list adds rules with what was found about them.
func (p *rulesPage) list(rows []ruledb.Row, found []ruledb.Finding) {
	about := make(map[string][]ruledb.Finding)
	for _, f := range found {
		about[f.Rules[0]] = append(about[f.Rules[0]], f)
	}
	for _, row := range rows {
		p.Rules = append(p.Rules, &listedRule{
			Row: row, Hash: row.Hash(), By: cmp.Or(said(row.UpdatedBy), said(row.CreatedBy)), Broken: !webguard.ValidID(row.ID), Findings: about[row.ID],
			Scope: scopeOf(pattern.Scope{Plugin: said(row.ScopePluginID), Profile: said(row.ScopeProfileID), Integration: said(row.ScopeIntegrationID)}),
		})
	}
	if len(rows) == ruleLimit {
		p.Next = rows[len(rows)-1].ID
	}
}

// others adds the rules that the engine has from files and bundles.
func (p *rulesPage) others(e *policy.Engine) {
	for _, s := range e.Sources() {
		from, ok := s.(interface{ Rules() []*pattern.Rule })
		if !ok {
			continue
		}
		for _, r := range from.Rules() {
			o := otherRule{
				ID: r.ID, Decision: r.Decision.Verb.String(), Reason: r.Reason, Scope: scopeOf(r.Scope), Priority: r.Priority, Disabled: r.Disabled,
				Origin: strings.TrimSpace(r.Origin.Layer + " " + r.Origin.String()),
			}
			switch {
			case r.Origin.Layer == ruledb.Layer || !hasText(p.Query, o.ID, o.Decision, o.Reason, o.Origin):
			case len(p.Others) == ruleLimit:
				p.More++
			default:
				p.Others = append(p.Others, o)
			}
		}
	}
}

// said returns a text of a row, "" for none.
func said(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func scopeOf(s pattern.Scope) string {
	var parts []string
	for _, part := range []struct{ name, value string }{{"plugin", s.Plugin}, {"profile", s.Profile}, {"integration", s.Integration}} {
		if part.value != "" {
			parts = append(parts, part.name+" "+part.value)
		}
	}
	return strings.Join(parts, ", ")
}

// hasText reports whether one of some texts has another one, in any case.
func hasText(text string, in ...string) bool {
	return slices.ContainsFunc(in, func(s string) bool { return strings.Contains(strings.ToLower(s), strings.ToLower(text)) })
}

// A rulePage is one rule, with what edits it.
type rulePage struct {
	// ID is "" for a new rule, and Hash where there is none. Text is the rule.
	ID, Hash, Text, Cases string
	Problem               string
	Changes               *changesPage
	Fields                []ruleField
	Operators             []ruleOperator
	Approvers             []string
	Verbs                 []string
}

// A ruleField is a field that a condition can test.
type ruleField struct{ Path, Type, Meaning string }

// A ruleOperator is an operator with the types that it fits.
type ruleOperator struct{ Name, Types string }

// newRule is what a new rule begins with.
const newRule = `{
  "id": "",
  "when": {
    "shell.program": ""
  },
  "decision": "require_human"
}`

func (d *Desk) newRule(x *route.Exchange) (string, *frame, error) {
	return "rule.html", &frame{Title: "New rule", At: "rules", Content: editorOf(x, &rulePage{Text: newRule, Cases: "[]"})}, nil
}

func (d *Desk) rule(x *route.Exchange) (string, *frame, error) {
	changes, err := changesOf(x, x.ID)
	if err != nil {
		return "", nil, err
	}
	row, ok, err := x.Rules.Get(x.Context(), x.ID)
	switch {
	case err != nil:
		return "", nil, err
	case !ok && len(changes.Changes) == 0:
		return "", nil, route.Refuse(http.StatusNotFound, "not-found", "there is no rule with the id "+x.ID, "look for it among the rules")
	case !ok:
		return "rule.html", &frame{Title: "Rule " + x.ID, At: "rules", Content: &rulePage{ID: x.ID, Changes: changes}}, nil
	}
	page := editorOf(x, &rulePage{ID: x.ID, Hash: row.Hash(), Text: row.Text(), Cases: cmp.Or(said(row.Cases), "[]"), Changes: changes})
	return "rule.html", &frame{Title: "Rule " + x.ID, At: "rules", Content: page}, nil
}

// editorOf adds what the builder offers.
func editorOf(x *route.Exchange, p *rulePage) *rulePage {
	p.Fields, p.Operators, p.Verbs = ruleFields(), ruleOperators(), []string{"deny", "require_human", "require_llm", "allow"}
	for _, a := range x.Service.Approvers() {
		p.Approvers = append(p.Approvers, a.Info().ID)
	}
	return p
}

// ruleFields are those of the record itself, then those of the facets.
func ruleFields() []ruleField {
	out := []ruleField{
		{"type", "text", "what kind of call it is, such as shell.exec"},
		{"verb", "text", "the sub-command or method, such as push"},
		{"sensitivity", "text", "read, write, mutate or destructive"},
		{"primary", "text", "the facet that matters most"},
		{"tags", "texts", "the tags of the tool"},
		{"summary", "text", "the call in a few words"},
		{"description", "text", "what the call says of itself"},
	}
	for _, facet := range record.Facets() {
		fields, _ := record.Fields(facet)
		for _, f := range fields {
			out = append(out, ruleField{facet + "." + f.Name, f.Type.String(), f.Meaning})
		}
	}
	return out
}

func ruleOperators() (out []ruleOperator) {
	for _, name := range pattern.Operators() {
		var types []string
		for t := record.AnyField; t <= record.ObjectField; t++ {
			if slices.Contains(pattern.Fitting(t), name) || name == "flags" && slices.Contains(pattern.Fitting(t), "pattern") {
				types = append(types, t.String())
			}
		}
		if len(types) > 0 {
			out = append(out, ruleOperator{name, strings.Join(types, " ")})
		}
	}
	return out
}

// A changesPage is what was changed of rules, the newest first.
type changesPage struct {
	Rule    string // "" for all rules
	Changes []ruleChange
	// Older is the number before which older changes follow, 0 for none.
	Older int64
}

// A ruleChange is one change, as what goes and what comes.
type ruleChange struct {
	ruledb.Change
	Action string
	// Now is the hash of the rule as it is, "" for none.
	Now  string
	Rows []row
}

func (d *Desk) ruleChanges(x *route.Exchange) (string, *frame, error) {
	page, err := changesOf(x, "")
	if err != nil {
		return "", nil, err
	}
	return "changes.html", &frame{Title: "Changes of rules", At: "rules", Content: page}, nil
}

func changesOf(x *route.Exchange, rule string) (*changesPage, error) {
	before, err := x.Number("before", 0, 1, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	limit := ruleLimit / 4
	list, err := x.Rules.Changes(x.Context(), rule, before, limit)
	if err != nil {
		return nil, err
	}
	page, now := &changesPage{Rule: rule}, make(map[string]string)
	for _, c := range list {
		if _, known := now[c.Rule]; !known {
			r, ok, err := x.Rules.Get(x.Context(), c.Rule)
			if err != nil {
				return nil, err
			}
			if now[c.Rule] = ""; ok {
				now[c.Rule] = r.Hash()
			}
		}
		page.Changes = append(page.Changes, ruleChange{c, action(&c), now[c.Rule], compared(textOf(c.Before), textOf(c.After))})
	}
	if len(list) == limit {
		page.Older = list[len(list)-1].ID
	}
	return page, nil
}

func action(c *ruledb.Change) string {
	switch {
	case c.Before == nil:
		return "created"
	case c.After == nil:
		return "deleted"
	}
	return "changed"
}

// textOf returns a rule with its test cases, "" for none.
func textOf(r *ruledb.Row) string {
	if r == nil {
		return ""
	}
	text := r.Text()
	if r.Cases == nil {
		return text
	}
	var cases bytes.Buffer
	if err := json.Indent(&cases, []byte(*r.Cases), "", "  "); err != nil {
		return text
	}
	return fmt.Sprintf("%s\ntest cases: %s", text, cases.String())
}

// maxCompared bounds the lines of texts that are compared line by line.
const maxCompared = 400

// compared returns the lines of two texts: what goes, what comes, and what stays.
func compared(before, after string) (out []row) {
	a, b := linesOf(before), linesOf(after)
	add := func(sign, text string) { out = append(out, row{sign, pieces(text, nil)}) }
	kept := longestCommon(a, b)
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case len(kept) > 0 && i == kept[0][0] && j == kept[0][1]:
			add(" ", a[i])
			i, j, kept = i+1, j+1, kept[1:]
		case i < len(a) && (len(kept) == 0 || i < kept[0][0]):
			add("-", a[i])
			i++
		default:
			add("+", b[j])
			j++
		}
	}
	return out
}

func linesOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// longestCommon returns the places of the longest list of lines that both have in order;
// none where they are too long.
func longestCommon(a, b []string) (out [][2]int) {
	if len(a) > maxCompared || len(b) > maxCompared {
		return nil
	}
	length := make([][]int, len(a)+1)
	for i := range length {
		length[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if length[i][j] = max(length[i+1][j], length[i][j+1]); a[i] == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			out = append(out, [2]int{i, j})
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return out
}
