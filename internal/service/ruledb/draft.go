package ruledb

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/policyctl/policyctl/internal/authoring/exchange"
)

// A Draft is a rule as somebody wants it.
type Draft struct {
	// Row is the rule; an empty id stands for a new one. Who wrote it and when
	// is found out by [Rules.Put].
	Row Row
	// Notes are what a person should know of it.
	Notes []string
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
	var given map[string]json.RawMessage
	if err := json.Unmarshal(body, &given); err != nil || given["rules"] != nil || len(imported.Rules) != 1 {
		return Draft{}, invalid("rule: must be one JSON object, not several rules")
	}
	if has(given, "compiled") {
		return Draft{}, invalid("rule: compiled is reserved: leave it out")
	}
	notes, refused := sift(imported)
	if off := string(given["enabled"]); len(refused) > 0 && off != "false" && off != "0" {
		return Draft{}, invalid("rule: %s: correct it, or store it with enabled false", reasons(refused))
	}
	row, err := canonical(imported, given)
	if err != nil {
		return Draft{}, &Invalid{err}
	}
	return Draft{row, append(notes, refused...)}, nil
}

// has reports whether an object has a key, with a value.
func has(object map[string]json.RawMessage, key string) bool {
	return len(object[key]) > 0 && string(object[key]) != "null"
}

// canonical returns the row of the one rule that was imported, with what it
// leaves open filled in. Of a rule that is not understood, the condition and
// the dialect stay as they were given.
func canonical(r *exchange.Result, given map[string]json.RawMessage) (Row, error) {
	text, err := r.JSON(exchange.Rows, time.Time{})
	if err != nil {
		return Row{}, err
	}
	var rows []Row
	if err := json.Unmarshal(text, &rows); err != nil {
		return Row{}, err
	}
	row := rows[0]
	row.CreatedAt, row.UpdatedAt = time.Time{}, time.Time{}
	if slices.ContainsFunc(texts(r, exchange.Lost), isUnnamed) {
		row.ID = ""
	}
	if len(texts(r, exchange.Disabled)) == 0 {
		return row, nil
	}
	row.Source = written(given)
	if has(given, "dialect") {
		err = json.Unmarshal(given["dialect"], &row.Dialect)
	}
	return row, err
}

// written returns the condition as it was given: a text of JSON, or an object.
func written(given map[string]json.RawMessage) string {
	for _, key := range []string{"source", "when"} {
		if !has(given, key) {
			continue
		}
		var text string
		if json.Unmarshal(given[key], &text) == nil {
			return text
		}
		var line bytes.Buffer
		if json.Compact(&line, given[key]) == nil {
			return line.String()
		}
	}
	return ""
}
