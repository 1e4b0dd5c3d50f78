package compat

import (
	"encoding/json"
	"net/http"

	"github.com/policyctl/policyctl/internal/authoring/preview"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/ruledb"
	"github.com/policyctl/policyctl/internal/service/webguard"
)

func (h *Handler) listRules(x *route.Exchange) error {
	rows, err := x.Rules.List(x.Context())
	if err != nil {
		return err
	}
	return x.Answer(http.StatusOK, map[string]any{"rules": append([]ruledb.Row{}, rows...)})
}

func (h *Handler) showRule(x *route.Exchange) error {
	row, ok, err := x.Rules.Get(x.Context(), x.ID)
	if err != nil {
		return err
	}
	if !ok {
		return refuse(http.StatusNotFound, "there is no rule with the id %s; list the rules for their ids", x.ID)
	}
	return x.Answer(http.StatusOK, row)
}

// putRule writes a rule in the place of the one with its id.
func (h *Handler) putRule(x *route.Exchange, text *json.RawMessage) error {
	d, err := ruledb.Decode(*text)
	if err != nil {
		return err
	}
	if id := d.Row.ID; id != "" && !webguard.ValidID(id) {
		return refuse(http.StatusBadRequest, "id: %.64q is not an id; use letters, digits and . _ : - behind a letter or a digit", id)
	}
	done, err := x.Rules.Put(x.Context(), x.Who.Name, d)
	if err != nil {
		return err
	}
	notes := done.Notes
	if closes(*text) && d.Row.Decision == requireLLM {
		notes = append(notes, "failClosed: true does not deny at once here: where the model fails, people are asked, and silence denies; for a denial set on_error: deny for the reviewer in approvers.yaml")
	}
	return x.Answer(http.StatusOK, struct {
		ID    string   `json:"id"`
		Notes []string `json:"notes,omitempty"`
	}{done.ID, notes})
}

const requireLLM = "require_llm"

// closes reports whether a rule says failClosed in the words of clients to whom that means
// that a model which fails denies.
func closes(rule json.RawMessage) bool {
	var said struct {
		Closed   any             `json:"failClosed"`
		Decision json.RawMessage `json:"decision"`
	}
	if json.Unmarshal(rule, &said) != nil {
		return false
	}
	if said.Closed != nil {
		return said.Closed == true || said.Closed == 1.0
	}
	return len(said.Decision) > 0 && said.Decision[0] == '{' && closes(said.Decision)
}

// deleteRule answers alike whether there was a rule or not.
func (h *Handler) deleteRule(x *route.Exchange) error {
	if _, err := x.Rules.Delete(x.Context(), x.Who.Name, x.ID, nil); err != nil {
		return err
	}
	return x.Answer(http.StatusOK, map[string]bool{"ok": true})
}

// previewRule shows which recorded calls a draft would have matched, in its
// scope. More than 500 calls are not looked at.
func (h *Handler) previewRule(x *route.Exchange, body *struct {
	Draft    json.RawMessage `json:"draft"`
	Lookback *int            `json:"lookbackLimit"`
}) error {
	look := ruledb.Look{Lookback: ruledb.DefaultLookback, Samples: preview.MaxSamples}
	if n := body.Lookback; n != nil {
		look.Lookback = min(*n, preview.MaxLookback)
	}
	switch {
	case len(body.Draft) == 0:
		return refuse(http.StatusBadRequest, "draft: missing; give the rule")
	case look.Lookback < 1:
		return refuse(http.StatusBadRequest, "lookbackLimit: %d; give a number from 1 to %d", look.Lookback, preview.MaxLookback)
	}
	d, err := ruledb.Decode(body.Draft)
	if err != nil {
		return err
	}
	report, err := h.preview(x, d, look)
	if err != nil {
		return err
	}
	return x.Answer(http.StatusOK, ruledb.MatchesOf(report))
}

func (h *Handler) preview(x *route.Exchange, d ruledb.Draft, look ruledb.Look) (*preview.Report, error) {
	calls, err := x.Data.Calls(x.Context(), look.Lookback)
	if err != nil {
		return nil, err
	}
	return x.Rules.Preview(x.Context(), d, calls, look)
}
