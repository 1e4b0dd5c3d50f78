package ruledb

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/policyctl/policyctl/internal/authoring/exchange"
	"github.com/policyctl/policyctl/pkg/document"
)

// A Draft is a rule as somebody wants it.
type Draft struct {
	// Row is the rule; an empty id stands for a new one. Who wrote it and when
	// is found out by [Rules.Put].
	Row Row
	// Notes are what a person should know of it.
	Notes []string
	// Based is what it replaces.
	Based Basis
	// cases says that the draft says something of cases: those of before do not stay.
	cases bool
}

// An Invalid is a rule that cannot be stored, or a preview that cannot be
// made. It says why.
type Invalid struct{ Err error }

// Error returns the text of the error.
func (e *Invalid) Error() string { return e.Err.Error() }

// Unwrap returns the error.
func (e *Invalid) Unwrap() error { return e.Err }

func invalid(format string, args ...any) error { return &Invalid{fmt.Errorf(format, args...)} }

// Decode reads one rule from JSON strictly: in the names of the columns, or in
// those of the service's API, with the condition as a text of JSON or an
// object. What would be left out is an error, unless the rule is not enabled.
// Who wrote the rule and when is not read. The error is an [*Invalid].
func Decode(body []byte) (Draft, error) {
	if !bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("{")) {
		return Draft{}, invalid("rule: must be one JSON object")
	}
	imported, err := exchange.Import("rule", body)
	if err != nil {
		return Draft{}, &Invalid{err}
	}
	var outer map[string]json.RawMessage
	if err := json.Unmarshal(body, &outer); err != nil || outer["rules"] != nil || len(imported.Rules) != 1 {
		return Draft{}, invalid("rule: must be one JSON object, not several rules")
	}
	d, err := draftOf(imported)
	if err != nil {
		return Draft{}, invalid("rule: %w", err)
	}
	return d, nil
}

// draftOf returns the draft of the one rule that was imported.
func draftOf(imported *exchange.Result) (Draft, error) {
	given := imported.Given[0]
	if _, ok := given["compiled"]; ok {
		return Draft{}, fmt.Errorf("compiled is reserved: leave it out")
	}
	notes, refused := sift(imported)
	if off := given["enabled"].Text; len(refused) > 0 && off != "false" && off != "0" {
		return Draft{}, fmt.Errorf("%s: correct it, or store it with enabled false", reasons(refused))
	}
	row, err := canonical(imported, given)
	if err != nil {
		return Draft{}, err
	}
	d := Draft{Row: row, Notes: append(notes, refused...)}
	if cases, ok := given["cases"]; ok {
		d.cases = true
		d.Row.Cases, err = casesOf(cases)
	}
	return d, err
}

// canonical returns the row of the one rule that was imported, with what it
// leaves open filled in. Of a rule that is not understood, the condition and
// the dialect stay as they were given.
func canonical(r *exchange.Result, given map[string]document.Node) (Row, error) {
	row, err := rowOf(r)
	if err != nil {
		return Row{}, err
	}
	if slices.ContainsFunc(texts(r, exchange.Lost), isUnnamed) {
		row.ID = ""
	}
	if len(texts(r, exchange.Disabled)) == 0 {
		return row, nil
	}
	row.Source = conditionOf(given)
	if dialect, ok := given["dialect"]; ok {
		row.Dialect = dialect.Text
	}
	return row, nil
}

// rowOf returns the row of the one rule of a result.
func rowOf(r *exchange.Result) (Row, error) {
	text, err := r.JSON(exchange.Rows, time.Time{})
	if err != nil {
		return Row{}, err
	}
	var rows []Row
	if err := json.Unmarshal(text, &rows); err != nil {
		return Row{}, err
	}
	rows[0].CreatedAt, rows[0].UpdatedAt = time.Time{}, time.Time{}
	return rows[0], nil
}

// conditionOf returns the condition as it was given: a text of JSON, or an object.
func conditionOf(given map[string]document.Node) string {
	for _, key := range []string{"source", "when"} {
		n, ok := given[key]
		if ok && n.Kind == document.Text {
			return n.Text
		}
		if text, err := n.MarshalJSON(); ok && err == nil {
			return string(text)
		}
	}
	return ""
}
