package ruledb

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/internal/authoring/exchange"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
)

// A Plan is what an import does.
type Plan struct {
	// Added and Changed are what becomes of rules, Same the ids of those that are so
	// already. Others counts the rules that the import does not name, which stay.
	Added   []Planned `json:"added"`
	Changed []Planned `json:"changed"`
	Same    []string  `json:"same"`
	Others  int       `json:"others"`
	// Notes are what a person should know.
	Notes []string `json:"notes"`
	// Revision is that of the rules for which the plan was made.
	Revision string `json:"revision"`
	// Done says that it was carried out.
	Done bool `json:"done"`
}

// A Planned is one rule as it was and as it will be, as [Row.Text] has it; Before is "" for
// none.
type Planned struct {
	ID     string `json:"id"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// Plan says what an import of a text would do: rows or the API's JSON, JSON lines, CSV with
// a header, or a policy file. The error is an [*Invalid] and names all that is wrong.
func (r *Rules) Plan(ctx context.Context, text string) (*Plan, error) {
	plan, _, err := r.plan(ctx, text)
	return plan, err
}

// Import carries a plan out in one transaction, in the name of somebody. The error is a
// [*Stale] where the rules are no longer those for which the plan was made.
func (r *Rules) Import(ctx context.Context, by, text, revision string) (*Plan, error) {
	plan, list, err := r.plan(ctx, text)
	if err != nil {
		return nil, err
	}
	if plan.Revision != revision {
		return nil, &Stale{}
	}
	if _, err := r.apply(ctx, by, list); err != nil {
		return nil, err
	}
	plan.Done = true
	return plan, nil
}

func (r *Rules) plan(ctx context.Context, text string) (*Plan, []wish, error) {
	plan := &Plan{Added: []Planned{}, Changed: []Planned{}, Same: []string{}, Notes: []string{}, Revision: r.Revision()}
	drafts, err := readRules(text, &plan.Notes)
	if err != nil {
		return nil, nil, &Invalid{err}
	}
	rows, err := r.List(ctx)
	if err != nil {
		return nil, nil, err
	}
	var wishes []wish
	var wrong []error
	for _, d := range drafts {
		w, notes, err := d.wish()
		if err != nil {
			wrong = append(wrong, fmt.Errorf("rule %s: %w", d.Row.ID, err))
			continue
		}
		for _, n := range notes {
			plan.Notes = append(plan.Notes, w.id+": "+n)
		}
		if plan.add(&w, rows) {
			wishes = append(wishes, w)
		}
	}
	if len(wrong) > 0 {
		return nil, nil, &Invalid{errors.Join(wrong...)}
	}
	plan.Others = len(rows) - len(plan.Changed) - len(plan.Same)
	return plan, wishes, nil
}

// add puts down what becomes of one rule, and reports whether something does. The rule is
// to stand as it does now when the plan is carried out.
func (p *Plan) add(w *wish, rows []Row) bool {
	before, stands := find(rows, w.id)
	hash := ""
	if w.based = &hash; !stands {
		p.Added = append(p.Added, Planned{w.id, "", w.row.Text()})
		return true
	}
	if w.keep {
		w.row.Cases = before.Cases
	}
	if hash = before.Hash(); hash == w.row.Hash() {
		p.Same = append(p.Same, w.id)
		return false
	}
	p.Changed = append(p.Changed, Planned{w.id, before.Text(), w.row.Text()})
	return true
}

// isPolicy finds the key with which a policy file begins.
var isPolicy = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*\{?\s*"?version"?\s*[:=]`) })

