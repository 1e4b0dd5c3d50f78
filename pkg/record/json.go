package record

import (
	"errors"
	"fmt"
	"slices"

	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// recordKeys are the keys of a record in JSON.
func recordKeys() []string { return append(slices.Clone(topLevel), "facets", "unknown") }

// MarshalJSON returns the record with its keys in a fixed order, without those
// that say nothing, and with null for what of its lists and fields is not
// known. [Decode] reads the same record from it.
func (r *Record) MarshalJSON() ([]byte, error) {
	var tags any
	if len(r.Tags) > 0 {
		tags = r.shownTags()
	}
	return strictjson.Marshal(struct {
		Type        string                    `json:"type,omitempty"`
		Summary     string                    `json:"summary,omitempty"`
		Description string                    `json:"description,omitempty"`
		Verb        string                    `json:"verb,omitempty"`
		Sensitivity string                    `json:"sensitivity"`
		Primary     string                    `json:"primary,omitempty"`
		Tags        any                       `json:"tags,omitempty"`
		Facets      map[string]map[string]any `json:"facets,omitempty"`
		Unknown     []string                  `json:"unknown,omitempty"`
	}{r.Type, r.Summary, r.Description, r.Verb, r.Sensitivity.String(), r.Primary, tags, r.shownFacets(), r.Unknown})
}

// Decode reads a record from what JSON decodes it to, such as
// [policy.Call.Record]. The error says all that is wrong with it.
func Decode(m map[string]any) (*Record, error) {
	n, err := document.Of(m)
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	r, problems := Compile(n)
	var errs []error
	for _, p := range problems {
		if p.Hint != "" {
			p.Text += " (did you mean " + p.Hint + "?)"
		}
		errs = append(errs, errors.New(p.Text))
	}
	return r, errors.Join(errs...)
}
