package api

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/ruledb"
	"github.com/policyctl/policyctl/pkg/approval"
)

func (a *API) listRules(x *route.Exchange) error {
	rows, err := x.Rules.List(x.Context())
	if err != nil {
		return err
	}
	out := struct {
		Rules    []ruledb.Row `json:"rules"`
		Revision string       `json:"revision"`
		Problem  *string      `json:"problem"`
	}{Rules: append([]ruledb.Row{}, rows...), Revision: x.Rules.Revision()}
	if err := x.Rules.Problem(); err != nil {
		text := err.Error()
		out.Problem = &text
	}
	return x.Answer(http.StatusOK, out)
}

func (a *API) getRule(x *route.Exchange) error {
	row, ok, err := x.Rules.Get(x.Context(), x.ID)
	if err != nil {
		return err
	}
	if !ok {
		return noRule(x.ID)
	}
	return x.Answer(http.StatusOK, row)
}

func noRule(id string) error {
	return route.Refuse(http.StatusNotFound, "not-found", "there is no rule with the id "+id, "list the rules for their ids")
}

// putRule writes a rule, under the id of the path where it has one.
func (a *API) putRule(x *route.Exchange, text *json.RawMessage) error {
	d, err := ruledb.Decode(*text)
	if err != nil {
		return err
	}
	if x.ID != "" {
		if d.Row.ID != "" && d.Row.ID != x.ID {
			return &approval.Invalid{Text: fmt.Sprintf("id: %.64q is not the one of the path, %s; leave it out", d.Row.ID, x.ID)}
		}
		d.Row.ID = x.ID
	}
	id, created, notes, err := x.Rules.Put(x.Context(), x.Who.Name, d)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if created {
		status = http.StatusCreated
		x.W.Header().Set("Location", "/v1/rules/"+id)
	}
	return x.Answer(status, struct {
		ID    string   `json:"id"`
		Notes []string `json:"notes"`
	}{id, append([]string{}, notes...)})
}

func (a *API) deleteRule(x *route.Exchange) error {
	removed, err := x.Rules.Delete(x.Context(), x.Who.Name, x.ID)
	if err != nil {
		return err
	}
	if !removed {
		return noRule(x.ID)
	}
	return x.Answer(http.StatusOK, map[string]any{"id": x.ID, "deleted": true})
}

func (a *API) deletedRules(x *route.Exchange) error {
	limit, err := x.Number("limit", 100, 1, 1000)
	if err != nil {
		return err
	}
	list, err := x.Rules.Deleted(x.Context(), int(limit))
	if err != nil {
		return err
	}
	return x.Answer(http.StatusOK, map[string]any{"deleted": append([]ruledb.Tombstone{}, list...)})
}