// readRules reads the rules of a text in any of the formats.
func readRules(text string, notes *[]string) ([]Draft, error) {
	if isPolicy().MatchString(text) {
		return readPolicy(text, notes)
	}
	all, err := exchange.Import("import", []byte(text))
	if err != nil {
		return nil, err
	}
	var out []Draft
	var wrong []error
	for i, rule := range all.Rules {
		one := &exchange.Result{Rules: all.Rules[i : i+1], Given: all.Given[i : i+1]}
		for _, n := range all.Notes {
			if n.Rule == rule.ID {
				one.Notes = append(one.Notes, n)
			}
		}
		d, err := draftOf(one)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("rule %s: %w", rule.ID, err))
		}
		d.Row.ID = rule.ID // also where it is made of the label
		out = append(out, d)
	}
	return out, errors.Join(wrong...)
}

// readPolicy reads the rules of a policy file.
func readPolicy(text string, notes *[]string) ([]Draft, error) {
	loaded, err := config.Load(policy.Defaults(), config.File{Layer: config.User, Name: "import", Data: []byte(text), Admit: config.Everything})
	if err != nil {
		return nil, err
	}
	for _, a := range loaded.Assignments {
		if key, _, _ := strings.Cut(a.Path, "."); key != "rules" && key != "version" {
			*notes = append(*notes, a.Path+" is no rule, and is left out")
		}
	}
	var out []Draft
	for _, layer := range loaded.Rules {
		for _, rule := range layer.Rules {
			row, err := rowOf(&exchange.Result{Rules: []*pattern.Rule{rule}})
			if err != nil {
				return nil, fmt.Errorf("rule %s: %w", rule.ID, err)
			}
			d := Draft{Row: row}
			if d.Row.Cases, err = casesFrom(&rule.Examples); err != nil {
				return nil, fmt.Errorf("rule %s: %w", rule.ID, err)
			}
			out = append(out, d)
		}
	}
	return out, nil
}

// casesFrom returns examples as test cases, nil for none.
func casesFrom(x *pattern.Examples) (*string, error) {
	type one struct {
		Record *record.Record `json:"record"`
		Match  bool           `json:"match"`
	}
	var list []one
	for _, rec := range x.Match {
		list = append(list, one{rec, true})
	}
	for _, rec := range x.NoMatch {
		list = append(list, one{rec, false})
	}
	if len(list) == 0 {
		return nil, nil
	}
	text, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	return casesOf(document.Node{Kind: document.Text, Text: string(text)})
}

// Formats are those of [Rules.Export], with their media types.
var Formats = map[string]string{"json": "application/json", "csv": "text/csv; charset=utf-8", "yaml": "application/yaml"}

// Export writes all rules: as rows in JSON or CSV, which [Rules.Import] reads back as they
// are, or as a policy file.
func (r *Rules) Export(ctx context.Context, format string) ([]byte, error) {
	rows, err := r.List(ctx)
	if err != nil {
		return nil, err
	}
	text, err := json.MarshalIndent(append([]Row{}, rows...), "", "  ")
	if err != nil {
		return nil, err
	}
	switch format {
	case "csv":
		return exportCSV(text)
	case "yaml":
		return exportYAML(text, rows)
	}
	return append(text, '\n'), nil
}

func exportYAML(text []byte, rows []Row) ([]byte, error) {
	all, err := exchange.Import("rules", text)
	if err != nil { // another program may have written what no policy can say
		return nil, invalid("a policy file cannot have all of these rules: %w", err)
	}
	for i, rule := range all.Rules {
		rule.Examples = rows[i].examplesOf()
	}
	return all.YAML("The rules of the approval service. Test cases that are no records are not here.")
}

// exportCSV returns rows of JSON as sqlite3 -header -csv prints them.
func exportCSV(text []byte) ([]byte, error) {
	var list []map[string]any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&list); err != nil {
		return nil, err
	}
	columns := slices.Concat(exchange.Columns(), []string{"approver_any", "cases", "updated_by"})
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	_ = w.Write(columns) // a buffer takes all
	for _, row := range list {
		fields := make([]string, len(columns))
		for i, column := range columns {
			if v := row[column]; v != nil {
				fields[i] = fmt.Sprint(v)
			}
		}
		_ = w.Write(fields)
	}
	w.Flush()
	return out.Bytes(), w.Error()
}
