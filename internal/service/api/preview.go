package api

import (
	"cmp"
	"encoding/json"
	"net/http"

	"github.com/policyctl/policyctl/internal/authoring/preview"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/ruledb"
	"github.com/policyctl/policyctl/pkg/approval"
)

// previewRule shows which of the calls that the service decided a draft would
// have matched.
func (a *API) previewRule(x *route.Exchange, body *struct {
	Draft    json.RawMessage `json:"draft"`
	Lookback int             `json:"lookback"`
	Samples  int             `json:"samples"`
}) error {
	if len(body.Draft) == 0 {
		return &approval.Invalid{Text: "draft: missing; give the rule"}
	}
	d, err := ruledb.Decode(body.Draft)
	if err != nil {
		return err
	}
	most := min(max(cmp.Or(body.Lookback, ruledb.DefaultLookback), 1), preview.MaxLookback)
	calls, err := x.Data.Calls(x.Context(), most)
	if err != nil {
		return err
	}
	report, err := x.Rules.Preview(x.Context(), d, calls, ruledb.Look{Lookback: body.Lookback, Samples: body.Samples, Engine: x.Decider.Engine()})
	if err != nil {
		return err
	}
	return x.Answer(http.StatusOK, report)
}
