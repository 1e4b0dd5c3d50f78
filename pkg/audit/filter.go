package audit

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
)

// A Filter chooses records of a log. The zero value chooses all.
type Filter struct {
	Kind, Actor, RequestID, Session, Agent, Rule, Stage string
	// ID is that of the decision of a verdict.
	ID string
	// Decision is what was decided, By who did.
	Decision, By string
	// From and To choose by the time of the record, in whole seconds; the latter
	// without its own second.
	From, To time.Time
	// Text chooses those that have all its words: see [Record.Words]. A word that
	// ends with * stands for all that begin like it.
	Text string
	// Before and After are numbers of records, 0 for none: what lies between.
	Before, After int64
	// OldestFirst turns the order around; Limit bounds the list.
	OldestFirst bool
	Limit       int
}

// maxWords bounds the text by which one record is found, in bytes.
const maxWords = 8 << 10

// Words returns the text by which a record is found, at most 8 KiB of it.
func (r *Record) Words() string {
	text := r.Kind + "\n" + r.Actor + "\n" + r.RequestID + "\n" + r.Tool + "\n" + r.Session + "\n" + r.Agent + "\n" + r.Dir + "\n" + r.Decision + "\n" +
		r.DecidedBy + "\n" + r.Reason + "\n" + r.Rule + "\n" + r.Stage + "\n" + r.ExecutionResult
	for key, value := range r.Detail {
		text += "\n" + key + "\n" + value
	}
	text += "\n" + argumentTexts(r.Arguments)
	if len(text) > maxWords {
		text = strings.ToValidUTF8(text[:maxWords], "")
	}
	return text
}

// argumentTexts returns the texts within arguments, one a line.
func argumentTexts(arguments json.RawMessage) string {
	var v any
	if json.Unmarshal(arguments, &v) != nil {
		return string(arguments)
	}
	var out strings.Builder
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			out.WriteString(v + "\n")
		case []any:
			for _, one := range v {
				walk(one)
			}
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				walk(v[name])
			}
		}
	}
	walk(v)
	return out.String()
}
