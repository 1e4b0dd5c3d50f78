package api

import (
	"cmp"
	"encoding/json"
	"net/http"

	"github.com/policyctl/policyctl/internal/authoring/preview"
	"github.com/policyctl/policyctl/internal/service/ruledb"
	"github.com/policyctl/policyctl/pkg/approval"
)

// previewRule shows which of the calls that the service decided a draft would
// have matched.
func (a *API) previewRule(x *exchange) error {
	var body struct {
		Draft    json.RawMessage `json:"draft"`
		Lookback int             `json:"lookback"`
		Samples  int             `json:"samples"`
	}
	if err := x.body(&body); err != nil {
		return err
	}
	if len(body.Draft) == 0 {
		return &approval.Invalid{Text: "draft: missing; give the rule"}
	}
	d, err := ruledb.Decode(body.Draft)
	if err != nil {
		return ruleError(err)
	}
	most := min(max(cmp.Or(body.Lookback, ruledb.DefaultLookback), 1), preview.MaxLookback)
	calls, err := a.b.Data.Calls(x.context(), most)
	if err != nil {
		return err
	}
	report, err := a.b.Rules.Preview(x.context(), d, calls, ruledb.Look{Lookback: body.Lookback, Samples: body.Samples})
	if err != nil {
		return ruleError(err)
	}
	return x.answer(http.StatusOK, report)
}
